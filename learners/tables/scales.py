"""Units of numeric attributes: means, deviations, and precision of recording."""

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
    """Units in which numeric attributes have mean 0 and variance 1 over the training rows."""

    varied: NDArray[np.intp]  # attributes whose numbers differ; the others say nothing, and are left out
    centers: NDArray[np.float64]  # mean of the known numbers
    scales: NDArray[np.float64]  # standard deviation of these
    least: NDArray[np.float64]  # variance of rounding in these units, at most 1, the attribute's own

    @classmethod
    def of(cls, values: NDArray[np.float64], weights: NDArray[np.float64]) -> "Scales":
        """Compute the units from numbers (n_attributes, n_rows), NaN if missing, and positive weights."""
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
    """Return the variance due to rounding of each row of numbers, or 0 if all are equal."""
    # A number that was rounded to multiples of q is off by a uniform error of variance q^2 / 12. Here q is
    # the median gap between neighboring distinct values, so that a few outliers do not make it larger. Of
    # numbers that were not rounded it is what so few rows can tell apart, and vanishes as rows come.
    found = np.zeros(len(values))
    for j, column in enumerate(values):
        distinct = np.unique(column[~np.isnan(column)])
        if distinct.size > 1:
            found[j] = float(np.median(np.diff(distinct))) ** 2 / 12
    return found
