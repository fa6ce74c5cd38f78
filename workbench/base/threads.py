"""One inner thread for each worker: parallelism is across cells."""

import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["ONE_THREAD", "deaf_to_ctrl_c", "end_with", "one_inner_thread", "one_library_thread", "quiet_end"]

#: The environment of a process whose libraries use one thread, whenever they are imported.
ONE_THREAD = dict.fromkeys(
    [
        "BLIS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "NUMEXPR_NUM_THREADS", "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS",
    ],
    "1",
)  # fmt: skip

# How soon a worker notices that the main process is gone.
WATCH_SECONDS = 0.5


@contextmanager
def one_inner_thread() -> Iterator[None]:
    """Limit BLAS, OpenMP and numba to one thread inside the block, and put back what was there before.

    numba's number belongs to the calling thread. What is first imported inside the block is not limited;
    worker processes of our own start with one thread for everything.
    """
    # numba first: it sets the threads of OpenMP when it starts its own.
    with _one_numba_thread(), one_library_thread():
        yield


@contextmanager
def one_library_thread() -> Iterator[None]:
    """Limit BLAS and OpenMP to one thread inside the block, for all threads of the process."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        yield


@contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """Ignore Ctrl-C inside the block, so that processes started in it are born ignoring it.

    Nothing happens outside the main thread, which alone may say what a signal does.
    """
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
    """Leave out joblib's warning that results were not used, which an interrupted run means."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*tasks (have|which were)", category=UserWarning)
        yield


@contextmanager
def _one_numba_thread() -> Iterator[None]:
    numba = sys.modules.get("numba")
    # A module that is being imported in another thread has not got its functions yet.
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
    """Wait until the process that started this one is gone, and end then."""
    while os.getppid() == main_pid:
        time.sleep(WATCH_SECONDS)
    sys.stderr = None  # nobody reads it any more
    os._exit(1)
