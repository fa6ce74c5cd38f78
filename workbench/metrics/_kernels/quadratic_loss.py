"""Squared distances of forecasts from what happened."""

import numpy as np
from numpy.typing import NDArray

from learners.compiled import kernel
from workbench.metrics._kernels.without_each import sum_without, sums_without_each

__all__ = ["quadratic_losses", "quadratic_losses_by_class"]

# The tolerance of row sums would let a certain miss exceed it by a rounding.
GREATEST = 2.0


@kernel
def quadratic_losses(codes: NDArray[np.intp], forecast: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give, for each row, the squared distance from the class that happened."""
    squares = np.empty((1, forecast.shape[1]))
    out = np.empty(codes.size)
    for r in range(codes.size):
        for i in range(squares.size):
            squares[0, i] = forecast[r, i] * forecast[r, i]
        missing = sum_without(forecast, r, codes[r])
        out[r] = min(sum_without(squares, 0, codes[r]) + missing * missing, GREATEST)
    return out


@kernel
def quadratic_losses_by_class(forecast: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return `quadratic_losses` of each row for each class, to the bit."""
    squares, missing = np.empty((1, forecast.shape[1])), np.empty(forecast.shape[1])
    out = np.empty(forecast.shape)
    for r in range(forecast.shape[0]):
        for i in range(squares.size):
            squares[0, i] = forecast[r, i] * forecast[r, i]
        sums_without_each(forecast, r, missing)
        sums_without_each(squares, 0, out[r])
        for t in range(squares.size):
            out[r, t] = min(out[r, t] + missing[t] * missing[t], GREATEST)
    return out
