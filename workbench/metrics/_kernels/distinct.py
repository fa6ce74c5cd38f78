"""Distinct forecasts of two sorted lists."""

import numpy as np
from numpy.typing import NDArray

from learners.compiled import kernel

__all__ = ["merge_distinct"]


@kernel
def merge_distinct(
    of_hits: NDArray[np.float64], of_misses: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Merge the ascending forecasts of hits and of misses into distinct values, their bets and their hits."""
    most = of_hits.size + of_misses.size
    values, n, hits = np.empty(most), np.empty(most, np.int64), np.empty(most, np.int64)
    i = j = found = 0
    while i < of_hits.size or j < of_misses.size:
        if j == of_misses.size or (i < of_hits.size and of_hits[i] <= of_misses[j]):
            value = of_hits[i]
        else:
            value = of_misses[j]
        first_hit, first_miss = i, j
        while i < of_hits.size and of_hits[i] == value:
            i += 1
        while j < of_misses.size and of_misses[j] == value:
            j += 1
        values[found] = value
        hits[found] = i - first_hit
        n[found] = i - first_hit + j - first_miss
        found += 1
    return values[:found], n[:found], hits[:found]
