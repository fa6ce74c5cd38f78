"""Progress reports of network learning: the current step, its progress and the time left.

`reporting` opens a block, in which `phase` and `advance` report the current step. They may be called anywhere
in the block, and do nothing outside of it. Only the outermost function knows about displays.
"""

import math
import multiprocessing
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TextIO

from generators.base.compiled import when_compiling

__all__ = [
    "Progress",
    "advance",
    "check_progress",
    "is_notebook",
    "phase",
    "reporting",
]

SECONDS_SILENT = 2.0  # what is quicker shows nothing
SECONDS_BETWEEN = 0.5  # between two updates of a screen
SECONDS_BETWEEN_CALLS = 1.0  # between two calls of a function that a user gave, within a phase
SHARE_BEFORE_ESTIMATE = 0.02
COMPILING = "compiling kernels, once on this machine"

#: None to show it where somebody watches, True always, False never, or a function called with each line.
Progress = bool | Callable[[str], object] | None


class _Reporter:
    """The current step, as a line."""

    def __init__(self) -> None:
        self._text, self._detail, self._share = "", "", 0.0
        self._began = self._measured = time.monotonic()
        self._compiling: float | None = None  # since when

    def phase(self, text: str) -> None:
        """Begin another step."""
        self._text, self._detail, self._share = text, "", 0.0
        self._began = self._measured = time.monotonic()

    def advance(self, share: float, detail: str) -> None:
        """Report the completed share of the step, 0 if unknown."""
        if not self._share:
            self._measured = time.monotonic()
        self._share, self._detail = share, detail

    def compiling(self, begins: bool) -> None:
        """Report that kernels are being compiled, or that compilation has ended."""
        now = time.monotonic()
        if self._compiling is not None and not begins:
            self._measured += now - self._compiling  # it says nothing of the time left
        self._compiling = now if begins else None

    def line(self) -> str:
        """Return the line of the current step."""
        now = time.monotonic()
        if self._compiling is not None:
            return f"{self._text}: {COMPILING}, {_clock(now - self._began)}"
        detail = f", {self._detail}" if self._detail else ""
        passed = now - self._measured
        if self._share < SHARE_BEFORE_ESTIMATE or passed < SECONDS_SILENT:
            return f"{self._text}{detail}, {_clock(now - self._began)}"
        left = passed * (1 - self._share) / self._share
        return f"{self._text} {self._share:.0%}{detail}, about {_clock(left)} left"

    def stop(self) -> None:
        """End the display."""


class _Caller(_Reporter):
    """A reporter that calls a function with each new phase, and each second within a phase."""

    def __init__(self, tell: Callable[[str], object]) -> None:
        super().__init__()
        self._tell, self._told = tell, -math.inf

    def phase(self, text: str) -> None:
        super().phase(text)
        self._told = time.monotonic()
        self._tell(text)

    def advance(self, share: float, detail: str) -> None:
        super().advance(share, detail)
        if time.monotonic() - self._told >= SECONDS_BETWEEN_CALLS:
            self._told = time.monotonic()
            self._tell(self.line())

    def compiling(self, begins: bool) -> None:
        super().compiling(begins)
        self._tell(f"{self._text}: {COMPILING}" if begins else self._text)


class _Screen(_Reporter):
    """A reporter that updates one line of a stream from a thread, since a kernel may run for long."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream, self._width = stream, 0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._show, name="progress", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._done.set()
        self._thread.join()

    def _show(self) -> None:
        if self._done.wait(SECONDS_SILENT):
            return
        try:
            while True:
                self._write(self.line())
                if self._done.wait(SECONDS_BETWEEN):
                    break
            self._write("")
        except (OSError, ValueError):  # the stream was closed
            pass

    def _write(self, line: str) -> None:
        # blanks remove what is left of a longer line, on terminals and in notebooks alike
        self._stream.write(f"\r{line.ljust(self._width)}" + ("" if line else "\r"))
        self._stream.flush()
        self._width = len(line)


_current: ContextVar[_Reporter | None] = ContextVar("reporter", default=None)


def check_progress(progress: object) -> Progress:
    """Return the user's option, or raise ValueError."""
    if progress is None or isinstance(progress, bool) or callable(progress):
        return progress
    raise ValueError(
        f"progress must be None, True, False or a function of a line of text, but was {progress!r}."
    )


@contextmanager
def reporting(progress: Progress) -> Iterator[None]:
    """Report the steps in the block. Within another such block, the outer one reports."""
    reporter = None if _current.get() is not None else _reporter(progress)
    if reporter is None:
        yield
        return
    token = _current.set(reporter)
    try:
        with when_compiling(reporter.compiling):
            yield
    finally:
        _current.reset(token)
        reporter.stop()


def phase(text: str) -> None:
    """Report the step that begins."""
    reporter = _current.get()
    if reporter is not None:
        reporter.phase(text)


def advance(share: float, detail: str = "") -> None:
    """Report the completed share of the phase, 0 if unknown, and the result so far."""
    reporter = _current.get()
    if reporter is not None:
        reporter.advance(share, detail)


def _reporter(progress: Progress) -> _Reporter | None:
    if callable(progress):
        return _Caller(progress)
    is_shown = _is_watched() if progress is None else progress and sys.stderr is not None
    return _Screen(sys.stderr) if is_shown else None


def _is_watched() -> bool:
    """Return whether stderr is watched: a terminal or notebook, from the main thread of the main process."""
    if multiprocessing.current_process().name != "MainProcess":
        return False
    if threading.current_thread() is not threading.main_thread():
        return False
    return (sys.stderr is not None and sys.stderr.isatty()) or is_notebook()


def is_notebook() -> bool:
    """Return whether a notebook shows the output: a kernel runs, and not Spyder's plain-text console."""
    interactive = sys.modules.get("IPython")
    shell = None if interactive is None else interactive.get_ipython()
    return getattr(shell, "kernel", None) is not None and "spyder" not in type(shell).__module__


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
