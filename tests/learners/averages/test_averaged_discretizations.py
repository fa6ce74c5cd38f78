"""Averages over discretizations: the mean of their parts, and what they refuse."""

import numpy as np
import pandas as pd
import pytest

from learners import (
    AODEClassifier,
    AveragedDiscretizationsClassifier,
    C45Classifier,
    KDBClassifier,
    NaiveBayesClassifier,
    TANClassifier,
)


def mixed(n=200, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    height = np.where(rng.random(n) < 0.1, np.nan, y + rng.normal(0, 0.7, n))
    width = rng.normal(0, 1 + y, n)
    kind = pd.Categorical(np.array(["a", "b", "c"])[(y + rng.integers(0, 2, n)) % 3])
    return pd.DataFrame({"height": height, "kind": kind, "width": width}), pd.Series(np.where(y, "yes", "no"))


INSIDE = [AODEClassifier(), TANClassifier(), KDBClassifier(k=2), NaiveBayesClassifier(numeric="mdlp")]


@pytest.mark.parametrize("inside", INSIDE, ids=lambda inside: type(inside).__name__)
def test_with_the_cuts_of_mdlp_it_is_the_learner_itself(inside):
    X, y = mixed()
    average = AveragedDiscretizationsClassifier(inside, discretization="mdlp").fit(X, y)
    np.testing.assert_array_equal(average.predict_proba(X), inside.fit(X, y).predict_proba(X))


@pytest.mark.parametrize("inside", INSIDE, ids=lambda inside: type(inside).__name__)
def test_it_is_the_mean_of_learners_on_columns_cut_beforehand(inside):
    X, y = mixed()
    average = AveragedDiscretizationsClassifier(inside, n_discretizations=3).fit(X, y)
    cut = []
    for member in average.estimators_:
        codes = X.copy()
        for name, cuts in member.cut_points_.items():
            bins = pd.cut(X[name], [-np.inf, *cuts, np.inf], labels=False)
            codes[name] = pd.Categorical(bins, categories=range(len(cuts) + 1))
        cut.append(inside.fit(codes, y).predict_proba(codes))
    assert len({len(member.cut_points_["height"]) for member in average.estimators_}) > 1
    np.testing.assert_allclose(average.predict_proba(X), np.mean(cut, axis=0), atol=1e-12)


def test_a_number_of_intervals_is_that_of_even_quantiles():
    X, y = mixed()
    member = AveragedDiscretizationsClassifier(discretization=4).fit(X, y).estimators_[0]
    want = X["width"].quantile([0.25, 0.5, 0.75])
    np.testing.assert_allclose(member.cut_points_["width"], want, atol=0.05)


def test_the_average_loses_less_than_its_parts():
    X, y = mixed(1200)
    average = AveragedDiscretizationsClassifier().fit(X[:300], y[:300])
    labels = (y == "yes").to_numpy().astype(int)[300:]

    def loss(learner):
        return -np.log2(learner.predict_proba(X[300:])[np.arange(900), labels]).mean()

    assert loss(average) < np.mean([loss(member) for member in average.estimators_]) - 0.002


def test_without_numbers_there_is_one_fit():
    X, y = mixed()
    average = AveragedDiscretizationsClassifier().fit(X[["kind"]], y)
    assert len(average.estimators_) == 1


def test_wrong_options_are_refused_in_a_sentence():
    for options, said in [
        ({"estimator": C45Classifier()}, "estimator"),
        ({"estimator": "aode"}, r"estimator.*'aode'"),
        ({"n_discretizations": 0}, r"n_discretizations.*1.*0"),
        ({"discretization": "even"}, r"discretization.*'even'"),
        ({"discretization": 0}, r"discretization.*0"),
    ]:
        with pytest.raises((TypeError, ValueError), match=said):
            AveragedDiscretizationsClassifier(**options).fit(*mixed(30))
