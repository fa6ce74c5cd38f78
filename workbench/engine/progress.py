"""The display of long work: a bar, a line every ten seconds, or nothing."""

import html
import sys
import time
from typing import Any, Protocol

from workbench.base.errors import WorkbenchError
from workbench.base.text import and_of
from workbench.engine.remaining_work import WorkLeft

__all__ = [
    "COMPILING",
    "BarProgress",
    "Compiling",
    "NotebookProgress",
    "PlainProgress",
    "Progress",
    "Silent",
    "chosen",
    "clock",
    "for_stderr",
    "for_the_reader",
]

SECONDS_BETWEEN_LINES = 10.0
# The first units include the start of processes and compilation: the speed is that of those after this share.
SHARE_OF_START = 0.01
# No speed is taken from less time.
SECONDS_OF_SPEED = 2.0
# A notebook draws at most so often.
SECONDS_BETWEEN_DRAWINGS = 0.25
COMPILING = "compiling kernels, once on this machine"


class Progress(Protocol):
    """The display that the runner reports to, in cells, and a benchmark, in rows."""

    def note(self, line: str) -> None:
        """Show a line, such as the input of a learner, before and during a round."""

    def start(self, to_do: int, found: int) -> None:
        """Begin a round, with the numbers of units to compute and already done."""

    def advance(self, done: int, failed: int) -> None:
        """Count units that have ended, and how many of them failed."""

    def stop(self) -> None:
        """End the display, however the run ends."""


class Silent:
    """Count the units computed, failed, and found done, without showing anything."""

    def __init__(self) -> None:
        self.computed = self.failed = self.found = 0

    def note(self, line: str) -> None:
        """Show nothing."""

    def start(self, to_do: int, found: int) -> None:
        """Begin a round."""
        self.found += found

    def advance(self, done: int, failed: int) -> None:
        """Count units that have ended."""
        self.computed += done
        self.failed += failed

    def compiling(self, seconds: float) -> None:
        """Receive how long kernels have been compiled so far."""

    def follow(self, work: WorkLeft) -> None:
        """Receive the source of the remaining work, as units take unequal times."""

    def stage(self, words: str) -> None:
        """Receive the stage between units, repeatedly."""

    def stop(self) -> None:
        """Do nothing."""


class _Timed(Silent):
    """Count, and estimate the time left from the speed of the round."""

    def __init__(self, unit: str = "cells") -> None:
        super().__init__()
        self._unit = unit
        self._printed = time.monotonic()

    def start(self, to_do: int, found: int) -> None:
        """Begin a round."""
        super().start(to_do, found)
        self._began = time.monotonic()
        self._total = self.computed + to_do
        self._steady_from = self.computed + max(1, SHARE_OF_START * to_do)
        self._steady: tuple[float, float] | None = None
        self._work: WorkLeft | None = None

    def follow(self, work: WorkLeft) -> None:
        """Estimate the time left from seconds of work instead of units, until the round ends."""
        self._work = work

    def advance(self, done: int, failed: int) -> None:
        """Count units that have ended."""
        super().advance(done, failed)
        if self._steady is None and self.computed >= self._steady_from:
            self._steady = self._done, time.monotonic()

    @property
    def _done(self) -> float:
        return self.computed if self._work is None else self._work.done

    def _time_left(self, now: float) -> str:
        """Return the estimate for the end of a line, empty while it would be unreliable."""
        if self._steady is None:
            return ""
        done, passed = self._done - self._steady[0], now - self._steady[1]
        if done <= 0 or passed < SECONDS_OF_SPEED:
            return ""
        left = self._total - self.computed if self._work is None else self._work.left(now)
        return f", about {clock(passed / done * left)} left"

    def _failures(self) -> str:
        return f", {self.failed} failed" if self.failed else ""


class PlainProgress(_Timed):
    """Print a line to stderr at most every ten seconds, for logs."""

    def note(self, line: str) -> None:
        """Print a line."""
        _print(line)

    def start(self, to_do: int, found: int) -> None:
        """Begin a round."""
        super().start(to_do, found)
        self._printed = self._began
        if to_do:
            _print(f"{to_do} {self._unit} to compute, {found} already there")

    def advance(self, done: int, failed: int) -> None:
        """Count units that have ended, and print a line if the last is old."""
        super().advance(done, failed)
        now = time.monotonic()
        if now - self._printed >= SECONDS_BETWEEN_LINES:
            self._printed = now
            count = f"{self.computed} of {self._total} {self._unit}"
            _print(f"{count}{self._failures()}{self._time_left(now)}")

    def compiling(self, seconds: float) -> None:
        """Print a line if the last is old."""
        now = time.monotonic()
        if now - self._printed >= SECONDS_BETWEEN_LINES:
            self._printed = now
            _print(f"{COMPILING}: {seconds:.0f} s so far")

    def stage(self, words: str) -> None:
        """Print a line if the last is old."""
        now = time.monotonic()
        if now - self._printed >= SECONDS_BETWEEN_LINES:
            self._printed = now
            _print(f"{words}{self._time_left(now)}")


class BarProgress(_Timed):
    """Draw a bar on stderr: units done and in total, failures, time left."""

    def __init__(self, unit: str = "cells", *, transient: bool = False) -> None:
        super().__init__(unit)
        from rich import progress
        from rich.console import Console

        self._bar = progress.Progress(
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TextColumn("{task.fields[note]}"),
            progress.TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=transient,
        )
        self._task: Any = None

    def note(self, line: str) -> None:
        """Print a line above the bar."""
        self._bar.console.print(line, markup=False, highlight=False)

    def start(self, to_do: int, found: int) -> None:
        """Begin a round."""
        super().start(to_do, found)
        self._task = self._bar.add_task(self._unit, total=to_do, note=self._failures().removeprefix(", "))
        self._bar.start()

    def advance(self, done: int, failed: int) -> None:
        """Count units that have ended."""
        super().advance(done, failed)
        note = f"{self._failures()}{self._time_left(time.monotonic())}".removeprefix(", ")
        self._bar.update(self._task, advance=done, note=note)

    def compiling(self, seconds: float) -> None:
        """Show it after the bar, until units end, while the time goes on."""
        if self._task is not None:
            self._bar.update(self._task, note=f"compiling, {seconds:.0f} s")

    def stage(self, words: str) -> None:
        """Show it after the bar."""
        self._bar.update(self._task, note=f"{words}{self._time_left(time.monotonic())}")

    def stop(self) -> None:
        """Leave the last state of the bar on the screen."""
        self._bar.stop()


class NotebookProgress(_Timed):
    """Draw a bar in the output of a notebook's cell, with the noted lines."""

    def __init__(self, unit: str = "cells") -> None:
        super().__init__(unit)
        self._notes: list[str] = []
        self._total = 0
        self._drawn = self._began = time.monotonic()
        self._display: Any = None

    def note(self, line: str) -> None:
        """Add a line."""
        self._notes.append(line)
        self._draw()

    def start(self, to_do: int, found: int) -> None:
        """Begin a round."""
        super().start(to_do, found)
        self._draw()

    def advance(self, done: int, failed: int) -> None:
        """Count units that have ended."""
        super().advance(done, failed)
        if time.monotonic() - self._drawn >= SECONDS_BETWEEN_DRAWINGS:
            self._draw()

    def compiling(self, seconds: float) -> None:
        """Show it after the bar."""
        if time.monotonic() - self._drawn >= SECONDS_BETWEEN_DRAWINGS:
            self._draw(f", compiling, {seconds:.0f} s")

    def stage(self, words: str) -> None:
        """Show it after the bar."""
        now = time.monotonic()
        if now - self._drawn >= SECONDS_BETWEEN_DRAWINGS:
            self._draw(f", {words}{self._time_left(now)}")

    def stop(self) -> None:
        """Keep what was done, how long it took, and the lines."""
        passed = clock(time.monotonic() - self._began)
        self._show(f"{self.computed} of {self._total} {self._unit} in {passed}{self._failures()}")

    def _draw(self, more: str = "") -> None:
        self._drawn = now = time.monotonic()
        left = more or (self._time_left(now) if self._total else "")
        bar = f'<progress value="{self.computed}" max="{max(self._total, 1)}"></progress> '
        self._show(f"{self.computed} of {self._total} {self._unit}{self._failures()}{left}", bar)

    def _show(self, line: str, bar: str = "") -> None:
        from IPython.display import HTML, display

        notes = "".join(f"<div><small>{html.escape(note)}</small></div>" for note in self._notes)
        shown = HTML(f"{notes}<div>{bar}{html.escape(line)}</div>")
        if self._display is None:
            self._display = display(shown, display_id=True)
        else:
            self._display.update(shown)


def chosen(progress: Progress | bool | None) -> Progress:
    """Return the display of a call: the given one, for True or None the default, for False none."""
    if progress is None or progress is True:
        usual = for_the_reader()
        return PlainProgress() if progress and type(usual) is Silent else usual
    if progress is False:
        return Silent()
    verbs = ("note", "start", "advance", "stop")
    if isinstance(progress, type) or not all(callable(getattr(progress, verb, None)) for verb in verbs):
        raise WorkbenchError(
            f"progress is {progress!r}: expected True, False or an object with the methods {and_of(verbs)}"
        )
    return progress


class Compiling:
    """Report that kernels are being compiled, in this or other processes, and finally for how long."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._tell = getattr(progress, "compiling", lambda seconds: None)
        self._running, self._seconds, self._last = 0, 0.0, 0.0
        self._is_told = False

    def __call__(self, begins: bool) -> None:
        """Note that a process begins to compile, or that it is done."""
        now = time.monotonic()
        if self._running:
            self._seconds += now - self._last
        self._running, self._last = self._running + (1 if begins else -1), now
        if not self._is_told:
            self._is_told = True
            self._progress.note(COMPILING)
        self._tell(self._seconds)

    def end(self) -> None:
        """Report the total if it reached a second."""
        if self._seconds >= 1:
            self._progress.note(f"kernels were compiled for {self._seconds:.0f} s")


def for_the_reader(unit: str = "cells") -> Silent:
    """Choose the display for a call from Python: a bar in interactive use, otherwise nothing."""
    from learners.networks.progress import is_notebook  # not at the top: commands import this file

    if is_notebook():
        return NotebookProgress(unit)
    return BarProgress(unit, transient=True) if sys.stderr is not None and sys.stderr.isatty() else Silent()


def for_stderr(unit: str = "cells") -> Silent:
    """Choose the display that suits stderr."""
    return BarProgress(unit) if sys.stderr.isatty() else PlainProgress(unit)


def _print(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def clock(seconds: float) -> str:
    """Write seconds as hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
