"""Training rows as rule growth needs them: numbers ranked once, subsets, and counts of them."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.counts.slots import slot_offsets
from learners.rules._kernels.rows import count_codes, count_levels, rows_that_meet, weigh_rows
from learners.rules.sets.condition import Condition
from learners.tables.attributes import CodedTable

__all__ = ["GrowthTable", "SideCounts", "Weighed"]


@dataclass(frozen=True)
class Weighed:
    """The weights of a subset of rows: of the class and in all, and the number of rows of other classes."""

    right: float
    total: float
    n_wrong: int


@dataclass(frozen=True)
class SideCounts:
    """Weight of the rows of a subset by value, those of the class separate from the others."""

    nominal: NDArray[np.float64]  # a slot for each value of each attribute, and one for missing after them
    starts: NDArray[np.int64]  # where each numeric attribute begins in `ranks` and `numeric`
    ranks: NDArray[np.int32]  # its levels that occur, as places among all its levels, ascending
    numeric: NDArray[np.float64]  # their weights, (n_occurring, 2)


@dataclass(frozen=True)
class GrowthTable:
    """The training rows, with the place of each number among the levels of its column. Subsets are int32."""

    codes: NDArray[Any]
    values: NDArray[np.float64]
    arities: NDArray[np.int64]
    y: NDArray[np.intp]
    offsets: NDArray[np.int64]  # first slot of each nominal attribute, whose last slot is for missing
    weight: NDArray[np.float64]  # of each row; of length 0 where all weigh 1
    levels: NDArray[np.float64]  # distinct values of each numeric attribute, ascending
    level_starts: NDArray[np.int64]  # where each attribute begins in `levels`
    ranks: NDArray[np.int32]  # (n_numeric, n_samples); the number of levels where missing

    @classmethod
    def of(cls, table: TrainingTable) -> Self:
        """Rank the numbers of each column."""
        ranks = np.empty(table.values.shape, dtype=np.int32)
        levels: list[NDArray[np.float64]] = []
        for column, places in zip(table.values, ranks, strict=True):
            known = ~np.isnan(column)
            distinct, places[known] = np.unique(column[known], return_inverse=True)
            places[~known] = distinct.size
            levels.append(distinct)
        return cls(
            codes=table.codes,
            values=table.values,
            arities=table.arities,
            y=table.y,
            offsets=slot_offsets(table.arities),
            weight=table.kernel_weight,
            levels=np.concatenate([np.empty(0), *levels]),
            level_starts=np.cumsum([0, *(part.size for part in levels)], dtype=np.int64),
            ranks=ranks,
        )

    @property
    def n_cuts(self) -> NDArray[np.int64]:
        """Gaps between the levels of each numeric attribute, of shape (n_numeric,)."""
        return np.maximum(np.diff(self.level_starts) - 1, 0)

    @property
    def coded(self) -> CodedTable:
        """The rows as a table to be forecast."""
        return CodedTable(self.codes, self.values, self.y.size)

    def all_rows(self) -> NDArray[np.int32]:
        """Return the whole table as a subset."""
        return np.arange(self.y.size, dtype=np.int32)

    def that_meet(self, rows: NDArray[np.int32], condition: Condition) -> NDArray[np.int32]:
        """Return the rows of a subset for which a condition holds."""
        numeric = condition.is_numeric
        state = -1 if numeric else int(condition.value)
        missing = -1 if numeric else int(self.arities[condition.row])
        return rows_that_meet(
            self.codes, self.values, rows, condition.operator, condition.row, state, missing, condition.value
        )

    def weigh(self, rows: NDArray[np.int32], of_class: NDArray[np.bool_]) -> Weighed:
        """Weigh the rows of a subset, those of the class separately."""
        return Weighed(*weigh_rows(rows, of_class, self.weight))

    def count(self, rows: NDArray[np.int32], of_class: NDArray[np.bool_]) -> SideCounts:
        """Weigh the rows of a subset value by value, those of the class separately."""
        nominal = count_codes(self.codes, rows, of_class, self.weight, self.offsets)
        return SideCounts(nominal, *count_levels(self.ranks, rows, of_class, self.weight, self.level_starts))
