"""Where a print lies among draws, as a two-sided share of them."""

import numpy as np
from numpy.typing import NDArray

from workbench.comparisons import LEVEL

__all__ = ["AGREE", "DIFFER", "UNKNOWN", "tail_shares", "verdict_of"]

Array = NDArray[np.float64]

AGREE, DIFFER, UNKNOWN = "agree", "differ", "unknown"
# Ends of an interval that are this near to a draw, relative to it, are equal to it.
ROUNDING = 1e-12


def tail_shares(draws: Array, low: Array, high: Array) -> Array:
    """Return twice the smaller share of draws at or beyond the nearest end of what is printed so."""
    n = np.isfinite(draws).sum(axis=0)
    near = ROUNDING * np.maximum(1.0, np.abs(draws))
    with np.errstate(invalid="ignore"):
        above = (draws > low + near).sum(axis=0) + 0.5 * (np.abs(draws - low) <= near).sum(axis=0)
        below = (draws < high - near).sum(axis=0) + 0.5 * (np.abs(draws - high) <= near).sum(axis=0)
    return np.minimum(1.0, 2 * np.minimum(above, below) / np.maximum(n, 1))


def verdict_of(tail: float) -> str:
    """Say "agree" where the tail share is at least 5%, else "differ"."""
    return AGREE if tail >= LEVEL else DIFFER
