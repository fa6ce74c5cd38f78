"""Words that profiles and the arena share: places among learners, kinds of truths, durations."""

from workbench.base.names import GENERATORS

__all__ = [
    "GROUPS",
    "MISSING",
    "WIDTHS",
    "duration",
    "kind_words",
    "ordinal",
    "place_words",
    "rank_words",
]

MISSING = "\u2013"

GROUPS = {"networks": "networks and mixtures of them", "other_kinds": "other kinds than networks"}
WIDTHS = {"narrow": "few attributes", "wide": "many attributes"}


def ordinal(rank: int) -> str:
    """Return a rank as 1st, 2nd, 3rd ..."""
    ending = "th" if 10 <= rank % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"


def rank_words(first: int, last: int) -> str:
    """Return an interval of ranks; of 0 and 0, which is none, a dash."""
    if first == 0:
        return MISSING
    return ordinal(int(first)) if first == last else f"{ordinal(int(first))} to {ordinal(int(last))}"


def place_words(first: int, last: int, n: int) -> str:
    """Return a place among learners, such as "3rd to 5th of 22"."""
    return f"{rank_words(first, last)} of {n}"


def kind_words(kind: str) -> str:
    """Return a kind of truths, a group of kinds, or a width, as words."""
    return WIDTHS.get(kind) or GROUPS.get(kind) or GENERATORS.get(kind) or kind.replace("_", " ")


def duration(seconds: float | None) -> str:
    """Return a duration with two digits: in seconds, or below one in milliseconds."""
    if seconds is None:
        return MISSING
    number, unit = (seconds, "s") if seconds >= 1 else (1000 * seconds, "ms")
    return f"{number:.{1 if number < 10 else 0}f} {unit}"
