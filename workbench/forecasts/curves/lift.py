"""The share of a class found among the rows that a forecast ranks first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.base.errors import WorkbenchError
from workbench.forecasts.curves._shared.ranking import Ranking, positives_of

__all__ = ["LiftCurve", "lift_curve", "mean_lift"]


@dataclass(frozen=True, eq=False)
class LiftCurve:
    """Cumulative gain and lift along the rows, where rows with the highest forecasts come first.

    Parameters
    ----------
    share : ndarray of shape (n_samples + 1,)
        Share of the rows that are selected, from 0 to 1.
    gain : ndarray of shape (n_samples + 1,)
        Share of the rows of the class that are among the selected rows, from 0 to 1.
    best_gain : ndarray of shape (n_samples + 1,)
        The gain of a perfect ranking.

    Examples
    --------
    >>> curve = lift_curve([True, False, False, False], [0.9, 0.5, 0.5, 0.1])
    >>> curve.gain
    array([0., 1., 1., 1., 1.])
    >>> curve.lift.round(2)
    array([4.  , 4.  , 2.  , 1.33, 1.  ])
    >>> lift_curve(["yes", "no"], [0.9, 0.2], positive="yes").lift
    array([2., 2., 1.])
    """

    share: NDArray[np.float64]
    gain: NDArray[np.float64]
    best_gain: NDArray[np.float64]

    @property
    def lift(self) -> NDArray[np.float64]:
        """Rate of the class among the selected rows, over its rate among all rows. 1 for a random ranking.

        At share 0, no row is selected, and the value is that of the first row.
        """
        return _over_share(self.gain, self.share)

    @property
    def best_lift(self) -> NDArray[np.float64]:
        """Lift of a perfect ranking."""
        return _over_share(self.best_gain, self.share)


def lift_curve(y_true: ArrayLike, y_prob: ArrayLike, *, positive: object = None) -> LiftCurve:
    """Compute cumulative gain and lift of one class against the rest.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Whether each row is of the class, as bools or as 0 and 1. If `positive` is given, the labels of the
        true classes.
    y_prob : array-like of shape (n_samples,)
        Forecast probability of the class, or any number that ranks rows in the same way.
    positive : object, optional
        The label of the class. Needed if `y_true` has labels.

    Returns
    -------
    LiftCurve
        The curve. Rows with equal forecasts share their outcomes evenly, so their order has no effect.

    Raises
    ------
    WorkbenchError
        If no row is of the class, if `y_true` has labels and no class is named, or if a value is missing.
    """
    is_positive = positives_of(y_true, positive)
    n, n_positive = len(is_positive), int(is_positive.sum())
    if not n_positive:
        raise WorkbenchError(f"none of {n} rows is of the class: lift needs rows of the class")
    found = np.cumsum(Ranking.by(y_prob).evenly(is_positive))
    taken = np.arange(n + 1)
    return LiftCurve(taken / n, np.r_[0.0, found] / n_positive, np.minimum(taken, n_positive) / n_positive)


def mean_lift(curves: Sequence[LiftCurve]) -> LiftCurve:
    """Average the lift curves of several classes on the same rows, at each share of rows.

    Parameters
    ----------
    curves : sequence of LiftCurve
        At least one curve.

    Returns
    -------
    LiftCurve
    """
    gain = np.mean([curve.gain for curve in curves], axis=0)
    best = np.mean([curve.best_gain for curve in curves], axis=0)
    return LiftCurve(curves[0].share, gain, best)


def _over_share(gain: NDArray[np.float64], share: NDArray[np.float64]) -> NDArray[np.float64]:
    lift = gain[1:] / share[1:]
    return np.r_[lift[:1], lift]
