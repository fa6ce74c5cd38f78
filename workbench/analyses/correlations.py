"""Correlations of a study's metrics, by data set and learner: over splits of a data set, or over truths."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
import pandas as pd

from workbench.analyses._shared.subjects import check_learners, check_source, subjects_of
from workbench.base import catalogue
from workbench.base.errors import WorkbenchError, check_known, nearest
from workbench.base.names import learner_list, metric_name
from workbench.base.score_key import PREFERRED_ROWS, ScoreKey
from workbench.base.text import count_of
from workbench.comparisons import MetricCorrelation, metric_correlations
from workbench.comparisons._shared.base import check_share
from workbench.comparisons.metric_correlations import Method

if TYPE_CHECKING:
    from workbench.base.checks import Direction
    from workbench.store.results import StudyResults

__all__ = ["Correlations"]

METHODS: tuple[str, ...] = get_args(Method)


@dataclass(frozen=True, eq=False)
class Correlations:
    """Correlations of all pairs of metrics, over the splits of each data set or the truths of each size.

    Parameters
    ----------
    scores : tuple of ScoreKey
        The keys of the correlated scores, one per metric.
    table : DataFrame
        One row per source, size, learner and pair of metrics: source, n_train, learner, metric, other, r (the
        coefficient), low and high (its single interval), n (number of splits or truths) and undefined (the
        reason if there is no coefficient).
    method : {"pearson", "spearman", "kendall"}
        The kind of correlation coefficient.
    aligned : bool
        Whether signs are reversed where necessary so that metrics that agree correlate positively.
    level : float
        Confidence level of each single interval.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from learners import NaiveBayesClassifier
    >>> from workbench import compare
    >>> from workbench.designs import RandomSplits
    >>> learners = {"nb": NaiveBayesClassifier()}
    >>> data_sets = {"iris": load_iris(return_X_y=True, as_frame=True)}
    >>> metrics = ("accuracy", "log_loss")
    >>> results = compare(learners, on=data_sets, metrics=metrics, design=RandomSplits(repeats=5))
    >>> found = Correlations.of(results)
    >>> bool(found.matrix("accuracy", "log_loss").loc["iris", "nb"] < 0)
    True
    """

    scores: tuple[ScoreKey, ...]
    table: pd.DataFrame
    method: str
    aligned: bool
    level: float = 0.95

    @classmethod
    def of(
        cls,
        results: "StudyResults",
        metrics: Sequence[str] | None = None,
        *,
        score: ScoreKey | str | None = None,
        learners: Sequence[str] | None = None,
        source: str | None = None,
        method: Method = "pearson",
        aligned: bool = False,
        level: float = 0.95,
    ) -> "Correlations":
        """Correlate the metrics of a study.

        Parameters
        ----------
        results : StudyResults
        metrics : sequence of str, optional
            At least two. By default all metrics of the study.
        score : ScoreKey or str, optional
            The prior, rows and cut-off of all scores, without a metric, such as "/marginal/test/2002" (see
            `Results.choose`). The prior applies only to metrics that have one. The default rows are those
            that all metrics have, with exact rows first. Exact scores lack the noise of a test sample, so
            exact scores and scores of test rows must not be mixed.
        learners : sequence of str, optional
            By default the compared learners.
        source : str, optional
            Use only this source. By default all sources.
        method : {"pearson", "spearman", "kendall"}
            The kind of correlation coefficient.
        aligned : bool
            Whether to reverse signs by the directions of the metrics, so that metrics that agree correlate
            positively. By default signs are as measured, as in the tables of 2001.
        level : float
            Confidence level of each single interval.

        Returns
        -------
        Correlations

        Raises
        ------
        WorkbenchError
            If there is no such metric, score, learner, source, method or level. Also if there are fewer than
            two metrics, or if some metrics have only exact scores and others only scores of test rows.
        """
        check_learners(results, learners or ())
        check_source(results, source)
        _check_options(method, level)
        keys = _scores(results, metrics, ScoreKey.parse(score))
        wanted = results.study.compared_learners(learners)
        measured = {key.metric: subjects_of(results, key, wanted) for key in keys}
        directions = {name: results.metric(name).direction for name in measured} if aligned else None
        found = []
        for place, scores in _groups(measured, wanted, source):
            for pair in _pairs(scores, directions, method, level):
                found.append((*place, *(getattr(pair, field.name) for field in fields(MetricCorrelation))))
        names = [field.name for field in fields(MetricCorrelation)]
        table = pd.DataFrame(found, columns=["source", "n_train", "learner", *names])
        return cls(keys, table, method, aligned, float(level))

    def matrix(self, metric: str, other: str) -> pd.DataFrame:
        """Return the coefficients of two metrics. Rows are data sets and columns are learners.

        Parameters
        ----------
        metric, other : str
            Keys of the two metrics, in either order.

        Returns
        -------
        DataFrame
            Index source, or (source, n_train) if a source has several sizes. NaN where there is no
            coefficient.

        Raises
        ------
        WorkbenchError
            If `metric` and `other` are not two of the correlated metrics.
        """
        known = [key.metric for key in self.scores]
        wanted = {catalogue.key_of("metrics", word, known) for word in (metric, other)}
        pairs = zip(self.table["metric"], self.table["other"], strict=True)
        own = self.table[[{*pair} == wanted for pair in pairs]]
        if own.empty:
            raise WorkbenchError(
                f"{metric!r} and {other!r} are not two of the correlated metrics: name two of "
                f"{', '.join(known)}"
            )
        several = own.groupby("source")["n_train"].nunique().max() > 1
        places = ["source", "n_train"] if several else ["source"]
        wide = own.set_index([*places, "learner"])["r"].unstack("learner")
        order = own[places].drop_duplicates()
        rows = pd.MultiIndex.from_frame(order) if several else pd.Index(order["source"])
        return wide.reindex(index=rows, columns=own["learner"].drop_duplicates())

    @property
    def notes(self) -> tuple[str, ...]:
        """One sentence for each reason why coefficients are undefined."""
        rows = self.table[self.table["undefined"] != ""].to_dict("records")
        pairs = _grouped(
            ((row["undefined"], row["learner"], f"{row['source']} with {row['n_train']} rows"),
             (row["metric"], row["other"]))
            for row in rows
        )  # fmt: skip
        places = _grouped(((why, learner, own), place) for (why, learner, place), own in pairs.items())
        learners = _grouped(((why, own, where), learner) for (why, learner, own), where in places.items())
        return tuple(
            f"no correlation of {_of_pairs(own)} for {learner_list(who)} on {', '.join(where)}: {why}"
            for (why, own, where), who in learners.items()
        )


def _scores(results: "StudyResults", metrics: Sequence[str] | None, asked: ScoreKey) -> tuple[ScoreKey, ...]:
    """Choose one score of each metric."""
    if asked.metric:
        raise WorkbenchError(
            f"the score {asked} names a metric: name metrics with metrics=, and leave the first element of "
            f"the score empty, as in {str(asked._replace(metric='')) or '//test'}"
        )
    keys = results.score_keys
    wanted = _wanted(metrics, list(dict.fromkeys(key.metric for key in keys)))
    with_prior = {key.metric for key in keys if key.prior != "none"}
    of_theories = {key.metric for key in keys if key.rows == "none"}  # independent of the rows

    def chosen(row: str) -> tuple[ScoreKey, ...]:
        return tuple(
            results.choose(
                ScoreKey(
                    name,
                    asked.prior if name in with_prior else "",
                    "" if name in of_theories else row,
                    asked.cutoff,
                )
            )
            for name in wanted
        )

    if asked.rows:
        return chosen(asked.rows)
    common = _common_rows({name: {key.rows for key in keys if key.metric == name} for name in wanted})
    # Scores that only some cells have come last.
    return max(map(chosen, common), key=lambda found: min(len(results.scores(key)) for key in found))


def _wanted(metrics: Sequence[str] | None, known: Sequence[str]) -> list[str]:
    """Return the metrics to correlate: those named, otherwise all."""
    if isinstance(metrics, str):
        raise WorkbenchError(f"metrics is {metrics!r}: expected a list of at least two keys of metrics")
    wanted = list(dict.fromkeys(catalogue.key_of("metrics", metric, known) for metric in metrics or known))
    check_known("metric", wanted, known)
    if len(wanted) < 2:
        raise WorkbenchError(
            f"there is {count_of(len(wanted), 'metric')} to correlate: expected at least two metrics"
        )
    return wanted


def _common_rows(having: Mapping[str, set[str]]) -> list[str]:
    """Return the kinds of rows on which all metrics have scores, the preferred first."""
    common = [row for row in PREFERRED_ROWS if all(own & {row, "none"} for own in having.values())]
    if not common:
        words = "; ".join(f"{name} {' and '.join(sorted(own))}" for name, own in having.items())
        raise WorkbenchError(
            f"the metrics have no kind of rows in common to correlate ({words}): use metrics that share one"
        )
    return common


def _check_options(method: str, level: float) -> None:
    if method not in METHODS:
        raise WorkbenchError(f"unknown method {method!r}; {nearest(method, METHODS)}")
    try:
        check_share(level, what="level")
    except ValueError as error:
        raise WorkbenchError(str(error)) from error


def _grouped(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, tuple[Any, ...]]:
    """Group items by key, in order of first occurrence."""
    found: dict[Any, tuple[Any, ...]] = {}
    for key, value in pairs:
        found[key] = (*found.get(key, ()), value)
    return found


def _of_pairs(pairs: Sequence[tuple[str, str]]) -> str:
    """Name pairs of metrics, by their common metric if there is one."""
    pairs = [(metric_name(a), metric_name(b)) for a, b in pairs]
    if len(pairs) == 1:
        return " and ".join(pairs[0])
    shared = set(pairs[0]).intersection(*pairs[1:])
    if not shared:
        return "; ".join(f"{a} and {b}" for a, b in pairs)
    (one,) = shared
    return f"{one} with {', '.join(b if a == one else a for a, b in pairs)}"


def _groups(
    measured: dict[str, pd.DataFrame], learners: Sequence[str], source: str | None
) -> Iterator[tuple[tuple[str, int, str], pd.DataFrame]]:
    """Return the scores (splits, metrics) of each source, size and learner."""
    for (key, size), own in pd.concat(measured, axis=1).groupby(["source", "n_train"], sort=False):
        if source in (None, key):
            for learner in learners:
                yield (str(key), int(size), learner), own.xs(learner, axis=1, level="learner")


def _pairs(
    scores: pd.DataFrame, directions: dict[str, "Direction"] | None, method: Method, level: float
) -> Iterator[MetricCorrelation]:
    """Correlate every pair of metrics over the splits with scores of both."""
    for a, b in combinations(scores.columns, 2):
        own = scores[[a, b]].dropna()
        why = _why_not(own)
        if why:
            unknown = float("nan")
            yield MetricCorrelation(a, b, unknown, unknown, unknown, len(own), why)
        else:
            ways = None if directions is None else [directions[a], directions[b]]
            (pair,) = metric_correlations(
                own.to_numpy(), metrics=[a, b], directions=ways, method=method, level=level
            ).pairs
            yield pair


def _why_not(scores: pd.DataFrame) -> str:
    """Return why two metrics cannot be correlated, otherwise an empty text."""
    if len(scores) < 2:
        return f"both metrics have scores in only {len(scores)} of the splits"
    counts = {str(name): int(np.isinf(scores[name]).sum()) for name in scores}
    return " and ".join(f"{name} is infinite in {n} of {len(scores)}" for name, n in counts.items() if n)
