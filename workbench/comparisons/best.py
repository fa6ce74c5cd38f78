"""How probably each learner is the best: the posterior of the largest mean."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.comparisons.base import ROUNDING, check_scores
from workbench.comparisons.bootstrap import N_RESAMPLES, subject_weights
from workbench.comparisons.direction import Direction, sign_of

__all__ = ["BestProbabilities", "probability_best"]


@dataclass(frozen=True, eq=False)
class BestProbabilities:
    """The probability that each learner has the best mean, setting by setting.

    Attributes
    ----------
    mean : ndarray of shape (n_learners, n_settings)
        In the unit of the scores.
    p_best : ndarray of the same shape
        Sums to one over the learners.
    n_subjects, n_resamples : int

    See Also
    --------
    probability_best : makes one.

    Examples
    --------
    >>> from workbench.comparisons import probability_best
    >>> found = probability_best([[[1.0], [2.0]], [[3.0], [5.0]]])
    >>> found.best.tolist(), found.p_best[:, 0].tolist()
    ([1], [0.0, 1.0])
    """

    mean: NDArray[np.float64]
    p_best: NDArray[np.float64]
    n_subjects: int
    n_resamples: int

    @property
    def best(self) -> NDArray[np.intp]:
        """Which learner is the most probable best of each setting, the first of several."""
        return self.p_best.argmax(axis=0)


def probability_best(
    values: ArrayLike,
    *,
    direction: Direction = "higher",
    n_resamples: int = N_RESAMPLES,
    random_state: int = 0,
) -> BestProbabilities:
    """Ask how probably each learner has the best mean over the population that the subjects are drawn from.

    Assumes subjects drawn independently; no distribution of the scores. Learners were measured on the same
    subjects, so what is easy for all cancels.

    Parameters
    ----------
    values : array-like of shape (n_subjects, n_learners, n_settings)
        Finite scores; at least two subjects.
    direction : {"higher", "lower"}
        Which scores are better.
    n_resamples, random_state : int
        As `subject_weights` takes them.

    Returns
    -------
    BestProbabilities

    Raises
    ------
    ValueError
        If the shape is another, a score is not finite, there are too few subjects or the direction is none.

    See Also
    --------
    bayesian_correlated_t : two learners, with a region where differences do not matter.

    Notes
    -----
    Each row of weights is a draw of the population; the learner with the best weighted mean gets the draw,
    learners whose means are the same but for rounding share it. The probability is about the mean of this
    metric, so two learners that hardly differ can be told apart where there are many subjects, and one of
    many near equal learners need not have a probability above one half.

    References
    ----------
    .. [1] Rubin, D. B., "The Bayesian bootstrap", The Annals of Statistics 9, 1981.

    Examples
    --------
    The second learner is ahead by 1 on two subjects and behind by 1 on one: its weighted mean is ahead where
    the weight of the third subject is below one half, which has probability 3/4.

    >>> found = probability_best([[[0.0], [1.0]], [[4.0], [5.0]], [[2.0], [1.0]]], n_resamples=100_000)
    >>> found.p_best[:, 0].round(2).tolist()
    [0.25, 0.75]
    """
    scores = check_scores(values, axes="(n_subjects, n_learners, n_settings)", ndim=3)
    sign = sign_of(direction)
    weights = subject_weights(len(scores), n_resamples=n_resamples, random_state=random_state)
    # Less the first learner: what all have in common would cost digits.
    gaps = sign * (scores - scores[:, :1])
    draws = np.tensordot(weights, gaps, axes=1)
    top = draws.max(axis=1, keepdims=True)
    among = draws >= top - ROUNDING * np.maximum(1.0, np.abs(scores).max())
    p_best = (among / among.sum(axis=1, keepdims=True)).mean(axis=0)
    return BestProbabilities(scores.mean(axis=0), p_best, len(scores), len(weights))
