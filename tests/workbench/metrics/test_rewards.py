"""Rewards against their lemmas and printed formulas, by hand, and at the edges of probability."""

import math

import numpy as np
import pytest
from hypothesis import given

from tests.workbench.metrics.drawn import cases, forecasts
from workbench.metrics import (
    InformationReward,
    KononenkoBratko,
    bayesian_reward,
    good_reward,
    ir_b,
    ir_b_sum,
    kononenko_bratko,
    kononenko_bratko_2002,
    log_loss,
    modal_bayesian_reward,
)


def rest(q, i):
    """1 - q_i as the sum of the others."""
    return math.fsum(np.delete(q, i))


def slow_ir_b(t, q, pi):
    """Equation (10) as it is printed, with 1 - q as the sum of the others."""
    k = len(q)
    bets = [math.log2(q[t] / pi[t])]
    for i in range(k):
        if i != t:
            bets.append(math.log2(rest(q, i) / rest(pi, i)))
    return sum(bets) / k


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

    @given(cases())
    def test_is_the_sum_of_its_logarithms_whatever_the_numbers(self, case):
        codes, rows, prior = case

        def bits(q, t):
            others = [math.fsum(np.delete(q, i)) for i in range(len(q))]
            return [-math.inf if p == 0.0 else math.log2(p) for p in (q[t], *(np.delete(others, t)))]

        slow = [
            (math.fsum(bits(q, t)) - math.fsum(bits(prior, t))) / len(q) if q[t] else -math.inf
            for t, q in zip(codes, rows, strict=True)
        ]
        np.testing.assert_allclose(ir_b.per_sample(codes, rows, prior=prior), slow, rtol=1e-12, atol=1e-12)

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


class TestOptionsOfTheInformationReward:
    def test_the_sum_is_k_times_the_mean(self):
        q, pi, y = forecasts(5), forecasts(5, 1, seed=1)[0], np.arange(20) % 5
        np.testing.assert_allclose(
            ir_b_sum.per_sample(y, q, prior=pi), 5 * ir_b.per_sample(y, q, prior=pi), rtol=1e-14
        )

    def test_in_nats_is_the_difference_of_summed_log_losses(self):
        """What appendix A.1 of 2004 calls for: between learners the prior cancels."""
        nats = InformationReward(base=math.e, divide=False, name="ir_b_nats")
        assert nats.unit == "nats"
        first, second, y = forecasts(4), forecasts(4, seed=1), np.arange(20) % 4

        def summed_loss(q):
            return -np.mean(
                [
                    math.log(p[t]) + sum(math.log(rest(p, i)) for i in range(4) if i != t)
                    for t, p in zip(y, q, strict=True)
                ]
            )

        for pi in ([0.25] * 4, [0.7, 0.1, 0.1, 0.1]):
            difference = nats(y, first, prior=pi) - nats(y, second, prior=pi)
            assert difference == pytest.approx(summed_loss(second) - summed_loss(first), rel=1e-12)


class TestOfTwoClasses:
    @pytest.mark.parametrize("sign", [-1, 1])
    def test_a_sure_miss_costs_66_bits_and_not_infinity(self, sign):
        q, pi, y = [[1.0, 1e-20][::sign]], [0.5, 0.5], [1 if sign == 1 else 0]
        assert log_loss(y, q) == pytest.approx(66.4386, abs=1e-4)
        for reward in (good_reward, bayesian_reward, modal_bayesian_reward, ir_b):
            assert reward(y, q, prior=pi) == pytest.approx(1 - 66.4386, abs=1e-4)
        assert kononenko_bratko(y, q, prior=pi) == pytest.approx(-1.0)

    def test_two_classes_of_an_even_prior_make_all_rewards_those_of_good(self):
        q, y = forecasts(2, 200), np.arange(200) % 2
        by_hand = 1 + np.log2(q[np.arange(200), y])
        for reward in (good_reward, bayesian_reward, modal_bayesian_reward, ir_b):
            scores = reward.per_sample(y, q, prior=[0.5, 0.5])
            np.testing.assert_allclose(scores, by_hand, rtol=1e-13, atol=1e-14)


class TestGoodReward:
    def test_takes_the_classes_not_predicted_as_one(self):
        q = [[0.5, 0.3, 0.2]] * 3
        np.testing.assert_allclose(good_reward.per_sample([0, 1, 2], q), [0.0, 0.0, 0.0], atol=1e-15)
        q = [[0.7, 0.2, 0.1]] * 3
        right, wrong = 1 + math.log2(0.7), 1 + math.log2(0.3)
        np.testing.assert_allclose(good_reward.per_sample([0, 1, 2], q), [right, wrong, wrong], rtol=1e-14)

    def test_punishes_a_right_guess_below_one_half(self):
        # 2002, section 2.1: class A of three, rightly named with 0.4
        assert good_reward([0], [[0.4, 0.3, 0.3]]) == pytest.approx(1 + math.log2(0.4))

    def test_gives_a_tie_to_the_first_class(self):
        assert good_reward.by_class([[0.25, 0.375, 0.375]])[0, 1:].tolist() == [
            1 + math.log2(0.375),
            1 + math.log2(0.625),
        ]

    def test_does_not_punish_zero_for_a_class_that_happens(self):
        """What 2002 says of its own modal form, section 2.1, holds here too."""
        assert good_reward([1], [[0.5, 0.0, 0.5]]) == 0.0
        assert modal_bayesian_reward([1], [[0.5, 0.0, 0.5]], prior=[0.5, 0.25, 0.25]) == 0.0
        assert bayesian_reward([1], [[0.5, 0.0, 0.5]], prior=[0.5, 0.25, 0.25]) == -math.inf

    def test_of_a_sure_hit_or_miss(self):
        assert good_reward.by_class([[1.0, 0.0]]).tolist() == [[1.0, -math.inf]]


def positives_and_negatives(y, q):
    """w z and x y of 2002: the chances that positive cases, and negative ones, were given."""
    predicted = q[:, 0] >= 0.5
    p = q.max(axis=1)
    w, z = p[(y == 0) & predicted].prod(), (1 - p[(y == 0) & ~predicted]).prod()
    x, v = (1 - p[(y == 1) & predicted]).prod(), p[(y == 1) & ~predicted].prod()
    return w * z, x * v


class TestBayesianRewards:
    @pytest.mark.parametrize("pi", [0.5, 0.8, 0.03])
    def test_of_a_test_set_follow_lemma_1(self, pi):
        q, y = forecasts(2, 30), np.arange(30) % 2
        wz, xy = positives_and_negatives(y, q)
        lemma = 30 - (math.log(wz) / math.log(pi) + math.log(xy) / math.log(1 - pi))
        assert 30 * bayesian_reward(y, q, prior=[pi, 1 - pi]) == pytest.approx(lemma, rel=1e-12)

    def test_of_an_even_prior_follow_lemma_2(self):
        q, y = forecasts(2, 30), np.arange(30) % 2
        lemma = 30 + math.log2(math.prod(positives_and_negatives(y, q)))
        assert 30 * bayesian_reward(y, q, prior=[0.5, 0.5]) == pytest.approx(lemma, rel=1e-12)
        assert 30 * good_reward(y, q) == pytest.approx(lemma, rel=1e-12)

    def test_reverse_the_order_of_good_as_thesis_1_says(self):
        # one positive and one negative case; 2002, after equation (14)
        y, pi = [0, 1], [0.8, 0.2]
        first, second = [[0.6, 0.4], [0.7, 0.3]], [[0.5, 0.5], [0.3, 0.7]]
        good = [2 * good_reward(y, q) - 2 for q in (first, second)]
        bayesian = [2 * bayesian_reward(y, q, prior=pi) - 2 for q in (first, second)]
        assert good[0] < good[1]
        assert bayesian[0] > bayesian[1]
        ratio_of_positives, ratio_of_negatives = 0.6 / 0.5, 0.7 / 0.3
        assert ratio_of_positives < ratio_of_negatives  # condition (10)
        assert math.log(0.2) * math.log(ratio_of_positives) < math.log(0.8) * math.log(ratio_of_negatives)

    @pytest.mark.parametrize("pi", [0.5, 0.8])
    @pytest.mark.parametrize("chance", [0.3, 0.6])
    def test_are_greatest_expected_where_theorem_1_says(self, pi, chance):
        slope = math.log(pi) / math.log(1 - pi)
        best = chance / (chance + slope * (1 - chance))  # solves f (1-q) / (q (1-f)) = log pi / log(1-pi)
        assert chance * (1 - best) / (best * (1 - chance)) == pytest.approx(slope)

        def expected(p):
            return bayesian_reward.expected([[chance, 1 - chance]], [[p, 1 - p]], prior=[pi, 1 - pi])

        grid = np.linspace(0.001, 0.999, 999)
        assert grid[np.argmax([expected(p) for p in grid])] == pytest.approx(best, abs=1e-3)
        assert expected(best) > expected(best - 1e-4)
        assert expected(best) > expected(best + 1e-4)
        assert (best == pytest.approx(chance)) == (pi == 0.5)

    def test_of_an_even_prior_are_proper_with_any_number_of_classes(self):
        truth, even = np.array([[0.2, 0.5, 0.2, 0.1]]), [0.25] * 4
        at_truth = bayesian_reward.expected(truth, truth, prior=even)
        others = np.vstack([forecasts(4, 200), 0.99 * truth + 0.01 * forecasts(4, 200, seed=1)])
        assert all(bayesian_reward.expected(truth, q[None], prior=even) < at_truth for q in others)

    @pytest.mark.parametrize("n_classes", [2, 26])
    def test_agree_with_definition_3(self, n_classes):
        q, pi = forecasts(n_classes, 50), forecasts(n_classes, 1, seed=1)[0]
        y = np.arange(50) % n_classes
        slow = [
            math.fsum(
                1
                - (
                    math.log(p[i]) / math.log(pi[i])
                    if i == t
                    else math.log(rest(p, i)) / math.log(rest(pi, i))
                )
                for i in range(n_classes)
            )
            / n_classes
            for t, p in zip(y, q, strict=True)
        ]
        np.testing.assert_allclose(bayesian_reward.per_sample(y, q, prior=pi), slow, rtol=1e-10, atol=1e-11)

    @pytest.mark.parametrize("n_classes", [2, 10])
    def test_of_the_modal_class_agree_with_definition_2(self, n_classes):
        q, pi = forecasts(n_classes, 50), forecasts(n_classes, 1, seed=1)[0]
        y = np.arange(50) % n_classes
        m = q.argmax(axis=1)
        q_m, pi_m = q.max(axis=1), pi[m]
        slow = np.where(m == y, 1 - np.log(q_m) / np.log(pi_m), 1 - np.log(1 - q_m) / np.log(1 - pi_m))
        np.testing.assert_allclose(
            modal_bayesian_reward.per_sample(y, q, prior=pi), slow, rtol=1e-11, atol=1e-12
        )

    def test_keep_all_digits_next_to_a_tiny_prior(self):
        """1 - 1e-17 is stored as 1, whose logarithm would divide by zero."""
        q, pi = [[0.5, 2e-17, 0.5]], [0.5, 1e-17, 0.5]
        # not happening at 2e-17 against 1e-17 is a bet that lost twice what the prior would have lost
        assert bayesian_reward([0], q, prior=pi) == pytest.approx(-1 / 3, rel=1e-12)
        assert modal_bayesian_reward([1], [[1.0, 1e-17]], prior=[1.0, 1e-18]) == pytest.approx(
            1 - 17 / 18, rel=1e-12
        )


class TestKononenkoBratko:
    def test_by_hand(self):
        prior = [0.5, 0.25, 0.25]
        q = [[0.25, 0.5, 0.25]] * 3
        by_hand = [math.log2(0.5 / 0.75), 1.0, 0.0]  # below the prior, above it, at it
        np.testing.assert_allclose(
            kononenko_bratko.per_sample([0, 1, 2], q, prior=prior), by_hand, rtol=1e-15
        )

    def test_rewards_a_wrong_prediction_under_the_labels_of_2002(self):
        q, prior = [[0.6, 0.4]], [0.9, 0.1]
        assert kononenko_bratko_2002([1], q, prior=prior) == pytest.approx(math.log2(0.9 / 0.6))
        assert kononenko_bratko([1], q, prior=prior) == pytest.approx(2.0)
        # right, though less sure than the prior
        assert kononenko_bratko_2002([0], q, prior=prior) == pytest.approx(math.log2(0.6 / 0.9))
        assert kononenko_bratko([0], q, prior=prior) == pytest.approx(math.log2(0.1 / 0.4))

    @pytest.mark.parametrize("n_classes", [2, 10])
    @pytest.mark.parametrize("metric", [kononenko_bratko, kononenko_bratko_2002], ids=lambda m: m.rule)
    def test_agrees_with_the_printed_formulas(self, metric, n_classes):
        q, pi = forecasts(n_classes, 60), forecasts(n_classes, 1, seed=1)[0]
        y = np.arange(60) % n_classes
        q_t, pi_t = q[np.arange(60), y], pi[y]
        first = q_t >= pi_t if metric.rule == "2004" else q.argmax(axis=1) == y
        slow = np.where(first, np.log2(q_t) - np.log2(pi_t), np.log2(1 - pi_t) - np.log2(1 - q_t))
        np.testing.assert_allclose(metric.per_sample(y, q, prior=pi), slow, rtol=1e-11, atol=1e-12)

    def test_is_finite_for_a_class_of_probability_zero(self):
        assert kononenko_bratko([0], [[0.0, 1.0]], prior=[0.75, 0.25]) == -2.0

    def test_counts_in_nats_where_asked(self):
        q, pi = forecasts(3), [0.5, 0.3, 0.2]
        y = np.arange(20) % 3
        nats = KononenkoBratko(base=math.e, name="kononenko_bratko_nats")
        assert nats.unit == "nats"
        assert nats(y, q, prior=pi) == pytest.approx(
            kononenko_bratko(y, q, prior=pi) * math.log(2), rel=1e-14
        )
