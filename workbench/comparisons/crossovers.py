"""The sizes at which a paired difference changes sign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.comparisons._shared.base import check_scores, check_share, log_sizes, rounding_of, two_sided_p
from workbench.comparisons._shared.bootstrap import N_RESAMPLES, expanded_interval, subject_weights
from workbench.comparisons._shared.multiplicity import holm

__all__ = ["Crossover", "SignChanges", "find_crossovers"]

NEAR = np.log(2)  # sizes less than this factor apart smooth each other's noise


@dataclass(frozen=True)
class Crossover:
    """A training size at which a mean difference changes its sign.

    Attributes
    ----------
    size : float
        Size at which the mean difference is zero.
    low, high : float
        Ends of the interval of the size. An end is 0 or infinite on a side without a significant sign.
    after : int
        Sign of the difference at larger sizes: 1 or -1.
    left, right : int
        The measured sizes that enclose the crossover: the nearest sizes with a significant sign, or the ends
        of the scale.
    decided : bool
        Whether the signs at both `left` and `right` are significant. If not, the change may be due to chance.
    p_crosses : float
        Share of the bootstrap resamples that have these signs at `left` and `right`.
    """

    size: float
    low: float
    high: float
    after: int
    left: int
    right: int
    decided: bool
    p_crosses: float


@dataclass(frozen=True)
class SignChanges:
    """Signs of a mean difference at ascending training sizes, and the crossovers between them.

    Attributes
    ----------
    crossovers : tuple of Crossover
        The changes of sign, in the order of sizes.
    sizes : tuple of int
        The measured sizes.
    signs : tuple of int
        Sign of the mean difference at each size: 1, -1, or 0 if it is zero up to rounding.
    decided : tuple of bool
        Whether the difference at each size is significant by Holm's test over all sizes.
    n_subjects : int
        Number of subjects.
    level : float
        Joint level of all tests, and level of each interval.

    See Also
    --------
    find_crossovers : returns these signs and crossovers.
    """

    crossovers: tuple[Crossover, ...]
    sizes: tuple[int, ...]
    signs: tuple[int, ...]
    decided: tuple[bool, ...]
    n_subjects: int
    level: float


def find_crossovers(
    differences: ArrayLike,
    sizes: Sequence[int],
    *,
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    random_state: int = 0,
) -> SignChanges:
    """Find the training sizes at which one learner overtakes another.

    It is assumed that subjects are drawn independently and that mean differences are approximately normal at
    each size.

    Parameters
    ----------
    differences : array-like of shape (n_subjects, n_sizes)
        Score of one learner minus score of the other on the same subject (such as a truth). At least two
        subjects.
    sizes : sequence of int
        Training sizes, positive and ascending.
    level : float
        Joint confidence level of the tests that decide which signs are significant, and level of each
        interval.
    n_resamples : int
        Number of draws of the bootstrap.
    random_state : int
        Seed of the draws.

    Returns
    -------
    SignChanges
        The signs. There are no crossovers if the sign is the same at both ends and no change in between is
        significant.

    Raises
    ------
    ValueError
        If the shapes do not match, sizes do not ascend, a difference is not finite, or there are too few
        subjects.

    Notes
    -----
    A sign is decided if a t test against zero is significant, with Holm's correction over all sizes. Between
    neighboring decided sizes of opposite signs there is one crossover, even if noise changes the sign of the
    mean several times between them. Beyond the outermost decided sizes there is an undecided crossover if the
    mean at the end of the scale has the other sign.

    Let d be the mean difference, linear between measured sizes in the logarithm x of the size, and let x1 ..
    x2 be the window between the two sizes. The crossover is
    ``x1 + measure{x in window: d(x) has the sign of x1}``. This is the zero of d if there is one zero, or the
    middle one of three zeros caused by noise. If sizes are less than a factor of two apart, d is first
    smoothed by local lines with tricube weights [1]_, which leave a straight d unchanged.

    The interval is computed from the same number over resamples of the subjects. A resampled subject keeps
    its differences at all sizes. The interval does not reflect how far d is from a straight line. Close
    sizes, such as those that the design `CrossoverSearch` adds, reduce that error.

    Coverage was measured with a difference linear in log size over a factor of 100, in 400 simulations.
    Intervals of 95% contain the true size in 0.93 to 0.96 of the simulations with 40 or 10 subjects, at 3, 7
    or 12 sizes, and in 0.92 with 5 subjects.

    References
    ----------
    .. [1] Cleveland, W. S., "Robust locally weighted regression and smoothing scatterplots", Journal of the
       American Statistical Association 74, 1979.

    Examples
    --------
    The mean difference goes from -1 to 2 while the size grows by a factor of ten. It is zero after a third
    of the way on the logarithmic scale.

    >>> found = find_crossovers([[-1.1, 2.0], [-1.0, 1.9], [-0.9, 2.1]], [100, 1000])
    >>> (one,) = found.crossovers
    >>> round(one.size, 1), round(100 * 10 ** (1 / 3), 1), one.after, one.decided
    (215.4, 215.4, 1, True)
    """
    values = check_scores(differences, axes="(n_subjects, n_sizes)", ndim=2)
    check_share(level, what="level")
    x = log_sizes(sizes, values.shape[1])
    mean, tolerance = values.mean(axis=0), rounding_of(values, 0.0)
    signs = np.where(np.abs(mean) <= tolerance, 0, np.sign(mean)).astype(int)
    decided = (signs != 0) & (holm(_p_values(values)) < 1 - level)
    weights = subject_weights(len(values), n_resamples=n_resamples, random_state=random_state)
    draws = weights @ values
    crossovers = [
        _crossover(x, mean, draws, (j, k), decided, sizes=sizes, n_subjects=len(values), level=level)
        for j, k in _windows(signs, decided)
    ]
    return SignChanges(
        tuple(crossovers),
        tuple(int(size) for size in sizes),
        tuple(signs.tolist()),
        tuple(decided.tolist()),
        len(values),
        float(level),
    )


def _crossover(
    x: NDArray[np.float64],
    mean: NDArray[np.float64],
    draws: NDArray[np.float64],
    window: tuple[int, int],
    decided: NDArray[np.bool_],
    *,
    sizes: Sequence[int],
    n_subjects: int,
    level: float,
) -> Crossover:
    """Place the change of sign between two sizes."""
    j, k = window
    after = 1 if mean[k] > 0 else -1
    part = slice(j, k + 1)
    smooth = _smoother(x)[part].T
    (found,) = np.exp(_crossing(x[part], after * mean[None] @ smooth))
    low, high = expanded_interval(
        np.exp(_crossing(x[part], after * draws @ smooth)), n_subjects=n_subjects, level=level
    )
    low = low if decided[j] else _open(low, sizes[j], 0.0)
    high = high if decided[k] else _open(high, sizes[k], np.inf)
    crosses = float(((after * draws[:, j] < 0) & (after * draws[:, k] > 0)).mean())
    sure = bool(decided[j] and decided[k])
    return Crossover(float(found), low, high, after, int(sizes[j]), int(sizes[k]), sure, crosses)


def _p_values(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the p value of each column's mean against zero. A constant column that is not zero has 0."""
    n = len(values)
    shifted = values - values[0]
    error = shifted.std(axis=0, ddof=1) / np.sqrt(n)
    mean = values.mean(axis=0)
    t = np.divide(mean, error, out=np.where(mean == 0, 0.0, np.inf), where=error > 0)
    return two_sided_p(t, n - 1)


def _windows(signs: NDArray[np.int_], decided: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return the intervals between which the sign changes."""
    sure = [int(i) for i in np.flatnonzero(decided)]
    # The ends of the scale count if the mean has a sign, decided or not.
    ends = {0, len(signs) - 1} & {int(i) for i in np.flatnonzero(signs)}
    places = sorted({*sure, *ends})
    return [(j, k) for j, k in pairwise(places) if signs[j] == -signs[k]]


def _smoother(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the matrix that replaces each value by that of a local line, fitted to neighbors on `x`."""
    gap = x - x[:, None]
    weight = np.clip(1 - (np.abs(gap) / NEAR) ** 3, 0.0, None) ** 3
    s0, s1, s2 = (weight.sum(axis=1), (weight * gap).sum(axis=1), (weight * gap**2).sum(axis=1))
    room = s0 * s2 - s1**2
    rows = weight * (s2[:, None] - s1[:, None] * gap)
    alone = room <= 0  # no neighbors: the value is unchanged
    return np.where(alone[:, None], np.eye(len(x)), rows / np.where(alone, 1.0, room)[:, None])


def _crossing(x: NDArray[np.float64], d: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the start of `x` plus the length on which `d`, linear between its columns, is negative."""
    left, right = d[:, :-1], d[:, 1:]
    size = np.abs(left) + np.abs(right)
    below = np.maximum(-left, 0.0) + np.maximum(-right, 0.0)
    share = np.divide(below, size, out=np.full_like(size, 0.5), where=size > 0)
    return x[0] + share @ np.diff(x)


def _open(end: float, edge: float, beyond: float) -> float:
    """Extend an interval that reaches an end of the scale without a decided sign."""
    return beyond if np.isclose(end, edge, rtol=1e-9, atol=0.0) else end
