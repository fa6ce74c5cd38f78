"""How seconds of a learner grow with columns and classes, each alone, next to categorical naive Bayes."""

import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from generators.structures.naive_bayes import random_naive_bayes
from workbench.base.threads import one_inner_thread
from workbench.estimators.fair_fit import FairFit
from workbench.profiles.costs import ranged
from workbench.profiles.part import N_TEST, SEED
from workbench.study.learner_spec import LearnerSpec

__all__ = ["COLUMNS", "scaling_of"]

Rows = tuple[Any, Any, Any]
COLUMNS = (
    "axis", "value", "n_train", "fit", "fit_low", "fit_high", "predict", "yardstick", "ratio", "ratio_low",
    "ratio_high",
)  # fmt: skip
#: The steps of each axis, while the other one stands at its first; the rows of each fit.
STEPS = {"columns": (8, 16, 32, 64), "classes": (2, 4, 8, 16)}
N_ROWS, ARITY = 1000, (2, 4)
#: No further step if so many times the time of the last is not left.
GROWTH = 4
#: Seconds if there is no limit: half a minute a learner.
MOST_SECONDS = 30.0
#: Fits of which the median counts; fewer if they have taken so many seconds together.
TRIES, LONG = 3, 1.0


def scaling_of(spec: LearnerSpec, *, seconds: float | None = None) -> pd.DataFrame:
    """Time a learner and CategoricalNB on naive Bayes truths with more and more columns, then classes."""
    # seconds of fit, predict (1000 rows), yardstick (fit and forecast); steps beyond `seconds` are left out
    end = time.perf_counter() + (MOST_SECONDS if seconds is None else seconds)
    rows = [row for axis in STEPS for row in _steps(spec, axis, end)]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _steps(spec: LearnerSpec, axis: str, end: float) -> Iterator[dict[str, Any]]:
    from sklearn.naive_bayes import CategoricalNB

    for value in STEPS[axis]:
        rows = _drawn(**{name: value if name == axis else own[0] for name, own in STEPS.items()})
        begun = time.perf_counter()
        try:
            fit, predict = _timed(spec.build(), spec.input, rows)
        except Exception:  # of the learner, which the cells of the profile report
            return
        spent = time.perf_counter() - begun
        yardstick = float(np.median(_timed(CategoricalNB(), None, rows).sum(axis=0)))
        yield {
            "axis": axis, "value": value, "n_train": N_ROWS,
            **ranged("fit", fit), "predict": float(np.median(predict)),
            "yardstick": yardstick, **ranged("ratio", (fit + predict) / yardstick),
        }  # fmt: skip
        if time.perf_counter() + GROWTH * spent > end:
            return


def _drawn(*, columns: int, classes: int) -> Rows:
    """Return training rows with their classes, and test rows."""
    truth = random_naive_bayes(
        n_attributes=columns, arity=ARITY, n_classes=classes, concentration=1.0, random_state=SEED
    )
    return *truth.sample(N_ROWS, 0), truth.sample(N_TEST, 1)[0]


def _timed(estimator: Any, input: str | None, rows: Rows) -> np.ndarray:
    """Return seconds of fits and of forecasts, (2, n_tries): a few tries unless these take long."""
    X, y, test = rows
    found: list[tuple[float, float]] = []
    with one_inner_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the learner warns of is said of its cells
        while len(found) < TRIES and sum(sum(one) for one in found) < LONG:
            fit, begun = FairFit(estimator, tuple(y.cat.categories), input=input), time.perf_counter()
            fit.fit(X, y)
            fitted = time.perf_counter()
            fit.forecast(test)
            found.append((fitted - begun, time.perf_counter() - fitted))
    return np.array(found).T
