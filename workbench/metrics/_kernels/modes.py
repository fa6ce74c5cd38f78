"""The most probable class of each row."""

import numpy as np
from numpy.typing import NDArray

from learners.compiled import kernel

__all__ = ["modes"]


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
