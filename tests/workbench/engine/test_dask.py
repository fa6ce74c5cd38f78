"""Cells on a Dask cluster: a real scheduler and two worker processes on loopback."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import joblib
import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

import workbench
from learners import PriorClassifier
from tests.workbench.engine.runs import check_whole, mark_as_stuck, stop_only_what_is_stuck
from workbench import Study, load, read_study, run, write_study
from workbench.base.errors import WorkbenchError
from workbench.designs import FreshSamples
from workbench.engine.dask_cluster import _check_versions, _compute, on_dask
from workbench.engine.progress import Silent
from workbench.engine.provenance import versions
from workbench.engine.worker import compute
from workbench.study.learner_spec import LearnerSpec
from workbench.study.scores import Scores
from workbench.study.source import Source

pytest.importorskip("distributed", reason="Dask is not installed")

SITE = str(Path(workbench.__file__).resolve().parents[1])
HERE = str(Path(__file__).resolve().parents[3])


class Cluster:
    """A scheduler and two workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        place = folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", place
        )
        while not (place.exists() and place.read_text()):
            time.sleep(0.05)
        self.address = json.loads(place.read_text())["address"]
        self.workers = [
            self._start("worker", self.address, "--nthreads", "1", "--no-nanny") for _ in range(2)
        ]
        self._wait_for_workers()

    def _wait_for_workers(self) -> None:
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(len(self.workers))

    def _start(self, what: str, *arguments: object) -> subprocess.Popen:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([SITE, HERE])}
        environment["DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES"] = "1"
        module = f"distributed.cli.dask_{what}"
        command = [sys.executable, "-m", module, "--no-dashboard", *map(str, arguments)]
        return subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path) -> Iterator[Cluster]:
    found = Cluster(tmp_path)
    yield found
    found.end()


class Once(Silent):
    """Do something once, when so many cells have ended."""

    def __init__(self, after: int, what) -> None:
        super().__init__()
        self.after, self.what, self.cells_then = after, what, 0

    def advance(self, done: int, failed: int) -> None:
        super().advance(done, failed)
        if self.computed >= self.after and not self.cells_then:
            self.cells_then = self.computed
            self.what()


@pytest.fixture(scope="module")
def small(experiments) -> Study:
    study = read_study(experiments / "small.toml")
    return replace(study, design=replace(study.design, replicates=2))


@pytest.fixture(scope="module")
def undisturbed(small) -> dict:
    return bits(run(small))


def bits(results) -> dict:
    """Return every score by its place and key, as digits that show every bit."""
    frame = results.frame()
    keys = (
        frame.drop(columns=["value", "n_infinite", "mc_error"]).astype(str).itertuples(index=False, name=None)
    )
    return dict(zip(keys, map(float.hex, frame["value"]), strict=True))


@pytest.mark.process
def test_a_worker_killed_in_the_middle_changes_no_score(cluster, small, undisturbed, tmp_path):
    once = Once(30, cluster.workers[0].kill)
    with on_dask(cluster.address):
        results = run(small, tmp_path / "s.db", n_jobs=-1, progress=once)
    assert cluster.workers[0].wait() < 0
    assert 30 <= once.cells_then < len(results.cells())
    assert (results.cells()["state"] == "done").all()
    check_whole(tmp_path / "s.db", bits(results), undisturbed)


@pytest.mark.process
def test_a_scheduler_that_is_gone_is_reported_and_the_run_goes_on_elsewhere(
    cluster, small, undisturbed, tmp_path
):
    store = tmp_path / "s.db"
    once = Once(30, cluster.scheduler.kill)
    with pytest.raises(WorkbenchError, match="the Dask cluster is gone"):  # noqa: SIM117
        with on_dask(cluster.address):
            run(small, store, n_jobs=-1, progress=once)
    before = load(store).cells()
    done = before[before["state"] == "done"].set_index("identity")
    assert len(done) >= once.cells_then
    results = run(small, store)
    assert (results.cells().set_index("identity").loc[done.index, "finished"] == done["finished"]).all()
    check_whole(store, bits(results), undisturbed)


@pytest.mark.process
def test_the_command_line_runs_on_a_cluster(cluster, run_cli, small, undisturbed, tmp_path):
    (tmp_path / "small.toml").write_text(write_study(small), encoding="utf-8")
    store = tmp_path / "s.db"
    options = ("--store", store, "--dask", cluster.address, "--jobs", 2)
    code, out, err = run_cli("run", tmp_path / "small.toml", *options)
    assert code == 0, err
    assert "84 cells computed, 0 already there, 0 failed" in out
    assert bits(load(store)) == undisturbed


class Odd(ClassifierMixin, BaseEstimator):
    """End its process on the larger training sets, or never end there, which a folder is told."""

    def __init__(self, folder: str = "") -> None:
        self.folder = folder

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if len(X) > 30:
            if not self.folder:
                os._exit(3)
            mark_as_stuck(self.folder)
            threading.Event().wait()
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def odd(sizes: tuple[int, ...], folder: str = "", **others) -> Study:
    learners = {"odd": Odd(folder), **others}
    return Study(
        "odd",
        1,
        (Source("tan", generator="tan", parameters={"n_attributes": 2}),),
        tuple(LearnerSpec(key, estimator=own) for key, own in learners.items()),
        design=FreshSamples(replicates=1, sizes=sizes, n_test=50),
        scores=Scores(metrics=("ir_b",)),
    )


@pytest.mark.process
@pytest.mark.filterwarnings("ignore::workbench.base.errors.FailedCells")
def test_a_cell_that_ends_its_process_fails():
    with on_dask("local", 2):
        fatal = run(odd((20, 40), prior=PriorClassifier()), n_jobs=-1).cells()
    fatal = fatal.set_index(["learner", "n_train"])
    assert (fatal["state"] == "done").sum() == 3
    assert fatal.loc[("odd", 40), "state"] == "failed"
    assert "WorkerEnded" in fatal.loc[("odd", 40), "message"]


@contextmanager
def on_dask_here() -> Iterator[None]:
    """Run studies on a cluster of one worker, which is a thread of this process."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0") as cluster,
        Client(cluster, set_as_default=False) as client,
        joblib.parallel_config(backend="dask", client=client),
    ):
        yield


@pytest.mark.process
@pytest.mark.filterwarnings("ignore::workbench.base.errors.FailedCells")
def test_a_cell_that_never_ends_is_stopped(monkeypatch, tmp_path):
    stop_only_what_is_stuck(monkeypatch, tmp_path)
    with on_dask_here():
        endless = run(odd((20, 40), str(tmp_path)), n_jobs=2, time_limit=600.0).cells()
    assert endless["state"].tolist() == ["done", "timed_out"]


@pytest.mark.slow
def test_nobody_at_the_address_is_one_sentence(monkeypatch):
    monkeypatch.setattr("workbench.engine.dask_cluster.SECONDS_TO_CONNECT", 0.5)
    with (
        pytest.raises(WorkbenchError, match="no Dask scheduler answers at 'tcp:"),
        on_dask("tcp://127.0.0.1:9"),
    ):
        pass


def test_an_address_that_is_none_is_one_sentence():
    with (
        pytest.raises(WorkbenchError, match="no Dask scheduler answers at 'nonsense:"),
        on_dask("nonsense://x"),
    ):
        pass


def test_a_word_is_no_address():
    with pytest.raises(WorkbenchError, match="'foo' is not the address"), on_dask("foo"):
        pass


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(WorkbenchError, match="install the extra dask"), on_dask("local"):
        pass


class Elsewhere:
    """A client whose workers have something else installed."""

    def __init__(self, there: object) -> None:
        self.there = there

    def ncores(self) -> dict[str, int]:
        return {"tcp://w:1": 1}

    def run(self, function, on_error):
        return {"tcp://w:1": self.there}


def test_workers_with_other_versions_are_refused():
    _check_versions(Elsewhere(versions()))
    with pytest.raises(WorkbenchError, match=r"tcp://w:1 has numpy 1\.0 and this process"):
        _check_versions(Elsewhere({**versions(), "numpy": "1.0"}))
    with pytest.raises(WorkbenchError, match="cannot import learner-workbench"):
        _check_versions(Elsewhere(ModuleNotFoundError("No module named 'workbench'")))


def test_a_worker_that_joins_later_with_other_versions_computes_nothing():
    with pytest.raises(WorkbenchError, match=r"that joined later has numpy .* and this process 0\.0"):
        _compute(None, None, {**versions(), "numpy": "0.0"})


@pytest.mark.slow
def test_a_dask_backend_of_the_user_is_used(monkeypatch):
    from distributed import get_worker

    names = set()

    def compute_here(task, time_limit):
        names.add(get_worker().name)
        return compute(task)

    monkeypatch.setattr("workbench.engine.dask_cluster.compute_apart", compute_here)
    with on_dask_here():
        states = set(run(odd((20,)), n_jobs=2).cells()["state"])
    assert states == {"done"}
    assert names == {0}
