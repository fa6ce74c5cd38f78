"""Start the interpreters of workers, if necessary before the imports of this process."""

import contextlib
import json
import os
import subprocess
import sys
from typing import NamedTuple

from workbench.base.threads import ONE_THREAD

__all__ = ["launch", "launch_ahead"]

# The module path comes first, as the package itself may be on it. Tasks are read from a copy of standard
# input, so that a learner that reads standard input finds it empty.
BOOT = (
    "import json, os, sys; reading = os.fdopen(os.dup(0), 'rb'); "
    "sys.path[:] = json.loads(reading.readline() or sys.exit(1)); "
    "from workbench.engine.process import serve; serve(reading)"
)


class _Ahead(NamedTuple):
    """An interpreter that waits for its first task, with its settings."""

    process: subprocess.Popen[bytes]
    given: tuple[list[str], dict[str, str]]


_waiting: list[_Ahead] = []


def launch() -> subprocess.Popen[bytes]:
    """Return a process that imports the worker and then reads tasks: a waiting or a new one."""
    while _waiting:
        process, given = _waiting.pop()
        if process.poll() is None and given == _given():
            return process
        process.kill()
        with contextlib.suppress(BrokenPipeError):  # of what it has not read
            process.communicate()
    return _launched()


def launch_ahead(n: int) -> None:
    """Start processes for future calls of `launch`. Unused ones end with this process."""
    for _ in range(n):
        with contextlib.suppress(OSError):  # the run says so when it needs one
            _waiting.append(_Ahead(_launched(), _given()))


def _launched() -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", BOOT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=None if sys.stderr else subprocess.DEVNULL,  # closed, as for a service
        env={**os.environ, **ONE_THREAD},
        start_new_session=True,
    )
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError):  # it has ended, which is noticed when it is given a task
        process.stdin.write(json.dumps([_whole(place) for place in sys.path]).encode() + b"\n")
        process.stdin.write(json.dumps(os.getpid()).encode() + b"\n")
        process.stdin.flush()
    return process


def _given() -> tuple[list[str], dict[str, str]]:
    return list(sys.path), dict(os.environ)


def _whole(place: str) -> str:
    """Return the absolute path of a folder of modules, which survives a change of the working folder."""
    return os.path.abspath(place) if not place or os.path.exists(place) else place
