"""What each rule of an ordered list is worth, given the rules behind it."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["weigh_rules"]


@njit(cache=True, nogil=True)
def weigh_rules(
    row_starts: NDArray[np.int64],
    row_rules: NDArray[np.int32],
    stays: NDArray[np.bool_],
    conclusions: NDArray[np.int64],
    default: int,
    y: NDArray[np.int32],
    weight: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Weigh, for each rule, the rows that it takes first, and what becomes of them.

    `out` gets the weight of all of them, of those that the rule gets wrong, of those that it gets right and
    the rest of the list would not, and of the reverse. Row i meets the rules row_rules[row_starts[i] :
    row_starts[i + 1]], in the order of the list.
    """
    out[:] = 0.0
    for i in range(y.size):
        first, second = -1, default
        for j in range(row_starts[i], row_starts[i + 1]):
            r = row_rules[j]
            if not stays[r]:
                continue
            if first >= 0:
                second = conclusions[r]
                break
            first = r
        if first < 0:
            continue
        own = conclusions[first]
        out[first, 0] += weight[i]
        out[first, 1] += weight[i] * (own != y[i])
        out[first, 2] += weight[i] * (own != second and own == y[i])
        out[first, 3] += weight[i] * (own != second and second == y[i])
