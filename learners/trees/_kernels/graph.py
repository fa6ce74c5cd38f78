"""Classification graphs: savings by merging the rows of two nodes, and forecasts."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.trees._kernels.forecast import LEAF, MISSING, branch_taken, descend
from learners.trees._kernels.leaf_code import class_bits, sum_bits

__all__ = ["forecast_graph", "merging_saves", "below_any", "has_below", "sums_of_subtrees"]


@kernel
def merging_saves(
    one: NDArray[np.float64],
    others: NDArray[np.float64],
    alpha: float,
    spread: float,
    of_class: NDArray[np.float64],
    of_sum: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Fill in the bits saved by encoding the classes of one node and each of the others as a single leaf."""
    # `one` has shape (n_classes,), `others` (n_others, n_classes); negative where the nodes differ
    k = one.size
    n_one = one.sum()
    of_one = np.empty(k)
    for c in range(k):
        of_one[c] = class_bits(one[c], alpha, of_class)
    base = sum_bits(n_one, spread, of_sum)
    for j in range(others.shape[0]):
        n = 0.0
        bits = 0.0
        for c in range(k):
            x = others[j, c]
            n += x
            if x > 0.0 and one[c] > 0.0:
                separate = of_one[c] + class_bits(x, alpha, of_class)
                bits += separate - class_bits(one[c] + x, alpha, of_class)
        out[j] = bits + base + sum_bits(n, spread, of_sum) - sum_bits(n_one + n, spread, of_sum)


@kernel
def forecast_graph(
    node_table: NDArray[np.int32],
    threshold: NDArray[np.float64],
    share: NDArray[np.float64],
    codes: NDArray[Any],
    values: NDArray[np.float64],
    of_leaf: NDArray[np.float64],
    out: NDArray[np.float64],
    met_missing: NDArray[np.bool_],
) -> None:
    """Fill in the forecast of each row, and whether a tested value is missing."""
    # `share` is the fraction of the training rows of the test above that reach a node. Nodes precede all that
    # they lead to: a row with missing values needs one sweep, however many paths lead to a leaf.
    n_nodes = share.size
    arrived = np.zeros(n_nodes)
    for i in range(out.shape[0]):
        node, branch = descend(node_table, threshold, codes, values, 0, i)
        met_missing[i] = branch == MISSING
        if branch != MISSING:
            out[i] = of_leaf[node]
            continue
        out[i] = 0.0
        arrived[node] = 1.0
        for at in range(node, n_nodes):
            weight = arrived[at]
            if weight == 0.0:
                continue
            arrived[at] = 0.0
            if node_table[at, 0] == LEAF:
                out[i] += weight * of_leaf[at]
                continue
            branch = branch_taken(node_table, threshold, codes, values, at, i)
            first = node_table[at, 2]
            if branch != MISSING:
                arrived[first + branch] += weight
                continue
            for child in range(first, first + node_table[at, 3]):
                arrived[child] += weight * share[child]


@kernel
def below_any(parent: NDArray[np.int32], marked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which nodes are strictly below a marked one. Parents precede their children."""
    out = np.zeros(parent.size, np.bool_)
    for node in range(1, parent.size):
        out[node] = out[parent[node]] or marked[parent[node]]
    return out


@kernel
def has_below(parent: NDArray[np.int32], marked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which nodes are marked or have a marked one below."""
    out = marked.copy()
    for node in range(parent.size - 1, 0, -1):
        if out[node]:
            out[parent[node]] = True
    return out


@kernel
def sums_of_subtrees(parent: NDArray[np.int32], own: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum a value over each node and all nodes below it."""
    out = own.copy()
    for node in range(parent.size - 1, 0, -1):
        out[parent[node]] += out[node]
    return out
