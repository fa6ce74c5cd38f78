"""The cells that a run would compute and the estimated time, without computing them."""

import os
import time
from collections import Counter
from collections.abc import Collection
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from workbench.base.cell import ENDED_WITHOUT_SCORES, Cell
from workbench.base.checks import check_jobs
from workbench.base.names import learner_name
from workbench.engine.pool import compute_apart
from workbench.engine.runner import missing_cells
from workbench.engine.tasks import tasks_of
from workbench.engine.worker import Task, compute
from workbench.store import schema
from workbench.store.outcome import Outcome
from workbench.study.study import Study

__all__ = ["DryRun", "dry_run"]

#: Seconds after which no further training set is timed.
PATIENCE = 10.0


@dataclass(frozen=True, eq=False)
class DryRun:
    """The missing cells of a study, by learner."""

    # table: by learner the numbers of cells to_compute and there, and the seconds of one process
    table: pd.DataFrame
    seconds: float  # total on the given number of processes, including the drawing of rows
    timed: int  # training sets computed for the estimate and not kept
    guessed: int  # sources and sizes without a timing for some learner
    # whether the design may add cells after the first round, the one that counts here
    more_rounds: bool = False
    failures: tuple[str, ...] = ()  # a sentence for each learner that failed on a training set that was timed

    @property
    def to_compute(self) -> int:
        """Number of missing cells."""
        return int(self.table["to_compute"].sum())

    @property
    def there(self) -> int:
        """Number of cells that are already done."""
        return int(self.table["there"].sum())


def dry_run(study: Study, store: str | Path, *, n_jobs: int = 1, retry: Collection[str] = ()) -> DryRun:
    """Count what `run` would compute in the first round, and estimate how long it takes."""
    missing, cells = missing_cells(study, store, retry=retry)
    known = _stored_times(Path(store))
    timed, drawing, failures = _timed(study, missing, known)
    places = Counter((cell.source, cell.n_train, cell.learner) for _, cell in missing)
    total = Counter(cell.learner for cell in cells)
    table = pd.DataFrame(
        {"to_compute": 0, "there": 0, "seconds": 0.0},
        index=pd.Index([spec.key for spec in study.learners], name="learner"),
    )
    for (source, size, learner), n in places.items():
        table.loc[learner, "to_compute"] += n
        table.loc[learner, "seconds"] += n * _seconds(known, source, size, learner)
    table["there"] = [total[learner] for learner in table.index] - table["to_compute"]
    n_sets = len({(c.source, c.replicate, c.n_train, c.training_set, c.fold) for _, c in missing})
    whole = float(table["seconds"].sum()) + drawing * n_sets
    jobs = check_jobs(n_jobs)
    processes = (os.cpu_count() or 1) if jobs == -1 else jobs
    guessed = {place[:2] for place in places if place not in known}
    rounds = study.design.has_more_rounds
    return DryRun(table, whole / processes, timed, len(guessed), rounds, tuple(failures.values()))


class Taken(NamedTuple):
    """Seconds that a cell took, and whether it failed."""

    seconds: float
    failed: bool


Times = dict[tuple[str, int, str], Taken]


def _stored_times(store: Path) -> Times:
    """Return the median seconds of a cell for each source, size and learner in the store."""
    if schema.is_new(store):
        return {}
    query = (
        "SELECT source, n_train, learner, state,"
        " coalesce(fit_seconds + predict_seconds + score_seconds,"
        " (julianday(finished) - julianday(started)) * 86400) FROM cells"
        " WHERE state != 'pending' AND finished IS NOT NULL"
    )
    with schema.plain_errors(store), closing(schema.read_only(store)) as connection:
        rows = connection.execute(query).fetchall()
    frame = pd.DataFrame(rows, columns=["source", "n_train", "learner", "state", "seconds"])
    frame["failed"] = frame["state"].isin(ENDED_WITHOUT_SCORES)
    cells = frame.groupby(["source", "n_train", "learner"])
    return {place: Taken(float(own["seconds"].median()), bool(own["failed"].all())) for place, own in cells}


def _timed(study: Study, missing: list[tuple[str, Cell]], known: Times) -> tuple[int, float, dict[str, str]]:
    """Time a training set of each source and size without timings: their number, drawing time, failures."""
    # the drawing time is the median per training set outside its learners
    tasks: dict[tuple[int, str], Task] = {}
    one = compute_apart if study.unknown_code else compute
    for task in tasks_of(study, missing, isolate=False):
        first = task.cells[0][1]
        if any((first.source, first.n_train, cell.learner) not in known for _, cell, _ in task.cells):
            tasks.setdefault((first.n_train, first.source), task)
    began, drawings, failures = time.monotonic(), [], dict[str, str]()
    for i, (_, task) in enumerate(sorted(tasks.items(), key=lambda item: item[0])):
        if i == 0:
            one(task)  # compiles
        elif time.monotonic() - began > PATIENCE:
            break
        start = time.perf_counter()
        outcomes = one(task)
        spent = 0.0
        for outcome, (_, cell, _) in zip(outcomes, task.cells, strict=True):
            own = _wall_time(outcome)
            known[cell.source, cell.n_train, cell.learner] = Taken(own, outcome.state in ENDED_WITHOUT_SCORES)
            spent += own
            if outcome.state in ENDED_WITHOUT_SCORES:
                failures.setdefault(
                    cell.learner, f"{learner_name(cell.learner)} fails on {cell.source}: {outcome.message}"
                )
        drawings.append(time.perf_counter() - start - spent)
    return len(drawings), float(np.median(drawings)) if drawings else 0.0, failures


def _seconds(known: Times, source: str, n_train: int, learner: str) -> float:
    """Look up a time, or scale that of the largest size with the number of rows."""
    if (source, n_train, learner) in known:
        return known[source, n_train, learner].seconds
    alike = {(s, size): taken for (s, size, key), taken in known.items() if key == learner}
    others = [(size, taken) for (s, size), taken in alike.items() if s == source]
    others = others or [(size, taken) for (_, size), taken in alike.items()]
    if not others:
        return float("nan")
    size, taken = max([each for each in others if not each[1].failed] or others)
    return taken.seconds * (1.0 if taken.failed else max(1.0, n_train / size))


def _wall_time(outcome: Outcome) -> float:
    """Return the seconds of a cell, also of one that failed before its first step ended."""
    span = datetime.fromisoformat(outcome.finished) - datetime.fromisoformat(outcome.started)
    return max(span.total_seconds(), 0.0)
