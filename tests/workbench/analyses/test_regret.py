"""Regret: the identity of its parts, against scores that are known, and where there is no optimum."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import workbench
from generators import random_naive_bayes
from workbench.analyses import BestMap, PairedScores, Regret, SampleComplexity, paired_scores
from workbench.base.errors import Untested, WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.comparisons import mean_intervals, probability_within, required_sample_size
from workbench.report.renderers.terminal import lines_of
from workbench.report.terminal.sizes import best_parts, regret_parts

SIZES = (50, 500)
WOBBLE = np.linspace(-1, 1, 6)[:, None]
RISING = WOBBLE + np.array([0, 1])
LOSS = ("log_loss", "none", "exact", "none")


def one_kind(*, mix=True, truth=True):
    """Return scores: at 50 rows "near" loses .2 + .1 + .1 to the truth, and "far" .2 + .1 + .4."""
    level = 2 + WOBBLE + np.zeros(2)
    scores = {
        "far": level - [0.7, 0.5] + 0.1 * WOBBLE,
        "near": level - [0.4, 0.1] - 0.05 * WOBBLE,
        "prior": np.zeros((6, 2)),
        "optimal": level - [0.2, 0.05],
    }
    return (
        scores
        | ({"optimal_mixture": level - [0.3, 0.06]} if mix else {})
        | ({"truth": level} if truth else {})
    )


@pytest.fixture(scope="module")
def results(made_up):
    without = {key: values for key, values in one_kind().items() if not key.startswith("optimal")}
    return made_up({"tan": one_kind(), "rules": without})


def row_of(found, learner="near", size=50, source="tan"):
    table = found.table.set_index(["source", "n_train", "learner"])
    return table.loc[(source, size, learner)]


def test_a_distance_is_what_nobody_knew_the_unknown_kind_and_the_learners_own(results):
    row = row_of(Regret.of_results(results))
    known = {"mean": 1.6, "truth": 2.0, "optimal": 1.8, "mix": 1.7, "to_truth": 0.4, "irreducible": 0.2,
             "structure_regret": 0.1, "learner_regret": 0.1, "regret": 0.2, "n": 6,
             "mc_error": 0.0}  # fmt: skip
    assert row[list(known)].astype(float).to_dict() == pytest.approx(known, abs=1e-12)
    found, shown = Regret.of_results(results), results.regret()
    assert list(shown) == ["source", "n_train", "learner", "to_truth", "irreducible", "structure_regret",
                           "learner_regret", "regret", "low", "high", "n"]  # fmt: skip
    pd.testing.assert_frame_equal(shown, found.table[list(shown)], check_names=False)
    assert shown.columns.name == found.experiments[0].score.words


@pytest.mark.parametrize(
    ("name", "low"),
    [("to_truth", "to_truth_low"), ("learner_regret", "learner_regret_low"), ("regret", "low")],
)
def test_intervals_are_paired_and_simultaneous_over_learners_and_sizes(results, name, low):
    row, scores = row_of(Regret.of_results(results), "far"), one_kind()
    start = {"to_truth": "truth", "learner_regret": "optimal_mixture", "regret": "optimal"}[name]
    gap = scores[start][:, 0] - scores["far"][:, 0]
    expected = mean_intervals(gap, n_intervals=4)
    assert (row[name], row[low], row[low.replace("low", "high")]) == pytest.approx(
        (float(expected.mean), float(expected.low), float(expected.high))
    )


@settings(max_examples=6)
@given(seed=st.integers(0, 2**32 - 1), mix=st.booleans(), loss=st.booleans())
def test_the_parts_add_up_whatever_the_scores_and_the_direction(seed, mix, loss):
    rng = np.random.default_rng(seed)
    alongside = {key: rng.normal(size=(4, 2)) for key in ("truth", "optimal", "mix")}
    names = {"truth": "truth", "optimal": "optimal"} | ({"mix": "mix"} if mix else {})
    score = ScoreKey(*LOSS) if loss else ScoreKey("ir_b", "marginal", "exact", "none")
    values = rng.normal(size=(4, 3, 2))
    one = PairedScores("tan", score, ("a", "b", "c"), SIZES, (0, 1, 2, 3), values, alongside, **names)
    table = Regret.of([one]).table
    parts = table[["irreducible", "structure_regret", "learner_regret"]].sum(axis=1)
    np.testing.assert_allclose(parts, table["to_truth"], atol=1e-12)
    np.testing.assert_allclose(
        table[["structure_regret", "learner_regret"]].sum(axis=1), table["regret"], atol=1e-12
    )
    np.testing.assert_allclose(one.sign * (table["truth"] - table["mean"]), table["to_truth"], atol=1e-12)
    assert table["structure_regret"].notna().all() == mix
    assert table["mc_error"].isna().all()


def test_a_loss_above_the_optimums_is_positive_regret(made_up):
    scores = {key: -values for key, values in one_kind().items()}
    row = row_of(Regret.of_results(made_up({"tan": scores}, keys=[LOSS])))
    assert (row["regret"], row["to_truth"]) == pytest.approx((0.2, 0.4))


def test_where_there_is_no_optimum_the_distance_to_the_truth_is_shown(results):
    found = Regret.of_results(results)
    own = found.table[found.table["source"] == "rules"]
    assert (
        own[["optimal", "irreducible", "learner_regret", "regret", "low", "mc_error"]].isna().all(axis=None)
    )
    assert own["to_truth"].tolist() == pytest.approx([0.7, 0.4, 0.5, 0.1])
    assert own["to_truth_low"].notna().all()
    assert not own["above"].any()
    (note,) = found.notes
    assert "rule truths" in note
    assert Regret.of_results(results, source="rules").table["n"].tolist() == [6] * 4


def test_truths_without_an_optimum_are_left_out_of_every_mean(made_up):
    scores = one_kind()
    scores["optimal"][1] = np.nan
    scores["truth"][4, 1] = np.inf
    found = Regret.of_results(made_up({"tan": scores}))
    assert found.table["n"].tolist() == [5, 5, 4, 4]
    kept = [0, 2, 3, 5]
    row = row_of(found, "far", 500)
    assert row["mean"] == pytest.approx(scores["far"][kept, 1].mean())
    assert row["truth"] == pytest.approx(scores["truth"][kept, 1].mean())
    assert row["optimal"] == pytest.approx(scores["optimal"][kept, 1].mean())
    (note,) = found.notes
    assert "4 of 6" in note


def test_truths_without_the_mix_count_for_all_but_its_parts(made_up):
    scores = one_kind()
    scores["optimal_mixture"][::2, 0] = np.nan
    found = Regret.of_results(made_up({"tan": scores}))
    assert found.table["n"].tolist() == [6] * 4
    assert found.table["n_mix"].tolist() == [3, 3, 6, 6]
    without = Regret.of_results(made_up({"tan": one_kind(mix=False)}))
    row = row_of(found, "far")
    same = ["mean", "truth", "optimal", "to_truth", "to_truth_low", "irreducible", "regret", "low", "high"]
    pd.testing.assert_series_equal(row[same], row_of(without, "far")[same])
    own = (one_kind()["optimal_mixture"] - one_kind()["far"])[1::2, 0]
    expected = mean_intervals(own, n_intervals=4)
    assert row["learner_regret"] == pytest.approx(own.mean())
    assert row["learner_regret_low"] == pytest.approx(float(expected.low))
    assert row["structure_regret"] == pytest.approx(0.1)
    (note,) = found.notes
    assert "3 of 6 truths" in note


@pytest.mark.parametrize("elsewhere", ["another size", "another source"])
def test_where_no_truth_has_the_mix_of_the_study_the_regret_is_not_divided(made_up, elsewhere):
    scores = one_kind()
    scores["optimal_mixture"][:, 0] = np.nan
    kinds = {
        "another size": {"tan": scores},
        "another source": {"tan": one_kind(mix=False), "dag": one_kind()},
    }[elsewhere]
    found = Regret.of_results(made_up(kinds))
    assert found.has_mix
    row = row_of(found)
    assert row["n_mix"] == 0
    assert (
        row[["structure_regret", "learner_regret", "learner_regret_low", "learner_regret_high"]].isna().all()
    )
    assert (row["regret"], row["irreducible"]) == pytest.approx((0.2, 0.2))
    (note,) = found.notes
    assert ("50 and 500" in note) == (elsewhere == "another source")
    known = found.table[found.table["n_mix"] > 0]
    np.testing.assert_allclose(
        known["structure_regret"] + known["learner_regret"], known["regret"], atol=1e-12
    )
    assert len(known) == (2 if elsewhere == "another size" else 4)


def test_a_learner_above_the_optimum_beyond_chance_is_reported(made_up):
    scores = one_kind()
    scores["near"] = scores["optimal"] + 0.1 + 0.01 * WOBBLE
    scores["far"] = scores["optimal"] + 1e-15  # only rounding
    found = Regret.of_results(made_up({"tan": scores}))
    assert found.table["above"].tolist() == [False, True, False, True]
    (note,) = found.notes
    assert "near on TAN truths with 50 rows; near on TAN truths with 500 rows" in note


def test_the_monte_carlo_error_is_that_of_a_mean_over_truths_and_training_sets(made_up):
    deep = {key: np.stack([values, values], axis=2) for key, values in one_kind().items()}
    study, unknown = made_up({"tan": deep}), made_up({"tan": deep})
    cells = study._cells.set_index("cell")["learner"].reindex(study._scores["cell"])
    of_optimum = (cells == "optimal").to_numpy()
    study._scores["mc_error"] = np.where(of_optimum, 0.03, 0.0)
    row = row_of(Regret.of_results(study))
    assert row["mc_error"] == pytest.approx(0.03 / np.sqrt(2 * 6))
    assert any("0.0087" in line for line in lines_of(regret_parts(study)))
    unknown._scores["mc_error"] = np.where(np.arange(len(of_optimum)) == of_optimum.argmax(), np.nan, 0.0)
    assert Regret.of_results(unknown).table["mc_error"].isna().tolist() == [True, True, False, False]


def test_a_study_without_the_optimum_is_told_what_to_add(made_up):
    study = made_up({"tan": {"a": RISING}})
    for ask in (Regret.of_results, lambda one: one.regret()):
        with pytest.raises(WorkbenchError, match='"optimal"'):
            ask(study)


def test_without_the_optimum_there_is_the_distance_to_the_truth(made_up):
    found = Regret.of_results(made_up({"tan": {"a": RISING, "truth": RISING + 1}}))
    assert found.table["to_truth"].tolist() == [1.0, 1.0]
    assert found.table["regret"].isna().all()
    assert "no scores of the optimum" in found.notes[0]


def test_a_table_of_regrets_warns_of_truths_that_are_left_out(made_up):
    scores = one_kind()
    scores["optimal"][1] = np.nan
    scores["far"][2, 0] = -np.inf
    with pytest.warns(Untested, match=r"far is not compared .*, 5 of 6"):
        shown = made_up({"tan": scores}).regret()
    assert shown["n"].tolist() == [5, 5]


def test_one_learner_is_enough_and_ceilings_are_not_compared(results):
    assert results.regret(learners=["near"])["learner"].tolist() == ["near"] * 4
    table = results.regret(learners=["near", "optimal", "optimal_mixture", "truth", "prior"])
    assert set(table["learner"]) == {"near", "prior"}
    assert table["regret"].notna().any()
    with pytest.raises(WorkbenchError, match=r"optimal: .*'far'"):
        results.regret(learners=["optimal"])


def test_one_truth_has_no_intervals(made_up):
    one = {key: values[:1] for key, values in one_kind().items()}
    row = row_of(Regret.of_results(made_up({"tan": one})))
    assert row["regret"] == pytest.approx(0.15)
    assert np.isnan([row["low"], row["learner_regret_high"], row["to_truth_low"]]).all()


def test_sentences_say_what_the_best_learner_loses_and_why(made_up, results):
    first = Regret.of_results(results).sentences[0]
    for fact in ("50 training rows", "TAN truths", "near", "0.400 bits", "0.200", "0.100"):
        assert fact in first
    untrue = Regret.of_results(made_up({"tan": one_kind(mix=False, truth=False)})).sentences[1]
    for fact in ("500 training rows", "near", "0.050 bits", "optimum"):
        assert fact in untrue


# The frame of all scores


def test_the_frame_has_the_regret_of_every_score(made_up):
    scores = one_kind()
    scores["far"][0, 0] = -np.inf
    study = made_up(
        {"tan": scores, "rules": {"far": scores["far"]}}, keys=[("ir_b", "marginal", "exact", "none")]
    )
    assert "regret" not in study.frame()
    frame = study.frame(regret=True)
    own = frame[(frame["source"] == "tan") & (frame["learner"] == "near")]
    expected = (scores["optimal"] - scores["near"]).ravel()
    np.testing.assert_allclose(own["regret"], expected, atol=1e-12)
    far = frame[(frame["learner"] == "far") & (frame["replicate"] == 0) & (frame["n_train"] == 50)]
    assert far.set_index("source")["regret"].fillna(-1).to_dict() == {"tan": np.inf, "rules": -1}
    assert (frame.loc[frame["learner"] == "optimal", "regret"] == 0).all()


def test_the_regret_of_a_score_is_that_of_the_same_training_rows_and_key(made_up):
    rng = np.random.default_rng(3)
    scores = {key: rng.normal(size=(3, 2, 2)) for key in ("near", "optimal")}
    keys = [LOSS, ("ir_b", "marginal", "exact", "none"), ("ir_b", "marginal", "test", "2002")]
    frame = made_up({"tan": scores}, keys=keys).frame(regret=True)
    own = frame[frame["learner"] == "near"]
    for row in own.itertuples():
        place = (row.replicate, SIZES.index(row.n_train), row.training_set)
        gap = scores["optimal"][place] - scores["near"][place]
        assert row.regret == pytest.approx(-gap if row.metric == "log_loss" else gap)
    assert made_up({"tan": {"near": scores["near"]}}).frame(regret=True)["regret"].isna().all()


# Close to the optimum, and rows for a share of what it has


def test_two_learners_have_students_probability_of_being_within_a_distance():
    from scipy import stats

    gaps = np.random.default_rng(4).normal(size=30)
    found = probability_within(-gaps[:, None, None], np.zeros((30, 1)), within=0.1, n_resamples=20_000)
    spread = gaps.std(ddof=1) / np.sqrt(30)
    assert found[0, 0] == pytest.approx(stats.t.cdf((0.1 - gaps.mean()) / spread, 29), abs=0.02)
    loss = probability_within(
        gaps[:, None, None], np.zeros((30, 1)), within=0.1, direction="lower", n_resamples=20_000
    )
    assert loss == pytest.approx(found)


@pytest.mark.parametrize(
    ("ceiling", "within", "words"),
    [
        (np.zeros((3, 1)), 0.0, "within is 0.0"),
        (np.full((3, 1), np.nan), 0.1, "NaN or infinite"),
    ],
)
def test_a_distance_that_cannot_be_used_is_reported(ceiling, within, words):
    with pytest.raises(ValueError, match=words):
        probability_within(np.zeros((3, 2, 1)), ceiling, within=within)


def test_the_best_learner_is_probably_close_to_the_optimum_or_not(results, made_up):
    table = BestMap.of_results(results, within=0.06).table.set_index(["source", "n_train"])
    assert table["best"].tolist() == ["near"] * 4
    assert table.loc[("tan", 50), "p_within"] < 0.01  # it is .2 away
    assert 0.5 < table.loc[("tan", 500), "p_within"] < 1  # .05
    assert table.loc["rules", "p_within"].isna().all()
    lines = list(lines_of(best_parts(results, within=0.06)))
    assert "within 0.06 bits of the optimum" in lines[1]
    plain = made_up({"rules": {key: one_kind()[key] for key in ("near", "far")}})
    assert not any("optimum" in line for line in lines_of(best_parts(plain)))
    with pytest.raises(WorkbenchError, match="within is -1"):
        BestMap.of_results(plain, within=-1)


def nominal_shares_can_be_of_the_optimum_at_each_size(made_up):
    unit = np.ones((3, 3)) * np.array([[1.0], [2.0], [3.0]])
    scores = {
        "a": unit * [0.1, 0.45, 0.9], "b": unit * [0.2, 0.3, 0.4], "truth": unit,
        "optimal": unit * [0.2, 0.6, 0.95], "prior": 0 * unit,
    }  # fmt: skip
    study = made_up(
        {"tan": scores, "rules": {key: scores[key] for key in ("a", "b", "truth")}}, sizes=(5, 50, 500)
    )
    found = SampleComplexity.of_results(study, shares=[0.5], of="optimal")
    labels = found.table.set_index("learner")["label"].to_dict()
    assert labels == {"a": "<= 5", "b": "> 500"}  # b has all at 5 rows, a half at 50, and less at 500
    one = found.needed["tan", "b", 0.5]
    assert one.curve == pytest.approx((1.0, 0.5, 0.4 / 0.95))
    assert one == required_sample_size(scores["b"], (5, 50, 500), ceiling=scores["optimal"], share=0.5)
    assert "rules" in found.notes[0]


def nominal_shares_begin_where_the_optimum_is_better_than_the_class_frequencies(made_up):
    unit = np.ones((3, 3)) * np.array([[1.0], [2.0], [3.0]])
    scores = {"a": unit * [-0.5, 0.2, 0.8], "b": unit * [-0.4, 0.5, 0.9], "optimal": unit * [-0.1, 0.8, 0.9]}
    scores |= {"truth": unit, "prior": 0 * unit}
    found = SampleComplexity.of_results(
        made_up({"tan": scores}, sizes=(2, 50, 500)), shares=[0.5], of="optimal"
    )
    assert found.table.set_index("learner")["label"].to_dict() == {"a": "123", "b": "<= 50"}
    assert "2 rows" in found.notes[0]


def nominal_shares_of_the_optimum_are_of_the_truths_that_have_one(made_up):
    scores = one_kind()
    scores["optimal"][2, 0] = np.nan
    found = SampleComplexity.of_results(made_up({"tan": scores}), of="optimal")
    assert found.experiments[0].blocks == (0, 1, 3, 4, 5)
    assert "5 of 6 truths" in found.notes[0]
    with pytest.raises(WorkbenchError, match='"optimal"'):
        SampleComplexity.of_results(made_up({"tan": {"a": RISING, "b": RISING}}), of="optimal")


@pytest.mark.slow
def test_on_naive_bayes_truths_its_learner_has_no_regret():
    truths = [random_naive_bayes(n_attributes=3, random_state=seed) for seed in range(8)]
    results = workbench.compare(
        ["nb", "tan", "truth", "optimal", "optimal_mixture"], on=truths, sizes=(20, 200), n_test=50
    )
    table = Regret.of_results(results).table.set_index(["learner", "n_train"])
    assert (table.loc["nb", ["regret", "low", "high"]] == 0).all(axis=None)
    assert not table["above"].any()
    assert (table.loc["tan", "regret"] > 0).all()
    assert (table["irreducible"] > 0).all()
    assert (table["structure_regret"].abs() < 1e-9).all()  # one kind: there is nothing to know
    (experiment,) = paired_scores(results)
    assert (experiment.optimal, experiment.mix) == ("optimal", "optimal_mixture")


def test_kinds_with_an_optimum_count_alike_over_all(made_up):
    other = {key: 2 * values for key, values in one_kind().items()}
    kinds = {"tan": one_kind(), "dag": other, "rules": {key: one_kind()[key] for key in ("near", "far")}}
    found = Regret.of_results(made_up(kinds))
    both = found.table[found.table["source"] != "rules"]
    wanted = both.groupby(["n_train", "learner"])[
        ["irreducible", "structure_regret", "learner_regret", "regret"]
    ].mean()
    table = found.over_kinds.set_index(["n_train", "learner"])
    assert (table["n_kinds"] == 2).all()
    pd.testing.assert_frame_equal(table[wanted.columns].sort_index(), wanted)


def test_intervals_over_kinds_are_welchs(made_up):
    kinds = {"tan": one_kind(), "dag": {key: 2 * values for key, values in one_kind().items()}}
    found = Regret.of_results(made_up(kinds))
    gaps = [factor * (one_kind()["optimal"] - one_kind()["far"])[:, 0] for factor in (1, 2)]
    squares = np.array([gap.var(ddof=1) / len(gap) for gap in gaps])
    freedom = squares.sum() ** 2 / (squares**2 / 5).sum()
    half = stats.t.ppf(1 - 0.05 / 8, freedom) * np.sqrt(squares.sum()) / 2
    row = found.over_kinds.set_index(["n_train", "learner"]).loc[(50, "far")]
    assert (row["high"] - row["low"]) / 2 == pytest.approx(half)
    exact = (row["irreducible_low"], row["irreducible"], row["irreducible_high"])
    assert exact == pytest.approx((0.3,) * 3)
    one = made_up({"tan": one_kind(), "dag": {key: values[:1] for key, values in one_kind().items()}})
    row = Regret.of_results(one).over_kinds.iloc[1]
    assert row["regret"] == pytest.approx((0.2 + 0.15) / 2)
    assert row[["low", "high", "learner_regret_low"]].isna().all()  # one truth has no spread


# Which scores


@pytest.mark.parametrize("metric", ["auc", "theory_complexity", "good_reward"])  # fmt: skip
def test_scores_by_which_the_optimum_need_not_be_the_best_are_refused(made_up, metric):
    study = made_up({"tan": one_kind()}, keys=[(metric, "none", "test", "none")])
    with pytest.raises(WorkbenchError, match=f"by {metric} .*log_loss, ir_b, "):
        study.regret()
    with pytest.raises(WorkbenchError, match=f"by {metric}"):
        SampleComplexity.of_results(study, of="optimal")
    assert BestMap.of_results(study).table["p_within"].isna().all()
    assert study.frame(regret=True)["regret"].isna().all()


@pytest.mark.parametrize("metric", ["accuracy", "log_loss", "kl_divergence", "quadratic_loss"])
def test_by_proper_scores_and_accuracy_the_optimum_is_the_best(made_up, metric):
    table = made_up({"tan": one_kind()}, keys=[(metric, "none", "test", "none")]).regret()
    assert table["regret"].abs().tolist() == pytest.approx([0.5, 0.2, 0.45, 0.05])
