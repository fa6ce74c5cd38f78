"""Correlations of metrics over the splits of a data set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.base.checks import Direction, sign_of
from workbench.base.text import shown
from workbench.comparisons._shared.base import ROUNDING, check_names, check_scores, check_share

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["Method", "MetricCorrelation", "MetricCorrelations", "metric_correlations"]

Method = Literal["pearson", "spearman", "kendall"]

#: Variance of Fisher's z of a coefficient r over n splits, and the least number of splits.
VARIANCES: dict[str, Callable[[float, int], float]] = {
    "pearson": lambda r, n: 1 / (n - 3),
    "spearman": lambda r, n: (1 + r**2 / 2) / (n - 3),
    "kendall": lambda r, n: 0.437 / (n - 4),
}
SMALLEST = {"pearson": 4, "spearman": 4, "kendall": 5}


@dataclass(frozen=True)
class MetricCorrelation:
    """The correlation coefficient of two metrics, with its interval.

    Attributes
    ----------
    metric, other : str
        Names of the two metrics.
    r : float
        Correlation coefficient, from -1 to 1. NaN if one of the metrics is constant.
    low, high : float
        Ends of the interval of the coefficient, by Fisher's z. NaN if `r` is NaN or there are too few splits.
    n : int
        Number of splits.
    undefined : str
        The reason why there is no coefficient, such as "accuracy is constant". Empty if there is a
        coefficient.

    Examples
    --------
    >>> from workbench.comparisons import metric_correlations
    >>> found = metric_correlations([[0.8, 0.1], [0.9, 0.1]], metrics=["accuracy", "log_loss"])
    >>> found.pairs[0].r, found.pairs[0].undefined
    (nan, 'log_loss is constant')
    """

    metric: str
    other: str
    r: float
    low: float
    high: float
    n: int
    undefined: str = ""


@dataclass(frozen=True)
class MetricCorrelations:
    """The correlations of all pairs of metrics over the same splits.

    Attributes
    ----------
    pairs : tuple of MetricCorrelation
        The correlations of all pairs, in the order of `metrics`.
    metrics : tuple of str
        Names of the metrics.
    method : {"pearson", "spearman", "kendall"}
        The kind of coefficient.
    level : float
        Confidence level of each single interval.

    See Also
    --------
    metric_correlations : returns these correlations.

    Examples
    --------
    >>> from workbench.comparisons import metric_correlations
    >>> scores = [[0.8, 0.3], [0.9, 0.4], [0.7, 0.2]]
    >>> round(metric_correlations(scores, metrics=["accuracy", "ir_b"]).between("ir_b", "accuracy").r, 9)
    1.0
    """

    pairs: tuple[MetricCorrelation, ...]
    metrics: tuple[str, ...]
    method: Method
    level: float

    def table(self) -> DataFrame:
        """Return one row per pair of metrics, with the fields of `MetricCorrelation` as columns."""
        import pandas as pd

        names = [field.name for field in fields(MetricCorrelation)]
        return pd.DataFrame([[getattr(pair, name) for name in names] for pair in self.pairs], columns=names)

    def between(self, metric: str, other: str) -> MetricCorrelation:
        """Return the correlation of two metrics, in either order.

        Parameters
        ----------
        metric, other : str
            Names of the two metrics.

        Returns
        -------
        MetricCorrelation

        Raises
        ------
        ValueError
            If `metric` and `other` are not two of `metrics`.
        """
        for pair in self.pairs:
            if {pair.metric, pair.other} == {metric, other}:
                return pair
        raise ValueError(
            f"{shown(metric)} and {shown(other)} are not two of the metrics: name two of "
            f"{shown(list(self.metrics))}"
        )


def metric_correlations(
    values: ArrayLike,
    *,
    metrics: Sequence[str],
    directions: Sequence[Direction] | None = None,
    method: Method = "pearson",
    level: float = 0.95,
) -> MetricCorrelations:
    """Correlate metrics over the splits of one data set, for one learner.

    It is assumed that splits are drawn independently of each other, given the data set. Pearson's interval
    also assumes approximately normal scores.

    Parameters
    ----------
    values : array-like of shape (n_splits, n_metrics)
        One finite score for each split and metric. At least two splits and two metrics.
    metrics : sequence of str
        Names of the metrics (second axis).
    directions : sequence of {"higher", "lower"}, optional
        Whether higher or lower scores of each metric are better. If given, coefficients change their sign
        where necessary, so that metrics that agree correlate positively. Otherwise scores are used unchanged.
    method : {"pearson", "spearman", "kendall"}
        The kind of coefficient. "kendall" is tau-b.
    level : float
        Confidence level of each single interval.

    Returns
    -------
    MetricCorrelations

    Raises
    ------
    ValueError
        If the shape and the names do not match, names repeat, a value is not finite, there are too few splits
        or metrics, the method or a direction is unknown, or the level is not between 0 and 1.

    Notes
    -----
    A metric whose scores are equal up to rounding counts as constant. Its coefficients are NaN, with the
    reason. The interval is ``tanh(atanh(r) +- q sqrt(v))`` with v = 1 / (n - 3) for Pearson, (1 + r^2 / 2) /
    (n - 3) for Spearman and 0.437 / (n - 4) for Kendall. At ``|r| = 1`` it has no width. The interval applies
    to further splits of the same data set, which share rows, not to other data sets. Coverage was measured
    with accuracy and log score over 25 splits (docs/reference/ranks_under_the_null.md, 200 data sets). 95%
    intervals cover 0.953 of the time for Pearson, 0.961 for Spearman and 0.932 for Kendall, whose variance
    ignores ties.

    References
    ----------
    .. [1] Korb, K. B., Hope, L. R., and Hughes, M. J., "The evaluation of predictive learners: some
       theoretical and empirical results", European Conference on Machine Learning, 2001, tables 4 to 6.
    .. [2] Bonett, D. G., and Wright, T. A., "Sample size requirements for estimating Pearson, Kendall and
       Spearman correlations", Psychometrika 65, 2000.

    Examples
    --------
    >>> scores = [[0.8, 0.30, 1.2], [0.9, 0.45, 1.1], [0.7, 0.10, 1.5], [0.8, 0.25, 1.4], [0.6, 0.2, 1.6]]
    >>> found = metric_correlations(scores, metrics=["accuracy", "reward", "miscalibration"])
    >>> found.table()[["metric", "other", "r", "low", "high"]].round(3)
         metric           other      r    low   high
    0  accuracy          reward  0.796 -0.289  0.986
    1  accuracy  miscalibration -0.931 -0.996 -0.269
    2    reward  miscalibration -0.866 -0.991  0.068
    """
    scores = check_scores(values, axes="(n_splits, n_metrics)", ndim=2)
    names = check_names(metrics, scores.shape[1], what="metrics")
    check_share(level, what="level")
    if len(names) < 2:
        raise ValueError(f"there is one metric, {shown(names[0])}: give at least two to correlate")
    if not isinstance(method, str) or method not in VARIANCES:
        raise ValueError(f"method is {shown(method)}: give one of {', '.join(map(repr, VARIANCES))}")
    if directions is not None:
        if isinstance(directions, str) or len(directions) != len(names):
            raise ValueError(
                f'directions is {shown(directions)}: give "higher" or "lower" for each of the '
                f"{len(names)} metrics"
            )
        scores = scores * np.array([sign_of(direction) for direction in directions])
    constant = np.ptp(scores, axis=0) <= ROUNDING * np.abs(scores).max(axis=0)
    pairs = []
    for i, j in combinations(range(len(names)), 2):
        fixed = [names[place] for place in (i, j) if constant[place]]
        r = float("nan") if fixed else _coefficient(scores[:, i], scores[:, j], method)
        low, high = _interval(r, len(scores), method, level)
        why = f"{' and '.join(fixed)} {'are' if len(fixed) > 1 else 'is'} constant" if fixed else ""
        pairs.append(MetricCorrelation(names[i], names[j], r, low, high, len(scores), why))
    return MetricCorrelations(tuple(pairs), names, method, float(level))


def _coefficient(x: NDArray[np.float64], y: NDArray[np.float64], method: Method) -> float:
    from scipy.stats import kendalltau, rankdata

    if method == "kendall":
        return float(kendalltau(x, y, variant="b").statistic)
    if method == "spearman":
        x, y = rankdata(x), rankdata(y)
    x, y = x - x.mean(), y - y.mean()
    r = float((x / np.linalg.norm(x)) @ (y / np.linalg.norm(y)))
    return min(1.0, max(-1.0, r))


def _interval(r: float, n: int, method: Method, level: float) -> tuple[float, float]:
    from scipy.special import ndtri

    if np.isnan(r) or n < SMALLEST[method]:
        return float("nan"), float("nan")
    if abs(r) == 1.0:
        return r, r
    reach = float(ndtri((1 + level) / 2)) * float(np.sqrt(VARIANCES[method](r, n)))
    low, high = np.tanh(np.arctanh(r) + np.array([-reach, reach]))
    return float(low), float(high)
