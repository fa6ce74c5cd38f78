"""Decisions by a threshold: net benefit, and the errors of both kinds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.base.errors import WorkbenchError
from workbench.forecasts.curves._shared.ranking import Ranking, both_kinds

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["DecisionCurve", "decision_curve"]

STEPS = 1000  # of the thresholds between 0 and 1


@dataclass(frozen=True, eq=False)
class DecisionCurve:
    """Results of decisions at each threshold, if rows are treated whose forecast is at least the threshold.

    Parameters
    ----------
    thresholds : ndarray of shape (n_thresholds,)
        Thresholds, from 0 to below 1.
    true_positive : ndarray of shape (n_thresholds,)
        Number of treated rows with the class, as a share of all rows.
    false_positive : ndarray of shape (n_thresholds,)
        Number of treated rows without the class, as a share of all rows.
    share : float
        Share of the class among all rows.

    Notes
    -----
    If rows are treated from a threshold t on, ``t / (1 - t)`` is the cost of a false positive, where the
    benefit of a true positive is 1. In these units the net benefit is
    ``true_positive - false_positive * t / (1 - t)`` [1]_. If no row is treated, the net benefit is 0.

    References
    ----------
    .. [1] Vickers, A. J., and Elkin, E. B., "Decision curve analysis: a novel method for evaluating
       prediction models", Medical Decision Making 26, 2006.

    Examples
    --------
    >>> y_true, y_prob = [True, False, True, False, False], [0.9, 0.8, 0.2, 0.2, 0.1]
    >>> curve = decision_curve(y_true, y_prob, thresholds=[0.2, 0.5])
    >>> curve.net_benefit  # 2/5 - 2/5 * 1/4, and 1/5 - 1/5
    array([0.3, 0. ])
    >>> curve.table()[["threshold", "treated", "sensitivity", "specificity"]].round(2)
       threshold  treated  sensitivity  specificity
    0        0.2      0.8          1.0         0.33
    1        0.5      0.4          0.5         0.67
    """

    thresholds: NDArray[np.float64]
    true_positive: NDArray[np.float64]
    false_positive: NDArray[np.float64]
    share: float

    @property
    def net_benefit(self) -> NDArray[np.float64]:
        """Net benefit per row: true positives minus false positives times the odds of the threshold."""
        return self.true_positive - self.false_positive * self._price

    @property
    def treat_all(self) -> NDArray[np.float64]:
        """Net benefit of treating every row, at each threshold."""
        return self.share - (1.0 - self.share) * self._price

    @property
    def sensitivity(self) -> NDArray[np.float64]:
        """Share of the rows with the class that are treated."""
        return self.true_positive / self.share

    @property
    def specificity(self) -> NDArray[np.float64]:
        """Share of the rows without the class that are not treated."""
        return 1.0 - self.false_positive / (1.0 - self.share)

    def table(self) -> pd.DataFrame:
        """Return one row per threshold.

        Returns
        -------
        DataFrame
            Columns threshold, treated (share of all rows), precision (NaN if no row is treated), sensitivity,
            specificity, net_benefit, treat_all.
        """
        import pandas as pd

        treated = self.true_positive + self.false_positive
        with np.errstate(invalid="ignore"):
            found = {
                "threshold": self.thresholds,
                "treated": treated,
                "precision": self.true_positive / treated,
            }
        names = ("sensitivity", "specificity", "net_benefit", "treat_all")
        return pd.DataFrame({**found, **{name: getattr(self, name) for name in names}})

    @property
    def _price(self) -> NDArray[np.float64]:
        return self.thresholds / (1.0 - self.thresholds)


def decision_curve(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    thresholds: ArrayLike | None = None,
    positive: object = None,
) -> DecisionCurve:
    """Compute the net benefit of decisions at each threshold, for one class against the rest.

    Parameters
    ----------
    y_true, positive
        As in `roc_curve`.
    y_prob : array-like of shape (n_samples,)
        Forecast probabilities of the class.
    thresholds : array-like of shape (n_thresholds,), optional
        Probabilities below 1. By default multiples of 0.001.

    Returns
    -------
    DecisionCurve

    Raises
    ------
    WorkbenchError
        As for `roc_curve`, or if a threshold or forecast is not a probability.
    """
    is_positive = both_kinds(y_true, positive)
    ranking = Ranking.by(y_prob)
    if ranking.forecasts[-1] < 0.0 or ranking.forecasts[0] > 1.0:
        raise WorkbenchError(
            f"forecasts are from {ranking.forecasts[-1]:g} to {ranking.forecasts[0]:g}: give probabilities"
        )
    chosen = np.arange(1, STEPS) / STEPS if thresholds is None else np.asarray(thresholds, dtype=np.float64)
    if chosen.ndim != 1 or not ((chosen >= 0.0) & (chosen < 1.0)).all():
        raise WorkbenchError(f"thresholds is {chosen.tolist()}: give a list of probabilities below 1")
    hits = ranking.sums(is_positive)
    reached = np.searchsorted(-ranking.forecasts, -chosen, side="right")
    found, wrong = (
        np.r_[0.0, np.cumsum(counts)] / len(is_positive) for counts in (hits, ranking.sizes - hits)
    )
    return DecisionCurve(chosen, found[reached], wrong[reached], float(is_positive.mean()))
