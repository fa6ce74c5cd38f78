"""Grow a tree: a search for the best test of each open node, and the rows down its branches."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners.trees._kernels.split import count_branches, fill_branches
from learners.trees.growing.training_rows import TreeRows
from learners.trees.nodes.node_table import CUT, VALUES, NodeTable

__all__ = ["ChosenTests", "OpenNodes", "Search", "grow_tree"]

# Most bytes of copied rows, and most figures of candidates, of one batch of nodes: a bound on memory.
MOST_BYTES, MOST_CANDIDATES = 1 << 27, 1 << 21
# Fractions of rows do not add up exactly: a node whose other classes weigh no more than this is pure.
SLACK = 1e-6


class OpenNodes(NamedTuple):
    """Nodes that still need a test, with their rows. Rows with missing values may be in several."""

    node: NDArray[np.int64]  # (n_open,), numbers in the growing tree
    class_weight: NDArray[np.float64]  # (n_open, n_classes)
    start: NDArray[np.int64]  # node j has the rows start[j] .. start[j + 1] - 1
    codes: NDArray[Any]  # (n_rows, n_features), unsigned
    y: NDArray[np.int32]
    weight: NDArray[np.float64]  # of each row in its node
    tested: NDArray[np.bool_]  # (n_open, n_features): nominal attributes that were tested above


class ChosenTests(NamedTuple):
    """The decision of a search for each open node."""

    attribute: NDArray[np.int64]  # to test; -1 to make a leaf
    cut: NDArray[np.int64]  # largest code of the low side; used only where the attribute is numeric


#: A learner's choice of tests: a function of the training rows and the open nodes.
Search = Callable[[TreeRows, OpenNodes], ChosenTests]


def grow_tree(rows: TreeRows, search: Search, *, min_split: float) -> NodeTable:
    """Grow a tree from the root down, a batch of nodes at a time."""
    # A threshold is the largest number of the *training set* on the low side. A row whose tested value is
    # missing goes down every branch that is not empty, with its weight times the branch's share of the known
    # weight; an empty branch becomes a leaf of weight 0 with its parent's label. Batches come from a stack
    # and hold some million rows at most, which bounds memory when rows are in many nodes; nothing recurses.
    growing = _Growing(rows, min_split)
    stack = growing.open_root()
    while stack:
        nodes = stack.pop()
        stack += growing.expand(nodes, search(rows, nodes))
    return growing.finish()


class _Branches(NamedTuple):
    """All branches of a batch of nodes, node by node."""

    first: NDArray[np.int64]  # (n_open + 1,): where those of each node begin
    above: NDArray[np.int64]  # the node of each, by its place in the batch
    class_weight: NDArray[np.float64]
    n_rows: NDArray[np.int64]
    share: NDArray[np.float64]  # of the known weight of the node


@dataclass
class _Growing:
    """The nodes so far, as lists of arrays, one per batch."""

    rows: TreeRows
    min_split: float
    n_nodes: int = 0
    class_weight: list[NDArray[np.float64]] = field(default_factory=list)
    label: list[NDArray[np.int64]] = field(default_factory=list)
    split: list[NDArray[np.int64]] = field(default_factory=list)  # node, attribute, cut, first child, arity

    def open_root(self) -> list[OpenNodes]:
        rows = self.rows
        counts = np.bincount(rows.y, weights=rows.weight, minlength=rows.n_classes).astype(np.float64)[
            None, :
        ]
        self._add(counts, counts.argmax(axis=1))
        if not self._is_open(counts)[0]:
            return []
        n_samples, n_features = rows.codes.shape
        start, tested = np.array([0, n_samples]), np.zeros((1, n_features), dtype=bool)
        return [OpenNodes(np.zeros(1, np.int64), counts, start, rows.codes, rows.y, rows.weight, tested)]

    def expand(self, nodes: OpenNodes, tests: ChosenTests) -> list[OpenNodes]:
        """Add the children of a batch, and return those that are open, in batches."""
        branches = self._branches(nodes, tests)
        first, above, class_weight = branches[:3]
        if not above.size:
            return []
        chosen = np.flatnonzero(tests.attribute >= 0)
        splits = (
            nodes.node[chosen],
            tests.attribute[chosen],
            tests.cut[chosen],
            self.n_nodes + first[chosen],
            first[chosen + 1] - first[chosen],
        )
        self.split.append(np.stack(splits))
        of_parent = nodes.class_weight.argmax(axis=1)[above]
        offset = self.n_nodes
        self._add(class_weight, np.where(branches.n_rows > 0, class_weight.argmax(axis=1), of_parent))
        is_open = np.flatnonzero(self._is_open(class_weight))
        return [
            self._opened(nodes, tests, branches, part, offset)
            for part in _batches(is_open, branches.n_rows, self.rows.codes[0])
        ]

    def _branches(self, nodes: OpenNodes, tests: ChosenTests) -> _Branches:
        rows = self.rows
        arity = np.where(rows.is_number[tests.attribute], 2, rows.sizes[tests.attribute])
        first = np.concatenate([[0], np.cumsum(np.where(tests.attribute < 0, 0, arity))])
        n = int(first[-1])
        made = _Branches(
            first,
            np.repeat(np.arange(len(arity)), np.diff(first)),
            np.empty((n, rows.n_classes)),
            np.empty(n, np.int64),
            np.empty(n),
        )
        count_branches(
            nodes.codes,
            rows.sizes,
            rows.is_number,
            nodes.y,
            nodes.weight,
            nodes.start,
            *tests,
            first,
            *made[2:],
        )
        return made

    def _opened(
        self, nodes: OpenNodes, tests: ChosenTests, branches: _Branches, part: NDArray[np.intp], offset: int
    ) -> OpenNodes:
        """Return the rows of some branches, which become open nodes."""
        rows, n_rows = self.rows, branches.n_rows[part]
        start = np.concatenate([[0], np.cumsum(n_rows)])
        place = np.full(branches.n_rows.size, -1)
        place[part] = start[:-1]
        n = int(start[-1])
        codes = np.empty((n, rows.codes.shape[1]), rows.codes.dtype)
        y, weight = np.empty(n, np.int32), np.empty(n)
        fill_branches(
            nodes.codes,
            rows.sizes,
            rows.is_number,
            nodes.y,
            nodes.weight,
            nodes.start,
            *tests,
            branches.first,
            branches.share,
            place,
            codes,
            y,
            weight,
        )
        tested = nodes.tested[branches.above[part]]
        attribute = tests.attribute[branches.above[part]]
        nominal = np.flatnonzero(~rows.is_number[attribute])
        tested[nominal, attribute[nominal]] = True
        return OpenNodes(offset + part, branches.class_weight[part], start, codes, y, weight, tested)

    def _is_open(self, class_weight: NDArray[np.float64]) -> NDArray[np.bool_]:
        weight = class_weight.sum(axis=1)
        return (weight >= self.min_split - SLACK) & (weight - class_weight.max(axis=1) > SLACK)

    def _add(self, class_weight: NDArray[np.float64], label: NDArray[np.intp]) -> None:
        self.class_weight.append(class_weight)
        self.label.append(label)
        self.n_nodes += len(label)

    def finish(self) -> NodeTable:
        rows, n = self.rows, self.n_nodes
        kind, attribute, threshold = np.zeros(n, np.int8), np.full(n, -1, np.int32), np.full(n, np.nan)
        first_child, n_children = np.full(n, -1, np.int32), np.zeros(n, np.int32)
        if self.split:
            node, tested, cut, first, arity = np.concatenate(self.split, axis=1)
            number = rows.is_number[tested]
            kind[node], attribute[node] = np.where(number, CUT, VALUES), tested
            first_child[node], n_children[node] = first, arity
            threshold[node[number]] = rows.values[rows.value_start[tested[number]] + cut[number]]
        class_weight, label = np.concatenate(self.class_weight), np.concatenate(self.label).astype(np.int32)
        tree = NodeTable(
            kind, attribute, threshold, first_child, n_children, class_weight, label, np.zeros(n)
        )
        return replace(tree, errors=tree.sums_below(tree.wrong))


def _batches(
    branches: NDArray[np.intp], n_rows: NDArray[np.int64], one: NDArray[Any]
) -> list[NDArray[np.intp]]:
    """Split branches into batches of bounded size."""
    if not branches.size:
        return []
    rows, nodes = MOST_BYTES // one.nbytes + 1, MOST_CANDIDATES // one.size + 1
    batch = np.maximum(np.cumsum(n_rows[branches]) // rows, np.arange(branches.size) // nodes)
    return np.split(branches, np.flatnonzero(np.diff(batch)) + 1)
