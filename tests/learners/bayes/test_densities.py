"""Numeric attributes of naive Bayes: against formulas written out, and at the edges."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from learners import NaiveBayesClassifier
from learners.bayes._kernels.densities import LONGEST_TABLE, bump_sums

MODES = ["weka", "gaussian", "kernel", "mdlp"]


def slow_kernel_forecast(train, y, test):
    """Weka's kernel estimator as a double sum, of one attribute and complete rows."""
    distinct = np.unique(train)
    q = np.diff(distinct).mean()
    rounded, asked = np.rint(train / q) * q, np.rint(test / q) * q
    joint = np.empty((len(test), y.max() + 1))
    for c in range(joint.shape[1]):
        points = rounded[y == c]
        deviation = max(np.ptp(points) / np.sqrt(len(points)), q / 6)
        away = -np.abs(asked[:, None] - points)  # the tail where nothing cancels
        mass = norm.cdf((away + q / 2) / deviation) - norm.cdf((away - q / 2) / deviation)
        joint[:, c] = (len(points) + 1) / (len(y) + joint.shape[1]) * np.maximum(mass.mean(axis=1), 1e-75)
    return joint / joint.sum(axis=1, keepdims=True)


class TestKernels:
    @given(st.integers(0, 10**6), st.integers(2, 60), st.sampled_from([0.01, 1.0, 300.0]))
    def test_agree_with_the_double_sum(self, seed, n, scale):
        rng = np.random.default_rng(seed)
        y = np.append([0, 1, 2], rng.integers(0, 3, n))
        x = (rng.standard_t(2, n + 3) + y).round(2) * scale
        asked = np.concatenate([x, rng.normal(0, 5 * scale, 20)])
        learner = NaiveBayesClassifier(numeric="kernel").fit(x[:, None], y)
        got = learner.predict_proba(asked[:, None])
        np.testing.assert_allclose(got, slow_kernel_forecast(x, y, asked), atol=1e-9)

    def test_of_two_humps_are_found_where_one_normal_fails(self):
        rng = np.random.default_rng(0)
        inner = rng.normal(0, 1, 500)
        outer = rng.normal(0, 1, 500) + 6 * rng.choice([-1, 1], 500)
        X, y = np.concatenate([inner, outer])[:, None], np.repeat([0, 1], 500)
        assert NaiveBayesClassifier(numeric="kernel").fit(X, y).score(X, y) > 0.98

    def test_past_the_table_of_heights_are_computed(self):
        step = 19.0 / (4 * LONGEST_TABLE)
        queries, points = np.array([0.0, 3.0 * LONGEST_TABLE]), np.array([0.0])
        got = bump_sums(queries, points, np.ones(1), step)
        want = norm.pdf(queries * step) * step
        np.testing.assert_allclose(got, want, rtol=1e-6)

    def test_have_no_means(self):
        learner = NaiveBayesClassifier(numeric="kernel").fit([[0.0], [1.0]], [0, 1])
        with pytest.raises(AttributeError, match=r'means_.*"kernel"'):
            learner.means_  # noqa: B018


class TestRounding:
    def test_takes_the_mean_gap_of_distinct_values_and_halves_to_even(self):
        X = np.array([[0.0], [1.0], [1.0], [4.0], [np.nan]])  # gaps 1 and 3
        learner = NaiveBayesClassifier().fit(X, [0, 0, 1, 1, 1])
        assert learner._densities.precisions.tolist() == [2.0]
        assert learner.means_.tolist() == [[0.0, 2.0]]  # 1 is half of 2 and goes to 0
        np.testing.assert_allclose(learner.variances_, [[(2 / 6) ** 2, 4.0]])

    @pytest.mark.parametrize(
        "asked",
        [
            np.tile(np.arange(-40.0, 60.0), 5),  # few points of the grid, many rows
            np.array([-300.0, 0.0, 1e4]),  # few rows, far apart
            np.array([7.0]),
            np.array([1e300, -1e300, 3.0]),
            2.0**53 * 7 + np.zeros(50),
            np.array([np.nan, 5.0, np.nan, 6.0, 6.0, 7.0]),
            np.array([np.nan, np.nan]),
        ],
        ids=["close", "apart", "one", "farthest", "far and close", "with holes", "holes"],
    )
    def test_gives_each_row_the_mass_of_its_own_interval(self, asked):
        train, y = np.array([0.0, 7.0, 14.0, 14.0, 35.0, 28.0]), np.array([0, 0, 0, 1, 1, 1])
        q = 35 / 4
        joint = np.full((len(asked), 2), 0.5)
        for c in (0, 1):
            rounded = np.rint(train[y == c] / q) * q
            deviation = max(rounded.std(), q / 6)
            away = np.rint(asked / q) * q - rounded.mean()
            mass = norm.cdf((away + q / 2) / deviation) - norm.cdf((away - q / 2) / deviation)
            joint[:, c] = np.where(np.isnan(asked), 0.5, np.maximum(mass, 1e-75))
        got = NaiveBayesClassifier().fit(train[:, None], y).predict_proba(asked[:, None])
        np.testing.assert_allclose(got, joint / joint.sum(axis=1, keepdims=True), rtol=1e-9)

    def test_a_class_that_never_shows_the_attribute_has_mean_0_and_a_sixth(self):
        learner = NaiveBayesClassifier().fit([[3.0], [6.0], [np.nan]], [0, 0, 1])
        np.testing.assert_allclose(learner.means_[:, 1], 0)
        np.testing.assert_allclose(learner.variances_[:, 1], 0.25)


@pytest.mark.parametrize("numeric", MODES)
class TestEveryMode:
    def test_answers_are_finite(self, numeric):
        for x in [
            [5.0] * 6,
            [0.1] * 6,
            [np.nan] * 6,
            [np.nan, np.nan, np.nan, 1.0, 2.0, 3.0],
            [1.0, np.nan, np.nan, np.nan, np.nan, np.nan],
            [0.0, 0.0, 0.0, 1.0, 1.0, 1.0],
            [1e-200, 2e-200, 3e-200, 4e-200, 5e-200, 6e-200],
            [1e12, 1e12 + 1, 1e12 + 2, 1e12 + 3, 1e12 + 4, 1e12 + 5],
        ]:
            X, y = np.array(x)[:, None], [0, 0, 0, 1, 1, 1]
            learner = NaiveBayesClassifier(numeric=numeric).fit(X, y)
            asked = np.array([[0.0], [x[0]], [np.nan], [1e300], [-1e300]])
            forecast = learner.predict_proba(asked)
            assert np.isfinite(forecast).all()
            assert (forecast > 0).all()
            np.testing.assert_allclose(forecast.sum(axis=1), 1)

    def test_one_row_a_class_is_no_error(self, numeric):
        learner = NaiveBayesClassifier(numeric=numeric).fit([[1.0], [2.0], [3.0]], ["a", "b", "c"])
        forecast = learner.predict_proba([[1.0], [2.0], [3.0]])
        if numeric != "mdlp":  # no cut pays
            assert forecast.argmax(axis=1).tolist() == [0, 1, 2]

    def test_a_constant_says_nothing_whatever_its_digits(self, numeric):
        X, y = np.full((4, 1), 0.1), [0, 1, 1, 1]
        for weight in (None, np.array([0.3, 0.1, 0.7, 0.2])):
            learner = NaiveBayesClassifier(numeric=numeric).fit(X, y, sample_weight=weight)
            np.testing.assert_allclose(learner.predict_proba(X), [learner.class_prior_] * 4, rtol=1e-12)

    def test_missing_numbers_are_left_out(self, numeric):
        rng = np.random.default_rng(0)
        y = rng.integers(0, 2, 200)
        X = pd.DataFrame({"a": rng.normal(size=200) + 2 * y, "b": rng.normal(size=200) - y})
        holed = X.assign(b=X.b.mask(rng.random(200) < 0.5))
        one, both = (NaiveBayesClassifier(numeric=numeric).fit(t, y) for t in (X[["a"]], holed))
        np.testing.assert_allclose(
            both.predict_proba(X.assign(b=np.nan)), one.predict_proba(X[["a"]]), atol=1e-14
        )
        known = holed.b.notna().to_numpy()
        other = NaiveBayesClassifier(numeric=numeric).fit(holed[known][["b"]], y[known])
        odds = both.predict_proba(X.assign(a=np.nan)) / both.class_prior_
        want = other.predict_proba(X[["b"]]) / other.class_prior_
        np.testing.assert_allclose(
            odds / odds.sum(axis=1, keepdims=True), want / want.sum(axis=1, keepdims=True), atol=1e-12
        )


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(ValueError, match=r'numeric.*"weka".*"gaussian".*"kernel".*"mdlp"'):
        NaiveBayesClassifier(numeric="normal").fit([[0.0]], [0])


def test_intervals_make_a_network() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    X = pd.DataFrame({"x": rng.normal(size=200) + 3 * y})
    learner = NaiveBayesClassifier(numeric="mdlp").fit(X, y)
    assert len(learner.cut_points_["x"])
    assert len(learner.network_.states[0]) == learner.arities_[0] == len(learner.cut_points_["x"]) + 1
    assert learner.means_.shape == (0, 2)
