"""The training size that a learner needs for a share of the attainable score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.base.text import and_of
from workbench.comparisons._shared.base import ROUNDING, check_scores, check_share, log_sizes
from workbench.comparisons._shared.bootstrap import N_RESAMPLES, expanded_interval, subject_weights

__all__ = ["FARTHEST_SIZES", "RequiredSampleSize", "required_sample_size"]

#: Largest ratio of neighboring sizes between which scores are interpolated.
#: Over a larger ratio a straight line is a guess, whose error no interval over subjects includes.
FARTHEST_SIZES = 10.0


@dataclass(frozen=True)
class RequiredSampleSize:
    """The training size at which a learner reaches a given share of the attainable score.

    Attributes
    ----------
    share : float
        The share, between 0 and 1.
    size, low, high : float
        The size and the ends of its interval. A value is infinite if it is beyond the largest measured size.
        A value equal to the smallest measured size means "at most this size".
    left, right : float
        The measured sizes that enclose `size`. If the smallest size already reaches the share, both are the
        smallest size. If no size reaches it, they are the largest size and infinity.
    widened : (bool, bool)
        Whether low, and whether high, was moved outward to a measured size. If low was moved, the interval
        does not include low itself.
    p_reached : float
        Share of the bootstrap resamples in which the largest size reaches the share.
    curve : tuple of float
        Share of the attainable score at each measured size.
    n_subjects : int
        Number of subjects.
    """

    share: float
    size: float
    low: float
    high: float
    left: float
    right: float
    widened: tuple[bool, bool]
    p_reached: float
    curve: tuple[float, ...]
    n_subjects: int

    @property
    def is_interval(self) -> bool:
        """Whether it is only known that the size lies between `left` and `right`."""
        return _is_wide(self.left, self.right)


def required_sample_size(
    values: ArrayLike,
    sizes: Sequence[int],
    *,
    ceiling: ArrayLike,
    share: float,
    floor: ArrayLike = 0.0,
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    random_state: int = 0,
) -> RequiredSampleSize:
    """Find the training size at which a learner reaches a share of the difference between floor and ceiling.

    The floor is the score without information, and the ceiling is the attainable score. It is assumed that
    subjects (such as truths) are drawn independently.

    Parameters
    ----------
    values : array-like of shape (n_subjects, n_sizes)
        Scores of the learner. At least two subjects.
    sizes : sequence of int
        Training sizes, positive and ascending.
    ceiling, floor : array-like, broadcast to the shape of `values`
        The best possible score, and the score without information. The ceiling is lower than the floor if
        lower scores are better.
    share : float
        The share of the difference between floor and ceiling, between 0 and 1.
    level : float
        Confidence level of the interval.
    n_resamples : int
        Number of draws of the bootstrap.
    random_state : int
        Seed of the draws.

    Returns
    -------
    RequiredSampleSize

    Raises
    ------
    ValueError
        If the shapes do not match, a number is not finite, sizes do not ascend, or the share is not between 0
        and 1. Also if the mean ceiling is above the mean floor at some sizes and not above it at others.

    Notes
    -----
    The share at each size is ``(mean value - mean floor) / (mean ceiling - mean floor)``. It is a ratio of
    means, because shares are unstable on truths where almost nothing can be learned. Between measured sizes,
    the share is taken as linear in the logarithm of the size. The result is the size where this curve rises
    to the share for the last time. An earlier crossing does not count if the curve drops below the share
    again. Resamples weight subjects, where each subject keeps its scores, floor and ceiling at all sizes. The
    resamples do not reflect curvature between measured sizes. If the size or an end of its interval lies
    between measured sizes that are more than `FARTHEST_SIZES` times apart, the interval is therefore widened
    to these measured sizes.

    Examples
    --------
    The score goes from a quarter to three quarters of the ceiling while the size grows by a factor of 9. It
    reaches one half in the middle of the logarithmic scale.

    >>> found = required_sample_size([[0.5, 1.5], [0.5, 1.5]], [10, 90], ceiling=2.0, share=0.5)
    >>> round(found.size, 6), found.curve, found.is_interval
    (30.0, (0.25, 0.75), False)
    >>> required_sample_size([[0.5, 1.5], [0.5, 1.5]], [10, 90], ceiling=2.0, share=0.9).size
    inf

    If measured sizes are a factor of 100 apart, the middle is no better a guess than any other size.

    >>> found = required_sample_size([[0.5, 1.5], [0.5, 1.5]], [10, 1000], ceiling=2.0, share=0.5)
    >>> found.is_interval, found.low, found.high
    (True, 10.0, 1000.0)
    """
    scores = check_scores(values, axes="(n_subjects, n_sizes)", ndim=2)
    check_share(share, what="share")
    x = log_sizes(sizes, scores.shape[1])
    top, bottom = (_as_scores(one, scores, name) for one, name in ((ceiling, "ceiling"), (floor, "floor")))
    room = (top - bottom).mean(axis=0)
    if not ((room > 0).all() or (room < 0).all()):
        side = np.sign(room[-1])
        at = and_of(
            [str(size) for size, gap in zip(sizes, room, strict=True) if np.sign(gap) != side or not gap]
        )
        raise ValueError(
            f"the mean ceiling is not on one side of the mean floor at all sizes (another side at {at}), so "
            "shares are undefined: leave out such sizes, or choose another score"
        )
    weights = subject_weights(len(scores), n_resamples=n_resamples, random_state=random_state)
    curve = (scores - bottom).mean(axis=0) / room
    with np.errstate(divide="ignore", invalid="ignore"):
        curves = (weights @ (scores - bottom)) / (weights @ (top - bottom))
    places = _reached(x, np.vstack([curve, curves]), share)
    reached = np.where(places == x[0], float(sizes[0]), np.exp(places))
    low, high = expanded_interval(reached[1:], n_subjects=len(scores), level=level)
    size, p_reached = float(reached[0]), float(np.isfinite(reached[1:]).mean())
    left, right = _between(sizes, size)
    low, high, widened = _widened(sizes, (low, size, high))
    return RequiredSampleSize(
        float(share), size, low, high, left, right, widened, p_reached, tuple(curve.tolist()), len(scores)
    )


def _between(sizes: Sequence[int], size: float) -> tuple[float, float]:
    """Return the measured sizes after which and up to which a size lies. At the smallest, that size twice."""
    # A measured size is recovered from its logarithm only up to rounding.
    i = int(np.searchsorted(sizes, size * (1 - 1e-9)))
    return float(sizes[max(i - 1, 0)]), float(sizes[i]) if i < len(sizes) else np.inf


def _is_wide(left: float, right: float) -> bool:
    return bool(FARTHEST_SIZES * left < right < np.inf)


def _widened(
    sizes: Sequence[int], ends: tuple[float, float, float]
) -> tuple[float, float, tuple[bool, bool]]:
    """Return an interval whose ends are in no wide gap between sizes, and whether its ends were moved."""
    low, _, high = ends
    gaps = [gap for end in ends if _is_wide(*(gap := _between(sizes, end)))]
    start, end = min([low, *(left for left, _ in gaps)]), max([high, *(right for _, right in gaps)])
    return start, end, (start < low, end > high)


def _as_scores(given: ArrayLike, scores: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    array = np.asarray(given, dtype=np.float64)
    try:
        whole = np.broadcast_to(array, scores.shape)
    except ValueError as error:
        raise ValueError(
            f"{name} has shape {array.shape}: give a number, or an array of shape {scores.shape} like values"
        ) from error
    if not np.isfinite(whole).all():
        raise ValueError(f"{name} has NaN or infinite entries: leave out these subjects in all arrays")
    return whole


def _reached(x: NDArray[np.float64], curves: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """Return, curve by curve, where on `x` it last rises to the share, infinite if it never does."""
    below = ~(curves >= share - ROUNDING)
    n = len(x)
    last = np.where(below.any(axis=1), n - 1 - below[:, ::-1].argmax(axis=1), -1)
    i = np.clip(last, 0, max(n - 2, 0))
    rows, after = np.arange(len(curves)), np.minimum(i + 1, n - 1)
    start, end = curves[rows, i], curves[rows, after]
    rise = np.where(end > start, end - start, 1.0)
    between = x[i] + (share - start) / rise * (x[after] - x[i])
    return np.where(last < 0, x[0], np.where(last == n - 1, np.inf, between))
