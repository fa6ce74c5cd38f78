"""A missing value tells nothing, and is never replaced; a test row's class is never looked at.

What is asserted of our learners is denied of the same learners behind an imputer: as a category of its
own, by the mode, by the mean. A learner that began to impute would fail here.
"""

import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_validate
from sklearn.pipeline import make_pipeline

from learners import (
    AODEClassifier,
    CaMMLClassifier,
    MDLPDiscretizer,
    NaiveBayesClassifier,
    TANClassifier,
)

LEAVING_OUT = [  # forecasts in which the factor of a missing value is left out
    NaiveBayesClassifier(),
    NaiveBayesClassifier(smoothing="friedman"),
    NaiveBayesClassifier(numeric="gaussian"),
    NaiveBayesClassifier(numeric="kernel"),
    NaiveBayesClassifier(numeric="mdlp"),
    AODEClassifier(),
    AODEClassifier(smoothing="m_estimate"),
]
NETWORKS = [TANClassifier(), TANClassifier(smoothing="simple"), CaMMLClassifier()]
CUTTING = [NaiveBayesClassifier(numeric="mdlp"), AODEClassifier(), TANClassifier(), CaMMLClassifier()]


class Imputing:
    """A learner behind an imputer, which sees rows through it in training and at prediction."""

    def __init__(self, learner, how):
        self.learner, self.how = learner, how

    def fit(self, X, y):
        self.values = {}
        for name in X:
            column = X[name]
            if isinstance(column.dtype, pd.CategoricalDtype):
                self.values[name] = "missing" if self.how == "category" else column.mode().iloc[0]
            else:
                self.values[name] = -9.0 if self.how == "category" else column.mean()
        self.learner.fit(self.filled(X), y)
        return self

    def filled(self, X):
        full = X.copy()
        for name in X:
            if isinstance(X[name].dtype, pd.CategoricalDtype) and self.how == "category":
                full[name] = full[name].cat.add_categories("missing")
            full[name] = full[name].fillna(self.values[name])
        return full

    def predict_proba(self, X):
        return self.learner.predict_proba(self.filled(X))

    @property
    def class_prior_(self):
        return self.learner.class_prior_


def holed_table(seed=0, n=200):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    X = pd.DataFrame(
        {
            "a": pd.Categorical.from_codes((y + (rng.random(n) < 0.3)) % 2, categories=["u", "v"]),
            "b": pd.Categorical.from_codes(
                np.minimum(y + rng.integers(0, 2, n), 2), categories=["p", "q", "r"]
            ),
            "x": rng.normal(size=n) + 2 * y,
        }
    )
    # whether a value is missing hangs on the class, so that it would tell if it were looked at
    hole = rng.random(X.shape) < np.where(y, 0.1, 0.5)[:, None]
    return X.mask(hole), y


def check_that_a_missing_column_is_as_none_at_all(learner) -> None:
    X, y = holed_table()
    for name in X:
        hidden = X.assign(**{name: X[name].mask(X[name].notna())})
        with_column = learner.fit(X, y).predict_proba(hidden)
        without = learner.fit(X.drop(columns=name), y).predict_proba(X.drop(columns=name))
        np.testing.assert_allclose(with_column, without, atol=1e-12)


def check_that_empty_rows_teach_the_class_alone(learner) -> None:
    X, y = holed_table()
    empty = X.mask(X.notna())
    forecasts = []
    for table, classes in ((X, y), (pd.concat([X, empty]), np.append(y, np.zeros_like(y)))):
        learner.fit(table, classes)
        odds = learner.predict_proba(X) / learner.class_prior_
        forecasts.append(odds / odds.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(*forecasts, atol=1e-12)


@pytest.mark.parametrize("learner", LEAVING_OUT, ids=repr)
def test_a_column_missing_at_prediction_is_as_none_at_all(learner) -> None:
    check_that_a_missing_column_is_as_none_at_all(learner)


@pytest.mark.parametrize("learner", [c for c in LEAVING_OUT if isinstance(c, NaiveBayesClassifier)], ids=repr)
def test_empty_training_rows_teach_naive_bayes_the_class_alone(learner) -> None:
    check_that_empty_rows_teach_the_class_alone(learner)


def test_empty_training_rows_teach_a_tree_the_class_alone() -> None:
    check_that_empty_rows_teach_the_class_alone(TANClassifier())


def test_empty_training_rows_teach_aode_nothing() -> None:
    X, y = holed_table()
    X = X.drop(columns="x").dropna()
    y = y[X.index]
    more = pd.concat([X, X.mask(X.notna())])
    got = AODEClassifier().fit(more, np.append(y, np.zeros_like(y))).predict_proba(X)
    np.testing.assert_allclose(got, AODEClassifier().fit(X, y).predict_proba(X), atol=1e-12)


@pytest.mark.parametrize("learner", NETWORKS, ids=repr)
def test_a_network_sums_missing_values_out(learner) -> None:
    X, y = holed_table()
    X = X.drop(columns="x")
    learner.fit(X, y)
    values = [list(X[name].cat.categories) for name in X]
    for row in X.drop_duplicates().itertuples(index=False):
        open_values = [v if pd.isna(cell) else [cell] for cell, v in zip(row, values, strict=True)]
        full = pd.DataFrame(itertools.product(*open_values), columns=X.columns)
        full = full.apply(lambda column: pd.Categorical(column, categories=X[column.name].cat.categories))
        joint = np.exp([learner.network_.log_joint(full, np.full(len(full), c)) for c in (0, 1)]).sum(axis=1)
        case = pd.DataFrame([row], columns=X.columns).astype(X.dtypes)
        np.testing.assert_allclose(learner.predict_proba(case)[0], joint / joint.sum(), atol=1e-12)


@pytest.mark.parametrize("how", ["category", "mode or mean"])
@pytest.mark.parametrize("learner", [NaiveBayesClassifier(), AODEClassifier()], ids=repr)
def test_an_imputer_would_be_caught_at_prediction(learner, how) -> None:
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        check_that_a_missing_column_is_as_none_at_all(Imputing(learner, how))


@pytest.mark.parametrize("how", ["category", "mode or mean"])
@pytest.mark.parametrize("learner", [NaiveBayesClassifier(), TANClassifier()], ids=repr)
def test_an_imputer_would_be_caught_in_training(learner, how) -> None:
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        check_that_empty_rows_teach_the_class_alone(Imputing(learner, how))


def fitted_on_half(estimator, X, y, train, test):
    found = cross_validate(estimator, X, y, cv=[(train, test)], return_estimator=True, error_score="raise")
    return found["estimator"][0]


@pytest.mark.parametrize(
    "learner", [*CUTTING, make_pipeline(MDLPDiscretizer(), NaiveBayesClassifier())], ids=repr
)
def test_classes_of_test_rows_move_no_cut_and_no_forecast(learner) -> None:
    rng = np.random.default_rng(7)
    y = rng.integers(0, 3, 300)
    X = pd.DataFrame({name: rng.normal(size=300) + y for name in "ab"})
    train, test = np.arange(0, 300, 2), np.arange(1, 300, 2)
    shuffled = y.copy()
    shuffled[test] = rng.permutation(y[test])
    before, after = (fitted_on_half(learner, X, classes, train, test) for classes in (y, shuffled))
    np.testing.assert_array_equal(before.predict_proba(X), after.predict_proba(X))
    one, other = (all_cuts(fitted) for fitted in (before, after))
    assert one == other
    assert any(one)
    everywhere = y.copy()
    everywhere[train] = rng.permutation(y[train])
    assert all_cuts(fitted_on_half(learner, X, everywhere, train, test)) != one


def all_cuts(fitted) -> list[list[float]]:
    found = getattr(fitted, "cut_points_", None)
    if found is None:
        found = fitted[0].cut_points_
    return [cuts.tolist() for cuts in (found.values() if isinstance(found, dict) else found)]
