"""A classification tree as flat arrays, the common form of all tree learners."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from learners.trees._kernels.order import breadth_first, depth_first, depths_below, parents_of, sums_below

__all__ = ["CUT", "LEAF", "VALUES", "NodeTable", "Nodes", "Step"]

#: Kinds of nodes: no test, a branch for each value, low and high side of a cut.
LEAF, VALUES, CUT = 0, 1, 2


class Step(NamedTuple):
    """One step down a path: a node and its branch (a code, or 0 below and 1 above a cut)."""

    node: int
    branch: int


class Nodes(Protocol):
    """The common fields of the nodes of trees and graphs, as in `NodeTable`."""

    @property
    def kind(self) -> NDArray[np.int8]:
        """Kinds of the nodes (see `NodeTable`)."""

    @property
    def attribute(self) -> NDArray[np.int32]:
        """Columns that are tested (see `NodeTable`)."""

    @property
    def threshold(self) -> NDArray[np.float64]:
        """Largest numbers of branch 0 (see `NodeTable`)."""

    @property
    def first_child(self) -> NDArray[np.int32]:
        """First children (see `NodeTable`)."""

    @property
    def n_children(self) -> NDArray[np.int32]:
        """Numbers of children (see `NodeTable`)."""

    @property
    def class_weight(self) -> NDArray[np.float64]:
        """Weights of the training rows by class (see `NodeTable`)."""

    @property
    def label(self) -> NDArray[np.int32]:
        """Classes (see `NodeTable`)."""

    def children(self, node: int) -> range:
        """Return the children of a node, by branch."""


@dataclass(frozen=True, eq=False)
class NodeTable:
    """The nodes of a tree: the root first, every node before its children, those of a node together."""

    # `LEAF`, `VALUES` (branch v takes the rows with code v) or `CUT` (branch 0 takes the numbers up to the
    # threshold, branch 1 those above)
    kind: NDArray[np.int8]
    attribute: NDArray[np.int32]  # column that is tested; -1 in a leaf
    threshold: NDArray[np.float64]  # largest number of branch 0; NaN where no number is tested
    first_child: NDArray[np.int32]  # of the `n_children`, in the order of the branches; -1 in a leaf
    n_children: NDArray[np.int32]
    class_weight: NDArray[np.float64]  # (n_nodes, n_classes): weight of the training rows
    label: NDArray[np.int32]  # the class with the largest weight; without rows, that of the parent
    errors: NDArray[np.float64]  # of the subtree, as its learner counts them: on training rows, or expected

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves and empty leaves among them: the size that C4.5 and J48 print."""
        return self.kind.size

    @property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Whether each node is a leaf, of shape (n_nodes,)."""
        return self.kind == LEAF

    @property
    def n_leaves(self) -> int:
        """Number of leaves, empty ones among them."""
        return int(np.count_nonzero(self.is_leaf))

    @cached_property
    def weight(self) -> NDArray[np.float64]:
        """Weight of the training rows that reach each node, of shape (n_nodes,)."""
        return self.class_weight.sum(axis=1)

    @cached_property
    def wrong(self) -> NDArray[np.float64]:
        """Weight of the rows of each node that are of another class than its label, of shape (n_nodes,)."""
        right = self.class_weight[np.arange(self.n_nodes), self.label]
        return np.maximum(self.weight - right, 0.0)

    @cached_property
    def parent(self) -> NDArray[np.int32]:
        """Parent of each node, -1 of the root, of shape (n_nodes,)."""
        return parents_of(self.first_child, self.n_children)

    @cached_property
    def depths(self) -> NDArray[np.int32]:
        """Number of tests above each node, of shape (n_nodes,)."""
        return depths_below(self.parent)

    @property
    def depth(self) -> int:
        """Number of tests on the longest path."""
        return int(self.depths.max())

    def depth_first(self) -> NDArray[np.int64]:
        """Return nodes in depth-first order: a branch with its subtree, then the next."""
        return depth_first(self.first_child, self.n_children)

    def leaves(self) -> NDArray[np.int64]:
        """Return the leaves in that order."""
        order = self.depth_first()
        return order[self.is_leaf[order]]

    def children(self, node: int) -> range:
        """Return the children of a node, by branch."""
        return range(self.first_child[node], self.first_child[node] + self.n_children[node])

    def path(self, node: int) -> tuple[Step, ...]:
        """Return the steps from the root to a node."""
        steps = []
        while node > 0:
            above = int(self.parent[node])
            steps.append(Step(above, int(node - self.first_child[above])))
            node = above
        return tuple(reversed(steps))

    def paths(self) -> Iterator[tuple[int, tuple[Step, ...]]]:
        """Yield each leaf with the steps that lead to it, in the order of `leaves`."""
        for leaf in self.leaves().tolist():
            yield leaf, self.path(leaf)

    def sums_below(self, of_leaf: ArrayLike) -> NDArray[np.float64]:
        """Add a value of each leaf up to all nodes above it."""
        values = np.where(self.is_leaf, np.asarray(of_leaf, dtype=np.float64), 0.0)
        return sums_below(self.parent, values)

    def in_class_order(self, order: NDArray[np.intp]) -> NodeTable:
        """Renumber the classes."""
        class_weight = np.empty_like(self.class_weight)
        class_weight[:, order] = self.class_weight
        return replace(self, class_weight=class_weight, label=order[self.label].astype(np.int32))

    def pruned(self, nodes: ArrayLike) -> NodeTable:
        """Make leaves of some nodes and drop what is below them."""
        kind, attribute, threshold = self.kind.copy(), self.attribute.copy(), self.threshold.copy()
        first_child, n_children, errors = self.first_child.copy(), self.n_children.copy(), self.errors.copy()
        chosen = np.asarray(nodes)
        kind[chosen], attribute[chosen], threshold[chosen] = LEAF, -1, np.nan
        first_child[chosen], n_children[chosen], errors[chosen] = -1, 0, self.wrong[chosen]
        return replace(
            self,
            kind=kind,
            attribute=attribute,
            threshold=threshold,
            first_child=first_child,
            n_children=n_children,
            errors=errors,
        ).compacted()

    def compacted(self, root: int = 0) -> NodeTable:
        """Keep the subtree of a node, renumbered level by level, and drop unreachable nodes."""
        order, first_child = breadth_first(self.first_child, self.n_children, root)
        return NodeTable(
            self.kind[order],
            self.attribute[order],
            self.threshold[order],
            first_child,
            self.n_children[order],
            self.class_weight[order],
            self.label[order],
            self.errors[order],
        )
