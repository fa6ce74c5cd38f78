"""How trees are coded, and a tree with the bits that each of its nodes costs."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from learners.code_lengths.tree import MessageParts, category_bits, root_bits
from learners.trees._kernels.leaf_code import CategoryCode
from learners.trees._kernels.message import SplitMessages, find_messages
from learners.trees.growing.growth import OpenNodes
from learners.trees.growing.training_rows import TreeRows
from learners.trees.nodes.node_table import NodeTable

__all__ = ["MessageCode", "MessageTree", "single_leaf"]

LOOKED_UP = 1 << 16  # terms of the category code are looked up for whole weights below this


@dataclass(frozen=True)
class MessageCode:
    """How trees are encoded, and how far the choice of a test looks ahead."""

    alpha: float  # pseudo-count of each class at a leaf
    n_classes: int
    uniform_cuts: bool  # all cuts of a node equally likely, or those near the median more
    lookahead: int  # 1: a test is evaluated with leaves as branches; 2: with their own best tests too
    constant: NDArray[np.bool_]  # attributes without two values in the training rows, never tested

    def categories(self, class_weight: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the bits of the classes of the rows of leaves, of shape (..., n_classes) to (...)."""
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
    """A tree with the bits that encode each of its nodes, with arrays of shape (n_nodes,)."""

    tree: NodeTable
    structure: NDArray[np.float64]  # whether the node is a test
    attribute: NDArray[np.float64]  # name of the tested attribute; 0 at a leaf, as `cut`
    cut: NDArray[np.float64]
    category: NDArray[np.float64]  # the classes of the node's rows if it were a leaf
    n_available: NDArray[np.int64]  # attributes that the node could test
    leaf_structure: NDArray[np.float64]  # the structure of the node if it were a leaf

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
    def own_bits(self) -> NDArray[np.float64]:
        """Bits of each node itself: a test's structure, attribute and cut, or all of a leaf."""
        own = self.structure + self.attribute + self.cut
        return np.where(self.tree.is_leaf, own + self.category, own)

    @cached_property
    def saved(self) -> NDArray[np.float64]:
        """Bits that each test saves with leaves as branches. Their sum is the tree's saving over a leaf."""
        of_children = np.bincount(self.tree.parent[1:], weights=self.as_leaf[1:], minlength=self.tree.n_nodes)
        return np.where(self.tree.is_leaf, 0.0, self.as_leaf - self.own_bits - of_children)


def single_leaf(
    class_weight: NDArray[np.float64], code: MessageCode, settled: NDArray[np.bool_]
) -> MessageTree:
    """Make a tree of one leaf."""
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
