"""The probability that a random rule is as good: tails of two distributions, in logarithms."""

import math

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel

BINOMIAL, HYPERGEOMETRIC = 0, 1
NEGLIGIBLE = 1e-17  # a term this small relative to the sum ends it


@kernel
def log_factorials(n: int) -> NDArray[np.float64]:
    """Return ln 0!, ..., ln n!, bitwise as computed directly, for lookups in a tenth of the time."""
    out = np.empty(n + 1)
    for i in range(n + 1):
        out[i] = math.lgamma(i + 1.0)
    return out


@kernel
def log_chance(
    z: float,
    s: float,
    k: float,
    n: float,
    statistic: int,
    table: NDArray[np.float64],
    enough: float,
) -> float:
    """Return the natural logarithm of the chance of at least `z` right among `s` rows."""
    # `k` of the `n` rows are of the class. `table` is that of `log_factorials`, of length 0 where weights are
    # not whole: then the sum goes over z, z + 1, ... up to s. Infinite once it must exceed `enough`.
    if z <= 0.0 or k >= n:
        return 0.0
    if k <= 0.0 or z > s or (statistic == HYPERGEOMETRIC and z > k):
        return -np.inf
    p = k / n
    first = _log_term(z, s, k, n, p, statistic, table)
    if first > enough:
        return np.inf
    if z > s * p:
        return first + math.log(_upper_terms(z, s, k, n, p, statistic))
    if z - 1.0 < 0.0 or (statistic == HYPERGEOMETRIC and s - z + 1.0 > n - k):
        return 0.0
    below = _log_term(z - 1.0, s, k, n, p, statistic, table)
    below += math.log(_lower_terms(z - 1.0, s, k, n, p, statistic))
    return math.log1p(-min(math.exp(below), 1.0 - NEGLIGIBLE))


@kernel
def _upper_terms(z: float, s: float, k: float, n: float, p: float, statistic: int) -> float:
    """Return the terms from z upwards in units of the first. They shrink above the mean."""
    term, total, i = 1.0, 1.0, z
    most = s if statistic == BINOMIAL else min(s, k)
    while i + 1.0 <= most + 1e-9 and term > NEGLIGIBLE * total:
        if statistic == BINOMIAL:
            term *= (s - i) / (i + 1.0) * p / (1.0 - p)
        else:
            term *= (k - i) * (s - i) / ((i + 1.0) * (n - k - s + i + 1.0))
        total += term
        i += 1.0
    return total


@kernel
def _lower_terms(z: float, s: float, k: float, n: float, p: float, statistic: int) -> float:
    """Return the terms from z downwards in units of the first. They shrink below the mean."""
    term, total, i = 1.0, 1.0, z
    least = 0.0 if statistic == BINOMIAL else max(0.0, s - (n - k))
    while i - 1.0 >= least - 1e-9 and term > NEGLIGIBLE * total:
        if statistic == BINOMIAL:
            term *= i / (s - i + 1.0) * (1.0 - p) / p
        else:
            term *= i * (n - k - s + i) / ((k - i + 1.0) * (s - i + 1.0))
        total += term
        i -= 1.0
    return total


@kernel
def _log_term(
    i: float, s: float, k: float, n: float, p: float, statistic: int, table: NDArray[np.float64]
) -> float:
    """Return the logarithm of the chance of exactly `i` right."""
    if statistic == BINOMIAL:
        rest = s - i
        wrong = rest * math.log1p(-p) if rest > 0.0 else 0.0
        return _log_ways(s, i, table) + i * math.log(p) + wrong
    return _log_ways(k, i, table) + _log_ways(n - k, s - i, table) - _log_ways(n, s, table)


@kernel
def _log_ways(n: float, i: float, table: NDArray[np.float64]) -> float:
    if table.size:
        return table[np.intp(n)] - table[np.intp(i)] - table[np.intp(n - i)]
    return math.lgamma(n + 1.0) - math.lgamma(i + 1.0) - math.lgamma(n - i + 1.0)
