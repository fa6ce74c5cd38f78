"""Information gain of candidate tests, for all nodes and attributes of a batch: C4.5, J48, C5.0."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from learners._kernels.tree_counts import (
    CELLS_A_ROW,
    CELLS_FREE,
    SKIPPED,
    TABLE,
    count_chunk,
    group,
    next_chunk,
    number_classes,
)
from learners._kernels.tree_gain_single import single_cut_gain, single_values_gain

__all__ = ["Gains", "GainRules", "find_gains", "terms_of_whole_numbers"]

# A weight that misses a bound by this much, after being split and added up again, reaches it.
SLACK = 1e-6


class GainRules(NamedTuple):
    """Which tests are candidates.

    Attributes
    ----------
    min_weight : float
        Two branches must have at least this weight.
    cut_share, cut_most : float
        Both sides of a cut must have this share of the known weight, divided by the number of classes, but
        never more than `cut_most` nor less than `min_weight` (0.1 and 25 in all three programs).
    gap : float
        Neighboring numbers that differ by no more than this are not cut apart.
    tie : float
        A cut that gains no more than this many bits a row over an earlier one does not replace it.
    boundaries : bool
        Whether cuts between two values of one and the same class are counted but not judged (C5.0).
    single : bool
        Whether gains are computed in single precision, step by step as C4.5 does (`tie` and `boundaries` then
        do not matter).
    """

    min_weight: float
    cut_share: float
    cut_most: float
    gap: float
    tie: float
    boundaries: bool = False
    single: bool = False


class Gains(NamedTuple):
    """Figures of each node and attribute; shape (n_open, n_features) each.

    Attributes
    ----------
    gain : ndarray of float64
        Information gain in bits a row of the node, before any penalty; -inf where there is no test.
    split_info : ndarray of float64
        Entropy in bits of the branches, the missing values being one more.
    n_branches : ndarray of int32
        Branches with rows.
    cut : ndarray of int64
        Code of the threshold: the largest number of the training set, in this node or not, that is not above
        the middle between the two neighbors; 0 for nominal attributes.
    n_cuts : ndarray of int32
        Feasible cuts; 0 for nominal attributes.
    steps : ndarray of float64
        Range of the numbers in the node over the gap at the cut; 0 for nominal attributes.
    """

    gain: NDArray[np.float64]
    split_info: NDArray[np.float64]
    n_branches: NDArray[np.int32]
    cut: NDArray[np.int64]
    n_cuts: NDArray[np.int32]
    steps: NDArray[np.float64]


@njit(cache=True, nogil=True)
def find_gains(
    codes: NDArray[Any],
    y: NDArray[np.int32],
    weight: NDArray[np.float64],
    start: NDArray[np.int64],
    tested: NDArray[np.bool_],
    n_classes: int,
    sizes: NDArray[np.int64],
    values: NDArray[np.float64],
    value_start: NDArray[np.int64],
    terms: NDArray[np.float64],
    rules: GainRules,
    out: Gains,
) -> None:
    """Fill `out`, zeros so far, for nodes with the rows start[j] .. start[j + 1] - 1."""
    n_features = sizes.size
    n_largest = 0
    for node in range(start.size - 1):
        n_largest = max(n_largest, start[node + 1] - start[node])
    local, offset, picked = (
        np.empty(n_classes, np.int64),
        np.empty(n_features, np.int64),
        np.empty(n_features, np.int64),
    )
    table, key = np.empty(TABLE), np.empty(CELLS_A_ROW * n_largest + CELLS_FREE, np.int64)
    code, stop = np.empty(n_largest, np.int64), np.empty(n_largest, np.int64)
    pair_class, pair_weight = np.empty(n_largest, np.int64), np.empty(n_largest)
    missing, room = np.empty(n_classes), np.empty((4, max(n_classes, 3)))
    figures = np.empty(6)
    for node in range(start.size - 1):
        lo = start[node]
        hi = start[node + 1]
        its_codes, its_y, its_weight = codes[lo:hi], y[lo:hi], weight[lo:hi]
        k = number_classes(its_y, local)
        first = 0
        while first < n_features:
            last = next_chunk(sizes, tested[node], first, hi - lo, k, offset)
            count_chunk(its_codes, sizes, its_y, its_weight, first, last, local, k, offset, picked, table)
            for a in range(first, last):
                out.gain[node, a] = -np.inf
                if offset[a] == SKIPPED:
                    continue
                n_groups = group(
                    its_codes,
                    sizes[a],
                    its_y,
                    its_weight,
                    a,
                    local,
                    k,
                    offset[a],
                    table,
                    key,
                    code,
                    stop,
                    pair_class,
                    pair_weight,
                    missing,
                )
                numbers = values[value_start[a] : value_start[a + 1]]
                pairs = stop[:n_groups], pair_class, pair_weight, missing[:k]
                if numbers.size:
                    known = pair_weight[: stop[n_groups - 1]].sum() if n_groups else 0.0
                    least = max(rules.min_weight, min(rules.cut_share * known / n_classes, rules.cut_most))
                    at = code[:n_groups]
                    if rules.single:
                        found = single_cut_gain(numbers, at, *pairs, least, rules.gap, room, figures)
                    else:
                        found = _cut_gain(numbers, at, *pairs, least - SLACK, terms, rules, room, figures)
                elif rules.single:
                    found = single_values_gain(*pairs, rules.min_weight, room, figures)
                else:
                    found = _values_gain(*pairs, rules.min_weight - SLACK, terms, room, figures)
                if found:
                    out.gain[node, a] = figures[0]
                    out.split_info[node, a] = figures[1]
                    out.n_branches[node, a] = figures[2]
                if found and numbers.size:
                    low, high = code[np.int64(figures[3])], code[np.int64(figures[3]) + 1]
                    span = numbers[code[n_groups - 1]] - numbers[code[0]]
                    out.cut[node, a] = _threshold(numbers, low, high)
                    out.n_cuts[node, a] = figures[4]
                    out.steps[node, a] = span / (numbers[high] - numbers[low])
            first = last


@njit(cache=True, nogil=True)
def terms_of_whole_numbers(largest: int) -> NDArray[np.float64]:
    """Return n log2 n for n = 0 .. largest: a look-up takes a fifth of the time of a logarithm."""
    out = np.empty(largest + 1)
    for n in range(out.size):
        out[n] = n * np.log2(n) if n else 0.0
    return out


@njit(cache=True, nogil=True)
def _term(x: float, terms: NDArray[np.float64]) -> float:
    """Return x log2 x, looked up where x is whole."""
    if x <= 0.0:
        return 0.0
    whole = np.int64(x)
    if whole < terms.size and whole == x:
        return terms[whole]
    return x * np.log2(x)


@njit(cache=True, nogil=True)
def _values_gain(
    stop: NDArray[np.int64],
    pair_class: NDArray[np.int64],
    pair_weight: NDArray[np.float64],
    missing: NDArray[np.float64],
    min_weight: float,
    terms: NDArray[np.float64],
    room: NDArray[np.float64],
    out: NDArray[np.float64],
) -> bool:
    """Judge one branch for each value; tell whether there are two of sufficient weight."""
    k = missing.size
    total = room[0]
    total[:k] = 0.0
    within = 0.0
    branches = 0.0
    known = 0.0
    heavy = 0
    begin = 0
    for end in stop:
        n = 0.0
        for p in range(begin, end):
            w = pair_weight[p]
            n += w
            within -= _term(w, terms)
            total[pair_class[p]] += w
        branches += _term(n, terms)
        known += n
        heavy += n >= min_weight
        begin = end
    if heavy < 2:
        return False
    unknown = missing.sum()
    whole = known + unknown
    base = _term(known, terms)
    for c in range(k):
        base -= _term(total[c], terms)
    out[:] = 0.0
    out[0] = (base - within - branches) / whole
    out[1] = (_term(whole, terms) - branches - _term(unknown, terms)) / whole
    out[2] = stop.size
    return True


@njit(cache=True, nogil=True)
def _cut_gain(
    numbers: NDArray[np.float64],
    code: NDArray[np.int64],
    stop: NDArray[np.int64],
    pair_class: NDArray[np.int64],
    pair_weight: NDArray[np.float64],
    missing: NDArray[np.float64],
    least: float,
    terms: NDArray[np.float64],
    rules: GainRules,
    room: NDArray[np.float64],
    out: NDArray[np.float64],
) -> bool:
    """Find the cut of greatest gain, if any; every sum comes from the counts: no rounding piles up."""
    k = missing.size
    total, left, left_term, right_term = room[0], room[1], room[2], room[3]
    total[:k] = 0.0
    for p in range(stop[-1] if stop.size else 0):
        total[pair_class[p]] += pair_weight[p]
    known = total[:k].sum()
    if stop.size < 2 or known < 2.0 * least:
        return False
    base = _term(known, terms)
    for c in range(k):
        left[c] = 0.0
        left_term[c] = 0.0
        right_term[c] = _term(total[c], terms)
        base -= right_term[c]
    unknown = missing.sum()
    whole = known + unknown
    best = -1
    best_cost = np.inf
    best_low = 0.0
    n_cuts = 0
    low = 0.0
    begin = 0
    for g in range(stop.size - 1):
        for p in range(begin, stop[g]):
            c = pair_class[p]
            left[c] += pair_weight[p]
            low += pair_weight[p]
            left_term[c] = _term(left[c], terms)
            right_term[c] = _term(total[c] - left[c], terms)
        begin = stop[g]
        if low < least:
            continue
        if known - low < least:
            break
        if numbers[code[g]] + rules.gap >= numbers[code[g + 1]]:
            continue
        n_cuts += 1
        if rules.boundaries and _same_class(g, stop, pair_class):
            continue
        cost = _term(low, terms) + _term(known - low, terms)
        for c in range(k):
            cost -= left_term[c] + right_term[c]
        if cost < best_cost - rules.tie * whole:
            best = g
            best_cost = cost
            best_low = low
    if best < 0:
        return False
    branches = _term(best_low, terms) + _term(known - best_low, terms) + _term(unknown, terms)
    out[0] = (base - best_cost) / whole
    out[1] = (_term(whole, terms) - branches) / whole
    out[2] = 2.0
    out[3] = best
    out[4] = n_cuts
    return True


@njit(cache=True, nogil=True)
def _same_class(g: int, stop: NDArray[np.int64], pair_class: NDArray[np.int64]) -> bool:
    """Tell whether two neighboring groups show one and the same class."""
    begin = stop[g - 1] if g else 0
    one = True
    for p in range(begin, stop[g + 1]):
        one &= pair_class[p] == pair_class[begin]
    return one


@njit(cache=True, nogil=True)
def _threshold(numbers: NDArray[np.float64], low: int, high: int) -> int:
    """Return the code of the largest number that is not above the middle between two of them."""
    middle = 0.5 * numbers[low] + 0.5 * numbers[high]
    while high - low > 1:
        between = (low + high) // 2
        if numbers[between] <= middle:
            low = between
        else:
            high = between
    return low
