"""Tables instead of truths: splits, scores, tests table by table, and what is refused."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import ShuffleSplit, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

import workbench
from generators import random_tan
from learners import NaiveBayesClassifier, PriorClassifier, TANClassifier
from workbench import Study, compare, run
from workbench.analyses import resampled_of
from workbench.comparisons import corrected_t, five_by_two_t, holm
from workbench.designs import FiveByTwo, HalfSplits, RandomSplits, RepeatedFolds
from workbench.errors import FailedCells, WorkbenchError
from workbench.learner_spec import LearnerSpec
from workbench.scores import Scores
from workbench.table_source import TableSource
from workbench.tables_summary import headline_keys

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
    return Study("tables", seed, (TableSource("iris", rows=rows),), specs, design)


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


def test_numbers_do_not_depend_on_the_number_of_processes(iris):
    study = study_of(iris, FiveByTwo(), {"nb": NaiveBayesClassifier(), "forest": RandomForestClassifier(5)})
    one, two = run(study).frame(), run(study, n_jobs=2).frame()
    pd.testing.assert_frame_equal(one, two)


def test_pairs_are_tested_by_the_test_of_the_design(iris, results):
    (found,) = resampled_of(results, metric="accuracy")
    assert found.test == "five_by_two"
    frame = results.frame().query("metric == 'accuracy' and cutoff == 'none'")
    wide = frame.pivot_table(index=["replicate", "fold"], columns="learner", values="value", observed=True)
    pair = found.table.query("learner == 'nb' and other == 'prior'").iloc[0]
    expected = five_by_two_t((wide["nb"] - wide["prior"]).to_numpy().reshape(5, 2))
    assert (pair["t"], pair["p"], pair["F"]) == (expected.t, expected.p, expected.F)
    assert "prior" in found.beaten_by("nb")
    assert found.beaten_by("prior") == ()
    halves = run(study_of(iris, HalfSplits(repeats=4)))
    (corrected,) = resampled_of(halves, metric="accuracy")
    assert corrected.test == "corrected"
    assert corrected.table["F"].isna().all()


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
    assert "on 1 table nb and tan win most, net of losses" in results.answer("accuracy")
    assert "Alpaydin's combined 5x2cv F test at 5% with Holm's correction" in results.answer("accuracy")
    assert set(results.differences("accuracy")["source"]) == {"rows"}
    for ending in (".html", ".md", ".tex"):
        page = results.report(tmp_path / f"r{ending}").read_text(encoding="utf-8")
        assert "beaten by the column" in page
        assert "Holm" in page
        assert "as in the papers, uncorrected" in page
    with pytest.raises(WorkbenchError, match="share rows and are no independent subjects"):
        results.anova()


def with_accuracy(results, values):
    """Give results whose accuracies are others: ten for each learner, part by part."""
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
    (found,) = resampled_of(made, metric="accuracy")
    np.testing.assert_array_equal(found.table["p_holm"], holm(found.table["p_F"]))
    assert found.beaten_by("nb") == ("tan", "prior")
    assert found.beaten_by("nb", p="p") == ("prior",)
    assert (
        "nb wins most, net of losses (wins/ties/losses against the others: nb 2/0/0; tan 1/0/1; prior 0/0/2)"
        in (made.answer("accuracy"))
    )


def test_what_only_uncorrected_tests_find_is_no_win_in_the_answer(results):
    wave = 0.04 + np.array([0.0125, -0.0125] * 5)
    made = with_accuracy(results, {"nb": 0.8 + wave, "tan": np.full(10, 0.8), "prior": 0.8 + 0.4 * wave})
    (found,) = resampled_of(made, metric="accuracy")
    assert found.beaten_by("nb", p="p") == found.beaten_by("nb", p="p_F") == ("tan", "prior")
    assert "no learner is told from another" in made.answer("accuracy")
    assert "nb 0/2/0; tan 0/2/0; prior 0/2/0" in made.answer("accuracy")


def test_nobody_wins_where_the_differences_cancel(results):
    cancel = np.array([0.1, 0.1, -0.1, -0.1, 0.1, 0.1, -0.1, -0.1, 0.001, -0.001])
    made = with_accuracy(results, {"nb": 0.5 + cancel, "tan": np.full(10, 0.5), "prior": np.full(10, 0.2)})
    (found,) = resampled_of(made, metric="accuracy")
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
    return run(Study("cut", 1, (TableSource("iris", rows=iris),), specs, FiveByTwo(), scores))


def test_the_answer_uses_the_cut_off_where_a_score_is_infinite(infinite):
    told = infinite.answer()
    assert told.startswith("By ir_b after the cut-off of 2001 on 1 table ")
    assert told.endswith(" Without the cut-off the score is infinite for cart.")
    assert "cart 0/1/0" in told
    assert headline_keys(infinite)[0].cutoff == "2001"
    plain = infinite.answer(cutoff="none")
    assert plain.startswith("By ir_b on 1 table no two learners could be tested.")
    assert plain.endswith(" Not tested: cart on iris (infinite score).")
    assert infinite.answer("accuracy").startswith("By accuracy on 1 table ")


def test_a_report_starts_with_the_score_of_the_answer_and_explains_its_words(infinite, tmp_path):
    text = infinite.report(tmp_path / "r.md").read_text(encoding="utf-8")
    assert infinite.answer() in text.replace("\\", "")
    assert text.index("**ir_b, prior training, cut-off 2001**") < text.index("**ir_b, prior training**")
    assert "| cut-off 2001 | probabilities kept within" in text
    assert "| n | number of training rows |" in text
    assert "Not tested: cart on iris (infinite score)." in text


def test_every_metric_has_its_pairs_in_a_report_and_long_ones_are_folded(iris, tmp_path):
    X, y = iris
    tables = {f"t{i}": (X.iloc[i:], y.iloc[i:]) for i in range(5)}
    results = compare(LEARNERS, on=tables, metrics=("accuracy", "ir_b"), design=HalfSplits(repeats=3))
    page = results.report(tmp_path / "r.html").read_text(encoding="utf-8")
    for metric, prior in (("ir_b", "training"), ("accuracy", "none")):
        frame = results.differences(metric)
        assert len(frame) == 15
        for row in frame.itertuples():
            name = f"p_holm|{metric}|{prior}|test|none|{row.source}|{row.learner}|{row.other}"
            assert f'data-value="{row.p_holm!r}" data-name="{name}"' in page
    pairs = page[page.index('<section id="pairs">') :]
    assert pairs.count("<details>") == 1
    assert pairs.index("ir_b, prior training") < pairs.index("<details>") < pairs.index("<h3>accuracy</h3>")


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
    row = infinite.table("ir_b", cutoff="none").loc[("iris", "cart")]
    assert row["mean"] == -np.inf
    assert np.isnan(row["sd"])
    assert 0 < row["n_infinite"] <= row["n"] == 10


@pytest.mark.parametrize("design", [FiveByTwo(), RandomSplits(), HalfSplits(), RepeatedFolds(folds=7)])
def test_parts_differ_from_their_nominal_size_by_a_row_at_most(design):
    rng = np.random.default_rng(1)
    for n_rows in (45, 83, 150):
        codes = rng.integers(0, 3, n_rows)
        for fold in range(design.n_folds):
            train, _ = design.split(codes, fold, seed=1)
            assert abs(len(train) - round(design.train_share * n_rows)) <= 1


def test_a_table_on_which_all_fail_is_told(iris):
    class Picky(PriorClassifier):
        def fit(self, X, y, sample_weight=None):
            if len(X) < 30:
                raise ValueError("too few rows")
            return super().fit(X, y)

    X, y = iris
    small = (X.iloc[::4], y.iloc[::4])
    with pytest.warns(FailedCells):
        results = compare(
            {"a": Picky(), "b": Picky(alpha=1.0)}, on={"big": iris, "small": small}, metrics="accuracy"
        )
    told = results.answer()
    assert told.startswith("By accuracy on 2 tables no learner is told from another")
    assert told.endswith(
        "Not tested: a on small (scores in 0 of 10 parts); b on small (scores in 0 of 10 parts)."
    )


def test_a_learner_that_fails_on_a_table_is_in_no_test_and_the_others_go_on(iris):
    class Never(PriorClassifier):
        def fit(self, X, y, sample_weight=None):
            raise ValueError("it does not take this table")

    with pytest.warns(FailedCells):
        results = compare({**LEARNERS, "never": Never()}, on=iris, metrics="accuracy")
    (found,) = resampled_of(results)
    assert found.notes == ("on rows never is in no test: it has scores in 0 of 10 parts",)
    assert set(found.table["other"]) == {"tan", "prior"}


def test_truths_and_tables_and_their_designs_are_not_mixed(iris):
    with pytest.raises(WorkbenchError, match="design 'fresh_samples' is for truths"):
        study_of(iris, workbench.designs.FreshSamples())
    with pytest.raises(WorkbenchError, match="design 'five_by_two' is for tables"):
        compare(LEARNERS, on={"iris": iris, "tan": [random_tan(random_state=1)]})


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (pd.DataFrame({"a": [1.0, 2.0]}), ["x"], "has 2 rows and 1 classes"),
        (pd.DataFrame({"a": [1.0, 2.0]}), ["x", None], "has 1 rows without a class: drop them"),
        (pd.DataFrame({"a": [1.0, 2.0]}), ["x", "x"], "of 1 classes: expected two classes"),
        (pd.DataFrame({"a": [1.0, 2.0]}), ["x", "y"], "has 2 rows: expected at least 4 to split"),
    ],
)
def test_tables_that_cannot_be_used_are_told(X, y, message):
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
    study = Study.from_toml(toml, data=shared / "datasets")
    assert Study.from_toml(study.to_toml(), data=shared / "datasets") == study
    results = run(study, tmp_path / "s.db")
    assert [one.source for one in resampled_of(results)] == ["iris", "glass"]
    assert results.cells().groupby("source", observed=True)["n_train"].first().tolist() == [100, 143]


def test_files_are_read_by_their_paths(iris, tmp_path):
    X, y = iris
    frame = X.assign(kind=y.map({0: "a", 1: "b", 2: "c"}))
    frame.to_csv(tmp_path / "mine.csv", index=False)
    results = compare(LEARNERS, on=tmp_path / "mine.csv", metrics="accuracy", design=HalfSplits(repeats=1))
    assert results.cells()["n_test"].unique().tolist() == [75]
    assert [key for key, _ in results.study["sources"]] == ["mine"]


def test_rounding_is_no_spread_and_no_difference():
    equal = np.array([[0.94 - 0.92, 0.96 - 0.94]] * 5)
    assert five_by_two_t(equal).t == np.inf
    assert corrected_t(equal.ravel(), test_share=1.0).t == np.inf
    nothing = np.full((5, 2), 0.1 + 0.2 - 0.3)
    assert five_by_two_t(nothing).p == 1.0
    assert corrected_t(nothing.ravel(), test_share=1.0).p == 1.0


def test_rows_are_said_to_be_paired_part_by_part(results):
    from workbench.report.checks import checks_of

    (table,) = checks_of(results, ())
    assert ("every learner met the same test rows", "yes, by hash, for 10 parts of tables") in table.rows


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
