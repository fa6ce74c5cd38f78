"""Numeric truths by hand, and what is refused."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from generators import GaussianNaiveBayes, describe, from_json, random_gaussian_naive_bayes
from generators.facts import bayes_error

TWO = GaussianNaiveBayes([0.75, 0.25], [[0.0, 2.0], [1.0, -1.0]], [[1.0, 2.0], [0.5, 0.5]])


def test_the_posterior_is_bayes_rule_over_normal_densities():
    X = np.array([[0.5, 0.1], [3.0, -1.0], [-2.0, 1.5]])
    joint = np.array(
        [
            [
                TWO.prior[k]
                * np.prod(
                    [stats.norm.pdf(x, TWO.means[j, k], TWO.deviations[j, k]) for j, x in enumerate(row)]
                )
                for k in range(2)
            ]
            for row in X
        ]
    )
    np.testing.assert_allclose(TWO.posterior(X), joint / joint.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(np.exp(TWO.log_joint(X, [0, 1, 0])), joint[[0, 1, 2], [0, 1, 0]])
    np.testing.assert_allclose(np.exp(TWO.log_joint(X)), joint.sum(axis=1))


def test_what_is_missing_is_left_out():
    X = pd.DataFrame({"x1": [0.1, np.nan]})
    alone = GaussianNaiveBayes(TWO.prior, TWO.means[1:], TWO.deviations[1:], ("x1",))
    np.testing.assert_allclose(TWO.posterior(X), alone.posterior(X))
    np.testing.assert_allclose(TWO.posterior(X)[1], [0.75, 0.25])


def test_samples_have_the_means_and_deviations():
    X, y = TWO.sample(100_000, 1)
    assert (y == 0).mean() == pytest.approx(0.75, abs=0.005)
    for k in range(2):
        rows = X[(y == k).to_numpy()]
        np.testing.assert_allclose(rows.mean(), TWO.means[:, k], atol=0.04)
        np.testing.assert_allclose(rows.std(), TWO.deviations[:, k], rtol=0.02)
        assert stats.kstest((rows["x0"] - TWO.means[0, k]) / TWO.deviations[0, k], "norm").pvalue > 0.001


def test_the_error_of_one_attribute_by_hand():
    # the variances differ: x^2 (1/2 - 1/8) = ln 2 where equally probable
    truth = GaussianNaiveBayes([0.5, 0.5], [[0.0, 0.0]], [[1.0, 2.0]])
    edge = math.sqrt(math.log(2) / (1 / 2 - 1 / 8))
    inside = 2 * stats.norm.cdf(edge / 2) - 1
    outside = 2 * stats.norm.cdf(-edge)
    assert truth.exact_bayes_error() == pytest.approx((inside + outside) / 2, abs=1e-12)


@pytest.mark.slow
@settings(max_examples=15)
@given(seed=st.integers(0, 10_000), spread=st.sampled_from([0.0, 0.5, 1.0]))
def test_the_exact_error_is_that_of_an_integral(seed, spread):
    truth = random_gaussian_naive_bayes(n_attributes=1, n_classes=(1, 4), spread=spread, random_state=seed)
    grid = np.linspace(-150, 150, 400_001)
    joint = truth.prior * stats.norm.pdf(grid[:, np.newaxis], truth.means[0], truth.deviations[0])
    expected = 1 - joint.max(axis=1).sum() * (grid[1] - grid[0])
    assert truth.exact_bayes_error() == pytest.approx(expected, abs=2e-4)


def test_the_error_of_several_is_sampled_and_says_so():
    truth = random_gaussian_naive_bayes(n_attributes=2, n_classes=2, random_state=3)
    assert truth.exact_bayes_error() is None
    found = bayes_error(truth, n_rows=20_000)
    X, y = truth.sample(200_000, 99)
    wrong = (truth.posterior(X).argmax(axis=1) != y.cat.codes).mean()
    assert found.n_rows == 20_000
    assert abs(found.value - wrong) < 4 * math.hypot(
        found.standard_error, math.sqrt(wrong * (1 - wrong) / 200_000)
    )
    assert "sampled: 20,000 rows" in str(found)


def test_separation_makes_classes_easier():
    errors = [
        np.mean(
            [
                bayes_error(
                    random_gaussian_naive_bayes(n_classes=3, separation=s, class_imbalance=1, random_state=i),
                    n_rows=2000,
                ).value
                for i in range(10)
            ]
        )
        for s in (0.0, 0.5, 2.0)
    ]
    assert errors[0] > errors[1] > errors[2]
    level = random_gaussian_naive_bayes(
        separation=0, spread=0, n_classes=2, class_imbalance=3, random_state=1
    )
    assert describe(level, n_rows=100).bayes_error.value == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.5, 0.5], [[0.0, 1.0]], [[1.0]]), "means have the shape \\(1, 2\\) and deviations \\(1, 1\\)"),
        (([0.5, 0.5], [[0.0, math.nan]], [[1.0, 1.0]]), "means is .*expected finite numbers"),
        (([0.5, 0.5], [[0.0, 1.0]], [[1.0, 1.0]], ("a", "b")), "there are 2 names of 1 attributes"),
    ],
)
def test_what_is_no_truth_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        GaussianNaiveBayes(*arguments)


@pytest.mark.parametrize("name", ["separation", "spread"])
def test_a_negative_spread_is_refused(name):
    with pytest.raises(ValueError, match=f"{name} is -1: expected a finite number, 0 or more"):
        random_gaussian_naive_bayes(**{name: -1})


def test_rows_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="expected 2 columns \\(x0, x1"):
        TWO.posterior(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="does not contain numbers"):
        TWO.posterior(pd.DataFrame({"x0": ["a"]}))
    with pytest.raises(ValueError, match="X has 2 rows and y has 1"):
        TWO.log_joint(np.zeros((2, 2)), [0])


FIVE = {"n_attributes": 5, "n_classes": 3, "random_state": 4}


class TestMagnitudes:
    """Attributes with units of their own."""

    def test_none_is_the_default_with_the_same_numbers(self):
        rng, other = np.random.default_rng(3), np.random.default_rng(3)
        plain = random_gaussian_naive_bayes(random_state=rng)
        assert random_gaussian_naive_bayes(magnitudes=0, random_state=other).to_json() == plain.to_json()
        assert rng.random() == other.random()

    def test_units_are_evenly_spaced_powers_of_ten(self):
        plain, scaled = (random_gaussian_naive_bayes(**FIVE, magnitudes=m) for m in (0, 8))
        units = scaled.means / plain.means
        np.testing.assert_allclose(scaled.deviations / plain.deviations, units)
        np.testing.assert_allclose(np.sort(np.log10(units[:, 0])), [-4, -2, 0, 2, 4], atol=1e-12)
        np.testing.assert_allclose(units, units[:, :1] * np.ones(3))

    def test_which_attribute_has_which_unit_is_drawn(self):
        drawn = [
            random_gaussian_naive_bayes(n_attributes=2, n_classes=1, spread=0, magnitudes=2, random_state=s)
            for s in range(40)
        ]
        first = [truth.deviations[0, 0] for truth in drawn]
        assert set(np.round(first, 12)) == {0.1, 10.0}

    def test_posteriors_stay_the_same(self):
        plain, scaled = (random_gaussian_naive_bayes(**FIVE, magnitudes=m) for m in (0, 6))
        X, _ = plain.sample(50, 1)
        units = (scaled.deviations / plain.deviations)[:, 0]
        np.testing.assert_allclose(scaled.posterior(X * units), plain.posterior(X), atol=1e-12)

    def test_one_attribute_keeps_its_unit(self):
        one, plain = (
            random_gaussian_naive_bayes(n_attributes=1, magnitudes=m, random_state=2) for m in (9, 0)
        )
        np.testing.assert_array_equal(one.means, plain.means)

    def test_the_law_has_no_optimum_and_comes_back(self):
        truth = random_gaussian_naive_bayes(magnitudes=3, random_state=1)
        assert "units of their own" in truth.law.obstacle
        assert from_json(truth.to_json()).law == truth.law

    def test_the_most_magnitudes_stay_finite(self):
        truth = random_gaussian_naive_bayes(n_attributes=3, magnitudes=100, random_state=1)
        X, _ = truth.sample(100, 1)
        assert np.isfinite(truth.posterior(X)).all()
        assert describe(truth, n_rows=1000).information.value >= 0

    @pytest.mark.parametrize("wrong", [-1, 101, float("nan"), True])
    def test_others_are_refused(self, wrong):
        with pytest.raises(ValueError, match=r"magnitudes is .*"):
            random_gaussian_naive_bayes(magnitudes=wrong, random_state=1)
