"""How finely numbers were recorded."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["rounding_variances"]


def rounding_variances(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the variance that rounding alone gives to each row of numbers.

    A number that was rounded to multiples of q is off by a uniform error of variance q^2 / 12. Here q is the
    median gap between neighboring distinct values, so that a few outliers do not make it larger. No model
    should claim to know a number more exactly.

    Parameters
    ----------
    values : ndarray of float64, shape (n_attributes, n_rows)
        NaN is missing.

    Returns
    -------
    ndarray of float64, shape (n_attributes,)
        0 where fewer than two values differ.

    Examples
    --------
    >>> rounding_variances(np.array([[0.0, 1.0, 1.0, 2.0], [3.0, 3.0, np.nan, 3.0]])).round(4)
    array([0.0833, 0.    ])
    """
    found = np.zeros(len(values))
    for j, column in enumerate(values):
        distinct = np.unique(column[~np.isnan(column)])
        if distinct.size > 1:
            found[j] = float(np.median(np.diff(distinct))) ** 2 / 12
    return found
