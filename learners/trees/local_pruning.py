"""C5.0's trees before any look at the whole: growing, collapsing, pruning node by node."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners._kernels.tree_local_pruning import FRAME, prune_until_regrown
from learners._kernels.tree_rows import sort_by_leaf
from learners.trees.growth import ChosenTests, OpenNodes, Search, TreeRows, grow_tree
from learners.trees.node_table import NodeTable
from learners.trees.pruning import ErrorBound, cut_codes

__all__ = ["LEAST_LEAF", "grow_collapsed", "prune_locally"]

#: A leaf of less weight is empty.
LEAST_LEAF = 0.05
NO_SAVING = 0.999  # branches that make this share of the errors of a leaf save none


def grow_collapsed(rows: TreeRows, search: Search, *, min_split: float, keep_root: bool = False) -> NodeTable:
    """Grow a tree in which every subtree saves training errors.

    Parameters
    ----------
    rows : TreeRows
        The training rows.
    search : callable
        Gives the tests of open nodes.
    min_split : float
        A node of less weight is a leaf.
    keep_root : bool, default False
        Whether the test of the root stays even if it saves none.

    Returns
    -------
    NodeTable
        Leaves of nearly no weight are empty, with the label of their parents.
    """
    tree = grow_tree(rows, search, min_split=min_split)
    empty = tree.is_leaf & (tree.weight < LEAST_LEAF) & (tree.parent >= 0)
    label = np.where(empty, tree.label[tree.parent], tree.label)
    tree = replace(tree, class_weight=np.where(empty[:, None], 0.0, tree.class_weight), label=label)
    saves_nothing = _saves_nothing(tree)
    if keep_root:
        saves_nothing[0] = False
    return tree.pruned(saves_nothing) if saves_nothing.any() else tree


def _saves_nothing(tree: NodeTable) -> NDArray[np.bool_]:
    """Tell which nodes become leaves when the tree is collapsed from its leaves up."""
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
    """Make leaves of nodes, or put their largest branches in their places, from the leaves up.

    It is `prune_tree` but for three things: branches lighter than `min_weight` are judged as one leaf; only
    a branch with a test and a tenth of the rows, and not on the same number, may take its node's place; and
    what is below such a branch is grown anew if it had less than 0.95 of the rows.

    Parameters
    ----------
    tree : NodeTable
        Grown on rows of this kind.
    rows : TreeRows
        The training rows.
    search : callable
        Gives the tests of open nodes.
    bound : ErrorBound
        What a leaf is expected to do wrong.
    min_weight : float
        At least two branches of a test must have this weight.
    regrow : bool
        Whether branches are grown anew at all: not so in later trials of boosting.

    Returns
    -------
    NodeTable
        `errors` are expected errors.
    """
    if tree.n_nodes == 1:
        return tree
    work = _Pruning(tree, rows, regrow)
    while work.run(bound, min_weight) >= 0:
        work.regrow(search, 2 * min_weight)
    return NodeTable(**work.nodes).compacted()


class _Pruning:
    """A tree on its way: nodes, which may become more, and what the kernel remembers between two calls."""

    def __init__(self, tree: NodeTable, rows: TreeRows, regrow: bool) -> None:
        self.nodes: dict[str, NDArray[Any]] = {
            "kind": tree.kind.copy(),
            "attribute": tree.attribute.copy(),
            "threshold": tree.threshold.copy(),
            "first_child": tree.first_child.copy(),
            "n_children": tree.n_children.copy(),
            "class_weight": tree.class_weight.copy(),
            "label": tree.label.copy(),
            "errors": np.zeros(tree.n_nodes),
        }
        self.cut = cut_codes(tree, rows)
        rank = np.empty(tree.n_nodes, np.int64)
        rank[tree.depth_first()] = np.arange(tree.n_nodes)
        test = rows.sizes, rows.is_number, tree.attribute, self.cut, tree.first_child
        order = sort_by_leaf(rows.codes, *test, rank)
        self.rows = rows._replace(codes=rows.codes[order], y=rows.y[order], weight=rows.weight[order])
        self.row, self.row_weight = np.arange(order.size), self.rows.weight.copy()
        self.extra, self.extra_weight = np.empty(0, np.int64), np.empty(0)
        self.place, self.known = np.empty(0, np.int64), np.empty(0)
        self.frame, self.as_leaf = np.zeros((64, FRAME), np.int64), np.empty(64)
        self.frame[0] = 0, 0, order.size, 0, 0, -1, 0, regrow
        self.depth = 0

    def run(self, bound: ErrorBound, min_weight: float) -> int:
        """Go on pruning; give the depth at which branches have to be regrown, -1 at the end."""
        rows, nodes = self.rows, self.nodes
        (
            self.extra,
            self.extra_weight,
            self.place,
            self.known,
            self.frame,
            self.as_leaf,
            self.depth,
        ) = prune_until_regrown(
            rows.codes,
            rows.sizes,
            rows.is_number,
            rows.y,
            nodes["kind"],
            nodes["attribute"],
            nodes["threshold"],
            self.cut,
            nodes["first_child"],
            nodes["n_children"],
            nodes["class_weight"],
            nodes["label"],
            nodes["errors"],
            bound.confidence,
            bound.deviate,
            bound.tail,
            min_weight,
            self.row,
            self.row_weight,
            self.extra,
            self.extra_weight,
            self.place,
            self.known,
            self.frame,
            self.as_leaf,
            self.depth,
        )
        return self.depth

    def regrow(self, search: Search, min_split: float) -> None:
        """Grow the branches of the node on top anew, from all its rows."""
        node, lo, hi, x_lo, x_hi = self.frame[self.depth, :5].tolist()
        which = np.concatenate([self.row[lo:hi], self.extra[x_lo:x_hi]])
        weight = np.concatenate([self.row_weight[lo:hi], self.extra_weight[x_lo:x_hi]])
        rows = self.rows._replace(codes=self.rows.codes[which], y=self.rows.y[which], weight=weight)
        test = int(self.nodes["attribute"][node]), int(self.cut[node])
        below = grow_collapsed(rows, _begins_with(test, search), min_split=min_split, keep_root=True)
        if below.is_leaf[0]:
            return
        offset = len(self.cut) - 1  # the root of the new tree is the node itself
        for name, array in self.nodes.items():
            new = getattr(below, name)
            if name == "first_child":
                new = np.where(new >= 0, new + offset, new).astype(new.dtype)
            self.nodes[name] = np.concatenate([array, new[1:]])
        self.nodes["first_child"][node] = below.first_child[0] + offset
        self.nodes["n_children"][node] = below.n_children[0]
        self.cut = np.concatenate([self.cut, cut_codes(below, rows)[1:]])


def _begins_with(test: tuple[int, int], search: Search) -> Search:
    """Give a search that takes one test at the root."""

    def choose(rows: TreeRows, nodes: OpenNodes) -> ChosenTests:
        if nodes.node[0] > 0:
            return search(rows, nodes)
        return ChosenTests(np.array([test[0]]), np.array([test[1]]))

    return choose
