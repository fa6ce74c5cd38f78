"""Killing and stopping runs of experiments/small.toml: nothing is lost, nothing is computed twice."""

import os
import random
import signal
import sqlite3
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

N_CELLS = 252


@pytest.fixture(scope="module")
def small() -> Path:
    return Path(__file__).resolve().parents[2] / "experiments" / "small.toml"


@pytest.fixture(scope="module")
def undisturbed(small, run_cli, tmp_path_factory) -> dict:
    """Give all scores of a run with one process that nobody disturbs."""
    store = tmp_path_factory.mktemp("small") / "undisturbed.db"
    code, out, err = run_cli("run", small, "--store", store, "--jobs", 1)
    assert code == 0, err
    assert f"{N_CELLS} cells computed, 0 already there, 0 failed" in out
    return scores(store)


def query(store: Path, sql: str) -> list[tuple]:
    """Read from a store that another process may be writing."""
    connection = sqlite3.connect(f"{store.as_uri()}?mode=ro", uri=True, timeout=10)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def scores(store: Path) -> dict:
    """Give every score by cell and key; floats are compared as they are, that is bit for bit."""
    rows = query(
        store,
        "SELECT identity, metric, prior, rows, cutoff, value, n_infinite FROM scores JOIN cells USING (cell)",
    )
    return {row[:5]: (row[5].hex(), row[6]) for row in rows}


def finished(store: Path) -> dict:
    """Give stamp and attempts of the cells that are done."""
    rows = query(store, "SELECT identity, finished, attempts FROM cells WHERE state = 'done'")
    return {identity: rest for identity, *rest in rows}


def wait_for(process, store: Path, n_done: int) -> None:
    """Wait until a run has done so many cells, or has ended."""
    while process.poll() is None:
        try:
            if query(store, "SELECT count(*) FROM cells WHERE state = 'done'")[0][0] >= n_done:
                return
        except sqlite3.OperationalError:
            pass  # not there yet
        time.sleep(0.001)


def children(pid: int) -> list[int]:
    """Give the process numbers of the children of a process."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits to be collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_two_processes_give_the_same_bits_as_one(small, run_cli, undisturbed, tmp_path):
    code, _, err = run_cli("run", small, "--store", tmp_path / "s.db", "--jobs", 2)
    assert code == 0, err
    assert scores(tmp_path / "s.db") == undisturbed


@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_three_times_it_ends_with_the_same_bits(
    small, start_cli, run_cli, undisturbed, tmp_path, jobs
):
    store = tmp_path / "s.db"
    kept: dict = {}
    n_killed = 0
    for moment in sorted(random.Random(jobs).sample(range(1, N_CELLS - 60), 3)):
        process = start_cli("run", small, "--store", store, "--jobs", jobs)
        wait_for(process, store, moment)
        process.kill()
        process.communicate()
        n_killed += process.returncode == -signal.SIGKILL
        now = finished(store)
        assert kept.items() <= now.items()
        kept = now
    assert n_killed > 0, "every run ended before it could be killed"
    code, out, err = run_cli("run", small, "--store", store, "--jobs", jobs)
    assert code == 0, err
    assert scores(store) == undisturbed
    assert kept.items() <= finished(store).items()
    if len(kept) < N_CELLS:
        assert f"{N_CELLS - len(kept)} cells computed, {len(kept)} already there, 0 failed" in out


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")
def test_workers_do_not_survive_the_main_process(small, start_cli, tmp_path):
    process = start_cli("run", small, "--store", tmp_path / "s.db", "--jobs", 2)
    wait_for(process, tmp_path / "s.db", 7)
    workers = children(process.pid)
    process.kill()
    process.communicate()
    assert workers
    deadline = time.monotonic() + 30
    while any(map(alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, workers))


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(
    small, start_cli, run_cli, undisturbed, tmp_path, jobs
):
    store = tmp_path / "s.db"
    process = start_cli("run", small, "--store", store, "--jobs", jobs)
    wait_for(process, store, 20)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers too
    _, err = process.communicate()
    assert process.returncode == 130, err
    kept = finished(store)
    last = err.strip().splitlines()[-1]
    assert last.startswith(
        f"stopped: {len(kept)} of {N_CELLS} cells are done and kept; go on with: workbench run"
    )
    assert str(store) in last
    assert "Traceback" not in err
    code, _, err = run_cli("run", small, "--store", store, "--jobs", jobs)
    assert code == 0, err
    assert scores(store) == undisturbed
    assert kept.items() <= finished(store).items()
