"""Scores of rows against what was known before each: class counts that run along."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics import ScoringRule
from workbench.metrics.ir_b import InformationReward

__all__ = ["running_prior", "scores_against"]

ALPHA = 0.5  # what each count starts at, as in `workbench.metrics.class_prior`


def running_prior(outcomes: NDArray[np.intp], n_classes: int) -> NDArray[np.float64]:
    """Return the class distribution that is known before each row."""
    happened = np.zeros((len(outcomes), n_classes))
    happened[np.arange(1, len(outcomes)), outcomes[:-1]] = 1.0
    counts = happened.cumsum(axis=0) + ALPHA
    return counts / counts.sum(axis=1, keepdims=True)


def scores_against(
    metric: ScoringRule, outcomes: NDArray[np.intp], y_prob: NDArray[np.float64], prior: ArrayLike
) -> NDArray[np.float64]:
    """Score each row, a prior of its own for each if there is one.

    Notes
    -----
    IR_B is a function of the forecast less the same function of the prior, so that the reward against a row's
    own prior is the difference of two rewards against any one prior. Other rewards are asked row by row, some
    40 microseconds each.
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
