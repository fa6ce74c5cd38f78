"""Grow a tree by the message that tells it and the classes, and prune it to the shortest one."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from learners._kernels.tree_message import CategoryCode, SplitMessages, find_messages, shortest_subtrees
from learners._kernels.tree_order import breadth_first
from learners.code_lengths.tree import (
    MessageParts,
    attribute_bits,
    category_bits,
    root_bits,
    structure_bits,
)
from learners.trees.growth import ChosenTests, OpenNodes, TreeRows, grow_tree
from learners.trees.node_table import NodeTable
from learners.trees.two_ply import TwoPly

__all__ = ["MessageCode", "MessageTree", "grow_message_tree", "single_leaf"]

TIE = 1e-9  # bits: less is a difference of rounding
LOOKED_UP = 1 << 16  # terms of the category code are looked up for whole weights below this


@dataclass(frozen=True)
class MessageCode:
    """How trees are told, and how far the choice of a test looks ahead.

    Parameters
    ----------
    alpha : float
        Pseudo-count of each class at a leaf.
    n_classes : int
        Number of classes.
    uniform_cuts : bool
        Whether all cuts of a node are as likely; else those near the median are more likely.
    lookahead : {1, 2}
        Whether a test is judged by its branches as leaves, or by their own best tests too.
    constant : ndarray of bool, shape (n_features,)
        Attributes without two different values in the training rows: they are no candidates.
    """

    alpha: float
    n_classes: int
    uniform_cuts: bool
    lookahead: int
    constant: NDArray[np.bool_]

    def categories(self, class_weight: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give the bits of the classes of the rows of leaves; shape (..., n_classes) to (...)."""
        return category_bits(class_weight, self.alpha)

    @cached_property
    def terms(self) -> CategoryCode:
        """The category code with its looked-up terms, as the kernels read it."""
        n, spread = np.arange(LOOKED_UP), self.n_classes * self.alpha
        of_class = (gammaln(self.alpha) - gammaln(n + self.alpha)) / np.log(2.0)
        of_sum = (gammaln(n + spread) - gammaln(spread)) / np.log(2.0)
        return CategoryCode(self.alpha, spread, of_class, of_sum)

    def measure(self, rows: TreeRows, nodes: OpenNodes, closed: NDArray[np.bool_]) -> SplitMessages:
        """Measure the best test of each attribute that is not closed, at each node."""
        shape = nodes.tested.shape
        out = SplitMessages(np.empty(shape), np.empty(shape), np.zeros(shape, np.int64), np.zeros(shape))
        find_messages(
            nodes.codes,
            nodes.y,
            nodes.weight,
            nodes.start,
            nodes.tested | closed,
            rows.n_classes,
            rows.sizes,
            rows.values,
            rows.value_start,
            self.terms,
            self.uniform_cuts,
            out,
        )
        return out


@dataclass(frozen=True, eq=False)
class MessageTree:
    """A tree with what each of its nodes takes to be told; arrays of shape (n_nodes,), in bits.

    Parameters
    ----------
    tree : NodeTable
        The tree.
    structure : ndarray of float64
        Whether the node is a test.
    attribute, cut : ndarray of float64
        The name of the attribute of a test, and its cut; 0 at a leaf.
    category : ndarray of float64
        The classes of the node's rows, if it were a leaf.
    n_available : ndarray of int64
        Number of attributes that a test of the node could ask for.
    leaf_structure : ndarray of float64
        What the node's structure would take if it were a leaf.
    """

    tree: NodeTable
    structure: NDArray[np.float64]
    attribute: NDArray[np.float64]
    cut: NDArray[np.float64]
    category: NDArray[np.float64]
    n_available: NDArray[np.int64]
    leaf_structure: NDArray[np.float64]

    @cached_property
    def parts(self) -> MessageParts:
        """The message of the whole tree."""
        return MessageParts(
            float(self.structure.sum()),
            float(self.attribute.sum()),
            float(self.cut.sum()),
            float(self.category[self.tree.is_leaf].sum()),
        )

    @cached_property
    def as_leaf(self) -> NDArray[np.float64]:
        """Bits of each node if it were a leaf: its structure and the classes of its rows."""
        return self.leaf_structure + self.category

    @cached_property
    def told(self) -> NDArray[np.float64]:
        """Bits of each node itself: a test's structure, attribute and cut, or all of a leaf."""
        own = self.structure + self.attribute + self.cut
        return np.where(self.tree.is_leaf, own + self.category, own)

    @cached_property
    def saved(self) -> NDArray[np.float64]:
        """Bits that each test saves, its branches being leaves; 0 for leaves.

        The message of the tree is that of a single leaf, less what its tests save.
        """
        of_children = np.bincount(self.tree.parent[1:], weights=self.as_leaf[1:], minlength=self.tree.n_nodes)
        return np.where(self.tree.is_leaf, 0.0, self.as_leaf - self.told - of_children)


def grow_message_tree(
    rows: TreeRows, code: MessageCode, settled: NDArray[np.bool_] | None = None
) -> MessageTree:
    """Grow a tree and prune it to its shortest message.

    Parameters
    ----------
    rows : TreeRows
        The training rows.
    code : MessageCode
        How trees are told.
    settled : ndarray of bool, shape (n_features,), optional
        Attributes that are known to be the same in all rows, by tests above a join: not available.

    Returns
    -------
    MessageTree

    Notes
    -----
    Each node takes the test of the shortest message, even if a leaf's is shorter, until its rows are of one
    class or weigh less than 2; a test that no subtree below it can make shorter than the leaf is not made.
    Then, from the leaves up, each node keeps the shorter of its subtree and a leaf. Messages add up over
    subtrees, so that no other pruning of the grown tree gives a shorter one. With a lookahead of 2 the tree
    that looks one step ahead is grown too, and the shorter kept.
    """
    closed = code.constant if settled is None else code.constant | settled
    found = [_grown(rows, code, closed, ahead) for ahead in range(1, code.lookahead + 1)]
    return min(found, key=lambda each: each.parts.total)


def _grown(rows: TreeRows, code: MessageCode, closed: NDArray[np.bool_], lookahead: int) -> MessageTree:
    search = _MessageSearch(code, closed, lookahead)
    tree = grow_tree(rows, search, min_split=2.0)
    return _pruned(_measured(tree, search))


@dataclass
class _MessageSearch:
    """Choose the tests of shortest message, and note what they take."""

    code: MessageCode
    closed: NDArray[np.bool_]
    lookahead: int
    node: list[NDArray[np.int64]] = field(default_factory=list)
    cut_bits: list[NDArray[np.float64]] = field(default_factory=list)

    def __call__(self, rows: TreeRows, nodes: OpenNodes) -> ChosenTests:
        found = self.code.measure(rows, nodes, self.closed)
        worthwhile = found.bound < self._worth_beating(nodes)[:, None]
        if self.lookahead == 2 and worthwhile.any():
            found = TwoPly(self.code, rows, nodes, self.closed).refine(found, worthwhile)
        bits = np.where(worthwhile, found.bits, np.inf)
        best = bits.min(axis=1, initial=np.inf)
        if not bits.size:
            return ChosenTests(np.full(len(best), -1), np.zeros(len(best), np.int64))
        chosen = (bits <= best[:, None] + TIE).argmax(axis=1)
        each = np.arange(len(chosen))
        attribute = np.where(np.isfinite(best), chosen, -1)
        self.node.append(nodes.node)
        self.cut_bits.append(np.where(attribute >= 0, found.cut_bits[each, chosen], 0.0))
        return ChosenTests(attribute, found.cut[each, chosen])

    def _worth_beating(self, nodes: OpenNodes) -> NDArray[np.float64]:
        """Give what a test, without its own structure and name, must take less than to replace a leaf."""
        available = self.closed.size - np.count_nonzero(nodes.tested | self.closed, axis=1)
        # below the root, telling that a node is a test never takes less than telling that it is a leaf
        more = np.where(nodes.node == 0, root_bits(True, available) - root_bits(False, available), 0.0)
        return self.code.categories(nodes.class_weight) - more - attribute_bits(available)


def _measured(tree: NodeTable, search: _MessageSearch) -> MessageTree:
    """Put the bits of all nodes together."""
    n_available = _available(tree, search.closed)
    is_test = ~tree.is_leaf
    cut = np.zeros(tree.n_nodes)
    if search.node:
        cut[np.concatenate(search.node)] = np.concatenate(search.cut_bits)
    return MessageTree(
        tree,
        _structure(tree, is_test, n_available),
        np.where(is_test, attribute_bits(n_available), 0.0),
        cut,
        search.code.categories(tree.class_weight),
        n_available,
        _structure(tree, np.zeros_like(is_test), n_available),
    )


def _structure(
    tree: NodeTable, is_test: NDArray[np.bool_], n_available: NDArray[np.int64]
) -> NDArray[np.float64]:
    out = np.empty(tree.n_nodes)
    out[0] = root_bits(is_test[0], n_available[0])
    out[1:] = structure_bits(is_test[1:], tree.n_children[tree.parent[1:]])
    return out


def _available(tree: NodeTable, closed: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Count the attributes that each node could ask for: a nominal test above settles its attribute."""
    out = np.full(tree.n_nodes, closed.size - np.count_nonzero(closed), np.int64)
    settles = np.isnan(tree.threshold) & ~tree.is_leaf
    # level by level: parents come before their children
    for depth in range(1, tree.depth + 1):
        level = np.flatnonzero(tree.depths == depth)
        above = tree.parent[level]
        out[level] = out[above] - settles[above]
    return out


def _pruned(grown: MessageTree) -> MessageTree:
    """Keep the shorter of each subtree and a leaf in its place."""
    tree = grown.tree
    is_leaf, below = np.empty(tree.n_nodes, bool), np.empty(tree.n_nodes)
    own = grown.structure + grown.attribute + grown.cut
    leaf = grown.leaf_structure + grown.category
    shortest_subtrees(tree.first_child, tree.n_children, leaf, own, below, is_leaf)
    n_children = np.where(is_leaf, 0, tree.n_children).astype(np.int32)
    order, _ = breadth_first(tree.first_child, n_children, 0)
    left = is_leaf[order]
    return replace(
        grown,
        tree=tree.pruned(is_leaf),
        structure=np.where(left, grown.leaf_structure[order], grown.structure[order]),
        attribute=np.where(left, 0.0, grown.attribute[order]),
        cut=np.where(left, 0.0, grown.cut[order]),
        category=grown.category[order],
        n_available=grown.n_available[order],
        leaf_structure=grown.leaf_structure[order],
    )


def single_leaf(
    class_weight: NDArray[np.float64], code: MessageCode, settled: NDArray[np.bool_]
) -> MessageTree:
    """Make a tree of one leaf.

    Parameters
    ----------
    class_weight : ndarray of float64, shape (n_classes,)
        Weight of the rows of each class.
    code : MessageCode
        How trees are told.
    settled : ndarray of bool, shape (n_features,)
        Attributes that are known to be the same in all rows.

    Returns
    -------
    MessageTree
    """
    counts = class_weight[None, :]
    tree = NodeTable(
        kind=np.zeros(1, np.int8),
        attribute=np.full(1, -1, np.int32),
        threshold=np.full(1, np.nan),
        first_child=np.full(1, -1, np.int32),
        n_children=np.zeros(1, np.int32),
        class_weight=counts,
        label=counts.argmax(axis=1).astype(np.int32),
        errors=counts.sum(axis=1) - counts.max(axis=1),
    )
    n_available = np.array([np.count_nonzero(~(code.constant | settled))])
    structure = root_bits(False, n_available)
    return MessageTree(
        tree, structure, np.zeros(1), np.zeros(1), code.categories(counts), n_available, structure
    )
