"""Walks over the trees that a classification graph is cut into."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["below_any", "has_below", "sums_of_subtrees"]


@njit(cache=True, nogil=True)
def below_any(parent: NDArray[np.int32], marked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which nodes are below a marked one, itself left out; parents come before their children."""
    out = np.zeros(parent.size, np.bool_)
    for node in range(1, parent.size):
        out[node] = out[parent[node]] or marked[parent[node]]
    return out


@njit(cache=True, nogil=True)
def has_below(parent: NDArray[np.int32], marked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which nodes are marked or have a marked one below."""
    out = marked.copy()
    for node in range(parent.size - 1, 0, -1):
        if out[node]:
            out[parent[node]] = True
    return out


@njit(cache=True, nogil=True)
def sums_of_subtrees(parent: NDArray[np.int32], own: NDArray[np.float64]) -> NDArray[np.float64]:
    """Add what each node has to what all nodes below it have."""
    out = own.copy()
    for node in range(parent.size - 1, 0, -1):
        out[parent[node]] += out[node]
    return out
