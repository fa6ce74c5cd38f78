"""Sentences of the arena: parts of the map, and leaders."""

from collections.abc import Mapping

from workbench.arena.leaderboard import SHARED, Board, Newcomer, View
from workbench.base.text import and_of, capitalized, count_of
from workbench.profiles.words import GROUPS, WIDTHS, kind_words, ordinal, place_words

__all__ = ["basis", "elsewhere", "headline", "own_part", "part_words", "ratio_words", "size_words"]

#: Leaders that are named; of more, their number.
MOST_NAMES = 6


def ratio_words(ratio: float) -> str:
    """Return the ratio of two numbers in words."""
    return f"{ratio:.{1 if ratio < 10 else 0}f}\u00d7"


def size_words(sizes: tuple[int, ...]) -> str:
    """Return numbers of training rows from the least to the greatest."""
    if not sizes:
        return "no rows"
    return f"{sizes[0]:,} rows" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,} rows"


def part_words(n_truths: int, sizes: tuple[int, ...], whole: tuple[int, tuple[int, ...]]) -> str:
    """Describe the part of the map on which a learner was scored."""
    if (n_truths, sizes) == whole:
        return "all"
    truths = f"{n_truths} of {whole[0]} truths" if n_truths != whole[0] else ""
    return ", ".join(filter(None, (truths, size_words(sizes) if sizes != whole[1] else "")))


def view_words(view: View) -> str:
    """Describe the part of the map of a view, with a space before it. Empty for the whole map."""
    parts = [
        GROUPS.get(view.kind) or (f"{kind_words(view.kind)} truths" if view.kind else ""),
        f"{view.difficulty} places" if view.difficulty else "",
        WIDTHS.get(view.width, view.width),
        f"{int(view.sizes):,} training rows" if view.sizes not in ("", SHARED) else "",
    ]
    found = list(filter(None, parts))
    return f" ({', '.join(found)})" if found else ""


def own_part(newcomer: Newcomer) -> str:
    """Describe the part on which a newcomer is ranked."""
    return f"{count_of(newcomer.n_truths, 'truth')} with {size_words(newcomer.sizes)}"


def headline(board: Board, titles: Mapping[str, str]) -> str:
    """Report the leaders of the learners ranked together, and the possible ranks of each newcomer."""
    found = [_leaders(board, titles)]
    for one in board.newcomers:
        first, last = one.standing.first, one.standing.last
        found.append(
            capitalized(
                f"{titles[one.learner]}, a newcomer, {'is' if first == last else 'may be'} "
                f"{place_words(first, last, one.n_learners)} learners on its part: {own_part(one)}."
            )
        )
    return " ".join(found)


def _leaders(board: Board, titles: Mapping[str, str]) -> str:
    n, top = len(board.standings), board.standings[0]
    where = view_words(board.view)
    names = [titles[key] for key in board.leaders]
    if board.has_no_order:
        return (
            f"No leader{where}: the {n} learners do not differ significantly. "
            f"Each may have any rank from 1st to {ordinal(n)}."
        )
    if len(names) == 1:
        second = board.standings[1]
        return capitalized(
            f"{names[0]} is 1st of {n} learners{where}, with a mean regret of {top.regret:.3f} bits. Next is "
            f"{titles[second.learner]} with {second.regret:.3f}."
        )
    if len(names) <= MOST_NAMES:
        return capitalized(
            f"{_or_of(names)} may be 1st of {n} learners{where}. They do not differ significantly. "
            f"The least mean regret is {top.regret:.3f} bits."
        )
    return (
        f"Any of {len(names)} may be 1st of {n} learners{where}. The least mean regret is "
        f"{top.regret:.3f} bits, of {titles[top.learner]}."
    )


def elsewhere(board: Board, titles: Mapping[str, str]) -> str:
    """Report the leader on the kinds that are not networks."""
    names = [titles[key] for key in board.leaders]
    if board.has_no_order:
        return "On kinds other than networks, the learners do not differ significantly."
    if len(names) > MOST_NAMES:
        return f"On kinds other than networks, any of {len(names)} may be 1st."
    return f"On kinds other than networks, {_or_of(names)} {'may be' if len(names) > 1 else 'is'} 1st."


def basis(board: Board) -> str:
    """Describe the data of a board, and the reference of regret."""
    if board.n_with_optimum == board.n_places:
        to = "Regret is relative to the optimum."
    elif board.n_with_optimum == 0:
        to = "Regret is relative to the truth, which no learner can reach."
    else:
        to = (
            f"Regret is relative to the optimum in {count_of(board.n_with_optimum, 'place')}, and "
            f"relative to the truth in the other {board.n_places - board.n_with_optimum}."
        )
    verb = "is" if len(board.left_out) == 1 else "are"
    out = f" {count_of(len(board.left_out), 'learner')} {verb} not ranked here." if board.left_out else ""
    return (
        f"Means are over {count_of(board.n_truths, 'truth')} on which all ranked learners have scores, in "
        f"{count_of(board.n_places, 'place')} of the map, with {size_words(board.sizes)}. {to}{out}"
    )


def _or_of(names: list[str]) -> str:
    """List names in a sentence as alternatives."""
    return f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else and_of(names)
