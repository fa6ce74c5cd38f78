"""Precision against recall."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.forecasts.curves._shared.ranking import Ranking, both_kinds

__all__ = ["PrecisionRecallCurve", "precision_recall_curve"]


@dataclass(frozen=True, eq=False)
class PrecisionRecallCurve:
    """Precision and recall of one class, for a decreasing threshold of the forecast.

    Parameters
    ----------
    recall : ndarray of shape (n_points,)
        Share of the rows of the class that are classified as positive, increasing to 1.
    precision : ndarray of shape (n_points,)
        Share of the rows classified as positive that are of the class. The last value is the share of the
        class among all rows.
    thresholds : ndarray of shape (n_points,)
        The lowest forecast that is classified as positive.

    References
    ----------
    .. [1] Davis, J., and Goadrich, M., "The relationship between precision-recall and ROC curves", ICML 2006.

    Examples
    --------
    >>> curve = precision_recall_curve([True, False, True, False], [0.9, 0.8, 0.6, 0.6])
    >>> curve.recall, curve.precision
    (array([0.5, 0.5, 1. ]), array([1. , 0.5, 0.5]))
    >>> curve.average
    0.75
    """

    recall: NDArray[np.float64]
    precision: NDArray[np.float64]
    thresholds: NDArray[np.float64]

    @property
    def average(self) -> float:
        """Mean of the precision over the rows of the class, which is scikit-learn's average precision."""
        return float(np.diff(self.recall, prepend=0.0) @ self.precision)


def precision_recall_curve(
    y_true: ArrayLike, y_prob: ArrayLike, *, positive: object = None
) -> PrecisionRecallCurve:
    """Compute precision and recall of one class against the rest.

    Parameters
    ----------
    y_true, y_prob, positive
        As in `roc_curve`.

    Returns
    -------
    PrecisionRecallCurve
        The curve, with one point for each distinct forecast, the highest first. scikit-learn's function has
        the reverse order, and an additional point of precision 1 at recall 0 that no threshold attains.

    Raises
    ------
    WorkbenchError
        As for `roc_curve`.
    """
    is_positive = both_kinds(y_true, positive)
    ranking = Ranking.by(y_prob)
    found = np.cumsum(ranking.sums(is_positive))
    return PrecisionRecallCurve(found / found[-1], found / np.cumsum(ranking.sizes), ranking.forecasts)
