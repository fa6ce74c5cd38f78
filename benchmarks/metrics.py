"""Every metric on one million forecasts of ten classes, next to scikit-learn's log loss and ranks.

This section alone: `python -m benchmarks.metrics`.
"""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from sklearn.metrics import log_loss, roc_auc_score

from benchmarks.report import Line, once, rounds
from workbench.metrics import (
    METRICS,
    Metric,
    class_prior,
    decomposition,
    exact_decomposition,
    reliability_table,
)

SAMPLES, CLASSES = 1_000_000, 10
YARDSTICK, PEER = "scikit-learn log_loss", "scikit-learn roc_auc_score"
WORK = f"{SAMPLES:,} x {CLASSES}"
FEW = 1000  # rows to compile with
SHARE = 10  # one row in so many is decomposed, next to log_loss of the same
#: Ratio to the yardstick; "auc" is measured against the peer.
BUDGETS = {"ir_b": 0.5, "miscalibration": 1.0}


def lines() -> Iterator[Line]:
    y, y_prob = made_up(SAMPLES, CLASSES)
    labels = range(CLASSES)
    works: dict[str, Callable[[], object]] = {
        YARDSTICK: lambda: log_loss(y, y_prob, labels=labels),
        PEER: lambda: roc_auc_score(y, y_prob, multi_class="ovr", labels=labels),
    }
    prior = class_prior(y, classes=labels)
    judging = {name: metric for name, metric in METRICS.items() if "theory" not in metric.needs}
    calls = {name: call(metric, y, y_prob, prior) for name, metric in judging.items()}
    seconds, ratios = rounds(works | calls)
    for who in works:
        yield Line(WORK, who, seconds[who], ratios[who])
    for name, metric in judging.items():
        allowed = ratios[PEER] if name == "auc" else BUDGETS.get(name, 1.0 if metric.has_per_sample else None)
        yield Line(WORK, f"ours, {name}", seconds[name], ratios[name], allowed)
    for work in parts(y[:FEW], y_prob[:FEW], prior).values():
        work()  # compile
    part = SAMPLES // SHARE
    yardstick = once(lambda: log_loss(y[:part], y_prob[:part], labels=labels))
    for name, work in parts(y[:part], y_prob[:part], prior).items():
        taken = once(work)
        yield Line(f"{part:,} x {CLASSES}", f"ours, {name}", taken, taken / yardstick, note="ONCE")


def parts(y: np.ndarray, y_prob: np.ndarray, prior: np.ndarray) -> dict[str, Callable[[], object]]:
    """Bind what is no metric; each forecast is a cell of its own to the exact parts."""
    joint = y_prob / len(y_prob)
    of_data = partial(decomposition, y, y_prob, prior=prior, random_state=0)
    exact = partial(exact_decomposition, joint, y_prob, prior=prior)
    return {
        "reliability_table": partial(reliability_table, y, y_prob),
        "decomposition, no bootstrap": partial(of_data, n_bootstrap=0),
        "decomposition, 200 bootstraps": of_data,
        "decomposition of log_loss, 200 bootstraps": partial(of_data, rule="log_loss"),
        "exact_decomposition": exact,
        "exact_decomposition of log_loss": partial(exact, rule="log_loss"),
    }


def made_up(n_samples: int, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Forecasts, and classes drawn from them: all are calibrated."""
    rng = np.random.default_rng(0)
    y_prob = rng.dirichlet(np.ones(n_classes), size=n_samples)
    y = (rng.random((n_samples, 1)) > y_prob.cumsum(axis=1)[:, :-1]).sum(axis=1)
    return y, y_prob


def call(metric: Metric, y: np.ndarray, y_prob: np.ndarray, prior: np.ndarray) -> Callable[[], object]:
    """Bind what the metric asks for."""
    if "truth" in metric.needs:
        truth = y_prob[::-1].copy()
        return lambda: metric(truth, y_prob)
    if "sets" in metric.needs:
        sets = y_prob > 1.5 / y_prob.shape[1]
        return lambda: metric(y, sets)
    return lambda: metric(y, y_prob, prior=prior)


if __name__ == "__main__":
    from benchmarks.__main__ import main

    main(["--only", "metrics"])
