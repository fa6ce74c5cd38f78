"""Curves of forecasts and rewards: worked by hand, their properties, and what they begin with."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from workbench.base.errors import WorkbenchError
from workbench.forecasts import Forecasts
from workbench.forecasts.curves import (
    Ranking,
    cumulative_reward,
    decision_curve,
    lift_curve,
    mean_lift,
    mean_roc,
    precision_recall_curve,
    reward_curve,
    roc_curve,
)
from workbench.metrics import METRICS, CostMatrix, ScoringRule

# Few different forecasts, so that most samples have ties.
ROWS = st.lists(st.tuples(st.booleans(), st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 1.0])), min_size=2)


@st.composite
def ranked(draw):
    """Draw what happened and a forecast, of rows where a class happened and rows where it did not."""
    rows = draw(ROWS)
    happened = np.array([each for each, _ in rows])
    assume(happened.any() and not happened.all())
    return happened, np.array([forecast for _, forecast in rows])


def shuffled(*arrays):
    order = np.random.default_rng(0).permutation(len(arrays[0]))
    return [np.asarray(array)[order] for array in arrays]


# Ranking


def test_a_ranking_puts_the_highest_first_and_ties_together():
    ranking = Ranking.by([0.2, 0.7, 0.7, 0.9])
    assert ranking.order.tolist() == [3, 1, 2, 0]
    assert ranking.sizes.tolist() == [1, 2, 1]
    assert ranking.forecasts.tolist() == [0.9, 0.7, 0.2]
    assert ranking.sums([1, 10, 100, 1000]).tolist() == [1000, 110, 1]


@pytest.mark.parametrize("forecast", [[], [[0.5]], [0.5, np.nan]])
def test_what_cannot_be_ranked_is_reported(forecast):
    with pytest.raises(ValueError, match="one number per row"):
        Ranking.by(forecast)


# ROC


def test_ties_are_one_diagonal_step():
    curve = roc_curve([True, False, True, False], [0.9, 0.8, 0.6, 0.6])
    assert curve.false_positive.tolist() == [0, 0, 0.5, 1]
    assert curve.true_positive.tolist() == [0, 0.5, 0.5, 1]
    assert curve.area == 0.625  # of four pairs two are right, and one is a tie


def test_the_hull_leaves_out_what_bends_inward():
    hull = roc_curve([True, False, True, False], [0.9, 0.8, 0.6, 0.6]).hull
    assert list(zip(hull.false_positive, hull.true_positive, strict=True)) == [(0, 0), (0, 0.5), (1, 1)]
    assert hull.thresholds.tolist() == [np.inf, 0.9, 0.6]


@given(ranked())
def test_a_roc_curve_rises_from_corner_to_corner_whatever_the_order_of_rows(rows):
    curve = roc_curve(*rows)
    for values in (curve.false_positive, curve.true_positive):
        assert values[0] == 0
        assert values[-1] == 1
        assert (np.diff(values) >= 0).all()
    other = roc_curve(*shuffled(*rows))
    assert other.false_positive.tolist() == curve.false_positive.tolist()
    assert other.true_positive.tolist() == curve.true_positive.tolist()


@given(ranked())
def test_the_hull_is_concave_and_above_the_curve(rows):
    curve = roc_curve(*rows)
    hull = curve.hull
    dx, dy = np.diff(hull.false_positive), np.diff(hull.true_positive)
    assert (dy[1:] * dx[:-1] < dy[:-1] * dx[1:]).all()  # strictly: no point in the middle of an edge
    above = np.interp(curve.false_positive, hull.false_positive, hull.true_positive)
    assert (above >= curve.true_positive - 1e-12).all()
    assert hull.area >= curve.area - 1e-12
    points = set(zip(curve.false_positive, curve.true_positive, strict=True))
    assert set(zip(hull.false_positive, hull.true_positive, strict=True)) <= points


@given(ranked())
def test_at_its_threshold_a_point_has_the_rows_that_reach_it(rows):
    happened, forecast = rows
    curve = roc_curve(happened, forecast)
    for x, y, threshold in zip(curve.false_positive, curve.true_positive, curve.thresholds, strict=True):
        taken = forecast >= threshold
        assert (x, y) == (taken[~happened].mean(), taken[happened].mean())
    assert mean_roc([curve, curve]).thresholds is None


@given(ranked())
def test_a_forecast_turned_around_has_the_rest_of_the_area(rows):
    happened, forecast = rows
    assert roc_curve(happened, -forecast).area == pytest.approx(1 - roc_curve(happened, forecast).area)


def test_a_mean_of_roc_curves_averages_upright_pieces_at_both_ends():
    step = roc_curve([True, False], [0.9, 0.1])
    diagonal = roc_curve([True, False], [0.5, 0.5])
    mean = mean_roc([step, diagonal])
    assert list(zip(mean.false_positive, mean.true_positive, strict=True)) == [
        (0, 0),
        (0, 0.5),
        (1, 1),
        (1, 1),
    ]


@given(ranked(), ranked())
def test_the_area_of_a_mean_is_the_mean_of_the_areas(first, second):
    curves = [roc_curve(*first), roc_curve(*second)]
    mean = mean_roc(curves)
    assert mean.area == pytest.approx(np.mean([curve.area for curve in curves]))
    assert (np.diff(mean.true_positive) >= -1e-12).all()
    assert mean.hull.area >= mean.area - 1e-12


@pytest.mark.parametrize("curve", [roc_curve, precision_recall_curve, decision_curve])
@pytest.mark.parametrize("happened", [[True, True], [False, False]])
def test_a_curve_of_one_kind_of_rows_is_reported(curve, happened):
    with pytest.raises(WorkbenchError, match=f"{sum(happened)} of 2 rows"):
        curve(happened, [0.5, 0.6])


# Decisions


def test_net_benefit_by_hand():
    # of ten rows two are of the class; at 0.2 one of them and three others are treated, at a quarter each
    happened = [True, True, *[False] * 8]
    forecast = [0.9, 0.1, 0.2, 0.5, 0.3, *[0.05] * 5]
    curve = decision_curve(happened, forecast, thresholds=[0.2, 0.0, 0.95])
    assert curve.net_benefit == pytest.approx([0.1 - 0.3 / 4, 0.2, 0.0])
    assert curve.treat_all == pytest.approx([0.2 - 0.8 / 4, 0.2, 0.2 - 0.8 * 19])
    table = curve.table()
    assert table.iloc[0].to_list() == pytest.approx([0.2, 0.4, 1 / 4, 0.5, 5 / 8, 0.025, 0.0])
    assert np.isnan(table["precision"][2])  # nobody is treated
    assert len(decision_curve(happened, forecast).thresholds) == 999


def test_net_benefit_is_that_of_dcurves_at_ties_too():
    # dcurves, R/dca.R and the Python package: risk >= threshold is treated, net benefit tp - fp * t / (1 - t)
    happened, risk = np.array([True, False, True, False, False]), np.array([0.9, 0.8, 0.2, 0.2, 0.1])
    for t in (0.1, 0.2, 0.8, 0.9):
        tp, fp = ((risk >= t) & happened).mean(), ((risk >= t) & ~happened).mean()
        assert decision_curve(happened, risk, thresholds=[t]).net_benefit == pytest.approx(
            tp - fp * t / (1 - t)
        )
    # at a tie the matrix does not treat, so what it costs is the share less the net benefit just above
    cost = CostMatrix([[0, 0.25], [1, 0]])(happened.astype(int), np.c_[1 - risk, risk])
    above = decision_curve(happened, risk, thresholds=[0.2 + 1e-9]).net_benefit[0]
    assert cost == pytest.approx(happened.mean() - above)


@given(ranked(), st.sampled_from([0.1, 0.25, 0.3, 0.4, 0.99]))
def test_net_benefit_is_what_is_saved_by_deciding_at_these_costs(rows, threshold):
    happened, forecast = rows
    assume(threshold not in forecast)  # where costs decide for the first class
    curve = decision_curve(happened, forecast, thresholds=[threshold])
    price = threshold / (1 - threshold)
    mean_cost = CostMatrix([[0, price], [1, 0]])(happened.astype(int), np.c_[1 - forecast, forecast])
    assert curve.net_benefit[0] == pytest.approx(happened.mean() - mean_cost)
    taken = forecast >= threshold
    assert curve.sensitivity[0] == pytest.approx(taken[happened].mean())
    assert curve.specificity[0] == pytest.approx(1 - taken[~happened].mean())


def test_what_is_no_probability_is_reported():
    with pytest.raises(WorkbenchError, match="forecasts are from -1 to 2: give probabilities"):
        decision_curve([True, False], [2.0, -1.0])
    for thresholds in ([1.0], [-0.1], 0.5, [np.nan]):
        with pytest.raises(WorkbenchError, match="give a list of probabilities below 1"):
            decision_curve([True, False], [0.5, 0.2], thresholds=thresholds)


# Lift


def test_lift_of_four_rows():
    curve = lift_curve([True, False, True, False], [0.9, 0.8, 0.6, 0.1])
    assert curve.share.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert curve.gain.tolist() == [0, 0.5, 0.5, 1, 1]
    assert curve.lift.tolist() == pytest.approx([2, 2, 1, 4 / 3, 1])
    assert curve.best_gain.tolist() == [0, 0.5, 1, 1, 1]


def test_ties_are_split_evenly():
    curve = lift_curve([True, False, False, True, False], [0.9, 0.5, 0.5, 0.5, 0.5])
    np.testing.assert_allclose(curve.gain, [0, 0.5, 0.625, 0.75, 0.875, 1])


@given(ranked())
def test_gain_is_that_of_the_average_order_of_tied_rows(rows):
    happened, forecast = rows
    curve = lift_curve(happened, forecast)
    np.testing.assert_allclose(lift_curve(*shuffled(happened, forecast)).gain, curve.gain)
    last = np.flatnonzero(np.diff(np.sort(-forecast), append=1.0)) + 1  # where a group of ties is complete
    found = [happened[forecast >= np.sort(forecast)[::-1][i - 1]].mean() for i in last]
    np.testing.assert_allclose(curve.lift[last], np.array(found) / happened.mean())
    assert (curve.gain <= curve.best_gain + 1e-12).all()
    assert curve.gain[-1] == pytest.approx(1.0)


def test_a_mean_lift_is_the_mean_of_the_lifts():
    rng = np.random.default_rng(1)
    codes, table = rng.integers(3, size=50), rng.dirichlet([1, 1, 1], size=50)
    curves = [lift_curve(codes == i, table[:, i]) for i in range(3)]
    np.testing.assert_allclose(mean_lift(curves).lift, np.mean([curve.lift for curve in curves], axis=0))
    np.testing.assert_allclose(mean_lift(curves).best_gain, np.mean([c.best_gain for c in curves], axis=0))


def test_lift_of_what_never_happened_is_reported():
    with pytest.raises(WorkbenchError, match="none of 2 rows"):
        lift_curve([False, False], [0.5, 0.6])


# Cumulative reward


def test_rewards_come_together_as_they_stand_or_as_they_are_ranked():
    rewards = [1.0, -2.0, 0.5, 0.5]
    assert cumulative_reward(rewards).reward.tolist() == [0, 0.25, -0.25, -0.125, 0]
    along = cumulative_reward(rewards, ranked_by=[0.9, 0.6, 0.7, 0.6])
    assert along.reward.tolist() == [0, 0.25, 0.375, 0.1875, 0]


@given(ranked())
def test_a_cumulative_reward_ends_at_the_mean_whatever_the_order(rows):
    happened, forecast = rows
    rewards = np.where(happened, 0.7, -1.3)
    assert cumulative_reward(rewards).mean == pytest.approx(rewards.mean())
    along = cumulative_reward(rewards, ranked_by=forecast)
    assert along.mean == pytest.approx(rewards.mean())
    other = cumulative_reward(*shuffled(rewards)[:1], ranked_by=shuffled(rewards, forecast)[1])
    np.testing.assert_allclose(other.reward, along.reward, atol=1e-12)


def test_an_infinite_reward_ends_the_sum_where_it_is_met_and_is_counted():
    along = cumulative_reward([1.0, -np.inf, 2.0], ranked_by=[0.9, 0.2, 0.5])
    assert along.reward.tolist() == [0, 1 / 3, 1, -np.inf]
    assert along.n_infinite == 1
    assert cumulative_reward([1.0, -np.inf, 2.0]).reward.tolist() == [0, 1 / 3, -np.inf, -np.inf]


# Reward against probability


def test_good_and_bayes_agree_for_two_classes_that_are_as_likely():
    curve = reward_curve(METRICS["ir_b"])
    inner = (curve.forecast > 0) & (curve.forecast < 1)
    np.testing.assert_allclose(curve.happened[inner], 1 + np.log2(curve.forecast[inner]), atol=1e-9)
    np.testing.assert_allclose(curve.otherwise[inner], 1 + np.log2(1 - curve.forecast[inner]), atol=1e-3)
    assert (curve.happened[0], curve.otherwise[-1]) == (-np.inf, -np.inf)


def test_the_reward_of_three_classes_is_that_of_rows_written_out():
    prior = [0.1, 0.45, 0.45]
    curve = reward_curve(METRICS["ir_b"], prior=prior, of=1)
    at = int(np.flatnonzero(curve.forecast == 0.6)[0])
    row = [[0.4 * 0.1 / 0.55, 0.6, 0.4 * 0.45 / 0.55]]
    first, second, third = METRICS["ir_b"].by_class(row, prior=prior)[0]
    assert curve.happened[at] == pytest.approx(second)
    assert curve.otherwise[at] == pytest.approx((0.1 * first + 0.45 * third) / 0.55)


PROPER = [name for name, metric in METRICS.items() if metric.proper and isinstance(metric, ScoringRule)]


@pytest.mark.parametrize("name", PROPER)
@pytest.mark.parametrize(("chance", "prior"), [(0.35, (0.5, 0.5)), (0.7, (0.1, 0.45, 0.45))])
def test_a_proper_metric_pays_best_at_the_chance(name, chance, prior):
    assert reward_curve(METRICS[name], prior=prior).best(chance) == (chance, chance)


def test_the_first_bayesian_reward_is_not_best_at_the_chance():
    """Equation (9) of Hope and Korb (2004): f (1 - q) / (q (1 - f)) = log pi / log(1 - pi)."""
    pi, f = 0.2, 0.7
    ratio = np.log(pi) / np.log(1 - pi)
    best = f / (f + ratio * (1 - f))
    found = reward_curve(METRICS["bayesian_reward"], prior=(pi, 1 - pi)).best(f)
    assert found == pytest.approx((best, best), abs=6e-4)
    assert abs(best - f) > 0.1


def test_the_expected_reward_weighs_both_outcomes():
    curve = reward_curve(METRICS["ir_b"])
    np.testing.assert_array_equal(curve.expected(0.25), 0.25 * curve.happened + 0.75 * curve.otherwise)
    with pytest.raises(WorkbenchError, match=r"chance is 1.0"):
        curve.expected(1.0)


def test_what_has_no_reward_curve_is_reported():
    with pytest.raises(WorkbenchError, match="kl_divergence"):
        reward_curve(METRICS["kl_divergence"])
    for options in ({"prior": (1.0,)}, {"prior": (0.0, 1.0)}, {"of": 2}, {"of": -1}):
        with pytest.raises(WorkbenchError, match=r"prior|of"):
            reward_curve(METRICS["ir_b"], **options)


# Forecasts

TABLE = [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4], [0.2, 0.5, 0.3]]


def test_forecasts_are_named_or_not():
    assert list(Forecasts.of([0, 1, 2, 1], TABLE).by_learner) == ["forecast"]
    checked = Forecasts.of(["a", "b", "c", "b"], {"nb": TABLE, "tan": TABLE}, classes=["a", "b", "c"])
    assert list(checked.by_learner) == ["nb", "tan"]
    assert checked.outcomes.tolist() == [0, 1, 2, 1]
    assert checked.happened(1).tolist() == [False, True, False, True]
    assert checked.code_of("c") == 2


@pytest.mark.parametrize(
    "forecasts, words",
    [
        ({}, "forecasts is empty"),
        (
            {"nb": TABLE, "tan": TABLE[:3]},
            r"different shapes \(nb \(4, 3\), tan \(3, 3\)\)",
        ),
        ({"nb": [[0.5, 0.6]]}, "row 0 of the forecast of nb sums to 1.1"),
        ([0.1, 0.2], r"the forecast has shape \(2,\)"),
    ],
)
def test_forecasts_that_cannot_be_used_are_reported(forecasts, words):
    with pytest.raises(ValueError, match=words):
        Forecasts.of([0, 1, 2, 1], forecasts)


def test_one_class_is_the_second_of_two_and_the_mean_of_more():
    two = Forecasts.of([0, 1], [[0.9, 0.1], [0.4, 0.6]], classes=[0, 1])
    assert two.against_rest().codes == (1,)
    assert two.against_rest(0).words == "0 against the rest"
    three = Forecasts.of([0, 1, 1, 1], TABLE)
    assert three.against_rest(1).codes == (1,)
    every = three.against_rest()
    assert (every.codes, every.left_out) == ((0, 1), ("2",))
    assert "2" in every.notes[0]


def test_a_class_that_is_not_there_or_always_is_reported():
    checked = Forecasts.of([0, 1, 1, 1], TABLE)
    with pytest.raises(WorkbenchError, match="unknown class 'x'"):
        checked.against_rest("x")
    with pytest.raises(WorkbenchError, match="no row is of class 2"):
        checked.against_rest(2)
    with pytest.raises(WorkbenchError, match="every row is of class 1"):
        Forecasts.of([1, 1], [[0.5, 0.5]] * 2).against_rest()
    with pytest.raises(WorkbenchError, match="one class"):
        Forecasts.of([1] * 4, TABLE).against_rest()


def test_rows_are_ranked_by_confidence_by_one_class_or_not_at_all():
    checked = Forecasts.of([0, 1, 2, 1], TABLE)
    assert checked.ranked_by("forecast", "confidence").tolist() == [0.7, 0.8, 0.4, 0.5]
    assert checked.ranked_by("forecast", "forecast", positive=2).tolist() == [0.1, 0.1, 0.4, 0.3]
    assert checked.ranked_by("forecast", "rows") is None
    with pytest.raises(WorkbenchError, match='ranking="forecast" ranks by one class of 3'):
        checked.ranked_by("forecast", "forecast")
    with pytest.raises(WorkbenchError, match=r"'row'.*'rows'"):
        checked.ranked_by("forecast", "row")


# Labels


@pytest.mark.parametrize("curve", [roc_curve, precision_recall_curve, decision_curve, lift_curve])
@pytest.mark.parametrize("labels", [["no", "yes", "no", "yes"], [0, 1, 0, 1]])
def test_labels_with_the_class_named_are_what_happened(curve, labels):
    forecast = [0.2, 0.7, 0.4, 0.3]
    found = curve(labels, forecast, positive=labels[1])
    expected = curve([False, True, False, True], forecast)
    for name in vars(expected):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    other = curve(np.array(labels), forecast, positive=labels[0])
    turned = curve([True, False, True, False], forecast)
    for name in vars(turned):
        np.testing.assert_array_equal(getattr(other, name), getattr(turned, name))


@pytest.mark.parametrize("curve", [roc_curve, precision_recall_curve, decision_curve, lift_curve])
def test_labels_without_a_class_and_classes_without_rows_are_reported(curve):
    with pytest.raises(WorkbenchError, match=r"no: .*positive="):
        curve(["no", "yes"], [0.1, 0.2])
    for labels, one in (([0, 1, 2, 0], 2), ([1, 2, 2], 2), ([-1, 1, 1], -1), ([0.0, 0.5], 0.5)):
        with pytest.raises(WorkbenchError, match=f"y_true has labels, such as {one}: name the class"):
            curve(labels, np.linspace(0, 1, len(labels)))
    with pytest.raises(WorkbenchError, match="no row is of class 'maybe': choose one of 'no', 'yes'"):
        curve(["no", "yes"], [0.1, 0.2], positive="maybe")


@pytest.mark.parametrize("curve", [roc_curve, precision_recall_curve, decision_curve, lift_curve])
def test_what_is_not_known_or_not_one_value_per_row_is_reported(curve):
    for missing in ([0.0, 1.0, np.nan], [True, None, None], pd.Series([True, pd.NA], dtype="boolean")):
        with pytest.raises(
            WorkbenchError, match=r"y_true has . missing values?, the first in row [23]: drop"
        ):
            curve(missing, np.linspace(0, 1, len(missing)))
    with pytest.raises(WorkbenchError, match=r"y_true has shape \(2, 2\)"):
        curve([[1, 2], [1, 2]], [0.1, 0.2], positive=1)
    with pytest.raises(WorkbenchError, match="there are 3 outcomes and 2 forecasts"):
        curve([0, 1, 1], [0.1, 0.2])


def test_bools_zeros_and_ones_are_what_happened():
    expected = roc_curve([False, True], [0.1, 0.2]).true_positive
    for same in ([0.0, 1.0], np.array([0, 1]), pd.Series([0, 1]), [np.False_, np.True_], ["no", "yes"]):
        positive = "yes" if isinstance(same[0], str) else None
        np.testing.assert_array_equal(roc_curve(same, [0.1, 0.2], positive=positive).true_positive, expected)
