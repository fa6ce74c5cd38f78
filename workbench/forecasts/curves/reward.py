"""The reward of a forecast as the probability of one class goes from 0 to 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.base.errors import WorkbenchError
from workbench.base.text import shown
from workbench.metrics import Metric, ScoringRule

__all__ = ["RewardCurve", "reward_curve"]

STEPS = 1000  # of the probability between 0 and 1
ENDS = np.logspace(-12, -3, 37)  # how near to 0 and 1 unbounded rewards are computed
SAME = 1e-12  # rewards nearer than this are equal: a step next to a smooth maximum costs a million times more


@dataclass(frozen=True, eq=False)
class RewardCurve:
    """Reward of a forecast against the forecast probability of one class.

    The other classes share the remaining probability in proportion to the prior.

    Parameters
    ----------
    metric : ScoringRule
        The metric that gives the rewards.
    forecast : ndarray of shape (n_points,)
        Forecast probability of the class, from 0 to 1.
    happened : ndarray of shape (n_points,)
        Reward if the class is true. This is the score, with its sign changed if lower is better. It may be
        infinite.
    otherwise : ndarray of shape (n_points,)
        Mean reward if another class is true, averaged in the proportions of the prior.
    """

    metric: ScoringRule
    forecast: NDArray[np.float64]
    happened: NDArray[np.float64]
    otherwise: NDArray[np.float64]

    @property
    def name(self) -> str:
        """Name of the metric, with a minus if the reward is the score with its sign changed."""
        return self.metric.name if self.metric.direction == "higher" else f"\u2212{self.metric.name}"

    def expected(self, chance: float) -> NDArray[np.float64]:
        """Return the expected reward at each forecast probability.

        Parameters
        ----------
        chance : float
            True probability of the class, above 0 and below 1.

        Returns
        -------
        ndarray of shape (n_points,)
        """
        if not 0.0 < chance < 1.0:
            raise WorkbenchError(f"chance is {shown(chance)}: give a number above 0 and below 1")
        return chance * self.happened + (1.0 - chance) * self.otherwise

    def best(self, chance: float) -> tuple[float, float]:
        """Return the least and the greatest forecast with the largest expected reward.

        Parameters
        ----------
        chance : float
            True probability of the class, above 0 and below 1.

        Returns
        -------
        tuple of two floats
            The two forecasts, with a precision of 0.001. For a proper metric both equal the chance.
        """
        values = self.expected(chance)
        top = self.forecast[values >= values.max() - SAME]
        return round(float(top[0]), 3), round(float(top[-1]), 3)


def reward_curve(metric: Metric, *, prior: ArrayLike = (0.5, 0.5), of: int = 0) -> RewardCurve:
    """Compute the rewards of a metric for all forecast probabilities of one class.

    Parameters
    ----------
    metric : ScoringRule
        A metric that scores single rows.
    prior : array-like of shape (n_classes,)
        Prior probabilities of at least two classes. Metrics that compare with a prior use it.
    of : int
        Code of the class whose probability is varied.

    Returns
    -------
    RewardCurve

    Raises
    ------
    ValueError
        If the metric does not score single rows, or there is no such class or prior.

    Examples
    --------
    >>> from workbench.metrics import METRICS
    >>> curve = reward_curve(METRICS["ir_b"], prior=(0.1, 0.45, 0.45))
    >>> curve.happened[curve.forecast == 0.1]  # the forecast is the prior
    array([0.])
    >>> curve.best(0.7)
    (0.7, 0.7)
    """
    if not isinstance(metric, ScoringRule):
        raise WorkbenchError(
            f"{metric.name} does not score single forecasts: use a metric that does, such as ir_b"
        )
    shares = np.asarray(prior, dtype=np.float64)
    if shares.ndim != 1 or len(shares) < 2 or not 0 <= of < len(shares) or not (shares > 0.0).all():
        raise WorkbenchError(
            f"prior is {shares.tolist()} and of is {of}: give positive probabilities of two classes or more, "
            "and the code of one of them"
        )
    # The prior itself is among the forecasts, so that the curve contains its reward of 0.
    forecast = np.unique(np.r_[np.arange(STEPS + 1) / STEPS, ENDS, 1.0 - ENDS, shares[of]])
    others = np.delete(np.arange(len(shares)), of)
    rest = shares[others] / shares[others].sum()
    rows = np.empty((len(forecast), len(shares)))
    rows[:, of] = forecast
    rows[:, others] = (1.0 - forecast)[:, None] * rest
    scores = metric.by_class(rows, prior=shares)
    sign = 1.0 if metric.direction == "higher" else -1.0
    return RewardCurve(metric, forecast, sign * scores[:, of], sign * (scores[:, others] @ rest))
