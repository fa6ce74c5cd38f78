"""A classification graph as flat arrays: a tree in which several branches may lead to the same node."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from learners.tables.attributes import CodedTable, Schema
from learners.trees._kernels.graph import forecast_graph
from learners.trees.nodes.forecast import TreeForecast, asked_nodes, share_of_parent
from learners.trees.nodes.node_table import LEAF

__all__ = ["JUMP", "NodeGraph"]

#: Kind of a node that only leads to another, which follows a join.
JUMP = 3


@dataclass(frozen=True, eq=False)
class NodeGraph:
    """The nodes of a graph (a `NodeTable` with joins): the root first, every node before its children."""

    kind: NDArray[np.int8]  # also `JUMP`: the end of a branch that joins others
    attribute: NDArray[np.int32]
    threshold: NDArray[np.float64]
    first_child: NDArray[np.int32]  # the one child of a jump is where the join leads
    n_children: NDArray[np.int32]
    class_weight: NDArray[np.float64]
    label: NDArray[np.int32]
    saved: NDArray[np.float64]  # bits that each test saves with leaves as its branches; 0 elsewhere
    # at a node after a join: bits saved by encoding its rows as one leaf instead of one per branch, before
    # the cost of the join; 0 elsewhere
    merged: NDArray[np.float64]

    @property
    def n_nodes(self) -> int:
        """Number of tests and leaves, without jumps, which are edges of the drawing."""
        return int(np.count_nonzero(self.kind != JUMP))

    @property
    def n_leaves(self) -> int:
        """Number of leaves, empty ones among them."""
        return int(np.count_nonzero(self.kind == LEAF))

    @property
    def joins(self) -> NDArray[np.int64]:
        """The nodes where branches join, in ascending order."""
        return np.unique(self.first_child[self.kind == JUMP]).astype(np.int64)

    @cached_property
    def weight(self) -> NDArray[np.float64]:
        """Weight of the training rows that reach each node, of shape (all nodes,)."""
        return self.class_weight.sum(axis=1)

    @cached_property
    def parent(self) -> NDArray[np.int32]:
        """A parent of each node: a test, or one of the jumps, or -1 for the root, of shape (all nodes,)."""
        out = np.full(self.kind.size, -1, np.int32)
        for node in np.flatnonzero(self.n_children).tolist():
            out[self.children(node)] = node
        return out

    def children(self, node: int) -> range:
        """Return the children of a node, by branch."""
        return range(self.first_child[node], self.first_child[node] + self.n_children[node])

    def forecast(self, of_leaf: NDArray[np.float64], schema: Schema, coded: CodedTable) -> TreeForecast:
        """Send rows down the graph. A missing value sends them down every branch, by its share of rows."""
        shape = (coded.n_samples, of_leaf.shape[1])
        out = TreeForecast(np.empty(shape), np.empty(coded.n_samples, dtype=bool))
        nodes, share = asked_nodes(self, schema), share_of_parent(self.weight, self.parent)
        forecast_graph(nodes, self.threshold, share, coded.codes, coded.values, of_leaf, *out)
        return out
