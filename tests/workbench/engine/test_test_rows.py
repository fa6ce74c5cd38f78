"""Test rows scored as they stand in the data set."""

import numpy as np
import pandas as pd
import pytest

from learners import DecisionStumpClassifier
from workbench import compare, load, read_study, rescore, run, write_study
from workbench.base.errors import WorkbenchError
from workbench.base.seeds import canonical, integer_seed
from workbench.metrics.miscalibration import Miscalibration
from workbench.study.dataset_source import DatasetSource
from workbench.study.learner_spec import LearnerSpec
from workbench.study.scores import Scores
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
    from workbench.designs import RandomSplits

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


def test_scores_that_do_not_mind_the_order_are_equal(ran):
    _, results, _ = ran
    np.testing.assert_array_equal(
        values(results, "accuracy", "in_file"), values(results, "accuracy", "shuffled")
    )


def test_folds_keep_the_order_of_the_data_set(table, tmp_path):
    from workbench.designs import RepeatedFolds

    results = run(study_of(table, RepeatedFolds(folds=2, repeats=1)), tmp_path / "f.db", progress=False)
    np.testing.assert_array_equal(values(results, "given", "in_file"), values(results, "given", "shuffled"))


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


def test_another_word_is_refused():
    with pytest.raises(
        WorkbenchError, match=r"'stump' has test_rows = 'sorted': expected 'as_split'.*'file_order'"
    ):
        LearnerSpec("stump", "stump", test_rows="sorted")


def test_compare_scores_rows_as_split(table):
    results = compare(["stump"], on={"t": table}, progress=False)
    assert not results.study.learners[0].in_file_order
