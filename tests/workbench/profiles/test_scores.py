"""Scores on a suite: regret, joining, and intervals."""

from dataclasses import replace

import numpy as np
import pytest

from workbench.comparisons import stratified_mean
from workbench.profiles.intervals import stratified_means
from workbench.profiles.scores import LOSS, joined


def test_regret_is_the_loss_beyond_that_of_the_optimum(scores) -> None:
    place, size = scores.places.index("tan-narrow-hard"), scores.sizes.index(50)
    loss = scores.values[LOSS].astype(float)[:, place, :, size]
    expected = loss[scores.at("nb")] - loss[scores.at("optimal")]
    assert scores.regret[scores.at("nb"), place, :, size] == pytest.approx(expected)


def test_where_there_is_no_optimum_regret_is_the_distance_to_the_truth(scores) -> None:
    place = scores.places.index("rules-wide-easy")
    without = scores.values[LOSS].copy()
    without[scores.at("optimal"), place] = np.nan
    lacking = replace(scores, values={**scores.values, LOSS: without})
    assert not lacking.has_optimum[place]
    loss = without.astype(float)
    expected = loss[scores.at("nb"), place] - loss[scores.at("truth"), place]
    assert lacking.regret[scores.at("nb"), place] == pytest.approx(expected)


def test_joined_scores_stand_where_their_places_truths_and_sizes_are(scores) -> None:
    own = scores.only(learners=["nb"], places=scores.places[5:9], n_truths=2, sizes=[50, 500])
    found = joined(own, scores.only(learners=["tan"], places=scores.places[::-1]))
    assert found.learners == ("nb", "tan")
    expected = scores.values[LOSS][scores.at("tan"), 5:9, :2][..., [1, 3]]
    assert np.array_equal(found.values[LOSS][1], expected, equal_nan=True)


def test_what_was_not_tried_is_unknown(scores) -> None:
    few = scores.only(learners=["tan"], n_truths=1, sizes=[20])
    found = joined(scores.only(learners=["nb"]), few)
    assert np.isfinite(found.values[LOSS][1][:, 0, 0]).sum() == 54
    assert np.isnan(found.values[LOSS][1][:, 1:]).all()


def test_means_of_places_are_those_of_the_comparison() -> None:
    values = np.random.default_rng(1).normal(size=(3, 5))
    found = stratified_means(values, n_intervals=7)
    one = stratified_mean(values.ravel(), np.repeat(range(3), 5), n_intervals=7)
    assert (found.mean, found.low, found.high) == pytest.approx((one.mean, one.low, one.high))


def test_means_of_places_leave_out_truths_that_were_not_tried() -> None:
    values = np.array([[1.0, 3.0, np.nan], [2.0, 4.0, 6.0]])
    found = stratified_means(values)
    one = stratified_mean([1.0, 3.0, 2.0, 4.0, 6.0], ["a", "a", "b", "b", "b"])
    assert (float(found.mean), float(found.low)) == pytest.approx((one.mean, one.low))


def test_one_truth_of_a_place_has_no_interval() -> None:
    found = stratified_means(np.array([[1.0, np.nan], [2.0, 3.0]]))
    assert float(found.mean) == 1.75
    assert np.isnan(found.low)
