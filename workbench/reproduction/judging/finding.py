"""The verdict on a cell, by the position of the published value among draws of our statistic."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.comparisons import LEVEL

__all__ = [
    "AGREE",
    "Cell",
    "DIFFER",
    "Judgement",
    "JUDGED",
    "NEAR",
    "UNKNOWN",
    "certain",
    "tail_shares",
    "verdict_of",
]

Array = NDArray[np.float64]

AGREE, NEAR, DIFFER, UNKNOWN = "agree", "near", "differ", "unknown"
#: Of a cell that could be judged.
JUDGED = (AGREE, NEAR, DIFFER)
# Numbers this close, relative to the larger, are equal.
ROUNDING = 1e-12


def tail_shares(draws: Array, low: Array, high: Array) -> Array:
    """Return twice the smaller share of draws at or beyond the nearest end of the published value's range."""
    n = np.isfinite(draws).sum(axis=0)
    near = ROUNDING * np.maximum(1.0, np.abs(draws))
    with np.errstate(invalid="ignore"):
        above = (draws > low + near).sum(axis=0) + 0.5 * (np.abs(draws - low) <= near).sum(axis=0)
        below = (draws < high - near).sum(axis=0) + 0.5 * (np.abs(draws - high) <= near).sum(axis=0)
    return np.minimum(1.0, 2 * np.minimum(above, below) / np.maximum(n, 1))


def verdict_of(tail: float, distance: float = math.inf, near: float = 0.0) -> str:
    """Return "agree" if the tail share is at least 5%, else "near" below a distance, else "differ"."""
    if tail >= LEVEL:
        return AGREE
    # A difference of the threshold itself is not below it, however it is rounded.
    return NEAR if distance < near - ROUNDING else DIFFER


#: A row of `PrintedTable.cells`.
Cell = dict[Any, Any]


@dataclass(frozen=True)
class Judgement:
    """The verdict on a cell and its basis."""

    ours: float = float("nan")  # our statistic
    sd: float = float("nan")  # of the draws
    tail: float = float("nan")  # two-sided share of the draws that are as far out as the published value
    verdict: str = UNKNOWN  # agree, near, differ or unknown
    why: str = ""  # the reason if it is unknown
    n: int = 0  # number of our units
    by_chance: float = 0.0  # probability of "near" or "differ" for a perfect reproduction
    mean_difference: float = float("nan")  # for tests: ours, larger meaning better


def certain(cell: Cell, ours: float, *, n: int, near: float = 0.0) -> Judgement:
    """Judge a cell if ours has no spread: it agrees if it rounds to the published value."""
    equal = ROUNDING * max(1.0, abs(ours))
    tail = float(cell["low"] - equal <= ours <= cell["high"] + equal)
    return Judgement(ours, 0.0, tail, verdict_of(tail, abs(ours - cell["printed"]), near), n=n)
