"""Analyses: which scores they take, and their numbers against scipy's and numpy's."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from generators import random_tan
from workbench import Source, compare
from workbench.analyses import (
    Comparison,
    ComparisonToBase,
    Deviations,
    Means,
    PairedScores,
    Sampling,
    Variance,
    Verdict,
    paired_scores,
)
from workbench.base.errors import SameTruths, Untested, WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.comparisons import holm, paired_differences, rm_anova
from workbench.designs import FreshSamples

EXACT = ScoreKey("ir_b", "marginal", "exact", "none")
SAMPLED = EXACT._replace(rows="test")
KL = ScoreKey("kl_divergence", "none", "exact", "none")
N_TRUTHS = 7


def experiment(values, *, score=EXACT, source="tan", **fields):
    """Make an experiment of an array (replicates, learners, sizes)."""
    array = np.asarray(values, dtype=float)
    learners = tuple("abcdefgh"[: array.shape[1]])
    sizes = tuple(50 * 10**j for j in range(array.shape[2]))
    return PairedScores(source, score, learners, sizes, tuple(range(len(array))), array, **fields)


@pytest.fixture(scope="module")
def values():
    """Return scores of seven truths, three learners, two sizes."""
    rng = np.random.default_rng(3)
    return rng.normal(size=(N_TRUTHS, 1, 1)) + 0.5 * rng.normal(size=(N_TRUTHS, 3, 2)) + [[[0], [0.3], [1.5]]]


@pytest.fixture(scope="module")
def noise():
    return 0.01 * np.random.default_rng(4).normal(size=(N_TRUTHS, 2))


# Experiments


def test_an_experiment_holds_replicate_by_learner_by_size(made_up):
    nb, tan = np.arange(6.0).reshape(3, 2), np.arange(10.0, 16.0).reshape(3, 2)
    (found,) = paired_scores(made_up({"tan": {"nb": nb, "tan": tan}}))
    assert (found.source, found.score, found.learners) == ("tan", EXACT, ("nb", "tan"))
    assert (found.sizes, found.blocks, found.notes) == ((50, 500), (0, 1, 2), ())
    np.testing.assert_array_equal(found.values, np.stack([nb, tan], axis=1))
    assert (found.unit, found.sign, found.truth) == ("bits", 1.0, None)


def test_a_replicate_that_lacks_a_score_is_left_out_for_all_and_reported(made_up):
    nb = [[1.0, 2], [3, 4], [5, 6], [7, 8]]
    tan = [[1.0, 2], [3, np.nan], [5, 6], [np.nan, 8]]
    truth = [[9.0, 9], [8, 8], [7, 7], [6, 6]]
    (found,) = paired_scores(made_up({"tan": {"nb": nb, "tan": tan, "truth": truth}}))
    assert found.blocks == (0, 2)
    np.testing.assert_array_equal(found.values, [[[1, 2], [1, 2]], [[5, 6], [5, 6]]])
    np.testing.assert_array_equal(found.alongside["truth"], [[9, 9], [7, 7]])
    assert found.truth == "truth"
    (note,) = found.notes
    assert note == "some TAN truths are left out for every learner: TAN has no score on 2"


def test_training_sets_of_a_truth_are_one_subject(made_up):
    nb = np.array([[[1.0, 3.0]], [[5.0, 6.0]]])
    (found,) = paired_scores(made_up({"tan": {"nb": nb, "tan": 2 * nb}}, sizes=(50,)))
    np.testing.assert_array_equal(found.values[:, :, 0], [[2.0, 4.0], [5.5, 11.0]])


FIVE = {
    key: [[float(i), i + 1.0], [2.0 * i, i]] for i, key in enumerate(("nb", "tan", "aode", "prior", "truth"))
}


@pytest.mark.parametrize(
    "of_study, asked, expected",
    [
        ((), None, ("nb", "tan", "aode")),
        (("aode", "nb"), None, ("nb", "aode")),
        (("aode", "nb"), ["tan", "truth"], ("tan", "truth")),
        (("nb", "prior"), None, ("nb", "prior")),
    ],
)
def test_the_compared_are_those_asked_for_else_the_studys_else_all_but_yardsticks(
    made_up, of_study, asked, expected
):
    (found,) = paired_scores(made_up({"tan": FIVE}, compared=of_study), learners=asked)
    assert found.learners == expected
    assert set(found.alongside) == set(FIVE) - set(expected)


def test_a_learner_with_an_infinite_score_is_not_compared_and_noted(made_up):
    results = made_up({"tan": {**FIVE, "aode": [[-np.inf, 1.0], [1.0, -np.inf]]}})
    (found,) = paired_scores(results)
    assert found.learners == ("nb", "tan")
    (note,) = found.notes
    assert "infinite in 2 cells" in note
    assert "ir_b/marginal/exact/2002" in note
    assert [one.learner for one in found.left_out] == ["aode"]
    assert np.isinf(found.alongside["aode"]).sum() == 2


def test_an_infinite_score_that_was_asked_for_is_an_error_that_names_the_cut_off(made_up):
    results = made_up({"tan": {**FIVE, "aode": [[-np.inf, 1.0], [1.0, 1.0]]}})
    with pytest.raises(WorkbenchError, match=r"aode .* 1 cell on tan, .*ir_b/marginal/exact/2002"):
        paired_scores(results, learners=["nb", "aode"])


def test_a_learner_without_scores_is_not_compared_and_noted(made_up):
    (found,) = paired_scores(made_up({"tan": {**FIVE, "aode": [[np.nan] * 2] * 2}}))
    assert found.learners == ("nb", "tan")
    assert [one.learner for one in found.left_out] == ["aode"]
    assert np.isnan(found.alongside["aode"]).all()


@pytest.mark.parametrize(
    "options, sentence",
    [
        ({"learners": ["nb"]}, r"learners is \['nb'\]"),
        ({"learners": ["nb", "nb"]}, r"learners is \['nb', 'nb'\]"),
        ({"learners": ["nb", "tann"]}, "'tann'.*'tan'"),
        (
            {"score": "///2001"},
            "ir_b///2001.*ir_b/marginal/exact/none",
        ),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(made_up, options, sentence):
    with pytest.raises(WorkbenchError, match=sentence) as caught:
        paired_scores(made_up({"tan": FIVE}), **options)
    assert "\n" not in str(caught.value)


def test_too_few_learners_are_reported_with_the_reason(made_up):
    with pytest.raises(WorkbenchError, match="on TAN truths"):
        paired_scores(made_up({"tan": {"nb": [[1.0, 2]], "prior": [[1.0, 2]]}}))
    infinite = made_up({"tan": {"nb": [[1.0, 2]], "tan": [[np.inf, 2]]}})
    with pytest.raises(WorkbenchError, match=r"TAN is not compared .*ir_b/marginal/exact/2002"):
        paired_scores(infinite)
    scores = {"nb": [[1.0, np.nan], [1.0, 2.0]], "tan": [[1.0, 2.0], [np.nan, 1.0]]}
    apart = made_up({"tan": scores})
    with pytest.raises(WorkbenchError, match="no replicate"):
        paired_scores(apart)


# The score that is meant where not all is said


def test_exact_is_preferred_only_where_all_cells_have_it(made_up):
    results = made_up({"tan": {"nb": [[1.0, 2]], "tan": [[3.0, 4]]}})
    assert results.choose() == EXACT
    scores = results._scores
    partial = scores[~((scores["rows"] == "exact") & (scores["cell"] == 0))]
    fewer = replace(results, _scores=partial)
    assert fewer.choose() == SAMPLED
    assert fewer.choose("//exact") == EXACT


def test_a_study_with_a_cut_off_alone_is_judged_by_it(made_up):
    cut = (EXACT._replace(cutoff="2002"), SAMPLED._replace(cutoff="2002"))
    results = made_up({"tan": {"nb": [[1.0, 2], [3, 4]], "tan": [[3.0, 4], [3, 1]]}}, keys=cut)
    assert results.choose() == cut[0]
    assert results.table().shape == (2, 8)
    assert "clipped as in 2002" in results.answer()
    both = made_up({"tan": {"nb": [[1.0, 2]]}}, keys=(*cut, EXACT, SAMPLED))
    assert both.choose() == EXACT
    assert both.choose("///2002") == cut[0]


# Tables


def test_intervals_of_means_are_students_at_bonferronis_level(values):
    means = Means.of(experiment(values))
    assert means.n_intervals == 6
    for row in means.table.itertuples():
        own = values[:, "abc".index(row.learner), {50: 0, 500: 1}[row.n_train]]
        low, high = stats.t.interval(1 - 0.05 / 6, N_TRUTHS - 1, own.mean(), stats.sem(own))
        np.testing.assert_allclose([row.mean, row.low, row.high], [own.mean(), low, high], rtol=1e-10)
        assert (row.n, row.n_infinite, row.role) == (N_TRUTHS, 0, "compared")


def test_learners_alongside_have_their_own_role_and_no_interval_where_a_mean_is_infinite(values):
    alongside = {
        "truth": values[:, 0],
        "prior": np.full((N_TRUTHS, 2), -np.inf),
        "late": np.full((N_TRUTHS, 2), np.nan),
    }
    alongside["late"][:3, 0] = [1.0, 2.0, 6.0]
    table = Means.of(experiment(values, alongside=alongside, truth="truth")).table.set_index(
        ["learner", "n_train"]
    )
    assert table["role"].groupby("learner").first().to_dict() == {
        **dict.fromkeys("abc", "compared"),
        "truth": "truth",
        "prior": "alongside",
        "late": "alongside",
    }
    assert table.loc[("prior", 50), "mean"] == -math.inf
    assert table.loc[("prior", 50), "n_infinite"] == N_TRUTHS
    assert math.isnan(table.loc[("prior", 50), "low"])
    low, high = stats.t.interval(1 - 0.05 / 6, 2, 3.0, stats.sem([1.0, 2.0, 6.0]))
    np.testing.assert_allclose(
        table.loc[("late", 50), ["mean", "low", "high"]].astype(float), [3.0, low, high]
    )
    assert table.loc[("late", 50), "n"] == 3
    assert table.loc[("late", 500), "n"] == 0


def test_means_of_one_replicate_have_no_interval():
    table = Means.of(experiment([[[1.0], [2.0]]])).table
    assert table["mean"].tolist() == [1.0, 2.0]
    assert table[["low", "high"]].isna().all(axis=None)


def test_deviations_sum_to_zero_and_are_narrower_than_means(values):
    deviations = Deviations.of(experiment(values))
    sums = deviations.table.groupby("n_train")["deviation"].sum()
    np.testing.assert_allclose(sums, 0.0, atol=1e-12)
    own = values[:, 1, 0] - values[:, :, 0].mean(axis=1)
    row = deviations.table.set_index(["learner", "n_train"]).loc[("b", 50)]
    low, high = stats.t.interval(1 - 0.05 / 6, N_TRUTHS - 1, own.mean(), stats.sem(own))
    np.testing.assert_allclose(row.astype(float), [own.mean(), low, high], rtol=1e-10)
    assert deviations.n_intervals == 6
    means = Means.of(experiment(values)).table
    widths = [(table["high"] - table["low"]).mean() for table in (deviations.table, means)]
    assert widths[0] < widths[1]


def test_differences_are_paired_t_tests_with_holm_over_pairs_and_sizes(values):
    table = Comparison.of(experiment(values)).table
    assert len(table) == 3 * 2
    p = []
    for row in table.itertuples():
        one, other = (
            values[:, "abc".index(key), {50: 0, 500: 1}[row.n_train]] for key in (row.learner, row.other)
        )
        test = stats.ttest_rel(one, other)
        np.testing.assert_allclose([row.t, row.p], [test.statistic, test.pvalue], rtol=1e-9)
        ends = test.confidence_interval(1 - 0.05 / 6)
        np.testing.assert_allclose([row.low, row.high], [ends.low, ends.high], rtol=1e-9)
        assert row.difference == pytest.approx((one - other).mean(), rel=1e-12)
        assert row.d_z == pytest.approx((one - other).mean() / (one - other).std(ddof=1), rel=1e-9)
        p.append(test.pvalue)
    np.testing.assert_allclose(table["p_holm"], holm(p), rtol=1e-9)
    np.testing.assert_allclose(table["p_bonferroni"], np.minimum(1, len(p) * np.asarray(p)), rtol=1e-9)
    apart = (table["low"] > 0) | (table["high"] < 0)
    np.testing.assert_array_equal(apart, table["p_bonferroni"] < 0.05)


def test_a_detectable_difference_is_found_with_80_percent_power(values):
    row = Comparison.of(experiment(values)).table.iloc[0]
    delta = row["detectable"] / row["sd"] * math.sqrt(N_TRUTHS)
    critical = stats.t.ppf(0.975, N_TRUTHS - 1)
    power = stats.nct.sf(critical, N_TRUTHS - 1, delta) + stats.nct.cdf(-critical, N_TRUTHS - 1, delta)
    assert power == pytest.approx(0.8, abs=1e-6)


def test_the_analysis_of_variance_is_that_of_the_comparisons(values):
    import pandas as pd

    table = Variance.of(experiment(values)).table
    pd.testing.assert_frame_equal(table, rm_anova(values, factors=("learner", "size")).table())
    one_size = Variance.of(experiment(values[:, :, :1])).table
    pd.testing.assert_frame_equal(one_size, rm_anova(values[:, :, 0], factors=("learner",)).table())


@pytest.mark.parametrize("analysis", [Comparison, Deviations, Variance])
def test_one_replicate_is_reported(analysis):
    with pytest.raises(WorkbenchError, match="has one replicate"):
        analysis.of(experiment([[[1.0], [2.0]]]))


def test_sampling_is_test_minus_exact(small):
    found = Sampling.of(small, "tan", score="accuracy")
    table = found.table
    gap = (table["test"] - table["exact"]).to_numpy()
    assert len(table) == 5 * 5 * 2
    assert found.bias == pytest.approx(gap.mean(), rel=1e-12)
    assert found.error == pytest.approx(np.sqrt(np.mean(gap**2)), rel=1e-12)
    assert found.unit == "share of samples"
    row = table.iloc[7]
    frame = small.frame()
    own = frame[
        (frame["source"] == "tan")
        & (frame["metric"] == "accuracy")
        & (frame["cutoff"] == "none")
        & (frame["learner"] == row["learner"])
        & (frame["replicate"] == row["replicate"])
        & (frame["n_train"] == row["n_train"])
    ].set_index("rows")["value"]
    assert (row["exact"], row["test"]) == (own["exact"], own["test"])


def test_sampling_leaves_out_and_counts_infinite_scores(made_up):
    results = made_up({"tan": {"nb": [[1.0, -np.inf], [2.0, 3.0]], "tan": [[1.0, 1.0], [-np.inf, 2.0]]}})
    found = Sampling.of(results, "tan")
    assert (len(found.table), found.n_left_out) == (6, 2)
    assert found.bias == pytest.approx(0.01)


def test_sampling_of_nothing_finite_or_of_one_kind_of_rows_is_reported(made_up):
    with pytest.raises(WorkbenchError, match="tan has no cell"):
        Sampling.of(made_up({"tan": {"nb": [[-np.inf, -np.inf]]}}), "tan")
    with pytest.raises(WorkbenchError, match=r"no score 'ir_b//exact'"):
        Sampling.of(made_up({"tan": {"nb": [[1.0, 2.0]]}}, keys=(SAMPLED,)), "tan")


# Against one learner


@pytest.fixture(scope="module")
def against(made_up, noise):
    """Return results of learners that are surely better, worse or neither; better is higher, or lower."""
    level = np.random.default_rng(5).normal(size=(N_TRUTHS, 1))
    odd = np.where(np.arange(N_TRUTHS) % 2, 0.5, -0.5)[:, None] + [[0.1, 0.2]]
    learners = {
        "base": level + np.zeros((1, 2)),
        "more": level + 1.0 + noise,
        "less": level - 1.0 - noise,
        "same": level + odd,
        "prior": level - 2.0 + noise,
    }
    return {
        "higher": made_up({"tan": learners, "aode": learners}),
        "lower": made_up({"tan": learners}, keys=(KL, KL._replace(rows="test"))),
    }


def test_wins_and_losses_are_marked_and_counted(against):
    found = ComparisonToBase.of(against["higher"], "base")
    marks = found.table.groupby("learner", sort=False)["mark"].agg(list).to_dict()
    assert marks == {"base": [""] * 4, "more": ["v"] * 4, "less": ["*"] * 4, "same": [""] * 4}
    assert found.counts.loc["more"].to_dict() == {"win": 4, "tie": 0, "loss": 0}
    assert found.counts.loc["less"].to_dict() == {"win": 0, "tie": 0, "loss": 4}
    assert found.counts.loc["same"].to_dict() == {"win": 0, "tie": 4, "loss": 0}
    assert "base" not in found.counts.index


def test_where_lower_is_better_less_wins(against):
    found = ComparisonToBase.of(against["lower"], "base")
    marks = found.table.groupby("learner", sort=False)["mark"].agg("".join).to_dict()
    assert marks == {"base": "", "more": "**", "less": "vv", "same": ""}


def test_p_values_are_holms_over_the_learners_and_sizes_of_a_source(against):
    found = ComparisonToBase.of(against["higher"], "base")
    (tan,) = paired_scores(against["higher"], source="tan")
    own = found.table[(found.table["source"] == "tan") & (found.table["learner"] != "base")]
    p = [
        stats.ttest_rel(tan.values[:, tan.learners.index(row.learner), j], tan.values[:, 0, j]).pvalue
        for row in own.itertuples()
        for j in [tan.sizes.index(row.n_train)]
    ]
    np.testing.assert_allclose(own["p_holm"], holm(p), rtol=1e-6)
    np.testing.assert_allclose(own["difference"], [1, -1, 0, 1, -1, 0], atol=0.3)
    base = found.table[found.table["learner"] == "base"]
    assert base["p_holm"].isna().all()
    assert (base["difference"] == 0.0).all()


@pytest.mark.parametrize(
    "base, options, sentence",
    [
        ("bas", {}, "'bas'.*'base'"),
        ("base", {"learners": ["base"]}, "compare with base"),
    ],
)
def test_a_base_that_cannot_be_one_is_reported(against, base, options, sentence):
    with pytest.raises(WorkbenchError, match=sentence):
        ComparisonToBase.of(against["higher"], base, **options)


def test_a_base_with_infinite_scores_or_one_truth_is_reported(made_up):
    infinite = made_up({"tan": {"a": [[1.0, 2], [2, 3]], "b": [[np.inf, 2], [2, 3]]}})
    with pytest.raises(WorkbenchError, match="b lacks finite scores on tan"):
        ComparisonToBase.of(infinite, "b")
    with pytest.raises(WorkbenchError, match="has one replicate"):
        ComparisonToBase.of(made_up({"tan": {"a": [[1.0, 2]], "b": [[1.0, 3]]}}), "a")


# The answer


def verdict(*experiments):
    return Verdict.of([Comparison.of(one) for one in experiments])


def test_a_sure_winner_is_named_with_gap_and_interval(noise):
    values = np.stack([noise, 0.5 + 2 * noise, noise**2 - 1], axis=1)
    found = verdict(experiment(values))
    assert [(s.leader, s.runner_up, s.wins) for s in found.standings] == [("b", "a", True)] * 2
    assert found.winners == ("b",)
    gap = values[:, 1] - values[:, 0]
    low, high = stats.t.interval(1 - 0.05 / 6, N_TRUTHS - 1, gap.mean(axis=0), stats.sem(gap))
    np.testing.assert_allclose([s.gap for s in found.standings], gap.mean(axis=0), rtol=1e-9)
    np.testing.assert_allclose(
        [(s.low, s.high) for s in found.standings], np.transpose([low, high]), rtol=1e-9
    )
    for fact in (
        "IR_B (exact, marginal prior)",
        "b wins with 50 and 500 training rows",
        "ahead of a",
        "7 truths",
        "Bonferroni",
    ):
        assert fact in found.sentence
    assert f"{gap[:, 0].mean():.3f} bits ({low[0]:.3f} to {high[0]:.3f})" in found.sentence


def test_where_lower_is_better_the_least_wins_and_the_gap_is_positive(noise):
    found = verdict(experiment(np.stack([noise, 0.5 + 2 * noise], axis=1), score=KL))
    assert [standing.leader for standing in found.standings] == ["a", "a"]
    assert all(0 < standing.low < standing.gap < standing.high for standing in found.standings)


def test_of_learners_that_are_not_told_apart_one_leads_and_none_wins(noise):
    values = np.stack([noise, noise[::-1]], axis=1)
    close = verdict(experiment(values))
    assert close.winners == ()
    assert "wins" not in close.sentence


def test_equal_learners_have_no_winner():
    values = np.broadcast_to(np.array([0.1, 0.3, 0.7])[:, None, None], (3, 2, 1))
    (standing,) = verdict(experiment(values)).standings
    assert (standing.wins, standing.tied, standing.gap) == (False, ("b",), 0.0)


def test_a_win_by_one_test_alone_is_none_by_the_intervals():
    gaps = np.tile([[1.0], [-1.0]], (4, 4)) + np.array(
        [1.134, 0.0, 0.0, 0.0]
    )  # t = 3 on 7 degrees of freedom
    values = np.stack([np.zeros((8, 4)), gaps], axis=1)
    one = experiment(values)
    first = Comparison.of(one).table.iloc[0]
    assert first["p"] < 0.05 < first["p_holm"]
    standing = verdict(one).standings[0]
    assert (standing.leader, standing.tied, standing.wins) == ("b", ("a",), False)


def test_a_win_by_holms_test_whose_interval_holds_zero_is_none():
    gaps = np.tile([[1.0], [-1.0]], (4, 4)) + np.array([1.134, 9.0, 9.0, 9.0])
    one = experiment(np.stack([np.zeros((8, 4)), gaps], axis=1))
    first = Comparison.of(one).table.iloc[0]
    assert first["p_holm"] < 0.05
    assert first["low"] < 0 < first["high"]
    found = verdict(one)
    assert [standing.wins for standing in found.standings] == [False, True, True, True]


def test_a_leader_that_beats_the_next_and_not_the_last_does_not_win(noise):
    wild = np.where(np.arange(N_TRUTHS) % 2, 5.0, -5.0)[:, None] + [[0.0, 0.0]]
    values = np.stack([noise + 9, 9.5 + 2 * noise, wild + 8], axis=1)
    found = verdict(experiment(values))
    assert [(s.leader, s.tied, s.wins) for s in found.standings] == [("b", ("c",), False)] * 2
    assert found.winners == ()


def test_learners_without_finite_scores_are_named_in_the_answer(made_up, noise):
    infinite = np.full_like(noise, -np.inf)
    results = made_up({"tan": {"a": noise, "b": noise[::-1] + 1, "c": infinite, "d": infinite, "e": -noise}})
    found = verdict(*paired_scores(results))
    assert found.left_out == ("c", "d")
    assert "c and d" in found.surety
    assert results.answer() == found.sentence
    assert "not compared" not in results.answer(learners=["a", "b", "e"])


scores = st.tuples(st.integers(2, 6), st.integers(2, 4), st.integers(1, 3)).flatmap(
    lambda shape: st.tuples(
        arrays(np.float64, shape, elements=st.integers(-5, 5).map(lambda i: i / 10)),
        arrays(np.float64, (1, *shape[1:]), elements=st.sampled_from([0.0, 0.5, 1.0, 3.0, 30.0])),
    )
)


@given(scores, st.sampled_from([EXACT, KL]))
def test_a_win_is_claimed_just_where_all_intervals_leave_zero_out(parts, score):
    values = parts[0] + parts[1]
    one = experiment(values, score=score)
    found = Verdict.of([Comparison.of(one)])
    paired = paired_differences(values, learners=one.learners, settings=one.sizes)
    assert len(found.standings) == len(one.sizes)
    for j, standing in enumerate(found.standings):
        means = one.sign * values[:, :, j].mean(axis=0)
        leader = one.learners.index(standing.leader)
        assert means[leader] == means.max()
        assert standing.gap >= 0
        others = [key for key in one.learners if key != standing.leader]
        pairs = {key: paired.between(standing.leader, key, standing.n_train) for key in others}
        close = {key for key, pair in pairs.items() if not (pair.low > 0 or pair.high < 0)}
        assert standing.wins == (not close)
        assert set(standing.tied) == close
        # A win must be Holm's too, which is the sharper test.
        assert not standing.wins or all(pair.p_holm < 0.05 for pair in pairs.values())
        best_rival = max(means[one.learners.index(key)] for key in close or others)
        assert standing.gap == pytest.approx(means[leader] - best_rival, abs=1e-9)
        pair = pairs[standing.runner_up]
        assert {standing.low, standing.high} == {one.sign * pair.low, one.sign * pair.high}
        assert standing.low <= standing.gap + 1e-12
        assert (standing.low > 0) == standing.wins


# What Results give of all this


def test_results_give_tables_of_all_sources(small):
    anova = small.anova()
    assert anova.index.names == ["source", "effect"]
    assert len(anova) == 2 * 3
    differences = small.differences()
    assert len(differences) == 2 * 3 * 2
    (tan,) = paired_scores(small, source="tan")
    table = Comparison.of(tan).table
    own = differences[differences["source"] == "tan"].drop(columns="source").reset_index(drop=True)
    assert own.equals(table)
    assert small.answer() == verdict(*paired_scores(small)).sentence
    assert "nb" not in small.answer(learners=["tan", "aode"]).split()


def test_who_leaves_less_than_two_common_truths_is_not_compared(made_up):
    rng = np.random.default_rng(0)
    scores = {key: rng.normal(size=(10, 2)) for key in ("nb", "tan", "narrow")}
    scores["narrow"][1:, 0] = np.nan
    results = made_up({"many": scores})
    (found,) = paired_scores(results)
    assert found.learners == ("nb", "tan")
    assert len(found.blocks) == 10
    (note,) = found.notes
    assert all(fact in note for fact in ("narrow", "many", "9 of 10 replicates"))
    assert "finite scores: narrow" in results.answer()


def test_an_answer_says_that_replicates_are_of_one_truth():
    truth = random_tan(n_attributes=3, random_state=1)
    design = FreshSamples(replicates=5, sizes=(50,), n_test=100)
    with pytest.warns(SameTruths, match="has 1 truth for 5 replicates"):
        results = compare(["nb", "tan"], on=Source("t", truths=(truth,)), design=design)
    assert "over 5 replicates" in results.answer()
    assert "5 replicates of t use 1 truth" in results.answer()


def test_whose_lack_of_scores_takes_truths_from_all_is_said_everywhere(made_up):
    rng = np.random.default_rng(0)
    scores = {key: rng.normal(size=(10, 2)) for key in ("nb", "tan", "fails")}
    scores["fails"][:4, 0] = np.nan
    results = made_up({"a": scores, "b": {key: rng.normal(size=(10, 2)) for key in scores}})
    said = "a truths are left out for every learner: fails has no score on 4"
    for ask in (results.differences, results.ranking, results.anova):
        with pytest.warns(Untested, match=said):
            ask()
    assert "over 6 to 10 truths" in results.answer()
    assert "left out for every learner: fails has no score on 4 of a" in results.answer()
    scores["fails"][:, 0] = np.nan
    results = made_up({"a": scores, "b": {key: rng.normal(size=(10, 2)) for key in scores}})
    assert "finite scores: fails on a" in results.answer()
