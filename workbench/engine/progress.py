"""What a long command shows: a bar on a terminal, a line every ten seconds elsewhere, or nothing."""

import sys
import time
from typing import Protocol

__all__ = ["Progress", "Silent", "PlainProgress", "BarProgress", "clock", "for_stderr"]

SECONDS_BETWEEN_LINES = 10.0
# The first cells include the start of processes and compilation, so their times are not typical.
SECONDS_BEFORE_ESTIMATE = 2.0
SHARE_BEFORE_ESTIMATE = 0.01


class Progress(Protocol):
    """What the runner reports to, in cells, and a benchmark, in rows."""

    def start(self, to_do: int, found: int) -> None:
        """Begin a round, with the numbers of units to compute and already done."""

    def advance(self, done: int, failed: int) -> None:
        """Count units that have ended, and how many of them failed."""

    def stop(self) -> None:
        """End the display; called however the run ends."""


class Silent:
    """Count without showing anything.

    Attributes
    ----------
    computed, failed, found : int
        Units computed and failed in this run, and units that were done already.
    """

    def __init__(self) -> None:
        self.computed = self.failed = self.found = 0

    def start(self, to_do: int, found: int) -> None:
        """Begin a round."""
        self.found += found

    def advance(self, done: int, failed: int) -> None:
        """Count units that have ended."""
        self.computed += done
        self.failed += failed

    def stop(self) -> None:
        """Do nothing."""


class _Timed(Silent):
    """Count, and estimate the time left from the speed of the round."""

    def __init__(self, unit: str = "cells") -> None:
        super().__init__()
        self._unit = unit

    def start(self, to_do: int, found: int) -> None:
        """Begin a round."""
        super().start(to_do, found)
        self._began = time.monotonic()
        self._total = self.computed + to_do
        self._before = self.computed

    def _time_left(self, now: float) -> str:
        """Return the estimate for the end of a line, empty while it would be unreliable."""
        done, left, passed = self.computed - self._before, self._total - self.computed, now - self._began
        if passed < SECONDS_BEFORE_ESTIMATE or done < max(1, SHARE_BEFORE_ESTIMATE * (done + left)):
            return ""
        return f", about {clock(passed / done * left)} left"

    def _failures(self) -> str:
        return f", {self.failed} failed" if self.failed else ""


class PlainProgress(_Timed):
    """Print a line to stderr at most every ten seconds; for logs."""

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


class BarProgress(_Timed):
    """Draw a bar on stderr: units done and in total, failures, time left."""

    def __init__(self, unit: str = "cells") -> None:
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
        )

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

    def stop(self) -> None:
        """Leave the last state of the bar on the screen."""
        self._bar.stop()


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
