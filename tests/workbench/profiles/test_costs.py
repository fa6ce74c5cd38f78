"""What a learner costs with more columns and classes."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from workbench.profiles.costs import Costs, yardstick_seconds
from workbench.profiles.scaling import STEPS, scaling_of
from workbench.study.learner_spec import LearnerSpec, read_learners


def test_exponents_are_those_that_seconds_grow_with() -> None:
    columns = [{"axis": "columns", "value": value, "fit": 1e-4 * value**2} for value in STEPS["columns"]]
    classes = [{"axis": "classes", "value": value, "fit": 0.1 * value} for value in STEPS["classes"][:2]]
    costs = Costs(pd.DataFrame(), 1.5, pd.DataFrame([*columns, *classes]))
    assert costs.exponents == {"rows": 1.5, "columns": pytest.approx(2.0)}  # two steps tell nothing
    assert Costs(pd.DataFrame(), np.nan).exponents == {}


def test_every_step_is_timed_next_to_categorical_naive_bayes() -> None:
    found = scaling_of(LearnerSpec("nb", "nb"))
    steps = found.groupby("axis")["value"].agg(tuple).to_dict()
    assert steps == STEPS
    seconds = found[["fit", "predict", "yardstick"]]
    assert (seconds > 0).all(axis=None)
    assert found["ratio"].to_numpy() == pytest.approx((found["fit"] + found["predict"]) / found["yardstick"])


def test_steps_end_with_the_time() -> None:
    found = scaling_of(LearnerSpec("nb", "nb"), seconds=0.0)
    assert found["value"].tolist() == [steps[0] for steps in STEPS.values()]


class Failing(ClassifierMixin, BaseEstimator):
    """Fails on more than so many columns."""

    def fit(self, X, y):
        if len(X.columns) > 16:
            raise ValueError("too many columns")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_a_learner_that_fails_is_timed_as_far_as_it_goes() -> None:
    (spec,) = read_learners({"failing": Failing()}, "table")
    found = scaling_of(spec).groupby("axis")["value"].agg(tuple).to_dict()
    assert found == {"columns": (8, 16), "classes": STEPS["classes"]}


def test_the_yardstick_forecasts_as_many_rows_as_a_cell() -> None:
    assert yardstick_seconds("narrow", 50) > 0
    assert yardstick_seconds("wide", 50) > 0
