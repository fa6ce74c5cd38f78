"""Units of numeric attributes: means, deviations, and how finely numbers were recorded."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["LEAST_SPREAD", "Scales", "rounding_variances"]

#: Deviation of numbers that differ by rounding alone, as a share of the largest.
LEAST_SPREAD = 1e-13
#: Deviations from the mean; numbers farther out count as that, so that squares stay finite.
FARTHEST = 1e100


@dataclass(frozen=True, eq=False)
class Scales:
    """Units in which numeric attributes have mean 0 and variance 1 over the training rows.

    Attributes
    ----------
    varied : ndarray of intp, shape (n_varied,)
        Attributes whose numbers differ; the others say nothing, and are left out.
    centers, scales : ndarray of float64, shape (n_varied,)
        Mean and standard deviation of the known numbers.
    least : ndarray of float64, shape (n_varied,)
        Variance of rounding in these units, see `rounding_variances`; at most 1, the attribute's own.

    Examples
    --------
    >>> Scales.of(np.array([[1.0, 3.0, np.nan], [5.0, 5.0, 5.0]]), np.ones(3))
    Scales(varied=array([0]), centers=array([2.]), scales=array([1.]), least=array([0.33333333]))
    """

    varied: NDArray[np.intp]
    centers: NDArray[np.float64]
    scales: NDArray[np.float64]
    least: NDArray[np.float64]

    @classmethod
    def of(cls, values: NDArray[np.float64], weights: NDArray[np.float64]) -> "Scales":
        """Compute them from rows.

        Parameters
        ----------
        values : ndarray of float64, shape (n_attributes, n_rows)
            Finite, however large; NaN is missing.
        weights : ndarray of float64, shape (n_rows,)
            Positive.
        """
        known = ~np.isnan(values)
        largest = np.where(known, np.abs(values), 0.0).max(axis=1, initial=0.0)
        units = np.where(largest > 0, largest, 1.0)  # so that squares stay finite
        shares = np.where(known, values / units[:, np.newaxis], 0.0)
        totals = np.maximum(known @ weights, np.finfo(float).tiny)
        centers = shares @ weights / totals
        apart = np.where(known, shares - centers[:, np.newaxis], 0.0)
        spreads = np.sqrt(apart**2 @ weights / totals)
        varied = np.flatnonzero(spreads > LEAST_SPREAD)
        units, centers, spreads = units[varied], centers[varied], spreads[varied]
        rounded = rounding_variances(values[varied] / units[:, np.newaxis]) / spreads**2
        return cls(varied, centers * units, spreads * units, np.minimum(rounded, 1.0))

    def standardized(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the varied attributes of rows, (n_varied, n_rows), in these units."""
        with np.errstate(over="ignore"):
            apart = (values[self.varied] - self.centers[:, np.newaxis]) / self.scales[:, np.newaxis]
        return np.clip(apart, -FARTHEST, FARTHEST)


def rounding_variances(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the variance that rounding alone may give to each row of numbers.

    A number that was rounded to multiples of q is off by a uniform error of variance q^2 / 12. Here q is the
    median gap between neighboring distinct values, so that a few outliers do not make it larger. Of numbers
    that were not rounded it is what so few rows can tell apart, and vanishes as rows come.

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
