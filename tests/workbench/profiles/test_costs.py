"""What a learner costs with more columns and classes."""

import math

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from workbench.profiles.costs import COMPARED, YARDSTICK, Costs, costs_of, ranged, yardstick_on
from workbench.profiles.part import SuitePart
from workbench.profiles.scaling import STEPS, scaling_of
from workbench.study.learner_spec import LearnerSpec, read_learners


def test_exponents_are_those_that_seconds_grow_with() -> None:
    columns = [{"axis": "columns", "value": value, "fit": 1e-4 * value**2} for value in STEPS["columns"]]
    classes = [{"axis": "classes", "value": value, "fit": 0.1 * value} for value in STEPS["classes"][:2]]
    rows = [
        {"width": width, "n_train": size, "fit": 1e-4 * size**power}
        for width, power in (("narrow", 1.5), ("wide", 9.0))
        for size in (50, 500, 1500, 5000)
    ]
    costs = Costs(pd.DataFrame(rows), pd.DataFrame([*columns, *classes]))
    # two steps of classes tell nothing
    assert costs.exponents == {"rows": pytest.approx(1.5), "columns": pytest.approx(2.0)}
    assert Costs(pd.DataFrame()).exponents == {}


def test_exponents_of_overhead_are_not_told() -> None:
    steps = [{"axis": "columns", "value": value, "fit": 1e-6 * value} for value in STEPS["columns"]]
    assert Costs(pd.DataFrame(), pd.DataFrame(steps)).exponents == {}


def test_every_step_is_timed_next_to_categorical_naive_bayes() -> None:
    found = scaling_of(LearnerSpec("nb", "nb"), seconds=math.inf)
    steps = found.groupby("axis")["value"].agg(tuple).to_dict()
    assert steps == STEPS
    seconds = found[["fit", "predict", "yardstick"]]
    assert (seconds > 0).all(axis=None)
    for name in ("fit", "ratio"):
        assert (found[f"{name}_low"] <= found[name]).all()
        assert (found[name] <= found[f"{name}_high"]).all()
    assert ((found["fit_low"] / found["yardstick"]) < found["ratio"]).all()


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
    found = scaling_of(spec, seconds=math.inf).groupby("axis")["value"].agg(tuple).to_dict()
    assert found == {"columns": (8, 16), "classes": STEPS["classes"]}


def test_costs_are_medians_with_ranges() -> None:
    assert ranged("fit", np.array([3.0, np.nan, 1.0, 2.0])) == {"fit": 2.0, "fit_low": 1.0, "fit_high": 3.0}
    assert np.isnan([*ranged("fit", np.array([np.nan])).values()]).all()


def test_the_yardstick_costs_as_much_as_itself() -> None:
    found = yardstick_on(SuitePart(2, 50))
    assert set(found.places) == set(COMPARED.values())
    table = costs_of(found, YARDSTICK, found).table
    assert table["n_train"].tolist() == [20, 50, 20, 50]
    assert table["ratio"].to_numpy() == pytest.approx(np.ones(4))
