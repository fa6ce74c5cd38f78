"""C5.0's pruning: node by node while the tree grows, then the whole tree, then leaves of the same class."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.trees._kernels.expected import PrunedNodes
from learners.trees._kernels.frames import FRAME, NODE
from learners.trees._kernels.local_pruning import PruningState, begin_state, prune_until_regrown
from learners.trees.growing.growth import ChosenTests, OpenNodes, Search, grow_tree
from learners.trees.growing.training_rows import TreeRows
from learners.trees.nodes.node_table import VALUES, NodeTable
from learners.trees.pruning.error_based import ErrorBound, begin_pruning, cut_codes, finished_pruning

__all__ = ["LEAST_LEAF", "grow_collapsed", "prune_locally", "prune_globally", "MergedLeaves"]

#: A leaf of less weight is empty.
LEAST_LEAF = 0.05
NO_SAVING = 0.999  # branches with at least this share of a leaf's errors save none


def grow_collapsed(rows: TreeRows, search: Search, *, min_split: float, keep_root: bool = False) -> NodeTable:
    """Grow a tree in which every subtree saves training errors."""
    tree = grow_tree(rows, search, min_split=min_split)
    empty = tree.is_leaf & (tree.weight < LEAST_LEAF) & (tree.parent >= 0)
    label = np.where(empty, tree.label[tree.parent], tree.label)
    tree = replace(tree, class_weight=np.where(empty[:, None], 0.0, tree.class_weight), label=label)
    saves_nothing = _saves_nothing(tree)
    if keep_root:
        saves_nothing[0] = False
    return tree.pruned(saves_nothing) if saves_nothing.any() else tree


def _saves_nothing(tree: NodeTable) -> NDArray[np.bool_]:
    """Return which nodes become leaves when the tree is collapsed from its leaves up."""
    wrong, parent, is_leaf = tree.wrong.tolist(), tree.parent.tolist(), tree.is_leaf.tolist()
    below = [0.0] * tree.n_nodes
    out = np.zeros(tree.n_nodes, dtype=bool)
    for node in range(tree.n_nodes - 1, -1, -1):
        errors = wrong[node] if is_leaf[node] else below[node]
        if not is_leaf[node] and errors >= NO_SAVING * wrong[node]:
            out[node], errors = True, wrong[node]
        if node:
            below[parent[node]] += errors
    return out


def prune_locally(
    tree: NodeTable, rows: TreeRows, search: Search, bound: ErrorBound, *, min_weight: float, regrow: bool
) -> NodeTable:
    """Turn nodes into leaves, or replace them by their largest branches, from the leaves up."""
    # Unlike in `prune_tree`, branches lighter than `min_weight` are judged as one leaf; only a branch with a
    # test and a tenth of the rows, and not on the same number, may replace its node; and the subtree below
    # such a branch is regrown if it had less than 0.95 of the rows.
    if tree.n_nodes == 1:
        return tree
    ordered, nodes = begin_pruning(tree, rows)
    table = ordered.codes, ordered.sizes, ordered.is_number, ordered.y
    kind, threshold, state = tree.kind, tree.threshold, begin_state(ordered.weight, regrow)
    while True:
        state = prune_until_regrown(table, nodes, bound.terms, min_weight, state)
        if state.depth < 0:
            return finished_pruning(nodes, kind, threshold)
        grown = _grown_anew(ordered, nodes, state, search, 2 * min_weight)
        if grown is not None:
            nodes = _with_branches_replaced(nodes, int(state.frame[state.depth * FRAME + NODE]), *grown)
            kind = np.concatenate([kind, grown[0].kind[1:]])
            threshold = np.concatenate([threshold, grown[0].threshold[1:]])


def _grown_anew(
    rows: TreeRows, nodes: PrunedNodes, state: PruningState, search: Search, min_split: float
) -> tuple[NodeTable, NDArray[np.int64]] | None:
    """Regrow the branches of a node from all its rows, and return them with their cut codes."""
    f = state.depth * FRAME
    node, lo, hi, x_lo, x_hi = state.frame[f : f + 5].tolist()
    which = np.concatenate([state.row[lo:hi], state.extra[x_lo:x_hi]])
    weight = np.concatenate([state.row_weight[lo:hi], state.extra_weight[x_lo:x_hi]])
    here = rows._replace(codes=rows.codes[which], y=rows.y[which], weight=weight)
    test = int(nodes.attribute[node]), int(nodes.cut[node])
    tree = grow_collapsed(here, _begins_with(test, search), min_split=min_split, keep_root=True)
    return None if tree.is_leaf[0] else (tree, cut_codes(tree, here))


def _with_branches_replaced(
    nodes: PrunedNodes, node: int, below: NodeTable, cut: NDArray[np.int64]
) -> PrunedNodes:
    """Replace the branches of a node by those of a tree whose root is the node itself."""
    offset = nodes.cut.size - 1
    first_child = np.where(below.first_child >= 0, below.first_child + offset, -1).astype(np.int32)
    added = PrunedNodes(
        below.attribute,
        cut,
        first_child,
        below.n_children,
        below.class_weight,
        below.label,
        below.errors,
        source=np.where(below.is_leaf, -1, np.arange(below.n_nodes) + offset),
    )
    pairs: Iterable[tuple[Any, Any]] = zip(nodes, added, strict=True)
    both = PrunedNodes(*(np.concatenate([old, new[1:]]) for old, new in pairs))
    both.first_child[node], both.n_children[node] = first_child[0], below.n_children[0]
    return both


def _begins_with(test: tuple[int, int], search: Search) -> Search:
    """Return a search that takes one test at the root."""

    def choose(rows: TreeRows, nodes: OpenNodes) -> ChosenTests:
        if nodes.node[0] > 0:
            return search(rows, nodes)
        return ChosenTests(np.array([test[0]]), np.array([test[1]]))

    return choose


LEAST_LEAF = 1e-3  # a leaf of less weight does not count as one
LEAST_NODE = 0.1  # lighter subtrees are ignored


def prune_globally(tree: NodeTable, *, errors: float, n_samples: float) -> NodeTable:
    """Turn the subtrees with the least extra errors per leaf saved into leaves."""
    # All subtrees with the same least cost are removed together, or none and the pruning ends. A round costs
    # O(nodes); with rows of weight 1 there are about sqrt(n_samples) rounds at most.
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
    """Return the extra errors of each node as a leaf, and these per leaf saved, or infinity if too many."""
    wrong, leaves = tree.wrong, tree.sums_below(tree.weight > LEAST_LEAF)
    extra = wrong - tree.sums_below(np.where(tree.weight > LEAST_LEAF, wrong, 0.0))
    candidate = ~tree.is_leaf & (extra <= allowance) & (leaves > 1) & (tree.weight > LEAST_NODE)
    cost = np.full(tree.n_nodes, np.inf)
    np.divide(extra, leaves - 1, out=cost, where=candidate)
    return extra, cost.round(12)  # fractions of rows do not add up exactly


def _topmost(tree: NodeTable, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Drop the nodes that are below a chosen one."""
    above = np.zeros(tree.n_nodes, dtype=bool)
    for level in range(1, tree.depth + 1):
        here = tree.depths == level
        of_parent = tree.parent[here]
        above[here] = above[of_parent] | chosen[of_parent]
    return chosen & ~above


FEWEST = 3  # values of a test whose leaves are merged


@dataclass(frozen=True, eq=False)
class MergedLeaves:
    """Which leaves count as one."""

    first: NDArray[np.int64]  # of each node, the first of those merged with it: mostly itself
    class_weight: NDArray[np.float64]  # (n_nodes, n_classes): training rows of all of them

    @classmethod
    def of(cls, tree: NodeTable, *, empty_only: bool) -> "MergedLeaves":
        """Find the leaves to merge."""
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
