"""Training rows in C4.5's order, which it permutes in place and in which it adds up weights."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners.compiled import kernel
from learners.trees._kernels.split import branch_of

__all__ = ["OrderedRows", "Test", "bring_forward", "sort_numbers", "weigh"]

# Pending ranges of the sort: the longer part of each is deferred, so that their number is logarithmic.
WAITING = 128


class OrderedRows(NamedTuple):
    """The rows, each at a place; those of a node are a range of places.

    Attributes
    ----------
    codes : ndarray of unsigned integers, shape (n_rows, n_features)
    y : ndarray of int32, shape (n_rows,)
        Codes and classes, by row.
    row : ndarray of int64, shape (n_rows,)
        The row at each place.
    weight : ndarray of float32, shape (n_rows,)
        Its weight in the present node.
    in_any_order : bool
        Whether all sums are exact, so that the order does not matter.
    """

    codes: NDArray[Any]
    y: NDArray[np.int32]
    row: NDArray[np.int64]
    weight: NDArray[np.float32]
    in_any_order: bool


#: The attribute of a test, its number of codes, whether it is a number, and the largest code of the low side.
Test = tuple[int, int, bool, int]


@kernel
def _exchange(rows: OrderedRows, i: int, j: int) -> None:
    """Exchange the rows at two places, and their weights."""
    row, weight = rows.row[i], rows.weight[i]
    rows.row[i], rows.weight[i] = rows.row[j], rows.weight[j]
    rows.row[j], rows.weight[j] = row, weight


@kernel
def weigh(rows: OrderedRows, lo: int, hi: int) -> np.float32:
    """Add up the weights of a range, one after the other."""
    total = np.float32(0.0)
    for i in range(lo, hi):
        total += rows.weight[i]
    return total


@kernel
def bring_forward(rows: OrderedRows, lo: int, hi: int, test: Test, branch: int) -> int:
    """Move the rows of a branch, or those of none (-1), to the front of a range; return where they end."""
    a, size, is_number, cut = test
    for i in range(lo, hi):
        if branch_of(np.int64(rows.codes[rows.row[i], a]), size, is_number, cut) == branch:
            _exchange(rows, lo, i)
            lo += 1
    return lo


@kernel
def sort_numbers(rows: OrderedRows, lo: int, hi: int, a: int, numbers: NDArray[np.float32]) -> None:
    """Sort a range by a number, with ties in the order in which C4.5's quicksort leaves them.

    Nearly sorted rows take quadratic time, as in C4.5, unless any order will do; sorted rows, which that sort
    leaves unchanged, do not.
    """
    waiting = np.empty((WAITING, 2), np.int64)
    waiting[0, 0], waiting[0, 1] = lo, hi - 1
    n = 1
    while n:
        n -= 1
        first, last = waiting[n, 0], waiting[n, 1]
        if _is_sorted(rows, first, last, a, numbers):
            continue
        low, high = _part(rows, first, last, a, numbers)
        longer = 0 if low - first > last - high else 1
        for side in (longer, 1 - longer):
            waiting[n, 0], waiting[n, 1] = (first, low) if side == 0 else (high, last)
            n += 1


@kernel
def _is_sorted(rows: OrderedRows, first: int, last: int, a: int, numbers: NDArray[np.float32]) -> bool:
    for i in range(first, last):
        if numbers[np.int64(rows.codes[rows.row[i], a])] > numbers[np.int64(rows.codes[rows.row[i + 1], a])]:
            return False
    return True


@kernel
def _part(rows: OrderedRows, first: int, last: int, a: int, numbers: NDArray[np.float32]) -> tuple[int, int]:
    """Partition a range by its last number; return where lower numbers end and higher ones begin."""
    if rows.in_any_order:
        _exchange(rows, (first + last) // 2, last)
    pivot = numbers[np.int64(rows.codes[rows.row[last], a])]
    middle = first
    for i in range(first, last):
        if numbers[np.int64(rows.codes[rows.row[i], a])] <= pivot:
            _exchange(rows, middle, i)
            middle += 1
    low = middle - 1
    for i in range(middle - 1, first - 1, -1):
        if numbers[np.int64(rows.codes[rows.row[i], a])] == pivot:
            _exchange(rows, low, i)
            low -= 1
    _exchange(rows, middle, last)
    return low, middle + 1
