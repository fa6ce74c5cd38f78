"""The rules "value -> most frequent class" of each attribute, and the most accurate attribute."""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.rules._shared.attribute_split import AttributeSplit, SortedColumn, sorted_columns
from learners.shown_text import label_text
from learners.tables.attributes import Schema

__all__ = ["best_value_rules", "equal_width_cuts"]

TIE = 1e-9  # weights of rows that differ by less are ties


def best_value_rules(
    table: TrainingTable, schema: Schema, cuts: Callable[[SortedColumn], NDArray[np.float64]]
) -> AttributeSplit | None:
    """Group the rows by the attribute that classifies most of them correctly."""
    best = None
    for split in splits_in_order(table, schema, cuts):
        if split.is_informative and (best is None or split.right > best.right + TIE * best.right):
            best = split
    return best


def splits_in_order(
    table: TrainingTable, schema: Schema, cuts: Callable[[SortedColumn], NDArray[np.float64]]
) -> Iterable[AttributeSplit]:
    """Group the rows by the values or intervals of each attribute, in the order of the columns."""
    row, columns = 0, sorted_columns(table)
    for attribute in schema.attributes:
        if attribute.is_numeric:
            column = next(columns)
            yield AttributeSplit.of_cuts(table, column.row, cuts(column), cut_below=False)
        else:
            labels = tuple(f"= {label_text(state)}" for state in attribute.states)
            yield AttributeSplit.of_values(table, row, labels, np.arange(attribute.arity))
            row += 1


def equal_width_cuts(column: SortedColumn, n_bins: int) -> NDArray[np.float64]:
    """Cut the range of a numeric attribute into intervals of one width."""
    if column.x.size == 0 or column.x[0] == column.x[-1]:
        return np.empty(0)
    low, high = column.x[0], column.x[-1]
    share = np.arange(1, n_bins) / n_bins
    return np.unique((1 - share) * low + share * high)
