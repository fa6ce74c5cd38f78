"""Ranks of learners on many data sets: Friedman's test and post hoc comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.base.checks import Direction, sign_of
from workbench.base.text import shown
from workbench.comparisons._shared.base import LEVEL, ROUNDING, check_names, check_scores, check_share
from workbench.comparisons._shared.multiplicity import holm

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["FriedmanTest", "RankDifference", "friedman"]


@dataclass(frozen=True)
class RankDifference:
    """The difference between the mean ranks of two learners, with its tests.

    Attributes
    ----------
    learner, other : str
        Keys of the two learners. A negative difference means that `learner` is better, as rank 1 is the best.
    difference : float
        Mean rank of `learner` minus mean rank of `other`, from 1 - n_learners to n_learners - 1.
    z : float
        `difference` divided by its standard deviation under the hypothesis that all learners are equal.
    p : float
        Two-sided p value of `z` by the normal distribution, not adjusted for the number of comparisons.
    p_holm : float
        The p value adjusted by Holm's procedure for all comparisons.
    p_nemenyi : float
        Nemenyi's p value, which is simultaneous over all pairs.

    Examples
    --------
    >>> from workbench.comparisons import friedman
    >>> found = friedman([[0.9, 0.7], [0.8, 0.6], [0.7, 0.5], [0.6, 0.4]], learners=["TAN", "NB"])
    >>> found.pairs[0].difference, found.pairs[0].z
    (-1.0, -2.0)
    """

    learner: str
    other: str
    difference: float
    z: float
    p: float
    p_holm: float
    p_nemenyi: float


@dataclass(frozen=True)
class FriedmanTest:
    """Result of Friedman's test over data sets, with post hoc comparisons of mean ranks.

    Attributes
    ----------
    learners : tuple of str
        Names of the ranked learners.
    ranks : tuple of float
        Mean rank of each learner, where 1 is the best. Learners that tie on a data set share the average of
        their ranks.
    n_datasets : int
        Number of data sets.
    direction : {"higher", "lower"}
        Whether higher or lower scores are better, and so get rank 1.
    alpha : float
        Significance level of `critical_difference` and `groups`.
    chi2, df, p : float
        Friedman's statistic, corrected for ties, its degrees of freedom, and its p value.
    F, df_error, p_F : float
        Iman and Davenport's statistic on `df` and `df_error` degrees of freedom, its error degrees of
        freedom, and its p value.
    critical_difference : float
        Nemenyi's critical difference. Mean ranks that differ by at least this differ significantly at
        `alpha`, simultaneously over all pairs.
    pairs : tuple of RankDifference
        The differences of all pairs of learners, in the order of `learners`.

    See Also
    --------
    friedman : returns this result.

    Examples
    --------
    >>> from workbench.comparisons import friedman
    >>> scores = [[0.9, 0.7, 0.6], [0.8, 0.6, 0.7], [0.9, 0.5, 0.6], [0.6, 0.4, 0.5]]
    >>> found = friedman(scores, learners=["TAN", "NB", "prior"])
    >>> found.table().round(3).to_dict("list")
    {'learner': ['TAN', 'prior', 'NB'], 'rank': [1.0, 2.25, 2.75]}
    >>> found.groups
    (('TAN', 'prior'), ('prior', 'NB'))
    """

    learners: tuple[str, ...]
    ranks: tuple[float, ...]
    n_datasets: int
    direction: Direction
    alpha: float
    chi2: float
    df: int
    p: float
    F: float
    df_error: int
    p_F: float
    critical_difference: float
    pairs: tuple[RankDifference, ...]

    def table(self) -> DataFrame:
        """Return one row per learner with its mean rank, best first: learner, rank."""
        import pandas as pd

        rows = [(self.learners[i], self.ranks[i]) for i in self._order]
        return pd.DataFrame(rows, columns=["learner", "rank"])

    def pair_table(self) -> DataFrame:
        """Return one row per pair of learners, with the fields of `RankDifference` as columns."""
        import pandas as pd

        names = [field.name for field in fields(RankDifference)]
        return pd.DataFrame([[getattr(pair, name) for name in names] for pair in self.pairs], columns=names)

    @cached_property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The largest sets of learners that do not differ significantly by Nemenyi's test, best first.

        Sets have at least two learners. A learner that differs significantly from all other learners is in no
        set. Two sets may overlap.
        """
        order, found, end = self._order, [], 0
        for start in range(len(order)):
            best = self.ranks[order[start]]
            close = [i for i in order[start:] if self.ranks[i] - best < self.critical_difference]
            if len(close) > 1 and start + len(close) > end:
                found.append(tuple(self.learners[i] for i in close))
                end = start + len(close)
        return tuple(found)

    def against(self, control: str) -> tuple[RankDifference, ...]:
        """Compare one learner with each other learner, with Holm's correction over these comparisons only.

        There are fewer comparisons than pairs, so adjusted p values are smaller.

        Parameters
        ----------
        control : str
            Name of the control, a learner that was chosen before the scores were seen.

        Returns
        -------
        tuple of RankDifference
            The differences control minus other, in the order of `learners`. `p_holm` is adjusted for these
            pairs only. `p_nemenyi` remains the value for all pairs.

        Raises
        ------
        ValueError
            If the control is not one of the ranked learners.
        """
        if control not in self.learners:
            raise ValueError(f"{shown(control)} was not ranked: name one of {shown(list(self.learners))}")
        own = [
            pair if pair.learner == control else _flipped(pair)
            for pair in self.pairs
            if control in (pair.learner, pair.other)
        ]
        adjusted = holm([pair.p for pair in own])
        return tuple(replace(pair, p_holm=float(p)) for pair, p in zip(own, adjusted, strict=True))

    @property
    def _order(self) -> list[int]:
        return sorted(range(len(self.ranks)), key=lambda i: self.ranks[i])


def friedman(
    values: ArrayLike, *, learners: Sequence[str], direction: Direction = "higher", alpha: float = LEVEL
) -> FriedmanTest:
    """Test whether learners differ in their mean ranks over independent data sets, by Friedman's test.

    It is assumed that data sets are drawn independently. The null hypothesis is that all orders of the
    learners are equally likely. Ranks ignore the size of differences, so nothing is assumed about their
    distribution.

    Parameters
    ----------
    values : array-like of shape (n_datasets, n_learners)
        One score for each data set and learner, such as the mean over train-test splits. At least two data
        sets and two learners. Infinite scores are ranked first or last. Learners with equal scores share the
        average of their ranks.
    learners : sequence of str
        Names of the learners (second axis).
    direction : {"higher", "lower"}
        Whether higher or lower scores are better.
    alpha : float
        Significance level of Nemenyi's critical difference.

    Returns
    -------
    FriedmanTest
        The result. If all learners tie on all data sets, chi2 = F = 0 and p = 1. If all data sets give the
        same order, F is infinite. Its p value is then the exact probability that all data sets agree, such as
        1 / 6^2 for three learners on three data sets.

    Raises
    ------
    ValueError
        If the shape and the names do not match, names repeat, a value is NaN, there are too few data sets or
        learners, the direction is unknown, or alpha is not between 0 and 1.

    Notes
    -----
    Let R_j be the mean ranks, n the number of data sets and k the number of learners. Let v be the mean over
    data sets of the sum of squares of ranks about (k + 1) / 2. Without ties v is k (k^2 - 1) / 12. Then::

        chi2 = n (k - 1) sum_j (R_j - (k + 1) / 2)^2 / v           on k - 1 degrees of freedom
        F    = (n - 1) chi2 / (n (k - 1) - chi2)                   on k - 1 and (k - 1) (n - 1)
        z    = (R_i - R_j) / sqrt(k (k + 1) / (6 n))
        critical difference = q sqrt(k (k + 1) / (6 n))            q: studentized range over sqrt(2)

    Demsar prints chi2 and F without the correction for ties. z and the critical difference are not corrected
    for ties here either, so they are slightly conservative if learners tie. Whether two learners differ
    significantly also depends on the other learners that are ranked with them. This is not so for
    `paired_differences` and `bayesian_signed_rank`.

    Error rates were measured at level 0.05 with equal learners (docs/reference/ranks_under_the_null.md, 2000
    simulations). With equally likely orders, chi2 rejects in 0.035 (6 data sets) to 0.046 of the simulations,
    and F in 0.050 to 0.058. Nemenyi's test finds at least one pair in 0.041 to 0.050, Holm's procedure in
    0.032 to 0.041, and Holm's procedure against a control in 0.036 to 0.044. The rates differ if one learner
    is three times as noisy as the other learners, and equal to them only in the mean: chi2 0.062 to 0.065, F
    0.067 to 0.069, Nemenyi 0.063 to 0.067, Holm 0.040 to 0.051. With ties in a quarter of pairs, Nemenyi has
    0.015 and Holm 0.011.

    References
    ----------
    .. [1] Friedman, M., "The use of ranks to avoid the assumption of normality implicit in the analysis of
       variance", Journal of the American Statistical Association 32, 1937.
    .. [2] Iman, R. L., and Davenport, J. M., "Approximations of the critical region of the Friedman
       statistic", Communications in Statistics A9, 1980.
    .. [3] Nemenyi, P. B., "Distribution-free multiple comparisons", PhD thesis, Princeton University, 1963.
    .. [4] Demsar, J., "Statistical comparisons of classifiers over multiple data sets", Journal of Machine
       Learning Research 7, 2006, section 3.2.

    Examples
    --------
    >>> scores = [[0.9, 0.7, 0.6], [0.8, 0.6, 0.7], [0.9, 0.5, 0.6], [0.6, 0.4, 0.5]]
    >>> found = friedman(scores, learners=["TAN", "NB", "prior"])
    >>> found.chi2, round(found.p, 4), round(found.F, 4), round(found.p_F, 4)
    (6.5, 0.0388, 13.0, 0.0066)
    >>> round(found.critical_difference, 4)
    1.6572
    """
    from scipy.special import chdtrc, fdtrc
    from scipy.stats import studentized_range

    scores = _checked(values)
    names = check_names(learners, scores.shape[1], what="learners")
    alpha = check_share(alpha, what="alpha")
    ranks = _ranks(sign_of(direction) * scores)
    n, k = ranks.shape
    means = ranks.mean(axis=0)
    chi2, F = _statistics(ranks)
    error = float(np.sqrt(k * (k + 1) / (6 * n)))
    # the upper quantile of the range of k normal variables over sqrt(2)
    quantile = float(studentized_range.isf(alpha, k, np.inf) / np.sqrt(2))
    return FriedmanTest(
        learners=names,
        ranks=tuple(float(rank) for rank in means),
        n_datasets=n,
        direction=direction,
        alpha=alpha,
        chi2=chi2,
        df=k - 1,
        p=float(chdtrc(k - 1, chi2)),
        F=F,
        df_error=(k - 1) * (n - 1),
        p_F=float(fdtrc(k - 1, (k - 1) * (n - 1), F)) if np.isfinite(F) else _p_of_one_order(ranks),
        critical_difference=quantile * error,
        pairs=_pairs(names, means, error),
    )


def _checked(values: ArrayLike) -> NDArray[np.float64]:
    """Return scores (n_datasets, n_learners), of which some may be infinite."""
    scores = np.asarray(values, dtype=np.float64)
    check_scores(np.zeros(scores.shape), axes="(n_datasets, n_learners)", ndim=2)
    if np.isnan(scores).any():
        i, j = (int(place) for place in np.argwhere(np.isnan(scores))[0])
        raise ValueError(
            f"values has {int(np.isnan(scores).sum())} NaN entries, the first at ({i}, {j}): leave out that "
            "data set or that learner"
        )
    if scores.shape[1] < 2:
        raise ValueError("values has one learner on its second axis: give at least two to rank")
    return scores


def _ranks(gains: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rank each row, 1 for the largest. Values that differ only by rounding tie."""
    from scipy.stats import rankdata

    order = np.argsort(-gains, axis=1, kind="stable")
    sorted_ = np.take_along_axis(gains, order, axis=1)
    size = np.where(np.isfinite(gains), np.abs(gains), 0.0).max(axis=1, keepdims=True)
    above, below = sorted_[:, :-1], sorted_[:, 1:]
    # Infinite scores tie only with each other; their difference is NaN.
    with np.errstate(invalid="ignore", over="ignore"):
        apart = (above != below) & ~(above - below <= ROUNDING * size)
    steps = np.zeros(gains.shape)
    np.put_along_axis(steps, order[:, 1:], np.cumsum(apart, axis=1), axis=1)
    return np.asarray(rankdata(steps, axis=1), dtype=np.float64)


def _statistics(ranks: NDArray[np.float64]) -> tuple[float, float]:
    """Return Friedman's chi2 and Iman and Davenport's F."""
    n, k = ranks.shape
    spread = float(np.square(ranks - (k + 1) / 2).sum()) / n
    if spread == 0.0:
        return 0.0, 0.0
    chi2 = n * (k - 1) * float(np.square(ranks.mean(axis=0) - (k + 1) / 2).sum()) / spread
    left = n * (k - 1) - chi2
    # Ranks are multiples of one half, so a residual of one common order is zero or rounding.
    same = bool((ranks == ranks[0]).all())
    return chi2, np.inf if same else (n - 1) * chi2 / left


def _p_of_one_order(ranks: NDArray[np.float64]) -> float:
    """Return the probability that all data sets agree on an order, if all orders are equally likely."""
    from math import factorial, prod

    _, ties = np.unique(ranks[0], return_counts=True)
    n_orders = factorial(ranks.shape[1]) // prod(factorial(int(count)) for count in ties)
    return float(n_orders) ** (1 - len(ranks))


def _pairs(names: tuple[str, ...], means: NDArray[np.float64], error: float) -> tuple[RankDifference, ...]:
    from scipy.special import ndtr
    from scipy.stats import studentized_range

    first, second = np.array(list(combinations(range(len(names)), 2))).T
    difference = means[first] - means[second]
    z = difference / error
    p = 2 * np.asarray(ndtr(-np.abs(z)))
    nemenyi = np.asarray(studentized_range.sf(np.abs(z) * np.sqrt(2), len(names), np.inf))
    columns = (difference, z, p, holm(p), np.clip(nemenyi, 0.0, 1.0))
    return tuple(
        RankDifference(names[a], names[b], *(float(x) for x in row))
        for a, b, *row in zip(first, second, *columns, strict=True)
    )


def _flipped(pair: RankDifference) -> RankDifference:
    # 0.0 - x instead of -x avoids printing -0.
    return replace(
        pair, learner=pair.other, other=pair.learner, difference=0.0 - pair.difference, z=0.0 - pair.z
    )
