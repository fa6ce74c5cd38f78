"""What programs of old did with rows: test rows scored as they stand, numbers cut before the split."""

import numpy as np
import pandas as pd
import pytest

from learners import DecisionStumpClassifier, MDLPDiscretizer, NaiveBayesClassifier
from workbench import load, read_study, rescore, run, write_study
from workbench.base.errors import WorkbenchError
from workbench.base.seeds import canonical, integer_seed
from workbench.datasets import load_dataset
from workbench.designs import RandomSplits
from workbench.metrics import Miscalibration, log_loss
from workbench.study.dataset_source import DatasetSource
from workbench.study.learner_spec import LearnerSpec
from workbench.study.scores import Scores
from workbench.study.source import Source
from workbench.study.study import Study

GIVEN = Miscalibration(ties="given", name="given")


@pytest.fixture(scope="module")
def table():
    """Rows that stand sorted by class, of which one attribute tells a little."""
    rng = np.random.default_rng(3)
    y = np.repeat(["a", "b"], 120)
    x = np.where(rng.random(240) < 0.75, y, np.where(y == "a", "b", "a"))
    return pd.DataFrame({"x": pd.Categorical(x)}), pd.Series(pd.Categorical(y))


def study_of(table, design):
    learners = (
        LearnerSpec("shuffled", "stump"),
        LearnerSpec("in_file", "stump", test_rows="file_order"),
    )
    scores = Scores(metrics=("accuracy", GIVEN), rows=("test",), cutoffs=("none",))
    return Study("order", 5, (DatasetSource("t", rows=table),), learners, design, scores)


@pytest.fixture
def ran(table, tmp_path):
    study = study_of(table, RandomSplits(repeats=2))
    return study, run(study, tmp_path / "order.db", progress=False), tmp_path / "order.db"


def values(results, metric, learner):
    scores = results.scores(results.choose(metric))
    return scores[scores["learner"] == learner].sort_values("replicate")["value"].to_numpy()


def test_a_score_by_turns_is_that_of_the_rows_as_they_stand(ran, table):
    study, results, _ = ran
    X, y = table
    expected = []
    for replicate in range(2):
        source = study.sources[0]
        identity = canonical(source.identity(0))
        seed = integer_seed("split", study.seed, identity, replicate, study.design.describe())
        train, test = study.design.split(source.content.codes, 0, seed)
        test = np.sort(test)
        stump = DecisionStumpClassifier().fit(X.iloc[train], y.iloc[train])
        codes = y.cat.codes.to_numpy()[test]
        expected.append(GIVEN(codes, stump.predict_proba(X.iloc[test])))
    np.testing.assert_allclose(values(results, "given", "in_file"), expected, rtol=1e-12)
    # Cells of sorted rows are nearly pure, so the score is far above that of shuffled ones.
    assert (values(results, "given", "in_file") > 1.5 * values(results, "given", "shuffled")).all()


def test_scores_without_an_order_are_equal(ran):
    _, results, _ = ran
    np.testing.assert_array_equal(
        values(results, "accuracy", "in_file"), values(results, "accuracy", "shuffled")
    )


def test_a_score_added_later_sees_the_same_order(ran, table):
    _, results, path = ran
    again = Miscalibration(ties="given", name="again")
    rescore(path, [again], on={"t": table}, progress=False)
    added = load(path)
    for learner in ("in_file", "shuffled"):
        np.testing.assert_array_equal(values(added, "again", learner), values(results, "given", learner))


def test_toml_keeps_the_order():
    text = """
        name = "order"
        seed = 1
        learners = ["nb", { key = "stump", learner = "stump", test_rows = "file_order", small = 3 }]
        [[sources]]
        dataset = "iris"
        [design]
        kind = "random_splits"
    """
    study = read_study(text)
    assert [one.test_rows for one in study.learners] == ["as_split", "file_order"]
    assert read_study(write_study(study)) == study
    assert study.learners[1].identity["test_rows"] == "file_order"
    assert "test_rows" not in study.learners[0].identity


@pytest.mark.parametrize("option", [{"test_rows": "sorted"}, {"cut_on": "test"}])
def test_another_word_is_refused(option):
    ((name, word),) = option.items()
    with pytest.raises(WorkbenchError, match=f"'stump' has {name} = '{word}': expected '.*' or '.*'"):
        LearnerSpec("stump", "stump", **option)


def test_a_word_that_is_nearly_right_is_named():
    with pytest.raises(
        WorkbenchError, match="unknown key 'test_row' of learner 'stump'; did you mean 'test_rows'"
    ):
        LearnerSpec("stump", "stump", parameters={"test_row": "file_order"})


@pytest.mark.parametrize("option", [{"test_rows": "file_order"}, {"cut_on": "all_rows"}])
def test_truths_have_no_file(option):
    learners = (LearnerSpec("nb", "nb", **option), LearnerSpec("prior", "prior"))
    with pytest.raises(WorkbenchError, match="which is for data sets, and the study draws rows from truths"):
        Study("truths", 1, (Source("tan", generator="tan"),), learners)


class TestCutBefore:
    """Numbers cut on all rows, before the split."""

    @pytest.fixture
    def iris(self):
        return load_dataset("iris")

    @pytest.fixture
    def results(self, iris, tmp_path):
        X, y = iris
        X = X.assign(noise=np.random.default_rng(1).normal(size=len(X)), text=np.where(X.index % 2, "a", "b"))
        X.loc[3:9, "petallength"] = np.nan
        learners = (
            LearnerSpec("nb", "nb", parameters={"numeric": "mdlp"}),
            LearnerSpec("before", "nb", cut_on="all_rows"),
            LearnerSpec("forest", "sklearn.tree:DecisionTreeClassifier", cut_on="all_rows"),
        )
        scores = Scores(metrics=("log_loss", GIVEN), rows=("test", "training"), cutoffs=("none",))
        sources = (DatasetSource("iris", rows=(X, y)),)
        study = Study("cut", 5, sources, learners, RandomSplits(repeats=1), scores)
        return study, run(study, tmp_path / "cut.db", progress=False)

    def test_the_learner_has_intervals_of_all_rows(self, results):
        study, found = results
        rows = study.sources[0].content
        seed = integer_seed("split", 5, canonical(study.sources[0].identity(0)), 0, study.design.describe())
        train, test = study.design.split(rows.codes, 0, seed)
        numbers = rows.X.select_dtypes("number")
        cuts = MDLPDiscretizer().fit(numbers, rows.codes).transform(numbers)
        by_hand = rows.X.assign(
            **{name: pd.Categorical(column) for name, column in zip(numbers, cuts.T, strict=True)},
            text=pd.Categorical(rows.X["text"]),
        )
        model = NaiveBayesClassifier().fit(by_hand.iloc[train], rows.y.iloc[train])
        expected = log_loss(
            rows.y.iloc[test].to_numpy(), model.predict_proba(by_hand.iloc[test]), classes=model.classes_
        )
        own = found.scores(found.choose("log_loss//test"))
        assert own[own["learner"] == "before"]["value"].item() == pytest.approx(expected, rel=1e-12)

    def test_the_leak_is_said_of_what_it_is_given(self, results):
        _, found = results
        given = found.inputs()
        assert given["before"].startswith(
            "a table of 6 columns, 6 of them categorical; numbers cut on all rows"
        )
        assert "leak" not in given["nb"]

    def test_a_score_added_later_sees_the_same_cuts(self, results, tmp_path):
        study, found = results
        rows = study.sources[0].content
        again = Miscalibration(ties="given", name="again")
        rescore(tmp_path / "cut.db", [again], on={"iris": (rows.X, rows.y)}, progress=False)
        added = load(tmp_path / "cut.db")
        first, later = values(found, "given//test", "before"), values(added, "again//test", "before")
        np.testing.assert_array_equal(first, later)
