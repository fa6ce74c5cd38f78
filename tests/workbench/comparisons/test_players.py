"""Strengths and intervals of ranks: small cases by hand, other programs, and how often they hold."""

import functools
import itertools
from importlib import import_module

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import norm, ttest_rel

from workbench import comparisons
from workbench.comparisons import stratified_mean
from workbench.comparisons._shared.multiplicity import holm

bradley_terry = functools.partial(comparisons.bradley_terry, direction="lower")
rank_intervals = functools.partial(comparisons.rank_intervals, direction="lower")


def drawn(n_subjects, n_players, seed=0, n_settings=None):
    rng = np.random.default_rng(seed)
    shape = (n_subjects, n_players) if n_settings is None else (n_subjects, n_players, n_settings)
    level = rng.normal(size=(n_subjects, *[1] * (len(shape) - 1)))
    own = np.linspace(0, 1, n_players).reshape((n_players, *[1] * (len(shape) - 2)))
    return level + own + rng.normal(size=shape)


# Strengths


def test_two_players_share_the_odds_of_their_games():
    found = bradley_terry([[1, 2], [1, 2], [1, 2], [2, 1]], penalty=1e-9)
    assert found.strength == pytest.approx([np.log(3) / 2, -np.log(3) / 2], abs=1e-8)
    assert found.wins[0, 1] == 0.75
    assert found.games.tolist() == [[0, 4], [4, 0]]


def test_a_tie_is_half_a_win():
    found = bradley_terry([[1, 2], [1, 1 + 1e-12]], penalty=1e-9)
    assert found.wins[0, 1] == 0.75


def test_scores_as_far_apart_as_a_tie_allows_are_one():
    assert bradley_terry([[0, 1], [0, 1]], tie=1.0).wins[0, 1] == 0.5
    assert bradley_terry([[0, 1], [0, 1]], tie=0.5).wins[0, 1] == 1.0


@pytest.mark.parametrize("penalty", [0.1, 1.0, 5.0])
def test_one_who_wins_all_is_as_strong_as_its_drawn_games_allow(penalty):
    # by hand: with strengths b and -b, n games won and `penalty` drawn games of each against strength zero,
    # the derivative is 2 n (1 - s(2b)) + 2 penalty (1/2 - s(b)) = 0
    n = 8
    found = bradley_terry([[0, 1]] * n, penalty=penalty)
    b = found.strength[0]
    assert 2 * n / (1 + np.exp(2 * b)) == pytest.approx(2 * penalty * (1 / (1 + np.exp(-b)) - 0.5), abs=1e-9)


@pytest.mark.parametrize("direction", ["lower", "higher"])
def test_strengths_are_the_penalized_maximum_likelihood_of_a_general_optimizer(direction):
    values = drawn(40, 5)
    values[np.random.default_rng(1).random(values.shape) < 0.2] = np.nan
    sign = 1 if direction == "higher" else -1
    found = bradley_terry(values, direction=direction, penalty=2.0, n_resamples=2)

    def loss(free):
        b = np.append(free, -free.sum())
        total = 2.0 / 40 * 0.5 * np.sum(np.logaddexp(0, b) + np.logaddexp(0, -b))
        for i in range(5):
            for j in range(i):
                gap = sign * (values[:, i] - values[:, j])
                share = np.mean(gap[~np.isnan(gap)] > 0)
                total += share * np.logaddexp(0, b[j] - b[i]) + (1 - share) * np.logaddexp(0, b[i] - b[j])
        return total

    best = minimize(loss, np.zeros(4), method="BFGS", options={"gtol": 1e-12}).x
    for _ in range(3):  # BFGS stops at the digits of its differences of the loss; Newton has the rest
        best = best - np.linalg.solve(*_derivatives(loss, best))
    assert found.strength == pytest.approx(np.append(best, -best.sum()), abs=1e-8)


def _derivatives(f, at, step=1e-3):
    """Return Hessian and gradient by central differences, with the error of the fourth order."""
    units = np.eye(len(at))
    weights = {-2: 1 / 12, -1: -2 / 3, 1: 2 / 3, 2: -1 / 12}
    gradient = np.array([sum(w * f(at + k * step * u) for k, w in weights.items()) for u in units]) / step
    hessian = np.zeros((len(at), len(at)))
    for i, j in itertools.product(range(len(at)), repeat=2):
        signs = itertools.product((-1, 1), repeat=2)
        hessian[i, j] = sum(a * b * f(at + step * (a * units[i] + b * units[j])) for a, b in signs) / (
            4 * step**2
        )
    return hessian, gradient


def test_the_order_of_players_permutes_strengths():
    values, order = drawn(25, 5, n_settings=2), [3, 0, 4, 1, 2]
    before, after = bradley_terry(values, n_resamples=50), bradley_terry(values[:, order], n_resamples=50)
    for name in ("strength", "low", "high", "p_win"):
        assert getattr(after, name) == pytest.approx(getattr(before, name)[order], abs=1e-9)


def test_the_direction_turns_strengths_round():
    values = drawn(25, 5)
    lower = bradley_terry(values, n_resamples=2)
    assert bradley_terry(values, direction="higher", n_resamples=2).strength == pytest.approx(-lower.strength)


def test_a_player_does_not_matter_more_for_having_played_more():
    # every pair has the same shares, on the few subjects of the third player and on all
    few = np.array([[1.0, 2, 3], [2, 1, 3], [1, 2, 0], [2, 1, 0]])
    more = np.concatenate([few, few, few])
    more[4:, 2] = np.nan
    once, thrice = bradley_terry(few, penalty=1e-9), bradley_terry(more, penalty=1e-9)
    assert once.strength == pytest.approx(thrice.strength, abs=1e-8)


def test_each_stratum_and_setting_counts_alike():
    values = np.array([[0.0, 1], [0, 1], [1, 0], [1, 0], [1, 0], [1, 0]])
    assert bradley_terry(values).wins[0, 1] == pytest.approx(1 / 3)
    assert bradley_terry(values, strata=[0, 0, 1, 1, 1, 1]).wins[0, 1] == 0.5
    settings = np.stack([values, np.full_like(values, np.nan)], axis=2)
    settings[:2, :, 1] = [0, 1]
    assert bradley_terry(settings).wins[0, 1] == pytest.approx((1 / 3 + 1) / 2)


def test_players_that_never_met_the_others_are_named():
    values = [[1, 2, np.nan, np.nan], [np.nan, np.nan, 2, 1]]
    with pytest.raises(ValueError, match=r"players \[2, 3\]"):
        bradley_terry(values)


def test_infinite_scores_lose():
    assert bradley_terry([[1, np.inf], [np.inf, np.inf]], n_resamples=2).wins[0, 1] == 0.75


def test_intervals_of_strengths_are_about_those_of_a_log_odds():
    # two players: the strength is half the log odds of a binomial share, by the delta method
    n, share = 400, 0.7
    values = np.tile([0.0, 1.0], (n, 1))
    values[: int((1 - share) * n)] = [1, 0]
    found = bradley_terry(values, penalty=1e-9, n_resamples=4000)
    expected = 1.966 * 0.5 / np.sqrt(n * share * (1 - share))
    assert found.high[0] - found.strength[0] == pytest.approx(expected, rel=0.05)


def test_games_on_one_subject_are_not_independent():
    values = drawn(50, 2)
    once = bradley_terry(values)
    thrice = bradley_terry(np.repeat(values[:, :, None], 3, axis=2))
    assert thrice.high - thrice.low == pytest.approx(once.high - once.low, rel=1e-6)


def test_blocks_of_subjects_change_nothing(monkeypatch):
    values = drawn(50, 4)
    values[::7, 1] = np.nan
    whole = bradley_terry(values, n_resamples=20)
    monkeypatch.setattr(import_module("workbench.comparisons.bradley_terry"), "BLOCK", 20)
    assert bradley_terry(values, n_resamples=20).low == pytest.approx(whole.low, abs=1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"penalty": 0}, "penalty is 0"),
        ({"n_resamples": 1}, "n_resamples is 1"),
        ({"strata": [1, 2]}, "strata has shape"),
        ({"strata": [1, 1, 2]}, "stratum 2"),
    ],
)
def test_what_cannot_be_used_is_named(options, message):
    with pytest.raises(ValueError, match=message):
        bradley_terry([[1, 2], [2, 1], [1, 2]], **options)


@pytest.mark.parametrize("values", [[1, 2], np.zeros((2, 2, 2, 2))])
@pytest.mark.parametrize("comparison", [bradley_terry, rank_intervals])
def test_scores_of_other_axes_are_refused(comparison, values):
    with pytest.raises(ValueError, match="values has shape"):
        comparison(values)


# Intervals of ranks


def test_three_players_far_apart_have_one_rank_each():
    values = np.array([[3.0, 1, 2]]) + 0.01 * drawn(6, 3)
    found = rank_intervals(values)
    assert found.low.tolist() == found.high.tolist() == [3, 1, 2]
    assert rank_intervals(values, direction="higher").low.tolist() == [1, 3, 2]


def test_players_that_are_not_found_different_share_their_ranks():
    # by hand: the first two differ by 0 on average, both from the third by far
    values = [[0.0, 1, 50], [1, 0, 51], [0, 1, 50], [1, 0, 51]]
    found = rank_intervals(values)
    assert (found.low.tolist(), found.high.tolist()) == ([1, 1, 3], [2, 2, 3])


def test_equal_players_have_every_rank_and_p_one():
    found = rank_intervals(np.repeat(np.array([[0.1], [0.7], [0.3]]), 4, axis=1))
    assert found.low.tolist() == [1] * 4
    assert found.high.tolist() == [4] * 4
    assert (found.p == 1).all()


def test_a_constant_lead_is_found():
    found = rank_intervals([[0.1, 0.2], [0.4, 0.5], [0.7, 0.8]])
    assert found.low.tolist() == found.high.tolist() == [1, 2]


def test_p_values_are_those_of_paired_t_tests():
    values = drawn(12, 4)
    found = rank_intervals(values)
    for i in range(4):
        for j in range(i):
            assert found.p[i, j] == pytest.approx(ttest_rel(values[:, i], values[:, j]).pvalue)
            assert found.difference[i, j] == pytest.approx((values[:, i] - values[:, j]).mean())


def test_p_values_with_missing_scores_are_those_of_the_shared_subjects():
    values = drawn(20, 3)
    values[:7, 0] = values[5:9, 1] = np.nan
    shared = ~np.isnan(values[:, :2]).any(axis=1)
    expected = ttest_rel(values[shared, 0], values[shared, 1]).pvalue
    assert rank_intervals(values).p[0, 1] == pytest.approx(expected)


def test_strata_are_averaged_with_the_error_of_a_stratified_mean():
    strata = np.repeat(["a", "b", "c"], [4, 9, 7])
    values = drawn(20, 2) + np.where(strata == "a", 5.0, 0.0)[:, None] * [1, 0]
    found = rank_intervals(values, strata=strata)
    expected = stratified_mean(values[:, 0] - values[:, 1], strata)
    assert found.difference[0, 1] == pytest.approx(expected.mean)
    own = stratified_mean(values[:, 0], strata, n_intervals=2)
    assert (found.mean[0], found.mean_low[0], found.mean_high[0]) == pytest.approx(own[:3])


def test_ranks_follow_from_the_adjusted_p_values():
    values = drawn(14, 6)
    found = rank_intervals(values)
    one_sided = np.where(found.difference < 0, found.p / 2, 1 - found.p / 2)
    apart = ~np.eye(6, dtype=bool)
    better = np.zeros((6, 6), dtype=bool)
    better[apart] = holm(one_sided[apart]) <= 0.05
    assert 0 < better.sum() < 15
    assert found.low.tolist() == (1 + better.sum(axis=0)).tolist()
    assert found.high.tolist() == (6 - better.sum(axis=1)).tolist()


def test_intervals_of_single_players_are_never_wider():
    for seed in range(20):
        found = rank_intervals(drawn(10, 8, seed=seed))
        assert (found.low <= found.own_low).all()
        assert (found.own_high <= found.high).all()


def test_the_order_of_players_permutes_ranks():
    values, order = drawn(15, 5, n_settings=2), [3, 0, 4, 1, 2]
    before, after = rank_intervals(values), rank_intervals(values[:, order])
    for name in ("low", "high", "own_low", "own_high"):
        assert getattr(after, name).tolist() == getattr(before, name)[order].tolist()


def test_players_without_enough_subjects_in_common_are_named():
    values = drawn(6, 3)
    values[:3, 0] = values[2:, 1] = np.nan
    message = "players 0 and 1 .*stratum a .*setting 0"
    with pytest.raises(ValueError, match=message):
        rank_intervals(values, strata=["a"] * 6)


def test_infinite_scores_have_no_mean():
    with pytest.raises(ValueError, match=r"infinite at \(1, 0, 0\)"):
        rank_intervals([[1, 2], [np.inf, 3]])


# How often they hold


@pytest.mark.slow
def test_twelve_equal_players_have_no_leader():
    rng = np.random.default_rng(3)
    found = [rank_intervals(rng.normal(size=(60, 12))) for _ in range(400)]
    silent = [(one.low == 1).all() and (one.high == 12).all() for one in found]
    assert np.mean(silent) >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / 400)


@pytest.mark.slow
def test_intervals_of_strengths_hold_where_the_strengths_are_known_exactly():
    mean, spread = np.linspace(0, 1, 6), np.linspace(0.5, 1.5, 6)
    share = norm.cdf((mean[None] - mean[:, None]) / np.hypot(spread[None], spread[:, None]))
    exact = _strengths_of(share)
    rng, held = np.random.default_rng(5), []
    for _ in range(200):
        scores = mean + 2 * rng.normal(size=(80, 1)) + spread * rng.normal(size=(80, 6))
        found = bradley_terry(scores, n_resamples=200)
        held.append(((found.low <= exact) & (exact <= found.high)).mean())
    assert 0.93 <= np.mean(held) <= 0.97


def _strengths_of(share):
    """Return the strengths of a matrix of win probabilities, by minorization and maximization."""
    wins = np.where(np.eye(len(share), dtype=bool), 0, share).sum(axis=1)
    worth = np.ones(len(share))
    for _ in range(5000):
        total = 1 / (worth[:, None] + worth)
        np.fill_diagonal(total, 0)
        worth = wins / total.sum(axis=1)
        worth /= np.exp(np.log(worth).mean())
    return np.log(worth)
