"""Fit learners to the halves of the tables of a side, and score the other halves.

Run from the root of the repository; what is scored already is not fitted again:

    python -m experiments.studies.pooled.run_learners development pooled catboost_stopped
    python -m experiments.studies.pooled.run_learners judging

Each fit is a process of its own with one core, which is ended after an hour. A learner that fails has the
frequencies of the classes as its forecasts, and the reason in its row.
"""

import multiprocessing
import os
import resource
import sys
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

os.environ |= dict.fromkeys(["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"], "1")

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from experiments.studies.pooled.load_tables import HERE, halves, listed, load
from experiments.studies.real_tables import baselines
from learners import BayesianNetworkEnsembleClassifier
from workbench.estimators.build import make_learner
from workbench.estimators.fair_fit import seeded
from workbench.estimators.foreign import adapt
from workbench.metrics import (
    accuracy,
    clip_probabilities,
    expected_calibration_error,
    log_loss,
    quadratic_loss,
)

#: The learners, by key or function and parameters.
LEARNERS: Mapping[str, tuple[Any, dict[str, Any]]] = {
    "pooled": ("pooled", {}),
    "bn_ensemble": ("bn_ensemble", {}),
    "catboost_stopped": ("early_stopped", {"of": "catboost"}),
    "catboost": ("catboost", {}),
    "lightgbm_stopped": ("early_stopped", {"of": "lightgbm"}),
    "xgboost_stopped": ("early_stopped", {"of": "xgboost"}),
    "ebm": ("ebm", {"outer_bags": 4}),  # of 14, as it takes minutes on small tables
    "forest_calibrated": (baselines.calibrated, {"of": "forest"}),
    "forest": (baselines.forest, {}),
    "boosting_stopped": (baselines.boosting, {"early_stopping": True}),
    "logistic_tuned": (baselines.tuned, {"of": "logistic"}),
}
MOST_SECONDS = 3600
#: What a fit costs.
COSTS = ["fit_seconds", "forecast_seconds", "mebibytes"]


class Task(NamedTuple):
    """Rows of a table to train on, and to test on."""

    parts: dict[str, Any]  # what tells its scores apart, but for the learner
    X: pd.DataFrame
    y: "pd.Series[Any]"
    train: NDArray[np.intp]
    test: NDArray[np.intp]


def main() -> None:
    """Fit the learners that are named, or all."""
    which, *names = sys.argv[1:]
    score_side(which, {name: LEARNERS[name] for name in names or LEARNERS}, f"{which}_scores")


def score_side(which: str, learners: Mapping[str, tuple[Any, dict[str, Any]]], name: str) -> None:
    """Fit learners to all halves of a side, and write a row of scores for each fit to a table."""

    def tasks() -> Iterator[Task]:
        for row in listed(which).sort_values("rows", key=lambda rows: rows.astype(int)).to_dict("records"):
            X, y = load(row)
            for half, rows in enumerate(halves(y)):
                yield Task({"table": row["table"], "half": half}, X, y, *rows)

    score(tasks(), learners, name)


def score(tasks: Iterable[Task], learners: Mapping[str, tuple[Any, dict[str, Any]]], name: str) -> None:
    """Fit learners to the rows of each task; what the table of scores has already is not fitted again."""
    load_kernels()
    place = HERE / "scores" / f"{name}.csv"
    found = pd.read_csv(place).to_dict("records") if place.is_file() else []
    for task in tasks:
        for key, learner in learners.items():
            parts = {**task.parts, "learner": key}
            if any(parts.items() <= row.items() for row in found):
                continue
            X, y, train, test = task.X, task.y, task.train, task.test
            scores = scored(learner, X.iloc[train], y.iloc[train], X.iloc[test], y.iloc[test])
            found.append({**parts, **scores})
            place.parent.mkdir(exist_ok=True)
            pd.DataFrame(found).to_csv(place, index=False, float_format="%.6g")
            print(*found[-1].values(), flush=True)


def load_kernels() -> None:
    """Load compiled code, so that processes have it when their clocks start."""
    X = np.random.default_rng(0).normal(size=(200, 3))
    for n_classes in (2, 3):
        BayesianNetworkEnsembleClassifier(2).fit(X, np.arange(200) % n_classes).predict_proba(X)


def scored(
    learner: tuple[Any, dict[str, Any]],
    X: pd.DataFrame,
    y: "pd.Series[Any]",
    X_test: pd.DataFrame,
    y_test: Any,
) -> dict[str, Any]:
    """Fit a learner in a process of its own, and return its scores."""
    context = multiprocessing.get_context("fork")  # a new interpreter would import for seconds
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=fit_and_send, args=(sender, learner, X, y, X_test))
    process.start()
    sender.close()
    answer: Any = "took more than an hour"
    try:
        if receiver.poll(MOST_SECONDS):
            answer = receiver.recv()
    except EOFError:
        answer = "the process ended"
    process.kill()
    process.join()
    failed = answer if isinstance(answer, str) else ""
    if failed:
        labels, counts = np.unique(y.astype(str), return_counts=True)
        answer = [np.tile(counts / counts.sum(), (len(y_test), 1)), labels, *[np.nan] * len(COSTS)]
    y_prob, labels, *costs = answer
    found = measures(y_prob, labels, y_test.astype(str).to_numpy(), len(y))
    return {**found, **dict(zip(COSTS, costs, strict=True)), "failed": failed}


def fit_and_send(
    sender: Any,
    learner: tuple[Any, dict[str, Any]],
    X: pd.DataFrame,
    y: "pd.Series[Any]",
    X_test: pd.DataFrame,
) -> None:
    """Send forecasts, their classes, seconds and memory; the reason where they cannot be made."""
    warnings.simplefilter("ignore")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    made, parameters = learner
    try:
        made = make_learner(made, made, parameters) if isinstance(made, str) else made(**parameters)
        made = adapt(seeded(made, lambda _: 0))
        began = time.perf_counter()
        made.fit(X.reset_index(drop=True), y.astype(str).reset_index(drop=True))
        fitted = time.perf_counter()
        y_prob = np.asarray(made.predict_proba(X_test.reset_index(drop=True)))
        seconds = fitted - began, time.perf_counter() - fitted
        used = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        sender.send((y_prob, np.asarray(made.classes_), *seconds, used))
    except Exception as error:
        sender.send(f"{type(error).__name__}: {error}".splitlines()[0][:200])


def measures(y_prob: Any, labels: Any, y_test: NDArray[Any], n_train: int) -> dict[str, float]:
    """Return the scores of forecasts by a learner of so many rows; the log loss after the cut-off of 2002."""
    classes = np.union1d(labels, y_test)
    aligned = np.zeros((len(y_test), len(classes)))
    aligned[:, np.searchsorted(classes, labels)] = y_prob
    codes = np.searchsorted(classes, y_test)
    return {
        "log_loss": log_loss(codes, clip_probabilities(aligned, n_train=n_train)),
        "accuracy": accuracy(codes, aligned),
        "quadratic_loss": quadratic_loss(codes, aligned),
        "ece": expected_calibration_error(codes, aligned),
    }


if __name__ == "__main__":
    main()
