"""Metrics as scikit-learn's scorers: signs, classes, priors, and what they refuse."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from learners import PriorClassifier
from tests.marks import mostly_slow
from workbench.metrics import (
    METRICS,
    accuracy,
    as_sets,
    class_prior,
    frequency_complexity,
    ir_b,
    kl_divergence,
    log_loss,
    make_scorer,
    significance,
)

FOLDS = StratifiedKFold(4, shuffle=True, random_state=0)
SCORABLE = {name: metric for name, metric in METRICS.items() if not metric.needs & {"truth", "theory"}}


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def named(iris):
    X, y = iris
    return pd.DataFrame(X), pd.Series(np.array(["a", "b", "c"])[y])


def by_hand(estimator, X, y, score):
    for train, test in FOLDS.split(X, y):
        fitted = estimator.fit(X[train], y[train])
        yield score(y[train], y[test], fitted.predict_proba(X[test]))


@pytest.mark.parametrize("n_jobs", mostly_slow([None, 2], 1))
def test_scores_are_those_of_the_metric_fold_by_fold(iris, n_jobs):
    priors = {"ir_b_test": class_prior, "ir_b_training": class_prior}
    scoring = {
        "ir_b_test": make_scorer(ir_b, prior="test"),
        "ir_b_uniform": make_scorer(ir_b, prior="uniform"),
        "log_loss": make_scorer(log_loss),
        "accuracy": make_scorer(accuracy),
        "significance": make_scorer(significance),
    }
    found = cross_validate(GaussianNB(), *iris, cv=FOLDS, scoring=scoring, n_jobs=n_jobs, error_score="raise")
    expected = {
        "ir_b_test": lambda train, y, q: ir_b(y, q, prior=priors["ir_b_test"](y)),
        "ir_b_uniform": lambda train, y, q: ir_b(y, q, prior=[1 / 3] * 3),
        "log_loss": lambda train, y, q: -log_loss(y, q),
        "accuracy": lambda train, y, q: accuracy(y, q),
        "significance": lambda train, y, q: significance(y, as_sets(q.argmax(axis=1), classes=range(3))),
    }
    for name, score in expected.items():
        assert found[f"test_{name}"].tolist() == list(by_hand(GaussianNB(), *iris, score))
    builtin = cross_val_score(GaussianNB(), *iris, cv=FOLDS, scoring="neg_log_loss")
    np.testing.assert_allclose(found["test_log_loss"], builtin / np.log(2), rtol=1e-12)
    builtin = cross_val_score(GaussianNB(), *iris, cv=FOLDS, scoring="accuracy")
    np.testing.assert_array_equal(found["test_accuracy"], builtin)


@pytest.mark.parametrize("metric", SCORABLE.values(), ids=SCORABLE.keys())
def test_every_metric_is_a_scorer_where_larger_is_better(metric, iris):
    X, y = iris
    fitted = GaussianNB().fit(X[::2], y[::2])
    y_prob = fitted.predict_proba(X)
    if "sets" in metric.needs:
        value = metric(y, as_sets(fitted.predict(X), classes=range(3)))
    else:
        value = metric(y, y_prob, prior=class_prior(y))
    sign = {"higher": 1.0, "lower": -1.0}[metric.direction]
    assert make_scorer(metric, prior="test")(fitted, X, y) == sign * value


@pytest.mark.parametrize(
    "scorer", [make_scorer(ir_b, prior="uniform"), make_scorer(METRICS["quadratic_loss"])], ids=repr
)
def test_a_grid_search_takes_the_best(scorer, iris):
    smoothing = [1e-9, 0.01, 1.0, 100.0]
    search = GridSearchCV(
        GaussianNB(), {"var_smoothing": smoothing}, scoring=scorer, cv=FOLDS, error_score="raise"
    ).fit(*iris)
    means = [
        cross_val_score(GaussianNB(var_smoothing=s), *iris, scoring=scorer, cv=FOLDS).mean()
        for s in smoothing
    ]
    assert search.cv_results_["mean_test_score"].tolist() == means
    assert search.best_params_ == {"var_smoothing": smoothing[int(np.argmax(means))]}
    assert means[0] > means[-1]
    assert search.score(*iris) == scorer(search.best_estimator_, *iris)


class Turned(ClassifierMixin, BaseEstimator):
    """Has its classes in another order."""

    def fit(self, X, y):
        self.inner_ = GaussianNB().fit(X, y)
        self.classes_ = self.inner_.classes_[[2, 0, 1]]
        return self

    def predict_proba(self, X):
        return self.inner_.predict_proba(X)[:, [2, 0, 1]]


def test_columns_are_aligned_by_the_classes_of_the_estimator(named):
    X, y = named

    plain, turned = GaussianNB().fit(X, y), Turned().fit(X, y)
    assert turned.classes_.tolist() == ["c", "a", "b"]
    for scorer in (make_scorer(log_loss), make_scorer(ir_b, prior="test")):
        assert scorer(turned, X, y) == pytest.approx(scorer(plain, X, y), abs=1e-12)


def test_labels_that_training_lacked_have_probability_0(named):
    X, y = named
    fitted = GaussianNB().fit(X[y != "b"], y[y != "b"])
    assert make_scorer(log_loss)(fitted, X, y) == -np.inf
    known = y != "b"
    with_them = make_scorer(accuracy)(fitted, X, y)
    assert with_them == make_scorer(accuracy)(fitted, X[known], y[known]) * known.mean()
    prior = class_prior(y[:30], classes=["a", "b", "c"])
    scorer = make_scorer(ir_b, prior=prior, classes=["a", "b", "c"])
    q = np.insert(fitted.predict_proba(X[known]), 1, 0.0, axis=1)
    assert scorer(fitted, X[known], y[known]) == ir_b(y[known], q, prior=prior, classes=["a", "b", "c"])


def test_a_training_prior_is_given_as_an_array(iris):
    X, y = iris
    prior = class_prior(y[:120])
    scorer = make_scorer(ir_b, prior=prior)
    assert scorer(PriorClassifier().fit(X[:120], y[:120]), X, y) == 0.0
    fitted = GaussianNB().fit(X[:120], y[:120])
    assert scorer(fitted, X, y) == ir_b(y, fitted.predict_proba(X), prior=prior)


class Pairs(ClassifierMixin, BaseEstimator):
    """Names the two most probable classes."""

    def fit(self, X, y):
        self.inner_ = GaussianNB().fit(X, y)
        self.classes_ = self.inner_.classes_
        return self

    def predict_set(self, X):
        return self.inner_.predict_proba(X).argsort(axis=1).argsort(axis=1) >= 1


def test_a_metric_of_sets_asks_for_sets_and_else_for_the_prediction(named):
    X, y = named
    pairs, plain = Pairs().fit(X, y), LinearSVC().fit(X, y)
    scorer = make_scorer(frequency_complexity)
    classes = ["a", "b", "c"]
    assert scorer(pairs, X, y) == -frequency_complexity(y, pairs.predict_set(X), classes=classes)
    sets = as_sets(plain.predict(X), classes=classes)
    assert scorer(plain, X, y) == -frequency_complexity(y, sets, classes=classes)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"metric": ir_b}, "ir_b compares the forecast with a prior"),
        (
            {"metric": ir_b, "prior": "training"},
            "prior is 'training'",
        ),
        ({"metric": kl_divergence}, "kl_divergence compares with the truth"),
    ],
)
def test_what_no_scorer_can_be_made_of_is_reported(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        make_scorer(**arguments)


def test_what_an_estimator_cannot_do_is_reported(iris):
    X, y = iris
    with pytest.raises(ValueError, match=r"log_loss .*LinearSVC"):
        make_scorer(log_loss)(LinearSVC().fit(X, y), X, y)
    with pytest.raises(ValueError, match="GaussianNB has no classes_"):
        make_scorer(log_loss)(GaussianNB(), X, y)
    with pytest.raises(ValueError, match=r"prior has 2 entries, but there are 3 classes here, \[0, 1, 2\]"):
        make_scorer(ir_b, prior=[0.5, 0.5])(GaussianNB().fit(X, y), X, y)
    with pytest.raises(ValueError, match="class 2"):
        make_scorer(log_loss, classes=[0, 1])(GaussianNB().fit(X, y), X, y)
    with pytest.raises(ValueError, match="label 2 is not among the classes"):
        make_scorer(log_loss, classes=[0, 1])(LogisticRegression().fit(X[y < 2], y[y < 2]), X, y)
