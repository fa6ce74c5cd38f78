"""The ROC curve of a forecast, its area, and its convex hull."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.forecasts.curves._shared.ranking import Ranking, both_kinds

__all__ = ["ROCCurve", "mean_roc", "roc_curve"]

ROUNDING = 1e-14  # of areas in the unit square: points of one line are taken as such


@dataclass(frozen=True, eq=False)
class ROCCurve:
    """ROC curve: true positive rate against false positive rate, for a decreasing threshold of the forecast.

    Parameters
    ----------
    false_positive : ndarray of shape (n_points,)
        Share of the rows without the class that are classified as positive, from 0 to 1.
    true_positive : ndarray of shape (n_points,)
        Share of the rows of the class that are classified as positive, from 0 to 1. This is the sensitivity.
    thresholds : ndarray of shape (n_points,), optional
        The lowest forecast that is classified as positive, at each point. The first threshold is infinite.
        None for the mean of several curves.

    References
    ----------
    .. [1] Provost, F., and Fawcett, T., "Analysis and visualization of classifier performance: comparison
       under imprecise class and cost distributions", KDD-97.

    Examples
    --------
    >>> curve = roc_curve([True, False, True, False], [0.9, 0.8, 0.6, 0.6])
    >>> curve.false_positive, curve.true_positive
    (array([0. , 0. , 0.5, 1. ]), array([0. , 0.5, 0.5, 1. ]))
    >>> curve.thresholds
    array([inf, 0.9, 0.8, 0.6])
    >>> curve.area, curve.hull.area
    (0.625, 0.75)
    """

    false_positive: NDArray[np.float64]
    true_positive: NDArray[np.float64]
    thresholds: NDArray[np.float64] | None = None

    @property
    def area(self) -> float:
        """Area under the curve (AUC), from 0 to 1. It is 0.5 for a random ranking."""
        return float(np.trapezoid(self.true_positive, self.false_positive))

    @property
    def hull(self) -> ROCCurve:
        """The convex hull: the least concave curve on or above this curve, through some of its points.

        Each point of the hull is attained by a threshold, or by a random choice between two thresholds. So
        points below the hull are never optimal.
        """
        kept: list[int] = []
        x, y = self.false_positive.tolist(), self.true_positive.tolist()
        for i in range(len(x)):
            while len(kept) > 1 and _bends_up(x, y, kept[-2], kept[-1], i):
                kept.pop()
            kept.append(i)
        thresholds = None if self.thresholds is None else self.thresholds[kept]
        return ROCCurve(self.false_positive[kept], self.true_positive[kept], thresholds)


def roc_curve(y_true: ArrayLike, y_prob: ArrayLike, *, positive: object = None) -> ROCCurve:
    """Compute the ROC curve of one class against the rest.

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
    ROCCurve
        The curve, with one point for each distinct forecast, and (0, 0). Rows with equal forecasts are one
        straight segment.

    Raises
    ------
    WorkbenchError
        If all rows or no rows are of the class, if `y_true` has labels and no class is named, or if a value
        is missing.
    """
    is_positive = both_kinds(y_true, positive)
    ranking = Ranking.by(y_prob)
    hits = ranking.sums(is_positive)
    found, wrong = np.cumsum(hits), np.cumsum(ranking.sizes - hits)
    return ROCCurve(
        np.r_[0.0, wrong] / wrong[-1], np.r_[0.0, found] / found[-1], np.r_[np.inf, ranking.forecasts]
    )


def mean_roc(curves: Sequence[ROCCurve]) -> ROCCurve:
    """Average ROC curves at each share of false positives.

    Parameters
    ----------
    curves : sequence of ROCCurve
        At least one curve, such as the curves of each class against the rest.

    Returns
    -------
    ROCCurve
        The mean curve. Its area is the mean of the areas.

    Examples
    --------
    >>> curves = [roc_curve([True, False], [0.9, 0.1]), roc_curve([True, False], [0.5, 0.5])]
    >>> mean_roc(curves).area
    0.75
    """
    if len(curves) == 1:
        return curves[0]
    places = np.unique(np.concatenate([curve.false_positive for curve in curves]))
    # At vertical rises both ends are averaged.
    low, high = (
        np.mean([_at(curve, places, side) for curve in curves], axis=0) for side in ("left", "right")
    )
    return ROCCurve(np.repeat(places, 2), np.stack([low, high], axis=1).ravel())


def _at(curve: ROCCurve, places: NDArray[np.float64], side: str) -> NDArray[np.float64]:
    """Evaluate a curve at places, at vertical rises the lower ("left") or upper end."""
    x, y = curve.false_positive, curve.true_positive
    among = np.searchsorted(x, places, side="left" if side == "left" else "right")
    if side == "right":
        among -= 1
    exact = x[among] == places
    return np.where(exact, y[among], np.interp(places, x, y))


def _bends_up(x: list[float], y: list[float], a: int, b: int, c: int) -> bool:
    """Return whether b lies on or below the line from a to c."""
    return (x[b] - x[a]) * (y[c] - y[a]) >= (y[b] - y[a]) * (x[c] - x[a]) - ROUNDING
