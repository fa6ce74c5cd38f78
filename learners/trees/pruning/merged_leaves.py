"""C5.0's last step: leaves below one test that say the same are one leaf for several values."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learners.trees.nodes.node_table import VALUES, NodeTable
from learners.trees.pruning.local_pruning import LEAST_LEAF

__all__ = ["MergedLeaves"]

FEWEST = 3  # values of a test whose leaves are merged


@dataclass(frozen=True, eq=False)
class MergedLeaves:
    """Which leaves are one.

    Attributes
    ----------
    first : ndarray of int64, shape (n_nodes,)
        For each node the first of those that are one with it: itself, but for merged leaves.
    class_weight : ndarray of float64, shape (n_nodes, n_classes)
        Weight of the training rows of all of them.
    """

    first: NDArray[np.int64]
    class_weight: NDArray[np.float64]

    @classmethod
    def of(cls, tree: NodeTable, *, empty_only: bool) -> "MergedLeaves":
        """Find the leaves that are one."""
        empty = tree.weight < LEAST_LEAF
        of_values = (tree.kind[tree.parent] == VALUES) & (tree.n_children[tree.parent] >= FEWEST)
        may = tree.is_leaf & (tree.parent >= 0) & of_values & (empty | (not empty_only))
        key = np.stack([tree.parent, np.where(empty_only, 0, tree.label), empty], axis=1)[may]
        nodes, first = np.flatnonzero(may), np.arange(tree.n_nodes)
        if nodes.size:
            _, place, inverse = np.unique(key, axis=0, return_index=True, return_inverse=True)
            first[nodes] = nodes[place[inverse.ravel()]]
        total = np.zeros_like(tree.class_weight)
        np.add.at(total, first, tree.class_weight)
        return cls(first, total[first])
