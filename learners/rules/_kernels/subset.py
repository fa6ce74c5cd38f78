"""Choose rules of one class by the length of a message: the rules, and their exceptions."""

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.tables._kernels.copying import copy_to

__all__ = ["best_climb", "best_of_all", "exception_bits"]

RULE_SHARE = 0.5  # of the rules' bits: many sets of rules are equivalent
IMPOSSIBLE = 1e6
SLACK = 1e-6


@kernel
def exception_bits(n: float, fires: float, false_positive: float, false_negative: float) -> float:
    """Return the bits that state which of `n` rows a set of rules misclassifies."""
    middle = 0.5 * (false_positive + false_negative)
    if fires > 0.5 * n:
        return (
            np.log2(n)
            + _biased(fires, false_positive, middle)
            + _biased(n - fires, false_negative, false_negative)
        )
    return (
        np.log2(n)
        + _biased(fires, false_positive, false_positive)
        + _biased(n - fires, false_negative, middle)
    )


@kernel
def _biased(n: float, errors: float, expected: float) -> float:
    if expected <= SLACK:
        return 0.0 if errors <= SLACK else IMPOSSIBLE
    if expected >= n - SLACK:
        return 0.0 if abs(errors - n) <= SLACK else IMPOSSIBLE
    rate = expected / n
    return -errors * np.log2(rate) - (n - errors) * np.log2(1.0 - rate)


@kernel
def best_of_all(
    starts: NDArray[np.int64],
    rows: NDArray[np.int32],
    row_starts: NDArray[np.int64],
    row_rules: NDArray[np.int32],
    in_class: NDArray[np.bool_],
    weight: NDArray[np.float64],
    bits: NDArray[np.float64],
    log_factorial: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Return the best of all subsets, the first in ties, with the first rule as lowest binary digit."""
    n_rules = bits.size
    is_in, best = np.zeros(n_rules, np.bool_), np.zeros(n_rules, np.bool_)
    covers, sums, own = _empty(starts, rows, in_class, weight, n_rules)
    least = np.inf
    for number in range(1 << n_rules):
        for r in range(n_rules):
            if is_in[r] != bool((number >> r) & 1):
                _toggle(r, starts, rows, row_starts, row_rules, in_class, weight, is_in, covers, sums, own)
        length = _length(sums, is_in, bits, log_factorial)
        if length < least - SLACK:
            least = length
            copy_to(best, is_in)
    return best


@kernel
def best_climb(
    starts: NDArray[np.int64],
    rows: NDArray[np.int32],
    row_starts: NDArray[np.int64],
    row_rules: NDArray[np.int32],
    in_class: NDArray[np.bool_],
    weight: NDArray[np.float64],
    bits: NDArray[np.float64],
    log_factorial: NDArray[np.float64],
    begin: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Return the best subset reached from the lines of `begin` by adding or dropping the best rule."""
    n_rules = bits.size
    best = np.zeros(n_rules, np.bool_)
    least = np.inf
    empty = _empty(starts, rows, in_class, weight, n_rules)
    for start in range(begin.shape[0]):
        is_in = np.zeros(n_rules, np.bool_)
        covers, sums, own = empty[0].copy(), empty[1].copy(), empty[2].copy()
        for r in range(n_rules):
            if begin[start, r]:
                _toggle(r, starts, rows, row_starts, row_rules, in_class, weight, is_in, covers, sums, own)
        while True:
            length = _length(sums, is_in, bits, log_factorial)
            if length < least - SLACK:
                least = length
                copy_to(best, is_in)
            r = _best_toggle(length, sums, own, is_in, bits, log_factorial)
            if r < 0:
                break
            _toggle(r, starts, rows, row_starts, row_rules, in_class, weight, is_in, covers, sums, own)
    return best


@kernel
def _empty(
    starts: NDArray[np.int64],
    rows: NDArray[np.int32],
    in_class: NDArray[np.bool_],
    weight: NDArray[np.float64],
    n_rules: int,
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]:
    """Return the state without rules: covers of each row, (n, fires, false + and -), own rows of rules."""
    covers = np.zeros((weight.size, 2), np.int32)
    sums = np.zeros(4)
    sums[0] = weight.sum()
    for i in range(weight.size):
        sums[3] += weight[i] * in_class[i]
    own = np.zeros((n_rules, 2))
    for r in range(n_rules):
        for j in range(starts[r], starts[r + 1]):
            own[r, np.int64(in_class[rows[j]])] += weight[rows[j]]
    return covers, sums, own


@kernel
def _toggle(
    r: int,
    starts: NDArray[np.int64],
    rows: NDArray[np.int32],
    row_starts: NDArray[np.int64],
    row_rules: NDArray[np.int32],
    in_class: NDArray[np.bool_],
    weight: NDArray[np.float64],
    is_in: NDArray[np.bool_],
    covers: NDArray[np.int32],
    sums: NDArray[np.float64],
    own: NDArray[np.float64],
) -> None:
    """Add or drop rule r, and update the rows that only one rule covers, or would cover."""
    # `covers` has, for a row, how many rules of the set cover it, and the exclusive or of their numbers: of a
    # single rule this is its number. `own`: the rows that no other rule covers, or that none covers.
    adds = not is_in[r]
    sign = 1.0 if adds else -1.0
    for j in range(starts[r], starts[r + 1]):
        i = rows[j]
        right = np.int64(in_class[i])
        w = weight[i]
        others = covers[i, 0] - (not adds)
        covers[i, 0] = others + adds
        covers[i, 1] ^= r
        if others == 0:
            sums[1] += sign * w
            sums[2] += sign * w * (1 - right)
            sums[3] -= sign * w * right
            for k in range(row_starts[i], row_starts[i + 1]):
                if row_rules[k] != r:
                    own[row_rules[k], right] -= sign * w
        elif others == 1:
            other = covers[i, 1] ^ r if adds else covers[i, 1]
            own[other, right] -= sign * w
    is_in[r] = adds


@kernel
def _length(
    sums: NDArray[np.float64],
    is_in: NDArray[np.bool_],
    bits: NDArray[np.float64],
    log_factorial: NDArray[np.float64],
) -> float:
    """Return the bits of a set of rules and its exceptions."""
    total = 0.0
    for r in range(bits.size):
        if is_in[r]:
            total += bits[r]
    total -= log_factorial[is_in.sum()]
    return RULE_SHARE * total + exception_bits(sums[0], sums[1], sums[2], sums[3])


@kernel
def _best_toggle(
    length: float,
    sums: NDArray[np.float64],
    own: NDArray[np.float64],
    is_in: NDArray[np.bool_],
    bits: NDArray[np.float64],
    log_factorial: NDArray[np.float64],
) -> int:
    """Return the rule that saves most when added or dropped, -1 if none does."""
    size = is_in.sum()
    of_rules = 0.0
    for r in range(bits.size):
        if is_in[r]:
            of_rules += bits[r]
    unchanged = exception_bits(sums[0], sums[1], sums[2], sums[3])
    best, most = -1, SLACK
    for r in range(bits.size):
        sign = -1.0 if is_in[r] else 1.0
        n_rules = size + (-1 if is_in[r] else 1)
        exceptions = unchanged  # where it has no rows of its own, as most rules of a large set
        if own[r, 0] != 0.0 or own[r, 1] != 0.0:
            fires = sums[1] + sign * (own[r, 0] + own[r, 1])
            exceptions = exception_bits(
                sums[0], fires, sums[2] + sign * own[r, 0], sums[3] - sign * own[r, 1]
            )
        other = RULE_SHARE * (of_rules + sign * bits[r] - log_factorial[n_rules]) + exceptions
        if length - other > most:
            best, most = r, length - other
    return best
