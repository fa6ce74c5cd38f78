"""Numbers next to names, the defaults, and errors about bad parameters."""

import pickle

import numpy as np
import pandas as pd
import pytest

from learners import NaiveBayesClassifier
from workbench.base.identity import learner_identity


def test_a_constant_number_says_nothing() -> None:
    X = pd.DataFrame({"flat": [3.0] * 4})
    np.testing.assert_allclose(
        NaiveBayesClassifier().fit(X, [0, 0, 0, 1]).predict_proba(X), [[4 / 6, 2 / 6]] * 4
    )


def test_missing_numbers_are_left_out() -> None:
    X = pd.DataFrame({"x": [0.0, 1.0, np.nan, 10.0, 11.0, np.nan]})
    y = [0, 0, 0, 1, 1, 1]
    learner = NaiveBayesClassifier(numeric="gaussian").fit(X, y)
    np.testing.assert_allclose(learner.means_, [[0.5, 10.5]])
    np.testing.assert_allclose(learner.predict_proba(X)[2], [0.5, 0.5])


def test_with_gaussian_a_class_without_known_numbers_gets_the_moments_of_all_rows() -> None:
    X = pd.DataFrame({"x": [0.0, 2.0, np.nan]})
    learner = NaiveBayesClassifier(numeric="gaussian").fit(X, ["a", "a", "b"])
    assert learner.means_.tolist() == [[1.0, 1.0]]
    np.testing.assert_allclose(learner.variances_, [[1.0, 1.0]], rtol=1e-8)


def test_distant_numbers_do_not_make_a_class_impossible() -> None:
    for numeric in ["weka", "gaussian"]:
        X = pd.DataFrame({"x": [0.0, 0.1, 5.0, 5.1]})
        learner = NaiveBayesClassifier(numeric=numeric).fit(X, [0, 0, 1, 1])
        forecast = learner.predict_proba(pd.DataFrame({"x": [1e6]}))
        assert np.isfinite(forecast).all()
        assert (forecast > 0).all()


def test_numbers_are_taken_as_weka_takes_them_by_default() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)).round(1), rng.integers(0, 2, 60)
    plain, weka, gaussian = (
        NaiveBayesClassifier(**options).fit(X, y).predict_proba(X)
        for options in ({}, {"numeric": "weka"}, {"numeric": "gaussian"})
    )
    np.testing.assert_array_equal(plain, weka)
    assert np.abs(plain - gaussian).max() > 1e-3


def test_a_value_that_a_class_has_not_shown_sinks_it_by_default_but_moderately() -> None:
    """One attribute, the same in all rows of class 0 but for a new one, against three that speak for it."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 100)
    flat = np.where(y == 0, 3.0, rng.integers(0, 7, 200))
    X = np.column_stack([flat, *(rng.normal(size=200) + 6 * y for _ in range(3))])
    row = [[4.0, 0.0, 0.0, 0.0]]
    assert NaiveBayesClassifier(numeric="gaussian").fit(X, y).predict(row) == [1]
    assert NaiveBayesClassifier().fit(X, y).predict(row) == [0]


def test_the_identity_in_a_store_distinguishes_the_present_default_from_the_former() -> None:
    described = learner_identity(NaiveBayesClassifier())
    assert described["parameters"] == {}
    assert described["algorithm_version"] == 2


class TestBatchesOfRoundedNumbers:
    @pytest.mark.parametrize("weighted", [False, True])
    @pytest.mark.parametrize("n_batches", [2, 9])
    def test_join_the_moments_of_the_rounded_values_under_the_first_precision(
        self, weighted, n_batches
    ) -> None:
        rng = np.random.default_rng(n_batches)
        X, y = rng.normal(100, 30, size=(300, 2)).round(), rng.integers(0, 3, 300)
        X[rng.random(X.shape) < 0.2] = np.nan
        weight = rng.random(300) + 0.1 if weighted else np.ones(300)
        learner = NaiveBayesClassifier()
        for rows in np.array_split(np.arange(300), n_batches):
            learner.partial_fit(X[rows], y[rows], [0, 1, 2], weight[rows])
        first = X[: len(np.array_split(np.arange(300), n_batches)[0])]
        for j in range(2):
            distinct = np.unique(first[:, j][~np.isnan(first[:, j])])
            q = (distinct[-1] - distinct[0]) / (len(distinct) - 1)
            assert learner._densities.precisions[j] == pytest.approx(q, rel=1e-12)
            for c in range(3):
                rows = (y == c) & ~np.isnan(X[:, j])
                rounded = np.rint(X[rows, j] / q) * q
                mean = np.average(rounded, weights=weight[rows])
                variance = np.average((rounded - mean) ** 2, weights=weight[rows])
                assert learner.means_[j, c] == pytest.approx(mean, rel=1e-10)
                assert learner.variances_[j, c] == pytest.approx(variance, rel=1e-10)

    def test_begin_with_a_hundredth_where_the_first_shows_one_value(self) -> None:
        learner = NaiveBayesClassifier().partial_fit([[2.0], [2.0]], [0, 1], classes=[0, 1])
        np.testing.assert_allclose(learner.predict_proba([[2.0], [9.0]]), 0.5)
        learner.partial_fit([[1.0], [4.0]], [0, 1])
        assert learner._densities.precisions.tolist() == [0.01]
        assert learner.predict([[1.1], [3.9]]).tolist() == [0, 1]

    def test_go_on_after_a_pickle(self) -> None:
        rng = np.random.default_rng(4)
        X, y = rng.normal(size=(80, 2)).round(1), rng.integers(0, 2, 80)
        learner = NaiveBayesClassifier().fit(X[:40], y[:40])
        copied = pickle.loads(pickle.dumps(learner))
        want = learner.partial_fit(X[40:], y[40:]).predict_proba(X)
        np.testing.assert_array_equal(copied.partial_fit(X[40:], y[40:]).predict_proba(X), want)


def test_a_whole_weight_of_a_number_equals_repeating_the_row() -> None:
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(50, 3)).round(1), rng.integers(0, 2, 50)
    weight = rng.integers(0, 4, 50)
    weighted = NaiveBayesClassifier().fit(X, y, sample_weight=weight)
    repeated = NaiveBayesClassifier().fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), rtol=1e-10)


def test_alpha_must_be_positive() -> None:
    with pytest.raises(ValueError, match=r"alpha.*0.*0"):
        NaiveBayesClassifier(alpha=0).fit([[0.0]], [0])
