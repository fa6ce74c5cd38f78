"""One inner thread while a learner works, whoever started it, and as before afterwards."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import joblib
import numba
import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from threadpoolctl import threadpool_info, threadpool_limits

from generators import random_tan
from workbench import compare
from workbench.base import threads
from workbench.base.threads import deaf_to_ctrl_c, one_inner_thread

pytestmark = pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core has one thread anyway")


def inner_threads() -> set[int]:
    """Return the numbers of threads that BLAS, OpenMP and numba would use."""
    return {pool["num_threads"] for pool in threadpool_info()} | {numba.get_num_threads()}


class Counter(ClassifierMixin, BaseEstimator):
    """Remember the classes of its training rows, or fail if it may use several threads."""

    def fit(self, X, y):
        if inner_threads() != {1}:
            raise RuntimeError(f"threads: {inner_threads()}")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


@pytest.fixture(autouse=True)
def two_threads() -> Iterator[None]:
    """Allow two threads, as a user's process does, and look whether it is so at the end."""
    numba.set_num_threads(2)
    with threadpool_limits(limits=2):
        yield
        assert inner_threads() == {2}


def test_there_is_one_thread_inside_and_what_was_there_before_after():
    with one_inner_thread():
        assert inner_threads() == {1}
        with one_inner_thread():
            assert inner_threads() == {1}
        assert inner_threads() == {1}
    assert inner_threads() == {2}


def test_libraries_are_searched_again_once_a_module_was_imported(monkeypatch):
    def searched() -> int:
        with one_inner_thread():
            assert inner_threads() == {1}
        return threads._thread_pools.cache_info().misses

    monkeypatch.setitem(sys.modules, "imported_first", sys)
    before = searched()
    assert searched() == before
    monkeypatch.delitem(sys.modules, "imported_first")
    monkeypatch.setitem(sys.modules, "imported_later", sys)  # as many as before
    assert searched() == before + 1


def test_the_number_comes_back_after_an_error():
    with pytest.raises(RuntimeError), one_inner_thread():
        raise RuntimeError
    assert inner_threads() == {2}


TRUTHS = [random_tan(n_attributes=2, random_state=seed) for seed in range(4)]


def states(n_jobs):
    results = compare({"counter": Counter()}, on=TRUTHS, sizes=(20, 40), n_test=20, n_jobs=n_jobs)
    return set(results.cells()["state"])


def test_a_learner_in_this_process_has_one_thread():
    assert states(n_jobs=1) == {"done"}


def test_a_learner_in_a_backend_of_the_user_has_one_thread():
    with joblib.parallel_config(backend="threading"):
        assert states(n_jobs=2) == {"done"}


@pytest.mark.process
def test_a_learner_in_a_worker_process_has_one_thread():
    assert states(n_jobs=2) == {"done"}


@pytest.mark.process
def test_processes_started_deaf_ignore_ctrl_c():
    code = "import signal; print(signal.getsignal(signal.SIGINT) == signal.SIG_IGN)"
    before = signal.getsignal(signal.SIGINT)
    with deaf_to_ctrl_c():
        born = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert born.stdout == "True\n"
    assert signal.getsignal(signal.SIGINT) is before
