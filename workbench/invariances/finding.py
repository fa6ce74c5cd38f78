"""What one check has found."""

from dataclasses import dataclass

__all__ = ["CHANGED", "FAILED", "LEFT_OUT", "NOISE", "NOT_APPLICABLE", "RANDOM", "UNCHANGED", "Finding"]

UNCHANGED, CHANGED, FAILED, RANDOM = "unchanged", "changed", "failed", "random"
NOISE, LEFT_OUT, NOT_APPLICABLE = "within its own noise", "left out: time", "not applicable"


@dataclass(frozen=True)
class Finding:
    """What a check has found.

    Parameters
    ----------
    verdict : str
    bits, largest : float
        Mean over truths of the Jensen-Shannon divergence; the largest difference of a probability. NaN where
        nothing was compared.
    note : str
    sentence : str
        What it says in a paragraph, where the verdict alone does not.
    ignored : tuple of int
        Positions of ignored columns, from 1.
    """

    verdict: str
    bits: float = float("nan")
    largest: float = float("nan")
    note: str = ""
    sentence: str = ""
    ignored: tuple[int, ...] = ()
