"""Scores of rows against what was known before each: class counts that run along."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics import ScoringRule
from workbench.metrics.ir_b import InformationReward

__all__ = ["running_prior", "scores_against"]

ALPHA = 0.5  # what each count starts at, as in `workbench.metrics.class_prior`


def running_prior(outcomes: NDArray[np.intp], n_classes: int) -> NDArray[np.float64]:
    """Give the class distribution that is known before each row.

    Parameters
    ----------
    outcomes : ndarray of shape (n_samples,)
        Class codes in the order of arrival.
    n_classes : int

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        Row i: (count + 0.5) / (i + 0.5 n_classes) of the i rows before it.

    Examples
    --------
    >>> running_prior(np.array([1, 1, 0]), 2).round(3)
    array([[0.5  , 0.5  ],
           [0.25 , 0.75 ],
           [0.167, 0.833]])
    """
    happened = np.zeros((len(outcomes), n_classes))
    happened[np.arange(1, len(outcomes)), outcomes[:-1]] = 1.0
    counts = happened.cumsum(axis=0) + ALPHA
    return counts / counts.sum(axis=1, keepdims=True)


def scores_against(
    metric: ScoringRule, outcomes: NDArray[np.intp], y_prob: NDArray[np.float64], prior: ArrayLike
) -> NDArray[np.float64]:
    """Score each row, a prior of its own for each if there is one.

    Parameters
    ----------
    metric : ScoringRule
    outcomes : ndarray of shape (n_samples,)
        Class codes.
    y_prob : ndarray of shape (n_samples, n_classes)
        Forecasts.
    prior : array-like of shape (n_classes,) or (n_samples, n_classes)
        What a reward is measured against.

    Returns
    -------
    ndarray of shape (n_samples,)
        In the unit of the metric; may be infinite.

    Notes
    -----
    IR_B is a function of the forecast less the same function of the prior, so that the reward against a row's
    own prior is the difference of two rewards against any one prior. Other rewards are asked row by row, some
    40 microseconds each.

    Examples
    --------
    >>> from workbench.metrics import ir_b
    >>> scores_against(ir_b, np.array([0, 0]), np.array([[0.5, 0.5]] * 2), [[0.5, 0.5], [0.25, 0.75]])
    array([0., 1.])
    """
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
