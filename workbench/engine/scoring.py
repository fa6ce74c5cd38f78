"""All requested scores of one fitted learner on the rows of one problem."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.base.score_key import ScoreKey
from workbench.engine.problem import ForecastRows, Problem
from workbench.metrics import Metric, class_prior, clip_probabilities
from workbench.metrics._shared.base import expectation
from workbench.metrics._shared.checks import checked_once
from workbench.optimal.sampled_forecast import SampledForecast
from workbench.store.outcome import Score
from workbench.study.metric_spec import metric_named

__all__ = ["fitting", "most_probable", "priors_of", "score", "theory_scores", "with_errors"]


def priors_of(problem: Problem, y_train: NDArray[np.intp]) -> dict[str, NDArray[np.float64]]:
    """Return the class distributions to which a reward can be relative."""
    codes = np.arange(len(problem.classes))
    known = {} if problem.marginal is None else {"marginal": problem.marginal}
    return known | {
        "training": class_prior(y_train, classes=codes),
        "test": class_prior(problem.test.y, classes=codes),
        "uniform": np.full(len(codes), 1.0 / len(codes)),
    }


def fitting(
    metrics: Mapping[str, Metric], classes: Sequence[Any]
) -> tuple[dict[str, Metric], dict[str, str]]:
    """Return a study's metrics for these classes by key, and why the others are for other classes."""
    fit: dict[str, Metric] = {}
    why: dict[str, str] = {}
    for key, metric in metrics.items():
        try:
            fit[key] = metric.of_classes(classes)
        except ValueError as error:
            why[key] = str(error)
    return fit, why


def score(
    rows: ForecastRows,
    y_prob: NDArray[np.float64],
    *,
    keys: Iterable[ScoreKey],
    priors: Mapping[str, NDArray[np.float64]],
    n_train: int,
    y_set: NDArray[np.bool_] | None = None,
    metrics: Mapping[str, Metric] | None = None,
) -> Iterable[Score]:
    """Score probabilities on test or training rows, or exactly over the attribute space."""
    clipped: dict[str, NDArray[np.float64]] = {"none": y_prob}
    known: dict[tuple[str, str], tuple[float, int]] = {}
    found: list[Score] = []
    with checked_once():
        for key in keys:
            metric = _metric(key, metrics)
            if "theory" in metric.needs:
                continue
            if key.cutoff not in clipped:
                cut = clip_probabilities(y_prob, n_train=n_train, rule=key.cutoff)  # type: ignore[arg-type]
                # the same array if nothing changes, which is then not scored again
                clipped[key.cutoff] = y_prob if np.array_equal(cut, y_prob) else cut
            unclipped = clipped[key.cutoff] is y_prob
            if unclipped and (key.metric, key.prior) in known:
                value, n_infinite = known[key.metric, key.prior]
            else:
                value, n_infinite = _value(metric, rows, clipped[key.cutoff], priors.get(key.prior), y_set)
            if unclipped:
                known[key.metric, key.prior] = value, n_infinite
            if math.isnan(value):
                if not metric.has_per_sample:
                    continue  # undefined on these rows: for example ranks with one class
                raise ValueError(f"{key.words} is not a number")
            found.append(Score(key, value, n_infinite))
    return found


def with_errors(
    scores: Iterable[Score], rows: ForecastRows, sampled: SampledForecast, **given: Any
) -> Iterator[Score]:
    """Add to scores of a sampled forecast their Monte Carlo standard error, by the jackknife over chains."""
    # Where the evidence of a law is estimated, half the distance between the scores a standard error above
    # and below adds to it. None for metrics that are not proper: accuracy jumps where another class becomes
    # the most probable.
    scores = list(scores)
    keys = [one.key for one in scores if _metric(one.key, given.get("metrics")).proper]

    def values(y_prob: NDArray[np.float64]) -> list[float]:
        if np.isnan(y_prob).any():
            return [math.nan] * len(keys)
        found = {one.key: one.value for one in score(rows, y_prob, keys=keys, **given)}
        return [found.get(key, math.nan) for key in keys]

    jackknifed = np.array([values(y_prob) for y_prob in sampled.without_chains()])
    n = len(jackknifed)
    variances = (n - 1) * jackknifed.var(axis=0) if n > 1 else np.full(len(keys), np.nan)
    for less, more in sampled.shifted:
        variances = variances + (np.subtract(values(more), values(less)) / 2) ** 2
    errors = dict(zip(keys, np.sqrt(variances).tolist(), strict=True))
    for one in scores:
        error = errors.get(one.key, math.nan)
        yield replace(one, mc_error=error if math.isfinite(error) else None)


def theory_scores(
    learner: Any,
    *,
    keys: Iterable[ScoreKey],
    training: tuple[NDArray[np.intp], NDArray[np.bool_]] | None = None,
    metrics: Mapping[str, Metric] | None = None,
) -> Iterator[Score]:
    """Score the theory of a learner."""
    for key in keys:
        metric = _metric(key, metrics)
        if "theory" not in metric.needs:
            continue
        try:
            value = metric(learner, *(training or ())) if "sets" in metric.needs else metric(learner)
        except ValueError:
            continue
        if not math.isnan(value):
            yield Score(key, value, int(math.isinf(value)))


def _metric(key: ScoreKey, own: Mapping[str, Metric] | None) -> Any:
    return (own or {}).get(key.metric) or metric_named(key.metric)


def _value(
    metric: Any,
    rows: ForecastRows,
    y_prob: NDArray[np.float64],
    prior: NDArray[np.float64] | None,
    y_set: NDArray[np.bool_] | None,
) -> tuple[float, int]:
    """Return the mean or the exact expectation, and its number of infinite rows."""
    if "sets" in metric.needs:
        value = metric(rows.y, most_probable(y_prob) if y_set is None else y_set)
        return value, int(math.isinf(value))
    if not metric.has_per_sample:
        if rows.joint is None:
            value = metric(rows.y, y_prob, prior=prior)
        else:
            value = metric.expected(rows.joint, y_prob, prior=prior)
        return value, int(math.isinf(value))
    if rows.joint is None:
        if "truth" in metric.needs:
            values = metric.per_sample(rows.p_true, y_prob)
        else:
            values = metric.per_sample(rows.y, y_prob, prior=prior)
        mean = float(values.sum() / values.size)
        return mean, 0 if math.isfinite(mean) else int(np.isinf(values).sum())
    if "truth" in metric.needs:
        found = expectation(rows.weight, metric.per_sample(rows.p_true, y_prob))
    else:
        found = expectation(rows.joint, metric.by_class(y_prob, prior=prior))
    return found.value, found.n_infinite


def most_probable(y_prob: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return each row's most probable class, the first of ties, as its set."""
    sets = np.zeros(y_prob.shape, dtype=np.bool_)
    sets[np.arange(len(y_prob)), y_prob.argmax(axis=1)] = True
    return sets
