"""Rows of forecasts: whether they are distributions, their modes, divergences and means."""

import math

import numpy as np
from numpy.typing import NDArray

from learners.compiled import kernel

__all__ = ["first_unsound_row", "modes", "divergences", "mean_of_rows"]

# A ratio beyond these may have lost digits: its logarithm is then taken of its parts.
LEAST_RATIO, GREATEST_RATIO = 1e-290, 1e290


@kernel
def first_unsound_row(forecast: NDArray[np.float64], tolerance: float) -> int:
    """Find the first row with an entry below 0 or not finite, or a sum off one; -1 if there is none.

    1 000 000 x 10: 3 ms against 17 ms with numpy's sums and least entry.
    """
    for r in range(forecast.shape[0]):
        total = 0.0
        sound = True
        for i in range(forecast.shape[1]):
            sound &= forecast[r, i] >= 0.0  # false for NaN; an infinite entry is found by its sum
            total += forecast[r, i]
        if not (sound and abs(total - 1.0) <= tolerance):
            return r
    return -1


@kernel
def modes(forecast: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the first class of the greatest probability in each row, and that probability."""
    n_samples, n_classes = forecast.shape
    classes = np.empty(n_samples, np.intp)
    greatest = np.empty(n_samples)
    for r in range(n_samples):
        mode = 0
        most = forecast[r, 0]
        for i in range(1, n_classes):
            if forecast[r, i] > most:
                mode, most = i, forecast[r, i]
        classes[r] = mode
        greatest[r] = most
    return classes, greatest


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
    if LEAST_RATIO < ratio < GREATEST_RATIO:
        return math.log2(ratio)
    return math.log2(p) - math.log2(q)


@kernel
def mean_of_rows(rows: NDArray[np.float64], drawn: NDArray[np.int64]) -> NDArray[np.float64]:
    """Average the rows drawn, each as often as it was drawn.

    1,000,000 rows of 4: 15 ms, against 60 ms with a copy of them.
    """
    sums = np.zeros(rows.shape[1])
    for r in drawn:
        for j in range(rows.shape[1]):
            sums[j] += rows[r, j]
    return sums / drawn.size
