"""Accuracy, expected value, AUC and lift: by hand, and against slow twins."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workbench.metrics.drawn import binary, forecasts, samples
from workbench.metrics import ExpectedValue, Lift, accuracy, auc, expected_value, lift


class TestAccuracy:
    def test_counts_the_modal_class(self):
        assert accuracy([0, 1, 2], [[0.5, 0.3, 0.2], [0.5, 0.3, 0.2], [0.1, 0.2, 0.7]]) == 2 / 3

    def test_gives_a_tie_to_the_first_class(self):
        assert accuracy.per_sample([0, 1], [[0.5, 0.5], [0.5, 0.5]]).tolist() == [1.0, 0.0]


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


class TestAUC:
    def test_by_hand(self):
        # class 1 has .4 and .8, class 0 .1, .4 and .6: it wins 1 + 3 of 6 pairs, and half of a tie
        y, p = [0, 1, 0, 0, 1], [0.1, 0.4, 0.4, 0.6, 0.8]
        assert auc(y, binary(p)) == pytest.approx(4.5 / 6, abs=1e-15)

    @given(samples())
    def test_is_the_share_of_pairs_won(self, sample):
        y, rows = sample
        shares = []
        for i in set(y.tolist()):
            hits, misses = rows[y == i, i], rows[y != i, i]
            won = (hits[:, None] > misses).sum() + 0.5 * (hits[:, None] == misses).sum()
            if misses.size:
                shares.append(won / (hits.size * misses.size))
        np.testing.assert_allclose(auc(y, rows), np.mean(shares) if shares else np.nan, rtol=1e-12)

    @given(samples(), st.randoms(use_true_random=False))
    def test_is_the_same_to_the_bit_in_any_order(self, sample, random):
        y, rows = sample
        order = list(range(len(y)))
        random.shuffle(order)
        np.testing.assert_equal(auc(y[order], rows[order]), auc(y, rows))

    def test_leaves_out_classes_that_nobody_has(self):
        y, rows = [0, 1, 1], np.array([[0.5, 0.3, 0.2], [0.2, 0.8, 0.0], [0.6, 0.1, 0.3]])
        assert auc(y, rows) == pytest.approx((0.5 + 0.5) / 2)

    def test_of_one_class_is_not_a_number(self):
        assert math.isnan(auc([1, 1, 1], binary([0.1, 0.2, 0.3])))

    def test_of_a_constant_forecast_is_one_half(self):
        assert auc([0, 1, 2, 0], [[0.2, 0.3, 0.5]] * 4) == 0.5


class TestLift:
    def test_by_hand(self):
        # of the surest 4 in 10, 3 are of class 1, that 4 in 10 have; of the least sure 4, 4 are of class 0
        y = [1, 1, 0, 1, 0, 1, 0, 0, 0, 0]
        p = [0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]
        assert Lift(share=0.4)(y, binary(p)) == pytest.approx((0.75 / 0.4 + 1.0 / 0.6) / 2)

    def test_takes_a_part_of_each_of_a_tie(self):
        # 2 of 5 are taken: the surest, and a third of a tie of three with one hit
        y, p = [1, 0, 1, 0, 0], [0.9, 0.6, 0.6, 0.6, 0.1]
        of_class_1 = (1 + 1 / 3) / 2 / 0.4
        of_class_0 = (1 + 2 / 3) / 2 / 0.6
        assert Lift(share=0.4)(y, binary(p)) == pytest.approx((of_class_0 + of_class_1) / 2)

    @given(samples(most=6), st.integers(1, 6))
    def test_is_the_mean_over_all_orders_of_ties(self, sample, wanted):
        y, rows = sample
        wanted = min(wanted, len(y))
        lifts = []
        for i in range(rows.shape[1]):
            if 0 < (y == i).sum() < len(y):
                tops = [
                    np.mean(y[list(order[:wanted])] == i)
                    for order in itertools.permutations(range(len(y)))
                    if all(rows[a, i] >= rows[b, i] for a, b in itertools.pairwise(order))
                ]
                lifts.append(np.mean(tops) / np.mean(y == i))
        expected = np.mean(lifts) if lifts else np.nan
        np.testing.assert_allclose(Lift(share=wanted / len(y))(y, rows), expected, rtol=1e-9, atol=1e-12)

    def test_of_a_perfect_forecast_reaches_the_bound_for_rare_classes(self):
        y = np.arange(100) % 10
        assert lift(y, np.eye(10)[y]) == lift.bounds[1] == 10.0
