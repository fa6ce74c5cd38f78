"""Losses and divergence by hand, by identities, and at the edges of probability."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workbench.metrics.drawn import cases, forecasts
from workbench.metrics import (
    CostMatrix,
    LogLoss,
    accuracy,
    cost,
    d2_brier,
    d2_log_loss,
    kl_divergence,
    log_loss,
    log_loss_nats,
    quadratic_loss,
)
from workbench.metrics._shared.base import Expectation, expectation


class TestLogLoss:
    def test_is_in_bits(self):
        assert log_loss([0, 1, 0], [[0.5, 0.5], [0.75, 0.25], [1.0, 0.0]]) == 1.0

    def test_is_infinite_where_the_true_class_had_probability_zero(self):
        assert log_loss.per_sample([0, 1], [[0.0, 1.0], [0.0, 1.0]]).tolist() == [math.inf, 0.0]

    def test_in_nats_is_an_option_and_a_key_of_its_own(self):
        q, y = forecasts(3), np.arange(20) % 3
        nats = LogLoss(base=math.e, name="nats")
        assert (nats.name, nats.unit, nats.options) == ("nats", "nats", {"base": math.e})
        assert nats.meaning == log_loss_nats.meaning
        np.testing.assert_array_equal(nats.by_class(q), log_loss_nats.by_class(q))
        assert nats(y, q) == log_loss_nats(y, q) == pytest.approx(log_loss(y, q) * math.log(2), rel=1e-15)

    def test_of_a_certain_hit_is_plus_zero(self):
        assert math.copysign(1.0, log_loss([1], [[0.0, 1.0]])) == 1.0


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


class TestKLDivergence:
    def test_by_hand_in_bits(self):
        value = kl_divergence([[0.5, 0.5], [1.0, 0.0]], [[0.25, 0.75], [0.5, 0.5]])
        assert value == pytest.approx((0.5 + 0.5 * math.log2(2 / 3) + 1) / 2, abs=1e-15)

    @given(cases(4, 4), cases(4, 4))
    def test_is_the_sum_of_its_terms_whatever_the_numbers(self, first, second):
        p_true, y_prob = first[1], np.resize(second[1], first[1].shape)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            terms = np.where(p_true > 0, p_true * (np.log2(p_true) - np.log2(y_prob)), 0.0)
        found = kl_divergence.per_sample(p_true, y_prob)
        np.testing.assert_allclose(found, terms.sum(axis=1), rtol=1e-11, atol=1e-12)

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


@pytest.mark.parametrize(("costs", "dear"), [([[0, 1], [30, 0]], "none"), ([[2, 9], [1, 0]], "event")])
def test_the_meaning_of_costs_names_the_forecast_that_decides(costs, dear):
    metric, names = CostMatrix(costs, classes=["event", "none"]), ["event", "none"]
    share = (
        float(re.search(rf"it decides for {dear} if its forecast is at least (.*)%$", metric.meaning)[1])
        / 100
    )
    assert share < 0.5
    own = names.index(dear)
    for p, decided in ((share * 1.01, own), (share * 0.99, 1 - own)):
        row = [1 - p, 1 - p]
        row[own] = p
        found = metric.per_sample(names, [row, row], classes=names)
        assert found.tolist() == [each[decided] for each in costs]


class TestCostMatrix:
    DEAR = ((0.0, 1.0), (10.0, 0.0))

    def test_decides_for_the_class_of_least_expected_cost(self):
        rows = [[0.8, 0.2], [0.8, 0.2], [0.95, 0.05], [0.4, 0.6]]
        assert CostMatrix(self.DEAR).per_sample([0, 1, 1, 0], rows).tolist() == [1, 0, 10, 1]
        assert CostMatrix(self.DEAR, decision="argmax").per_sample([0, 1, 1, 0], rows).tolist() == [
            0,
            10,
            10,
            1,
        ]

    def test_without_costs_is_the_share_of_errors(self):
        q, y = forecasts(4, 50), np.arange(50) % 4
        np.testing.assert_array_equal(cost.per_sample(y, q), 1.0 - accuracy.per_sample(y, q))

    @pytest.mark.parametrize("miss", [1.0, 9.0, 30.0, 99.0])
    def test_a_tie_but_for_rounding_is_decided_for_the_first(self, miss):
        rows = np.array([[miss, 1.0]]) / (miss + 1.0)  # both decisions cost as much
        assert CostMatrix([[0, 1], [miss, 0]])([0], rows) == 0.0
        assert CostMatrix([[0, miss], [1, 0]])([1], rows[:, ::-1]) == 1.0

    def test_a_constant_added_to_a_row_changes_no_decision(self):
        q, y = forecasts(3, 50), np.arange(50) % 3
        costs = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [9.0, 3.0, 0.5]])
        extra = np.array([1.0, 2.0, 0.0])
        more = CostMatrix(costs + extra[:, None]).per_sample(y, q)
        np.testing.assert_allclose(more, CostMatrix(costs).per_sample(y, q) + extra[y])

    @given(st.integers(2, 5), st.randoms(use_true_random=False))
    def test_no_forecast_is_better_than_the_truth_by_the_best_decision(self, k, random):
        rng = np.random.default_rng(random.randrange(2**32))
        metric = CostMatrix(rng.uniform(0.0, 9.0, (k, k)) * rng.integers(2, size=(k, k)))
        truth, other = rng.dirichlet(np.ones(k), 4), rng.dirichlet(np.ones(k), 4)
        at_truth, at_other = (metric.expected(truth / 4, rows) for rows in (truth, other))
        assert at_truth <= at_other * (1 + 1e-9)
        least = (truth @ np.array(metric.costs)).min(axis=1)
        assert at_truth == pytest.approx(least.mean(), rel=1e-9)

    def test_says_what_it_is(self):
        metric, most_probable = CostMatrix(self.DEAR, name="dear"), CostMatrix(self.DEAR, decision="argmax")
        assert (metric.name, metric.bounds, metric.options) == ("dear", (0.0, 10.0), {"costs": self.DEAR})
        assert (metric.has_optimum, most_probable.has_optimum, cost.has_optimum) == (True, False, True)

    @pytest.mark.parametrize(
        ("costs", "words"),
        [
            ([[0, 1, 2], [1, 0, 2]], r"shape \(2, 3\).*row for each class"),
            ([0, 1], r"shape \(2,\)"),
            ([[0, -1], [1, 0]], r"costs\[0\]\[1\] is -1: give finite costs of at least 0"),
            ([[0, 1], [math.inf, 0]], r"costs\[1\]\[0\] is inf"),
            ([["0", "1"], ["1", "0"]], "costs has text"),
            ([[0, 1], [1]], "costs is not an array of numbers"),
        ],
    )
    def test_costs_that_are_none_are_reported(self, costs, words):
        with pytest.raises(ValueError, match=words):
            CostMatrix(costs)

    def test_named_costs_go_by_name(self):
        named = {"sick": {"healthy": 10, "sick": 0}, "healthy": {"sick": 1, "healthy": 0}}
        rows, y = [[0.8, 0.2], [0.8, 0.2], [0.95, 0.05]], ["healthy", "sick", "sick"]
        table = pd.DataFrame(named).T
        for metric in (
            CostMatrix(named),
            CostMatrix(table),
            CostMatrix([[0, 10], [1, 0]], classes=["sick", "healthy"]),
        ):
            assert metric.per_sample(y, rows, classes=["healthy", "sick"]).tolist() == [1, 0, 10]
            swapped = [row[::-1] for row in rows]
            assert metric.per_sample(y, swapped, classes=["sick", "healthy"]).tolist() == [1, 0, 10]
            assert metric.of_classes(("healthy", "sick")).costs == self.DEAR
            assert "deciding healthy where sick costs 10, sick where healthy 1" in metric.meaning
        numbers = CostMatrix({0: {0: 0, 1: 1}, 1: {0: 10, 1: 0}})
        assert numbers.of_classes(["1", "0"]).costs == ((0, 10), (1, 0))

    @pytest.mark.parametrize(
        ("costs", "classes", "words"),
        [
            ({"a": {"a": 0, "b": 1}, "b": {"a": 1}}, None, "costs of 'b' is .*each of 'a', 'b'"),
            ({"a": 1}, None, "costs of 'a' is 1"),
            ([[0, 1], [1, 0]], ["a"], "classes is .*one name for each row"),
            ([[0, 1], [1, 0]], "ab", "classes is 'ab'"),
            (None, ["a", "b"], "classes is"),
        ],
    )
    def test_names_that_do_not_fit_are_reported(self, costs, classes, words):
        with pytest.raises(ValueError, match=words):
            CostMatrix(costs, classes=classes)

    def test_other_classes_have_no_costs(self):
        with pytest.raises(ValueError, match=r"costs of dear are for 2 classes, not for the 3 .*a, b, c"):
            CostMatrix(self.DEAR, name="dear").of_classes("abc")
        with pytest.raises(ValueError, match="costs of cost name a, b, but not 'c'"):
            CostMatrix(self.DEAR, classes=["a", "b"]).of_classes("ac")

    def test_other_classes_and_decisions_are_reported(self):
        with pytest.raises(ValueError, match=r"costs of dear is for 2 classes and y_prob has 3 columns"):
            CostMatrix(self.DEAR, name="dear")([0], [[0.2, 0.3, 0.5]])
        with pytest.raises(ValueError, match=r"decision is 'best': give one of 'bayes', 'argmax'"):
            CostMatrix(decision="best")
