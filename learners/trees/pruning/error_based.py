"""Prune a tree by its expected errors: Quinlan's pessimistic pruning, and collapsing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from learners.trees._kernels.expected import PrunedNodes, added_errors
from learners.trees._kernels.pruning import prune_nodes
from learners.trees._kernels.rows import sort_by_leaf
from learners.trees.growing.training_rows import TreeRows
from learners.trees.nodes.node_table import CUT, LEAF, NodeTable

__all__ = [
    "ErrorBound",
    "begin_pruning",
    "c45_bound",
    "collapsed",
    "cut_codes",
    "finished_pruning",
    "prune_tree",
    "weka_bound",
]

#: Confidences and C4.5's normal deviates for them, interpolated linearly.
CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
DEVIATES = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)
# A subtree that saves no more training errors than this is collapsed.
LEAST_SAVING = 1e-3


@dataclass(frozen=True)
class ErrorBound:
    """The upper bound on a leaf's errors that a program uses as its expected errors on new rows."""

    confidence: float  # probability of fewer errors than were made, were the bound true; smaller prunes more
    deviate: float  # normal deviate of that confidence
    tail: float  # share of the correct rows that is added where nearly all rows are wrong

    @property
    def terms(self) -> tuple[float, float, float]:
        """The arguments of the kernels."""
        return self.confidence, self.deviate, self.tail

    def added(self, weight: ArrayLike, errors: ArrayLike) -> NDArray[np.float64]:
        """Return the errors to add to the training errors of leaves."""
        weights, wrong = np.broadcast_arrays(np.asarray(weight, np.float64), np.asarray(errors, np.float64))
        out = [
            added_errors(w, e, *self.terms) if w > 0 else 0.0
            for w, e in zip(weights.ravel().tolist(), wrong.ravel().tolist(), strict=True)
        ]
        return np.array(out).reshape(weights.shape)


def c45_bound(confidence: float) -> ErrorBound:
    """Return the bound of C4.5, release 8."""
    return ErrorBound(confidence, float(np.interp(confidence, CONFIDENCES, DEVIATES)), 0.67)


def weka_bound(confidence: float) -> ErrorBound:
    """Return the bound of Weka's J48."""
    return ErrorBound(confidence, NormalDist().inv_cdf(1.0 - confidence), 1.0)


def collapsed(tree: NodeTable) -> NodeTable:
    """Turn every node whose subtree saves no training errors into a leaf."""
    saves_nothing = ~tree.is_leaf & (tree.sums_below(tree.wrong) >= tree.wrong - LEAST_SAVING)
    small = tree.pruned(saves_nothing) if saves_nothing.any() else tree
    return replace(small, errors=small.sums_below(small.wrong))


def prune_tree(tree: NodeTable, rows: TreeRows, bound: ErrorBound, *, raising: bool = True) -> NodeTable:
    """Prune a tree from its leaves up by its expected errors."""
    # Quinlan, "C4.5: Programs for Machine Learning", Morgan Kaufmann 1993, chapter 4. A node becomes a leaf
    # if that has at most 0.1 expected errors more than its branches and, with `raising`, than its largest
    # branch given all rows of the node; otherwise that branch, if it has at most 0.1 more than the branches.
    ordered, nodes = begin_pruning(tree, rows)
    table = ordered.codes, ordered.sizes, ordered.is_number, ordered.y
    prune_nodes(table, ordered.weight, nodes, bound.terms, raising)
    return finished_pruning(nodes, tree.kind, tree.threshold)


def begin_pruning(tree: NodeTable, rows: TreeRows) -> tuple[TreeRows, PrunedNodes]:
    """Prepare a tree for a kernel that prunes it."""
    rank = np.empty(tree.n_nodes, np.int64)
    rank[tree.depth_first()] = np.arange(tree.n_nodes)
    cut = cut_codes(tree, rows)
    test = rows.sizes, rows.is_number, tree.attribute, cut, tree.first_child
    order = sort_by_leaf(rows.codes, *test, rank)
    nodes = PrunedNodes(
        tree.attribute.copy(),
        cut,
        tree.first_child.copy(),
        tree.n_children.copy(),
        tree.class_weight.copy(),
        tree.label.copy(),
        errors=np.zeros(tree.n_nodes),
        source=np.where(tree.is_leaf, -1, np.arange(tree.n_nodes)),
    )
    return rows._replace(codes=rows.codes[order], y=rows.y[order], weight=rows.weight[order]), nodes


def finished_pruning(nodes: PrunedNodes, kind: NDArray[np.int8], threshold: NDArray[np.float64]) -> NodeTable:
    """Make a tree of the nodes that a kernel pruned."""
    is_leaf = nodes.source < 0
    return NodeTable(
        np.where(is_leaf, LEAF, kind[nodes.source]).astype(np.int8),
        nodes.attribute,
        np.where(is_leaf, np.nan, threshold[nodes.source]),
        nodes.first_child,
        nodes.n_children,
        nodes.class_weight,
        nodes.label,
        nodes.errors,
    ).compacted()


def cut_codes(tree: NodeTable, rows: TreeRows) -> NDArray[np.int64]:
    """Return the largest code of the low side of each cut."""
    cut = np.zeros(tree.n_nodes, np.int64)
    for a in np.unique(tree.attribute[tree.kind == CUT]):
        here = tree.attribute == a
        numbers = rows.values[rows.value_start[a] : rows.value_start[a + 1]]
        cut[here] = np.searchsorted(numbers, tree.threshold[here], side="right") - 1
    return cut
