"""The literals that FOIL would add to a clause, best first (as in release 6)."""

import math

import numpy as np
from numpy.typing import NDArray

from learners.compiled import kernel

# Columns of a literal: operator (0 =, 1 !=, 2 <=, 3 >), row of the table, code or threshold, gain in bits,
# weight of the rows of the class and of all rows that meet it, whether it makes the class no more frequent.
OPERATOR, ROW, VALUE, GAIN, RIGHT, TOTAL, WEAK = range(7)
N_FIELDS = 7
# Entries of `options`: factor on the bits that a clause is worth, least accuracy of a clause, fraction of the
# best gain that an alternative needs, whether weak literals are refused, != is allowed, counts are raw.
ALLOWANCE, MIN_ACCURACY, FRACTION, NO_WEAK, NEGATION, RAW = range(6)
# Entries of `bits`: of the clause so far, of a nominal literal, of a numeric one, still available.
CLAUSE, NOMINAL, NUMERIC, AVAILABLE = range(4)

SMALLEST_GAIN = 1e-6
TIE = 1e-9  # thresholds whose gains differ by less are equal but for rounding
SLACK = 1e-3


@kernel
def information(right: float, total: float, raw: bool) -> float:
    """Return the bits that identify a row of the class; one row is added to both counts unless `raw`."""
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
    nominal: NDArray[np.float64],
    offsets: NDArray[np.int64],
    shown: NDArray[np.bool_],
    starts: NDArray[np.int64],
    ranks: NDArray[np.int32],
    numeric: NDArray[np.float64],
    levels: NDArray[np.float64],
    level_starts: NDArray[np.int64],
    weights: tuple[float, float, float],
    bits: NDArray[np.float64],
    saved: NDArray[np.float64],
    options: NDArray[np.float64],
    max_literals: int,
) -> NDArray[np.float64]:
    """Return up to `max_literals` literals, best first, and in the last line one that ends a good clause.

    The counts are those of `SideCounts`, `shown` the values that training shows. `weights`: of the class and
    of all rows covered by the clause so far, and of all covered by the empty clause. `saved`: accuracy and
    cover of the best saved clause. Unused lines are zero. 28,931 levels and 102 values (adult): 0.25 ms.
    """
    out = np.zeros((max_literals + 1, N_FIELDS))
    right, total, start_total = weights
    raw = options[RAW] > 0.0
    base = information(right, total, raw)
    ratio = right / total
    if bits[NOMINAL] <= bits[AVAILABLE]:
        need = bits[CLAUSE] + bits[NOMINAL]
        least, most_wrong = 0.0, math.inf
        for j in range(offsets.size - 1):
            missing = nominal[offsets[j + 1] - 1]
            known_r, known_t = right - missing[0], total - missing[0] - missing[1]
            n_empty = 0
            for s in range(offsets[j], offsets[j + 1] - 1):
                if not shown[s]:
                    continue
                r, t = nominal[s, 0], nominal[s, 0] + nominal[s, 1]
                n_empty += t == 0.0
                if t == 0.0 and n_empty > max_literals:  # as good as those before it, so after them
                    continue
                r_not, t_not = known_r - r, known_t - t
                if _least_gain(out, options[FRACTION]) != least:
                    least = _least_gain(out, options[FRACTION])
                    most_wrong = _most_wrong(right, least, base, raw)
                too_few = r_not > 0.0 and r < least / base - 2.0 * SLACK
                if too_few and t_not - r_not > most_wrong + 2.0 * SLACK:
                    continue
                fit = r > 0.0 and not _hopeless(r, t, r_not, least, base, raw)
                fit = fit and exception_bits(start_total, r, options[ALLOWANCE]) > need
                fit_not = options[NEGATION] > 0.0 and r_not > 0.0
                fit_not = fit_not and not _hopeless(r_not, t_not, r, least, base, raw)
                fit_not = fit_not and exception_bits(start_total, r_not, options[ALLOWANCE]) > need
                if not (fit or fit_not):
                    continue
                sides = (r, t, r_not, t_not)
                _consider(out, 0, j, s - offsets[j], sides, fit, fit_not, base, ratio, saved, options)
    if bits[NUMERIC] <= bits[AVAILABLE]:
        need = bits[CLAUSE] + bits[NUMERIC]
        for j in range(starts.size - 1):
            if out[0, GAIN] >= right * base:  # it keeps all rows of the class and no other
                break
            cut, sides = _best_threshold(numeric[starts[j] : starts[j + 1]], base, raw)
            if cut >= 0:
                value = levels[level_starts[j] + ranks[starts[j] + cut]]
                fit = exception_bits(start_total, sides[0], options[ALLOWANCE]) > need
                fit_not = exception_bits(start_total, sides[2], options[ALLOWANCE]) > need
                _consider(out, 3, j, value, sides, fit, fit_not, base, ratio, saved, options)
    return out


@kernel
def _least_gain(out: NDArray[np.float64], fraction: float) -> float:
    """Return the gain below which a literal can no longer matter."""
    last = out[out.shape[0] - 2, GAIN]
    return max(last, fraction * out[0, GAIN])


@kernel
def _hopeless(r: float, t: float, r_other: float, least: float, base: float, raw: bool) -> bool:
    """Return whether a literal must stay below the least gain: too few rows of the class or too many others.

    FOIL drops such a literal before checking whether it would end a good clause, so this changes the result.
    """
    if r_other > 0.0 and r < least / base - 2.0 * SLACK:
        return True
    return t - r > _most_wrong(r, least, base, raw) + SLACK


@kernel
def _most_wrong(r: float, least: float, base: float, raw: bool) -> float:
    """Return the weight of other rows with which `r` of the class reach the least gain; it grows with `r`."""
    return 0.0 if r <= 0.0 else (r if raw else r + 1.0) * (2.0 ** (base - least / r) - 1.0)


@kernel
def _consider(
    out: NDArray[np.float64],
    operator: int,
    row: int,
    value: float,
    sides: tuple[float, float, float, float],
    fit: bool,
    fit_not: bool,
    base: float,
    ratio: float,
    saved: NDArray[np.float64],
    options: NDArray[np.float64],
) -> None:
    """Insert a literal and its negation (operators 0 and 1, or 3 and 2) among the best, if admissible.

    `sides`: weight of the class and of all rows with the literal, then with its negation.
    """
    r, t, r_not, t_not = sides
    negated = 1 if operator == 0 else 2
    fit = fit and r > 0.0
    fit_not = fit_not and r_not > 0.0
    weak = t_not <= 0.0 or r / (t + SMALLEST_GAIN) <= 0.9999 * ratio
    weak_not = t <= 0.0 or r_not / (t_not + SMALLEST_GAIN) <= 0.9999 * ratio
    if options[NO_WEAK] > 0.0 and (not fit or weak) and (not fit_not or weak_not):
        return
    if fit and (not fit_not or r / t > r_not / t_not):
        _save(out, operator, row, value, r, t, saved, options[MIN_ACCURACY])
    elif fit_not:
        _save(out, negated, row, value, r_not, t_not, saved, options[MIN_ACCURACY])
    raw = options[RAW] > 0.0
    gain = r * (base - information(r, t, raw)) if fit else 0.0
    gain_not = r_not * (base - information(r_not, t_not, raw)) if fit_not else 0.0
    if gain > SMALLEST_GAIN:
        _propose(out, operator, row, value, gain, r, t, weak)
    if gain_not > SMALLEST_GAIN:
        _propose(out, negated, row, value, gain_not, r_not, t_not, weak_not)


@kernel
def _save(
    out: NDArray[np.float64],
    operator: int,
    row: int,
    value: float,
    r: float,
    t: float,
    saved: NDArray[np.float64],
    min_accuracy: float,
) -> None:
    """Record a literal with which the clause would be better than the saved one."""
    last = out[out.shape[0] - 1]
    accuracy = r / t
    before, cover = (last[RIGHT] / last[TOTAL], last[RIGHT]) if last[TOTAL] > 0.0 else (saved[0], saved[1])
    if accuracy >= min_accuracy and (accuracy > before or (accuracy == before and r > cover)):
        _set(last, operator, row, value, 0.0, r, t, False)


@kernel
def _propose(
    out: NDArray[np.float64],
    operator: int,
    row: int,
    value: float,
    gain: float,
    r: float,
    t: float,
    weak: bool,
) -> None:
    """Insert a literal by its gain; ties stay in order, but a negation comes last."""
    n = out.shape[0] - 1
    plain = operator == 0 or operator == 3
    i = 0
    while i < n and out[i, GAIN] > 0.0:
        i += 1
    while i > 0:
        before = out[i - 1]
        before_negated = before[OPERATOR] == 1.0 or before[OPERATOR] == 2.0
        if gain > before[GAIN] + SMALLEST_GAIN or (gain == before[GAIN] and plain and before_negated):
            i -= 1
        else:
            break
    if i >= n:
        return
    for k in range(n - 1, i, -1):
        out[k] = out[k - 1]
    _set(out[i], operator, row, value, gain, r, t, weak)


@kernel
def _best_threshold(
    counts: NDArray[np.float64], base: float, raw: bool
) -> tuple[int, tuple[float, float, float, float]]:
    """Return the level at which to cut so that the better side gains most, and the weights of both sides.

    The level itself belongs below. Cuts lie where the class changes; the first of ties is taken, -1 means
    none. The sides are those of `_consider`, above the cut first.
    """
    known_r, known_t = 0.0, 0.0
    for k in range(counts.shape[0]):
        known_r += counts[k, 0]
        known_t += counts[k, 0] + counts[k, 1]
    best_gain, best, best_r, best_t = -2.0 * TIE, -1, 0.0, 0.0
    r, t = 0.0, 0.0
    for k in range(counts.shape[0] - 1):
        r += counts[k, 0]
        t += counts[k, 0] + counts[k, 1]
        only_class = counts[k, 1] == 0.0 and counts[k + 1, 1] == 0.0
        only_others = counts[k, 0] == 0.0 and counts[k + 1, 0] == 0.0
        if only_class or only_others:
            continue
        above = known_r - r
        gain = above * (base - information(above, known_t - t, raw)) if above > 0.0 else 0.0
        gain_below = r * (base - information(r, t, raw)) if r > 0.0 else 0.0
        if max(gain, gain_below) > best_gain + TIE:
            best_gain, best, best_r, best_t = max(gain, gain_below), k, r, t
    return best, (known_r - best_r, known_t - best_t, best_r, best_t)


@kernel
def _set(
    line: NDArray[np.float64],
    operator: int,
    row: int,
    value: float,
    gain: float,
    r: float,
    t: float,
    weak: bool,
) -> None:
    line[OPERATOR] = operator
    line[ROW] = row
    line[VALUE] = value
    line[GAIN] = gain
    line[RIGHT] = r
    line[TOTAL] = t
    line[WEAK] = weak
