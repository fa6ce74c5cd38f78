"""One inner thread for each worker: parallelism is across cells."""

import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["deaf_to_ctrl_c", "one_inner_thread", "one_library_thread", "quiet_end", "start_worker"]

# How soon a worker notices that the main process is gone.
WATCH_SECONDS = 0.5


@contextmanager
def one_inner_thread() -> Iterator[None]:
    """Limit BLAS, OpenMP and numba to one thread inside the block, and put back what was there before.

    numba's number belongs to the calling thread. What is first imported inside the block is not limited;
    worker processes of our own start with one thread for everything.

    Examples
    --------
    >>> import numba
    >>> before = numba.get_num_threads()
    >>> with one_inner_thread():
    ...     numba.get_num_threads()
    1
    >>> numba.get_num_threads() == before
    True
    """
    # numba first: it sets the threads of OpenMP when it starts its own.
    with _one_numba_thread(), one_library_thread():
        yield


@contextmanager
def one_library_thread() -> Iterator[None]:
    """Limit BLAS and OpenMP to one thread inside the block, for all threads of the process.

    Examples
    --------
    >>> with one_library_thread():
    ...     pass
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        yield


@contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """Ignore Ctrl-C inside the block, so that processes started in it are born ignoring it.

    Nothing happens outside the main thread, which alone may say what a signal does.

    Examples
    --------
    >>> with deaf_to_ctrl_c():
    ...     pass
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


def start_worker(main_pid: int) -> None:
    """Prepare a worker process: Ctrl-C is for the main process, and without it there is nothing to do.

    Parameters
    ----------
    main_pid : int
        Process number of the main process. Nothing happens unless the caller is a child of it.
    """
    if os.getppid() != main_pid or os.getpid() == main_pid:
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(main_pid,), daemon=True, name="watch the main process").start()


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


def _end_with(main_pid: int) -> None:
    while os.getppid() == main_pid:
        time.sleep(WATCH_SECONDS)
    sys.stderr = None  # nobody reads it any more
    os._exit(1)
