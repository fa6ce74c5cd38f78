"""One inner thread for each worker: parallelism is across cells."""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["one_inner_thread", "start_worker"]

# How soon a worker notices that the main process is gone.
WATCH_SECONDS = 0.5


@contextmanager
def one_inner_thread() -> Iterator[None]:
    """Limit BLAS, OpenMP and numba to one thread inside the block.

    Examples
    --------
    >>> with one_inner_thread():
    ...     pass
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
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


def _end_with(main_pid: int) -> None:
    while os.getppid() == main_pid:
        time.sleep(WATCH_SECONDS)
    sys.stderr = None  # nobody reads it any more
    os._exit(1)
