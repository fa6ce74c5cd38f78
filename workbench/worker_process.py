"""A worker process: it computes tasks one after the other, and may be killed at any moment."""

import ctypes
import json
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

from workbench.threads import ONE_THREAD, deaf_to_ctrl_c, end_with
from workbench.worker import Outcome, Task, failure, outcomes

__all__ = ["Report", "WorkerProcess", "serve"]

# The path of modules comes first, as the package itself may be on it.
BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.stdin.buffer.readline()); "
    "from workbench.worker_process import serve; serve()"
)
LENGTH = struct.Struct("<Q")
PR_SET_PDEATHSIG = 1


class Report(NamedTuple):
    """What a worker says, or what is seen of it.

    Attributes
    ----------
    worker : WorkerProcess
    kind : {"begins", "outcome", "ready", "refused", "ended"}
        It begins with a cell; a cell has ended; all cells of the task have; the task cannot be read; the
        process is gone.
    content : str, Outcome, tuple of str or None
        The cell's identity, empty while rows are drawn; what became of the cell; nothing; message and
        traceback; nothing.
    """

    worker: "WorkerProcess"
    kind: Literal["begins", "outcome", "ready", "refused", "ended"]
    content: Any = None


class WorkerProcess:
    """A process of our own that computes tasks and can be killed, whatever it is at.

    A thread for each process writes its tasks and reads its reports, so that neither a large table nor a
    stopped process holds up the others.

    Parameters
    ----------
    tell : callable
        Called with each `Report`, from that thread.
    """

    def __init__(self, tell: Callable[[Report], None]) -> None:
        with deaf_to_ctrl_c():
            self._process = subprocess.Popen(
                [sys.executable, "-c", BOOT],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, **ONE_THREAD},
            )
        self._tell = tell
        self._tasks: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._attend, daemon=True, name=f"worker {self.pid}")
        self._thread.start()

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    def give(self, task: Task) -> None:
        """Hand over a task; reports of its cells follow.

        Raises
        ------
        Exception
            Whatever pickling raises, if a learner cannot be sent.
        """
        self._tasks.put(cloudpickle.dumps(task))

    def kill(self) -> None:
        """End the process at once; a report that it has ended follows."""
        self._process.kill()

    def close(self) -> None:
        """End the process, and wait until it and its thread are gone."""
        self._process.kill()
        self._tasks.put(None)
        self._thread.join()

    def ending(self) -> str:
        """Say how the process ended, once it has."""
        code = self._process.wait()
        if code >= 0:
            return f"ended by itself with exit code {code}"
        return f"was killed by {signal.Signals(-code).name}"

    def _attend(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            with self._process.stdin as writing, self._process.stdout as reading:
                self._converse(writing, reading)
        except (OSError, EOFError):
            pass  # it is gone
        self._process.kill()
        self._process.wait()
        self._tell(Report(self, "ended"))

    def _converse(self, writing: IO[bytes], reading: IO[bytes]) -> None:
        writing.write(json.dumps(sys.path).encode() + b"\n")
        writing.write(json.dumps(os.getpid()).encode() + b"\n")
        while True:
            task = self._tasks.get()
            if task is None:
                return
            _write(writing, task)
            kind = ""
            while kind not in ("ready", "refused"):
                kind, content = pickle.loads(_read(reading))
                self._tell(Report(self, kind, content))


def serve() -> None:
    """Compute the tasks that come on standard input, until it is closed; what a child process does.

    What learners print goes to standard error, as reports go where standard output was.
    """
    reading, writing = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with_parent(json.loads(reading.readline()))
    while True:
        try:
            content = _read(reading)
        except (EOFError, OSError):
            return
        try:
            task: Task = pickle.loads(content)
        except Exception as error:  # a module that only the main process can import, say
            _report(writing, "refused", failure(error))
            continue
        for outcome in outcomes(task, lambda identity: _report(writing, "begins", identity)):
            _report(writing, "outcome", outcome)
        _report(writing, "ready", None)


def _end_with_parent(main_pid: int) -> None:
    """See to it that no worker survives the main process, not even one in the middle of compiled code."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=end_with, args=(main_pid,), daemon=True, name="watch the main process").start()


def _report(writing: IO[bytes], kind: str, content: str | Outcome | tuple[str, str] | None) -> None:
    _write(writing, pickle.dumps((kind, content), protocol=pickle.HIGHEST_PROTOCOL))


def _write(writing: IO[bytes], content: bytes) -> None:
    writing.write(LENGTH.pack(len(content)))
    writing.write(content)
    writing.flush()


def _read(reading: IO[bytes]) -> bytes:
    (length,) = LENGTH.unpack(_exactly(reading, LENGTH.size))
    return _exactly(reading, length)


def _exactly(reading: IO[bytes], n: int) -> bytes:
    content = reading.read(n)
    if len(content) < n:
        raise EOFError
    return content
