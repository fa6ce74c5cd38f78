"""Rows from the highest forecast to the lowest, with ties as groups that no order is read into."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Ranking"]


@dataclass(frozen=True, eq=False)
class Ranking:
    """Rows in groups of equal forecast, the highest first.

    Parameters
    ----------
    order : ndarray of shape (n_samples,)
        Rows from the highest forecast to the lowest.
    sizes : ndarray of shape (n_groups,)
        How many rows each forecast has; they sum to n_samples.
    forecasts : ndarray of shape (n_groups,)
        The different forecasts, falling.

    Examples
    --------
    >>> ranking = Ranking.by([0.2, 0.7, 0.7, 0.9])
    >>> ranking.sizes
    array([1, 2, 1])
    >>> ranking.sums([1.0, 1.0, 0.0, 1.0])
    array([1., 1., 1.])
    >>> ranking.evenly([1.0, 1.0, 0.0, 1.0])
    array([1. , 0.5, 0.5, 1. ])
    """

    order: NDArray[np.intp]
    sizes: NDArray[np.intp]
    forecasts: NDArray[np.float64]

    @classmethod
    def by(cls, forecast: ArrayLike) -> "Ranking":
        """Rank rows by a forecast.

        Parameters
        ----------
        forecast : array-like of shape (n_samples,)
            At least one, none of them NaN.

        Returns
        -------
        Ranking
        """
        values = np.asarray(forecast, dtype=np.float64)
        if values.ndim != 1 or not values.size or np.isnan(values).any():
            raise ValueError(
                f"forecast has shape {values.shape} and {np.isnan(values).sum()} NaN: "
                "give one number for each of at least one row"
            )
        order = np.argsort(-values, kind="stable")
        falling = values[order]
        starts = np.flatnonzero(np.r_[True, falling[1:] != falling[:-1]])
        return cls(order, np.diff(np.r_[starts, len(values)]), falling[starts])

    def sums(self, values: ArrayLike) -> NDArray[np.float64]:
        """Sum a number of each row over each group.

        Parameters
        ----------
        values : array-like of shape (n_samples,)
            In the order of the rows, not of the ranks.

        Returns
        -------
        ndarray of shape (n_groups,)
        """
        ranked = np.asarray(values, dtype=np.float64)[self.order]
        return np.add.reduceat(ranked, np.cumsum(self.sizes) - self.sizes)

    def evenly(self, values: ArrayLike) -> NDArray[np.float64]:
        """Return each rank the mean of its group: what it has on average over all orders of tied rows.

        Parameters
        ----------
        values : array-like of shape (n_samples,)
            In the order of the rows, not of the ranks.

        Returns
        -------
        ndarray of shape (n_samples,)
            In the order of the ranks.
        """
        return np.repeat(self.sums(values) / self.sizes, self.sizes)
