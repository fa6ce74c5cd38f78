"""The store: whose it is, who may write it, and what it never loses."""

import json
import math
import sqlite3
import subprocess
import sys

import pytest

from learners import PriorClassifier
from tests.documents import document
from workbench import compare, read_study, run
from workbench.base.cell import Cell
from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.results import load
from workbench.store.data_folder import remembered
from workbench.store.outcome import Outcome, Prediction, Score
from workbench.store.writing import Store

CELLS = [("a", Cell("tan", 0, 50, "nb")), ("b", Cell("tan", 0, 50, "prior"))]
RECORD = document({}, {}, {"kind": "fresh_samples"}, {"metrics": ["ir_b"]}, name="tiny")
KEY = ScoreKey("ir_b", "training", "test", "none")


def outcome(identity, value=0.5, state="done"):
    return Outcome(
        identity, state, "t0", "t1", scores=(Score(KEY, value, 3),), prediction=Prediction(1, 2, b"content")
    )


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "results.db", "tiny", 1) as opened:
        opened.plan(CELLS)
        yield opened


def test_a_result_is_written_whole(store):
    run_number = store.begin_run(RECORD, {})
    store.plan(CELLS)
    store.hand_out(["a", "b"])
    store.record(run_number, [outcome("a", -math.inf)])
    assert store.pending() == {"b"}
    assert store.counts() == {"done": 1, "pending": 1}
    rows = store.connection.execute("SELECT value, n_infinite FROM scores").fetchall()
    assert rows == [(-math.inf, 3)]
    assert store.connection.execute("SELECT attempts FROM cells").fetchall() == [(1,), (1,)]


def test_a_result_that_cannot_be_written_leaves_nothing(store):
    run_number = store.begin_run(RECORD, {})
    with pytest.raises(sqlite3.IntegrityError):
        store.record(run_number, [outcome("a"), outcome("b", math.nan)])
    assert store.connection.execute("SELECT count(*) FROM scores").fetchone() == (0,)
    assert store.connection.execute("SELECT count(*) FROM cells WHERE state = 'done'").fetchone() == (0,)


def test_why_a_cell_failed_is_cut_where_it_is_endless(store):
    run_number = store.begin_run(RECORD, {})
    store.plan(CELLS)
    store.record(run_number, [Outcome("a", "failed", "t0", "t1", message="m" * 10**6, traceback="t" * 10**6)])
    (found,) = store.connection.execute("SELECT message, traceback FROM cells WHERE identity = 'a'")
    assert all(20_000 <= len(text) < 20_010 for text in found)


def test_planning_again_keeps_results_and_takes_new_names(store):
    run_number = store.begin_run(RECORD, {})
    store.plan(CELLS)
    store.record(run_number, [outcome("a")])
    store.plan([("a", Cell("trees", 0, 50, "bayes")), CELLS[1]])
    rows = store.connection.execute("SELECT source, learner, state FROM cells ORDER BY cell").fetchall()
    assert rows == [("trees", "bayes", "done"), ("tan", "prior", "pending")]


def test_only_what_failed_can_be_retried(store):
    run_number = store.begin_run(RECORD, {})
    store.plan(CELLS)
    store.record(run_number, [outcome("a"), Outcome("b", "failed", "t0", "t1")])
    store.retry(["a", "b"], ["failed"])
    assert store.pending() == {"b"}
    with pytest.raises(WorkbenchError, match="cells that are 'done' cannot be retried"):
        store.retry(["a"], ["done"])


def test_folders_above_are_made_and_a_closed_store_is_one_file(tmp_path):
    with Store.open(tmp_path / "new" / "results.db", "tiny", 1):
        pass
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["results.db"]


@pytest.mark.parametrize("name, seed", [("other", 1), ("tiny", 2)])
def test_the_store_of_another_study_is_refused_and_unchanged(tmp_path, tiny, name, seed):
    path = tmp_path / "results.db"
    run(tiny, path)
    before = path.read_bytes()
    with pytest.raises(WorkbenchError, match=f"is the store of study 'tiny' with seed 1, not of '{name}'"):
        Store.open(path, name, seed)
    assert path.read_bytes() == before
    assert len(load(path).cells()) == 18


def test_a_file_that_is_no_database_is_refused_and_unchanged(tmp_path, tiny):
    path = tmp_path / "notes.txt"
    path.write_text("no database, but long enough to look at. " * 50, encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(WorkbenchError, match="cannot be read as a store"):
        run(tiny, path)
    with pytest.raises(WorkbenchError, match="cannot be read as a store"):
        load(path)
    assert path.read_bytes() == before


def test_a_database_that_is_no_store_is_refused(tmp_path, tiny):
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE meta (x)")
    connection.close()
    with pytest.raises(WorkbenchError, match="is an SQLite database but not a store"):
        run(tiny, path)


def test_an_unknown_format_is_refused(tmp_path, tiny):
    path = tmp_path / "results.db"
    run(tiny, path)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = '99' WHERE key = 'format_version'")
    connection.close()
    for read in (lambda: run(tiny, path), lambda: load(path)):
        with pytest.raises(WorkbenchError, match="is a store of format 99 and this program reads format 7"):
            read()


HOLD = """
import sys
from workbench.store.writing import Store
from workbench.study.toml import default_store
store = Store.open(sys.argv[1], "tiny", 1)
print("open", flush=True)
sys.stdin.read()
"""


@pytest.mark.process
def test_a_second_process_is_refused_until_the_first_is_gone_however_it_went(tmp_path, tiny):
    path = tmp_path / "results.db"
    first = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with first:
        assert first.stdout.readline() == "open\n"
        with pytest.raises(WorkbenchError, match="another process is writing"):
            run(tiny, path)
        first.kill()
    assert len(run(tiny, path).cells()) == 18


def test_a_store_can_be_read_while_it_is_written(tmp_path, tiny):
    path = tmp_path / "results.db"
    run(tiny, path)
    with Store.open(path, "tiny", 1) as opened:
        opened.plan([("new", Cell("tan", 9, 50, "nb"))])
        assert len(load(path).cells()) == 19


def test_nothing_in_a_store_is_pickled(tmp_path, tiny):
    path = tmp_path / "results.db"
    run(tiny, path)
    connection = sqlite3.connect(path)
    kinds = {
        (table, name)
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for _, name, kind, *_ in connection.execute(f"PRAGMA table_info({table})")
        if kind == "BLOB"
    }
    connection.close()
    # plain compressed numbers and bits: see test_results and test_rescoring
    assert kinds == {("predictions", "content"), ("predictions", "sets")}


ARFF = "@relation r\n@attribute a {u,v}\n@attribute class {x,y}\n@data\n" + "u,x\nv,y\n" * 6
TABLES = """
name = "tables"
seed = 1
learners = ["prior"]
[[sources]]
dataset = "some"
[design]
kind = "half_splits"
repeats = 2
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.delenv("WORKBENCH_DATA", raising=False)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "some.arff").write_text(ARFF)
    return tmp_path / "data"


def test_a_store_remembers_the_data_folder(folder, tmp_path, monkeypatch):
    place = tmp_path / "tables.db"
    assert remembered(place) is None
    monkeypatch.chdir(tmp_path)
    run(read_study(TABLES, data="data"), place)  # remembered by its full path
    monkeypatch.chdir(tmp_path.parent)
    assert remembered(place).folder == str(folder)
    with pytest.raises(WorkbenchError, match="'some' is neither a data set"):
        read_study(TABLES)
    again = run(read_study(TABLES, store=place), place)
    assert again.runs["computed"].tolist() == [2, 0]
    assert str(folder) not in again.runs["study"].iloc[0]
    by_call = compare({"prior": PriorClassifier()}, on="some", data=folder, store=tmp_path / "c.db")
    assert len(compare({"prior": PriorClassifier()}, on="some", store=tmp_path / "c.db").cells()) == 10
    assert by_call.runs["computed"].tolist() == [10]


def test_the_environment_goes_before_what_a_store_remembers_and_is_remembered(folder, tmp_path, monkeypatch):
    place = tmp_path / "tables.db"
    monkeypatch.setenv("WORKBENCH_DATA", str(folder))
    run(read_study(TABLES), place)
    assert remembered(place) is None
    monkeypatch.delenv("WORKBENCH_DATA")
    assert remembered(place).folder == str(folder)


def test_a_finished_study_is_recognized_without_its_data_folder(folder, tmp_path):
    place = tmp_path / "tables.db"
    first = run(read_study(TABLES, data=folder), place)
    folder.rename(tmp_path / "moved")
    again = run(read_study(TABLES, store=place), place)
    assert again.runs["computed"].tolist() == [2, 0]
    assert again.frame().equals(first.frame())
    assert remembered(place).folder == str(folder)
    last = run(read_study(TABLES, store=place), place)  # what is known of the table is still known
    assert last.runs["computed"].tolist() == [2, 0, 0]
    moved = run(read_study(TABLES, data=tmp_path / "moved", store=place), place)
    assert moved.runs["computed"].tolist() == [2, 0, 0, 0]
    assert remembered(place).folder == str(tmp_path / "moved")


@pytest.mark.parametrize("old, new", [("repeats = 2", "repeats = 3"), ('"some"', '"other"')], ids=str)
def test_what_is_missing_needs_the_data_folder(folder, tmp_path, old, new):
    place = tmp_path / "tables.db"
    run(read_study(TABLES, data=folder), place)
    folder.rename(tmp_path / "moved")
    content = place.read_bytes()
    with pytest.raises(WorkbenchError, match=r"data, which .*tables\.db recorded"):
        run(read_study(TABLES.replace(old, new), store=place), place)
    assert place.read_bytes() == content


def test_a_run_keeps_where_its_tables_come_from(folder, tmp_path):
    results = run(read_study(TABLES, data=folder))
    (about,) = results.runs["provenance"].map(json.loads)
    assert about["data folder"] == "data"
    digest = results.study.digest("some")
    assert about["data set some"] == f"12 rows, 1 attribute, 2 classes, hash {digest}"
    assert str(tmp_path) not in str(about)
