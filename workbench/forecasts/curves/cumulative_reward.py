"""Cumulative reward along the rows, ranked or in their given order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.forecasts.curves._shared.ranking import Ranking

__all__ = ["CumulativeReward", "cumulative_reward"]


@dataclass(frozen=True, eq=False)
class CumulativeReward:
    """Cumulative reward along the rows, divided by the number of all rows.

    Parameters
    ----------
    share : ndarray of shape (n_samples + 1,)
        Share of the rows that are summed, from 0 to 1.
    reward : ndarray of shape (n_samples + 1,)
        Sum of the rewards of these rows, divided by the number of all rows. The last value is the mean
        reward. From the first infinite reward on, values are infinite.
    n_infinite : int
        Number of rows with an infinite reward.

    References
    ----------
    .. [1] Korb, K. B., Hope, L. R., and Hughes, M. J., "The evaluation of predictive learners: some
       theoretical and empirical results", 2001, section 6, on information reward compared with ROC and lift
       curves.

    Examples
    --------
    >>> cumulative_reward([1.0, -2.0, 0.5, 0.5], ranked_by=[0.9, 0.6, 0.7, 0.6]).reward
    array([0.    , 0.25  , 0.375 , 0.1875, 0.    ])
    """

    share: NDArray[np.float64]
    reward: NDArray[np.float64]
    n_infinite: int

    @property
    def mean(self) -> float:
        """Mean reward of all rows, which is the score."""
        return float(self.reward[-1])


def cumulative_reward(rewards: ArrayLike, *, ranked_by: ArrayLike | None = None) -> CumulativeReward:
    """Compute the cumulative reward along the rows.

    Parameters
    ----------
    rewards : array-like of shape (n_samples,)
        Reward of each row, for example from `per_sample` of a metric. Rewards may be infinite, all with the
        same sign.
    ranked_by : array-like of shape (n_samples,), optional
        Values by which rows are sorted in descending order. Rows with equal values share their rewards
        evenly. By default rows keep the given order.

    Returns
    -------
    CumulativeReward
    """
    values = np.asarray(rewards, dtype=np.float64)
    along = values if ranked_by is None else Ranking.by(ranked_by).evenly(values)
    n = len(values)
    total = np.r_[0.0, np.cumsum(along)] / n
    return CumulativeReward(np.arange(n + 1) / n, total, int(np.isinf(values).sum()))
