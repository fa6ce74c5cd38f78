"""What a forecast predicts: its most probable class."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["hits", "predicted_class"]


def predicted_class(forecast: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the code of the most probable class of each row; of equally probable ones the first."""
    from workbench.metrics._kernels.modes import modes

    return modes(forecast)[0]


def hits(predicted: NDArray[np.intp], n_classes: int) -> NDArray[np.bool_]:
    """Say of each class whether the prediction would be right if it happened."""
    return predicted[:, None] == np.arange(n_classes)
