"""Kernels that read arrays of integer codes into the layout of the learners."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True, nogil=True)
def code_ranges(X: NDArray[Any]) -> tuple[np.int64, NDArray[np.int64]]:
    """Find the lowest code of all (at most 0), and the highest of each column (at least -1)."""
    n_samples, n_features = X.shape
    highest = np.full(n_features, -1, np.int64)
    lowest = np.int64(0)
    for i in range(n_samples):
        for j in range(n_features):
            code = np.int64(X[i, j])
            lowest = min(lowest, code)
            highest[j] = max(highest[j], code)
    return lowest, highest


@njit(cache=True, nogil=True)
def transpose_codes(
    X: NDArray[Any], arities: NDArray[np.int64], out: NDArray[Any]
) -> tuple[np.int64, np.int64, np.int64]:
    """Copy (n_samples, n_features) codes to (n_features, n_samples); past the arity is missing.

    Returns the lowest code, the highest, and how many are past their arity.
    1000 x 7 of int64: 4 us, against 25 us for numpy's minimum, maximum, comparison and copy.
    """
    n_samples, n_features = X.shape
    lowest = np.int64(0)
    highest = np.int64(-1)
    past = np.int64(0)
    for i in range(n_samples):
        for j in range(n_features):
            code = np.int64(X[i, j])
            lowest = min(lowest, code)
            highest = max(highest, code)
            past += code >= arities[j]
            out[j, i] = code if 0 <= code < arities[j] else arities[j]
    return lowest, highest, past
