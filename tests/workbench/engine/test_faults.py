"""Disk and file faults: reported in one sentence, harmless, and without effect on the scores."""

import os
import random
import shutil
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
from benchmarks.victim import look
from tests.marks import mostly_slow
from tests.workbench.engine.runs import bits
from workbench import Results, read_study, run
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


REFUSED = {
    "cut to half its length": lambda content: content[: len(content) // 2],
    "with pages overwritten": lambda content: content[:4096] + bytes(8192) + content[12288:],
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_store_that_cannot_be_used_is_reported_and_left_as_it_is(half_done, invoke, tried, what):
    half_done.write_bytes(before := REFUSED[what](half_done.read_bytes()))
    failed(invoke(half_done), "database disk image is malformed")
    assert half_done.read_bytes() == before
    tried(f"store {what}: refused in a sentence and left as it is", times=1)


def test_a_folder_and_a_place_below_a_file_are_no_stores(invoke, tmp_path, tried):
    failed(invoke(tmp_path), "is a folder")
    failed(invoke("tiny.toml/s.db"), "is a file, not a folder")
    tried("folder, or place below a file, given as store: refused in a sentence", times=2)


def test_an_empty_file_becomes_a_store(invoke, tmp_path, whole, tried):
    store = tmp_path / "s.db"
    store.touch()
    failed(CliRunner().invoke(app, ["status", str(store)]), "is empty")
    assert schema.is_new(store)
    assert invoke(store).exit_code == 0
    tried("empty file given as store: filled", times=1, stores=[store], scores=look(store).scores,
          undisturbed=whole)  # fmt: skip


@pytest.mark.slow
def test_companions_that_another_store_left_behind_spoil_nothing(half_done, invoke, whole, tmp_path, tried):
    """A store was killed and deleted, and its write-ahead log was not."""
    kept = tmp_path / "log"
    with Store.open(half_done, "tiny", 1) as store:
        store.hand_out(["nobody"])
        store.end_run(1)
        shutil.copy(f"{half_done}-wal", kept)
    assert kept.stat().st_size
    store = tmp_path / "new.db"
    shutil.copy(kept, f"{store}-wal")
    assert invoke(store).exit_code == 0
    tried("write-ahead log (-wal) of a deleted store left behind: without effect", times=1, stores=[store],
          scores=look(store).scores, undisturbed=whole)  # fmt: skip


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
def test_what_another_program_left_half_written_is_put_back(half_done, invoke, whole, tried):
    before = look(half_done)
    content = half_done.read_bytes()
    subprocess.run([sys.executable, "-c", KILLED_WRITER, str(half_done)], check=False)
    assert Path(f"{half_done}-journal").stat().st_size
    assert half_done.read_bytes() != content, "the transaction had not reached the file"
    status = CliRunner().invoke(app, ["status", str(half_done)])
    assert status.exit_code == 0, status.stderr
    assert look(half_done) == before
    assert invoke(half_done).exit_code == 0
    tried("another program killed in the middle of changing the store: put back", times=1, stores=[half_done],
          scores=look(half_done).scores, undisturbed=whole)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("begin", ["BEGIN EXCLUSIVE", "BEGIN IMMEDIATE"])
def test_a_store_that_another_program_has_locked_is_reported(
    half_done, invoke, whole, monkeypatch, tried, begin
):
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **options: connect(*a, **{**options, "timeout": 0.1}))
    before = look(half_done)
    with closing(connect(half_done, isolation_level=None)) as other:
        other.execute(begin)
        failed(invoke(half_done), "database is locked")
    assert look(half_done) == before
    assert invoke(half_done).exit_code == 0
    tried("store locked by another program's transaction: reported, and completed when it is free", times=1,
          stores=[half_done], scores=look(half_done).scores, undisturbed=whole)  # fmt: skip


def test_a_store_that_another_run_is_writing_is_reported(half_done, invoke, tried):
    with Store.open(half_done, "tiny", 1):
        before = look(half_done)
        failed(invoke(half_done), "another process is writing")
        assert look(half_done) == before
    tried("store in use by another run: reported in a sentence", times=1, stores=[half_done])


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


@pytest.mark.parametrize("pages", mostly_slow([7, 11], 1))
def test_a_file_that_may_not_grow_is_reported_and_completed_later(
    tmp_path, invoke, whole, monkeypatch, tried, pages
):
    store = tmp_path / "s.db"
    with room_for(pages, monkeypatch):
        failed(invoke(store), "database or disk is full")
    before = look(store)
    assert before.integrity == "ok"
    assert len(before.done) < N_CELLS
    assert invoke(store).exit_code == 0
    after = look(store)
    assert after.has_all_of(before)
    tried("disk full at any time (PRAGMA max_page_count): reported, and completed when there is room",
          times=1, in_flight=len(before.in_flight), lost=sum(after.attempts.values()) - N_CELLS,
          stores=[store], scores=after.scores, undisturbed=whole)  # fmt: skip


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
from workbench.cli.app import main
main()
"""


@pytest.mark.process
def test_the_largest_file_that_the_system_allows(tmp_path, invoke, whole, tried):
    store = tmp_path / "s.db"
    # -B: bytecode written under the limit would be cut off, and break every later import
    command = [sys.executable, "-B", "-c", LIMITED, "40000", "run", "tiny.toml", "--store", str(store)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert "disk I/O error" in done.stderr
    before = look(store)
    assert before.integrity == "ok"
    assert invoke(store).exit_code == 0
    after = look(store)
    assert after.has_all_of(before)
    tried("write that the system refuses (RLIMIT_FSIZE): reported, and completed when it is allowed", times=1,
          in_flight=len(before.in_flight), lost=sum(after.attempts.values()) - N_CELLS, stores=[store],
          scores=after.scores, undisturbed=whole)  # fmt: skip


def in_own_mounts(script: str, *arguments: object) -> subprocess.CompletedProcess:
    """Run a script in a namespace where it may mount what it likes, or skip where the system forbids that."""
    try:
        subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"], check=True,
                       capture_output=True)  # fmt: skip
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"this system lets nobody mount a disk of his own: {error}")
    script = script.replace("RUN", f"{sys.executable} -m workbench.cli.app run tiny.toml --store $1/s.db")
    command = ["unshare", "-rm", "sh", "-c", script, "-", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


READ_ONLY = """
mount --bind $2 $2 && mount -o remount,bind,ro $2 || exit 9
RUN; echo code $?
"""


@pytest.mark.process
@pytest.mark.parametrize("what, of", [("file", "s.db"), ("folder", ".")])
def test_a_place_that_cannot_be_written(tmp_path, half_done, invoke, whole, tried, what, of):
    content = half_done.read_bytes()
    done = in_own_mounts(READ_ONLY, tmp_path, (tmp_path / of).resolve())
    assert done.stdout.splitlines()[-1:] == ["code 2"], done
    assert "Traceback" not in done.stderr
    assert "writable" in done.stderr
    assert half_done.read_bytes() == content
    before = look(half_done)
    assert invoke(half_done).exit_code == 0
    after = look(half_done)
    assert after.has_all_of(before)
    tried(f"{what} that cannot be written: reported, and completed when it can", times=1, stores=[half_done],
          scores=after.scores, undisturbed=whole)  # fmt: skip


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
def test_no_way_of_running_changes_a_bit(experiments, tmp_path, monkeypatch, tried):
    small = read_study(experiments / "small.toml")
    small = replace(small, design=replace(small.design, replicates=2))
    one = bits(run(small))
    assert len({key[:-4] for key in one}) == 84

    def same(way: str, results: Results) -> None:
        tried(f"way of running: {way}", times=1, scores=bits(results), undisturbed=one)

    same("3 worker processes with a time limit", run(small, n_jobs=3, time_limit=1e9))
    for backend in ("loky", "threading"):
        with joblib.parallel_config(backend=backend):
            same(f"joblib's backend {backend}", run(small, n_jobs=2))
    with monkeypatch.context() as patch:
        patch.setattr(workbench.engine.runner, "tasks_of", shuffled)
        same("tasks in another order", run(small))


ENDING = """
import os
import sys
from generators import random_tan
from learners import PriorClassifier
from workbench import compare

class Ending(PriorClassifier):
    def fit(self, X, y, sample_weight=None):
        os._exit(3)

learners = {"ending": Ending(), "prior": PriorClassifier()}
truths = [random_tan(n_attributes=2, random_state=seed) for seed in range(2)]
found = compare(learners, on=truths, sizes=(20,), n_test=20, store=sys.argv[1], isolate=False)
cells = found.cells()
print(sorted(set(zip(cells["learner"].astype(str), cells["state"]))))
"""


@pytest.mark.process
def test_a_learner_that_ends_the_only_process_fails_alone_the_third_time(tmp_path):
    package = str(Path(workbench.__file__).resolve().parents[1])
    command = [sys.executable, "-W", "ignore", "-c", ENDING, str(tmp_path / "s.db")]
    done = [
        subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": package})
        for _ in range(3)
    ]
    assert [one.returncode for one in done] == [3, 3, 0]
    assert done[2].stdout == "[('ending', 'failed'), ('prior', 'done')]\n"
