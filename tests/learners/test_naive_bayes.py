"""Numbers beside names, and what is said of bad parameters."""

import numpy as np
import pandas as pd
import pytest

from learners import NaiveBayesClassifier


def test_a_constant_number_says_nothing() -> None:
    X = pd.DataFrame({"flat": [3.0] * 4})
    np.testing.assert_allclose(
        NaiveBayesClassifier().fit(X, [0, 0, 0, 1]).predict_proba(X), [[4 / 6, 2 / 6]] * 4
    )


def test_missing_numbers_are_left_out() -> None:
    X = pd.DataFrame({"x": [0.0, 1.0, np.nan, 10.0, 11.0, np.nan]})
    y = [0, 0, 0, 1, 1, 1]
    learner = NaiveBayesClassifier().fit(X, y)
    np.testing.assert_allclose(learner.means_, [[0.5, 10.5]])
    np.testing.assert_allclose(learner.predict_proba(X)[2], [0.5, 0.5])


def test_a_class_without_known_numbers_gets_the_moments_of_all_rows() -> None:
    X = pd.DataFrame({"x": [0.0, 2.0, np.nan]})
    learner = NaiveBayesClassifier().fit(X, ["a", "a", "b"])
    assert learner.means_.tolist() == [[1.0, 1.0]]
    np.testing.assert_allclose(learner.variances_, [[1.0, 1.0]], rtol=1e-8)


def test_distant_numbers_do_not_make_a_class_impossible() -> None:
    X = pd.DataFrame({"x": [0.0, 0.1, 5.0, 5.1]})
    forecast = NaiveBayesClassifier().fit(X, [0, 0, 1, 1]).predict_proba(pd.DataFrame({"x": [1e6]}))
    assert np.isfinite(forecast).all()
    assert (forecast > 0).all()


def test_alpha_must_be_positive() -> None:
    with pytest.raises(ValueError, match="alpha must be a number above 0, but was 0"):
        NaiveBayesClassifier(alpha=0).fit([[0.0]], [0])
