"""Compile the kernels of learners in advance."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import NamedTuple

import numpy as np
import pandas as pd

from generators.tables.columns import labels_of_codes
from workbench.base import catalogue
from workbench.base.checks import check_jobs
from workbench.designs import FreshSamples, RandomSplits
from workbench.engine.backend import Backend
from workbench.engine.progress import Compiling, Progress
from workbench.engine.runner import first_round
from workbench.engine.tasks import REHEARSAL, rehearsals
from workbench.engine.worker import OPTIMA, Task
from workbench.estimators.rivals import RIVALS
from workbench.estimators.truth_classifier import TruthClassifier
from workbench.study.dataset_source import DatasetSource
from workbench.study.learner_spec import LearnerSpec
from workbench.study.rows_source import RowsSource
from workbench.study.source import Source
from workbench.study.study import Study

__all__ = ["COLD", "Warmed", "small_studies", "warm"]

ROWS = 120
#: Learners that take another one, programs, and those of other packages, of which nothing is compiled here.
COLD = frozenset({"early_stopped", "pretrained", "program", "recalibrated", *RIVALS})


class Warmed(NamedTuple):
    """What was compiled."""

    learners: tuple[str, ...]  # fitted, and forecast, somewhere
    failed: dict[str, str]  # wherever they were tried, and why


def warm(studies: Sequence[Study], *, n_jobs: int, progress: Progress) -> Warmed:
    """Fit each learner to a few rows of each source, and predict. Compiled code is kept for later runs."""
    jobs = check_jobs(n_jobs)
    tasks = list(_tasks(studies))
    done: dict[str, None] = {}
    failed: dict[str, str] = {}
    progress.start(len(tasks), 0)
    backend = Backend(jobs, None, isolate=True)
    told = Compiling(progress)
    try:
        with closing(backend.outcomes(iter(tasks), lambda task: None, compiles=told)) as results:
            for outcomes in results:
                for outcome in outcomes:
                    key = outcome.identity.removeprefix(REHEARSAL)
                    if outcome.state == "done":
                        done[key] = None
                    else:
                        failed.setdefault(key, str(outcome.message))
                progress.advance(len(outcomes), 0)
    finally:
        told.end()
        progress.stop()
    return Warmed(tuple(done), {key: why for key, why in failed.items() if key not in done})


def small_studies(keys: Sequence[str] = ()) -> tuple[Study, ...]:
    """Return studies of some learners, by default all: on truths, and on data with missing values."""
    every = (key for key in catalogue.keys("learners") if key not in COLD)
    specs = tuple(LearnerSpec(key, key) for key in keys or every)
    truths = tuple(
        Source(kind, generator=kind, parameters={"n_attributes": 4}) for kind in ("naive_bayes", "aode")
    )
    on_truths = Study("warm", 0, truths, specs, FreshSamples(replicates=1, sizes=(ROWS,), n_test=ROWS))
    blind = tuple(spec for spec in specs if not isinstance(spec.made, (TruthClassifier, *OPTIMA)))
    if not blind:
        return (on_truths,)
    return on_truths, Study("warm", 0, (_table(),), blind, RandomSplits(repeats=1))


def _tasks(studies: Sequence[Study]) -> Iterator[Task]:
    """Yield a task for each source and learner, so that two processes seldom compile the same learner."""
    for study in studies:
        cells = first_round(study)
        for source in study.sources:
            yield from rehearsals(study, [pair for pair in cells if pair[1].source == source.key], above=0)


def _table() -> RowsSource:
    """Make a data set with categories, numbers and missing values."""
    rng = np.random.default_rng(0)
    columns = {
        **{f"nominal_{k}": labels_of_codes(rng.integers(-1, k, ROWS), "abcd"[:k]) for k in (2, 3, 4)},
        **{f"number_{k}": np.where(rng.random(ROWS) < 0.1, np.nan, rng.normal(size=ROWS)) for k in (1, 2)},
    }
    y = labels_of_codes(rng.integers(0, 3, ROWS), "xyz", name="class")
    return DatasetSource("table", rows=(pd.DataFrame(columns), y))
