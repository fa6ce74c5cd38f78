"""What a run shows while it runs: a bar on a terminal, a line every ten seconds elsewhere, or nothing."""

import sys
import time
from typing import Protocol

__all__ = ["Progress", "Silent", "PlainProgress", "BarProgress", "clock", "for_stderr"]

SECONDS_BETWEEN_LINES = 10.0
# The first cells include the start of processes and compilation, so their times are not typical.
SECONDS_BEFORE_ESTIMATE = 2.0
SHARE_BEFORE_ESTIMATE = 0.01


class Progress(Protocol):
    """What the runner reports to."""

    def start(self, to_do: int, found: int) -> None:
        """Begin a round, with the numbers of cells to compute and already done."""

    def advance(self, done: int, failed: int) -> None:
        """Count cells that have ended, and how many of them failed."""

    def stop(self) -> None:
        """End the display; called however the run ends."""


class Silent:
    """Count without showing anything.

    Attributes
    ----------
    computed, failed, found : int
        Cells computed and failed in this run, and cells that were done already.
    """

    def __init__(self) -> None:
        self.computed = self.failed = self.found = 0

    def start(self, to_do: int, found: int) -> None:
        """Begin a round."""
        self.found += found

    def advance(self, done: int, failed: int) -> None:
        """Count cells that have ended."""
        self.computed += done
        self.failed += failed

    def stop(self) -> None:
        """Do nothing."""


class _Timed(Silent):
    """Count, and estimate the time left from the speed of the round."""

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


class PlainProgress(_Timed):
    """Print a line to stderr at most every ten seconds; for logs."""

    def start(self, to_do: int, found: int) -> None:
        """Begin a round."""
        super().start(to_do, found)
        self._printed = self._began
        if to_do:
            _print(f"{to_do} cells to compute, {found} already there")

    def advance(self, done: int, failed: int) -> None:
        """Count cells that have ended, and print a line if the last is old."""
        super().advance(done, failed)
        now = time.monotonic()
        if now - self._printed >= SECONDS_BETWEEN_LINES:
            self._printed = now
            _print(f"{self.computed} of {self._total} cells, {self.failed} failed{self._time_left(now)}")


class BarProgress(_Timed):
    """Draw a bar on stderr: cells done and in total, failures, time left."""

    def __init__(self) -> None:
        super().__init__()
        from rich import progress
        from rich.console import Console

        self._bar = progress.Progress(
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TextColumn("{task.fields[failed]} failed{task.fields[left]}"),
            progress.TimeElapsedColumn(),
            console=Console(stderr=True),
        )

    def start(self, to_do: int, found: int) -> None:
        """Begin a round."""
        super().start(to_do, found)
        self._task = self._bar.add_task("cells", total=to_do, failed=self.failed, left="")
        self._bar.start()

    def advance(self, done: int, failed: int) -> None:
        """Count cells that have ended."""
        super().advance(done, failed)
        left = self._time_left(time.monotonic())
        self._bar.update(self._task, advance=done, failed=self.failed, left=left)

    def stop(self) -> None:
        """Leave the last state of the bar on the screen."""
        self._bar.stop()


def for_stderr() -> Silent:
    """Choose the display that suits stderr."""
    return BarProgress() if sys.stderr.isatty() else PlainProgress()


def _print(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def clock(seconds: float) -> str:
    """Write seconds as hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
