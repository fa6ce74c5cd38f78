"""The result of prequential evaluation: the reward of each row, with and without recalibration."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from workbench.base.checks import as_integer
from workbench.metrics import InformationReward, ScoringRule
from workbench.prequential._shared.base import RecalibrationMap
from workbench.prequential.maps import new_map

__all__ = ["PrequentialResult", "running_prior", "scores_against"]

#: Rows that are printed.
MOST_ROWS = 5
ALPHA = 0.5  # what each count starts at, as in `workbench.metrics.class_prior`


@dataclass(frozen=True, eq=False, repr=False)
class PrequentialResult:
    """Forecasts and rewards of a learner on a stream of rows, in the order of arrival.

    Parameters
    ----------
    learner : str
        Name of the class of the learner.
    recalibration : str or None
        Key of the recalibration map. None without a map.
    metric : ScoringRule
        The metric that scores each row. Its scores are called rewards here.
    classes : tuple
        Labels of the classes, in the order of the columns of probabilities.
    start : int
        Number of training rows before the first forecast.
    batch : int
        Number of rows that the learner forecast together and then learned from together.
    frozen : bool
        Whether the learner stopped learning after `start`.
    outcomes : ndarray of shape (n_samples,)
        Codes of the true classes of the rows after the first `start` rows.
    prior : ndarray of shape (n_classes,) or (n_samples, n_classes)
        The prior to which rewards are relative, for all rows or for each row.
    y_prob, y_prob_recalibrated : ndarray of shape (n_samples, n_classes)
        The forecasts of the learner, and the recalibrated forecasts. Without a map both are equal.
    reward, reward_recalibrated : ndarray of shape (n_samples,)
        The reward of each row, in the unit of the metric. Rewards may be infinite.

    See Also
    --------
    workbench.prequential.prequential : returns this result.
    workbench.figures.PrequentialDisplay : draws this result.

    Examples
    --------
    >>> import numpy as np
    >>> from learners import NaiveBayesClassifier
    >>> from workbench.prequential import prequential
    >>> X = np.random.default_rng(1).integers(0, 2, (300, 3))
    >>> result = prequential(NaiveBayesClassifier(), X, X[:, 0] ^ X[:, 1], recalibration="platt")
    >>> result.frame().columns.tolist()[:3], len(result.frame()), result.n_infinite
    (['rows', 'reward', 'reward_recalibrated'], 200, 0)
    """

    learner: str
    recalibration: str | None
    metric: ScoringRule
    classes: tuple[Any, ...]
    start: int
    batch: int
    frozen: bool
    outcomes: NDArray[np.intp]
    prior: NDArray[np.float64]
    y_prob: NDArray[np.float64]
    y_prob_recalibrated: NDArray[np.float64]
    reward: NDArray[np.float64]
    reward_recalibrated: NDArray[np.float64]

    def __repr__(self) -> str:
        how = f"recalibration {self.recalibration}" if self.recalibration else "no recalibration"
        return (
            f"<{self.learner}, {len(self.outcomes):,} rows after {self.start:,}, {how}; frame() begins:\n"
            f"{self.frame().head(MOST_ROWS).to_string(index=False)}>"
        )

    @property
    def n_infinite(self) -> int:
        """Number of rows whose reward is infinite without recalibration."""
        return int(np.isinf(self.reward).sum())

    @property
    def n_infinite_recalibrated(self) -> int:
        """Number of rows whose reward is infinite with recalibration."""
        return int(np.isinf(self.reward_recalibrated).sum())

    def under(
        self, recalibration: str | RecalibrationMap | None, *, feedback: bool = True
    ) -> PrequentialResult:
        """Return the result for the same forecasts of the learner under another recalibration map.

        Parameters
        ----------
        recalibration : {"histogram", "platt"}, RecalibrationMap or None
            As in `prequential`.
        feedback : bool, default True
            Whether the map learns from true classes. Otherwise it does not change.

        Returns
        -------
        PrequentialResult
        """
        if recalibration is None:
            return replace(
                self, recalibration=None, y_prob_recalibrated=self.y_prob, reward_recalibrated=self.reward
            )
        chosen = new_map(recalibration, len(self.classes))
        mended = chosen.follow(self.y_prob, self.outcomes) if feedback else chosen.apply(self.y_prob)
        reward = scores_against(self.metric, self.outcomes, mended, self.prior)
        return replace(self, recalibration=chosen.key, y_prob_recalibrated=mended, reward_recalibrated=reward)

    def frame(self, window: int | None = None) -> pd.DataFrame:
        """Return one row per forecast, with rewards and their means up to this row.

        Parameters
        ----------
        window : int, optional
            Number of latest forecasts over which the windowed means are taken. By default the latest half of
            all rows so far, so that the window grows.

        Returns
        -------
        DataFrame
            Columns: rows (number of rows so far, including this one), reward, cumulative (mean reward up to
            this row), windowed (mean reward of the window), and the same with the suffix _recalibrated. A
            mean that includes an infinite reward is infinite.

        Raises
        ------
        ValueError
            If the window is not an integer of at least 1.
        """
        scored = np.arange(1, len(self.reward) + 1)
        rows = self.start + scored
        if window is not None and (as_integer(window) or 0) < 1:
            raise ValueError(f"window is {window!r}: expected an integer of at least 1")
        widths = np.minimum((rows + 1) // 2 if window is None else window, scored)
        columns = {"reward": self.reward, "reward_recalibrated": self.reward_recalibrated}
        means = {
            name.replace("reward", kind): _trailing_means(values, width)
            for kind, width in (("cumulative", scored), ("windowed", widths))
            for name, values in columns.items()
        }
        return pd.DataFrame({"rows": rows, **columns, **means})


def _trailing_means(values: NDArray[np.float64], widths: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the mean of the latest `widths[i]` values up to each i, infinite if one value is."""
    infinite = np.isinf(values)
    sums = np.concatenate([[0.0], np.where(infinite, 0.0, values).cumsum()])
    ends = np.arange(1, len(values) + 1)
    means = (sums[ends] - sums[ends - widths]) / widths
    for one in (np.inf, -np.inf):
        counts = np.concatenate([[0], (values == one).cumsum()])
        means = np.where(counts[ends] > counts[ends - widths], one, means)
    return means


def running_prior(outcomes: NDArray[np.intp], n_classes: int) -> NDArray[np.float64]:
    """Return the class distribution that is known before each row."""
    happened = np.zeros((len(outcomes), n_classes))
    happened[np.arange(1, len(outcomes)), outcomes[:-1]] = 1.0
    counts = happened.cumsum(axis=0) + ALPHA
    return counts / counts.sum(axis=1, keepdims=True)


def scores_against(
    metric: ScoringRule, outcomes: NDArray[np.intp], y_prob: NDArray[np.float64], prior: ArrayLike
) -> NDArray[np.float64]:
    """Score each row, with its own prior if there is one per row."""
    # IR_B is a function of the forecast less the same function of the prior, so the reward against a row's
    # own prior is a difference of two rewards against any one prior; other rewards are asked row by row, some
    # 40 microseconds each
    table = np.asarray(prior, dtype=np.float64)
    if "prior" not in metric.needs or table.ndim == 1:
        return metric.per_sample(outcomes, y_prob, prior=table)
    if isinstance(metric, InformationReward):
        even = np.full(table.shape[1], 1.0 / table.shape[1])
        return metric.per_sample(outcomes, y_prob, prior=even) - metric.per_sample(
            outcomes, table, prior=even
        )
    rows = zip(outcomes[:, None], y_prob[:, None], table, strict=True)
    return np.concatenate([metric.per_sample(t, q, prior=own) for t, q, own in rows])
