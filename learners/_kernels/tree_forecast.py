"""Forecasts of a tree; a row that misses a value takes all branches by weight."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from learners._kernels.tree_descent import MISSING, descend

__all__ = ["forecast_rows"]


@njit(cache=True, nogil=True)
def forecast_rows(
    node_table: NDArray[np.int32],
    threshold: NDArray[np.float64],
    share: NDArray[np.float64],
    codes: NDArray[Any],
    values: NDArray[np.float64],
    of_leaf: NDArray[np.float64],
    out: NDArray[np.float64],
    met_missing: NDArray[np.bool_],
) -> None:
    """Fill the forecast of each row, and whether a value that was asked for is missing.

    `node_table` is that of `descend`, `share` the part of the training rows of its parent that a node has.
    1,000,000 rows, 3,500 nodes over 16 numbers: 0.3 s; 700,000 nodes over 30 codes: 0.5 s.
    """
    node_stack = np.empty(share.size + 1, np.int64)
    weight_stack = np.empty(share.size + 1)
    for i in range(out.shape[0]):
        node, branch = descend(node_table, threshold, codes, values, 0, i)
        met_missing[i] = branch == MISSING
        if branch != MISSING:
            out[i] = of_leaf[node]
            continue
        out[i] = 0.0
        node_stack[0] = node
        weight_stack[0] = 1.0
        waiting = 1
        while waiting:
            waiting -= 1
            weight = weight_stack[waiting]
            node, branch = descend(node_table, threshold, codes, values, node_stack[waiting], i)
            if branch != MISSING:
                out[i] += weight * of_leaf[node]
                continue
            first = node_table[node, 2]
            for child in range(first + node_table[node, 3] - 1, first - 1, -1):
                if share[child] > 0.0:
                    node_stack[waiting] = child
                    weight_stack[waiting] = weight * share[child]
                    waiting += 1
