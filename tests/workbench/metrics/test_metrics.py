"""The metrics against values worked out by hand, and at the edges of probability."""

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.counts.class_prior import class_prior as prior_of_counts
from workbench.metrics import (
    ExpectedValue,
    accuracy,
    d2_brier,
    d2_log_loss,
    expected_value,
    ir_b,
    kl_divergence,
    log_loss,
    quadratic_loss,
)
from workbench.metrics._shared.base import Expectation, expectation


def slow_ir_b(t, q, pi):
    """Equation (10) as it is printed, with 1 - q as the sum of the others."""
    k = len(q)
    bets = [math.log2(q[t] / pi[t])]
    for i in range(k):
        if i != t:
            bets.append(math.log2(math.fsum(np.delete(q, i)) / math.fsum(np.delete(pi, i))))
    return sum(bets) / k


def forecasts(n_classes, n_samples=20, seed=0):
    return np.random.default_rng(seed).dirichlet(np.ones(n_classes), size=n_samples)


class TestAccuracy:
    def test_counts_the_modal_class(self):
        assert accuracy([0, 1, 2], [[0.5, 0.3, 0.2], [0.5, 0.3, 0.2], [0.1, 0.2, 0.7]]) == 2 / 3

    def test_gives_a_tie_to_the_first_class(self):
        assert accuracy.per_sample([0, 1], [[0.5, 0.5], [0.5, 0.5]]).tolist() == [1.0, 0.0]


class TestLogLoss:
    def test_is_in_bits(self):
        assert log_loss([0, 1, 0], [[0.5, 0.5], [0.75, 0.25], [1.0, 0.0]]) == 1.0

    def test_is_infinite_where_the_true_class_had_probability_zero(self):
        assert log_loss.per_sample([0, 1], [[0.0, 1.0], [0.0, 1.0]]).tolist() == [math.inf, 0.0]

    def test_of_a_certain_hit_is_plus_zero(self):
        assert math.copysign(1.0, log_loss([1], [[0.0, 1.0]])) == 1.0


class TestExpectedValue:
    def test_is_accuracy_by_default(self):
        q, y = forecasts(3, 50), np.arange(50) % 3
        np.testing.assert_array_equal(expected_value.per_sample(y, q), accuracy.per_sample(y, q))

    def test_pays_hits_and_charges_misses(self):
        # equation (2) of 2001: (reward s + penalty (n - s)) / n
        q = [[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]]
        metric = ExpectedValue(reward=2.0, penalty=-5.0, name="costly")
        assert metric([0, 1, 1], q) == (2.0 * 2 - 5.0) / 3
        assert metric.bounds == (-5.0, 2.0)

    @pytest.mark.parametrize("reward, penalty", [(0.0, 1.0), (1.0, 1.0)])
    def test_wants_hits_to_be_worth_more_than_misses(self, reward, penalty):
        with pytest.raises(ValueError, match="penalty"):
            ExpectedValue(reward=reward, penalty=penalty)


class TestQuadraticLoss:
    @pytest.mark.parametrize("n_classes", [2, 10])
    def test_is_the_printed_identity(self, n_classes):
        # Witten and Frank, p. 158: sum (p_j - a_j)^2 = 1 - 2 p_i + sum p_j^2
        q, y = forecasts(n_classes, 50), np.arange(50) % n_classes
        squares = ((q - np.eye(n_classes)[y]) ** 2).sum(axis=1)
        identity = 1 - 2 * q[np.arange(50), y] + (q**2).sum(axis=1)
        losses = quadratic_loss.per_sample(y, q)
        np.testing.assert_allclose(losses, squares, rtol=1e-13)
        np.testing.assert_allclose(losses, identity, rtol=0, atol=1e-14)

    def test_keeps_its_digits_at_an_almost_sure_hit(self):
        assert quadratic_loss([0], [[1.0, 1e-20]]) == pytest.approx(2e-40, rel=1e-14)


class TestD2:
    def test_of_quadratic_loss_by_hand(self):
        # losses of the forecast 0.125 and 0.5; of the prior 2 * 0.75 ** 2 and 2 * 0.25 ** 2
        score = d2_brier([0, 1], [[0.75, 0.25], [0.5, 0.5]], prior=[0.25, 0.75])
        assert score == pytest.approx(1 - (0.125 + 0.5) / (1.125 + 0.125), rel=1e-14)

    def test_of_log_loss_by_hand(self):
        score = d2_log_loss([0, 0], [[0.5, 0.5], [1.0, 0.0]], prior=[0.25, 0.75])
        assert score == pytest.approx(1 - 1 / 4, rel=1e-14)

    def test_is_minus_infinity_where_a_class_of_probability_zero_happens(self):
        assert d2_log_loss([1], [[1.0, 0.0]], prior=[0.5, 0.5]) == -math.inf
        assert d2_log_loss.expected([[0.5, 0.5]], [[1.0, 0.0]], prior=[0.5, 0.5]) == -math.inf

    def test_against_a_prior_that_leaves_nothing_to_save(self):
        # the entry of class 0 is stored as 1
        prior = [1.0, 1e-20]
        assert math.isnan(d2_log_loss([0], [[1.0, 0.0]], prior=prior))
        assert d2_log_loss([0], [[0.5, 0.5]], prior=prior) == -math.inf


class TestInformationReward:
    def test_of_three_classes_by_hand(self):
        # (log2(.5/.25) + log2(.75/.75) + log2(.75/.5)) / 3
        value = ir_b([0], [[0.5, 0.25, 0.25]], prior=[0.25, 0.25, 0.5])
        assert value == pytest.approx((1 + math.log2(1.5)) / 3, abs=1e-15)

    def test_of_two_classes_is_the_log_ratio_of_the_true_class(self):
        q = forecasts(2)
        pi = np.array([0.9, 0.1])
        y = np.arange(20) % 2
        expected = np.log2(q[np.arange(20), y] / pi[y])
        np.testing.assert_allclose(ir_b.per_sample(y, q, prior=pi), expected, rtol=0, atol=1e-14)

    @pytest.mark.parametrize("n_classes", [3, 26])
    def test_agrees_with_the_printed_formula(self, n_classes):
        q = forecasts(n_classes, 50)
        pi = forecasts(n_classes, 1, seed=1)[0]
        y = np.arange(50) % n_classes
        slow = [slow_ir_b(t, row, pi) for t, row in zip(y, q, strict=True)]
        np.testing.assert_allclose(ir_b.per_sample(y, q, prior=pi), slow, rtol=1e-12, atol=1e-13)

    @given(st.lists(st.integers(0, 10**6), min_size=2, max_size=30), st.sampled_from([0.5, 1.0, 1e-9]))
    def test_of_the_prior_itself_is_zero_to_the_bit(self, counts, alpha):
        prior = prior_of_counts(counts, alpha=alpha)
        forecast = np.tile(prior, (7, 1))
        assert (ir_b.by_class(forecast, prior=prior) == 0.0).all()
        assert (ir_b.per_sample(np.arange(7) % len(prior), forecast, prior=prior) == 0.0).all()

    def test_of_a_miss_at_almost_one_is_finite(self):
        # 1 - 1e-20 is stored as 1.0; the class that did not happen costs log2(1e-20 / .5) = -65.4 bits
        value = ir_b([1], [[1.0, 1e-20]], prior=[0.5, 0.5])
        assert value == pytest.approx(math.log2(1e-20) + 1, rel=1e-14)
        assert value == pytest.approx(-65.4, abs=0.05)

    def test_survives_the_smallest_numbers(self):
        tiny = 5e-324
        scores = ir_b.by_class([[1.0, tiny, tiny, tiny]], prior=[0.25] * 4)
        by_hand = (math.log2(tiny) + math.log2(3 * tiny) + 2 + 3 * math.log2(4 / 3)) / 4
        np.testing.assert_allclose(scores[0, 1:], [by_hand] * 3, rtol=1e-14)
        assert scores[0, 0] == pytest.approx((2 - 3 * math.log2(0.75)) / 4, rel=1e-14)

    @pytest.mark.parametrize("small", [1e-160, 1e-300])
    def test_loses_no_digits_where_a_product_would_underflow(self, small):
        q, pi = [1.0, small, small], [0.5, 0.25, 0.25]
        by_hand = (math.log2(small / 0.25) + math.log2(2 * small / 0.5) + math.log2(1 / 0.75)) / 3
        assert ir_b([1], [q], prior=pi) == pytest.approx(by_hand, rel=1e-14)
        assert ir_b([1], [pi], prior=q) == pytest.approx(-by_hand, rel=1e-14)
        assert ir_b([1], [q], prior=q) == 0.0

    def test_is_minus_infinity_where_the_true_class_had_probability_zero(self):
        scores = ir_b.by_class([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]], prior=[0.2, 0.3, 0.5])
        assert np.isneginf(scores).tolist() == [[False, False, True], [False, True, True]]
        assert np.isfinite(scores[~np.isneginf(scores)]).all()

    def test_of_one_infinite_sample_makes_the_mean_infinite(self):
        assert ir_b([0, 1], [[0.5, 0.5], [1.0, 0.0]], prior=[0.5, 0.5]) == -math.inf

    def test_by_class_holds_what_per_sample_gives(self):
        q = np.vstack([forecasts(4, 5_000), np.eye(4), [[1.0, 0.0, 1e-300, 0.0]]])
        pi = np.array([0.7, 0.2, 0.06, 0.04])
        scores = ir_b.by_class(q, prior=pi)
        for t in range(4):
            np.testing.assert_array_equal(ir_b.per_sample(np.full(len(q), t), q, prior=pi), scores[:, t])

    def test_splits_into_knowledge_gain_and_miscalibration(self):
        # Over bets i: E KL2(c_i, P_i) + KL2(P_i, pi_i) - E KL2(c_i, q_i); no forecast occurs twice.
        p_x = np.array([0.2, 0.3, 0.5])
        p_true, q = forecasts(3, 3), forecasts(3, 3, seed=4)
        marginal = p_x @ p_true
        pi = np.array([0.5, 0.3, 0.2])

        def kl2(a, b):
            return a * np.log2(a / b) + (1 - a) * np.log2((1 - a) / (1 - b))

        parts = p_x @ kl2(p_true, marginal) + kl2(marginal, pi) - p_x @ kl2(p_true, q)
        assert ir_b.expected(p_x[:, None] * p_true, q, prior=pi) == pytest.approx(parts.mean(), abs=1e-14)


class TestKLDivergence:
    def test_by_hand_in_bits(self):
        value = kl_divergence([[0.5, 0.5], [1.0, 0.0]], [[0.25, 0.75], [0.5, 0.5]])
        assert value == pytest.approx((0.5 + 0.5 * math.log2(2 / 3) + 1) / 2, abs=1e-15)

    @given(st.lists(st.integers(0, 10**6), min_size=2, max_size=30).filter(any))
    def test_of_the_truth_is_zero_to_the_bit(self, counts):
        truth = np.array([counts], dtype=float) / sum(counts)
        assert kl_divergence(truth, truth.copy()) == 0.0

    def test_is_infinite_where_a_possible_class_has_probability_zero(self):
        rows = kl_divergence.per_sample([[0.5, 0.5], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]])
        assert rows.tolist() == [math.inf, 0.0]

    def test_is_never_below_zero(self):
        truth = forecasts(5, 1000)
        near = truth * (1 + 1e-15)
        assert kl_divergence.per_sample(truth, near).min() >= 0.0

    def test_expected_weighs_cells_and_leaves_impossible_ones_out(self):
        p_x = [0.25, 0.75, 0.0]
        truth = [[0.5, 0.5], [1.0, 0.0], [math.nan, math.nan]]
        forecast = [[0.25, 0.75], [0.5, 0.5], [math.nan, math.nan]]
        by_hand = 0.25 * (0.5 + 0.5 * math.log2(2 / 3)) + 0.75
        assert kl_divergence.expected(p_x, truth, forecast) == pytest.approx(by_hand, abs=1e-15)

    def test_is_the_expected_log_loss_above_that_of_the_truth(self):
        p_x = np.array([0.2, 0.3, 0.5])
        truth, q = forecasts(3, 3), forecasts(3, 3, seed=4)
        joint = p_x[:, None] * truth
        excess = log_loss.expected(joint, q) - log_loss.expected(joint, truth)
        assert kl_divergence.expected(p_x, truth, q) == pytest.approx(excess, abs=1e-14)

    def test_asks_for_equal_shapes(self):
        with pytest.raises(ValueError, match=r"p_true has shape \(1, 2\) and y_prob \(1, 3\)"):
            kl_divergence([[0.5, 0.5]], [[0.2, 0.3, 0.5]])


def test_expected_counts_what_cannot_happen_as_nothing():
    joint = np.array([[0.5, 0.0], [0.0, 0.5]])
    assert log_loss.expected(joint, [[1.0, 0.0], [0.0, 1.0]]) == 0.0
    assert log_loss.expected([[1.0, 0.0], [0.0, 0.0]], [[0.5, 0.5], [math.nan, math.nan]]) == 1.0


def test_infinite_scores_are_counted_by_cell():
    weights = np.array([[0.25, 0.25], [0.0, 0.25], [0.25, 0.0]])
    scores = np.array([[np.inf, np.inf], [np.inf, 1.0], [np.inf, 0.0]])
    # Both classes of the first cell, none that can happen of the second, one of the third.
    assert expectation(weights, scores) == Expectation(math.inf, 2)
    assert expectation(weights[1:], scores[1:]) == Expectation(math.inf, 1)
    assert expectation(weights[1:2], scores[1:2]) == Expectation(0.25, 0)
    assert expectation(weights.sum(axis=1), scores[:, 1]) == Expectation(math.inf, 1)


def test_expected_is_infinite_where_a_possible_class_has_probability_zero():
    assert log_loss.expected([[0.5, 0.5]], [[1.0, 0.0]]) == math.inf


@pytest.mark.process
def test_importing_the_metrics_does_not_import_the_learners():
    code = (
        "import sys, importlib; importlib.import_module('workbench.metrics');"
        "print(sorted({'numba', 'scipy', 'sklearn', 'learners', 'pandas'} & set(sys.modules)))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
