"""What one check has found."""

from dataclasses import dataclass

__all__ = ["CHANGED", "FAILED", "LEFT_OUT", "NOISE", "NOT_APPLICABLE", "RANDOM", "UNCHANGED", "Finding"]

UNCHANGED, CHANGED, FAILED, RANDOM = "unchanged", "changed", "failed", "random"
NOISE, LEFT_OUT, NOT_APPLICABLE = "within its own noise", "left out: time", "not applicable"


@dataclass(frozen=True)
class Finding:
    """What a check has found."""

    verdict: str
    # mean over truths of the Jensen-Shannon divergence; NaN where nothing was compared
    bits: float = float("nan")
    largest: float = float("nan")  # difference of a probability; NaN likewise
    note: str = ""
    sentence: str = ""  # what it says in a paragraph, where the verdict alone does not
    ignored: tuple[int, ...] = ()  # positions of ignored columns, from 1
