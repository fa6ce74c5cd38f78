"""Evaluate tests by the best tests of their branches: two steps ahead."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learners.code_lengths.tree import attribute_bits, structure_bits
from learners.trees._kernels.message import SplitMessages, cut_name_bits
from learners.trees._kernels.split import count_branches, fill_branches
from learners.trees.growing.growth import OpenNodes
from learners.trees.growing.training_rows import TreeRows
from learners.trees.mml.costed_tree import MessageCode

__all__ = ["TwoPly"]

# Cuts of numbers that are tried in addition to the best one at one step, which considers only the classes of
# the branches: a cut that is useful only with the next test may be near such a quantile.
QUANTILES = (0.5, 0.25, 0.75)


@dataclass(frozen=True)
class TwoPly:
    """A batch of nodes whose tests are evaluated two steps ahead."""

    code: MessageCode
    rows: TreeRows
    nodes: OpenNodes
    closed: NDArray[np.bool_]  # attributes that no node may test

    def refine(self, found: SplitMessages, worthwhile: NDArray[np.bool_]) -> SplitMessages:
        """Return the messages of the tests when each branch is a leaf or has its own best test."""
        bits, cut, cut_bits = np.full(found.bits.shape, np.inf), found.cut.copy(), found.cut_bits.copy()
        for a in np.flatnonzero(worthwhile.any(axis=0)).tolist():
            choices = [(found.cut[:, a], found.cut_bits[:, a])]
            if self.rows.is_number[a]:
                choices += self._quantile_cuts(a, worthwhile[:, a])
            for its_cut, its_bits in choices:
                ahead = self._two_steps(a, its_cut, worthwhile[:, a]) + its_bits
                better = ahead < bits[:, a] - 1e-9
                bits[better, a], cut[better, a] = ahead[better], its_cut[better]
                cut_bits[better, a] = its_bits[better]
        return SplitMessages(bits, found.bound, cut, cut_bits)

    def _two_steps(
        self, a: int, cut: NDArray[np.int64], worthwhile: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        """Measure the test of one attribute at all nodes, its name and cut left out."""
        arity = 2 if self.rows.is_number[a] else int(self.rows.sizes[a])
        children, above = self._children(a, cut, worthwhile, arity)
        as_leaf = structure_bits(False, arity) + self.code.categories(children.class_weight)
        best = as_leaf
        open_ones = np.flatnonzero(np.diff(children.start) > 1)
        if open_ones.size:
            ahead = self.code.measure(self.rows, children, self.closed).bits.min(axis=1)
            available = self.closed.size - np.count_nonzero(children.tested | self.closed, axis=1)
            as_test = structure_bits(True, arity) + attribute_bits(available) + ahead
            best = np.minimum(as_leaf, as_test)
        out = np.bincount(above, weights=best, minlength=worthwhile.size)
        return np.where(worthwhile, out, np.inf)

    def _children(
        self, a: int, cut: NDArray[np.int64], worthwhile: NDArray[np.bool_], arity: int
    ) -> tuple[OpenNodes, NDArray[np.int64]]:
        """Send the rows of the nodes down the branches, and return the branches, and the node of each."""
        rows, nodes = self.rows, self.nodes
        attribute = np.where(worthwhile, a, -1)
        first = np.concatenate([[0], np.cumsum(np.where(worthwhile, arity, 0))])
        n = int(first[-1])
        class_weight, n_rows, share = np.empty((n, rows.n_classes)), np.empty(n, np.int64), np.empty(n)
        coded = (nodes.codes, rows.sizes, rows.is_number, nodes.y, nodes.weight, nodes.start)
        count_branches(*coded, attribute, cut, first, class_weight, n_rows, share)
        start = np.concatenate([[0], np.cumsum(n_rows)])
        codes = np.empty((int(start[-1]), rows.codes.shape[1]), rows.codes.dtype)
        y, weight = np.empty(len(codes), np.int32), np.empty(len(codes))
        fill_branches(*coded, attribute, cut, first, share, start[:-1].copy(), codes, y, weight)
        above = np.repeat(np.arange(worthwhile.size), np.diff(first))
        tested = nodes.tested[above]
        if not rows.is_number[a]:
            tested[:, a] = True
        return OpenNodes(np.arange(n), class_weight, start, codes, y, weight, tested), above

    def _quantile_cuts(
        self, a: int, worthwhile: NDArray[np.bool_]
    ) -> list[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """Return the cuts nearest to the quantiles at each node, and the bits that encode them."""
        shape = (len(QUANTILES), worthwhile.size)
        cuts, bits = np.zeros(shape, np.int64), np.full(shape, np.inf)
        start, size = self.nodes.start, int(self.rows.sizes[a])
        for node in np.flatnonzero(worthwhile).tolist():
            its = slice(start[node], start[node + 1])
            weight = np.bincount(self.nodes.codes[its, a], weights=self.nodes.weight[its], minlength=size)
            seen = np.flatnonzero(weight[:size] > 0)
            below = np.cumsum(weight[seen], dtype=np.float64)
            for q, quantile in enumerate(QUANTILES):
                g = int(np.abs(below[:-1] - quantile * below[-1]).argmin())
                cuts[q, node] = seen[g]
                bits[q, node] = self._cut_bits(below, g)
        return list(zip(cuts, bits, strict=True))

    def _cut_bits(self, below: NDArray[np.float64], g: int) -> float:
        if self.code.uniform_cuts:
            return float(np.log2(below.size - 1))
        before = below[g - 1] if g else -below[0]
        return float(cut_name_bits(before, below[g], below[g + 1], below[-1], g == below.size - 2))
