"""The reward of Kononenko and Bratko, for the true class alone."""

import math

import numpy as np
from numpy.typing import NDArray

from learners.compiled import kernel
from workbench.metrics._kernels.without_each import sum_without, sums_without_each

__all__ = ["rewards", "rewards_by_class"]


@kernel
def rewards(
    codes: NDArray[np.intp],
    forecast: NDArray[np.float64],
    prior: NDArray[np.float64],
    gains: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Return bits of each row, by the first of the two formulas where `gains` holds, else by the second."""
    prior_others = np.empty(prior.size)
    sums_without_each(prior.reshape(1, -1), 0, prior_others)
    out = np.empty(codes.size)
    for r in range(codes.size):
        t = codes[r]
        others = sum_without(forecast, r, t)
        out[r] = _bits(forecast[r, t], others, prior[t], prior_others[t], gains[r])
    return out


@kernel
def rewards_by_class(
    forecast: NDArray[np.float64], prior: NDArray[np.float64], gains: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return `rewards` of each row for each class, to the bit; `gains` has the shape of `forecast`."""
    prior_others, others = np.empty(prior.size), np.empty(prior.size)
    sums_without_each(prior.reshape(1, -1), 0, prior_others)
    out = np.empty(forecast.shape)
    for r in range(forecast.shape[0]):
        sums_without_each(forecast, r, others)
        for t in range(prior.size):
            out[r, t] = _bits(forecast[r, t], others[t], prior[t], prior_others[t], gains[r, t])
    return out


@kernel
def _bits(own: float, others: float, prior_own: float, prior_others: float, gain: bool) -> float:
    # a difference of logarithms: the ratio may overflow
    if gain:
        return math.log2(own) - math.log2(prior_own)
    return math.log2(prior_others) - math.log2(others)
