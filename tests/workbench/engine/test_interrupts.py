"""Killing and stopping runs at known commits: only cells in flight are lost, and no bit differs."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.interruptible_run import NOTHING, Holdings, alive, look, start, workers_of
from tests.workbench.engine.runs import check_whole
from workbench import read_study, run

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc"),
]

#: Two jobs have a task of seven learners each, and the next one while what came of the first is written.
MOST_IN_FLIGHT = 2 * 2 * 7
N_CELLS = 126
#: Two jobs are handed the first cell of each learner, then 17 tasks of seven, each by a commit of its own;
#: one job is handed 18 tasks, and writes after each. So every run has this commit, and then much is left.
MIDWAY = 24
JOBS = ("--jobs", 2)


@pytest.fixture(scope="module")
def small(experiments, tmp_path_factory) -> Path:
    text = (experiments / "small.toml").read_text(encoding="utf-8")
    assert "replicates = 6\n" in text
    place = tmp_path_factory.mktemp("study") / "small.toml"
    place.write_text(text.replace("replicates = 6\n", "replicates = 3\n"), encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def undisturbed(small, tmp_path_factory) -> Holdings:
    """Return what the store of a run holds that nobody disturbs."""
    store = tmp_path_factory.mktemp("small") / "undisturbed.db"
    run(read_study(small), store)
    found = look(store)
    assert len(found.done) == N_CELLS
    return found


def n_done(store: Path) -> int:
    with closing(sqlite3.connect(f"{store.as_uri()}?mode=ro", uri=True, timeout=1800)) as connection:
        return connection.execute("SELECT count(*) FROM cells WHERE state = 'done'").fetchone()[0]


def wait_for(process: subprocess.Popen, reached: Callable[[], bool]) -> None:
    """Wait until a run has come somewhere, or has ended."""
    while process.poll() is None and not reached():
        time.sleep(0.01)


def finish(small: Path, store: Path, before: Holdings) -> Holdings:
    """Run to the end in this process, and see that what was done has not been touched."""
    run(read_study(small), store)
    after = look(store)
    assert after.has_all_of(before)
    return after


# The first commits claim the store, begin the run and plan it; those after are of cells.
@pytest.mark.parametrize("commits", [(1,), (3,), (5, 6), (MIDWAY, 8)], ids=str)
def test_the_main_process_killed_inside_a_commit(small, undisturbed, tmp_path, commits):
    """It is killed once more while it goes on, if a second commit is named."""
    store, found, n_in_flight = tmp_path / "s.db", NOTHING, 0
    for i, n in enumerate(commits):
        flag = tmp_path / f"held {i}"
        process = start("run", small, "--store", store, *JOBS, hold_at=n, flag=flag)
        wait_for(process, flag.exists)
        os.kill(process.pid, signal.SIGTERM if i else signal.SIGKILL)
        process.communicate()
        assert process.returncode in (-signal.SIGKILL, -signal.SIGTERM), f"the run had no commit number {n}"
        earlier, found = found, look(store)
        assert found.integrity == "ok"
        assert found.has_all_of(earlier)
        assert max(found.attempts.values(), default=0) <= 1 + i
        assert len(found.in_flight) <= MOST_IN_FLIGHT
        n_in_flight += len(found.in_flight)
    end = finish(small, store, found)
    assert sum(end.attempts.values()) - N_CELLS <= n_in_flight
    check_whole(store, end.scores, undisturbed.scores)


def test_workers_killed_while_the_main_process_is_inside_a_commit(small, undisturbed, tmp_path):
    store, flag = tmp_path / "s.db", tmp_path / "held"
    process = start("run", small, "--store", store, *JOBS, hold_at=MIDWAY, flag=flag)
    wait_for(process, flag.exists)
    workers = workers_of(process)
    for worker in workers:
        os.kill(worker, signal.SIGKILL)
    flag.unlink()
    _, err = process.communicate()
    assert process.returncode == 0, err
    assert "Traceback" not in err
    end = look(store)
    assert max(end.attempts.values()) <= 2
    check_whole(store, end.scores, undisturbed.scores)


def test_a_worker_stopped_and_continued(small, undisturbed, tmp_path):
    """The other one goes on meanwhile."""
    store, flag = tmp_path / "s.db", tmp_path / "held"
    process = start("run", small, "--store", store, *JOBS, hold_at=MIDWAY, flag=flag)
    wait_for(process, flag.exists)
    before, workers = n_done(store), workers_of(process)
    os.kill(workers[0], signal.SIGSTOP)
    flag.unlink()
    wait_for(process, lambda: n_done(store) >= before + MOST_IN_FLIGHT)
    os.kill(workers[0], signal.SIGCONT)
    _, err = process.communicate()
    assert process.returncode == 0, err
    end = look(store)
    assert set(end.attempts.values()) == {1}
    check_whole(store, end.scores, undisturbed.scores)


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(small, undisturbed, tmp_path, jobs):
    store, flag = tmp_path / "s.db", tmp_path / "held"
    process = start("run", small, "--store", store, "--jobs", jobs, hold_at=MIDWAY, flag=flag)
    wait_for(process, flag.exists)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    flag.unlink()
    _, err = process.communicate()
    assert process.returncode == 130, err
    found = look(store)
    last = err.strip().splitlines()[-1]
    for words in (f"{len(found.done)} of {N_CELLS} cells", "workbench run", str(store)):
        assert words in last
    assert "Traceback" not in err
    end = finish(small, store, found)
    assert sum(end.attempts.values()) - N_CELLS <= len(found.in_flight)
    check_whole(store, end.scores, undisturbed.scores)


STUCK = """
import os
from pathlib import Path

import numpy as np
from numba import njit
from sklearn.base import BaseEstimator, ClassifierMixin

from workbench import compare
from generators import random_tan

@njit
def turn(cell):
    while cell[0] >= 0:
        cell[1] += 1

class Stuck(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        turn(np.array([-1, 0]))  # compiles
        Path(os.environ["STUCK"], str(os.getpid())).touch()
        turn(np.array([0, 0]))

    def predict(self, X):
        raise AssertionError

truths = [random_tan(n_attributes=2, random_state=seed) for seed in range(2)]
compare({"stuck": Stuck()}, on=truths, sizes=(20,), n_test=20, n_jobs=2)
"""


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM])
def test_workers_stuck_in_compiled_code_do_not_survive_the_main_process(tmp_path, ending):
    environment = {**os.environ, "STUCK": str(tmp_path)}
    process = subprocess.Popen([sys.executable, "-c", STUCK], stderr=subprocess.PIPE, env=environment)
    wait_for(process, lambda: len(list(tmp_path.iterdir())) == 2)
    stuck = [int(file.name) for file in tmp_path.iterdir()]
    assert len(stuck) == 2, process.communicate()
    assert all(map(alive, stuck))
    process.send_signal(ending)
    process.communicate()
    while any(map(alive, stuck)):
        time.sleep(0.01)
