"""Leaderboards: means against numpy, unequal parts, and no leader among equals."""

import numpy as np
import pytest

from workbench.arena.leaderboard import SHARED, View, board, contestants, views
from workbench.comparisons import bradley_terry, rank_intervals

TWELVE = np.linspace(0, 0.11, 12)


def on_map(array, scores):
    """Return the eight places of the map."""
    return np.asarray(array, dtype=np.float64)[:, :8]


def test_means_are_those_of_places_and_sizes(make_scores):
    scores = make_scores(TWELVE)
    found = {one.learner: one for one in board(scores, View()).standings}
    assert len(found) == 12
    regret = on_map(scores.regret, scores).mean(axis=2).mean(axis=(1, 2))
    accuracy = on_map(scores.values["accuracy"], scores).mean(axis=(1, 2, 3))
    for i, learner in enumerate(scores.learners):
        if learner in found:
            assert found[learner].regret == pytest.approx(regret[i])
            assert found[learner].accuracy == pytest.approx(accuracy[i])


def test_regret_is_to_the_optimum_or_else_to_the_truth(make_scores):
    scores = make_scores(TWELVE)
    loss = on_map(scores.values["kl_divergence"], scores)
    with_optimum = board(scores, View(kind="naive_bayes")).standings[0]
    i = scores.at(with_optimum.learner)
    assert with_optimum.regret == pytest.approx((loss[i] - loss[1])[:4].mean())
    without_optimum = board(scores, View(kind="tan")).standings[0]
    assert without_optimum.regret == pytest.approx(loss[scores.at(without_optimum.learner), 4:].mean())
    assert board(scores, View()).n_with_optimum == 4


def test_ranks_strengths_and_intervals_are_those_of_the_comparisons(make_scores):
    scores = make_scores(TWELVE)
    values = on_map(scores.regret, scores)[3:].transpose(1, 2, 0, 3).reshape(64, 12, 3)
    strata = np.repeat(np.arange(8), 8)
    ranks = rank_intervals(values, direction="lower", strata=strata)
    games = bradley_terry(values, direction="lower", strata=strata, tie=1e-6, n_resamples=50)
    for one in board(scores, View(), n_resamples=50).standings:
        i = scores.at(one.learner) - 3
        assert (one.first, one.last) == (ranks.low[i], ranks.high[i])
        assert (one.low, one.high) == pytest.approx((ranks.mean_low[i], ranks.mean_high[i]))
        assert (one.strength, one.weakest) == pytest.approx((games.strength[i], games.low[i]))


def test_times_are_medians_and_forecasts_are_timed_where_only_test_rows_are_forecast(make_scores):
    scores = make_scores(TWELVE)
    first = board(scores, View()).standings[0]
    i = scores.at(first.learner)
    assert first.fit == pytest.approx(np.median(scores.seconds["fit"][i, :8]))
    wide = [2, 3, 6, 7]
    assert first.forecast == pytest.approx(np.median(scores.seconds["predict"][i, wide]))
    assert np.isnan(board(scores, View(width="narrow")).standings[0].forecast)


def test_times_are_of_the_places_where_nothing_failed(make_scores):
    scores = make_scores(TWELVE)
    scores.seconds["fit"][scores.at("learner_00"), 0] = np.nan
    found = {one.learner: one for one in board(scores, View()).standings}
    expected = np.median(scores.seconds["fit"][scores.at("learner_00"), 1:8])
    assert found["learner_00"].fit == pytest.approx(expected)


@pytest.mark.parametrize(
    ("view", "places", "sizes"),
    [
        (View(kind="tan"), slice(4, 8), slice(0, 3)),
        (View(sizes="500"), slice(0, 8), slice(1, 2)),
        (View(difficulty="easy"), slice(0, 8, 2), slice(0, 3)),
        (View(width="wide", kind="naive_bayes"), slice(2, 4), slice(0, 3)),
        (View("tan", "50", "hard"), slice(5, 8, 2), slice(0, 1)),
    ],
    ids=lambda value: value.key if isinstance(value, View) else "",
)
def test_a_view_is_of_its_places_and_sizes(make_scores, view, places, sizes):
    scores = make_scores(TWELVE)
    found = board(scores, view)
    for one in found.standings:
        expected = on_map(scores.regret, scores)[scores.at(one.learner), places, :, sizes].mean()
        assert one.regret == pytest.approx(expected)
    assert found.sizes == scores.sizes[sizes]
    assert found.n_places == len(range(8)[places])


def test_views_are_of_more_than_one_place(make_scores):
    found = views(make_scores(TWELVE))
    assert found[0] == View()
    # four choices of sizes; of kind, difficulty and width not all three at once
    assert len(found) == len(set(found)) == 4 * (3 * 3 * 3 - 8)
    assert View("tan", "50", "hard", "") in found
    assert View("tan", "50", "hard", "wide") not in found


def test_the_truth_the_optimum_and_the_prior_are_not_ranked(make_scores):
    scores = make_scores(TWELVE)
    assert not {"truth", "optimal", "prior"} & set(contestants(scores))
    found = board(scores, View(kind="naive_bayes"))
    assert [one.learner for one in found.yardsticks] == ["truth", "optimal", "prior"]
    assert {one.first for one in found.yardsticks} == {0}
    assert found.yardsticks[1].regret == 0
    assert [one.learner for one in board(scores, View()).yardsticks] == ["truth", "prior"]


# Unequal parts


def test_means_are_of_the_truths_that_all_have(make_scores, without):
    scores = without(make_scores(TWELVE), "learner_05", truths=slice(3, None))
    found = board(scores, View())
    assert (found.n_truths, len(found.standings)) == (24, 12)
    for one in found.standings:
        expected = on_map(scores.regret, scores)[scores.at(one.learner), :, :3].mean()
        assert one.regret == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(2))
def test_nobody_is_found_better_than_the_learner_with_the_best_mean(make_scores, without, seed):
    """Ranks and means are of the same truths, also where one learner was tried on few that suit it."""
    whole = make_scores(np.linspace(0, 0.02, 12), n_truths=12, seed=seed)
    found = board(without(whole, "learner_05", truths=slice(2, None)), View())
    assert found.standings[0].first == 1
    assert found.leaders


def test_a_learner_without_large_sizes_is_left_out_of_all_sizes_and_ranked_on_shared_ones(
    make_scores, without
):
    scores = without(make_scores(TWELVE), "learner_02", sizes=slice(2, None))
    found = board(scores, View())
    assert len(found.standings) == 11
    assert found.left_out == (("learner_02", "no scores with 5,000 training rows"),)
    assert View(sizes=SHARED) in views(scores)
    shared = board(scores, View(sizes=SHARED))
    assert (len(shared.standings), shared.sizes) == (12, (50, 500))


def test_where_all_have_all_sizes_there_is_no_choice_of_shared_ones(make_scores):
    assert View(sizes=SHARED) not in views(make_scores(TWELVE))


def test_sizes_that_few_have_do_not_count(make_scores, without):
    scores = make_scores(TWELVE)
    for learner in contestants(scores)[:6]:
        scores = without(scores, learner, sizes=slice(2, None))
    found = board(scores, View())
    assert (len(found.standings), found.sizes) == (12, (50, 500))


def test_a_learner_that_failed_at_a_place_says_so(make_scores, without):
    scores = without(make_scores(TWELVE), "learner_02")
    scores.values["kl_divergence"][scores.at("learner_02"), 0] = np.nan
    found = board(scores, View())
    assert found.left_out == (("learner_02", "no scores in 3 of 24 pairs of place and size"),)
    assert len(board(scores, View(kind="tan")).standings) == 12


def test_one_failed_truth_is_left_out_for_all(make_scores, without):
    scores = without(make_scores(TWELVE), "learner_02")
    scores.values["kl_divergence"][scores.at("learner_02"), 0, 0, 0] = np.nan
    found = board(scores, View())
    regret = on_map(scores.regret, scores)
    cells = regret.mean(axis=2)
    cells[:, 0, 0] = regret[:, 0, 1:, 0].mean(axis=1)
    expected = cells[scores.at(found.standings[0].learner)].mean()
    assert found.standings[0].regret == pytest.approx(expected)


# Newcomers

NEW = "learner_05"


@pytest.mark.parametrize("view", [View(), View(sizes=SHARED), View(sizes="5000"), View(kind="tan")])
def test_a_newcomer_with_a_small_part_changes_nothing_for_the_others(make_scores, without, only, view):
    scores = without(
        make_scores(TWELVE), "learner_02", sizes=slice(2, None)
    )  # so that there are shared sizes
    scores = without(scores, NEW, truths=slice(2, None), sizes=slice(1, None))
    before = board(only(scores, [key for key in scores.learners if key != NEW]), view, n_resamples=20)
    after = board(scores, view, newcomers=[NEW], n_resamples=20)
    assert repr(after.standings) == repr(before.standings)
    assert repr(after.yardsticks) == repr(before.yardsticks)
    assert (after.sizes, after.n_truths, after.n_cells) == (before.sizes, before.n_truths, before.n_cells)
    assert after.leaders == before.leaders


def test_a_newcomer_is_ranked_by_itself_on_what_it_has(make_scores, without):
    scores = without(make_scores(TWELVE), NEW, truths=slice(3, None), sizes=slice(2, None))
    found = board(scores, View(), newcomers=[NEW], n_resamples=20)
    (own,) = found.newcomers
    values = on_map(scores.regret, scores)[3:, :, :3, :2].transpose(1, 2, 0, 3).reshape(24, 12, 2)
    strata, i = np.repeat(np.arange(8), 3), scores.at(NEW) - 3
    ranks = rank_intervals(values, direction="lower", strata=strata)
    games = bradley_terry(values, direction="lower", strata=strata, tie=1e-6, n_resamples=20)
    assert (own.n_learners, own.n_truths, own.sizes) == (12, 24, (50, 500))
    one = own.standing
    assert (one.first, one.last) == (ranks.own_low[i], ranks.own_high[i])
    assert (one.first, one.last) != (ranks.low[i], ranks.high[i])
    assert (one.regret, one.low) == pytest.approx((ranks.mean[i], ranks.mean_low[i]))
    assert one.strength == pytest.approx(games.strength[i])
    accuracy = on_map(scores.values["accuracy"], scores)[scores.at(NEW), :, :3, :2]
    assert one.accuracy == pytest.approx(accuracy.mean())
    assert one.fit == pytest.approx(np.median(scores.seconds["fit"][scores.at(NEW), :8, :2]))
    assert own.n_ahead == (ranks.mean < ranks.mean[i]).sum()


def test_a_newcomer_with_all_that_counts_is_ranked_with_the_others(make_scores):
    scores = make_scores(TWELVE)
    found = board(scores, View(), newcomers=[NEW], n_resamples=20)
    assert found.newcomers == ()
    assert repr(found.standings) == repr(board(scores, View(), n_resamples=20).standings)


def test_newcomers_do_not_meet_each_other(make_scores, without):
    scores = make_scores(TWELVE)
    for key in (NEW, "learner_07"):
        scores = without(scores, key, sizes=slice(1, None))
    both = board(scores, View(), newcomers=[NEW, "learner_07"], n_resamples=20).newcomers
    assert [(one.learner, one.n_learners) for one in both] == [(NEW, 11), ("learner_07", 11)]


def test_a_newcomer_without_anything_that_counts_is_left_out(make_scores, without):
    scores = without(make_scores(TWELVE), NEW, sizes=slice(1, None))
    found = board(scores, View(sizes="5000"), newcomers=[NEW], n_resamples=2)
    assert (found.newcomers, found.left_out) == ((), ((NEW, "no scores with 5,000 training rows"),))


@pytest.mark.parametrize(("regret", "n_ahead"), [(-1.0, 0), (0.055, 6), (1.0, 12)])
def test_a_newcomer_stands_after_as_many_as_are_ahead_on_its_part(make_scores, without, regret, n_ahead):
    scores = make_scores([*TWELVE, regret], spread=0.001)
    scores = without(scores, "learner_12", truths=slice(2, None), sizes=slice(1, None))
    found = board(scores, View(), newcomers=["learner_12"], n_resamples=2)
    (own,) = found.newcomers
    assert own.n_ahead == n_ahead
    assert sum(one.regret < found.order(own) for one in found.standings) == n_ahead


# Equals


def test_twelve_equal_learners_have_no_leader(make_scores):
    found = [board(make_scores(np.zeros(12), seed=seed), View(), n_resamples=2) for seed in range(12)]
    orderless = [one.has_no_order for one in found]
    assert sum(orderless) >= 10  # 11 or 12 of 12 expected; fewer than 10 would be one case in 50
    first = next(one for one in found if one.has_no_order)
    assert len(first.leaders) == 12


def test_identical_learners_tie(make_scores):
    scores = make_scores(np.zeros(4), spread=0.0)
    found = board(scores, View())
    assert found.has_no_order
    assert [one.strength for one in found.standings] == pytest.approx([0] * 4)


def test_kinds_of_networks_and_the_others_can_be_chosen_together():
    from workbench.profiles.reference import read_reference

    learners = ["truth", "optimal", "prior", "nb", "tan", "c45", "mml_tree"]
    scores = read_reference().scores.only(learners=learners, n_truths=4, sizes=[500, 1500])
    kinds = [view.kind for view in views(scores)]
    assert {"networks", "other_kinds"} <= set(kinds)
    whole, networks, others = (
        board(scores, View(kind=kind), n_resamples=20) for kind in ("", "networks", "other_kinds")
    )
    assert (networks.n_places, others.n_places) == (30, 24)
    regret = [{one.learner: one.regret for one in own.standings} for own in (whole, networks, others)]
    for key in ("nb", "tan", "c45", "mml_tree"):
        assert regret[0][key] == pytest.approx((30 * regret[1][key] + 24 * regret[2][key]) / 54)
    assert networks.n_with_optimum == 30
    assert min(regret[1], key=regret[1].get) == "tan"
    assert min(regret[2], key=regret[2].get) == "mml_tree"
