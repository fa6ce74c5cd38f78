"""Tables of networks with the class as a parent of every attribute, which back off along their parents."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.bayes._kernels.backing_off import (
    back_off,
    leave_out_each,
    left_out_features,
    level_features,
    multiply_levels,
)
from learners.bayes._shared.backed_off_tables import LevelCounts
from learners.counts.class_prior import class_prior

__all__ = ["CLASS_ALPHA", "BackedOffFamilies"]

CLASS_ALPHA = 1.0  # pseudo-count of a class


@dataclass(frozen=True, eq=False)
class BackedOffFamilies:
    """P(attribute | class, its first l parents) for all attributes and all l, each backed off to l - 1."""

    # With n rows of a value among the N rows of its class and parent values, and q the probability one level
    # below, it is (n + m q) / (N + m). The lowest level is the marginal of the attribute, with a pseudo-count
    # of 1 in all. The concentration m belongs to an attribute and level; it is the most probable one given
    # the training rows, each left out in turn, if beforehand log m is normal around log 50 with deviation 1.
    arities: NDArray[np.int64]
    parents: NDArray[np.int64]  # (n_features, n_levels - 1), in their order, -1 past the last
    starts: NDArray[np.int64]  # (n_features, n_levels): in `tables`, -1 for none
    contexts: NDArray[np.int64]  # the same in `totals`
    offsets: NDArray[np.int64]  # first value of each attribute in `shown`
    shown: NDArray[np.float64]  # weight of the rows with each value
    counts: NDArray[np.float64]  # laid out as `tables`: (parents, value, class)
    tables: NDArray[np.float64]
    totals: NDArray[np.float64]  # sums of the counts over the values
    concentrations: NDArray[np.float64]  # (n_features, n_levels): m, 0 where there is no level
    class_counts: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        table: TrainingTable,
        parents: Sequence[tuple[int, ...]],
        concentrations: NDArray[np.float64] | None = None,
    ) -> "BackedOffFamilies":
        """Count the levels, and smooth them; with concentrations of 0 or None these are chosen."""
        levels = LevelCounts.of(table, parents)
        chosen = np.zeros(levels.starts.shape) if concentrations is None else concentrations.copy()
        offsets = np.concatenate([[0], np.cumsum(table.arities)])
        shown = np.zeros(int(offsets[-1]))
        arities = table.arities.tolist()
        tables = np.empty_like(levels.counts)
        totals = np.empty(sum(levels.counts[levels.chain(j)].size // r for j, r in enumerate(arities)))
        for j, arity in enumerate(arities):
            own, wider, first = levels.chain(j), levels.wider(j), int(levels.contexts[j, 0])
            counts = levels.counts[own]
            lowest = counts[: arity * table.n_classes].reshape(arity, table.n_classes)
            shown[offsets[j] : offsets[j + 1]] = lowest.sum(axis=1)
            sums = totals[first : first + counts.size // arity]
            back_off(counts, arity, table.n_classes, wider, chosen[j], tables[own], sums)
        return cls(
            table.arities, levels.parents, levels.starts, levels.contexts, offsets, shown, levels.counts,
            tables, totals, chosen, table.class_counts(),
        )  # fmt: skip

    @property
    def class_prior(self) -> NDArray[np.float64]:
        """P(class)."""
        return class_prior(self.class_counts, alpha=CLASS_ALPHA)

    def losses(self, table: TrainingTable, order: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the bits of the left-out rows by most parents, and by number of attributes in `order`."""
        losses = np.zeros((self.starts.shape[1], order.size + 1))
        weight = table.kernel_weight
        leave_out_each(
            table.codes, table.y, weight, self.arities, order, self.parents, self.starts, self.contexts,
            self.offsets, self.shown, self.counts, self.totals, self.concentrations, self.class_counts,
            CLASS_ALPHA, losses,
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

    def left_out_features(self, table: TrainingTable, level: int) -> NDArray[np.float64]:
        """Return log P(value | class, up to `level` parents) of the training rows, each left out."""
        # (n_samples, n_features, n_classes); of two classes (n_samples, n_features, 1): second less first
        out = self._no_features(table.y.size)
        weight = table.kernel_weight
        left_out_features(
            table.codes, table.y, weight, self.arities, self.parents, self.starts, self.contexts,
            self.offsets, self.shown, self.counts, self.totals, self.concentrations, table.n_classes, level,
            out,
        )  # fmt: skip
        return out

    def features(self, codes: NDArray[Any], level: int) -> NDArray[np.float64]:
        """Return log P(value | class, up to `level` parents) of further rows, as `left_out_features`."""
        out = self._no_features(codes.shape[1])
        level_features(
            codes, self.arities, self.parents, self.starts, self.shown, self.offsets, self.tables,
            self.class_counts.size, level, out,
        )  # fmt: skip
        return out

    def _no_features(self, n_rows: int) -> NDArray[np.float64]:
        n_classes = self.class_counts.size
        return np.empty((n_rows, self.arities.size, 1 if n_classes == 2 else n_classes))
