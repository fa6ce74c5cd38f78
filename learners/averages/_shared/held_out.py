"""Folds of weighted rows: what a row of weight w holds is what w equal rows hold."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from learners.base import TrainingTable

__all__ = ["Fold", "folds", "selected"]

#: Share of a row's weight that is rounding error.
LEAST = 1e-9


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
    """Yield stratified folds, as many of them as hold `enough` rows."""
    # The rows of each class are sorted by a hash of what is in them and dealt in turn; a row of weight w is
    # dealt as w rows, some of which may be seen and others forecast. So neither the order of the rows, nor
    # how equal rows are written, nor the names of values and classes make a difference.
    weight = np.ones(table.y.size) if table.weight is None else table.weight
    hashes, class_hashes = _hashes(table, weight)
    order = np.lexsort((hashes, table.y))
    ends = np.cumsum(weight[order])
    in_order = table.y[order]
    begins = np.searchsorted(in_order, np.arange(table.n_classes))
    before = np.concatenate([[0.0], ends])[begins]  # of the rows of earlier classes
    first_folds = (class_hashes[order] % np.uint64(n_folds)).astype(np.float64)
    ends = ends - before[in_order] + first_folds
    starts = ends - weight[order]
    held = 0.0
    for fold in range(n_folds):
        if held >= enough:
            return
        dealt = np.empty(table.y.size)
        dealt[order] = _dealt_before(ends, fold, n_folds) - _dealt_before(starts, fold, n_folds)
        left = weight - dealt
        rows, seen = np.flatnonzero(dealt > LEAST * weight), np.flatnonzero(left > LEAST * weight)
        if not rows.size or not seen.size:
            continue
        held += float(dealt.sum())
        yield Fold(seen, None if table.weight is None else left[seen], rows, dealt[rows])


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


def _dealt_before(position: NDArray[np.float64], fold: int, n_folds: int) -> NDArray[np.float64]:
    """Return how much of what lies before a position is dealt to a fold."""
    rounds, rest = np.divmod(position, n_folds)
    return rounds + np.clip(rest - fold, 0.0, 1.0)


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
