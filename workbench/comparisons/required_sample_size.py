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

#: Largest ratio of neighboring sizes between which to interpolate: a decade.
#: A straight line over more than that is a guess, which no interval over subjects covers.
FARTHEST_SIZES = 10.0


@dataclass(frozen=True)
class RequiredSampleSize:
    """The training size at which a learner reaches a share of the ceiling.

    Attributes
    ----------
    share : float
    size, low, high : float
        The size and its interval. Infinite if it is beyond the largest measured size. The smallest measured
        size means "at most that".
    left, right : float
        The measured sizes that enclose `size`: both the smallest if it already reaches the share, the largest
        and infinity if none does.
    widened : (bool, bool)
        Whether low and high were moved out to measured sizes. The interval excludes such a low.
    p_reached : float
        Share of the resamples in which the largest size reaches it.
    curve : tuple of float
        Share of the ceiling at each size.
    n_subjects : int
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
        """Whether the size is only known to lie between `left` and `right`."""
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
    """Find the training size at which a learner reaches a share of the way from floor to ceiling.

    Assumes subjects drawn independently.

    Parameters
    ----------
    values : array-like of shape (n_subjects, n_sizes)
        Scores of the learner. At least two subjects.
    sizes : sequence of int
        Ascending, positive.
    ceiling, floor : array-like, broadcast to the shape of `values`
        The best possible score, and the score without information. The ceiling is below the floor if lower is
        better.
    share : float
        Between 0 and 1.
    level : float
        Level of the interval.
    n_resamples, random_state : int
        As in `subject_weights`.

    Returns
    -------
    RequiredSampleSize

    Raises
    ------
    ValueError
        If shapes disagree, a number is not finite, sizes do not ascend, the share is not between 0 and 1, or
        the mean ceiling is not on one side of the mean floor at all sizes.

    Notes
    -----
    The curve is ``(mean value - mean floor) / (mean ceiling - mean floor)``: a ratio of means, since shares
    on truths with almost nothing to learn are unstable. It is taken as linear in the logarithm of the size
    between measured sizes. The result is where it last rises to the share: earlier crossings do not count if
    the curve drops below it again. Resamples weight subjects, each with its whole curve, its floor and its
    ceiling. They do not reflect curvature between sizes. If a size or an end of its interval falls between
    sizes more than `FARTHEST_SIZES` times apart, the interval is therefore widened to these.

    Examples
    --------
    From a quarter to three quarters of the ceiling over a factor of 9: one half is in the middle.

    >>> found = required_sample_size([[0.5, 1.5], [0.5, 1.5]], [10, 90], ceiling=2.0, share=0.5)
    >>> round(found.size, 6), found.curve, found.is_interval
    (30.0, (0.25, 0.75), False)
    >>> required_sample_size([[0.5, 1.5], [0.5, 1.5]], [10, 90], ceiling=2.0, share=0.9).size
    inf

    Over a factor of 100 the middle is no better a guess than another size.

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
            f"the mean ceiling is not on one side of the mean floor at all sizes (another one at {at}), so "
            "shares are undefined: leave out such sizes, or name another score"
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
            f"{name} has shape {array.shape}: give a number, or an array like values, {scores.shape}"
        ) from error
    if not np.isfinite(whole).all():
        raise ValueError(f"{name} has NaN or infinite entries: leave out these subjects for all")
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
