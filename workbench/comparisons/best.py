"""The probability that each learner is the best, from the posterior of the largest mean."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.base.checks import Direction, sign_of
from workbench.comparisons._shared.base import ROUNDING, check_scores
from workbench.comparisons._shared.bootstrap import N_RESAMPLES, student_weights

__all__ = ["BestProbabilities", "probability_best"]


@dataclass(frozen=True, eq=False)
class BestProbabilities:
    """Probability that each learner has the best mean, in every setting.

    Attributes
    ----------
    mean : ndarray of shape (n_learners, n_settings)
        Mean scores, in the unit of the scores.
    p_best : ndarray of the same shape
        Probability that the learner has the best mean. The probabilities sum to one over the learners.
    n_subjects, n_resamples : int
        Number of subjects, and of resamples of the bootstrap.

    See Also
    --------
    probability_best : returns these probabilities.

    Examples
    --------
    >>> from workbench.comparisons import probability_best
    >>> found = probability_best([[[1.0], [2.0]], [[3.0], [5.0]]])  # two subjects are few
    >>> found.best.tolist(), found.p_best[:, 0].round(1).tolist()
    ([1], [0.1, 0.9])
    """

    mean: NDArray[np.float64]
    p_best: NDArray[np.float64]
    n_subjects: int
    n_resamples: int

    @property
    def best(self) -> NDArray[np.intp]:
        """The learner with the highest probability of being best in each setting, the first one of ties."""
        return self.p_best.argmax(axis=0)


def probability_best(
    values: ArrayLike,
    *,
    strata: ArrayLike | None = None,
    direction: Direction = "higher",
    n_resamples: int = N_RESAMPLES,
    random_state: int = 0,
) -> BestProbabilities:
    """Compute the probability that each learner has the best mean over the population of subjects.

    It is assumed that subjects (such as truths) are drawn independently and that means are approximately
    normal. With few subjects and skewed differences, the probability is too high for the learner that the
    long tail disfavors. Learners are scored on the same subjects, so the difficulty of subjects cancels.

    Parameters
    ----------
    values : array-like of shape (n_subjects, n_learners, n_settings)
        Finite scores. At least two subjects.
    strata : array-like of shape (n_subjects,), optional
        The stratum of each subject, if subjects come from several populations. Each stratum has equal weight,
        and at least two subjects. The mean of a learner is then the mean of its means over strata.
    direction : {"higher", "lower"}
        Whether higher or lower scores are better.
    n_resamples : int
        Number of draws of the bootstrap.
    random_state : int
        Seed of the draws.

    Returns
    -------
    BestProbabilities

    Raises
    ------
    ValueError
        If the scores do not have these axes, a score is not finite, there are too few subjects, or the
        direction is unknown.

    See Also
    --------
    bayesian_correlated_t : compares two learners, with a region of practical equivalence.

    Notes
    -----
    Each row of weights is a draw of the population, by Rubin's Bayesian bootstrap [1]_. For few subjects its
    dispersion is increased to that of Student's distribution (`student_weights`). A draw counts for the
    learner with the best weighted mean. If means are equal up to rounding, the draw is shared by their
    learners. The probability is about the mean score. So two learners with nearly equal means can differ
    significantly on many subjects. If many learners are nearly equal, it can happen that none has a
    probability above one half.

    References
    ----------
    .. [1] Rubin, D. B., "The Bayesian bootstrap", The Annals of Statistics 9, 1981.

    Examples
    --------
    The second learner is better by 1 on two subjects and worse by 1 on one subject. Student's posterior of
    the mean gives it a probability of 2/3, as t is 1/2 on two degrees of freedom. The plain bootstrap would
    give 3/4.

    >>> found = probability_best([[[0.0], [1.0]], [[4.0], [5.0]], [[2.0], [1.0]]], n_resamples=100_000)
    >>> found.p_best[:, 0].round(1).tolist()
    [0.3, 0.7]
    """
    scores = check_scores(values, axes="(n_subjects, n_learners, n_settings)", ndim=3)
    sign = sign_of(direction)
    weights = _weights(len(scores), strata, n_resamples, random_state)
    # Relative to the first learner: a common part would cost digits.
    gaps = sign * (scores - scores[:, :1])
    draws = np.tensordot(weights, gaps, axes=1)
    top = draws.max(axis=1, keepdims=True)
    reach = np.abs(weights).sum(axis=1)[:, None, None]  # by which rounding errors grow
    among = draws >= top - ROUNDING * reach * max(1.0, float(np.abs(scores).max()))
    p_best = (among / among.sum(axis=1, keepdims=True)).mean(axis=0)
    return BestProbabilities(scores.mean(axis=0), p_best, len(scores), len(weights))


def _weights(
    n_subjects: int, strata: ArrayLike | None, n_resamples: int, random_state: int
) -> NDArray[np.float64]:
    """Draw weights of subjects, with an equal share for every stratum."""
    if strata is None:
        return student_weights(n_subjects, n_resamples=n_resamples, random_state=random_state)
    labels, codes = np.unique(np.asarray(strata), return_inverse=True)
    if codes.shape != (n_subjects,):
        raise ValueError(
            f"strata has shape {codes.shape}: give one stratum for each of the {n_subjects} subjects"
        )
    weights = np.empty((n_resamples, n_subjects))
    for k in range(len(labels)):
        own = codes == k
        drawn = student_weights(int(own.sum()), n_resamples=n_resamples, random_state=random_state + k)
        weights[:, own] = drawn / len(labels)
    return weights
