"""What a forecast predicts: its most probable class."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["hits", "predicted_class"]


def predicted_class(forecast: NDArray[np.float64]) -> NDArray[np.intp]:
    """Give the code of the most probable class of each row; of equally probable ones the first.

    Parameters
    ----------
    forecast : ndarray of shape (n_samples, n_classes)
        Checked probabilities.

    Returns
    -------
    ndarray of shape (n_samples,)

    Examples
    --------
    >>> predicted_class(np.array([[0.25, 0.75], [0.5, 0.5]]))
    array([1, 0])
    """
    from workbench.metrics._kernels.modes import modes

    return modes(forecast)[0]


def hits(predicted: NDArray[np.intp], n_classes: int) -> NDArray[np.bool_]:
    """Say of each class whether the prediction would be right if it happened.

    Parameters
    ----------
    predicted : ndarray of shape (n_samples,)
    n_classes : int

    Returns
    -------
    ndarray of shape (n_samples, n_classes)

    Examples
    --------
    >>> hits(np.array([1, 0]), 2)
    array([[False,  True],
           [ True, False]])
    """
    return predicted[:, None] == np.arange(n_classes)
