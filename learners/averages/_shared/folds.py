"""Folds of weighted rows. Each row is in one fold."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from learners.base import TrainingTable

__all__ = ["Fold", "folds", "selected"]


class Fold(NamedTuple):
    """Rows to learn from and rows to forecast."""

    seen: NDArray[np.intp]
    seen_weight: NDArray[np.float64] | None  # None where all are 1
    rows: NDArray[np.intp]
    weight: NDArray[np.float64]

    def seen_of(self, table: TrainingTable) -> TrainingTable:
        """Return the rows to learn from, of a table with these rows."""
        return selected(table, self.seen, self.seen_weight)


def folds(table: TrainingTable, n_folds: int, enough: float) -> Iterator[Fold]:
    """Yield stratified folds until they contain `enough` rows."""
    # The rows of each class are sorted by a hash of what is in them and dealt in turn, so neither the order
    # of the rows nor the names of values and classes make a difference. A row of weight 3 is not dealt as
    # three rows: those that are seen would give those away that are forecast.
    weight = np.ones(table.y.size) if table.weight is None else table.weight
    hashes, class_hashes = _hashes(table, weight)
    order = np.lexsort((hashes, table.y))
    in_order = table.y[order]
    places = np.arange(order.size) - np.searchsorted(in_order, np.arange(table.n_classes))[in_order]
    fold_of = np.empty(order.size, dtype=np.int64)
    fold_of[order] = (places + (class_hashes[order] % np.uint64(n_folds)).astype(np.int64)) % n_folds
    held = 0
    for fold in range(n_folds):
        if held >= enough:
            return
        rows, seen = np.flatnonzero(fold_of == fold), np.flatnonzero(fold_of != fold)
        if not rows.size or not seen.size:
            continue
        held += rows.size
        yield Fold(seen, None if table.weight is None else weight[seen], rows, weight[rows])


def selected(
    table: TrainingTable, rows: NDArray[np.intp], weight: NDArray[np.float64] | None
) -> TrainingTable:
    """Return some rows of a table, with these weights."""
    return table._replace(
        codes=np.ascontiguousarray(table.codes[:, rows]),
        values=np.ascontiguousarray(table.values[:, rows]),
        y=table.y[rows],
        weight=weight,
    )


def _hashes(
    table: TrainingTable, weight: NDArray[np.float64]
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return a hash of each row's cells and one of its class, blind to names of values and order of rows."""
    # a value or a class stands first for how often it occurs, then for the rows in which it does; a number
    # for its rank
    ranks = [np.unique(x, return_inverse=True)[1].astype(np.float64) for x in table.values]
    rows = _mixed([*(_totals(codes, weight) for codes in (*table.codes, table.y)), *ranks])
    amounts = weight * (rows / 2.0**64)
    cells = _mixed([*(_totals(codes, amounts) for codes in table.codes), *ranks])
    return cells, _mixed([_totals(table.y, amounts)])


def _totals(codes: NDArray[Any], amounts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sum of the amounts of all rows with the same code, safe from their order."""
    return np.bincount(codes, weights=amounts).round(6)[codes] + 0.0  # adding 0 makes -0 positive


def _mixed(columns: list[NDArray[np.float64]]) -> NDArray[np.uint64]:
    out = np.zeros(columns[0].size if columns else 0, dtype=np.uint64)
    for column in columns:
        out = pd.util.hash_array(out * np.uint64(0x9E3779B97F4A7C15) + column.view(np.uint64))
    return out
