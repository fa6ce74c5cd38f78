"""Naive Bayes against scikit-learn's, where both apply."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from learners import MEstimateNaiveBayesClassifier, NaiveBayesClassifier


@pytest.mark.parametrize("alpha", [0.5, 1.0])
def test_nominal_attributes_equal_categorical_nb(alpha) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 4, (300, 6)), rng.integers(0, 3, 300)
    ours = NaiveBayesClassifier(alpha=alpha, arities=[4] * 6).fit(X, y)
    peer = CategoricalNB(alpha=alpha, min_categories=4, class_prior=ours.class_prior_).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_numeric_attributes_equal_gaussian_nb(weighted) -> None:
    X, y = load_iris(return_X_y=True)
    weight = np.random.default_rng(1).random(len(y)) if weighted else None
    ours = NaiveBayesClassifier(numeric="gaussian").fit(X, y, sample_weight=weight)
    peer = GaussianNB(priors=ours.class_prior_, var_smoothing=1e-12).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-7)


@pytest.mark.parametrize("arities", [(4, 4, 4), (2, 3, 5)])
def test_m_estimates_equal_categorical_nb_with_a_pseudo_count_for_each_column(arities) -> None:
    rng = np.random.default_rng(0)
    X, y = np.column_stack([rng.integers(0, k, 300) for k in arities]), rng.integers(0, 3, 300)
    ours = MEstimateNaiveBayesClassifier(arities=arities).fit(X, y)
    columns = [CategoricalNB(alpha=len(y) / k).fit(X[:, [j]], y) for j, k in enumerate(arities)]
    logs = columns[0].class_log_prior_ + sum(
        one.feature_log_prob_[0][:, X[:, j]].T for j, one in enumerate(columns)
    )
    joint = np.exp(logs)
    np.testing.assert_allclose(ours.predict_proba(X), joint / joint.sum(axis=1, keepdims=True), atol=1e-12)
    if len(set(arities)) == 1:
        peer = CategoricalNB(alpha=len(y) / arities[0]).fit(X, y)
        np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-12)
