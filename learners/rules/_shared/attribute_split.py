"""Rows grouped by one attribute, the basis of rules on a single attribute and of stumps."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.shown_text import number_text
from learners.tables.attributes import CodedTable, Schema

__all__ = ["AttributeSplit", "SortedColumn", "sorted_columns"]


@dataclass(frozen=True)
class AttributeSplit:
    """Groups of rows by one attribute, and one more group where it is missing."""

    row: int  # of `values` of the coded table if `group_of` is empty, else of `codes`
    group_of: NDArray[np.intp]  # by code, the missing one included; empty for a numeric attribute
    cuts: NDArray[np.float64]  # of a numeric attribute, ascending
    cut_below: bool  # whether a number equal to a cut goes below it
    labels: tuple[str, ...]  # of the groups, without the missing one
    by_group: NDArray[np.float64]  # (n_groups + 1, n_classes): weight; rows without a value last

    @classmethod
    def of_values(
        cls, table: TrainingTable, row: int, labels: tuple[str, ...], group_of: NDArray[np.intp]
    ) -> "AttributeSplit":
        """Group the rows by a nominal attribute."""
        groups = np.append(group_of, len(labels))
        return cls(row, groups, np.empty(0), False, labels, _count(table, groups[table.codes[row]], labels))

    @classmethod
    def of_cuts(
        cls, table: TrainingTable, row: int, cuts: NDArray[np.float64], *, cut_below: bool
    ) -> "AttributeSplit":
        """Group the rows by the intervals of a numeric attribute."""
        labels = _interval_labels(cuts, cut_below)
        groups = _interval(table.values[row], cuts, cut_below)
        return cls(row, np.empty(0, np.intp), cuts, cut_below, labels, _count(table, groups, labels))

    def groups(self, table: CodedTable) -> NDArray[np.intp]:
        """Return the group of each row. The last number is that of a missing value."""
        if self.group_of.size:
            return self.group_of[table.codes[self.row]]
        return _interval(table.values[self.row], self.cuts, self.cut_below)

    @property
    def right(self) -> float:
        """Weight of the training rows that have the most frequent class of their group."""
        return float(self.by_group.max(axis=1).sum())

    @property
    def is_informative(self) -> bool:
        """Whether the training rows fall into more than one group."""
        return int(np.count_nonzero(self.by_group.any(axis=1))) > 1

    def n_cuts(self, table: TrainingTable) -> int:
        """Count the gaps between the distinct training numbers of the attribute, or 0 if it is nominal."""
        if self.group_of.size:
            return 0
        numbers = table.values[self.row]
        return max(np.unique(numbers[~np.isnan(numbers)]).size - 1, 0)

    def name(self, schema: Schema) -> str:
        """Return the name of the attribute."""
        places = schema.nominal if self.group_of.size else schema.numeric
        return str(schema.attributes[places[self.row]].name)


@dataclass(frozen=True)
class SortedColumn:
    """The known values of a numeric attribute in ascending order, with their classes and weights."""

    row: int  # of the values of the table
    x: NDArray[np.float64]
    y: NDArray[np.intp]
    weight: NDArray[np.float64]  # of length 0 where all rows weigh 1


def sorted_columns(table: TrainingTable) -> Iterator[SortedColumn]:
    """Sort each numeric attribute. Rows with equal values keep their order."""
    for row, values in enumerate(table.values):
        known = np.flatnonzero(~np.isnan(values))
        order = known[np.argsort(values[known], kind="stable")]
        weight = np.empty(0) if table.weight is None else table.weight[order]
        yield SortedColumn(row, values[order], table.y[order], weight)


def _count(table: TrainingTable, groups: NDArray[np.intp], labels: tuple[str, ...]) -> NDArray[np.float64]:
    shape = (len(labels) + 1, table.n_classes)
    flat = np.bincount(
        groups * table.n_classes + table.y, weights=table.weight, minlength=shape[0] * shape[1]
    )
    return flat.reshape(shape).astype(np.float64)


def _interval(x: NDArray[np.float64], cuts: NDArray[np.float64], cut_below: bool) -> NDArray[np.intp]:
    groups = np.searchsorted(cuts, x, side="left" if cut_below else "right")
    return np.where(np.isnan(x), len(cuts) + 1, groups)


def _interval_labels(cuts: NDArray[np.float64], cut_below: bool) -> tuple[str, ...]:
    """Describe the intervals in words: below the first cut, between, above the last."""
    low, high = ("<=", ">") if cut_below else ("<", ">=")
    texts = [number_text(cut) for cut in cuts.tolist()]
    if not texts:
        return ("any",)
    between = [f"{high} {a} and {low} {b}" for a, b in pairwise(texts)]
    return (f"{low} {texts[0]}", *between, f"{high} {texts[-1]}")
