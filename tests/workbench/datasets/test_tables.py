"""Data sets instead of truths: splits, scores, tests on each data set, and what is refused."""

import io
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from rich.console import Console
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import ShuffleSplit, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

import workbench
from generators import random_tan
from learners import NaiveBayesClassifier, PriorClassifier, TANClassifier
from tests.documents import comparing
from workbench import Study, compare, read_study, run, write_study
from workbench.analyses import comparisons_of
from workbench.analyses._shared.data_sets_answer import tally_frame, tally_words
from workbench.base.errors import FailedCells, InferredClassWarning, WorkbenchError
from workbench.base.names import learner_name
from workbench.comparisons import CombinedF, CorrectedT, bonferroni, corrected_t, five_by_two_t, holm
from workbench.datasets.dataset import Dataset
from workbench.designs import FiveByTwo, HalfSplits, RandomSplits, RepeatedFolds
from workbench.report.content import gather
from workbench.report.findings import Findings
from workbench.report.renderers.terminal import lines_of
from workbench.report.size_tables import means_tables
from workbench.report.table import Table
from workbench.report.terminal.pairs import pairs_parts
from workbench.report.terminal.summary import print_summary
from workbench.report.words import beaten_rows, headline_keys
from workbench.study.dataset_source import DatasetSource
from workbench.study.learner_spec import LearnerSpec
from workbench.study.scores import Scores

LEARNERS = {"nb": NaiveBayesClassifier(), "tan": TANClassifier(), "prior": PriorClassifier()}


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True, as_frame=True)
    return X, y


@pytest.fixture(scope="module")
def results(iris):
    return compare(LEARNERS, on=iris, metrics=("accuracy", "ir_b", "kl_divergence"))


def study_of(rows, design, learners=LEARNERS, seed=1):
    specs = tuple(LearnerSpec(key, estimator=estimator) for key, estimator in learners.items())
    return Study("tables", seed, (DatasetSource("iris", rows=rows),), specs, design)


@pytest.mark.parametrize(
    ("design", "splitter"),
    [
        (FiveByTwo(), StratifiedKFold(2, shuffle=True, random_state=3)),
        (RepeatedFolds(folds=5), StratifiedKFold(5, shuffle=True, random_state=3)),
        (RandomSplits(), ShuffleSplit(1, train_size=2 / 3, random_state=3)),
        (HalfSplits(), ShuffleSplit(1, train_size=0.5, random_state=3)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_parts_are_those_of_scikit_learn(design, splitter):
    codes = np.arange(60) % 3
    expected = list(splitter.split(np.zeros((60, 1)), codes))
    for fold, (train, test) in enumerate(expected):
        ours = design.split(codes, fold, seed=3)
        np.testing.assert_array_equal(ours[0], train)
        np.testing.assert_array_equal(ours[1], test)
        assert not set(ours[0]) & set(ours[1])


def test_every_learner_meets_the_same_parts_and_only_scores_without_a_truth_are_given(results):
    cells = results.cells()
    assert len(cells) == 3 * 10
    assert (cells["state"] == "done").all()
    parts = cells.groupby(["replicate", "fold"])["test_digest"]
    assert (parts.nunique() == 1).all()
    assert parts.first().nunique() == 10
    assert {key[:3] for key in results.score_keys} == {
        ("accuracy", "none", "test"),
        ("ir_b", "training", "test"),
    }
    assert results.missing_scores() == {}
    # against the training prior, the prior's reward is zero to the bit
    prior = results.frame().query("learner == 'prior' and metric == 'ir_b' and cutoff == 'none'")["value"]
    assert (prior == 0.0).all()


def test_the_two_halves_of_a_replicate_make_up_the_table(iris, results):
    _, y = iris
    frame = results.frame().query("learner == 'nb' and metric == 'accuracy' and cutoff == 'none'")
    cells = results.cells().query("learner == 'nb'").set_index(["replicate", "fold"])
    sums = cells.groupby("replicate")["n_test"].sum()
    assert (sums == len(y)).all()
    assert frame["value"].between(0.85, 1.0).all()


def test_the_same_study_again_computes_nothing_and_more_repeats_add_only_what_is_new(iris, tmp_path):
    store = tmp_path / "s.db"
    first = run(study_of(iris, HalfSplits(repeats=2)), store)
    more = run(study_of(iris, HalfSplits(repeats=3)), store)
    assert more.runs["computed"].tolist() == [6, 3]
    old = first.frame().merge(more.frame(), on=list(first.frame().columns[:10]), suffixes=("", "_again"))
    assert (old["value"] == old["value_again"]).all()
    other = run(study_of(iris, RandomSplits(repeats=2, train=0.5)), store)
    assert other.runs["computed"].tolist()[-1] == 6  # another design is another part


@pytest.mark.process
def test_numbers_do_not_depend_on_the_number_of_processes(iris):
    study = study_of(iris, FiveByTwo(), {"nb": NaiveBayesClassifier(), "forest": RandomForestClassifier(5)})
    one, two = run(study).frame(), run(study, n_jobs=2).frame()
    pd.testing.assert_frame_equal(one, two)


def test_pairs_are_tested_by_the_test_of_the_design(iris, results):
    (found,) = comparisons_of(results, score="accuracy", learners=list(LEARNERS))
    assert isinstance(found.scores.test, CombinedF)
    frame = results.frame().query("metric == 'accuracy' and cutoff == 'none'")
    wide = frame.pivot_table(index=["replicate", "fold"], columns="learner", values="value", observed=True)
    pair = found.table.query("learner == 'nb' and other == 'prior'").iloc[0]
    expected = five_by_two_t((wide["nb"] - wide["prior"]).to_numpy().reshape(5, 2))
    assert (pair["t"], pair["p"], pair["F"]) == (expected.t, expected.p, expected.F)
    assert "prior" in found.beaten_by("nb")
    assert found.beaten_by("prior") == ()
    halves = run(study_of(iris, HalfSplits(repeats=4)))
    (corrected,) = comparisons_of(halves, score="accuracy")
    assert isinstance(corrected.scores.test, CorrectedT)
    assert "F" not in corrected.table


def test_five_by_two_by_hand():
    d = np.array([[0.1, 0.2], [0.0, 0.1], [0.3, 0.1], [0.2, 0.2], [0.1, -0.1]])
    s2 = ((d - d.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    found = five_by_two_t(d)
    assert found.t == pytest.approx(d[0, 0] / np.sqrt(s2.mean()))
    assert found.p == pytest.approx(2 * stats.t.sf(abs(found.t), 5))
    assert pytest.approx((d**2).sum() / (2 * s2.sum())) == found.F
    assert found.p_F == pytest.approx(stats.f.sf(found.F, 10, 5))
    swapped = five_by_two_t(-d)
    assert (swapped.t, swapped.p, swapped.F) == (-found.t, found.p, found.F)
    same = five_by_two_t(np.zeros((5, 2)))
    assert (same.t, same.p, same.F, same.p_F) == (0.0, 1.0, 0.0, 1.0)
    with pytest.raises(ValueError, match=r"expected \(5, 2\)"):
        five_by_two_t(np.zeros((2, 5)))


def test_the_corrected_test_is_the_plain_one_with_a_larger_variance():
    d = np.random.default_rng(1).normal(0.1, 1.0, 25)
    found = corrected_t(d, test_share=0.5)
    plain = stats.ttest_1samp(d, 0.0)
    assert found.t == pytest.approx(plain.statistic * np.sqrt((1 / 25) / (1 / 25 + 0.5)))
    assert found.p == pytest.approx(2 * stats.t.sf(abs(found.t), 24))
    assert found.low < found.mean < found.high
    assert corrected_t(-d, test_share=0.5).p == found.p
    assert corrected_t(np.zeros(5), test_share=1.0).p == 1.0
    with pytest.raises(ValueError, match="test_share is 0"):
        corrected_t(d, test_share=0)


def test_the_answer_and_the_reports_tell_who_beats_whom(results, tmp_path):
    answer = results.answer("accuracy", learners=list(LEARNERS))
    assert "on rows, naive Bayes leads with a mean of 0.9" in answer
    for fact in ("not differ significantly from TAN", "significantly better than the class prior"):
        assert fact in answer
    assert "not differ significantly from TAN" in results.answer("accuracy")
    assert "Alpaydin's combined 5x2cv F test at 5% with Holm's correction" in results.answer("accuracy")
    assert set(results.differences("accuracy")["source"]) == {"rows"}
    page = results.report(tmp_path / "r.tex").read_text(encoding="utf-8")
    assert "significantly worse learners" in page
    assert "Holm" in page
    with pytest.raises(WorkbenchError, match="share rows and are not independent"):
        results.anova()


def with_accuracy(results, values):
    """Return results whose accuracies are others: ten for each learner, part by part."""
    cells = results._cells.sort_values(["replicate", "fold"])
    by_cell = {
        cell: value
        for learner, own in values.items()
        for cell, value in zip(cells["cell"][cells["learner"] == learner], own, strict=True)
    }
    scores = results._scores.query("metric == 'accuracy'")
    return replace(results, _scores=scores.assign(value=scores["cell"].map(by_cell)))


def test_wins_are_counted_by_alpaydins_f_with_holms_correction(results):
    noise = np.array([0.02, -0.02, 0.01, -0.01, 0.02, -0.02, 0.01, -0.01, 0.02, -0.02])
    late = 0.05 + noise
    late[:2] = 0.03  # t looks at the first difference alone, which is small
    made = with_accuracy(results, {"nb": 0.8 + late, "tan": np.full(10, 0.8), "prior": 0.7 + 0.5 * noise})
    (found,) = comparisons_of(made, score="accuracy", learners=list(LEARNERS))
    np.testing.assert_array_equal(found.table["p_holm"], holm(found.table["p_F"]))
    np.testing.assert_array_equal(found.table["p_bonferroni"], bonferroni(found.table["p_F"]))
    assert found.beaten_by("nb") == ("tan", "prior")
    assert found.beaten_by("nb", p="p") == ("prior",)
    answer = made.answer("accuracy", learners=list(LEARNERS))
    assert "on rows, naive Bayes wins with a mean of 0.846" in answer
    assert "The test: Alpaydin" in answer
    two = tally_frame([found, found])
    assert tally_words(two) == "naive Bayes 4/0/0, TAN 2/0/2, class prior 0/0/4"


def test_nobody_wins_where_the_differences_cancel(results):
    cancel = np.array([0.1, 0.1, -0.1, -0.1, 0.1, 0.1, -0.1, -0.1, 0.001, -0.001])
    made = with_accuracy(results, {"nb": 0.5 + cancel, "tan": np.full(10, 0.5), "prior": np.full(10, 0.2)})
    (found,) = comparisons_of(made, score="accuracy")
    pair = found.table.query("learner == 'nb' and other == 'tan'").iloc[0]
    assert pair["p_holm"] < 0.05
    found = replace(found, table=found.table.assign(difference=found.table["difference"].round(12)))
    assert found.winners()[0] is None


@pytest.fixture(scope="module")
def infinite(iris):
    """Results with a tree, whose rewards are infinite without cut-off."""
    specs = tuple(
        LearnerSpec(key, estimator=own)
        for key, own in {"nb": NaiveBayesClassifier(), "cart": DecisionTreeClassifier(random_state=1)}.items()
    )
    scores = Scores(("ir_b", "accuracy"), ("training",), ("test",), ("none", "2001", "2002"))
    return run(Study("cut", 1, (DatasetSource("iris", rows=iris),), specs, FiveByTwo(), scores))


def test_the_answer_uses_the_cut_off_where_a_score_is_infinite(infinite):
    answer = infinite.answer()
    assert answer.startswith("By IR_B (test rows, training prior, clipped as in 2001), on iris, ")
    assert answer.endswith(" Without clipping the score of CART is infinite.")
    assert "naive Bayes leads with a mean of 0.778" in answer
    assert "not differ significantly from CART" in answer
    assert headline_keys(infinite)[0].cutoff == "2001"
    plain = infinite.answer("///none")
    assert plain.startswith("By IR_B (test rows, training prior), on iris, no two learners could be tested.")
    assert plain.endswith(" Not tested: CART on iris (infinite score).")
    assert infinite.answer("accuracy").startswith("By accuracy (test rows), on iris, ")


def test_a_report_starts_with_the_score_of_the_answer_and_explains_its_words(infinite, tmp_path):
    text = infinite.report(tmp_path / "r.md").read_text(encoding="utf-8")
    assert infinite.answer() in text.replace("\\", "")
    score = "IR_B (test rows, training prior"
    plain = text.replace("\\", "")
    assert f"| learner | {score}, clipped as in 2001) | {score}) |" in plain
    assert "| clipped as in 2001 | probabilities are limited to" in plain
    assert "with n training rows" in " ".join(plain.split())
    assert "Not tested: CART on iris (infinite score)." in text


def test_a_table_of_means_has_no_column_for_sizes(results, shared):
    table = results.table("accuracy")
    assert table.index.names == ["source", "learner"]
    assert table.columns.tolist() == ["mean", "sd", "n", "n_infinite"]
    values = results.frame().query("metric == 'accuracy' and learner == 'nb' and cutoff == 'none'")["value"]
    row = table.loc[("rows", "nb")]
    assert row["mean"] == pytest.approx(values.mean())
    assert row["sd"] == pytest.approx(values.std(ddof=1))
    assert row["n"] == 10


def test_a_table_of_means_counts_infinite_scores(infinite):
    row = infinite.table("ir_b///none").loc[("iris", "cart")]
    assert row["mean"] == -np.inf
    assert np.isnan(row["sd"])
    assert 0 < row["n_infinite"] <= row["n"] == 10


@pytest.mark.parametrize("design", [FiveByTwo(), RandomSplits(), HalfSplits(), RepeatedFolds(folds=7)])
def test_one_split_has_the_nominal_size_and_folds_differ_by_a_row_at_most(design):
    rng = np.random.default_rng(1)
    for n_rows in (45, 83, 150):
        codes = rng.integers(0, 3, n_rows)
        for fold in range(design.n_folds):
            train, _ = design.split(codes, fold, seed=1)
            assert abs(len(train) - design.n_train(n_rows)) <= (design.n_folds > 1)


def test_a_learner_that_fails_on_a_table_is_in_no_test_and_the_others_go_on(iris):
    class Never(PriorClassifier):
        def fit(self, X, y, sample_weight=None):
            raise ValueError("it does not take this table")

    with pytest.warns(FailedCells):
        results = compare({**LEARNERS, "never": Never()}, on=iris, metrics="accuracy")
    (found,) = comparisons_of(results, learners=[*LEARNERS, "never"])
    assert found.notes == (
        "never is in no test on rows: scores in 0 of 10 parts: it does not take this table",
    )
    assert set(found.table["other"]) == {"tan", "prior"}


def test_truths_and_tables_and_their_designs_are_not_mixed(iris):
    with pytest.raises(WorkbenchError, match="design 'fresh_samples' is for truths"):
        study_of(iris, workbench.designs.FreshSamples())
    with pytest.raises(WorkbenchError, match="design 'five_by_two' is for data sets"):
        compare(LEARNERS, on={"iris": iris, "tan": [random_tan(random_state=1)]})


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (pd.DataFrame({"a": [1.0, 2.0]}), ["x"], "has 2 rows and a class for 1"),
        (pd.DataFrame({"a": [1.0, 2.0]}), ["x", None], r"has 1 row without a class \(row 2\): drop"),
        (pd.DataFrame({"a": [1.0, 2.0]}), ["x", "x"], "of 1 class: expected at least two classes"),
        (pd.DataFrame({"a": [1.0, 2.0]}), ["x", "y"], "has 2 rows: expected at least 4 to split"),
    ],
)
def test_tables_that_cannot_be_used_are_reported(X, y, message):
    with pytest.raises(WorkbenchError, match=message):
        compare(LEARNERS, on=(X, y), metrics="accuracy")


def test_a_study_file_names_data_sets(shared, tmp_path):
    toml = """
name = "two"
seed = 1
learners = ["nb", "prior"]
[[sources]]
dataset = ["iris", "glass"]
[design]
kind = "random_splits"
repeats = 2
[scores]
metrics = ["accuracy"]
rows = ["test"]
"""
    study = read_study(toml, data=shared / "datasets")
    assert read_study(write_study(study), data=shared / "datasets") == study
    results = run(study, tmp_path / "s.db")
    assert [one.scores.source for one in comparisons_of(results)] == ["iris", "glass"]
    sizes = results.cells().groupby("source", observed=True)["n_train"].first()
    assert sizes.tolist() == [100, 142]  # as in Table 7 of 2001


def test_files_are_read_by_their_paths(iris, tmp_path):
    X, y = iris
    frame = X.assign(kind=y.map({0: "a", 1: "b", 2: "c"}))
    frame.to_csv(tmp_path / "mine.csv", index=False)
    with pytest.warns(InferredClassWarning, match="the last column, 'kind', is taken as the class"):
        results = compare(
            LEARNERS, on=tmp_path / "mine.csv", metrics="accuracy", design=HalfSplits(repeats=1)
        )
    assert results.cells()["n_test"].unique().tolist() == [75]
    assert results.study.source_keys == ["mine"]


def test_rounding_is_no_spread_and_no_difference():
    equal = np.array([[0.94 - 0.92, 0.96 - 0.94]] * 5)
    assert np.isnan(five_by_two_t(equal).F)
    assert np.isnan(corrected_t(equal.ravel(), test_share=1.0).t)
    nothing = np.full((5, 2), 0.1 + 0.2 - 0.3)
    assert five_by_two_t(nothing).p == 1.0
    assert corrected_t(nothing.ravel(), test_share=1.0).p == 1.0


LARGE = np.array([404.1, 387.3, 421.6, 396.9, 410.2, 399.7, 405.5, 391.1, 418.8, 402.4])


def test_rounding_of_large_scores_is_no_spread_of_their_small_difference():
    constant = LARGE - (LARGE + 3.0 + np.tile([5e-14, 0.0], 5))
    assert np.ptp(constant) > 1e-14  # what doubles leave, beyond the rounding of 3
    assert five_by_two_t(constant.reshape(5, 2)).p_F < 1e-9
    assert corrected_t(constant, test_share=1.0).p < 1e-9
    largest = float(LARGE.max())
    assert np.isnan(five_by_two_t(constant.reshape(5, 2), largest=largest).p_F)
    assert np.isnan(corrected_t(constant, test_share=1.0, largest=largest).p)
    spread = constant + 1e-6 * np.arange(10)  # small, but no rounding
    assert corrected_t(spread, test_share=1.0, largest=largest).p < 1e-6
    assert five_by_two_t(spread.reshape(5, 2), largest=largest).p_F < 1e-6
    for wrong in (-1.0, np.inf):
        with pytest.raises(ValueError, match="largest is"):
            corrected_t(constant, test_share=1.0, largest=wrong)
        with pytest.raises(ValueError, match="largest is"):
            five_by_two_t(constant.reshape(5, 2), largest=wrong)


@pytest.mark.filterwarnings("ignore::workbench.datasets.GiveawayColumnWarning")
def test_integer_arrays_are_codes_as_in_fit():
    rng = np.random.default_rng(1)
    codes = rng.integers(-1, 3, (80, 3))
    y = (codes[:, 0] > 0).astype(int)
    by_code = compare({"nb": NaiveBayesClassifier()}, on=(codes, y), metrics="ir_b").frame()
    frame = pd.DataFrame(
        {j: pd.Categorical.from_codes(column, categories=range(3)) for j, column in enumerate(codes.T)}
    )
    as_frame = compare({"nb": NaiveBayesClassifier()}, on=(frame, y), metrics="ir_b").frame()
    assert by_code["value"].tolist() == as_frame["value"].tolist()
    assert (compare({"nb": NaiveBayesClassifier()}, on=(codes, y)).table()["n"] == 10).all()


@pytest.mark.parametrize("wrong", [-7, 65_536, 2**64 - 1])
def test_codes_out_of_range_are_refused_in_the_words_of_the_learners(wrong):
    codes = np.zeros((4, 2), dtype=np.uint64 if wrong > 2**62 else np.int64)
    codes[1, 1] = wrong
    with pytest.raises(ValueError, match="Integer codes must lie between 0 and 65,535") as by_learner:
        NaiveBayesClassifier().fit(codes, [0, 1, 0, 1])
    with pytest.raises(WorkbenchError, match=re.escape(str(by_learner.value))):
        compare(LEARNERS, on=(codes, [0, 1, 0, 1]))


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([[1.0], [2.0]], pd.DataFrame({"no": [0, 1], "yes": [1, 0]}), "y of t has 2 columns: .*one"),
        ({"a": [1.0, 2.0]}, [0, 1], "X of t is a dict: expected a DataFrame"),
        (np.zeros((2, 2, 2)), [0, 1], "X of t is an array of 3 dimensions: expected a DataFrame"),
        ([[1.0], [2.0, 3.0]], [0, 1], "X of t is not a table .* give a DataFrame"),
        ([[1.0], [2.0]], [1, "no"], r"classes of t cannot be ordered, such as 1 \(int\) and 'no' \(str\)"),
        (pd.DataFrame({"a": [1.0, 2.0]}), "b", "t has no column 'b' for the class: expected one of 'a'"),
        (
            [[1.0], [2.0]],
            pd.Categorical(["a", "a"], ["a", "b", "c"]),
            "t has 2 rows of 1 class: expected at",
        ),
    ],
)
def test_rows_of_another_form_are_one_sentence(X, y, message):
    with pytest.raises(WorkbenchError, match=message):
        Dataset.of(X, y, what="t")


def test_the_class_of_a_frame_may_be_named():
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0] * 5, "status": [0, 1] * 10})
    named = Dataset.of(frame, "status", what="t")
    assert named.digest == Dataset.of(frame[["a"]], frame["status"], what="t").digest
    for on in ((frame, "status"), {"shop": (frame, "status")}):
        assert len(compare(["prior"], on=on, cv=2, metrics="accuracy").cells()) == 2


def test_a_column_of_classes_is_a_list_of_classes():
    for y in (np.array([[3], [5]]), pd.DataFrame({"y": [3, 5]})):
        assert Dataset.of([[1.0], [2.0]], y, what="t").classes == (3, 5)


@pytest.mark.parametrize("y", [pd.cut(np.arange(20), [-1, 9, 19]), np.repeat([b"no", b"yes"], 10)])
def test_classes_that_scikit_learn_refuses_are_text(y):
    X = pd.DataFrame({"a": np.arange(20.0)})
    table = compare([DecisionTreeClassifier(), "nb"], on=(X, y), cv=2, metrics="accuracy").table()
    assert (table["mean"] > 0.7).all()
    assert all(isinstance(label, str) for label in Dataset.of(X, y, what="t").classes)


TIES = np.array([[0.0267, 0.0267], [0, 0], [0.0133, 0.0133], [0, 0], [0, 0]])


def test_differences_without_spread_are_no_test():
    found = five_by_two_t(TIES)
    assert found.mean == pytest.approx(0.008)
    assert np.isnan([found.t, found.p, found.F, found.p_F]).all()
    constant = corrected_t(np.full(5, 0.01), test_share=1.0)
    assert constant.mean == pytest.approx(0.01)
    assert np.isnan([constant.t, constant.p, constant.low, constant.high]).all()
    near = TIES.copy()
    near[1, 1] = 0.0133  # the least spread there can be is one
    assert five_by_two_t(near).p_F < 1


@pytest.mark.slow
def test_a_pair_without_spread_is_a_tie_and_reported(results, tmp_path):
    wave = np.array([0.01, -0.01] * 5)
    values = {"nb": 0.9 + TIES.ravel(), "tan": np.full(10, 0.9), "prior": 0.2 + wave}
    made = with_accuracy(results, values)
    (found,) = comparisons_of(made, score="accuracy", learners=list(LEARNERS))
    pair = found.table.iloc[0]
    assert (pair["learner"], pair["other"]) == ("nb", "tan")
    assert np.isnan([pair["t"], pair["p"], pair["F"], pair["p_F"]]).all()
    assert (pair["p_holm"], pair["p_bonferroni"]) == (1.0, 1.0)
    # It counts in the family of three.
    others = found.table.iloc[1:]
    assert others["p_bonferroni"].tolist() == (3 * others["p_F"]).tolist()
    for p in ("p_holm", "p", "p_F"):
        assert found.winners(p=p)[0] is None
    why = "naive Bayes against TAN on rows: the difference is the same on all parts"
    assert found.notes == (why,)
    answer = made.answer("accuracy", learners=list(LEARNERS))
    assert "naive Bayes leads with a mean of 0.908, but does not differ significantly from TAN." in answer
    assert "significantly better than the class prior" in answer
    assert answer.endswith("naive Bayes against TAN on rows (the difference is the same on all parts).")
    text = made.report(tmp_path / "r.md").read_text(encoding="utf-8")
    assert "naive Bayes against TAN on rows (the difference is the same on all parts)" in text
    lines = list(lines_of(pairs_parts(made, score="accuracy")))
    assert [line.split()[5:] for line in lines if line.startswith("rows")] == [
        ["0.0080", "-", "-", "-", "-", "1.0000", "1.0000", "-"]
    ]


def test_the_prior_is_compared_only_if_it_is_named_and_always_shown_alongside(results, iris, tmp_path):
    (found,) = comparisons_of(results, score="accuracy")
    assert found.scores.wanted == ("nb", "tan")
    assert found.scores.others == ("prior",)
    assert len(found.table) == 1
    assert results.differences("accuracy")[["learner", "other"]].to_numpy().tolist() == [["nb", "tan"]]
    named = replace(results, study=comparing(results.study, ["prior", "nb"]))
    (found,) = comparisons_of(named, score="accuracy")
    assert set(found.scores.wanted) == {"nb", "prior"}
    assert found.scores.others == ("tan",)
    (table,) = means_tables({found.scores.score: [found]})
    assert [row[0] for row in table.rows] == [*map(learner_name, found.scores.wanted), "TAN"]
    assert [row[0] for row in beaten_rows([found])[1]] == [*map(learner_name, found.scores.wanted)]
    own = results.frame().query("metric == 'accuracy' and learner == 'tan' and cutoff == 'none'")["value"]
    assert found.scores.means.loc["tan", "mean"] == pytest.approx(own.mean())
    page = named.report(tmp_path / "r.html").read_text(encoding="utf-8")
    assert "In no test: TAN." in page


def test_of_one_data_set_learners_stand_below_each_other(results):
    document = gather(results)
    (matrix,) = document.matrices
    wanted = ["nb", "tan"]
    names = [*map(learner_name, wanted)]
    assert [row[0] for row in matrix.rows] == names
    (scores, beats) = (
        section for section in document.sections if section.title in ("Scores", "Who beats whom")
    )
    means = next(part for part in scores.parts if isinstance(part, Table))
    assert [row[0] for row in means.rows] == [*names, "class prior"]
    assert len(means.columns) == 1 + len(Findings(results).tests)
    for (key, *_), column in zip(Findings(results).tests.items(), range(1, 9), strict=False):
        table = results.table(key)["mean"].droplevel("source")
        best = table[wanted].idxmax() if results.metric(key.metric).sign > 0 else table[wanted].idxmin()
        assert learner_name(best) in [row[0] for row in means.rows if row[column].strong]
    assert {part.columns[0] for part in beats.parts if isinstance(part, Table)} == {"learner"}
    out = io.StringIO()
    print_summary(results, Console(file=out, width=100))
    (line,) = [line for line in out.getvalue().splitlines() if line.startswith("| TAN") and "±" in line]
    assert line.count("±") == len(means.columns) - 1
    assert "*: the best mean of the compared learners" in out.getvalue()


def test_the_interval_of_five_halvings_is_what_f_does_not_reject():
    rng = np.random.default_rng(3)
    for _ in range(20):
        d = rng.normal(0.3, 1, size=(5, 2))
        found = five_by_two_t(d)
        assert (found.p_F < 0.05) == (not found.low <= 0 <= found.high)
        for end in (found.low, found.high):
            assert five_by_two_t(d - end).p_F == pytest.approx(0.05)
    # Replications that contradict each other: F rejects every difference.
    assert np.isnan(five_by_two_t(np.add.outer(np.arange(5.0), [0, 0.01])).low)


def test_a_difference_on_a_data_set_has_the_interval_of_the_corrected_test(iris):
    results = run(study_of(iris, RepeatedFolds(folds=5, repeats=2)))
    pair = results.differences("accuracy").query("learner == 'nb' and other == 'tan'").iloc[0]
    wide = results.scores("accuracy").pivot(index=["replicate", "fold"], columns="learner", values="value")
    found = corrected_t((wide["nb"] - wide["tan"]).to_numpy(), test_share=1 / 4)
    assert pair["low"] == pytest.approx(found.low)
    assert pair["high"] == pytest.approx(found.high)
    assert found.low < pair["difference"] < found.high
    of_halves = run(study_of(iris, FiveByTwo())).differences("accuracy").iloc[0]
    assert of_halves["low"] < of_halves["difference"] < of_halves["high"]
