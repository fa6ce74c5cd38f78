"""The probability that each learner is close to a ceiling, from the posterior of its mean."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.base.checks import Direction, sign_of
from workbench.base.text import shown
from workbench.comparisons._shared.base import ROUNDING, as_number, check_scores
from workbench.comparisons._shared.bootstrap import N_RESAMPLES, student_weights

__all__ = ["probability_within"]


def probability_within(
    values: ArrayLike,
    ceiling: ArrayLike,
    *,
    within: float,
    direction: Direction = "higher",
    n_resamples: int = N_RESAMPLES,
    random_state: int = 0,
) -> NDArray[np.float64]:
    """Compute the probability that each learner's mean is within a given distance of a ceiling's mean.

    The ceiling is a reference such as the optimum. As for `probability_best`, it is assumed that subjects are
    drawn independently and that means are approximately normal.

    Parameters
    ----------
    values : array-like of shape (n_subjects, n_learners, n_settings)
        Finite scores of the learners. At least two subjects.
    ceiling : array-like of shape (n_subjects, n_settings)
        Finite scores of the ceiling on the same subjects.
    within : float
        The largest distance that counts, above 0, in the unit of the scores. A learner that is better than
        the ceiling is within any distance.
    direction : {"higher", "lower"}
        Whether higher or lower scores are better.
    n_resamples : int
        Number of draws of the bootstrap.
    random_state : int
        Seed of the draws.

    Returns
    -------
    ndarray of shape (n_learners, n_settings)
        The probabilities.

    Raises
    ------
    ValueError
        If the scores do not have these axes, a score is not finite, there are too few subjects, or `within`
        is not a number above 0.

    See Also
    --------
    probability_best : computes the probability of the best mean, from the same draws of the population.

    References
    ----------
    .. [1] Rubin, D. B., "The Bayesian bootstrap", The Annals of Statistics 9, 1981.

    Examples
    --------
    The first learner is 0.1 below the ceiling on every subject, the second learner 0.1 or 0.3 below it.

    >>> values = [[[0.9], [0.9]], [[0.8], [0.6]], [[0.5], [0.5]]]
    >>> probability_within(values, [[1.0], [0.9], [0.6]], within=0.2).ravel().round(1).tolist()
    [1.0, 0.7]
    """
    scores = check_scores(values, axes="(n_subjects, n_learners, n_settings)", ndim=3)
    best = check_scores(ceiling, axes="(n_subjects, n_settings)", ndim=2)
    if best.shape != (len(scores), scores.shape[2]):
        raise ValueError(
            f"ceiling has shape {best.shape}: give one score for each of {len(scores)} subjects and "
            f"{scores.shape[2]} settings"
        )
    if not 0 < as_number(within) < np.inf:
        raise ValueError(f"within is {shown(within)}: give a number above 0, such as 0.01")
    weights = student_weights(len(scores), n_resamples=n_resamples, random_state=random_state)
    draws = np.tensordot(weights, sign_of(direction) * (best[:, None, :] - scores), axes=1)
    rounding = ROUNDING * np.abs(weights).sum(axis=1)[:, None, None] * max(1.0, float(np.abs(best).max()))
    return np.asarray((draws <= within + rounding).mean(axis=0))
