"""Means over several populations of equal weight."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.comparisons._shared.base import LEVEL, check_scores, t_critical

__all__ = ["StratifiedMean", "stratified_mean"]


class StratifiedMean(NamedTuple):
    """The mean of the means of strata, with its interval.

    Attributes
    ----------
    mean, low, high : float
        The mean and the ends of its interval, in the unit of the values.
    df : float
        Degrees of freedom of the interval.
    """

    mean: float
    low: float
    high: float
    df: float


def stratified_mean(values: ArrayLike, strata: ArrayLike, *, n_intervals: int = 1) -> StratifiedMean:
    """Compute the mean of the means of strata, with a 95% interval for these strata.

    It is assumed that subjects are independent within each stratum, with normal means. Differences between
    strata do not count as error: the interval is for the mean over these strata, not over a population of
    strata.

    Parameters
    ----------
    values : array-like of shape (n_subjects,)
        Finite values.
    strata : array-like of shape (n_subjects,)
        The stratum of each subject. At least two subjects per stratum.
    n_intervals : int
        Number of intervals that are simultaneous at 95% (Bonferroni). 1 gives a single interval.

    Returns
    -------
    StratifiedMean

    Raises
    ------
    ValueError
        If the shapes differ, a value is not finite, or a stratum has one subject.

    Notes
    -----
    With K strata of n_k subjects and variances s_k^2, the standard error is ``sqrt(sum_k s_k^2 / n_k) / K``.
    Degrees of freedom are Satterthwaite's.

    References
    ----------
    .. [1] Cochran, W. G., "Sampling techniques", 3rd edition, 1977, chapter 5.
    .. [2] Satterthwaite, F. E., "An approximate distribution of estimates of variance components",
       Biometrics Bulletin 2, 1946.

    Examples
    --------
    Large differences between strata do not widen the interval:

    >>> found = stratified_mean([1.0, 1.2, 9.0, 9.2], ["a", "a", "b", "b"])
    >>> round(found.mean, 2), round(found.low, 2), round(found.high, 2), round(found.df)
    (5.1, 4.8, 5.4, 2)
    """
    scores = check_scores(values, axes="(n_subjects,)", ndim=1)
    labels, codes, counts = np.unique(np.asarray(strata), return_inverse=True, return_counts=True)
    if codes.shape != scores.shape:
        raise ValueError(
            f"strata has shape {codes.shape}: give one stratum for each of the {len(scores)} subjects"
        )
    if counts.min() < 2:
        raise ValueError(
            f"stratum {labels[counts.argmin()]!s} has one subject: add replicates, at least two per stratum"
        )
    own: list[NDArray[np.float64]] = [scores[codes == k] for k in range(len(labels))]
    # Measured from the first subject, a constant stratum has a spread of exactly zero.
    shifted = [one - one[0] for one in own]
    mean = float(np.mean([one[0] + gap.mean() for one, gap in zip(own, shifted, strict=True)]))
    parts = np.array([gap.var(ddof=1) / len(gap) for gap in shifted])
    error = float(np.sqrt(parts.sum())) / len(labels)
    df = float(parts.sum() ** 2 / (parts**2 / (counts - 1)).sum()) if error > 0 else float((counts - 1).sum())
    reach = t_critical(LEVEL / n_intervals, df) * error
    return StratifiedMean(mean, mean - reach, mean + reach, df)
