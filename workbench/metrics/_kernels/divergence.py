"""Kullback-Leibler divergence, row by row."""

import math

import numpy as np
from numpy.typing import NDArray

from learners.compiled import kernel

__all__ = ["divergences"]

# A ratio beyond these may have lost digits: its logarithm is then taken of its parts.
LEAST, GREATEST = 1e-290, 1e290


@kernel
def divergences(p_true: NDArray[np.float64], y_prob: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return KL(p_true || y_prob) of each row, in bits; infinite where y_prob rules out what can happen."""
    out = np.empty(p_true.shape[0])
    for r in range(out.size):
        bits = 0.0
        for i in range(p_true.shape[1]):
            p, q = p_true[r, i], y_prob[r, i]
            if p > 0.0:
                bits += p * _log_ratio(p, q)
        out[r] = max(bits, 0.0)  # Gibbs: never below 0 but by rounding
    return out


@kernel
def _log_ratio(p: float, q: float) -> float:
    if q == 0.0:
        return math.inf
    ratio = p / q
    if LEAST < ratio < GREATEST:
        return math.log2(ratio)
    return math.log2(p) - math.log2(q)
