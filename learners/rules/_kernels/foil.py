"""The literals that FOIL would add to a clause, best first (as in release 6)."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.rules._kernels.foil_memory import (
    ABOVE,
    AT_MOST,
    BLOCK,
    EQUAL,
    NOT_EQUAL,
    ClauseMemory,
    LevelTable,
    place_of,
)

# Columns of a literal: its number, gain in bits, weight of the rows of the class and of all rows that the
# longer clause would cover, whether it makes the class no more frequent.
LITERAL, GAIN, RIGHT, TOTAL, WEAK = range(5)
N_FIELDS = 5

SMALLEST_GAIN = 1e-6
TIE = 1e-9  # thresholds whose gains differ by less are equal but for rounding
SLACK = 1e-3
SAFE = 1.0 + 1e-12  # factor on an upper bound, for rounding errors


class FoilOptions(NamedTuple):
    """Options of the search (see `FOILClassifier`)."""

    negation: bool  # whether != is allowed
    raw: bool  # information of 1990, without the row added to both counts
    min_accuracy: float
    allowance: float
    min_gain_fraction: float
    max_alternatives: int
    max_checkpoints: int
    max_clauses: int


class Extended(NamedTuple):
    """The clause that is extended."""

    right: float  # weight of the rows of the class that it covers
    total: float  # and of all rows
    start_total: float  # weight that the empty clause covers
    bits: float  # of the clause
    nominal_bits: float  # of a literal
    numeric_bits: float
    available: float  # bits left
    refuses_weak: bool  # whether weak literals are refused
    saved_accuracy: float  # of the best saved clause
    saved_right: float


@kernel
def information(right: float, total: float, raw: bool) -> float:
    """Return the bits that identify a row of the class. One row is added to both counts unless `raw`."""
    return math.log2(total / right) if raw else math.log2((total + 1.0) / (right + 1.0))


@kernel
def exception_bits(n: float, e: float, allowance: float) -> float:
    """Return the bits that identify `e` of `n` rows, times the allowance."""
    if n <= 0.0:
        return 0.0
    ways = math.lgamma(n + 1.0) - math.lgamma(e + 1.0) - math.lgamma(max(n - e, 0.0) + 1.0)
    return allowance * (math.log(n) + ways) / math.log(2.0)


@kernel
def examine_literals(
    table: LevelTable,
    memory: ClauseMemory,
    first: int,
    end: int,
    clause: Extended,
    options: FoilOptions,
    out: NDArray[np.float64],
) -> None:
    """Write the best literals to `out`, best first, and to its last line one that ends a good clause."""
    # the counts of the clause are first .. end - 1; `out` is (max_alternatives + 1, N_FIELDS), rest 0
    for i in range(out.shape[0]):
        for k in range(N_FIELDS):
            out[i, k] = 0.0
    base = information(clause.right, clause.total, options.raw)
    for a in range(table.starts.size - 1):
        stop = place_of(memory.levels, table.starts[a + 1], first, end)
        if a < table.n_nominal:
            if clause.nominal_bits <= clause.available:
                _examine_values(table, memory, a, first, stop, clause, base, options, out)
        elif clause.numeric_bits <= clause.available:
            if out[0, GAIN] >= clause.right * base:  # it keeps all rows of the class and no other
                return
            _examine_cuts(table, memory, a, first, stop, clause, base, options, out)
        first = stop


@kernel
def _examine_values(
    table: LevelTable,
    memory: ClauseMemory,
    attribute: int,
    first: int,
    stop: int,
    clause: Extended,
    base: float,
    options: FoilOptions,
    out: NDArray[np.float64],
) -> None:
    """Consider the values of a nominal attribute, and the first few that do not occur."""
    levels, counts = memory.levels, memory.counts
    need = clause.bits + clause.nominal_bits
    missing = table.starts[attribute + 1] - 1
    stop, known_r, known_t = _without_missing(memory, first, stop, missing, clause)
    n_empty = 0
    least, most_wrong = 0.0, math.inf
    level = table.starts[attribute]
    while level < missing:
        here, r, t = level, 0.0, 0.0
        level += 1
        if first < stop and levels[first] == here:
            r, t = counts[first, 0], counts[first, 0] + counts[first, 1]
            first += 1
        if t == 0.0:
            n_empty += 1
            if n_empty > options.max_alternatives:  # as good as those before it, so after them
                level = levels[first] if first < stop else missing
                continue
        r_not, t_not = known_r - r, known_t - t
        if _least_gain(out, options.min_gain_fraction) != least:
            least = _least_gain(out, options.min_gain_fraction)
            most_wrong = _most_wrong(clause.right, least, base, options.raw)
        too_few = r_not > 0.0 and r < least / base - 2.0 * SLACK
        if too_few and t_not - r_not > most_wrong + 2.0 * SLACK:
            continue
        fit = r > 0.0 and not _hopeless(r, t, r_not, least, base, options.raw)
        fit = fit and exception_bits(clause.start_total, r, options.allowance) > need
        fit_not = options.negation and r_not > 0.0
        fit_not = fit_not and not _hopeless(r_not, t_not, r, least, base, options.raw)
        fit_not = fit_not and exception_bits(clause.start_total, r_not, options.allowance) > need
        if fit or fit_not:
            sides = (r, t, r_not, t_not)
            _consider(out, 4 * here + EQUAL, 4 * here + NOT_EQUAL, sides, fit, fit_not, base, clause, options)


@kernel
def _examine_cuts(
    table: LevelTable,
    memory: ClauseMemory,
    attribute: int,
    first: int,
    stop: int,
    clause: Extended,
    base: float,
    options: FoilOptions,
    out: NDArray[np.float64],
) -> None:
    """Consider the best cut of a numeric attribute."""
    levels, counts = memory.levels, memory.counts
    need = clause.bits + clause.numeric_bits
    missing = table.starts[attribute + 1] - 1
    stop, known_r, known_t = _without_missing(memory, first, stop, missing, clause)
    if not table.is_whole:  # adding up leaves the rounding errors of the sums below cuts
        known_r, known_t = 0.0, 0.0
        for k in range(first, stop):
            known_r += counts[k, 0]
            known_t += counts[k, 0] + counts[k, 1]
    cut, sides = _best_cut(table.is_whole, memory, first, stop, known_r, known_t, base, options.raw)
    if cut >= 0:
        fit = exception_bits(clause.start_total, sides[0], options.allowance) > need
        fit_not = exception_bits(clause.start_total, sides[2], options.allowance) > need
        above = 4 * levels[cut] + ABOVE
        _consider(out, above, 4 * levels[cut] + AT_MOST, sides, fit, fit_not, base, clause, options)


@kernel
def _without_missing(
    memory: ClauseMemory, first: int, stop: int, missing: int, clause: Extended
) -> tuple[int, float, float]:
    """Return the end of an attribute's known levels, and the weights of the class and of all rows there."""
    if stop > first and memory.levels[stop - 1] == missing:
        right, wrong = memory.counts[stop - 1, 0], memory.counts[stop - 1, 1]
        return stop - 1, clause.right - right, clause.total - right - wrong
    return stop, clause.right, clause.total


@kernel
def _least_gain(out: NDArray[np.float64], fraction: float) -> float:
    """Return the gain below which a literal can no longer matter."""
    last = out[out.shape[0] - 2, GAIN]
    return max(last, fraction * out[0, GAIN])


@kernel
def _hopeless(r: float, t: float, r_other: float, least: float, base: float, raw: bool) -> bool:
    """Return whether a literal must stay below the least gain: too few rows of the class, too many others."""
    # FOIL drops it before checking whether it would end a good clause, so this changes the result
    if r_other > 0.0 and r < least / base - 2.0 * SLACK:
        return True
    return t - r > _most_wrong(r, least, base, raw) + SLACK


@kernel
def _most_wrong(r: float, least: float, base: float, raw: bool) -> float:
    """Return the weight of other rows with which `r` of the class reach the least gain. It grows with `r`."""
    return 0.0 if r <= 0.0 else (r if raw else r + 1.0) * (2.0 ** (base - least / r) - 1.0)


@kernel
def _consider(
    out: NDArray[np.float64],
    literal: int,
    negated: int,
    sides: tuple[float, float, float, float],
    fit: bool,
    fit_not: bool,
    base: float,
    clause: Extended,
    options: FoilOptions,
) -> None:
    """Insert a literal and its negation among the best, if admissible."""
    # `sides`: weight of the class and of all rows with the literal, then with its negation
    r, t, r_not, t_not = sides
    ratio = clause.right / clause.total
    fit = fit and r > 0.0 and t > 0.0  # rounding errors can leave some of r where none of t is left
    fit_not = fit_not and r_not > 0.0 and t_not > 0.0
    weak = t_not <= 0.0 or r / (t + SMALLEST_GAIN) <= 0.9999 * ratio
    weak_not = t <= 0.0 or r_not / (t_not + SMALLEST_GAIN) <= 0.9999 * ratio
    if clause.refuses_weak and (not fit or weak) and (not fit_not or weak_not):
        return
    if fit and (not fit_not or r / t > r_not / t_not):
        _save(out, literal, r, t, clause, options.min_accuracy)
    elif fit_not:
        _save(out, negated, r_not, t_not, clause, options.min_accuracy)
    gain = _gain(r, t, base, options.raw) if fit else 0.0
    gain_not = _gain(r_not, t_not, base, options.raw) if fit_not else 0.0
    if gain > SMALLEST_GAIN:
        _propose(out, literal, gain, r, t, weak)
    if gain_not > SMALLEST_GAIN:
        _propose(out, negated, gain_not, r_not, t_not, weak_not)


@kernel
def _save(
    out: NDArray[np.float64], literal: int, r: float, t: float, clause: Extended, min_accuracy: float
) -> None:
    """Record a literal with which the clause would be better than the saved one."""
    last = out.shape[0] - 1
    accuracy, before, cover = r / t, clause.saved_accuracy, clause.saved_right
    if out[last, TOTAL] > 0.0:
        before, cover = out[last, RIGHT] / out[last, TOTAL], out[last, RIGHT]
    if accuracy >= min_accuracy and (accuracy > before or (accuracy == before and r > cover)):
        _set(out, last, literal, 0.0, r, t)


@kernel
def _propose(out: NDArray[np.float64], literal: int, gain: float, r: float, t: float, weak: bool) -> None:
    """Insert a literal by its gain. Ties stay in order, but a negation comes last."""
    n = out.shape[0] - 1
    i = 0
    while i < n and out[i, GAIN] > 0.0:
        i += 1
    while i > 0:
        before = int(out[i - 1, LITERAL])
        earlier = _is_plain(literal) and not _is_plain(before)
        if gain > out[i - 1, GAIN] + SMALLEST_GAIN or (gain == out[i - 1, GAIN] and earlier):
            i -= 1
        else:
            break
    if i >= n:
        return
    for k in range(n - 1, i, -1):
        for field in range(N_FIELDS):
            out[k, field] = out[k - 1, field]
    _set(out, i, literal, gain, r, t)
    out[i, WEAK] = weak


@kernel
def _is_plain(literal: int) -> bool:
    """Whether a literal is the one of its pair that comes first: =, or >."""
    return literal & 3 == EQUAL or literal & 3 == ABOVE


@kernel
def _best_cut(
    is_whole: bool,
    memory: ClauseMemory,
    first: int,
    stop: int,
    known_r: float,
    known_t: float,
    base: float,
    raw: bool,
) -> tuple[int, tuple[float, float, float, float]]:
    """Return where to cut so that the better side gains most (-1: nowhere), and the weights of both sides."""
    # The level itself belongs below. Cuts lie where the class changes; the first of ties is taken. The sides
    # are those of `_consider`, above the cut first. Blocks without a possible best cut are passed over.
    counts, block_counts = memory.counts, memory.block_counts
    best_gain, best, best_r, best_t = -2.0 * TIE, -1, 0.0, 0.0
    odds = 2.0**base * SAFE
    r_end, t_end, end = 0.0, 0.0, first
    while end < stop:
        r, t, at, end = r_end, t_end, end, min((end // BLOCK + 1) * BLOCK, stop)
        if is_whole and end - at == BLOCK:
            r_end += block_counts[at // BLOCK, 0]
            t_end += block_counts[at // BLOCK, 0] + block_counts[at // BLOCK, 1]
        else:
            for k in range(at, end):
                r_end += counts[k, 0]
                t_end += counts[k, 0] + counts[k, 1]
        most = _gain_above(best_gain, r_end, r_end + (t - r), base, odds, raw)
        most = max(most, _gain_above(best_gain, known_r - r, known_t - t_end + (r_end - r), base, odds, raw))
        if best_gain >= 0.0 and most * SAFE <= best_gain:
            continue
        before = at - 1
        while before >= first and counts[before, 0] == 0.0 and counts[before, 1] == 0.0:
            before -= 1
        for k in range(at, end):
            if counts[k, 0] == 0.0 and counts[k, 1] == 0.0:
                continue
            if before >= first and _class_changes(counts, before, k):
                gain = _gain_above(best_gain, known_r - r, known_t - t, base, odds, raw)
                gain = max(gain, _gain_above(best_gain, r, t, base, odds, raw))
                if gain > best_gain + TIE:
                    best_gain, best, best_r, best_t = gain, before, r, t
            r += counts[k, 0]
            t += counts[k, 0] + counts[k, 1]
            before = k
    return best, (known_r - best_r, known_t - best_t, best_r, best_t)


@kernel
def _class_changes(counts: NDArray[np.float64], k: int, following: int) -> bool:
    """Return whether two levels are neither both of the class only nor both of the others only."""
    only_class = counts[k, 1] == 0.0 and counts[following, 1] == 0.0
    return not only_class and not (counts[k, 0] == 0.0 and counts[following, 0] == 0.0)


@kernel
def _gain_above(least: float, r: float, t: float, base: float, odds: float, raw: bool) -> float:
    """Return the gain of a side, or -1 if it is not above the least one, which mostly needs no logarithm."""
    # `odds` is 2 ** `base`, with room for rounding errors. As ln x <= x - 1, r rows of the class among t gain
    # r log2(odds r / t) <= r (odds r / t - 1) / ln 2 bits.
    added = 0.0 if raw else 1.0
    if r * (odds * (r + added) - (t + added)) <= least * math.log(2.0) * (t + added):
        return -1.0
    return _gain(r, t, base, raw)


@kernel
def _gain(r: float, t: float, base: float, raw: bool) -> float:
    return r * (base - information(r, t, raw)) if r > 0.0 else 0.0


@kernel
def _set(out: NDArray[np.float64], i: int, literal: int, gain: float, r: float, t: float) -> None:
    out[i, LITERAL] = literal
    out[i, GAIN] = gain
    out[i, RIGHT] = r
    out[i, TOTAL] = t
