"""Worker processes: whatever a learner does to its process, only its own cells are hurt."""

import ctypes
import itertools
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import types
from dataclasses import replace
from pathlib import Path

import cloudpickle
import joblib
import numpy as np
import pytest

from benchmarks.interruptible_run import alive
from generators import Network, random_tan
from learners import NaiveBayesClassifier, PriorClassifier
from tests.workbench.engine import runs
from tests.workbench.engine.runs import (
    bits,
    by_learner,
    check_whole,
    mark_as_stuck,
    quiet_run,
    stop_only_what_is_stuck,
)
from workbench import Study, run
from workbench.base.cell import Cell
from workbench.base.errors import WorkbenchError
from workbench.designs import FreshSamples
from workbench.engine.pool import GRACE, SECONDS_TO_BEGIN, WorkerPool, _Work
from workbench.engine.process import Report
from workbench.engine.worker import Task
from workbench.study.learner_spec import LearnerSpec
from workbench.study.source import Source


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
            n = next(n for n in itertools.count() if not (marks / f"{self.deed} {n}").exists())
            (marks / f"{self.deed} {n}").touch()
            if self.deed in HANGS:
                mark_as_stuck(marks)
            DEEDS[self.deed](marks)
        return super().fit(X, y, sample_weight)


def turn_for_ever(marks):
    from numba import njit

    @njit
    def turn(cell):
        while cell[0] >= 0:
            cell[1] += 1

    turn(np.zeros(2, dtype=np.int64))


def exhaust_memory(marks):
    before = resource.getrlimit(resource.RLIMIT_AS)
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + 2**26, before[1]))
    try:
        np.ones(2**28)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def leave_a_child(marks):
    """Leave a child behind that holds what this process had open, until the run has ended."""
    if os.fork() == 0:
        os.setsid()  # no longer of the worker's group
        while marks.exists() and not (marks / "enough").exists():
            time.sleep(0.05)
        (marks / "the child has ended").touch()
        os._exit(0)
    os.kill(os.getpid(), signal.SIGKILL)


def wait_for_a_program(marks):
    program = subprocess.Popen(["sleep", "100000"])
    (marks / "pid").write_text(str(program.pid))
    mark_as_stuck(marks)
    program.wait()


def for_ever():
    threading.Event().wait()


HANGS = {
    "in Python": lambda marks: for_ever(),
    "in a numba kernel": turn_for_ever,
    "in a C call": lambda marks: ctypes.PyDLL(None).sleep(100_000),
}
ENDINGS = {
    "killed for memory (SIGKILL)": lambda marks: os.kill(os.getpid(), signal.SIGKILL),
    "ended by os._exit(3)": lambda marks: os._exit(3),
    "ended by a segmentation fault": lambda marks: ctypes.string_at(0),
}
DEEDS = {
    **HANGS,
    **ENDINGS,
    "memory": exhaust_memory,
    "child": leave_a_child,
    "program": wait_for_a_program,
}


@pytest.fixture(autouse=True, scope="module")
def by_value():
    """Send what is defined here to workers as it is: they cannot import tests."""
    for module in (sys.modules[__name__], runs):
        cloudpickle.register_pickle_by_value(module)
    yield
    for module in (sys.modules[__name__], runs):
        cloudpickle.unregister_pickle_by_value(module)


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


@pytest.fixture
def marks(monkeypatch, tmp_path):
    """Return a folder for marks of processes; the time of those that are marked as stuck is up."""
    stop_only_what_is_stuck(monkeypatch, tmp_path)
    return tmp_path


@pytest.mark.process
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_is_stuck_is_stopped_and_tried_again(marks, n_jobs):
    hangs = list(HANGS)[:-1] if n_jobs == 2 else list(HANGS)[-1:]
    stuck = study({deed: Culprit(deed, str(marks)) for deed in hangs})
    store = marks / "s.db"
    found = quiet_run(stuck, store, n_jobs=n_jobs, time_limit=600.0)
    expected = {**dict.fromkeys(hangs, "timed_out"), "nb": "done", "prior": "done"}
    assert by_learner(found, "state") == expected
    for deed in hangs:
        assert by_learner(found, "message")[deed].startswith("TimeLimit: it took longer than 600 s")
    assert by_learner(quiet_run(stuck, store, n_jobs=n_jobs, time_limit=600.0), "state") == expected
    (marks / "enough").touch()
    end = run(stuck, store, n_jobs=n_jobs, time_limit=600.0, retry=("timed_out",))
    check_whole(store, bits(end), bits(run(stuck)))


@pytest.mark.process
def test_a_limit_holds_in_threads_of_the_user_too(marks):
    deed = "in a numba kernel"
    with joblib.parallel_config(backend="threading"):
        found = quiet_run(study({deed: Culprit(deed, str(marks))}), n_jobs=2, time_limit=600.0)
    assert by_learner(found, "state") == {deed: "timed_out", "nb": "done", "prior": "done"}
    assert bits(found, "nb", "prior") == bits(run(study({})))


class Endless(Network):
    """A truth whose rows are never drawn outside of the process that made it."""

    def sample(self, n, random_state=None):
        home, marks = os.environ["DRAWS_END_IN"].split(maxsplit=1)
        if home != str(os.getpid()):
            mark_as_stuck(marks)
            for_ever()
        return super().sample(n, random_state)

    def __reduce__(self):
        return type(self), (self.names, self.states, self.parent_indices, self.cpts, self.class_index)


@pytest.mark.process
def test_rows_that_are_never_drawn_time_out(monkeypatch, marks):
    monkeypatch.setenv("DRAWS_END_IN", f"{os.getpid()} {marks}")
    good, fine = (random_tan(n_attributes=2, random_state=seed) for seed in (1, 2))
    endless = Endless(good.names, good.states, good.parent_indices, good.cpts, good.class_index)
    sources = tuple(Source(name, truths=(truth,)) for name, truth in (("endless", endless), ("good", fine)))
    found = quiet_run(replace(study({}), sources=sources), n_jobs=2, time_limit=600.0)
    cells = found.cells().astype({"source": str})
    ended = cells.groupby("source")["state"].unique().map(list).to_dict()
    assert ended == {"endless": ["timed_out"], "good": ["done"]}
    assert cells.query("state == 'timed_out'")["message"].str.contains("drawing the rows took").all()


@pytest.mark.process
def test_a_process_that_ends_once_is_replaced_and_its_cell_done(tmp_path):
    endings = list(ENDINGS)[::2]
    culprits = {deed: Culprit(deed, str(tmp_path), times=1) for deed in endings}
    store = tmp_path / "s.db"
    found = run(study(culprits), store, n_jobs=2)
    assert set(found.cells()["state"]) == {"done"}
    assert found.cells()["attempts"].max() <= 1 + len(endings)  # those that wait are handed out again
    (tmp_path / "enough").touch()
    check_whole(store, bits(found), bits(run(study(culprits))))


@pytest.mark.process
def test_a_process_that_always_ends_fails_its_own_cell(tmp_path):
    culprits = {deed: Culprit(deed, str(tmp_path)) for deed in ENDINGS}
    store = tmp_path / "s.db"
    found = quiet_run(study(culprits), store, n_jobs=2)
    assert by_learner(found, "state") == {**dict.fromkeys(ENDINGS, "failed"), "nb": "done", "prior": "done"}
    said = (
        "SIGKILL, 2 times, perhaps for lack of memory",
        "exit code 3, 2 times",
        "SIGSEGV, 2",
    )
    for deed, words in zip(ENDINGS, said, strict=True):
        assert words in by_learner(found, "message")[deed]
    whole = bits(run(study({})))
    for deed in ENDINGS:
        assert len(list(tmp_path.glob(f"{deed} *"))) == 2
        check_whole(store, bits(found, "nb", "prior"), whole)


@pytest.mark.process
def test_memory_that_runs_out_fails_the_cell_with_its_traceback(tmp_path):
    found = quiet_run(study({"culprit": Culprit("memory", str(tmp_path))}), n_jobs=2)
    assert by_learner(found, "state") == {"culprit": "failed", "nb": "done", "prior": "done"}
    assert "MemoryError: Unable to allocate 2.00 GiB" in by_learner(found, "message")["culprit"]
    assert "in exhaust_memory" in found.cells().set_index("learner")["traceback"]["culprit"]
    assert bits(found, "nb", "prior") == bits(run(study({})))


@pytest.mark.process
def test_a_child_that_outlives_its_worker_holds_nobody_up(tmp_path):
    """The run would wait for ever if the child's copies of what it had open counted."""
    found = run(study({"child": Culprit("child", str(tmp_path), times=1)}), n_jobs=2)
    assert set(found.cells()["state"]) == {"done"}
    assert not (tmp_path / "the child has ended").exists()
    (tmp_path / "enough").touch()


@pytest.mark.process
def test_a_program_that_a_learner_started_ends_with_its_worker(marks):
    found = quiet_run(study({"program": Culprit("program", str(marks))}), n_jobs=2, time_limit=600.0)
    assert by_learner(found, "state")["program"] == "timed_out"
    program = int((marks / "pid").read_text())
    while alive(program):  # a killed process is gone a moment later
        time.sleep(0.01)


class Stays(PriorClassifier):
    """A learner that cannot be sent anywhere."""

    def __reduce__(self):
        raise TypeError("it stays where it is")


@pytest.mark.process
@pytest.mark.usefixtures("isolated")
def test_a_learner_that_cannot_be_sent_fails_alone_and_can_be_computed_here(tmp_path):
    store = tmp_path / "s.db"
    found = quiet_run(study({"stays": Stays()}), store, n_jobs=2)
    assert by_learner(found, "state") == {"stays": "failed", "nb": "done", "prior": "done"}
    for words in ("NotSent", "TypeError: it stays where it is", "n_jobs=1 and isolate=False"):
        assert words in by_learner(found, "message")["stays"]
    end = run(study({"stays": Stays()}), store, retry="failed", isolate=False)
    assert set(end.cells()["state"]) == {"done"}
    check_whole(store, bits(end, "nb", "prior"), bits(run(study({}))))


@pytest.mark.process
def test_a_module_that_workers_lack_fails_its_task_with_a_sentence(monkeypatch):
    module = types.ModuleType("only_here")
    learner = type("Local", (PriorClassifier,), {"__module__": "only_here", "__init__": Culprit_init})
    module.Local = learner
    monkeypatch.setitem(sys.modules, "only_here", module)
    found = quiet_run(study({"local": learner()}), n_jobs=2)
    assert by_learner(found, "state") == {"local": "failed", "nb": "done", "prior": "done"}
    assert by_learner(found, "message")["local"] == "ModuleNotFoundError: No module named 'only_here'"
    assert "Traceback" in found.cells().set_index("learner")["traceback"]["local"]


def Culprit_init(self, alpha=0.5):
    PriorClassifier.__init__(self, alpha=alpha)


@pytest.mark.process
def test_workers_that_never_come_to_life_are_reported(monkeypatch):
    monkeypatch.setattr("workbench.engine.launch.BOOT", "raise SystemExit(7)")
    with pytest.raises(WorkbenchError, match=r"^5 worker processes.*exit code 7"):
        run(study({}), n_jobs=2)


def test_no_process_can_be_started(monkeypatch):
    def fail(*arguments, **options):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", fail)
    with pytest.raises(WorkbenchError, match=r"no worker process.*Resource temporarily"):
        run(study({}), n_jobs=2)


@pytest.mark.process
def test_an_idle_worker_that_is_killed_costs_no_cell_a_try():
    with WorkerPool(1) as pool:
        list(pool.outcomes(iter([])))
        worker = pool._free_worker("")
        while not worker.is_up:
            time.sleep(0.01)
        pool._idle.append(worker)
        os.kill(worker.pid, signal.SIGKILL)
        while worker.alive:
            time.sleep(0.01)
        assert pool._free_worker("") is not worker


class Still:
    """A worker of which only reports are known."""

    is_up = True
    killed = False

    def kill(self):
        self.killed = True

    close = kill


@pytest.fixture
def clock(monkeypatch):
    """Return a time that passes only when set."""
    now = [1000.0]
    monkeypatch.setattr("workbench.engine.pool.time", types.SimpleNamespace(monotonic=lambda: now[0]))
    return now


def work_of(identity=""):
    """Return a pool with a limit whose one worker has three cells, and is at one of them."""
    pool, worker = WorkerPool(1, time_limit=5.0), Still()
    cells = tuple((name, Cell("tan", 0, 20, name), None) for name in "abc")
    work = _Work(worker, Task(None, 20, 0, cells, (), False), limit=5.0, given=1000.0)
    pool._busy[worker] = work
    if identity:
        work.begin(identity)
    return pool, worker, work


def test_a_cell_that_was_heard_of_meanwhile_is_not_stopped(clock):
    """This process may have been held up for longer than the limit: by a slow disk, or stopped itself."""
    pool, worker, work = work_of("a")
    clock[0] += 5.0
    pool._stop_what_takes_too_long()
    assert work.late == float("inf")
    clock[0] += 1000.0
    pool._stop_what_takes_too_long()
    assert not worker.killed
    pool._learn(Report(worker, "begins", "b"))
    clock[0] += 5.0 + GRACE  # late, and perhaps heard of in a moment
    pool._stop_what_takes_too_long()
    assert not worker.killed
    clock[0] += 2 * GRACE
    pool._stop_what_takes_too_long()
    assert worker.killed
    assert work.stopped_at == "b"
    (timed_out,) = pool._learn(Report(worker, "ended"))
    assert (timed_out.identity, timed_out.state) == ("b", "timed_out")
    assert [name for task in pool._again for name, _, _ in task.cells] == ["a", "c"]


def test_a_process_that_starts_has_more_time_than_a_cell(clock):
    pool, worker, work = work_of()
    assert work.due == 1000.0 + SECONDS_TO_BEGIN + 5.0
    pool._learn(Report(worker, "begins", ""))
    assert (work.due, work.in_flight) == (1005.0, ["a", "b", "c"])


def test_a_cell_that_had_just_begun_when_another_was_stopped_is_begun_again():
    pool, worker, work = work_of("a")
    work.stopped_at = "a"
    pool._learn(Report(worker, "outcome", types.SimpleNamespace(identity="a")))
    pool._learn(Report(worker, "begins", "b"))
    assert pool._learn(Report(worker, "ended")) == []
    again = [name for task in pool._again for name, _, _ in task.cells]
    assert sorted(again) == ["b", "c"]
    assert pool._deaths == {}
