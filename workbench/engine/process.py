"""Worker processes, which compute tasks one after the other and can be killed at any moment."""

import contextlib
import ctypes
import functools
import os
import pickle
import queue
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import IO, Any, Literal, NamedTuple

import cloudpickle

from workbench.base.threads import end_with
from workbench.engine.launch import launch
from workbench.engine.worker import Task, failure, outcomes
from workbench.store.outcome import Outcome

__all__ = ["Report", "WorkerProcess", "packed", "serve"]

#: What precedes every task and report: its length.
HEADER = struct.Struct("<Q")
PR_SET_PDEATHSIG = 1
#: Seconds that a process may take to end after its last report.
SECONDS_TO_END = 5.0


class Report(NamedTuple):
    """A report of a worker, or about it."""

    # begins: identity of the cell, empty while rows are drawn; compiles: whether it begins or is done;
    # outcome: of a cell; ready: all cells of the task have ended; refused: the task cannot be read (message,
    # traceback); ended: process gone
    worker: "WorkerProcess"
    kind: Literal["begins", "compiles", "outcome", "ready", "refused", "ended"]
    content: Any = None


class WorkerProcess:
    """A process that computes tasks (only those of the learner `alone`) and can be killed at any time."""

    # A thread for each process writes its tasks and reads its reports, so that no large data set or stopped
    # process delays the others. What a learner starts, such as a program, belongs to the worker's session:
    # Ctrl-C does not reach it, and it is stopped with the worker; only `kill -9` of this process leaves it,
    # as only the workers notice that.

    def __init__(self, on_report: Callable[[Report], None], alone: str = "") -> None:
        self._process = launch()
        self.alone = alone
        #: Whether the process is ready; if one ends before, its task is not to blame.
        self.is_up = False
        self._on_report = on_report
        self._tasks: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._attend, daemon=True, name=f"worker {self.pid}")
        self._thread.start()

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def give(self, packed_task: bytes) -> None:
        """Send a task. Reports of its cells follow."""
        self._tasks.put(packed_task)

    def kill(self) -> None:
        """Kill the process and what it has started. A report of its end follows."""
        if self._process.returncode is None:
            self._kill_session()

    def close(self) -> None:
        """Kill the process, and wait until it and its thread have ended."""
        self.kill()
        self._tasks.put(None)
        self._thread.join()

    def ending(self) -> str:
        """Describe how the process ended, once it has."""
        code = self._process.wait()
        if code >= 0:
            return f"ended with exit code {code}"
        named = {number.value: number.name for number in signal.Signals}
        return f"was killed by {named.get(-code, f'signal {-code}')}"

    def _attend(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(Exception), self._process.stdin as writing, self._process.stdout as reading:
            self._converse(writing, reading)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(SECONDS_TO_END)  # to learn how it ends by itself
        self._kill_session()
        self._process.wait()
        self._on_report(Report(self, "ended"))

    def _kill_session(self) -> None:
        with contextlib.suppress(OSError):  # it has ended completely
            os.killpg(self.pid, signal.SIGKILL)

    def _converse(self, writing: IO[bytes], reading: IO[bytes]) -> None:
        _read(reading)
        self.is_up = True
        while True:
            task = self._tasks.get()
            if task is None:
                return
            _write(writing, task)
            kind = ""
            while kind not in ("ready", "refused"):
                kind, content = pickle.loads(_read(reading))
                self._on_report(Report(self, kind, content))


def packed(task: Task) -> bytes:
    """Write a task in the form for workers. It raises any error of its learners and their data."""
    content: bytes = cloudpickle.dumps(task)
    return content


def serve(reading: IO[bytes]) -> None:
    """Compute tasks until there are none. Output of learners goes to stderr, as stdout has the reports."""
    writing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    # A child forked by a learner that outlives this process would hide its end.
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=reading.close)
        os.register_at_fork(after_in_child=writing.close)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        _end_with_parent(int(reading.readline() or 0))  # the parent is gone already
        _write(writing, b"up")
        while True:
            _serve_one(_read(reading), writing)
    except (EOFError, BrokenPipeError):
        os._exit(0)  # nobody is left to report to


def _serve_one(content: bytes, writing: IO[bytes]) -> None:
    try:
        task: Task = pickle.loads(content)
    except BaseException as error:  # for example a module that only the main process can import
        _report(writing, "refused", failure(error))
        return
    begins = functools.partial(_report, writing, "begins")
    compiles = functools.partial(_report, writing, "compiles")
    for outcome in outcomes(task, begins, compiles=compiles):
        _report(writing, "outcome", outcome)
    _report(writing, "ready", None)


def _end_with_parent(main_pid: int) -> None:
    """Make sure that the worker ends with the main process, even in the middle of compiled code."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=end_with, args=(main_pid,), daemon=True, name="watch the main process").start()


def _report(writing: IO[bytes], kind: str, content: str | bool | Outcome | tuple[str, str] | None) -> None:
    _write(writing, pickle.dumps((kind, content), protocol=pickle.HIGHEST_PROTOCOL))


def _write(writing: IO[bytes], content: bytes) -> None:
    writing.write(HEADER.pack(len(content)))
    writing.write(content)
    writing.flush()


def _read(reading: IO[bytes]) -> bytes:
    (length,) = HEADER.unpack(_exactly(reading, HEADER.size))
    return _exactly(reading, length)


def _exactly(reading: IO[bytes], n: int) -> bytes:
    content = reading.read(n)
    if len(content) < n:
        raise EOFError
    return content
