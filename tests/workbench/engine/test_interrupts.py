"""Killing and stopping runs of experiments/small.toml: only cells in flight are lost, and no bit differs."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.victim import NOTHING, Holdings, alive, look, start, workers_of
from workbench import read_study, run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc"),
]

#: Two jobs have a task of seven learners each, and the next one while what came of the first is written.
MOST_IN_FLIGHT = 2 * 2 * 7
N_CELLS = 252
JOBS = ("--jobs", 2)
#: A run has not ended after so long, on whatever machine.
START_SECONDS = 1.5


@pytest.fixture(scope="module")
def small(experiments) -> Path:
    return experiments / "small.toml"


@pytest.fixture(scope="module")
def undisturbed(small, tmp_path_factory) -> Holdings:
    """Return what the store of a run with two jobs holds that nobody disturbs."""
    store = tmp_path_factory.mktemp("small") / "undisturbed.db"
    _, err = start("run", small, "--store", store, *JOBS).communicate()
    found = look(store)
    assert len(found.done) == N_CELLS, err
    return found


def moments(n: int, seed: str) -> list[float]:
    """Draw moments of a run between 0 and 1, one from each of n equal parts."""
    draw = random.Random(seed)
    return [(part + draw.random()) / n for part in range(n)]


def wait_for_moment(process: subprocess.Popen, store: Path, moment: float, of: int = N_CELLS) -> None:
    """Wait until a run is so far, or has ended: a third is its start, and the rest goes by cells done."""
    if moment < 1 / 3:
        time.sleep(moment * 3 * START_SECONDS)
        return
    wait_for(process, lambda: n_done(store) >= (1.5 * moment - 0.5) * of)


def n_done(store: Path) -> int:
    try:
        with closing(sqlite3.connect(f"{store.as_uri()}?mode=ro", uri=True, timeout=10)) as connection:
            return connection.execute("SELECT count(*) FROM cells WHERE state = 'done'").fetchone()[0]
    except sqlite3.OperationalError:
        return 0  # it is not there yet


def wait_for(process: subprocess.Popen, reached: Callable[[], bool]) -> None:
    """Wait until a run has come somewhere, or has ended."""
    while process.poll() is None and not reached():
        time.sleep(0.002)


def kill(process: subprocess.Popen) -> bool:
    """Kill a process, and say whether it had not ended before."""
    process.kill()
    process.communicate()
    return process.returncode == -signal.SIGKILL


def finish(small: Path, store: Path, before: Holdings) -> Holdings:
    """Run to the end in this process, and see that what was done has not been touched."""
    run(read_study(small), store)
    after = look(store)
    assert after.has_all_of(before)
    return after


def test_the_main_process_killed_at_any_moment(small, undisturbed, tmp_path, tried):
    n_killed = n_in_flight = n_lost = 0
    stores = []
    for i, moment in enumerate(moments(3, "main")):
        store, found = tmp_path / f"{i}.db", NOTHING
        # Every third store is killed once more while it goes on.
        for again in (moment, (1 + moment) / 2)[: 1 + (i % 3 == 0)]:
            process = start("run", small, "--store", store, *JOBS)
            wait_for_moment(process, store, again)
            n_killed += kill(process)
            earlier, found = found, look(store)
            assert found.integrity == "ok"
            assert found.has_all_of(earlier)
            assert max(found.attempts.values(), default=0) <= 2
            assert len(found.in_flight) <= MOST_IN_FLIGHT
            n_in_flight += len(found.in_flight)
        end = finish(small, store, found)
        assert end.scores == undisturbed.scores
        n_lost += sum(end.attempts.values()) - N_CELLS
        stores.append(store)
    assert n_killed >= 3, "runs ended before they could be killed"
    tried("main process killed (SIGKILL), anywhere in the run", times=n_killed, in_flight=n_in_flight,
          lost=n_lost, stores=stores, scores=end.scores, undisturbed=undisturbed.scores)  # fmt: skip


def test_the_main_process_killed_inside_a_commit(small, undisturbed, tmp_path, tried):
    n_in_flight = n_lost = 0
    stores = []
    # The first commits claim the store, begin the run and plan it; those after are of cells.
    for n in (1, 3, 5, random.Random("commits").randrange(8, 70)):
        store, flag = tmp_path / f"{n}.db", tmp_path / f"{n}.held"
        process = start("run", small, "--store", store, *JOBS, hold_at=n, flag=flag)
        wait_for(process, flag.exists)
        assert kill(process), f"the run had no commit number {n}"
        found = look(store)
        assert found.integrity == "ok"
        assert set(found.attempts.values()) <= {0, 1}
        end = finish(small, store, found)
        assert end.scores == undisturbed.scores
        assert len(found.in_flight) <= MOST_IN_FLIGHT
        n_in_flight += len(found.in_flight)
        n_lost += sum(end.attempts.values()) - N_CELLS
        stores.append(store)
    tried("main process killed (SIGKILL) inside a commit", times=len(stores), in_flight=n_in_flight,
          lost=n_lost, stores=stores, scores=end.scores, undisturbed=undisturbed.scores)  # fmt: skip


def kill_workers(process: subprocess.Popen, store: Path, n_cells: int, seed: str) -> list[int]:
    """Kill a worker at moments of a run; give how many cells were in flight at each.

    What was hit is done before the next blow, as a cell that is hit twice fails.
    """
    in_flight: list[int] = []
    hit: set[str] = set()
    for moment in moments(3, seed):
        wait_for_moment(process, store, moment, of=n_cells)
        while process.poll() is None and not (hit <= look(store).done.keys() and workers_of(process)):
            time.sleep(0.01)
        workers = workers_of(process)
        if workers:
            hit = set(look(store).in_flight)
            try:
                os.kill(random.Random(f"{seed} {moment}").choice(workers), signal.SIGKILL)
            except ProcessLookupError:
                continue  # the run has come to its end
            in_flight.append(len(hit))
            hit |= look(store).in_flight  # handed out meanwhile
    return in_flight


def test_a_worker_killed_at_any_moment(small, tmp_path, tried):
    longer = tmp_path / "longer.toml"
    longer.write_text(small.read_text().replace("replicates = 6\n", "replicates = 8\n"), encoding="utf-8")
    run(read_study(longer), tmp_path / "undisturbed.db")
    undisturbed = look(tmp_path / "undisturbed.db")
    stores: list[Path] = []
    in_flight: list[int] = []
    while len(in_flight) < 2 and len(stores) < 4:
        stores.append(tmp_path / f"{len(stores)}.db")
        process = start("run", longer, "--store", stores[-1], *JOBS)
        blows = kill_workers(process, stores[-1], len(undisturbed.done), f"workers {len(stores)}")
        _, err = process.communicate()
        assert process.returncode == 0, err
        assert "Traceback" not in err
        end = look(stores[-1])
        assert end.scores == undisturbed.scores
        assert max(end.attempts.values()) <= 1 + len(blows)
        in_flight += blows
    assert len(in_flight) >= 2
    tried("worker process killed (SIGKILL), anywhere in the run", times=len(in_flight),
          in_flight=sum(in_flight), lost=len(undisturbed.done) - len(end.done), stores=stores,
          scores=end.scores, undisturbed=undisturbed.scores)  # fmt: skip


def test_a_worker_killed_while_the_main_process_is_inside_a_commit(small, undisturbed, tmp_path, tried):
    store, flag = tmp_path / "s.db", tmp_path / "held"
    process = start("run", small, "--store", store, *JOBS, hold_at=30, flag=flag)
    wait_for(process, flag.exists)
    n_in_flight = len(look(store).in_flight)
    workers = workers_of(process)
    for worker in workers:
        os.kill(worker, signal.SIGKILL)
    flag.unlink()
    _, err = process.communicate()
    assert process.returncode == 0, err
    tried("worker processes killed (SIGKILL) while the main process is inside a commit", times=len(workers),
          in_flight=n_in_flight, stores=[store], scores=look(store).scores,
          undisturbed=undisturbed.scores)  # fmt: skip


def test_a_worker_stopped_and_continued(small, undisturbed, tmp_path, tried):
    store, flag = tmp_path / "s.db", tmp_path / "held"
    process = start("run", small, "--store", store, *JOBS, hold_at=20, flag=flag)
    wait_for(process, flag.exists)
    workers = workers_of(process)
    os.kill(workers[0], signal.SIGSTOP)
    flag.unlink()
    time.sleep(1)
    os.kill(workers[0], signal.SIGCONT)
    _, err = process.communicate()
    assert process.returncode == 0, err
    end = look(store)
    assert set(end.attempts.values()) == {1}
    tried("worker stopped for a second (SIGSTOP, SIGCONT)", times=1, stores=[store], scores=end.scores,
          undisturbed=undisturbed.scores)  # fmt: skip


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(small, undisturbed, tmp_path, tried, jobs):
    store, flag = tmp_path / "s.db", tmp_path / "held"
    process = start("run", small, "--store", store, "--jobs", jobs, hold_at=20, flag=flag)
    wait_for(process, flag.exists)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    flag.unlink()
    _, err = process.communicate()
    assert process.returncode == 130, err
    found = look(store)
    last = err.strip().splitlines()[-1]
    assert last.startswith(
        f"stopped: {len(found.done)} of {N_CELLS} cells are done and kept; resume with: workbench run"
    )
    assert str(store) in last
    assert "Traceback" not in err
    end = finish(small, store, found)
    tried("Ctrl-C (SIGINT to all processes of the terminal)", times=1, in_flight=len(found.in_flight),
          lost=sum(end.attempts.values()) - N_CELLS, stores=[store], scores=end.scores,
          undisturbed=undisturbed.scores)  # fmt: skip


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
def test_workers_stuck_in_compiled_code_do_not_survive_the_main_process(tmp_path, tried, ending):
    environment = {**os.environ, "STUCK": str(tmp_path)}
    process = subprocess.Popen([sys.executable, "-c", STUCK], stderr=subprocess.PIPE, env=environment)
    wait_for(process, lambda: len(list(tmp_path.iterdir())) == 2)
    stuck = [int(file.name) for file in tmp_path.iterdir()]
    assert len(stuck) == 2, process.communicate()
    assert all(map(alive, stuck))
    process.send_signal(ending)
    process.communicate()
    deadline = time.monotonic() + 10
    while any(map(alive, stuck)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, stuck))
    tried("main process killed (SIGKILL, SIGTERM) while its workers are stuck in compiled code: all gone",
          times=1)  # fmt: skip
