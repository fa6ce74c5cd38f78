"""Folds of weighted rows: what a row of weight w holds is what w equal rows hold."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from learners.base import TrainingTable

__all__ = ["Fold", "folds", "selected"]


class Fold(NamedTuple):
    """Rows to learn from and rows to forecast.

    Attributes
    ----------
    seen : TrainingTable
        Rows to learn from.
    rows : ndarray of intp
        Rows to forecast.
    weight : ndarray of float64
        Their weights.
    """

    seen: TrainingTable
    rows: NDArray[np.intp]
    weight: NDArray[np.float64]


def folds(table: TrainingTable, n_folds: int, enough: float) -> Iterator[Fold]:
    """Yield stratified folds, as many of them as hold `enough` rows.

    Rows are sorted by class and, within it, by a hash of what is in them, and dealt in turn; a row of weight
    w is dealt as w rows, some of which may be seen and others forecast. So the order of the rows and how
    equal rows are written make no difference.
    """
    order = np.lexsort((_hashes(table), table.y))
    weight = np.ones(table.y.size) if table.weight is None else table.weight
    ends = np.cumsum(weight[order])
    held = 0.0
    for fold in range(n_folds):
        if held >= enough:
            return
        dealt = np.empty(table.y.size)
        dealt[order] = _dealt_before(ends, fold, n_folds) - _dealt_before(ends - weight[order], fold, n_folds)
        left = weight - dealt
        rows, seen = np.flatnonzero(dealt > 0), np.flatnonzero(left > 1e-9)
        if not rows.size or not seen.size:
            continue
        held += float(dealt.sum())
        yield Fold(selected(table, seen, None if table.weight is None else left[seen]), rows, dealt[rows])


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


def _hashes(table: TrainingTable) -> NDArray[np.uint64]:
    """Return a hash of each row's cells."""
    out = np.zeros(table.y.size, dtype=np.uint64)
    columns = [column.astype(np.uint64) for column in table.codes]
    columns += [(column + 0.0).view(np.uint64) for column in table.values]  # adding 0 makes -0 positive
    for column in columns:
        out = pd.util.hash_array(out * np.uint64(0x9E3779B97F4A7C15) + column)
    return out
