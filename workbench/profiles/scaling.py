"""How seconds of a learner grow with columns and classes, each alone, next to categorical naive Bayes."""

import time
from collections.abc import Iterator
from typing import Any

import pandas as pd

from generators.networks.network import Network
from generators.structures.naive_bayes import random_naive_bayes
from workbench.profiles.costs import quickest, rows_of
from workbench.profiles.part import SEED
from workbench.study.learner_spec import LearnerSpec

__all__ = ["COLUMNS", "scaling_of"]

COLUMNS = ("axis", "value", "n_train", "fit", "predict", "yardstick", "ratio")
#: The steps of each axis, while the other one stands at its first; the rows of each fit.
STEPS = {"columns": (8, 16, 32, 64), "classes": (2, 4, 8, 16)}
N_ROWS, ARITY = 1000, (2, 4)
#: No further step if so many times the time of the last is not left.
GROWTH = 4
#: Seconds if there is no limit: half a minute a learner.
MOST_SECONDS = 30.0


def scaling_of(spec: LearnerSpec, *, seconds: float | None = None) -> pd.DataFrame:
    """Time a learner on rows of random naive Bayes truths with more and more columns, then classes.

    Parameters
    ----------
    spec : LearnerSpec
    seconds : float, optional
        Steps that would go beyond this are left out.

    Returns
    -------
    DataFrame
        One row per axis ("columns", "classes") and value: fit and predict of 1000 rows, yardstick (fit and
        forecast of CategoricalNB), in seconds, and their ratio. Empty if a first fit fails.
    """
    end = time.perf_counter() + (MOST_SECONDS if seconds is None else seconds)
    rows = [row for axis in STEPS for row in _steps(spec, axis, end)]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _steps(spec: LearnerSpec, axis: str, end: float) -> Iterator[dict[str, Any]]:
    from sklearn.naive_bayes import CategoricalNB

    for value in STEPS[axis]:
        rows = rows_of(
            _truth(**{name: value if name == axis else own[0] for name, own in STEPS.items()}), N_ROWS
        )
        begun = time.perf_counter()
        try:
            fit, predict = quickest(spec.build(), spec.input, rows)
        except Exception:  # of the learner, which the cells of the profile report
            return
        spent = time.perf_counter() - begun
        yardstick = sum(quickest(CategoricalNB(), None, rows))
        yield {
            "axis": axis, "value": value, "n_train": N_ROWS, "fit": fit, "predict": predict,
            "yardstick": yardstick, "ratio": (fit + predict) / yardstick,
        }  # fmt: skip
        if time.perf_counter() + GROWTH * spent > end:
            return


def _truth(*, columns: int, classes: int) -> Network:
    return random_naive_bayes(
        n_attributes=columns, arity=ARITY, n_classes=classes, concentration=1.0, random_state=SEED
    )
