"""Worker processes: whatever a learner does to its process, its own cells alone are hurt."""

import ctypes
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import types
import warnings
from dataclasses import replace
from pathlib import Path

import cloudpickle
import joblib
import numpy as np
import pytest

from generators import Network, random_tan
from learners import NaiveBayesClassifier, PriorClassifier
from workbench import Results, Study, run
from workbench.base.cell import Cell
from workbench.base.errors import FailedCells, WorkbenchError
from workbench.designs import FreshSamples
from workbench.engine.pool import WorkerPool, _Work
from workbench.engine.process import Report
from workbench.engine.worker import Task
from workbench.study.learner_spec import LearnerSpec
from workbench.study.source import Source

pytestmark = pytest.mark.slow


class Culprit(PriorClassifier):
    """Do a deed at its first fits, each time in whatever process, and be a prior otherwise."""

    def __init__(self, deed="nothing", folder="", times=10**9, alpha=0.5):
        super().__init__(alpha=alpha)
        self.deed = deed
        self.folder = folder
        self.times = times

    def fit(self, X, y, sample_weight=None):
        marks = Path(self.folder)
        if len(list(marks.glob(f"{self.deed} *"))) < self.times and not (marks / "enough").exists():
            (marks / f"{self.deed} {os.getpid()} {time.monotonic()}").touch()
            DEEDS[self.deed]()
        return super().fit(X, y, sample_weight)


def turn_for_ever():
    from numba import njit

    @njit
    def turn(cell):
        while cell[0] >= 0:
            cell[1] += 1

    turn(np.zeros(2, dtype=np.int64))


def exhaust_memory():
    before = resource.getrlimit(resource.RLIMIT_AS)
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + 2**26, before[1]))
    try:
        np.ones(2**28)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def read_standard_input():
    if sys.stdin.read() or os.read(0, 1):
        raise AssertionError("there was something to read")


def fork_a_child():
    """Leave a child behind that outlives this process and holds what it had open."""
    if os.fork() == 0:
        os.setsid()  # no longer of the worker's group
        time.sleep(30)
        os._exit(0)


def print_much():
    print("printed by a learner " * 1000)
    os.write(1, b"written by a learner\n" * 100)
    sys.stdout.flush()


HANGS = {
    "in a Python sleep": lambda: time.sleep(1000),
    "in a numba kernel that never returns": turn_for_ever,
    "in a C call that never returns": lambda: ctypes.PyDLL(None).sleep(1000),
}
ENDINGS = {
    "killed for memory (SIGKILL)": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "ended by os._exit(3)": lambda: os._exit(3),
    "ended by a segmentation fault": lambda: ctypes.string_at(0),
    "killed by a signal without a name": lambda: os.kill(os.getpid(), 40),
}
RUDE = {
    "prints and writes to stdout": print_much,
    "reads stdin": read_standard_input,
    "closes stdout": lambda: os.closerange(1, 2),  # again without complaint
    "changes the working folder": lambda: os.chdir("/"),
    "starts threads that never end": lambda: threading.Thread(target=time.sleep, args=(1000,)).start(),
    "ignores SIGTERM": lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN),
}
DEEDS = {
    **HANGS,
    **ENDINGS,
    **RUDE,
    "memory": exhaust_memory,
    "fork": lambda: (fork_a_child(), os.kill(os.getpid(), signal.SIGKILL)),
    "program": lambda: (subprocess.Popen(["sleep", "1000"]), time.sleep(1000)),
    "all files": lambda: os.closerange(3, 1000),
}


@pytest.fixture(autouse=True, scope="module")
def by_value():
    """Send what is defined here to workers as it is: they cannot import tests."""
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    yield
    cloudpickle.unregister_pickle_by_value(sys.modules[__name__])


def study(culprits, *, replicates=1):
    """Return a study of culprits with two learners that do nothing wrong."""
    learners = {**culprits, "nb": NaiveBayesClassifier(), "prior": PriorClassifier()}
    return Study(
        "faults",
        1,
        (Source("tan", generator="tan", parameters={"n_attributes": 2}),),
        tuple(LearnerSpec(key, estimator=estimator) for key, estimator in learners.items()),
        design=FreshSamples(replicates=replicates, sizes=(20,), n_test=50),
    )


def bits(results: Results, *learners: str) -> dict:
    """Return scores bit for bit, by all that names them; of all learners unless some are named."""
    frame = results.frame().astype({"learner": str, "source": str})
    frame = frame[frame["learner"].isin(learners)] if learners else frame
    return {tuple(row[:-3]): row[-3].hex() for row in frame.itertuples(index=False)}


def quiet_run(*arguments, **options) -> Results:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FailedCells)
        return run(*arguments, **options)


def states(results: Results) -> dict:
    return results.cells().astype({"learner": str}).set_index("learner")["state"].to_dict()


def messages(results: Results) -> dict:
    return results.cells().astype({"learner": str}).set_index("learner")["message"].to_dict()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_is_stuck_is_stopped_and_tried_again_with_more_time(tmp_path, tried, n_jobs):
    hangs = list(HANGS)[:-1] if n_jobs == 2 else list(HANGS)[-1:]
    culprits = {deed: Culprit(deed, str(tmp_path)) for deed in hangs}
    stuck = study(culprits)
    store = tmp_path / "s.db"
    found = quiet_run(stuck, store, n_jobs=n_jobs, time_limit=2.0)
    assert states(found) == {**dict.fromkeys(hangs, "timed_out"), "nb": "done", "prior": "done"}
    assert {messages(found)[deed] for deed in hangs} == {
        "TimeLimit: it took longer than 2 s and was stopped; the first time on a machine, compiling counts"
    }
    assert states(quiet_run(stuck, store, n_jobs=n_jobs, time_limit=2.0)) == states(found)
    (tmp_path / "enough").touch()
    end = run(stuck, store, n_jobs=n_jobs, time_limit=60.0, retry=("timed_out",))
    whole = bits(run(stuck))
    for deed in hangs:
        tried(f"learner stuck {deed}: timed out, and done when tried again with more time", times=1,
              stores=[store], scores=bits(end), undisturbed=whole)  # fmt: skip


def test_a_limit_holds_in_threads_of_the_user_too(tmp_path, tried):
    culprits = {deed: Culprit(deed, str(tmp_path)) for deed in list(HANGS)[1:2]}
    with joblib.parallel_config(backend="threading"):
        found = quiet_run(study(culprits), n_jobs=2, time_limit=2.0)
    assert states(found) == {**dict.fromkeys(culprits, "timed_out"), "nb": "done", "prior": "done"}
    whole = run(study({}))
    tried("learners stuck in processes of joblib's threads: timed out", times=1,
          scores=bits(found, "nb", "prior"), undisturbed=bits(whole))  # fmt: skip


class Endless(Network):
    """A truth whose rows are never drawn outside of the process that made it."""

    def sample(self, n, random_state=None):
        if os.environ.get("DRAWS_END_IN") != str(os.getpid()):
            time.sleep(1000)
        return super().sample(n, random_state)

    def __reduce__(self):
        return type(self), (self.names, self.states, self.parents, self.cpts, self.class_index)


def test_rows_that_are_never_drawn_time_out(monkeypatch, tried):
    monkeypatch.setenv("DRAWS_END_IN", str(os.getpid()))
    good, fine = (random_tan(n_attributes=2, random_state=seed) for seed in (1, 2))
    endless = Endless(good.names, good.states, good.parents, good.cpts, good.class_index)
    sources = tuple(Source(name, truths=(truth,)) for name, truth in (("endless", endless), ("good", fine)))
    found = quiet_run(replace(study({}), sources=sources), n_jobs=2, time_limit=2.0)
    cells = found.cells().astype({"source": str})
    ended = cells.groupby("source")["state"].unique().map(list).to_dict()
    assert ended == {"endless": ["timed_out"], "good": ["done"]}
    assert set(cells.query("state == 'timed_out'")["message"]) == {
        "TimeLimit: drawing the rows took longer than 2 s and was stopped; "
        "the first time on a machine, compiling counts"
    }
    tried("drawing of rows that never ends: its cells time out", times=1)


def test_a_process_that_ends_once_is_replaced_and_its_cell_done(tmp_path, tried):
    endings = list(ENDINGS)[::2]
    culprits = {deed: Culprit(deed, str(tmp_path), times=1) for deed in endings}
    store = tmp_path / "s.db"
    found = run(study(culprits), store, n_jobs=2)
    assert set(found.cells()["state"]) == {"done"}
    assert found.cells()["attempts"].max() <= 1 + len(endings)  # those that wait are handed out again
    (tmp_path / "enough").touch()
    whole = bits(run(study(culprits)))
    for deed in endings:
        tried(f"worker process {deed} at the first fit: replaced, and the cell done", times=1, stores=[store],
              scores=bits(found), undisturbed=whole)  # fmt: skip


def test_a_process_that_always_ends_fails_its_own_cell(tmp_path, tried):
    culprits = {deed: Culprit(deed, str(tmp_path)) for deed in ENDINGS}
    store = tmp_path / "s.db"
    found = quiet_run(study(culprits), store, n_jobs=2)
    assert states(found) == {**dict.fromkeys(ENDINGS, "failed"), "nb": "done", "prior": "done"}
    theirs = "2 times; the learner, or a library that it calls, ended it"
    assert [messages(found)[deed] for deed in ENDINGS] == [
        "WorkerEnded: its worker process was killed by SIGKILL, 2 times; perhaps for lack of memory: use "
        "fewer jobs or smaller cells",
        f"WorkerEnded: its worker process ended by itself with exit code 3, {theirs}",
        f"WorkerEnded: its worker process was killed by SIGSEGV, {theirs}",
        f"WorkerEnded: its worker process was killed by signal 40, {theirs}",
    ]
    whole = bits(run(study({})))
    for deed in ENDINGS:
        assert len(list(tmp_path.glob(f"{deed} *"))) == 2
        tried(f"worker process {deed} at every fit: the cell failed after two, the others done", times=1,
              stores=[store], scores=bits(found, "nb", "prior"), undisturbed=whole)  # fmt: skip


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_memory_that_runs_out_fails_the_cell_with_its_traceback(tmp_path, tried, n_jobs):
    found = quiet_run(study({"culprit": Culprit("memory", str(tmp_path))}), n_jobs=n_jobs)
    assert states(found) == {"culprit": "failed", "nb": "done", "prior": "done"}
    assert "MemoryError: Unable to allocate 2.00 GiB" in messages(found)["culprit"]
    assert "in exhaust_memory" in found.cells().set_index("learner")["traceback"]["culprit"]
    tried("memory that runs out under RLIMIT_AS: failed with its traceback, the others done", times=1,
          scores=bits(found, "nb", "prior"), undisturbed=bits(run(study({}))))  # fmt: skip


def test_rude_learners_disturb_nobody(tmp_path, tried, capfd):
    culprits = {deed: Culprit(deed, str(tmp_path)) for deed in RUDE}
    found = run(study(culprits, replicates=2), n_jobs=2)
    assert set(found.cells()["state"]) == {"done"}
    out, err = capfd.readouterr()
    assert out == ""
    assert "written by a learner" in err
    (tmp_path / "enough").touch()
    whole = bits(run(study(culprits, replicates=2)))
    for deed in RUDE:
        tried(f"learner that {deed}: nobody disturbed", times=2, scores=bits(found), undisturbed=whole)


def test_a_child_that_outlives_its_worker_holds_nobody_up(tmp_path, tried):
    culprits = {"fork": Culprit("fork", str(tmp_path), times=1)}
    began = time.monotonic()
    found = run(study(culprits), n_jobs=2)
    assert time.monotonic() - began < 25  # the child lives for 30 seconds
    assert set(found.cells()["state"]) == {"done"}
    tried("worker killed whose learner has forked a child that lives on", times=1)


def test_a_program_that_a_learner_started_ends_with_its_worker(tmp_path, tried):
    def sleepers():
        return [pid for pid in Path("/proc").glob("[0-9]*") if _command(pid) == b"sleep\x001000\x00"]

    before = set(sleepers())
    found = quiet_run(study({"program": Culprit("program", str(tmp_path))}), n_jobs=2, time_limit=1.0)
    assert states(found)["program"] == "timed_out"
    patience = time.monotonic() + 10  # a killed process is gone a moment later
    while not set(sleepers()) <= before and time.monotonic() < patience:
        time.sleep(0.05)
    assert set(sleepers()) <= before
    tried("learner that waits for a program of its own: both stopped at the time limit", times=1)


def _command(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


def test_a_learner_that_closes_all_files_fails_its_own_cell(tmp_path, tried):
    found = quiet_run(study({"files": Culprit("all files", str(tmp_path))}), n_jobs=2)
    assert states(found) == {"files": "failed", "nb": "done", "prior": "done"}
    assert "its worker process ended because its files were closed, 2 times" in messages(found)["files"]
    tried("learner that closes all files of its process: failed, the others done", times=1,
          scores=bits(found, "nb", "prior"), undisturbed=bits(run(study({}))))  # fmt: skip


class Stays(PriorClassifier):
    """A learner that cannot be sent anywhere."""

    def __reduce__(self):
        raise TypeError("it stays where it is")


@pytest.mark.usefixtures("isolated")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_learner_that_cannot_be_sent_fails_alone_and_can_be_computed_here(tmp_path, tried, n_jobs):
    store = tmp_path / "s.db"
    found = quiet_run(study({"stays": Stays()}), store, n_jobs=n_jobs)
    assert states(found) == {"stays": "failed", "nb": "done", "prior": "done"}
    assert messages(found)["stays"] == (
        "NotSent: the learner, or its data, cannot be sent to another process (TypeError: it stays where it "
        "is): compute it in one process, in Python with n_jobs=1 and isolate=False"
    )
    end = run(study({"stays": Stays()}), store, retry="failed", isolate=False)
    assert set(end.cells()["state"]) == {"done"}
    tried("learner that cannot be pickled: fails alone, done with one job and isolate=False", times=1,
          stores=[store], scores=bits(end, "nb", "prior"), undisturbed=bits(run(study({}))))  # fmt: skip


def test_a_module_that_workers_lack_fails_its_task_with_a_sentence(monkeypatch, tried):
    module = types.ModuleType("only_here")
    learner = type("Local", (PriorClassifier,), {"__module__": "only_here", "__init__": Culprit_init})
    module.Local = learner
    monkeypatch.setitem(sys.modules, "only_here", module)
    found = quiet_run(study({"local": learner()}), n_jobs=2)
    assert states(found) == {"local": "failed", "nb": "done", "prior": "done"}
    assert messages(found)["local"] == "ModuleNotFoundError: No module named 'only_here'"
    assert "Traceback" in found.cells().set_index("learner")["traceback"]["local"]
    tried("learner of a module that workers cannot import: failed with its traceback", times=1)


def Culprit_init(self, alpha=0.5):
    PriorClassifier.__init__(self, alpha=alpha)


def test_workers_that_never_come_to_life_are_reported(monkeypatch, tried):
    monkeypatch.setattr("workbench.engine.launch.BOOT", "raise SystemExit(7)")
    sentence = (
        "^5 worker processes ended before they were ready, the last ended by itself with exit code 7: see"
    )
    with pytest.raises(WorkbenchError, match=sentence):
        run(study({}), n_jobs=2)
    tried("worker processes that cannot start: reported in a sentence", times=1, in_flight=3)


def test_no_process_can_be_started(monkeypatch, tried):
    def fail(*arguments, **options):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", fail)
    with pytest.raises(WorkbenchError, match=r"no worker process can be started \(Resource temporarily"):
        run(study({}), n_jobs=2)
    tried("system that starts no process: reported in a sentence", times=1)


def test_an_idle_worker_that_is_killed_costs_no_cell_a_try():
    with WorkerPool(1) as pool:
        list(pool.outcomes(iter([])))
        worker = pool._free_worker("")
        while not worker.is_up:
            time.sleep(0.01)
        pool._idle.append(worker)
        os.kill(worker.pid, signal.SIGKILL)
        deadline = time.monotonic() + 10
        while worker.alive and time.monotonic() < deadline:
            time.sleep(0.01)
        assert pool._free_worker("") is not worker


class Still:
    """A worker of which only reports are known."""

    is_up = True
    killed = False

    def kill(self):
        self.killed = True

    close = kill


def work_of(identity="a"):
    """Return a pool with a limit whose one worker is at a cell of three."""
    pool, worker = WorkerPool(1, time_limit=0.01), Still()
    cells = tuple((name, Cell("tan", 0, 20, name), None) for name in "abc")
    task = Task(None, 20, 0, cells, (), False)
    work = _Work(worker, task, limit=0.01)
    work.begin(identity)
    pool._busy[worker] = work
    return pool, worker, work


def test_a_cell_that_was_heard_of_in_time_is_not_stopped():
    """This process may have been held up for longer than the limit: by a slow disk, or stopped itself."""
    pool, worker, work = work_of()
    time.sleep(0.02)
    pool._stop_what_takes_too_long()
    assert not worker.killed
    pool._learn(Report(worker, "begins", "b"))
    time.sleep(0.06)
    pool._stop_what_takes_too_long()
    assert not worker.killed
    time.sleep(0.06)
    pool._stop_what_takes_too_long()
    assert worker.killed
    assert work.stopped_at == "b"


def test_a_cell_that_had_just_begun_when_another_was_stopped_is_begun_again():
    pool, worker, work = work_of()
    work.stopped_at = "a"
    pool._learn(Report(worker, "outcome", types.SimpleNamespace(identity="a")))
    pool._learn(Report(worker, "begins", "b"))
    assert pool._learn(Report(worker, "ended")) == []
    again = [name for task in pool._again for name, _, _ in task.cells]
    assert sorted(again) == ["b", "c"]
    assert pool._deaths == {}
