"""The way of a row down a tree or graph."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["LEAF", "MISSING", "branch_taken", "descend"]

LEAF, VALUES, CUT = 0, 1, 2  # as in learners.trees.node_table; of another kind is a node that only leads on
MISSING = -1


@njit(cache=True, nogil=True)
def descend(
    node_table: NDArray[np.int32],
    threshold: NDArray[np.float64],
    codes: NDArray[Any],
    values: NDArray[np.float64],
    node: Any,
    i: int,
) -> tuple[Any, Any]:
    """Go down from a node to a leaf, or to where a value is missing: the second number tells.

    A row of `node_table` is kind, row of `codes` or `values` to ask, first child, and number of children: all
    in one place, since most of the time goes into fetching nodes.
    """
    node = np.int64(node)
    branch = np.int64(0)
    while True:
        kind = node_table[node, 0]
        if kind == LEAF:
            return node, branch
        place = node_table[node, 1]
        if kind == VALUES:
            branch = np.int64(codes[place, i])
            if branch >= node_table[node, 3]:
                return node, MISSING
        elif kind == CUT:
            x = values[place, i]
            if np.isnan(x):
                return node, MISSING
            branch = np.int64(x > threshold[node])
        else:
            branch = np.int64(0)
        node = np.int64(node_table[node, 2]) + branch


@njit(cache=True, nogil=True)
def branch_taken(
    node_table: NDArray[np.int32],
    threshold: NDArray[np.float64],
    codes: NDArray[Any],
    values: NDArray[np.float64],
    node: int,
    i: int,
) -> Any:
    """Return the branch of a node that a row takes, or that its value is missing.

    A single step; `descend` has the same in its loop, since calls of this one make it 5 times as slow.
    """
    kind, place = node_table[node, 0], node_table[node, 1]
    if kind == VALUES:
        code = np.int64(codes[place, i])
        return code if code < node_table[node, 3] else np.int64(MISSING)
    if kind == CUT:
        x = values[place, i]
        return np.int64(MISSING) if np.isnan(x) else np.int64(x > threshold[node])
    return np.int64(0)
