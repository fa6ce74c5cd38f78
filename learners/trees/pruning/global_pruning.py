"""C5.0's second pruning: the subtrees that save least for their leaves go, while one standard error lasts."""

import math

import numpy as np
from numpy.typing import NDArray

from learners.trees.nodes.node_table import NodeTable

__all__ = ["prune_globally"]

LEAST_LEAF = 1e-3  # a leaf of less weight does not count as one
LEAST_NODE = 0.1  # nor is a subtree of less weight looked at


def prune_globally(tree: NodeTable, *, errors: float, n_samples: float) -> NodeTable:
    """Make leaves of the subtrees with the least extra errors for each leaf saved.

    Notes
    -----
    All subtrees with the same least cost go together, or none of them does and the pruning ends. One round
    costs O(nodes); with rows of weight 1 there are about sqrt(n_samples) rounds at most.
    """
    allowance = math.sqrt(max(errors * (1.0 - errors / n_samples), 0.0))
    while allowance > 0:
        extra, cost = _costs(tree, allowance)
        least = cost.min()
        if least == np.inf:
            break
        cheapest = _topmost(tree, cost <= least)
        spent = float(extra[cheapest].sum())
        if spent > allowance:
            break
        tree = tree.pruned(cheapest)
        allowance -= spent
    return tree


def _costs(tree: NodeTable, allowance: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the extra errors of each node as a leaf, and these for each leaf saved; infinity if too many."""
    wrong, leaves = tree.wrong, tree.sums_below(tree.weight > LEAST_LEAF)
    extra = wrong - tree.sums_below(np.where(tree.weight > LEAST_LEAF, wrong, 0.0))
    candidate = ~tree.is_leaf & (extra <= allowance) & (leaves > 1) & (tree.weight > LEAST_NODE)
    cost = np.full(tree.n_nodes, np.inf)
    np.divide(extra, leaves - 1, out=cost, where=candidate)
    return extra, cost.round(12)  # parts of rows do not add up exactly


def _topmost(tree: NodeTable, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Drop the nodes that have a chosen one above them."""
    above = np.zeros(tree.n_nodes, dtype=bool)
    for level in range(1, tree.depth + 1):
        here = tree.depths == level
        of_parent = tree.parent[here]
        above[here] = above[of_parent] | chosen[of_parent]
    return chosen & ~above
