"""Gains in double precision. Every sum is computed from counts, so that rounding does not accumulate."""

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.trees._kernels.groups import weigh_pairs

__all__ = ["cut_gain", "terms_of_whole_numbers", "values_gain"]


@kernel
def terms_of_whole_numbers(largest: int) -> NDArray[np.float64]:
    """Return n log2 n for n = 0 .. largest, for lookups in a fifth of the time of a logarithm."""
    out = np.empty(largest + 1)
    for n in range(out.size):
        out[n] = n * np.log2(n) if n else 0.0
    return out


@kernel
def _term(x: float, terms: NDArray[np.float64]) -> float:
    """Return x log2 x, looked up where x is whole."""
    if x <= 0.0:
        return 0.0
    whole = np.int64(x)
    if whole < terms.size and whole == x:
        return terms[whole]
    return x * np.log2(x)


@kernel
def values_gain(
    stop: NDArray[np.int64],
    pair_class: NDArray[np.int64],
    pair_weight: NDArray[np.float64],
    missing: NDArray[np.float64],
    min_weight: float,
    terms: NDArray[np.float64],
    room: NDArray[np.float64],
    out: NDArray[np.float64],
) -> bool:
    """Evaluate a test with one branch per value, and return whether two branches have sufficient weight."""
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


@kernel
def cut_gain(
    numbers: NDArray[np.float64],
    code: NDArray[np.int64],
    stop: NDArray[np.int64],
    pair_class: NDArray[np.int64],
    pair_weight: NDArray[np.float64],
    missing: NDArray[np.float64],
    least: float,
    gap: float,
    tie: float,
    boundaries: bool,
    terms: NDArray[np.float64],
    room: NDArray[np.float64],
    out: NDArray[np.float64],
) -> bool:
    """Find the cut of greatest gain with at least the weight `least` on both sides, if any."""
    k = missing.size
    total, left, left_term, right_term = room[0], room[1], room[2], room[3]
    weigh_pairs(stop[-1] if stop.size else 0, pair_class, pair_weight, total[:k])
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
        if numbers[code[g]] + gap >= numbers[code[g + 1]]:
            continue
        n_cuts += 1
        if boundaries and _same_class(g, stop, pair_class):
            continue
        cost = _term(low, terms) + _term(known - low, terms)
        for c in range(k):
            cost -= left_term[c] + right_term[c]
        if cost < best_cost - tie * whole:
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


@kernel
def _same_class(g: int, stop: NDArray[np.int64], pair_class: NDArray[np.int64]) -> bool:
    """Return whether two neighboring groups contain a single, common class."""
    begin = stop[g - 1] if g else 0
    one = True
    for p in range(begin, stop[g + 1]):
        one &= pair_class[p] == pair_class[begin]
    return one
