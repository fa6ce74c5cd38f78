"""Tables with backoff for networks in which the class is a parent of every attribute."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.bayes._kernels.left_out_levels import leave_out_each, left_out_features
from learners.bayes._kernels.occurring_levels import (
    count_cells,
    fit_levels,
    level_features,
    mark_cells,
    multiply_levels,
    number_cells,
)
from learners.bayes._kernels.one_dependence import LANES
from learners.counts.class_prior import class_prior

__all__ = ["CLASS_ALPHA", "BackedOffFamilies", "n_scores"]

CLASS_ALPHA = 1.0  # pseudo-count of a class


def n_scores(n_classes: int) -> int:
    """Return how many numbers of a row stand for classes: of two their difference, else whole lanes."""
    return 1 if n_classes == 2 else n_classes + -n_classes % LANES


@dataclass(frozen=True, eq=False)
class Cells:
    """The occurring values of attributes together with those of their parents."""

    # as `occurring_levels` lays it out; level by level, so that the first levels lie in front
    parents: NDArray[np.int64]  # (n_features, n_levels - 1), in their order, -1 past the last
    starts: NDArray[np.int64]  # (n_features, n_levels): in `cell_ids`, -1 for none
    contexts: NDArray[np.int64]  # the same in `context_ids`
    cell_ids: NDArray[np.int32]
    context_ids: NDArray[np.int32]

    @classmethod
    def of(cls, table: TrainingTable, parents: Sequence[tuple[int, ...]]) -> Self:
        """Lay out the levels, and mark the cells that occur."""
        n_levels = 1 + max((len(others) for others in parents), default=0)
        arities = table.arities.tolist()
        listed = np.full((len(parents), n_levels - 1), -1, dtype=np.int64)
        starts, contexts = (np.full((len(parents), n_levels), -1, dtype=np.int64) for _ in range(2))
        n_cells = n_contexts = 0
        for level in range(n_levels):
            for j, others in enumerate(parents):
                if level <= len(others):
                    listed[j, :level] = others[:level]
                    starts[j, level], contexts[j, level] = n_cells, n_contexts
                    size = math.prod(arities[u] for u in others[:level])
                    n_cells += size * arities[j]
                    n_contexts += size
        cell_ids, context_ids = (np.full(n, -1, dtype=np.int32) for n in (n_cells, n_contexts))
        mark_cells(table.codes, table.arities, listed, starts, cell_ids)
        return cls(listed, starts, contexts, cell_ids, context_ids)

    def up_to(self, level: int) -> "Cells":
        """Return only the first levels."""
        if level + 1 >= self.starts.shape[1]:
            return self
        others = self.starts[:, level + 1] >= 0
        n_cells, n_contexts = (places[others, level + 1].min() for places in (self.starts, self.contexts))
        return Cells(
            self.parents[:, :level].copy(),
            self.starts[:, : level + 1].copy(),
            self.contexts[:, : level + 1].copy(),
            self.cell_ids[:n_cells].copy(),
            self.context_ids[:n_contexts].copy(),
        )


@dataclass(frozen=True, eq=False)
class BackedOffFamilies:
    """P(attribute | class, its first l parents) for all attributes and all l, each backed off to l - 1."""

    # With n rows of a value among the N rows of its class and parent values, and q the probability one level
    # below, it is (n + m q) / (N + m). The lowest level is the marginal of the attribute, with a pseudo-count
    # of 1 in all. The concentration m belongs to an attribute and level; it is the most probable one given
    # the training rows, each left out in turn, if beforehand log m is normal around log 50 with deviation 1.
    arities: NDArray[np.int64]
    cells: Cells
    offsets: NDArray[np.int64]  # first value of each attribute in `shown`
    shown: NDArray[np.float64]  # weight of the rows with each value
    counts: NDArray[np.float64]  # (cell, class)
    tables: NDArray[np.float64]  # the same, smoothed
    totals: NDArray[np.float64]  # (context, class): sums of the counts over the values
    concentrations: NDArray[np.float64]  # (n_features, n_levels): m, 0 where there is no level
    class_counts: NDArray[np.float64]
    most_out: float  # of a row's weight, when the row is left out

    @classmethod
    def of(
        cls,
        table: TrainingTable,
        parents: Sequence[tuple[int, ...]],
        concentrations: NDArray[np.float64] | None = None,
        whole_rows: bool = False,
    ) -> "BackedOffFamilies":
        """Count the levels, and smooth them. With concentrations of 0 or None these are chosen."""
        # a weight of 3 is three rows, of which one is left out, or with `whole_rows` one row
        cells = Cells.of(table, parents)
        chosen = np.zeros(cells.starts.shape) if concentrations is None else concentrations.copy()
        offsets = np.concatenate([[0], np.cumsum(table.arities)])
        n_cells = int((cells.cell_ids >= 0).sum())
        first_cells = np.empty(cells.starts.size + 1, dtype=np.int64)
        context_of, below_of = np.empty((2, n_cells), dtype=np.int64)
        n_contexts = number_cells(
            table.arities, cells.parents, cells.starts, cells.contexts, cells.cell_ids, cells.context_ids,
            first_cells, context_of, below_of,
        )  # fmt: skip
        counts = np.zeros((n_cells, table.n_classes))
        count_cells(
            table.codes, table.y, table.kernel_weight, table.arities, cells.parents, cells.starts,
            cells.cell_ids, counts,
        )  # fmt: skip
        shown, tables = np.zeros(int(offsets[-1])), np.empty_like(counts)
        totals = np.zeros((n_contexts, table.n_classes))
        class_counts, n_rows = table.class_counts(), np.bincount(table.y, minlength=table.n_classes)
        most_out, units = 1.0, np.ones(table.n_classes)
        if whole_rows:
            most_out = np.inf
            np.divide(class_counts, n_rows, out=units, where=n_rows > 0)
        fit_levels(
            table.arities, offsets, first_cells, context_of, below_of, counts, units, shown, totals, chosen,
            tables,
        )  # fmt: skip
        return cls(
            table.arities, cells, offsets, shown, counts, tables, totals, chosen, class_counts, most_out
        )

    @property
    def class_prior(self) -> NDArray[np.float64]:
        """P(class)."""
        return class_prior(self.class_counts, alpha=CLASS_ALPHA)

    def losses(self, table: TrainingTable, order: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the bits of left-out training rows by most parents, and by attributes of `order`."""
        return self._left_out_losses(table, order, order.size + 1)

    def losses_with_all(self, table: TrainingTable) -> NDArray[np.float64]:
        """Return the bits of left-out training rows by most parents, with all attributes."""
        return self._left_out_losses(table, np.arange(self.arities.size), 1)[:, 0]

    def _left_out_losses(
        self, table: TrainingTable, order: NDArray[np.int64], n_columns: int
    ) -> NDArray[np.float64]:
        cells, losses = self.cells, np.zeros((self.cells.starts.shape[1], n_columns))
        leave_out_each(
            table.codes, table.y, table.kernel_weight, self.most_out, self.arities, order, cells.parents,
            cells.starts,
            cells.contexts, cells.cell_ids, cells.context_ids, self.offsets, self.shown, self.counts,
            self.totals, self.concentrations, self.class_counts, CLASS_ALPHA, losses,
        )  # fmt: skip
        return losses

    def up_to(self, level: int) -> "BackedOffFamilies":
        """Return what forecasts of further rows by the first levels need, without counts."""
        cells, kept = self.cells.up_to(level), slice(level + 1)
        n_cells, n_contexts = (int(ids.max(initial=-1)) + 1 for ids in (cells.cell_ids, cells.context_ids))
        return replace(
            self,
            cells=cells,
            counts=self.counts[:0].copy(),
            tables=self.tables[:n_cells].copy(),
            totals=self.totals[:n_contexts].copy(),
            concentrations=self.concentrations[:, kept].copy(),
        )

    def posterior(self, codes: NDArray[Any], order: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the class posterior of each row from the attributes in `order`."""
        out, cells = np.empty((codes.shape[1], self.class_counts.size)), self.cells
        codes = np.ascontiguousarray(codes)  # or kernels are compiled for each layout
        multiply_levels(
            codes, self.arities, order, cells.parents, cells.starts, cells.contexts, cells.cell_ids,
            cells.context_ids, self.totals, self.concentrations, self.tables, self.class_prior, out,
        )  # fmt: skip
        return out

    def left_out_features(self, table: TrainingTable, level: int) -> NDArray[np.float32]:
        """Return log P(value | class, up to `level` parents) of the training rows, each left out."""
        # (n_samples, n_features, `n_scores`), past the last class 0; of two classes second less first
        out, cells = self._no_features(table.y.size), self.cells
        left_out_features(
            table.codes, table.y, table.kernel_weight, self.most_out, self.arities, cells.parents,
            cells.starts, cells.contexts, cells.cell_ids, cells.context_ids, self.offsets, self.shown,
            self.counts, self.totals, self.concentrations, level, out,
        )  # fmt: skip
        return out

    def features(self, codes: NDArray[Any]) -> NDArray[np.float32]:
        """Return log P(value | class, parents) of further rows, as `left_out_features`."""
        out, cells = self._no_features(codes.shape[1]), self.cells
        codes = np.ascontiguousarray(codes)
        level_features(
            codes, self.arities, cells.parents, cells.starts, cells.contexts, cells.cell_ids,
            cells.context_ids, self.totals, self.concentrations, self.tables, out,
        )  # fmt: skip
        return out

    def _no_features(self, n_rows: int) -> NDArray[np.float32]:
        return np.zeros((n_rows, self.arities.size, n_scores(self.class_counts.size)), dtype=np.float32)
