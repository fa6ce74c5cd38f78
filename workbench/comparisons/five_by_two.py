"""Tests of two learners after five replications of two-fold cross-validation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from workbench.comparisons._shared.base import check_scores, rounding_of, two_sided_p, without_rounding

__all__ = ["FiveByTwoTest", "five_by_two_t"]


@dataclass(frozen=True)
class FiveByTwoTest:
    """Result of Dietterich's t test and Alpaydin's F test of ten differences.

    Parameters
    ----------
    mean : float
        Mean of all ten differences.
    t, p : float
        Dietterich's t statistic with 5 degrees of freedom, and its two-sided p value. NaN if the differences
        cannot be tested.
    F, p_F : float
        Alpaydin's F statistic with 10 and 5 degrees of freedom, and its p value. NaN if t is NaN. Unlike t, F
        does not depend on the order of folds and replications.
    low, high : float
        Limits of the differences that the F test does not reject at 5%. NaN if it rejects all differences, or
        if there is no test.
    """

    mean: float
    t: float
    p: float
    F: float
    p_F: float
    low: float
    high: float


def five_by_two_t(differences: ArrayLike, *, largest: float = 0.0) -> FiveByTwoTest:
    """Test whether two learners differ on a data set, after five replications of two-fold cross-validation.

    Parameters
    ----------
    differences : array-like of shape (5, 2)
        Score of one learner minus score of the other. Rows are replications and columns are folds. Scores may
        be gains or losses, as the sign does not matter.
    largest : float
        Largest absolute value of the scores that were subtracted. Needed if scores are large and differences
        are small, because rounding errors grow with the scores. With 0, the larger of 1 and the largest
        difference is used.

    Returns
    -------
    FiveByTwoTest
        The result. If all ten differences are zero, t = F = 0 and p = 1. If the two differences are equal in
        every replication, but not all are zero, t, F and their p values are NaN, because chance variation
        cannot be estimated.

    Raises
    ------
    ValueError
        If the array has another shape, a difference is not finite, or `largest` is negative or not finite.

    Notes
    -----
    ``t = d_11 / sqrt(mean over i of s_i^2)``, ``s_i^2 = (d_i1 - m_i)^2 + (d_i2 - m_i)^2``,
    ``F = sum of d^2 / (2 sum of s_i^2)``. The numerator of t is only the first difference, so t depends on
    which fold came first. F does not depend on it. ``low`` and ``high`` are the mean -+ sqrt((2 F_0.95 sum of
    s_i^2 - sum of (d - mean)^2) / 10). If any value between them is subtracted from the differences, the F
    test does not reject.

    Accuracies on small data sets are discrete. So the two halves often have equal differences, and the spread
    is zero or nearly zero. With zero spread there is no test. With nearly zero spread there is a test.

    Error rates were measured at level 0.05 with 15 pairs of equal learners
    (docs/reference/tests_under_the_null.md, 2000 simulations). By log score, t rejects 0.031 to 0.049 of
    single pairs, and F rejects 0.038 to 0.051. After Holm's procedure, at least one pair is rejected in 0.022
    to 0.028 of the simulations by t, and in 0.044 to 0.061 by F. By accuracy on data sets of 56 and 150 rows,
    t rejects 0.03 of single pairs, and F less than 0.01. Of pairs with spread in only one replication, F
    rejects 0.03 to 0.08.

    References
    ----------
    .. [1] Dietterich, T. G., "Approximate statistical tests for comparing supervised classification learning
       algorithms", Neural Computation 10, 1998.
    .. [2] Alpaydin, E., "Combined 5 x 2 cv F test for comparing supervised classification learning
       algorithms", Neural Computation 11, 1999.

    Examples
    --------
    >>> test = five_by_two_t([[0.04, 0.02], [0.03, 0.01], [0.05, 0.03], [0.02, 0.04], [0.03, 0.05]])
    >>> round(test.t, 4), round(test.p, 4), round(test.F, 4), round(test.p_F, 4)
    (2.8284, 0.0367, 5.9, 0.0319)
    """
    from scipy.special import fdtrc, fdtri

    d = check_scores(differences, axes="(5 replications, 2 folds)", ndim=2)
    if d.shape != (5, 2):
        raise ValueError(f"differences has shape {d.shape}: expected (5, 2), five replications of two folds")
    # Rounding errors of equal differences are not spread, and of equal scores not differences.
    tolerance = rounding_of(d, largest)
    d = without_rounding(d, tolerance)
    spread = ((d - d.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    total = float(without_rounding(spread, tolerance**2).sum())
    square = float((d**2).sum())
    if square == 0.0:
        return FiveByTwoTest(0.0, 0.0, 1.0, 0.0, 1.0, np.nan, np.nan)
    if total == 0.0:
        return FiveByTwoTest(float(d.mean()), *[np.nan] * 6)
    t = float(d[0, 0] / np.sqrt(total / 5))
    F = square / (2 * total)
    mean = float(d.mean())
    room = 2 * float(fdtri(10, 5, 0.95)) * total - float(((d - mean) ** 2).sum())
    half = float(np.sqrt(room / 10)) if room >= 0 else np.nan
    p, p_F = float(two_sided_p(t, 5)), float(fdtrc(10, 5, F))
    return FiveByTwoTest(mean, t, p, F, p_F, mean - half, mean + half)
