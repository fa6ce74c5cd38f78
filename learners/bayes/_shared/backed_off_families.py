"""Tables of networks with the class as a parent of every attribute, which back off along their parents."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.bayes._kernels.backing_off import (
    count_levels,
    fit_level,
    leave_out_each,
    marginals,
    multiply_levels,
)

__all__ = ["CLASS_ALPHA", "BackedOffFamilies"]

CLASS_ALPHA = 1.0  # pseudo-count of a class

_NO_ROWS = np.empty((0, 0))


@dataclass(frozen=True, eq=False)
class BackedOffFamilies:
    """P(attribute | class, its first l parents) for all attributes and all l, each backed off to l - 1.

    With n rows of a value among the N rows of its class and parent values, and q the probability one level
    below, it is (n + m q) / (N + m). The lowest level is the marginal of the attribute, with a pseudo-count
    of 1 in all. The concentration m belongs to an attribute and level; it is the one with which the training
    rows, each left out in turn, are most probable.

    Attributes
    ----------
    arities : ndarray of int64, shape (n_features,)
        Number of values of each attribute.
    parents : ndarray of int64, shape (n_features, n_levels - 1)
        Parents of each attribute in their order, -1 past the last.
    starts, contexts : ndarray of int64, shape (n_features, n_levels)
        Where the table of a level starts in `tables` and in `totals`, -1 for none.
    offsets : ndarray of int64, shape (n_features + 1,)
        First value of each attribute in `shown`.
    shown : ndarray of float64
        Weight of the rows with each value.
    counts, tables : ndarray of float64
        Counts and probabilities, laid out as (parents, value, class).
    totals : ndarray of float64
        Sums of the counts over the values.
    concentrations : ndarray of float64, shape (n_features, n_levels)
        m of each level, 0 where there is none.
    class_counts : ndarray of float64, shape (n_classes,)
        Weight of the rows of each class.
    """

    arities: NDArray[np.int64]
    parents: NDArray[np.int64]
    starts: NDArray[np.int64]
    contexts: NDArray[np.int64]
    offsets: NDArray[np.int64]
    shown: NDArray[np.float64]
    counts: NDArray[np.float64]
    tables: NDArray[np.float64]
    totals: NDArray[np.float64]
    concentrations: NDArray[np.float64]
    class_counts: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        table: TrainingTable,
        parents: Sequence[tuple[int, ...]],
        concentrations: NDArray[np.float64] | None = None,
    ) -> "BackedOffFamilies":
        """Count the levels, and smooth them; with concentrations of 0 or None these are chosen."""
        listed, starts, contexts, sizes = _layout(table, parents)
        counts, totals = np.zeros(sizes[0]), np.empty(sizes[1])
        weight = np.empty(0) if table.weight is None else table.weight
        count_levels(table.codes, table.y, weight, table.arities, listed, starts, table.n_classes, counts)
        chosen = np.zeros(starts.shape) if concentrations is None else concentrations.copy()
        out = cls(
            table.arities,
            listed,
            starts,
            contexts,
            np.concatenate([[0], np.cumsum(table.arities)]),
            np.zeros(int(table.arities.sum())),
            counts,
            np.empty(sizes[0]),
            totals,
            chosen,
            table.class_counts(),
        )
        for j in range(table.arities.size):
            out._smooth(j)
        return out

    def _smooth(self, j: int) -> None:
        """Fill in the levels of one attribute, from the lowest on."""
        arity, n_classes = int(self.arities[j]), self.class_counts.size
        first = self.counts[self.starts[j, 0] :][: arity * n_classes].reshape(arity, n_classes)
        self.shown[self.offsets[j] : self.offsets[j + 1]] = first.sum(axis=1)
        below, left_out = (np.repeat(p, n_classes).reshape(1, arity, n_classes) for p in marginals(first))
        n_contexts = n_wider = 1
        for level, start in enumerate(self.starts[j]):
            if start < 0:
                return
            if level:
                n_wider = int(self.arities[self.parents[j, level - 1]])
                n_contexts *= n_wider
            shape = (n_contexts, arity, n_classes)
            inside, above = slice(start, start + math.prod(shape)), int(self.contexts[j, level])
            own = self.tables[inside].reshape(shape)
            own_left_out = np.empty(shape)
            self.concentrations[j, level] = fit_level(
                self.counts[inside].reshape(shape),
                below,
                left_out,
                n_wider,
                self.concentrations[j, level],
                self.totals[above : above + n_contexts * n_classes].reshape(n_contexts, n_classes),
                own,
                own_left_out,
            )
            below, left_out = own, own_left_out

    @property
    def class_prior(self) -> NDArray[np.float64]:
        """P(class)."""
        smoothed = self.class_counts + CLASS_ALPHA
        return smoothed / smoothed.sum()

    def losses(self, table: TrainingTable, order: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the bits of the left-out rows by most parents, and by number of attributes in `order`."""
        return self._leave_out(table, order, 0, 0, _NO_ROWS)

    def left_out(self, table: TrainingTable, order: NDArray[np.int64], level: int) -> NDArray[np.float64]:
        """Return the posterior of each training row, left out, from the attributes in `order`."""
        out = np.empty((table.y.size, table.n_classes))
        self._leave_out(table, order, level, order.size, out)
        return out

    def _leave_out(
        self,
        table: TrainingTable,
        order: NDArray[np.int64],
        level: int,
        n_kept: int,
        forecasts: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        losses = np.zeros((self.starts.shape[1], order.size + 1))
        weight = np.empty(0) if table.weight is None else table.weight
        leave_out_each(
            table.codes, table.y, weight, self.arities, order, self.parents, self.starts, self.contexts,
            self.offsets, self.shown, self.counts, self.totals, self.concentrations, self.class_counts,
            CLASS_ALPHA, losses, level, n_kept, forecasts,
        )  # fmt: skip
        return losses

    def posterior(
        self, codes: NDArray[Any], order: NDArray[np.int64], n_levels: int | None = None
    ) -> NDArray[np.float64]:
        """Return the class posterior of each row from the attributes in `order` and their first levels."""
        starts = self.starts[:, :n_levels]
        parents = self.parents[:, : starts.shape[1] - 1]
        out = np.empty((codes.shape[1], self.class_counts.size))
        multiply_levels(
            codes, self.arities, order, parents, starts, self.shown > 0, self.offsets, self.tables,
            self.class_prior, out,
        )  # fmt: skip
        return out


def _layout(
    table: TrainingTable, parents: Sequence[tuple[int, ...]]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], tuple[int, int]]:
    """Return the parents in a table, where levels start, and the lengths of both flat arrays."""
    n_levels = 1 + max((len(others) for others in parents), default=0)
    listed = np.full((len(parents), n_levels - 1), -1, dtype=np.int64)
    starts, contexts = (np.full((len(parents), n_levels), -1, dtype=np.int64) for _ in range(2))
    n_cells = n_totals = 0
    for j, others in enumerate(parents):
        listed[j, : len(others)] = others
        n_contexts = 1
        for level in range(len(others) + 1):
            n_contexts *= int(table.arities[others[level - 1]]) if level else 1
            starts[j, level], contexts[j, level] = n_cells, n_totals
            n_totals += n_contexts * table.n_classes
            n_cells += n_contexts * table.n_classes * int(table.arities[j])
    return listed, starts, contexts, (n_cells, n_totals)
