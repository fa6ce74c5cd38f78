"""How many training rows a learner needs for a share of what can be had."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.comparisons.base import ROUNDING, check_scores, check_share
from workbench.comparisons.bootstrap import N_RESAMPLES, expanded_interval, subject_weights
from workbench.comparisons.log_sizes import log_sizes

__all__ = ["SizeNeeded", "size_needed"]


@dataclass(frozen=True)
class SizeNeeded:
    """The training size from which on a learner has a share of the ceiling.

    Attributes
    ----------
    share : float
    size, low, high : float
        The size and its interval; infinite where it is beyond the largest that was measured. The smallest
        size that was measured stands for "at most that".
    p_reached : float
        Share of the resamples in which the largest size has it.
    curve : tuple of float
        Share of the ceiling at each size.
    n_subjects : int
    """

    share: float
    size: float
    low: float
    high: float
    p_reached: float
    curve: tuple[float, ...]
    n_subjects: int


def size_needed(
    values: ArrayLike,
    sizes: Sequence[int],
    *,
    ceiling: ArrayLike,
    share: float,
    floor: ArrayLike = 0.0,
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    random_state: int = 0,
) -> SizeNeeded:
    """Find the size from which on a learner has a share of the way from floor to ceiling.

    Assumes subjects drawn independently.

    Parameters
    ----------
    values : array-like of shape (n_subjects, n_sizes)
        Scores of the learner; at least two subjects.
    sizes : sequence of int
        Ascending, positive.
    ceiling, floor : array-like, broadcast to the shape of `values`
        The best score that can be had, and the score that is worth nothing; the ceiling may be below the
        floor where small scores are better.
    share : float
        Between 0 and 1.
    level : float
        Of the interval.
    n_resamples, random_state : int
        As `subject_weights` takes them.

    Returns
    -------
    SizeNeeded

    Raises
    ------
    ValueError
        If shapes disagree, a number is not finite, sizes do not ascend, the share is not between 0 and 1, or
        the mean ceiling is not on one side of the mean floor at all sizes.

    Notes
    -----
    The curve is ``(mean value - mean floor) / (mean ceiling - mean floor)``: a ratio of means, as shares of
    single truths with next to nothing to learn would be anything. It is taken as linear in the logarithm of
    the size between those that were measured. The answer is where it last comes up to the share: a curve that
    drops below it again does not have it. Resamples weigh subjects, each with its whole curve, its floor and
    its ceiling.

    Examples
    --------
    From a quarter to three quarters of the ceiling over a factor of 100: one half is in the middle.

    >>> found = size_needed([[0.5, 1.5], [0.5, 1.5]], [10, 1000], ceiling=2.0, share=0.5)
    >>> round(found.size, 6), found.curve
    (100.0, (0.25, 0.75))
    >>> size_needed([[0.5, 1.5], [0.5, 1.5]], [10, 1000], ceiling=2.0, share=0.9).size
    inf
    """
    scores = check_scores(values, axes="(n_subjects, n_sizes)", ndim=2)
    check_share(share, what="share")
    x = log_sizes(sizes, scores.shape[1])
    top, bottom = (_as_scores(one, scores, name) for one, name in ((ceiling, "ceiling"), (floor, "floor")))
    room = (top - bottom).mean(axis=0)
    if not ((room > 0).all() or (room < 0).all()):
        raise ValueError(
            "the mean ceiling is not on one side of the mean floor at all sizes: there is nothing to have a "
            "share of"
        )
    weights = subject_weights(len(scores), n_resamples=n_resamples, random_state=random_state)
    curve = (scores - bottom).mean(axis=0) / room
    with np.errstate(divide="ignore", invalid="ignore"):
        curves = (weights @ (scores - bottom)) / (weights @ (top - bottom))
    places = _reached(x, np.vstack([curve, curves]), share)
    reached = np.where(places == x[0], float(sizes[0]), np.exp(places))
    low, high = expanded_interval(reached[1:], n_subjects=len(scores), level=level)
    p_reached = float(np.isfinite(reached[1:]).mean())
    return SizeNeeded(
        float(share), float(reached[0]), low, high, p_reached, tuple(curve.tolist()), len(scores)
    )


def _as_scores(given: ArrayLike, scores: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    array = np.asarray(given, dtype=np.float64)
    try:
        whole = np.broadcast_to(array, scores.shape)
    except ValueError as error:
        raise ValueError(
            f"{name} has shape {array.shape}: give a number, or an array like values, {scores.shape}"
        ) from error
    if not np.isfinite(whole).all():
        raise ValueError(f"{name} has NaN or infinite entries: leave out these subjects everywhere")
    return whole


def _reached(x: NDArray[np.float64], curves: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """Give, curve by curve, where on `x` it last comes up to the share; infinite where it never does."""
    below = ~(curves >= share - ROUNDING)
    n = len(x)
    last = np.where(below.any(axis=1), n - 1 - below[:, ::-1].argmax(axis=1), -1)
    i = np.clip(last, 0, max(n - 2, 0))
    rows, after = np.arange(len(curves)), np.minimum(i + 1, n - 1)
    start, end = curves[rows, i], curves[rows, after]
    rise = np.where(end > start, end - start, 1.0)
    between = x[i] + (share - start) / rise * (x[after] - x[i])
    return np.where(last < 0, x[0], np.where(last == n - 1, np.inf, between))
