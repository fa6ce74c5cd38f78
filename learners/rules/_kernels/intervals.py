"""The cut of one sorted numeric attribute with the least class entropy."""

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.tables._kernels.one_r import midpoint_above

TIE = 1e-12


@kernel
def entropy_cut(
    x: NDArray[np.float64], y: NDArray[np.intp], weight: NDArray[np.float64], n_classes: int
) -> tuple[float, float]:
    """Return the cut with the least class entropy, and that entropy times the weight in nats, or NaN."""
    # `x` is sorted, without NaN; `weight` of length 0 means ones; the first of equal cuts is taken
    right = np.zeros(n_classes)
    for i in range(x.size):
        right[y[i]] += weight[i] if weight.size else 1.0
    left = np.zeros(n_classes)
    best, cut = np.inf, np.nan
    for i in range(x.size - 1):
        w = weight[i] if weight.size else 1.0
        left[y[i]] += w
        right[y[i]] -= w
        if x[i] < x[i + 1]:
            cost = total_entropy(left) + total_entropy(right)
            if cost < best - TIE * x.size:
                best, cut = cost, midpoint_above(x[i], x[i + 1])
    return cut, best


@kernel
def total_entropy(counts: NDArray[np.float64]) -> float:
    """Return the entropy of class weights times their sum, in nats."""
    total, within = 0.0, 0.0
    for c in counts:
        if c > 0.0:
            total += c
            within += c * np.log(c)
    return total * np.log(total) - within if total > 0.0 else 0.0
