"""The rules "value -> most frequent class" of each attribute, and the attribute with most rows right."""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.rules._kernels.intervals import one_r_cuts
from learners.rules._shared.attribute_split import AttributeSplit, SortedColumn, sorted_columns
from learners.shown_text import label_text
from learners.tables.attributes import Schema

__all__ = ["best_value_rules", "equal_width_cuts", "holte_cuts", "splits_in_order"]

TIE = 1e-9  # weights of rows that differ by less are equal but for rounding


def best_value_rules(
    table: TrainingTable, schema: Schema, cuts: Callable[[SortedColumn], NDArray[np.float64]]
) -> AttributeSplit | None:
    """Group the rows by the attribute that gets most of them right.

    Parameters
    ----------
    table : TrainingTable
    schema : Schema
    cuts : callable
        Cuts of a numeric attribute.

    Returns
    -------
    AttributeSplit or None
        The first of equal attributes; None if all rows have the same value of every attribute.
    """
    best = None
    for split in splits_in_order(table, schema, cuts):
        if split.tells and (best is None or split.right > best.right + TIE * best.right):
            best = split
    return best


def splits_in_order(
    table: TrainingTable, schema: Schema, cuts: Callable[[SortedColumn], NDArray[np.float64]]
) -> Iterable[AttributeSplit]:
    """Group the rows by the values or intervals of each attribute, in the order of the columns.

    Parameters
    ----------
    table : TrainingTable
    schema : Schema
    cuts : callable
        Cuts of a numeric attribute.

    Yields
    ------
    AttributeSplit
    """
    row, columns = 0, sorted_columns(table)
    for attribute in schema.attributes:
        if attribute.is_numeric:
            column = next(columns)
            yield AttributeSplit.of_cuts(table, column.row, cuts(column), cut_below=False)
        else:
            labels = tuple(f"= {label_text(state)}" for state in attribute.states)
            yield AttributeSplit.of_values(table, row, labels, np.arange(attribute.arity))
            row += 1


def holte_cuts(column: SortedColumn, order: NDArray[np.intp], small: float) -> NDArray[np.float64]:
    """Cut a numeric attribute into intervals that hold enough rows of one class.

    Parameters
    ----------
    column : SortedColumn
    order : ndarray of intp, shape (n_classes,)
        Class codes in declared order, which settles ties.
    small : float
        Weight of its most frequent class that an interval needs, the last one excepted.

    Returns
    -------
    ndarray of float64
        Ascending.

    Examples
    --------
    >>> column = SortedColumn(0, np.arange(8.0), np.array([0, 0, 0, 1, 1, 1, 0, 0]), np.empty(0))
    >>> holte_cuts(column, np.arange(2), 3)
    array([2.5, 5.5])
    """
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    return one_r_cuts(column.x, rank[column.y], column.weight, order.size, small)


def equal_width_cuts(column: SortedColumn, n_bins: int) -> NDArray[np.float64]:
    """Cut the range of a numeric attribute into intervals of one width.

    Parameters
    ----------
    column : SortedColumn
    n_bins : int
        Number of intervals.

    Returns
    -------
    ndarray of float64
        Ascending; empty if the attribute has a single value, or none.

    Examples
    --------
    >>> equal_width_cuts(SortedColumn(0, np.array([0.0, 1.0, 9.0]), np.zeros(3, int), np.empty(0)), 3)
    array([3., 6.])
    """
    if column.x.size == 0 or column.x[0] == column.x[-1]:
        return np.empty(0)
    low, high = column.x[0], column.x[-1]
    share = np.arange(1, n_bins) / n_bins
    return np.unique((1 - share) * low + share * high)
