"""Good's reward of one bet a row."""

import math

import numpy as np
from numpy.typing import NDArray

from learners.compiled import kernel
from workbench.metrics._kernels.without_each import sum_without

__all__ = ["rewards"]


@kernel
def rewards(modes: NDArray[np.intp], forecast: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give, for each row, the bits of a bet on its class `modes`: column 0 if it is lost, column 1 if won."""
    out = np.empty((modes.size, 2))
    for r in range(modes.size):
        out[r, 0] = 1.0 + math.log2(sum_without(forecast, r, modes[r]))
        # min: the tolerance of the row sums lets a probability exceed 1 by a rounding
        out[r, 1] = 1.0 + math.log2(min(forecast[r, modes[r]], 1.0))
    return out
