"""Files that change between two calls, and study files as Windows makes them."""

import os
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier

from workbench import DatasetSource, compare, load, read_study, run
from workbench.base.errors import WorkbenchError

STUDY = 'name = "s"\nseed = 1\nlearners = ["nb"]\n[[sources]]\ndataset = %s\n'
RNG = np.random.default_rng(0)
X = RNG.normal(size=200)
GOOD = pd.DataFrame({"x": X, "class": np.where(X > 0, "p", "q")})
NOISE = GOOD.assign(x=RNG.normal(size=200))
pytestmark = pytest.mark.filterwarnings("ignore::workbench.datasets.GiveawayColumnWarning")


def accuracy(path: Path | str) -> float:
    return float(compare(["nb"], on=(path, "class"), cv=5, metrics="accuracy").table()["mean"].iloc[0])


def written(frame: pd.DataFrame, path: Path) -> Path:
    path.parent.mkdir(exist_ok=True)
    frame.to_csv(path, index=False)
    return path


def test_a_file_that_was_rewritten_is_read_anew(tmp_path: Path) -> None:
    path = written(GOOD, tmp_path / "t.csv")
    assert accuracy(path) > 0.9
    assert accuracy(written(NOISE, path)) < 0.7


def test_a_file_that_was_replaced_is_read_anew(tmp_path: Path) -> None:
    path = written(GOOD, tmp_path / "t.csv")
    assert accuracy(path) > 0.9
    other = written(NOISE, tmp_path / "other.csv")
    os.utime(other, ns=(path.stat().st_mtime_ns, path.stat().st_mtime_ns + 1))
    other.replace(path)
    assert accuracy(path) < 0.7


def test_a_file_of_the_same_name_in_another_folder_is_another(tmp_path: Path, monkeypatch) -> None:
    for folder, frame in (("good", GOOD), ("noise", NOISE)):
        written(frame, tmp_path / folder / "t.csv")
    monkeypatch.chdir(tmp_path / "good")
    assert accuracy("t.csv") > 0.9
    monkeypatch.chdir(tmp_path / "noise")
    assert accuracy("t.csv") < 0.7


def test_a_store_keeps_both_contents_apart(tmp_path: Path) -> None:
    path, store = tmp_path / "t.csv", tmp_path / "s.db"
    for frame in (GOOD, NOISE):
        written(frame, path)
        compare(["nb"], on=(path, "class"), cv=5, metrics="accuracy", store=store)
    assert float(load(store).table()["mean"].iloc[0]) < 0.7


def test_a_named_data_set_that_changed_is_read_anew(tmp_path: Path) -> None:
    text = "@relation r\n@attribute a {x, y}\n@attribute class {p, q}\n@data\n"
    (tmp_path / "mine.arff").write_text(text + "x,p\ny,q\n")
    assert DatasetSource("mine", "mine", data=str(tmp_path)).n_rows == 2
    (tmp_path / "mine.arff").write_text(text + "x,p\ny,q\ny,q\n")
    assert DatasetSource("mine", "mine", data=str(tmp_path)).n_rows == 3


def test_a_byte_order_mark_before_a_study_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_text(STUDY % '"iris"', encoding="utf-8-sig")
    assert read_study(path).name == "s"


@pytest.mark.parametrize("path", [r'"C:\new\table.csv"', r'"C:\data\table.csv"'])
def test_a_path_of_windows_in_double_quotes_is_explained(path: str) -> None:
    with pytest.raises(WorkbenchError, match="a backslash between double quotes is an escape"):
        read_study(STUDY % path)


def test_a_wrong_study_without_backslashes_says_nothing_of_them() -> None:
    with pytest.raises(WorkbenchError) as caught:
        read_study(STUDY % '"iris')
    assert "backslash" not in str(caught.value)


def test_a_study_that_is_run_again_reads_the_file_as_it_is_then(tmp_path: Path) -> None:
    path, store = written(GOOD, tmp_path / "t.csv"), tmp_path / "s.db"
    text = f'name = "s"\nseed = 1\nlearners = ["nb"]\n[[sources]]\ndataset = "{path}"\nclass = "class"\n'
    study = read_study(f'{text}[scores]\nmetrics = ["accuracy"]\n')
    assert float(run(study, store).table()["mean"].iloc[0]) > 0.9
    written(NOISE, path)
    again = run(study, store)
    assert float(again.table()["mean"].iloc[0]) < 0.7
    assert run(study.renewed(), store).runs["computed"].iloc[-1] == 0


class Rewriting(DummyClassifier):
    """Rewrite the file that it learns from, in its fit."""

    def __init__(self, place: str = "") -> None:
        super().__init__()
        self.place = place

    def fit(self, X, y):
        NOISE.to_csv(self.place, index=False)
        return super().fit(X, y)


@pytest.mark.parametrize("n_jobs", [1, pytest.param(2, marks=pytest.mark.process)])
def test_rows_of_a_file_that_changes_while_a_study_runs_are_those_of_its_beginning_or_fail(
    tmp_path: Path, n_jobs: int
) -> None:
    path = written(GOOD, tmp_path / "t.csv")
    learners = {"odd": Rewriting(str(path)), "nb": "nb"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = compare(learners, on=(path, "class"), cv=10, metrics="accuracy", n_jobs=n_jobs)
    cells = found.cells().set_index("learner").loc["nb"]
    done = cells[cells["state"] == "done"]
    assert found.frame().set_index("learner").loc[["nb"], "value"].min() > 0.8 if len(done) else True
    assert cells["message"][cells["state"] == "failed"].str.contains("changed while the study ran").all()


def test_a_source_that_is_used_again_reads_the_file_as_it_is_then(tmp_path: Path) -> None:
    path = written(GOOD, tmp_path / "t.csv")
    source = DatasetSource("mine", path, class_name="class")
    assert len(compare(["nb"], on=source, cv=5, metrics="accuracy").cells()) == 5
    written(NOISE[:150], path)
    again = compare(["nb"], on=source, cv=5, metrics="accuracy")
    assert float(again.table()["mean"].iloc[0]) < 0.7
