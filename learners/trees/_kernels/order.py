"""Traversals of a tree's arrays, without recursion."""

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel

__all__ = ["breadth_first", "depth_first", "depths_below", "parents_of", "sums_below"]


@kernel
def breadth_first(
    first_child: NDArray[np.int32], n_children: NDArray[np.int32], root: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return `root` and the nodes below it, level by level, and where the children of each begin."""
    order = np.empty(first_child.size, np.int64)
    moved = np.full(first_child.size, -1, np.int32)
    order[0] = root
    found = 1
    done = 0
    while done < found:
        node = order[done]
        if n_children[node]:
            moved[done] = found
        for child in range(first_child[node], first_child[node] + n_children[node]):
            order[found] = child
            found += 1
        done += 1
    return order[:found].copy(), moved[:found].copy()


@kernel
def depth_first(first_child: NDArray[np.int32], n_children: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return all nodes, each before its children and each subtree before the next one."""
    order = np.empty(first_child.size, np.int64)
    stack = np.empty(first_child.size, np.int64)
    stack[0] = 0
    waiting = 1
    found = 0
    while waiting:
        waiting -= 1
        node = stack[waiting]
        order[found] = node
        found += 1
        for branch in range(n_children[node] - 1, -1, -1):
            stack[waiting] = first_child[node] + branch
            waiting += 1
    return order[:found].copy()


@kernel
def parents_of(first_child: NDArray[np.int32], n_children: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the parent of each node, -1 of the root."""
    out = np.full(first_child.size, -1, np.int32)
    for node in range(first_child.size):
        for child in range(first_child[node], first_child[node] + n_children[node]):
            out[child] = node
    return out


@kernel
def depths_below(parent: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the number of tests above each node. Parents come before their children."""
    out = np.zeros(parent.size, np.int32)
    for node in range(1, parent.size):
        out[node] = out[parent[node]] + 1
    return out


@kernel
def sums_below(parent: NDArray[np.int32], of_leaf: NDArray[np.float64]) -> NDArray[np.float64]:
    """Add the values of the leaves up to the root. `of_leaf` is zero elsewhere."""
    out = of_leaf.copy()
    for node in range(parent.size - 1, 0, -1):
        out[parent[node]] += out[node]
    return out
