"""Grow a tree by the message that encodes it and the classes, and prune it to the shortest one."""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from learners.code_lengths.tree import attribute_bits, root_bits, structure_bits
from learners.trees._kernels.message import shortest_subtrees
from learners.trees._kernels.order import breadth_first
from learners.trees.growing.growth import ChosenTests, OpenNodes, grow_tree
from learners.trees.growing.training_rows import TreeRows
from learners.trees.mml.costed_tree import MessageCode, MessageTree
from learners.trees.mml.lookahead import TwoPly
from learners.trees.nodes.node_table import NodeTable

__all__ = ["grow_message_tree"]

TIE = 1e-9  # bits: smaller differences are rounding


def grow_message_tree(
    rows: TreeRows, code: MessageCode, settled: NDArray[np.bool_] | None = None
) -> MessageTree:
    """Grow a tree and prune it to its shortest message."""
    # Each node gets the test with the shortest message, even if a leaf's is shorter, until its rows are of
    # one class or weigh less than 2; tests are skipped if no subtree below them can be shorter than the leaf.
    # Messages add up over subtrees, so no other pruning of the grown tree is shorter. With a lookahead of 2 a
    # tree with a lookahead of 1 is grown too, and the shorter is kept.
    closed = code.constant if settled is None else code.constant | settled
    found = [_grown(rows, code, closed, ahead) for ahead in range(1, code.lookahead + 1)]
    return min(found, key=lambda each: each.parts.total)


def _grown(rows: TreeRows, code: MessageCode, closed: NDArray[np.bool_], lookahead: int) -> MessageTree:
    search = _MessageSearch(code, closed, lookahead)
    tree = grow_tree(rows, search, min_split=2.0)
    return _pruned(_measured(tree, search))


@dataclass
class _MessageSearch:
    """Choose the tests with the shortest messages, and record their costs."""

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
        """Return the bits below which a test, without its structure and name, is shorter than a leaf."""
        available = self.closed.size - np.count_nonzero(nodes.tested | self.closed, axis=1)
        # below the root, stating that a node is a test never costs less than stating that it is a leaf
        more = np.where(nodes.node == 0, root_bits(True, available) - root_bits(False, available), 0.0)
        return self.code.categories(nodes.class_weight) - more - attribute_bits(available)


def _measured(tree: NodeTable, search: _MessageSearch) -> MessageTree:
    """Combine the bits of all nodes."""
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
    """Count the attributes that each node could test: a nominal test above excludes its attribute."""
    out = np.full(tree.n_nodes, closed.size - np.count_nonzero(closed), np.int64)
    settles = np.isnan(tree.threshold) & ~tree.is_leaf
    # level by level: parents precede their children
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
