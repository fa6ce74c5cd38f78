"""One fair fit for engine, invariances and profiles."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import BaggingClassifier
from sklearn.naive_bayes import GaussianNB

from learners import NaiveBayesClassifier
from workbench.estimators.fair_fit import FairFit, seeded

X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": pd.Categorical(list("xyxy"))})
Y = pd.Series(pd.Categorical(["no", "yes", "no", "yes"], categories=["maybe", "no", "yes"]))
CLASSES = ("maybe", "no", "yes")


class Spoiler(ClassifierMixin, BaseEstimator):
    """Change its rows, and return one row too few if asked."""

    def __init__(self, short=False):
        self.short = short

    def fit(self, X, y):
        X.iloc[:, 0] = 0.0
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        X.iloc[:, 0] = 0.0
        return np.full((len(X) - self.short, len(self.classes_)), 1 / len(self.classes_))


def test_columns_are_the_declared_classes():
    for learner in (NaiveBayesClassifier(), GaussianNB()):
        y_prob = FairFit(learner, CLASSES).fit(X, Y).forecast(X)
        assert y_prob.shape == (4, 3)
        np.testing.assert_allclose(y_prob.sum(axis=1), 1.0)


def test_anybodys_code_gets_copies_of_the_rows():
    given = X.copy()
    FairFit(Spoiler(), CLASSES, input="table").fit(given, Y).forecast(given)
    pd.testing.assert_frame_equal(given, X)


def test_forecasts_of_other_rows_than_asked_are_refused():
    fit = FairFit(Spoiler(short=True), CLASSES, input="table").fit(X, Y)
    with pytest.raises(ValueError, match="3 rows for 4"):
        fit.forecast(X)


def test_open_seeds_are_set_by_name_also_inside():
    learner = BaggingClassifier(BaggingClassifier(random_state=7))
    asked = []
    seeds = seeded(learner, lambda name: asked.append(name) or 3).get_params()
    assert asked == ["random_state"]
    assert (seeds["random_state"], seeds["estimator__random_state"]) == (3, 7)
    anew = seeded(learner, lambda name: 5, anew=True).get_params()
    assert (anew["random_state"], anew["estimator__random_state"]) == (5, 5)


def test_weights_reach_what_is_wrapped():
    rows, weight = X[["a"]], np.array([5.0, 1.0, 5.0, 1.0])
    for learner in (NaiveBayesClassifier, GaussianNB):
        weighted = FairFit(learner(), CLASSES).fit(rows, Y, weight).forecast(rows)
        plain = FairFit(learner(), CLASSES).fit(rows, Y).forecast(rows)
        assert weighted[:, 1].sum() > plain[:, 1].sum() + 0.1
