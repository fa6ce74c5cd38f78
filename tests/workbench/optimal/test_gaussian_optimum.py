"""The optimum on Gaussian naive Bayes truths: against grids, by hand at its limits, and row by row."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats
from scipy.special import logsumexp

from generators import random_gaussian_naive_bayes
from learners.bayes._kernels.rooted_trees import posterior_of_joints
from workbench.optimal._kernels import normal_cells
from workbench.optimal.gaussian_naive_bayes import GaussianNaiveBayesOptimum


def posterior_by(optimum, values):
    return posterior_of_joints(optimum.log_joint(values))


FAR = [0.0, 1.0, -2.5, 6.0, 30.0]


def on_grid(numbers, separation, spread):
    """Log density of numbers, by the trapezoid rule in the mean and the log deviation."""
    low, high = -12 * spread, 12 * spread + np.log1p(np.abs(numbers).max(initial=0.0))
    t = np.linspace(low, high, 601)[:, np.newaxis]
    precision = separation**-2 + numbers.size * np.exp(-2 * t)
    units = np.linspace(-9, 9, 31)
    # the mean's own posterior only places the grid
    mean = numbers.sum() * np.exp(-2 * t) / precision + units / np.sqrt(precision)
    heights = stats.norm.logpdf(t, 0, spread) + stats.norm.logpdf(mean, 0, separation)
    for number in numbers:
        heights = heights + stats.norm.logpdf(number, mean, np.exp(t))
    cells = np.log((t[1] - t[0]) * (units[1] - units[0])) - 0.5 * np.log(precision)
    return logsumexp(heights + cells)


def one_cell(numbers, **law):
    return GaussianNaiveBayesOptimum.of([numbers], np.zeros(len(numbers), int), 1, **law)


@pytest.mark.parametrize("separation", [0.3, 3.0])
@pytest.mark.parametrize("spread", [0.25, 1.0])
@pytest.mark.parametrize("n", [0, 1, 7])
def test_evidence_and_forecasts_are_those_of_a_grid(separation, spread, n):
    numbers = np.random.default_rng(n).normal(1.0, 2.0, n)
    optimum = one_cell(numbers, separation=separation, spread=spread)
    evidence = on_grid(numbers, separation, spread)
    assert optimum.log_evidence == pytest.approx(evidence, rel=1e-11, abs=1e-11)
    forecasts = [on_grid(np.append(numbers, x), separation, spread) - evidence for x in FAR]
    np.testing.assert_allclose(optimum.log_joint([FAR])[:, 0], forecasts, rtol=0, atol=1e-10)


def test_one_number_agrees_with_adaptive_quadrature_in_two_dimensions():
    def normal(x, mean, deviation):
        return math.exp(-(((x - mean) / deviation) ** 2) / 2) / deviation / math.sqrt(2 * math.pi)

    def density(t, mean):
        return normal(0.7, mean, math.exp(t)) * normal(mean, 0, 1.5) * normal(t, 0, 0.5)

    expected, _ = integrate.dblquad(density, -13, 13, -4.5, 4.5, epsabs=1e-10, epsrel=1e-10)
    optimum = one_cell([0.7], separation=1.5, spread=0.5)
    assert math.exp(optimum.log_evidence) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("center", [8.0, 10.5, 14.0])
def test_two_modes_are_both_found(center):
    # a small deviation and a mean far from 0, or a large deviation
    numbers = center + 0.1 * np.random.default_rng(0).normal(size=10)
    optimum = one_cell(numbers, separation=1.0, spread=1.0)
    t, step = np.linspace(-8, 8, 20_001, retstep=True)
    v, n, m = np.exp(2 * t), 10, numbers.mean()
    heights = stats.norm.logpdf(t) - n * t - ((numbers - m) ** 2).sum() / v / 2
    heights += 0.5 * np.log(v / (v + n)) - n * m**2 / (v + n) / 2
    modes = [k for k in range(1, t.size - 1) if heights[k - 1] < heights[k] > heights[k + 1]]
    assert len(modes) == 2
    expected = logsumexp(heights) + math.log(step) - n / 2 * math.log(2 * math.pi)
    assert optimum.log_evidence == pytest.approx(expected, rel=1e-11)


def test_deviations_of_one_are_the_conjugate_normal_by_hand():
    numbers = np.array([0.5, 2.0, -1.0])
    optimum = one_cell(numbers, separation=2.0, spread=0.0)
    expected = stats.multivariate_normal.logpdf(numbers, np.zeros(3), np.eye(3) + 4.0)
    assert optimum.log_evidence == pytest.approx(expected, rel=1e-12)
    variance = 1 / (1 / 4 + 3)
    forecast = stats.norm.logpdf(FAR, variance * 1.5, math.sqrt(1 + variance))
    np.testing.assert_allclose(optimum.log_joint([FAR])[:, 0], forecast, rtol=1e-12)


def test_means_and_deviations_that_are_known_leave_the_class():
    optimum = GaussianNaiveBayesOptimum.of([[3.0, -1.0, 2.0]], [0, 0, 1], 3, separation=0, spread=0)
    np.testing.assert_allclose(posterior_by(optimum, [[0.0, 50.0]]), [[3 / 6, 2 / 6, 1 / 6]] * 2)
    # classes 0, 0, 1 in this order: 1/3 * 2/4 * 1/5
    expected = stats.norm.logpdf([3.0, -1.0, 2.0]).sum() - math.log(30)
    assert optimum.log_evidence == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("spread", [0.25, 1.0])
def test_means_of_zero_are_the_limit_of_small_separation(spread):
    numbers = np.array([0.5, 2.0, -1.0])
    none, small = (one_cell(numbers, separation=s, spread=spread) for s in (0.0, 1e-8))
    assert none.log_evidence == pytest.approx(small.log_evidence, rel=1e-11)
    np.testing.assert_allclose(none.log_joint([FAR]), small.log_joint([FAR]), rtol=1e-10)
    assert none.log_evidence == pytest.approx(on_grid(numbers, 1e-5, spread), rel=1e-9)


LAWS = [(1.0, 0.25), (3.0, 1.0), (0.0, 0.25), (1.0, 0.0), (0.0, 0.0)]


@pytest.mark.parametrize(("separation", "spread"), LAWS)
def test_each_row_adds_its_log_joint_to_the_evidence(separation, spread):
    rng = np.random.default_rng(5)
    values, y = rng.normal(0, 3, (2, 12)), rng.integers(0, 3, 12)
    values[0, 3] = values[1, 5] = np.nan
    # a known deviation makes the evidence of a far value so low that differences lose their digits
    far = 1e6 if spread else 100.0
    values[0, 7:10] = 25.0, -far, far
    law = {"separation": separation, "spread": spread, "class_alpha": 0.5}
    fits = [GaussianNaiveBayesOptimum.of(values[:, :n], y[:n], 3, **law) for n in range(13)]
    assert fits[0].log_evidence == pytest.approx(0, abs=1e-12)
    for n, (before, after) in enumerate(pairwise(fits)):
        joint = before.log_joint(values[:, n : n + 1])[0, y[n]]
        assert after.log_evidence - before.log_evidence == pytest.approx(joint, rel=1e-9, abs=1e-9)


def test_nodes_and_integrals_of_their_own_agree():
    optimum = one_cell([0.2, -0.5, 0.9, 1.1], separation=1.0, spread=0.25)
    x = np.linspace(-12, 12, 201)
    cell = optimum.statistics[0, 0]
    near = [normal_cells._mixture_density(d, optimum.nodes) > 0 for d in x - cell[1] - cell[2]]
    assert 0 < sum(near) < len(x)
    own = [normal_cells._log_mass_with(d, cell, 1.0, 0.25) for d in x - cell[1] - cell[2]]
    forecasts = optimum.log_joint([x])[:, 0]
    np.testing.assert_allclose(forecasts, np.array(own) - optimum.log_evidence, rtol=0, atol=1e-11)


@pytest.mark.parametrize("n", [1, 50])
def test_a_constant_column_has_a_proper_forecast(n):
    optimum = one_cell(np.full(n, 0.1), separation=1.0, spread=0.25)
    assert math.isfinite(optimum.log_evidence)
    same, other = optimum.log_joint([[0.1, 0.2]])[:, 0]
    assert same > other > -math.inf
    more = one_cell(np.full(n + 1, 0.1), separation=1.0, spread=0.25)
    assert more.log_evidence - optimum.log_evidence == pytest.approx(same, rel=1e-9)


def test_equal_numbers_of_zero_mean_are_proper_too():
    optimum = one_cell(np.zeros(4), separation=0.0, spread=0.25)
    # the expectation of exp(-4 t) is exp(16 spread^2 / 2)
    assert optimum.log_evidence == pytest.approx(0.5 - 2 * math.log(2 * math.pi), rel=1e-12)


def test_a_class_without_rows_has_the_law_alone():
    optimum = GaussianNaiveBayesOptimum.of([[4.0, 4.1]], [1, 1], 2, separation=1.0, spread=0.25)
    nothing = one_cell([], separation=1.0, spread=0.25)
    joint = optimum.log_joint([FAR])[:, 0]
    np.testing.assert_allclose(joint, nothing.log_joint([FAR])[:, 0] + math.log(1 / 4), rtol=1e-12)


def test_a_given_class_distribution_is_not_learned():
    law = {"separation": 1.0, "spread": 0.25}
    known = GaussianNaiveBayesOptimum.of([[0.0] * 3], [0, 0, 1], 2, class_marginal=[0.2, 0.8], **law)
    drawn = GaussianNaiveBayesOptimum.of([[0.0] * 3], [0, 0, 1], 2, **law)
    np.testing.assert_allclose(posterior_by(known, [[math.nan]]), [[0.2, 0.8]])
    np.testing.assert_allclose(posterior_by(drawn, [[math.nan]]), [[0.6, 0.4]])
    difference = math.log(0.2**2 * 0.8) - math.log(1 / 2 * 2 / 3 * 1 / 4)
    assert known.log_evidence - drawn.log_evidence == pytest.approx(difference, rel=1e-12)


def test_far_values_are_forecast_by_the_class_that_explains_them():
    values, y = [[-1.0, -1.2, 1.0, 30.0]], [0, 0, 1, 1]
    optimum = GaussianNaiveBayesOptimum.of(values, y, 2, separation=1.0, spread=0.25)
    p = posterior_by(optimum, [[1e6, -1e6, 1e100]])
    assert np.isfinite(p).all()
    assert (p[:, 1] > 0.99).all()


@given(st.integers(0, 2**32 - 1), st.integers(0, 12), st.sampled_from(LAWS), st.floats(-1e3, 1e3))
def test_forecasts_sum_to_one_and_rows_have_no_order(seed, n, law, x):
    rng = np.random.default_rng(seed)
    values, y, order = rng.normal(0, 20, (2, n)), rng.integers(0, 3, n), rng.permutation(n)
    values[rng.random(values.shape) < 0.2] = np.nan
    laws = {"separation": law[0], "spread": law[1]}
    optimum = GaussianNaiveBayesOptimum.of(values, y, 3, **laws)
    permuted = GaussianNaiveBayesOptimum.of(values[:, order], y[order], 3, **laws)
    row = [[x], [-x]]
    np.testing.assert_allclose(posterior_by(optimum, row).sum(axis=1), 1, rtol=1e-12)
    np.testing.assert_allclose(permuted.log_joint(row), optimum.log_joint(row), rtol=1e-10)
    assert permuted.log_evidence == pytest.approx(optimum.log_evidence, rel=1e-10, abs=1e-10)


def test_a_weight_counts_rows():
    rng = np.random.default_rng(2)
    values, y, weight = rng.normal(size=(2, 6)), rng.integers(0, 2, 6), np.array([0, 1, 2, 3, 1, 0])
    law = {"separation": 1.0, "spread": 0.25}
    weighted = GaussianNaiveBayesOptimum.of(values, y, 2, weight=weight, **law)
    repeated = GaussianNaiveBayesOptimum.of(values.repeat(weight, axis=1), y.repeat(weight), 2, **law)
    assert weighted.log_evidence == pytest.approx(repeated.log_evidence, rel=1e-12)
    np.testing.assert_allclose(weighted.log_joint(values), repeated.log_joint(values), rtol=1e-11)


def test_it_follows_the_truth_as_rows_grow():
    known = {"class_marginal": [0.4, 0.3, 0.3]}
    truth = random_gaussian_naive_bayes(n_attributes=3, n_classes=3, random_state=4, **known)
    X, y = truth.sample(10_000, 1)
    law = {"separation": 1.0, "spread": 0.25, **known}
    optimum = GaussianNaiveBayesOptimum.of(X.to_numpy().T, y.cat.codes, 3, **law)
    new = truth.sample(200, 2)[0].to_numpy()
    assert np.abs(posterior_by(optimum, new.T) - truth.posterior(new)).mean() < 0.01


@pytest.mark.slow
def test_over_truths_of_its_law_it_beats_the_optimum_of_another():
    law = {"separation": 1.0, "spread": 0.25}
    gains = []
    for seed in range(200):
        truth = random_gaussian_naive_bayes(n_attributes=3, n_classes=2, random_state=seed)
        X, y = truth.sample(30, 1000 + seed)
        values, codes = X.to_numpy().T, y.cat.codes.to_numpy()
        new = truth.sample(500, 2000 + seed)[0].to_numpy()
        p_true = truth.posterior(new)
        optimum = GaussianNaiveBayesOptimum.of(values, codes, 2, **law)
        wrong = GaussianNaiveBayesOptimum.of(values, codes, 2, separation=5.0, spread=1.0)
        logs = [np.log(np.maximum(posterior_by(o, new.T), 1e-300)) for o in (optimum, wrong)]
        gains.append((p_true * (logs[0] - logs[1])).sum(axis=1).mean())
    assert np.mean(gains) > 3 * np.std(gains) / math.sqrt(len(gains))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"values": [[1.0, math.inf]]}, "values has inf: give finite numbers up to 1e"),
        ({"values": [1.0, 2.0]}, r"values has the shape \(2,\)"),
        ({"y": [0]}, r"y has the shape \(1,\) and there are 2 rows"),
        ({"y": [0, 2]}, "y has other values than 0 .. 1"),
        ({"separation": -1.0}, "separation must be a number of at least 0"),
        ({"spread": 11.0}, "spread 11: give at most"),
        ({"weight": [1.0, -1.0]}, "weight is not 2 finite numbers of at least 0"),
    ],
)
def test_what_cannot_be_is_refused(change, message):
    given = {"values": [[1.0, 2.0]], "y": [0, 1], "n_classes": 2, "separation": 1.0, "spread": 0.25} | change
    rows = [given.pop(name) for name in ("values", "y", "n_classes")]
    with pytest.raises(ValueError, match=message):
        GaussianNaiveBayesOptimum.of(*rows, **given)


def test_forecasts_need_the_attributes_of_the_rows():
    optimum = one_cell([0.0], separation=1.0, spread=0.25)
    with pytest.raises(ValueError, match="values has 2 attributes and the posterior 1"):
        optimum.log_joint([[0.0], [1.0]])
    with pytest.raises(ValueError, match="values has inf"):
        optimum.log_joint([[math.inf]])
