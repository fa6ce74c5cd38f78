"""How much each attribute tells about the class."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

__all__ = ["class_mutual_information"]

DECIMALS = 12  # attributes that differ by less tell the same but for rounding


def class_mutual_information(values: NDArray[np.float64], offsets: NDArray[np.int64]) -> NDArray[np.float64]:
    """I(X_j; class) of the training frequencies, each over the rows that show the attribute.

    Parameters
    ----------
    values : ndarray of float64, shape (n_slots, n_classes)
        Rows of each value and class; an attribute's last slot, for missing, is not read.
    offsets : ndarray of int64, shape (n_features + 1,)
        First slot of each attribute.

    Returns
    -------
    ndarray of float64, shape (n_features,)
        Nats, at least 0, rounded to twelve decimals so that independence is 0.

    Examples
    --------
    >>> values = np.array([[3.0, 0], [0, 3], [0, 0], [1, 1], [2, 2], [0, 0]])
    >>> class_mutual_information(values, np.array([0, 3, 6])) / np.log(2)
    array([1., 0.])
    """
    told = [_information(values[first : end - 1]) for first, end in pairwise(offsets)]
    return np.array(told).round(DECIMALS)


def _information(counts: NDArray[np.float64]) -> float:
    rows = counts.sum()
    if rows <= 0:
        return 0.0
    independent = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / rows
    shown = counts > 0
    return max(0.0, float((counts[shown] * np.log(counts[shown] / independent[shown])).sum() / rows))
