"""Mergeable weight, mean and squares around the mean of numeric attributes by class."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable

__all__ = ["ClassMoments"]


@dataclass(frozen=True)
class ClassMoments:
    """Moments of each numeric attribute in each class, and, in a last column, in all rows."""

    # Chan, Golub and LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances",
    # COMPSTAT 1982: two are merged by eq. 2.1, which loses no digits however far the numbers are from 0.
    weight: NDArray[np.float64]  # (n_numeric, n_classes + 1): weight of the rows that have it
    mean: NDArray[np.float64]  # their mean; 0 without rows
    squares: NDArray[np.float64]  # sum of the weighted squares around that mean

    @classmethod
    def of(cls, table: TrainingTable) -> Self:
        """Compute the moments of the rows of one table. Missing values are left out."""
        shape = len(table.values), table.n_classes + 1
        moments = cls(np.zeros(shape), np.zeros(shape), np.zeros(shape))
        weight = np.ones(table.y.size) if table.weight is None else table.weight
        for j, x in enumerate(table.values):
            known = ~np.isnan(x)
            if known.any():
                moments._fill(j, x[known], table.y[known], weight[known])
        return moments

    def merged(self, other: Self) -> Self:
        """Return the moments of both sets of rows together."""
        weight = self.weight + other.weight
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=weight > 0)
        difference = other.mean - self.mean
        # where only the other side has rows, its mean is taken unchanged, without rounding
        mean = np.where(self.weight > 0, self.mean + difference * share, other.mean)
        squares = self.squares + other.squares + difference * difference * self.weight * share
        return type(self)(weight, mean, squares)

    def emptied(self) -> Self:
        """Return the moments of no rows."""
        return type(self)(*[np.zeros_like(a) for a in (self.weight, self.mean, self.squares)])

    def _fill(self, j: int, x: NDArray[np.float64], y: NDArray[np.intp], weight: NDArray[np.float64]) -> None:
        n_classes = self.weight.shape[1] - 1
        self.weight[j, -1] = weight.sum()
        if x.min() == x.max():  # rounding of the mean could make a constant seem to vary
            self.weight[j, :-1] = np.bincount(y, weights=weight, minlength=n_classes)
            self.mean[j] = np.where(self.weight[j] > 0, x[0], 0.0)
            return
        self.mean[j, -1] = np.average(x, weights=weight)
        self.squares[j, -1] = np.multiply((x - self.mean[j, -1]) ** 2, weight).sum()
        by_class = np.bincount(y, weights=weight, minlength=n_classes)
        rows = np.where(by_class > 0, by_class, 1.0)
        self.weight[j, :-1] = by_class
        self.mean[j, :-1] = np.bincount(y, weights=weight * x, minlength=n_classes) / rows
        around = weight * (x - self.mean[j][y]) ** 2
        self.squares[j, :-1] = np.bincount(y, weights=around, minlength=n_classes)
