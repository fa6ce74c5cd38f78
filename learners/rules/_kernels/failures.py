"""The rows that fail exactly one condition of a rule, and their weights, updated as conditions are dropped.

Conditions of a path that bound the same number on the same side are a group: the last one on the path is the
tightest, and a row that fails another one fails it, too. So a row fails one condition of a group (counted
once) or more (counted twice, however many), and when a condition is dropped, only the rows between two bounds
must be examined.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.compiled import kernel

__all__ = ["NONE", "ONE_VALUE", "count_failures", "lift", "tally"]

ONE_VALUE = 2  # side of a group that requires a value; 0 and 1 are the low and the high side of cuts
NONE = -1
FEW = 8  # up to one row in this many is looked up; more are found by scanning all


@kernel
def count_failures(
    column: NDArray[Any],
    size: int,
    side: int,
    bound: int,
    step: int,
    place: int,
    n_failed: NDArray[np.int32],
    of_failed: NDArray[np.int32],
) -> None:
    """Add a step to the failures of the rows that fail a condition, as rows with the value missing do."""
    if bound == NONE:
        return
    n, of = np.int32(step), np.int32(step * place)
    if side == ONE_VALUE:
        for i in range(column.size):
            fails = column[i] != bound
            n_failed[i] += n * fails
            of_failed[i] += of * fails
    elif side == 0:
        for i in range(column.size):
            fails = column[i] > bound
            n_failed[i] += n * fails
            of_failed[i] += of * fails
    else:
        for i in range(column.size):
            fails = (column[i] <= bound) | (column[i] == size)
            n_failed[i] += n * fails
            of_failed[i] += of * fails


@kernel
def lift(
    column: NDArray[Any],
    size: int,
    order: NDArray[np.int32],
    at: NDArray[np.int64],
    side: int,
    bound: int,
    wider: int,
    place: int,
    y: NDArray[np.int32],
    weight: NDArray[np.float64],
    conclusion: int,
    n_failed: NDArray[np.int32],
    of_failed: NDArray[np.int32],
    total: NDArray[np.float64],
    wrong: NDArray[np.float64],
    only: NDArray[np.int64],
) -> bool:
    """Remove one failure of the rows between a bound and the wider one; return whether all sums are stale."""
    if wider != NONE:
        lower, upper = (bound, wider) if side == 0 else (wider, bound)
        first, last = at[lower + 1], at[upper + 1]
        if (last - first) * FEW < y.size:
            for j in range(first, last):
                i = order[j]
                _let_pass(i, place, n_failed, of_failed, y[i] != conclusion, weight[i], total, wrong, only)
            return False
    count_failures(column, size, side, bound, -1, place, n_failed, of_failed)
    count_failures(column, size, side, wider, 1, place, n_failed, of_failed)
    return True


@kernel
def tally(
    n_failed: NDArray[np.int32],
    of_failed: NDArray[np.int32],
    y: NDArray[np.int32],
    weight: NDArray[np.float64],
    conclusion: int,
    n_groups: int,
    total: NDArray[np.float64],
    wrong: NDArray[np.float64],
    only: NDArray[np.int64],
) -> None:
    """Weigh the rows that meet all conditions (place 0), and those that fail one only (its place from 1)."""
    total[: n_groups + 1] = 0.0
    wrong[: n_groups + 1] = 0.0
    only[: n_groups + 1] = 0
    for i in range(y.size):
        if n_failed[i] <= 1:
            place = of_failed[i]
            total[place] += weight[i]
            wrong[place] += weight[i] * (y[i] != conclusion)
            only[place] += 1


@kernel
def _let_pass(
    i: int,
    place: int,
    n_failed: NDArray[np.int32],
    of_failed: NDArray[np.int32],
    is_wrong: bool,
    weight: float,
    total: NDArray[np.float64],
    wrong: NDArray[np.float64],
    only: NDArray[np.int64],
) -> None:
    """Record that a row fails one condition of a group fewer."""
    n_failed[i] -= 1
    of_failed[i] -= place
    if n_failed[i] > 1:
        return
    to = of_failed[i]  # 0 if it fails nothing now
    total[to] += weight
    wrong[to] += weight * is_wrong
    only[to] += 1
    if n_failed[i] == 0:
        only[place] -= 1
        total[place] = total[place] - weight if only[place] else 0.0
        wrong[place] = wrong[place] - weight * is_wrong if only[place] else 0.0
