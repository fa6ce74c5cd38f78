"""What is found of a printed cell."""

from dataclasses import dataclass
from typing import Any

from workbench.reproduction.tails import UNKNOWN, verdict_of

__all__ = ["Cell", "Finding", "certain"]

#: A row of `PrintedTable.cells`.
Cell = dict[Any, Any]

# Numbers this near to each other, relative to the larger, are equal.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Finding:
    """What is found of a printed cell.

    Parameters
    ----------
    ours, sd : float
        Our statistic, and the standard deviation of the draws.
    tail : float
        Two-sided share of the draws that are as far out as the print.
    verdict : {"agree", "differ", "unknown"}
    why : str
        Why it is unknown.
    n : int
        How many units of ours there are.
    by_chance : float
        How likely "differ" is though all is re-created.
    mean_difference : float
        Of a test: our mean difference, larger meaning better; else NaN.
    """

    ours: float = float("nan")
    sd: float = float("nan")
    tail: float = float("nan")
    verdict: str = UNKNOWN
    why: str = ""
    n: int = 0
    by_chance: float = 0.0
    mean_difference: float = float("nan")


def certain(cell: Cell, ours: float, *, n: int) -> Finding:
    """Judge a cell of which ours has no spread: by whether just this number is printed so."""
    near = ROUNDING * max(1.0, abs(ours))
    tail = float(cell["low"] - near <= ours <= cell["high"] + near)
    return Finding(ours, 0.0, tail, verdict_of(tail), n=n)
