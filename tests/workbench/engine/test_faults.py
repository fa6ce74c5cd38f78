"""Disk and file faults: reported in one sentence, harmless, and without effect on the scores."""

import random
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import joblib
import pytest
from typer.testing import CliRunner

import workbench.engine.runner
from benchmarks.interruptible_run import look
from tests.workbench.engine.runs import bits, check_whole
from workbench import read_study, run
from workbench.base.cell import Cell
from workbench.cli.app import app
from workbench.engine.progress import Silent
from workbench.store import schema
from workbench.store.outcome import Outcome
from workbench.store.writing import Store

N_CELLS = 18


@pytest.fixture
def invoke(tmp_path, tiny_toml, monkeypatch):
    """Return a function that runs the tiny study into a store by the command line of this process."""
    monkeypatch.chdir(tmp_path)
    Path("tiny.toml").write_text(tiny_toml, encoding="utf-8")
    return lambda store: CliRunner().invoke(app, ["run", "tiny.toml", "--store", str(store)])


@pytest.fixture(scope="module")
def two_thirds(tiny_toml, tmp_path_factory) -> bytes:
    """Return the content of a store with two thirds of the cells of the tiny study."""
    store = tmp_path_factory.mktemp("two thirds") / "s.db"

    class Stop(Silent):
        def advance(self, done, failed):
            super().advance(done, failed)
            if self.computed >= 12:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(read_study(tiny_toml), store, progress=Stop())
    return store.read_bytes()


@pytest.fixture
def half_done(tmp_path, two_thirds) -> Path:
    """Return such a store."""
    (tmp_path / "s.db").write_bytes(two_thirds)
    return tmp_path / "s.db"


@pytest.fixture(scope="module")
def whole(tiny_toml, tmp_path_factory) -> dict:
    """Return the scores of the tiny study that nobody disturbed, by cell and key."""
    store = tmp_path_factory.mktemp("whole") / "s.db"
    run(read_study(tiny_toml), store)
    return look(store).scores


def failed(result, sentence: str) -> None:
    """See that a command ended with code 2 and this sentence, and no traceback."""
    assert result.exit_code == 2, result.output
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("workbench: ")
    assert sentence in last
    assert "Traceback" not in result.output


def test_a_store_that_cannot_be_used_is_reported_and_left_as_it_is(half_done, invoke):
    content = half_done.read_bytes()
    half_done.write_bytes(before := content[: len(content) // 2])
    failed(invoke(half_done), "database disk image is malformed")
    assert half_done.read_bytes() == before


def test_a_folder_and_a_place_below_a_file_are_no_stores(invoke, tmp_path):
    failed(invoke(tmp_path), "is a folder")
    failed(invoke("tiny.toml/s.db"), "is a file and not a folder")


def test_an_empty_file_becomes_a_store(invoke, tmp_path, whole):
    store = tmp_path / "s.db"
    store.touch()
    failed(CliRunner().invoke(app, ["status", str(store)]), "is empty")
    assert schema.is_new(store)
    assert invoke(store).exit_code == 0
    check_whole(store, look(store).scores, whole)


KILLED_WRITER = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN")
connection.execute("UPDATE scores SET value = value + 1")
connection.execute("UPDATE predictions SET content = content || zeroblob(20000)")
os.kill(os.getpid(), 9)
"""


@pytest.mark.process
def test_what_another_program_left_half_written_is_put_back(half_done, invoke, whole):
    before = look(half_done)
    content = half_done.read_bytes()
    subprocess.run([sys.executable, "-c", KILLED_WRITER, str(half_done)], check=False)
    assert Path(f"{half_done}-journal").stat().st_size
    assert half_done.read_bytes() != content, "the transaction had not reached the file"
    status = CliRunner().invoke(app, ["status", str(half_done)])
    assert status.exit_code == 0, status.stderr
    assert look(half_done) == before
    assert invoke(half_done).exit_code == 0
    check_whole(half_done, look(half_done).scores, whole)


@pytest.mark.slow
def test_a_store_that_another_program_has_locked_is_reported(half_done, invoke, whole, monkeypatch):
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **options: connect(*a, **{**options, "timeout": 0.1}))
    before = look(half_done)
    with closing(connect(half_done, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        failed(invoke(half_done), "database is locked")
    assert look(half_done) == before
    assert invoke(half_done).exit_code == 0
    check_whole(half_done, look(half_done).scores, whole)


def test_a_store_that_another_run_is_writing_is_reported(half_done, invoke):
    with Store.open(half_done, "tiny", 1):
        before = look(half_done)
        failed(invoke(half_done), "another process is writing")
        assert look(half_done) == before
    assert look(half_done).integrity == "ok"


@contextmanager
def room_for(pages: int, monkeypatch):
    """Let no store grow beyond so many pages of 4096 bytes."""
    connect = schema.connect

    def limited(path):
        connection = connect(path)
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(schema, "connect", limited)
        yield


def test_a_file_that_may_not_grow_is_reported_and_completed_later(tmp_path, invoke, whole, monkeypatch):
    store = tmp_path / "s.db"
    with room_for(7, monkeypatch):
        failed(invoke(store), "database or disk is full")
    before = look(store)
    assert before.integrity == "ok"
    assert len(before.done) < N_CELLS
    assert invoke(store).exit_code == 0
    after = look(store)
    assert after.has_all_of(before)
    check_whole(store, after.scores, whole)


def test_an_error_with_half_a_character_can_be_written(tmp_path):
    """A file name that is not UTF-8, say."""
    with Store.open(tmp_path / "s.db", "tiny", 1) as store:
        store.plan([("a", Cell("tan", 0, 50, "nb"))])
        store.record(1, [Outcome("a", "failed", "t0", "t1", message="no file bad\udcff.csv")])
        (message,) = store.connection.execute("SELECT message FROM cells").fetchone()
    assert message == "no file bad\\udcff.csv"


def test_a_new_store_has_its_tables_and_its_format_together_or_nothing(tmp_path):
    store = tmp_path / "s.db"
    statements = []
    with closing(sqlite3.connect(store, isolation_level=None)) as connection:
        connection.set_trace_callback(statements.append)
        schema.create(connection)
    words = [statement.split()[0].strip(";") for statement in statements]
    assert [i for i, word in enumerate(words) if word in ("BEGIN", "COMMIT")] == [0, len(words) - 1]


def shuffled(study, cells, *, isolate, tasks_of=workbench.engine.runner.tasks_of):
    tasks = list(tasks_of(study, cells, isolate=isolate))
    random.Random(1).shuffle(tasks)
    return iter(tasks)


@pytest.mark.process
def test_no_way_of_running_changes_a_bit(experiments, monkeypatch):
    small = read_study(experiments / "small.toml")
    small = replace(small, design=replace(small.design, replicates=2))
    one = bits(run(small))
    assert len({key[:-4] for key in one}) == 84

    assert bits(run(small, n_jobs=3, time_limit=1e9)) == one
    for backend in ("loky", "threading"):
        with joblib.parallel_config(backend=backend):
            assert bits(run(small, n_jobs=2)) == one
    monkeypatch.setattr(workbench.engine.runner, "tasks_of", shuffled)
    assert bits(run(small)) == one
