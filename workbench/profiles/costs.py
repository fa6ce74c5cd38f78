"""What a learner costs: seconds of fit and forecast by rows and columns, next to categorical naive Bayes."""

import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from generators.suites.places import MAP
from workbench.base.threads import one_inner_thread
from workbench.estimators.foreign import adapt
from workbench.profiles.part import N_TEST
from workbench.profiles.scores import SuiteScores

__all__ = ["YARDSTICK", "Costs", "Rows", "costs_of", "quickest", "rows_of"]

#: Sizes from which on exponents are fitted: smaller fits are mostly overhead.
LEAST_ROWS = 500
#: Fewest steps of columns or classes for an exponent.
LEAST_STEPS = 3
#: The reference learner that costs are compared with, scikit-learn's CategoricalNB.
YARDSTICK = "categorical_nb"
#: Fits of which the quickest counts; fewer if they have taken so many seconds together.
TRIES, LONG = 3, 1.0
Rows = tuple[Any, Any, Any]


@dataclass(frozen=True, eq=False)
class Costs:
    """Seconds of a learner on the map, one process, one thread.

    Parameters
    ----------
    table : DataFrame
        One row per width and size: width ("narrow", "wide"), n_train, fit, predict (seconds, medians over
        kinds; of the test rows and, on narrow truths, the attribute space), yardstick (seconds of fit and
        forecast of scikit-learn's CategoricalNB on such rows, on this machine now), ratio.
    exponent : float
        Of seconds of fit in rows, from 500 rows on; NaN for fewer than two sizes.
    scaling : DataFrame
        Seconds with more and more columns and classes, as `scaling_of` times them; empty if left out.
    """

    table: pd.DataFrame
    exponent: float
    scaling: pd.DataFrame = field(default_factory=pd.DataFrame)

    @property
    def exponents(self) -> dict[str, float]:
        """The powers to which seconds of a fit grow with "rows", "columns" and "classes", where known."""
        found = {} if np.isnan(self.exponent) else {"rows": self.exponent}
        for axis, own in self.scaling.groupby("axis", sort=False) if len(self.scaling) else ():
            if len(own) >= LEAST_STEPS:
                found[str(axis)] = _exponent(own["value"], own["fit"])
        return found


def costs_of(
    scores: SuiteScores, learner: str, *, is_reference: bool = False, scaling: pd.DataFrame | None = None
) -> Costs:
    """Return what a learner cost in its run, next to CategoricalNB on the same machine.

    That of a reference learner is the one of the reference results; else it is timed now.
    """
    table = pd.DataFrame(list(_rows(scores, learner, is_reference)))
    scaling = pd.DataFrame() if scaling is None else scaling
    if table.empty:
        return Costs(table, float("nan"), scaling)
    large = table[(table["n_train"] >= LEAST_ROWS) & (table["width"] == "narrow")]
    exponent = float("nan")
    if len(large) >= 2:
        exponent = _exponent(large["n_train"], large["fit"])
    return Costs(table, exponent, scaling)


def _exponent(amount: pd.Series, seconds: pd.Series) -> float:
    return float(np.polyfit(np.log(amount), np.log(seconds.clip(1e-5)), 1)[0])


def _rows(scores: SuiteScores, learner: str, is_reference: bool) -> Iterator[dict[str, object]]:
    at = scores.at(learner)
    for width in ("narrow", "wide"):
        places = [i for i, key in enumerate(scores.places) if _is_of(scores, key, width)]
        for j, size in enumerate(scores.sizes):
            fit, predict = (scores.seconds[name][at, places, j] for name in ("fit", "predict"))
            if np.isfinite(fit).any():
                seconds = {"fit": float(np.nanmedian(fit)), "predict": float(np.nanmedian(predict))}
                yardstick = (
                    _of_reference(scores, places, j) if is_reference else yardstick_seconds(width, size)
                )
                ratio = (seconds["fit"] + seconds["predict"]) / yardstick
                yield {"width": width, "n_train": size, **seconds, "yardstick": yardstick, "ratio": ratio}


def _of_reference(scores: SuiteScores, places: list[int], size: int) -> float:
    """Return the seconds of CategoricalNB in the reference results; NaN if it is not among them."""
    if YARDSTICK not in scores.learners:
        return float("nan")
    peer = scores.at(YARDSTICK)
    return float(np.nanmedian(sum(scores.seconds[name][peer, places, size] for name in ("fit", "predict"))))


def _is_of(scores: SuiteScores, key: str, width: str) -> bool:
    place = scores.content.place(key)
    return place.part == MAP and place.width == width


def yardstick_seconds(width: str, size: int) -> float:
    """Return seconds of fit and forecast of CategoricalNB on rows of a suite's width, on this machine.

    Forecasts are of as many rows as those of cells, which have the attribute space where it is small.
    """
    from sklearn.naive_bayes import CategoricalNB

    from generators.suites.suite import suite
    from workbench.profiles.part import SUITE

    truth = suite(SUITE).place(f"naive_bayes-{width}-medium").draw(0)
    n_test = N_TEST + (truth.n_cells if width == "narrow" else 0)
    return sum(quickest(CategoricalNB(), None, rows_of(truth, size, n_test)))


def rows_of(truth: Any, size: int, n_test: int = N_TEST) -> Rows:
    """Return training rows of a truth with their classes, and test rows."""
    return *truth.sample(size, 0), truth.sample(n_test, 1)[0]


def quickest(estimator: Any, input: str | None, rows: Rows) -> tuple[float, float]:
    """Return seconds of fit and forecast, the quickest of a few tries unless these take long."""
    X, y, test = rows
    found: list[tuple[float, float]] = []
    with one_inner_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the learner warns of is said of its cells
        while len(found) < TRIES and sum(sum(one) for one in found) < LONG:
            learner, begun = adapt(estimator, input), time.perf_counter()
            learner.fit(X, y)
            fitted = time.perf_counter()
            learner.predict_proba(test)
            found.append((fitted - begun, time.perf_counter() - fitted))
    return min(found, key=sum)
