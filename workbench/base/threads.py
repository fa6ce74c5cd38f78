"""Limit libraries to one thread per worker: parallelism is across cells."""

import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

__all__ = ["ONE_THREAD", "deaf_to_ctrl_c", "end_with", "one_inner_thread", "one_library_thread", "quiet_end"]

#: Environment variables that make libraries use one thread, whenever they are imported.
ONE_THREAD = dict.fromkeys(
    [
        "BLIS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "NUMEXPR_NUM_THREADS", "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS",
    ],
    "1",
)  # fmt: skip

# Seconds until a worker notices that the main process is gone.
WATCH_SECONDS = 0.5


@contextmanager
def one_inner_thread() -> Iterator[None]:
    """Limit BLAS, OpenMP and numba to one thread inside the block, then restore the former limits."""
    # numba's limit is that of the calling thread. Not limited are libraries first imported inside the block,
    # or loaded by `ctypes` until something is imported.
    # numba first: starting its threads sets those of OpenMP.
    with _one_numba_thread(), one_library_thread():
        yield


@contextmanager
def one_library_thread() -> Iterator[None]:
    """Limit BLAS and OpenMP to one thread inside the block, for all threads of the process."""
    with _thread_pools(len(sys.modules), next(reversed(sys.modules))).limit(limits=1):
        yield


@lru_cache(maxsize=1)
def _thread_pools(n_modules: int, last: str) -> "ThreadpoolController":
    """Return the thread pools of the loaded libraries, searched again once a module was imported."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """Ignore Ctrl-C in the block, for processes started there. Nothing outside the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def quiet_end() -> Iterator[None]:
    """Silence joblib's warning about unused results, which is expected when a run is interrupted."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*tasks (have|which were)", category=UserWarning)
        yield


@contextmanager
def _one_numba_thread() -> Iterator[None]:
    numba = sys.modules.get("numba")
    # A module that another thread is importing does not have all its functions yet.
    if not hasattr(numba, "set_num_threads"):
        yield
        return
    before = numba.get_num_threads()  # type: ignore[union-attr]
    numba.set_num_threads(1)  # type: ignore[union-attr]
    try:
        yield
    finally:
        numba.set_num_threads(before)  # type: ignore[union-attr]


def end_with(main_pid: int) -> None:
    """Wait until the parent process is gone, then exit."""
    while os.getppid() == main_pid:
        time.sleep(WATCH_SECONDS)
    sys.stderr = None  # nobody reads it any more
    os._exit(1)
