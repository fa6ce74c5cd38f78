"""The progress of a benchmark: a bar on a terminal, a line every ten seconds elsewhere, or nothing."""

import sys
import time
from typing import Protocol

from workbench.engine.progress import SECONDS_BEFORE_ESTIMATE, SECONDS_BETWEEN_LINES, clock

__all__ = ["BarProgress", "PlainProgress", "SilentProgress", "Progress", "progress_for_stderr"]


class Progress(Protocol):
    """What is reported while a benchmark is made."""

    def start(self, n_models: int, found: int, rows_each: int) -> None:
        """Begin, with the numbers of models, of finished ones, and of rows of each."""

    def rows(self, n: int) -> None:
        """Count written rows."""

    def model(self) -> None:
        """Count a complete model."""

    def stop(self) -> None:
        """End the display; called however the run ends."""


class SilentProgress:
    """Report nothing."""

    def start(self, n_models: int, found: int, rows_each: int) -> None:
        """Begin."""

    def rows(self, n: int) -> None:
        """Count rows."""

    def model(self) -> None:
        """Count a model."""

    def stop(self) -> None:
        """End."""


class PlainProgress:
    """Print a line to stderr at most every ten seconds."""

    def start(self, n_models: int, found: int, rows_each: int) -> None:
        """Begin."""
        self._n_models, self._done, self._new = n_models, found, 0
        self._rows, self._rows_left = 0, (n_models - found) * rows_each
        self._began = self._reported = time.monotonic()
        if found and found < n_models:
            _print(f"{found} of {n_models} models are done already")

    def rows(self, n: int) -> None:
        """Count rows, and report if the last line is old."""
        self._rows += n
        now = time.monotonic()
        if now - self._reported >= SECONDS_BETWEEN_LINES:
            self._reported = now
            _print(f"{self._done} of {self._n_models} models{self._left(now)}")

    def model(self) -> None:
        """Count a model."""
        self._done += 1

    def stop(self) -> None:
        """End."""

    def _left(self, now: float) -> str:
        passed = now - self._began
        if passed < SECONDS_BEFORE_ESTIMATE or not self._rows:
            return ""
        return f", about {clock(passed / self._rows * (self._rows_left - self._rows))} left"


class BarProgress(PlainProgress):
    """Draw a bar on stderr: models, and the time left."""

    def start(self, n_models: int, found: int, rows_each: int) -> None:
        """Begin."""
        from rich import progress
        from rich.console import Console

        super().start(n_models, found, rows_each)
        self._bar = progress.Progress(
            progress.TextColumn("{task.fields[models]}"),
            progress.BarColumn(),
            progress.TextColumn("{task.fields[left]}"),
            console=Console(stderr=True),
        )
        self._task = self._bar.add_task("rows", total=self._rows_left or 1, models="", left="")
        self._bar.start()
        self._show()

    def rows(self, n: int) -> None:
        """Count rows."""
        self._rows += n
        self._show()

    def model(self) -> None:
        """Count a model."""
        super().model()
        self._show()

    def stop(self) -> None:
        """Leave the last state of the bar on the screen."""
        self._bar.stop()

    def _show(self) -> None:
        models = f"{self._done} of {self._n_models} models"
        left = self._left(time.monotonic()).removeprefix(", ")
        self._bar.update(self._task, completed=self._rows, models=models, left=left)


def progress_for_stderr() -> PlainProgress:
    """Choose the display that suits stderr."""
    return BarProgress() if sys.stderr.isatty() else PlainProgress()


def _print(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
