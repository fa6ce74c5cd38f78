"""Naive Bayes against scikit-learn's, where both apply."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from learners import NaiveBayesClassifier


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
