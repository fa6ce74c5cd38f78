"""The rows of a cell: a learner fitted to them by hand has the cell's score, to the last digit."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier

from generators import random_tan
from learners import NaiveBayesClassifier, TANClassifier
from workbench import compare, load, read_study, run
from workbench.base.errors import WorkbenchError
from workbench.metrics import accuracy, quadratic_loss

LEARNERS = {"nb": NaiveBayesClassifier, "tan": TANClassifier}
STUDY = """
name = "rows"
seed = 3
learners = ["nb", "tan"]
[[sources]]
{source}
[design]
{design}
[scores]
metrics = ["accuracy"]
rows = ["test"]
"""
DRAWN = {
    "source": 'generator = "tan"',
    "design": "replicates = 2\nsizes = [30, 60]\nn_test = 40\ntraining_sets = 2",
}
SPLIT = {"source": 'dataset = "rows.csv"', "design": 'kind = "repeated_folds"\nrepeats = 2\nfolds = 3'}


@pytest.fixture
def rows_csv(tmp_path, monkeypatch):
    X, y = load_iris(return_X_y=True, as_frame=True)
    X.assign(y=np.array(["a", "b", "c"])[y]).to_csv(tmp_path / "rows.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "rows.csv"


def check(results, **given):
    """Fit every cell again by hand."""
    scored = results.frame().query("metric == 'accuracy' and rows == 'test' and cutoff == 'none'")
    place = ["source", "replicate", "n_train", "training_set", "fold", "learner"]
    cells = results.cells()
    assert len(scored) == len(cells) > 0
    for cell in cells.merge(scored, on=place, validate="1:1").itertuples():
        rows = results.rows(cell.identity, **given)
        assert (len(rows.X), len(rows.X_test)) == (len(rows.y), len(rows.y_test))
        learner = LEARNERS[cell.learner]().fit(rows.X, rows.y)
        y_prob = learner.predict_proba(rows.X_test)
        np.testing.assert_array_equal(y_prob, results.predictions(cell.identity))
        assert accuracy(rows.y_test, y_prob, classes=learner.classes_) == cell.value


@pytest.mark.parametrize("parts", [DRAWN, SPLIT], ids=["truths", "file"])
def test_a_fit_to_the_rows_of_a_stored_study_gives_the_score(parts, rows_csv, tmp_path):
    run(read_study(STUDY.format(**parts)), tmp_path / "s.db")
    check(load(tmp_path / "s.db"))


def test_rows_given_in_python_are_given_again(tmp_path):
    rows = load_iris(return_X_y=True, as_frame=True)
    given = {"mine": rows}
    here = compare([*LEARNERS], on=given, cv=3, metrics="accuracy", store=tmp_path / "s.db")
    check(here)  # which has them in memory
    results = load(tmp_path / "s.db")
    identity = results.cells()["identity"].iloc[0]
    with pytest.raises(WorkbenchError, match=r"no copy of the source 'mine'.*on=\{'mine': \.\.\.\}"):
        results.rows(identity)
    with pytest.raises(WorkbenchError, match="'mine' has other rows than when the study was run"):
        results.rows(identity, on={"mine": (rows[0].round(), rows[1])})
    check(results, on=given)


def test_truths_given_in_python_are_kept(tmp_path):
    truths = [random_tan(n_attributes=3, random_state=seed) for seed in range(2)]
    compare([*LEARNERS], on=truths, sizes=30, n_test=40, rows="test", store=tmp_path / "s.db")
    check(load(tmp_path / "s.db"))


def test_a_file_that_changed_or_is_gone_is_named(rows_csv, tmp_path):
    run(read_study(STUDY.format(**SPLIT)), tmp_path / "s.db")
    results = load(tmp_path / "s.db")
    pd.read_csv(rows_csv).iloc[:-1].to_csv(rows_csv, index=False)
    with pytest.raises(
        WorkbenchError, match=r"source 'rows' has other rows than when the study was run: [^;]*$"
    ):
        results.rows(results.cells()["identity"].iloc[0])
    rows_csv.unlink()
    with pytest.raises(WorkbenchError, match=r"^rows\.csv cannot be opened: No such file or directory$"):
        results.rows(results.cells()["identity"].iloc[0])


def test_an_unknown_cell_is_refused():
    results = compare("nb", on=random_tan(n_attributes=2, random_state=1), sizes=20, n_test=20)
    with pytest.raises(WorkbenchError, match=r"^there is no cell 'tan': expected .*the column identity"):
        results.rows("tan")


@pytest.mark.parametrize("key", ["random_forest", "sklearn.ensemble:RandomForestClassifier"])
def test_a_forest_with_the_seed_of_its_cell_gives_its_forecasts(key):
    results = compare(
        [key],
        on=random_tan(n_attributes=3, random_state=1),
        sizes=40,
        n_test=30,
        metrics="quadratic_loss",
        progress=False,
    )
    assert results.inputs()[key].startswith("one-hot")
    [cell] = results.cells().itertuples()
    rows = results.rows(cell.identity)
    forest = rows.seeded(RandomForestClassifier()).fit(pd.get_dummies(rows.X), rows.y)
    y_prob = forest.predict_proba(pd.get_dummies(rows.X_test))
    [found] = results.scores("quadratic_loss//test/none")["value"]
    assert quadratic_loss(rows.y_test, y_prob, classes=forest.classes_) == found
    assert rows.seeded(NaiveBayesClassifier()).get_params() == NaiveBayesClassifier().get_params()
