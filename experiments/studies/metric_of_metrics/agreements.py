"""Count how often each metric ranks two learners as an exact score does.

The kept forecasts of a truth are scored on parts of its test rows, 50 to 5000 at a time; the exact scores of
the same learners say which of two is better. A tie, of the exact score or of the metric, counts one half.
"""

import hashlib
from dataclasses import dataclass, fields
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench import Results, Study
from workbench.engine.problem import DrawSpec, build_problem
from workbench.metrics import METRICS, Metric, class_prior

JUDGED = (
    "log_loss", "ir_b", "quadratic_loss", "accuracy", "auc", "kononenko_bratko", "bayesian_reward",
    "good_reward", "modal_bayesian_reward", "miscalibration", "expected_calibration_error",
    "accuracy, ties by log_loss",
)  # fmt: skip
#: No metric of the workbench: the last one counts errors, and where these are equal it asks log loss.
SCORED = JUDGED[:-1]
#: The exact scores of the store; the first four decide which learner is better.
EXACT = (
    "kl_divergence", "ir_b", "quadratic_loss", "accuracy", "kononenko_bratko", "bayesian_reward",
    "good_reward", "modal_bayesian_reward",
)  # fmt: skip
TARGETS = EXACT[:4]
#: Test rows, and how many such parts of the 5000 are scored.
PARTS = {50: 10, 100: 10, 200: 10, 500: 10, 1000: 5, 2000: 2, 5000: 1}
#: Scores nearer than this are tied: equal decisions and equal forecasts differ by rounding, some 1e-16.
TIED = 1e-12


@dataclass(frozen=True)
class Agreements:
    """What was counted, by truth and training size."""

    #: Share of the parts of the test rows in which the metric ranks the pair as the target does, by
    #: target, test size, metric and pair.
    share: NDArray[np.float32]
    gap: NDArray[np.float64]  # of the pair, more is better for the first, by exact score and pair
    equal_errors: NDArray[np.float32]  # share of the parts with as many errors, by test size and pair
    source: NDArray[np.str_]  # by truth: kind, classes and skew, separated by commas
    sizes: NDArray[np.int64]  # of training sets
    pairs: NDArray[np.str_]  # names of the learners (pairs, 2)


def agreements(study: Study, results: Results, cache: Path) -> Agreements:
    """Count the agreements, or read them where those of the same cells were counted before."""
    digest = hashlib.sha256("".join(sorted(results.cells()["identity"])).encode()).hexdigest()
    names = [one.name for one in fields(Agreements)]
    if cache.exists():
        with np.load(cache) as kept:
            if str(kept.get("digest", "")) == digest and set(names) <= set(kept.files):
                return Agreements(**{name: kept[name] for name in names})
    found = _counted(study, results)
    np.savez_compressed(cache, digest=digest, **vars(found))
    return found


def signs(differences: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return 1, -1, or 0 for ties and where there is no difference, as between two infinite scores."""
    known = np.nan_to_num(differences, nan=0.0)
    return np.where(np.abs(known) <= TIED, 0.0, np.sign(known))


def agree(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return 1 where two signs are the same, 0 where they are opposite, one half where either is a tie."""
    return (1 + one * other) / 2


def _counted(study: Study, results: Results) -> Agreements:
    names = [learner.key for learner in study.learners]
    pairs = np.array(list(combinations(range(len(names)), 2))).T
    exact = _exact(results)
    shares, gaps, equal, sources = [], [], [], []
    for (source, replicate), own in results.cells().groupby(
        ["source", "replicate"], observed=True, sort=False
    ):
        spec = DrawSpec(study.source(source), study.seed, int(replicate), study.design.n_test, exact=False)
        problem = build_problem(spec)
        of_size = []
        for n_train in study.design.sizes:
            of_learner = exact.loc[source, replicate, n_train].loc[names, list(EXACT)].to_numpy().T
            gap = _differences(of_learner, pairs)
            identity = own[own["n_train"] == n_train].set_index("learner")["identity"]
            forecasts = [results.predictions(identity[name]) for name in names]
            _, y_train = problem.training_rows(int(n_train), 0)
            prior = class_prior(problem.codes(y_train), classes=range(len(problem.classes)))
            ranked = _rankings(problem.test.y, forecasts, prior, pairs)
            of_size.append((*_shares(ranked, gap[: len(TARGETS)]), gap))
        for kept, values in zip((shares, equal, gaps), zip(*of_size, strict=True), strict=True):
            kept.append(values)
        sources.append(str(source))
    return Agreements(
        np.array(shares, dtype=np.float32),
        np.array(gaps),
        np.array(equal, dtype=np.float32),
        np.array(sources),
        np.array(study.design.sizes),
        np.array(names)[pairs].T,
    )


def _exact(results: Results) -> pd.DataFrame:
    """Return the exact scores, signed so that more is better: a row per cell, a column per score."""
    index = ["source", "replicate", "n_train", "learner"]
    wide = results.frame().pivot_table(
        index=index, columns="metric", values="value", observed=True, aggfunc="first"
    )
    return wide * [_sign(METRICS[name]) for name in wide.columns]


def _sign(metric: Metric) -> int:
    return 1 if metric.direction == "higher" else -1


def _differences(scores: NDArray[np.float64], pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the first learner's scores less the second's; NaN where both are infinite."""
    with np.errstate(invalid="ignore"):
        return scores[..., pairs[0]] - scores[..., pairs[1]]


def _rankings(
    y: NDArray[np.intp],
    forecasts: list[NDArray[np.float64]],
    prior: NDArray[np.float64],
    pairs: NDArray[np.int64],
) -> dict[tuple[str, int], NDArray[np.float64]]:
    """Return by metric and test size which learner is ranked first: signs (parts, pairs)."""
    found = {}
    for name in SCORED:
        scores = [_part_scores(METRICS[name], y, y_prob, prior) for y_prob in forecasts]
        for n in PARTS:
            found[name, n] = signs(_differences(np.array([score[n] for score in scores]).T, pairs))
    for n in PARTS:
        found[JUDGED[-1], n] = break_ties(found["accuracy", n], found["log_loss", n])
    return found


def break_ties(ranked: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the signs of one metric, and where it has a tie those of another."""
    return np.where(ranked == 0, other, ranked)


def _shares(
    ranked: dict[tuple[str, int], NDArray[np.float64]], gap: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the share of parts that agree (targets, test sizes, metrics, pairs), and with equal errors."""
    target = signs(gap)[:, None]
    of_size = [[agree(ranked[name, n][None], target).mean(axis=1) for name in JUDGED] for n in PARTS]
    equal = np.array([(ranked["accuracy", n] == 0).mean(axis=0) for n in PARTS])
    return np.moveaxis(np.array(of_size), 2, 0), equal


def _part_scores(
    metric: Metric, y: NDArray[np.intp], y_prob: NDArray[np.float64], prior: NDArray[np.float64]
) -> dict[int, NDArray[np.float64]]:
    """Score the parts of the test rows by their size; more is better."""
    if metric.has_per_sample:
        each = metric.per_sample(y, y_prob, prior=prior)  # type: ignore[attr-defined]
        found = {n: each[: n * parts].reshape(parts, n).mean(axis=1) for n, parts in PARTS.items()}
    else:
        found = {
            n: np.array([metric(y[i * n :][:n], y_prob[i * n :][:n], prior=prior) for i in range(parts)])
            for n, parts in PARTS.items()
        }
    return {n: _sign(metric) * values for n, values in found.items()}
