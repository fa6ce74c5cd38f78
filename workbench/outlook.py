"""What a run would compute and how long it would take, without doing it."""

import os
import time
from collections.abc import Collection
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from workbench import schema
from workbench.cell import Cell
from workbench.runner import missing_cells, tasks_of
from workbench.study import Study
from workbench.worker import Task, compute

__all__ = ["Outlook", "look_ahead"]

#: Seconds after which no further training set is timed.
PATIENCE = 10.0


@dataclass(frozen=True, eq=False)
class Outlook:
    """What is missing of a study, by learner.

    Parameters
    ----------
    table : DataFrame
        Index learner, in the order of the study; columns to_compute, there (numbers of cells) and seconds (of
        one process, for what is to be computed).
    seconds : float
        For everything on the given number of processes, with the drawing of rows.
    timed : int
        Number of training sets that were computed for the estimate, and not kept.
    """

    table: pd.DataFrame
    seconds: float
    timed: int

    @property
    def to_compute(self) -> int:
        """Number of cells that are missing."""
        return int(self.table["to_compute"].sum())

    @property
    def there(self) -> int:
        """Number of cells that are there."""
        return int(self.table["there"].sum())


def look_ahead(study: Study, store: str | Path, *, n_jobs: int = 1, retry: Collection[str] = ()) -> Outlook:
    """Count what `run` would compute of the first round, and estimate how long that takes.

    Parameters
    ----------
    study : Study
    store : str or Path
        There need be no such file; it is not changed.
    n_jobs : int
        Number of processes; -1 for one a core.
    retry : collection of {"failed"}
        States of cells that are to be computed again.

    Returns
    -------
    Outlook
        The estimate rests on the times that the store has, and for what it has none on one training set for
        each source and size, small ones first, computed now until ten seconds have passed; beyond that time
        is taken to grow with the number of rows.

    Raises
    ------
    WorkbenchError
        As `run`.
    """
    missing, cells = missing_cells(study, store, retry=retry)
    learners = [spec.key for spec in study.learners]
    frame = pd.DataFrame(
        [(c.source, c.n_train, c.learner) for _, c in missing], columns=["source", "n_train", "learner"]
    )
    counts = frame["learner"].value_counts().reindex(learners, fill_value=0)
    total = pd.Series([cell.learner for cell in cells]).value_counts().reindex(learners, fill_value=0)
    known = _stored_times(Path(store))
    timed, drawing = _timed(study, missing, known)
    seconds = [_seconds(known, *place) for place in frame.itertuples(index=False, name=None)]
    by_learner = (
        pd.Series(seconds, dtype=float).groupby(frame["learner"]).sum().reindex(learners, fill_value=0.0)
    )
    table = pd.DataFrame({"to_compute": counts, "there": total - counts, "seconds": by_learner})
    n_sets = len({(c.source, c.replicate, c.n_train, c.training_set, c.fold) for _, c in missing})
    whole = float(by_learner.sum()) + drawing * n_sets
    processes = (os.cpu_count() or 1) if n_jobs == -1 else n_jobs
    return Outlook(table, whole / processes, timed)


Times = dict[tuple[str, int, str], float]


def _stored_times(store: Path) -> Times:
    """Give the median seconds of a cell for each source, size and learner that the store knows."""
    if not store.exists():
        return {}
    query = (
        "SELECT source, n_train, learner, fit_seconds + predict_seconds + score_seconds FROM cells"
        " WHERE state = 'done' AND fit_seconds IS NOT NULL"
    )
    with schema.told(store), closing(schema.read_only(store)) as connection:
        rows = connection.execute(query).fetchall()
    frame = pd.DataFrame(rows, columns=["source", "n_train", "learner", "seconds"])
    return frame.groupby(["source", "n_train", "learner"])["seconds"].median().to_dict()


def _timed(study: Study, missing: list[tuple[str, Cell]], known: Times) -> tuple[int, float]:
    """Time one training set for each source and size that nothing is known of; return how many, and drawing.

    Drawing is the median time that a training set takes beside its learners.
    """
    tasks: dict[tuple[int, str], Task] = {}
    for task in tasks_of(study, missing):
        first = task.cells[0][1]
        if any((first.source, first.n_train, cell.learner) not in known for _, cell, _ in task.cells):
            tasks.setdefault((first.n_train, first.source), task)
    began, drawings = time.monotonic(), []
    for i, (_, task) in enumerate(sorted(tasks.items(), key=lambda item: item[0])):
        if i == 0:
            compute(task)  # compiles
        elif time.monotonic() - began > PATIENCE:
            break
        start = time.perf_counter()
        outcomes = compute(task)
        spent = 0.0
        for outcome, (_, cell, _) in zip(outcomes, task.cells, strict=True):
            times = (outcome.fit_seconds, outcome.predict_seconds, outcome.score_seconds)
            own = sum(part for part in times if part is not None)
            known[cell.source, cell.n_train, cell.learner] = own
            spent += own
        drawings.append(time.perf_counter() - start - spent)
    return len(drawings), float(np.median(drawings)) if drawings else 0.0


def _seconds(known: Times, source: str, n_train: int, learner: str) -> float:
    """Look up a time, or take that of the nearest smaller size and let it grow with the rows."""
    if (source, n_train, learner) in known:
        return known[source, n_train, learner]
    others = [(size, t) for (s, size, key), t in known.items() if (s, key) == (source, learner)]
    others = others or [(size, t) for (_, size, key), t in known.items() if key == learner]
    if not others:
        return float("nan")
    size, seconds = max(others)
    return seconds * max(1.0, n_train / size)
