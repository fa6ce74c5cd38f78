"""One million rows of 30 nominal attributes as uint8 codes; 100,000 rows to forecast."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.naive_bayes import CategoricalNB

from benchmarks.report import Line, rounds
from learners import AODEClassifier, AveragedTANClassifier, NaiveBayesClassifier, TANClassifier

ROWS, FORECAST, ATTRIBUTES, VALUES, CLASSES = 1_000_000, 100_000, 30, 5, 5
YARDSTICK_SECONDS = 1.9  # CategoricalNB, fit and forecast, where the budgets (in seconds) were set

#: Learner, and its budget in seconds for fit, forecast and both.
LEARNERS: dict[str, tuple[Callable[..., Any], dict[str, float]]] = {
    "NB": (NaiveBayesClassifier, {"both": 0.1}),
    "TAN": (TANClassifier, {"fit": 0.2}),
    "averaged TAN": (AveragedTANClassifier, {"fit": 0.2, "predict": 6.0}),
    "AODE": (AODEClassifier, {"fit": 0.15, "predict": 0.12}),
}


def made_up(
    n_rows: int, n_attributes: int, n_classes: int = CLASSES, n_values: int = VALUES
) -> tuple[np.ndarray, np.ndarray]:
    """Codes that lean on the class."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, n_rows)
    X = rng.integers(0, n_values, (n_rows, n_attributes), dtype=np.uint8)
    leaning = rng.random((n_rows, n_attributes), dtype=np.float32) < 0.2
    X[leaning] = np.broadcast_to(y[:, None] % n_values, X.shape)[leaning]
    return X, y


def lines() -> Iterator[Line]:
    X, y = made_up(ROWS, ATTRIBUTES)
    arities = np.full(ATTRIBUTES, VALUES)
    fitted: dict[str, Any] = {}

    def fit(name: str, make: Callable[[], Any]) -> Callable[[], None]:
        return lambda: fitted.update({name: make().fit(X, y)})

    def forecast(name: str) -> Callable[[], Any]:
        return lambda: fitted[name].predict_proba(X[:FORECAST])

    def both(make: Callable[[], Any]) -> Callable[[], Any]:
        return lambda: make().fit(X, y).predict_proba(X[:FORECAST])

    works = {"CategoricalNB": both(lambda: CategoricalNB(min_categories=arities))}
    for name, (Learner, budgets) in LEARNERS.items():
        make = lambda Learner=Learner: Learner(arities=arities)  # noqa: E731
        works |= {f"{name}, fit": fit(name, make), f"{name}, predict": forecast(name)}
        if "both" in budgets:
            works[f"{name}, both"] = both(make)
    seconds, ratios = rounds(works)
    work = "1,000,000 x 30"
    yield Line(work, "scikit-learn CategoricalNB", seconds["CategoricalNB"], 1.0, note="fit + predict")
    for name, (_, budgets) in LEARNERS.items():
        for part in ("fit", "predict", "both"):
            key = f"{name}, {part}"
            if key in works:
                budget = budgets[part] / YARDSTICK_SECONDS if part in budgets else None
                yield Line(work, f"ours, {key}", seconds[key], ratios[key], budget)
