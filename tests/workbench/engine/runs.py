"""What tests of runs share: runs without warnings of failures, scores bit for bit, limits without a clock."""

import math
import os
import warnings
from pathlib import Path

from benchmarks.interruptible_run import look
from workbench import Results, run
from workbench.base.errors import FailedCells
from workbench.engine import pool


def quiet_run(*arguments, **options) -> Results:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FailedCells)
        return run(*arguments, **options)


def bits(results: Results, *learners: str) -> dict:
    """Return scores bit for bit, by all that names them; of all learners unless some are named."""
    frame = results.frame().astype({"learner": str, "source": str})
    frame = frame[frame["learner"].isin(learners)] if learners else frame
    return {tuple(row[:-3]): row[-3].hex() for row in frame.itertuples(index=False)}


def by_learner(results: Results, column: str) -> dict:
    """Return a column of the cells, of which each learner has one."""
    return results.cells().astype({"learner": str}).set_index("learner")[column].to_dict()


def check_whole(store: Path, scores: dict, undisturbed: dict) -> None:
    """See that SQLite finds nothing wrong with a store, and that no bit of the scores differs."""
    assert look(store).integrity == "ok"
    assert scores == undisturbed


def mark_as_stuck(folder: str | Path) -> None:
    """Say of this process that what it does now never ends."""
    Path(folder, f"stuck {os.getpid()}").touch()


def stop_only_what_is_stuck(monkeypatch, folder: Path) -> None:
    """Let the time of a process with a limit be up once it is marked as stuck: no clock decides."""

    def due(work) -> float:
        is_up = work.limit < math.inf and Path(folder, f"stuck {work.worker.pid}").exists()
        return -math.inf if is_up else math.inf

    monkeypatch.setattr(pool._Work, "due", property(due))
    monkeypatch.setattr(pool, "PATIENCE", 0.05)  # so often one looks
