"""Gains in single precision, step by step as in C4.5, whose rounding decides between equal tests."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners.compiled import kernel
from learners.trees._kernels.single_rows import OrderedRows, bring_forward, sort_numbers, weigh

__all__ = ["EPSILON", "NONE", "Columns", "Room", "judge_cuts", "judge_values", "room_for_gains"]

LOG_2 = 0.69314718055994530942
EPSILON = 1e-3  # the program's zero; a gain below -EPSILON counts as none
NONE = np.float32(-EPSILON)  # below -EPSILON by its rounding
CUT_SHARE, CUT_MOST = 0.1, np.float32(25.0)  # of the rows per class, on both sides of a cut


class Columns(NamedTuple):
    """The attributes, and the rules for tests of them.

    Attributes
    ----------
    sizes : ndarray of int64, shape (n_features,)
    is_number : ndarray of bool, shape (n_features,)
    numbers : ndarray of float32
    start : ndarray of int64, shape (n_features + 1,)
        As in `TreeRows`.
    counted : ndarray of bool, shape (n_features,)
        Whether the gain of an attribute counts in the average.
    min_weight, gap : float
        As in `GainRules`.
    """

    sizes: NDArray[np.int64]
    is_number: NDArray[np.bool_]
    numbers: NDArray[np.float32]
    start: NDArray[np.int64]
    counted: NDArray[np.bool_]
    min_weight: float
    gap: float


class Room(NamedTuple):
    """Work space.

    Attributes
    ----------
    by_class : ndarray of float32, shape (most branches + 1, n_classes)
        Weights by value and class, missing values first.
    by_value : ndarray of float32, shape (most branches + 1,)
    place : ndarray of int64, shape (n_rows,)
    cut_gain, cut_info : ndarray of float32, shape (n_rows,)
        The cuts of an attribute: the places below which they are, and their figures.
    gain, info : ndarray of float32, shape (n_features,)
    cut : ndarray of int64, shape (n_features,)
        The best test of each attribute.
    """

    by_class: NDArray[np.float32]
    by_value: NDArray[np.float32]
    place: NDArray[np.int64]
    cut_gain: NDArray[np.float32]
    cut_info: NDArray[np.float32]
    gain: NDArray[np.float32]
    info: NDArray[np.float32]
    cut: NDArray[np.int64]


@kernel
def room_for_gains(columns: Columns, n_rows: int, n_classes: int) -> Room:
    """Return the work space."""
    n_features = columns.sizes.size
    most = 2
    for a in range(n_features):
        if not columns.is_number[a]:
            most = max(most, columns.sizes[a])
    return Room(
        np.empty((most + 1, n_classes), np.float32),
        np.empty(most + 1, np.float32),
        np.empty(n_rows, np.int64),
        np.empty(n_rows, np.float32),
        np.empty(n_rows, np.float32),
        np.empty(n_features, np.float32),
        np.empty(n_features, np.float32),
        np.zeros(n_features, np.int64),
    )


@kernel
def judge_values(rows: OrderedRows, lo: int, hi: int, a: int, columns: Columns, room: Room) -> None:
    """Evaluate the test with one branch per value of an attribute; record nothing if it is not allowed."""
    size = columns.sizes[a]
    by_class, by_value = room.by_class[: size + 1], room.by_value[: size + 1]
    by_class[:] = np.float32(0.0)
    for i in range(lo, hi):
        code = np.int64(rows.codes[rows.row[i], a])
        by_class[0 if code == size else code + 1, rows.y[rows.row[i]]] += rows.weight[i]
    for v in range(size + 1):
        by_value[v] = _sum(by_class[v])
    whole = weigh(rows, lo, hi)
    known = np.float32(whole - by_value[0])
    if not known > 0.0:
        return
    within = 0.0
    for c in range(by_class.shape[1]):
        within += _n_log_n(_sum(by_class[1:, c]))
    base = np.float32((_n_log_n(known) - within) / np.float64(known))
    room.gain[a] = _gain(by_class, by_value, base, np.float32(by_value[0] / whole), known, columns.min_weight)
    room.info[a] = np.float32(_info(by_value) / whole)


@kernel
def judge_cuts(rows: OrderedRows, lo: int, hi: int, a: int, columns: Columns, room: Room) -> None:
    """Find the cut of greatest gain, if any; sorts the rows of the range."""
    numbers = columns.numbers[columns.start[a] : columns.start[a + 1]]
    by_class, by_value = room.by_class[:3], room.by_value[:3]
    by_class[:] = np.float32(0.0)
    whole = weigh(rows, lo, hi)
    begin = bring_forward(rows, lo, hi, (a, columns.sizes[a], True, 0), -1)
    for i in range(lo, begin):
        by_class[0, rows.y[rows.row[i]]] += rows.weight[i]
    by_value[0] = _sum(by_class[0])
    known = np.float32(whole - by_value[0])
    if known < 2.0 * columns.min_weight:
        return
    sort_numbers(rows, begin, hi, a, numbers)
    for i in range(begin, hi):
        by_class[2, rows.y[rows.row[i]]] += rows.weight[i]
    n = _weigh_cuts(rows, begin, hi, a, whole, known, columns, room)
    if n == 0:
        return
    cost = np.float32(np.log(np.float64(n)) / LOG_2 / np.float64(whole))
    best, best_gain = -1, np.float32(0.0)
    for j in range(n):
        gain = np.float32(room.cut_gain[j] - cost)
        if gain > best_gain:
            best, best_gain = j, gain
    if best >= 0:
        room.gain[a], room.info[a] = best_gain, room.cut_info[best]
        low, high = rows.row[room.place[best]], rows.row[room.place[best] + 1]
        room.cut[a] = _threshold(numbers, np.int64(rows.codes[low, a]), np.int64(rows.codes[high, a]))


@kernel
def _weigh_cuts(
    rows: OrderedRows,
    begin: int,
    hi: int,
    a: int,
    whole: np.float32,
    known: np.float32,
    columns: Columns,
    room: Room,
) -> int:
    """Record the place, gain and information of each cut of sorted rows; return their number."""
    numbers = columns.numbers[columns.start[a] : columns.start[a + 1]]
    by_class, by_value = room.by_class[:3], room.by_value[:3]
    base = np.float32(_info(by_class[2]) / known)
    unknown = np.float32(1.0 - np.float64(np.float32(known / whole)))
    least = np.float32(CUT_SHARE * np.float64(known) / by_class.shape[1])
    if least <= columns.min_weight:
        least = np.float32(columns.min_weight)
    elif least > CUT_MOST:
        least = CUT_MOST
    low = np.float32(0.0)
    n = 0
    for i in range(begin, hi - 1):
        c = rows.y[rows.row[i]]
        low += rows.weight[i]
        by_class[1, c] += rows.weight[i]
        by_class[2, c] -= rows.weight[i]
        if low < least:
            continue
        if low > np.float32(known - least):
            break
        here, next_one = rows.codes[rows.row[i], a], rows.codes[rows.row[i + 1], a]
        if np.float64(numbers[here]) < np.float64(numbers[next_one]) - columns.gap:
            by_value[1], by_value[2] = low, np.float32(known - low)
            room.place[n] = i
            room.cut_gain[n] = _gain(by_class, by_value, base, unknown, known, columns.min_weight)
            room.cut_info[n] = np.float32(_info(by_value) / whole)
            n += 1
    return n


@kernel
def _gain(
    by_class: NDArray[np.float32],
    by_value: NDArray[np.float32],
    base: np.float32,
    unknown: np.float32,
    known: np.float32,
    min_weight: float,
) -> np.float32:
    """Return the gain per known row, reduced by the share of unknown rows."""
    heavy = 0
    for v in range(1, by_value.size):
        heavy += by_value[v] >= min_weight
    if heavy < 2:
        return NONE
    within = np.float32(0.0)
    for v in range(1, by_value.size):
        within += _info(by_class[v])
    gain = np.float32(base - np.float32(within / known))
    return np.float32(np.float32(np.float32(1.0) - unknown) * gain)


@kernel
def _info(counts: NDArray[np.float32]) -> np.float32:
    """Return the weight times the entropy of some counts, in bits."""
    total = np.float32(0.0)
    within = np.float32(0.0)
    for n in counts:
        within = np.float32(np.float64(within) + _n_log_n(n))
        total += n
    return np.float32(_n_log_n(total) - np.float64(within))


@kernel
def _sum(weights: NDArray[np.float32]) -> np.float32:
    total = np.float32(0.0)
    for w in weights:
        total += w
    return total


@kernel
def _n_log_n(n: np.float32) -> float:
    return np.float64(n) * (np.log(np.float64(n)) / LOG_2) if n > 0.0 else 0.0


@kernel
def _threshold(numbers: NDArray[np.float32], low: int, high: int) -> int:
    """Return the code of the largest number that is not above the middle between two of them."""
    middle = np.float32(np.float32(numbers[low] + numbers[high]) / np.float32(2.0))
    while high - low > 1:
        between = (low + high) // 2
        if numbers[between] <= middle:
            low = between
        else:
            high = between
    return low
