"""What a learner costs: seconds of fit and forecast by rows and columns, next to categorical naive Bayes."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from generators.suites.places import MAP
from workbench.base.threads import one_inner_thread
from workbench.estimators.foreign import adapt
from workbench.profiles.part import N_TEST
from workbench.profiles.scores import SuiteScores

__all__ = ["Costs", "costs_of"]

#: Sizes from which on exponents are fitted: smaller fits are mostly overhead.
LEAST_ROWS = 500
#: The reference learner that costs are compared with, scikit-learn's CategoricalNB.
YARDSTICK = "categorical_nb"
#: Fits of the yardstick, of which the quickest counts.
TRIES = 3


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
    """

    table: pd.DataFrame
    exponent: float


def costs_of(scores: SuiteScores, learner: str, *, is_reference: bool = False) -> Costs:
    """Return what a learner cost in its run, next to CategoricalNB on the same machine.

    That of a reference learner is the one of the reference results; else it is timed now.
    """
    table = pd.DataFrame(list(_rows(scores, learner, is_reference)))
    if table.empty:
        return Costs(table, float("nan"))
    large = table[(table["n_train"] >= LEAST_ROWS) & (table["width"] == "narrow")]
    exponent = float("nan")
    if len(large) >= 2:
        exponent = float(np.polyfit(np.log(large["n_train"]), np.log(large["fit"].clip(1e-5)), 1)[0])
    return Costs(table, exponent)


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
    """Return seconds of fit and forecast of CategoricalNB on rows of a suite's width, on this machine."""
    from sklearn.naive_bayes import CategoricalNB

    from generators.suites.suite import suite
    from workbench.profiles.part import SUITE

    truth = suite(SUITE).place(f"naive_bayes-{width}-medium").draw(0)
    X, y = truth.sample(size, 0)
    test, _ = truth.sample(N_TEST, 1)
    found = []
    with one_inner_thread():
        for _ in range(TRIES):
            learner, begun = adapt(CategoricalNB(), None, None), time.perf_counter()
            learner.fit(X, y).predict_proba(test)
            found.append(time.perf_counter() - begun)
    return min(found)
