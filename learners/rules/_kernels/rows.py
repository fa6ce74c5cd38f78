"""Subsets of training rows: which meet a condition, and their weights."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.rules._kernels.firing import meet_condition


@kernel
def rows_that_meet(
    codes: NDArray[Any],
    values: NDArray[np.float64],
    rows: NDArray[np.int32],
    operator: int,
    row: int,
    state: int,
    missing: int,
    threshold: float,
) -> NDArray[np.int32]:
    """Return the rows for which a condition holds, in order."""
    out = np.empty(rows.size, np.int32)
    n = meet_condition(codes, values, operator, row, state, missing, threshold, rows, out)
    return out[:n].copy()


@kernel
def weigh_rows(
    rows: NDArray[np.int32], marked: NDArray[np.bool_], weight: NDArray[np.float64]
) -> tuple[float, float, int]:
    """Return the weight of the marked rows, of all rows, and the number of rows not marked."""
    inside = 0.0
    outside = 0.0
    n_outside = 0
    for i in rows:
        w = weight[i] if weight.size else 1.0
        if marked[i]:
            inside += w
        else:
            outside += w
            n_outside += 1
    return inside, inside + outside, n_outside


@kernel
def count_codes(
    codes: NDArray[Any],
    rows: NDArray[np.int32],
    marked: NDArray[np.bool_],
    weight: NDArray[np.float64],
    offsets: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Weigh (slot, marked or not) over some rows, with a slot per value and one for missing."""
    # 48,842 rows of 8 attributes: 0.6 ms
    out = np.zeros((offsets[codes.shape[0]], 2))
    for j in range(codes.shape[0]):
        for i in rows:
            out[offsets[j] + codes[j, i], 0 if marked[i] else 1] += weight[i] if weight.size else 1.0
    return out


@kernel
def count_levels(
    ranks: NDArray[np.int32],
    rows: NDArray[np.int32],
    marked: NDArray[np.bool_],
    weight: NDArray[np.float64],
    level_starts: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
    """Weigh (level, marked or not) of each numeric column over some rows, levels that occur only."""
    # `ranks`: the place of a value among the levels of its column, their number if missing. Few rows are
    # sorted, many are counted; both add in the order of the rows. 48,842 x 6: 0.8 ms; sorting takes 15 ms.
    n_columns = ranks.shape[0]
    starts = np.zeros(n_columns + 1, np.int64)
    size = 0
    for j in range(n_columns):
        size += min(rows.size, level_starts[j + 1] - level_starts[j])
    found = np.empty(size, np.int32)
    counts = np.zeros((size, 2))
    at = 0
    for j in range(n_columns):
        n_levels = level_starts[j + 1] - level_starts[j]
        if rows.size * 32 < n_levels:
            at = _by_sorting(ranks[j], n_levels, rows, marked, weight, found, counts, at)
        else:
            at = _by_counting(ranks[j], n_levels, rows, marked, weight, found, counts, at)
        starts[j + 1] = at
    return starts, found[:at], counts[:at]


@kernel
def _by_sorting(
    ranks: NDArray[np.int32],
    n_levels: int,
    rows: NDArray[np.int32],
    marked: NDArray[np.bool_],
    weight: NDArray[np.float64],
    found: NDArray[np.int32],
    counts: NDArray[np.float64],
    at: int,
) -> int:
    here = ranks[rows]
    before = -1
    for k in np.argsort(here, kind="mergesort"):
        if here[k] == n_levels:
            break
        if here[k] != before:
            before = here[k]
            found[at] = before
            at += 1
        i = rows[k]
        counts[at - 1, 0 if marked[i] else 1] += weight[i] if weight.size else 1.0
    return at


@kernel
def _by_counting(
    ranks: NDArray[np.int32],
    n_levels: int,
    rows: NDArray[np.int32],
    marked: NDArray[np.bool_],
    weight: NDArray[np.float64],
    found: NDArray[np.int32],
    counts: NDArray[np.float64],
    at: int,
) -> int:
    every = np.zeros((n_levels + 1, 2))
    for i in rows:
        every[ranks[i], 0 if marked[i] else 1] += weight[i] if weight.size else 1.0
    for level in range(n_levels):
        if every[level, 0] > 0.0 or every[level, 1] > 0.0:
            found[at] = level
            counts[at] = every[level]
            at += 1
    return at
