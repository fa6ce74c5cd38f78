"""Recursive minimum-description-length cuts of one sorted attribute (Fayyad and Irani 1993)."""

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel

__all__ = ["accepted_cuts", "cut_between"]

# Two cuts whose entropies, in bits per row, differ by less tie, and the first wins: the sums below are exact
# to some 1e-14, and the choice between ties must not depend on the names of the classes.
TIE = 1e-12
# The smaller side of a cut is processed first, so at most one entry is pending per halving of the rows.
STACK = 64


@kernel
def accepted_cuts(
    x: NDArray[np.float64], y: NDArray[np.intp], weight: NDArray[np.float64], n_classes: int
) -> NDArray[np.float64]:
    """Cut an attribute, sorted and without NaN, wherever the gain exceeds the cut's description length."""
    # `weight` of length 0 means ones. 100,000 rows, 5 classes, 14 cuts: 9 ms, against 13 ms without the
    # lookup of terms; 150 rows, 2 cuts: 9 us, against 440 us uncompiled.
    terms = _terms_of_whole_numbers(0 if weight.size else len(x))
    out = np.empty(max(len(x) - 1, 0))
    n_cuts = 0
    first = np.empty(STACK, np.int64)
    stop = np.empty(STACK, np.int64)
    first[0] = 0
    stop[0] = len(x)
    waiting = 1
    while waiting:
        waiting -= 1
        lo = first[waiting]
        hi = stop[waiting]
        cut, cost = _best_cut(x, y, weight, terms, lo, hi, n_classes)
        if cut < 0 or not _pays(y, weight, lo, cut, hi, cost, n_classes):
            continue
        out[n_cuts] = cut_between(x[cut - 1], x[cut])
        n_cuts += 1
        left_is_smaller = cut - lo < hi - cut
        first[waiting] = cut if left_is_smaller else lo
        stop[waiting] = hi if left_is_smaller else cut
        first[waiting + 1] = lo if left_is_smaller else cut
        stop[waiting + 1] = cut if left_is_smaller else hi
        waiting += 2
    return out[:n_cuts].copy()


@kernel
def _best_cut(
    x: NDArray[np.float64],
    y: NDArray[np.intp],
    weight: NDArray[np.float64],
    terms: NDArray[np.float64],
    lo: int,
    hi: int,
    n_classes: int,
) -> tuple[int, float]:
    """Return the first row right of the cheapest boundary point, and its cost, weight times entropy."""
    # Costs, in bits, are computed from counts, never from a running sum of logarithms, so that a row of
    # weight 2 and the same row twice cost the same to the last bit.
    total = _class_weights(y, weight, lo, hi, n_classes)
    n = total.sum()
    left = np.zeros(n_classes)
    seen = np.zeros(n_classes)
    left_term = np.zeros(n_classes)
    right_term = np.empty(n_classes)
    for c in range(n_classes):
        right_term[c] = _term(total[c], terms)
    best = -1
    best_cost = np.inf
    before = -1  # the one class of all rows with the value before, -1 if there are several
    start = lo
    while start < hi:
        value = x[start]
        here = y[start]
        end = start + 1
        while end < hi and x[end] == value:
            if y[end] != here:
                here = -1
            end += 1
        # No cut between two values with a single, common class is best (their theorem 1).
        if start > lo and (before < 0 or here != before):
            n_left = 0.0
            within = 0.0
            for c in range(n_classes):
                if left[c] != seen[c]:
                    left_term[c] = _term(left[c], terms)
                    right_term[c] = _term(total[c] - left[c], terms)
                    seen[c] = left[c]
                n_left += left[c]
                within += left_term[c] + right_term[c]
            cost = _term(n_left, terms) + _term(n - n_left, terms) - within
            if cost < best_cost - TIE * n:
                best = start
                best_cost = cost
        for i in range(start, end):
            left[y[i]] += weight[i] if weight.size else 1.0
        before = here
        start = end
    return best, best_cost


@kernel
def _pays(
    y: NDArray[np.intp],
    weight: NDArray[np.float64],
    lo: int,
    cut: int,
    hi: int,
    cost: float,
    n_classes: int,
) -> bool:
    """Return whether the gain of a cut exceeds the description length of the cut and of its two sides."""
    n, k, entropy = _summary(_class_weights(y, weight, lo, hi, n_classes))
    _, k_left, entropy_left = _summary(_class_weights(y, weight, lo, cut, n_classes))
    _, k_right, entropy_right = _summary(_class_weights(y, weight, cut, hi, n_classes))
    # log2(3^k - 2), written so that hundreds of classes do not overflow
    delta = k * np.log2(3.0) + np.log2(1.0 - 2.0 * 3.0**-k)
    delta -= k * entropy - k_left * entropy_left - k_right * entropy_right
    # max: weights may sum to less than 2, where one row leaves nowhere to cut
    return entropy - cost / n > (np.log2(max(n - 1.0, 1.0)) + delta) / n


@kernel
def _class_weights(
    y: NDArray[np.intp], weight: NDArray[np.float64], lo: int, hi: int, n_classes: int
) -> NDArray[np.float64]:
    """Add the weight of the rows lo .. hi - 1, class by class."""
    out = np.zeros(n_classes)
    for i in range(lo, hi):
        out[y[i]] += weight[i] if weight.size else 1.0
    return out


@kernel
def _summary(class_weights: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return the total weight, the number of classes present and the entropy of the class in bits."""
    n = class_weights.sum()
    present = 0.0
    within = 0.0
    for w in class_weights:
        within += _n_log_n(w)
        present += 1.0 if w > 0.0 else 0.0
    return n, present, (_n_log_n(n) - within) / n


@kernel
def _terms_of_whole_numbers(largest: int) -> NDArray[np.float64]:
    """Return n log2 n for n = 0 .. largest, or nothing if `largest` is 0."""
    # a lookup takes a fifth of the time of a logarithm, and there are six per boundary
    out = np.empty(largest + 1 if largest else 0)
    for n in range(out.size):
        out[n] = _n_log_n(float(n))
    return out


@kernel
def _term(n: float, terms: NDArray[np.float64]) -> float:
    """Return n log2 n, looked up in `terms` if possible, with identical bits."""
    return terms[np.intp(n)] if terms.size else _n_log_n(n)


@kernel
def _n_log_n(n: float) -> float:
    """Return n log2 n, 0 at 0. A difference of real weights may round to below 0."""
    return n * np.log2(n) if n > 0.0 else 0.0


@kernel
def cut_between(low: float, high: float) -> float:
    """Return the midpoint, or `low` where rounding or an infinite value pushes it out of [low, high)."""
    middle = 0.5 * low + 0.5 * high
    return middle if low <= middle < high else low
