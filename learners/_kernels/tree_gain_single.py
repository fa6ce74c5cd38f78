"""Gains in single precision, step by step as C4.5 has them: its rounding decides between equal tests."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from learners._kernels.tree_groups import weigh_pairs

__all__ = ["single_cut_gain", "single_values_gain"]

LOG_2 = 0.69314718055994530942


@njit(cache=True, nogil=True)
def single_values_gain(
    stop: NDArray[np.int64],
    pair_class: NDArray[np.int64],
    pair_weight: NDArray[np.float64],
    missing: NDArray[np.float64],
    min_weight: float,
    room: NDArray[np.float64],
    out: NDArray[np.float64],
) -> bool:
    """Judge one branch for each value; tell whether there are two of sufficient weight."""
    total, one = room[0, : missing.size], room[1, : missing.size]
    total[:] = 0.0
    within = np.float32(0.0)
    branches = np.empty(stop.size + 1)
    branches[0] = missing.sum()
    heavy: Any = 0
    begin: Any = np.int64(0)
    for g in range(stop.size):
        one[:] = 0.0
        for p in range(begin, stop[g]):
            one[pair_class[p]] = pair_weight[p]
        begin = stop[g]
        total += one
        within = np.float32(within + _info(one))
        branches[g + 1] = one.sum()
        heavy += np.float32(branches[g + 1]) >= min_weight
    if heavy < 2:
        return False
    known = total.sum()
    whole = known + branches[0]
    out[:] = 0.0
    out[0] = _gain(_info(total), within, known, whole)
    out[1] = np.float32(_info(branches) / np.float32(whole))
    out[2] = stop.size
    return True


@njit(cache=True, nogil=True)
def single_cut_gain(
    numbers: NDArray[np.float64],
    code: NDArray[np.int64],
    stop: NDArray[np.int64],
    pair_class: NDArray[np.int64],
    pair_weight: NDArray[np.float64],
    missing: NDArray[np.float64],
    least: float,
    gap: float,
    room: NDArray[np.float64],
    out: NDArray[np.float64],
) -> bool:
    """Find the cut of greatest gain, with at least the weight `least` on both sides, if there is any."""
    left, right = room[0, : missing.size], room[1, : missing.size]
    left[:] = 0.0
    weigh_pairs(stop[-1] if stop.size else 0, pair_class, pair_weight, right)
    known = right.sum()
    whole = known + missing.sum()
    base = _info(right)
    best = -1
    best_gain = np.float32(-np.inf)
    best_low = 0.0
    n_cuts = 0
    low = 0.0
    begin = 0
    for g in range(stop.size - 1):
        for p in range(begin, stop[g]):
            left[pair_class[p]] += pair_weight[p]
            right[pair_class[p]] -= pair_weight[p]
            low += pair_weight[p]
        begin = stop[g]
        apart = np.float64(np.float32(numbers[code[g]])) < np.float64(np.float32(numbers[code[g + 1]])) - gap
        if low < least or known - low < least or not apart:
            continue
        n_cuts += 1
        gain = _gain(base, np.float32(_info(left) + _info(right)), known, whole)
        if gain > best_gain:
            best = g
            best_gain = gain
            best_low = low
    if best < 0:
        return False
    branches = room[2, :3]
    branches[0], branches[1], branches[2] = missing.sum(), best_low, known - best_low
    out[0] = best_gain
    out[1] = np.float32(_info(branches) / np.float32(whole))
    out[2] = 2.0
    out[3] = best
    out[4] = n_cuts
    return True


@njit(cache=True, nogil=True)
def _info(counts: NDArray[np.float64]) -> np.float32:
    """Return the weight times the entropy of some counts, in bits."""
    total = np.float32(0.0)
    within = np.float32(0.0)
    for n in counts:
        within = np.float32(np.float64(within) + _n_log_n(np.float32(n)))
        total = np.float32(total + np.float32(n))
    return np.float32(_n_log_n(total) - np.float64(within))


@njit(cache=True, nogil=True)
def _gain(total_info: np.float32, within: np.float32, known: float, whole: float) -> np.float32:
    """Return the gain a row, of the known rows, lowered by the share of those that are not."""
    n = np.float32(known)
    unknown = np.float32(np.float32(1.0) - np.float32(n / np.float32(whole)))
    gain = np.float32(np.float32(total_info / n) - np.float32(within / n))
    return np.float32(np.float32(np.float32(1.0) - unknown) * gain)


@njit(cache=True, nogil=True)
def _n_log_n(n: np.float32) -> float:
    return np.float64(n) * (np.log(np.float64(n)) / LOG_2) if n > 0.0 else 0.0
