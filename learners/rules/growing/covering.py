"""Covering: rules for one class, each for the rows that the previous ones leave."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from learners.counts.slots import slot_offsets
from learners.rules._kernels.rows import count_codes
from learners.rules.growing.growth_rows import GrowthTable, SideCounts, Weighed
from learners.rules.sets.ruleset import LearnedRule

__all__ = ["RemainingRows", "cover_class"]


@dataclass(frozen=True)
class RemainingRows:
    """Rows of a class not yet covered by a rule, with all rows of the other classes."""

    # counts are updated rather than recomputed, since every rule starts from them
    table: GrowthTable
    of_class: NDArray[np.bool_]  # the rows of the class that are left
    rows: NDArray[np.int32]  # these and the rows of the other classes
    nominal: NDArray[np.float64]  # weight by value, see `SideCounts`
    numeric: NDArray[np.float64]  # by level, and after the levels of an attribute of missing ones

    @classmethod
    def of(cls, table: GrowthTable, target: int) -> Self:
        """Begin with all rows of the training table."""
        of_class, rows = table.y == target, table.all_rows()
        return cls(table, of_class, rows, *_dense_counts(table, rows, of_class))

    def without(self, covered: NDArray[np.int32]) -> Self:
        """Remove rows of the class."""
        table, of_class = self.table, self.of_class.copy()
        of_class[covered] = False
        stays = np.ones(of_class.size, dtype=bool)
        stays[covered] = False
        rows = self.rows[stays[self.rows]]
        if table.weight.size:  # subtracting real weights would leave rounding errors
            return type(self)(table, of_class, rows, *_dense_counts(table, rows, of_class))
        nominal, numeric = _dense_counts(table, covered, self.of_class)
        return type(self)(table, of_class, rows, self.nominal - nominal, self.numeric - numeric)

    def weighed(self) -> Weighed:
        """Weigh the rows, those of the class separately."""
        return self.table.weigh(self.rows, self.of_class)

    def counts(self) -> SideCounts:
        """Return the counts in the form that the kernels read, restricted to levels that occur."""
        offsets = _rank_offsets(self.table)
        occurs = np.asarray(self.numeric.any(axis=1))
        occurs[offsets[1:] - 1] = False  # missing
        slots = np.flatnonzero(occurs)
        starts = np.searchsorted(slots, offsets).astype(np.int64)
        ranks = slots - np.repeat(offsets[:-1], np.diff(starts))
        return SideCounts(self.nominal, starts, ranks.astype(np.int32), self.numeric[slots])


def _dense_counts(
    table: GrowthTable, rows: NDArray[np.int32], of_class: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    nominal = count_codes(table.codes, rows, of_class, table.weight, table.offsets)
    return nominal, count_codes(table.ranks, rows, of_class, table.weight, _rank_offsets(table))


def _rank_offsets(table: GrowthTable) -> NDArray[np.int64]:
    return slot_offsets(np.diff(table.level_starts))


#: A learner's search: the next rule for the remaining rows, with the rows that it covers, or None.
FindRule = Callable[[RemainingRows], tuple[LearnedRule, NDArray[np.int32]] | None]


def cover_class(table: GrowthTable, target: int, find: FindRule) -> list[LearnedRule]:
    """Find rules for a class until there are no more. Rows of the class that a rule covers are removed."""
    left, rules = RemainingRows.of(table, target), []
    while (found := find(left)) is not None:
        rule, covered = found
        rules.append(rule)
        left = left.without(covered[left.of_class[covered]])
    return rules
