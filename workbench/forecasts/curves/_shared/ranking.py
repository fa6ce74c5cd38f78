"""Rows from the highest forecast to the lowest, with ties as unordered groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from workbench.base.errors import WorkbenchError
from workbench.base.text import count_of, shown

__all__ = ["Ranking", "both_kinds", "positives_of"]


@dataclass(frozen=True, eq=False)
class Ranking:
    """Rows in groups of equal forecast, from the highest to the lowest forecast.

    Parameters
    ----------
    order : ndarray of shape (n_samples,)
        Row numbers, from the highest forecast to the lowest.
    sizes : ndarray of shape (n_groups,)
        Number of rows with each distinct forecast. The numbers sum to n_samples.
    forecasts : ndarray of shape (n_groups,)
        The distinct forecasts, descending.

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
    def by(cls, forecast: ArrayLike) -> Ranking:
        """Rank rows by a forecast, the highest first.

        Parameters
        ----------
        forecast : array-like of shape (n_samples,)
            The forecast of each row, without NaN. At least one row.

        Returns
        -------
        Ranking
        """
        values = np.asarray(forecast, dtype=np.float64)
        if values.ndim != 1 or not values.size or np.isnan(values).any():
            raise ValueError(
                f"forecast has shape {values.shape} and {np.isnan(values).sum()} NaN values: "
                "expected one number per row, and at least one row"
            )
        order = np.argsort(-values, kind="stable")
        falling = values[order]
        starts = np.flatnonzero(np.r_[True, falling[1:] != falling[:-1]])
        return cls(order, np.diff(np.r_[starts, len(values)]), falling[starts])

    def sums(self, values: ArrayLike) -> NDArray[np.float64]:
        """Return the sum of the values of rows in each group.

        Parameters
        ----------
        values : array-like of shape (n_samples,)
            The value of each row, in row order, not in rank order.

        Returns
        -------
        ndarray of shape (n_groups,)
        """
        given = np.asarray(values, dtype=np.float64)
        if len(given) != len(self.order):
            raise WorkbenchError(
                f"there are {len(given)} outcomes and {len(self.order)} forecasts: expected equal numbers"
            )
        ranked = given[self.order]
        return np.add.reduceat(ranked, np.cumsum(self.sizes) - self.sizes)

    def evenly(self, values: ArrayLike) -> NDArray[np.float64]:
        """Return the mean value of its group at each rank, which is the average over all orders of tied rows.

        Parameters
        ----------
        values : array-like of shape (n_samples,)
            The value of each row, in row order, not in rank order.

        Returns
        -------
        ndarray of shape (n_samples,)
            The values in rank order.
        """
        return np.repeat(self.sums(values) / self.sizes, self.sizes)


def positives_of(y_true: ArrayLike, positive: object = None) -> NDArray[np.bool_]:
    """Return in which rows a class happened: bools, 0 and 1, or, with `positive`, labels, none missing."""
    values = np.asarray(y_true, dtype=object)
    if values.ndim != 1:
        raise WorkbenchError(f"y_true has shape {values.shape}: expected one value for each row")
    lacking = np.flatnonzero(pd.isna(values))
    if lacking.size:
        raise WorkbenchError(
            f"y_true has {count_of(lacking.size, 'missing value')}, the first in row {lacking[0] + 1}: "
            "drop rows whose outcome is unknown"
        )
    if positive is None:
        labels = [each for each in values if each not in (0, 1)]  # True and 1.0 are 1
        if labels:
            raise WorkbenchError(f"y_true has labels, such as {labels[0]!s}: name the class with positive=")
        return values.astype(bool)
    found = np.array([each == positive for each in values.tolist()], dtype=bool)
    if not found.any():
        known = ", ".join(map(shown, sorted(set(values.tolist()), key=str)[:5]))
        raise WorkbenchError(f"no row is of class {shown(positive)}: choose one of {known}")
    return found


def both_kinds(y_true: ArrayLike, positive: object = None) -> NDArray[np.bool_]:
    """Return in which rows a class happened, as `positives_of`, which must be neither all nor none."""
    is_positive = positives_of(y_true, positive)
    n = int(is_positive.sum())
    if n in (0, len(is_positive)):
        raise WorkbenchError(
            f"{n} of {len(is_positive)} rows are of the class: the curve needs rows of the class and others"
        )
    return is_positive
