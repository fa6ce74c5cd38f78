"""The scores of learners on tables, with those of the class frequencies where a fit failed."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.arena.tables.field import DESIGN, METRICS, YARDSTICK
from workbench.base.cell import ENDED_WITHOUT_SCORES
from workbench.base.errors import WorkbenchError
from workbench.base.text import sentence
from workbench.engine.progress import Progress
from workbench.engine.runner import run_study
from workbench.profiles.measure import wall_seconds, without_warnings
from workbench.report.provenance import footer_of
from workbench.store.results import StudyResults, read_results
from workbench.study.known_data import KnownDataset
from workbench.study.study import Study

__all__ = ["LOSS", "TableScores", "gathered", "measured"]

LOSS = METRICS[0]
#: Seconds are told of so many forecasts.
N_FORECASTS = 1000
#: What is told of the last run besides versions of packages.
OF_RUN = ("python", "platform", "cpu", "cores", "commit")

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TableScores:
    """The scores of learners on the parts of tables.

    Attributes
    ----------
    learners : tuple of str
    tables : mapping of str to KnownDataset
        Sizes of the tables, by name.
    values : mapping of str to ndarray of shape (n_learners, n_tables, n_parts)
        By metric. Where a fit failed, those of the class frequencies.
    failed : ndarray of bool of that shape
        Where a fit failed or took too long.
    seconds : mapping of str to ndarray of shape (n_learners, n_tables)
        Of a "fit" and of a thousand forecasts, "forecast": means of the parts; NaN where all failed.
    reasons : mapping of str to str
        Why each learner that failed did so first.
    lacking : tuple of str
        Tables on which the class frequencies have no scores, so that nothing can stand in for a failure.
    provenance : mapping of str to str
        Program and machine of the last run.
    runs : str
        Seed and runs, in a sentence.
    """

    learners: tuple[str, ...]
    tables: Mapping[str, KnownDataset]
    values: Mapping[str, Array]
    failed: NDArray[np.bool_]
    seconds: Mapping[str, Array]
    reasons: Mapping[str, str]
    lacking: tuple[str, ...]
    provenance: Mapping[str, str]
    runs: str

    def at(self, learner: str) -> int:
        """Return the index of a learner."""
        return self.learners.index(learner)


def measured(
    study: Study,
    store: str | Path | None = None,
    *,
    time_limit: float | None = None,
    n_jobs: int = 1,
    progress: Progress | bool | None = None,
) -> TableScores:
    """Compute what a store lacks, and gather the scores.

    What failed is tried again, as the learner may be mended; what took too long only with more time.
    """
    retried = _retried(store, time_limit)
    with without_warnings():
        results = run_study(
            study, store, n_jobs=n_jobs, time_limit=time_limit, retry=retried, progress=progress
        )
    return gathered(results, study.known_datasets)


def _retried(store: str | Path | None, time_limit: float | None) -> tuple[str, ...]:
    if store is None or not Path(store).exists():
        return ("failed",)
    cells = read_results(store).cells()
    stopped = wall_seconds(cells[cells["state"] == "timed_out"])
    has_more = time_limit is None or (stopped < time_limit).any()
    return ("failed", "timed_out") if len(stopped) and has_more else ("failed",)


def gathered(results: StudyResults, tables: Mapping[str, KnownDataset]) -> TableScores:
    """Arrange the scores of a study by learner, table and part.

    Raises
    ------
    WorkbenchError
        If the class frequencies have scores on no table.
    """
    learners, cells, frame = results.study.learner_keys, results.cells(), results.frame()
    bad = cells[cells["state"].isin(ENDED_WITHOUT_SCORES)]
    first = bad.drop_duplicates("learner").set_index("learner")["message"].items()
    reasons = {str(key): sentence(str(why).rstrip("."), 300) for key, why in first}
    without = set(bad.loc[bad["learner"] == YARDSTICK, "source"])
    there = {key: known for key, known in tables.items() if key not in without}
    if not there:
        raise WorkbenchError(f"the class frequencies have scores on no table: {reasons[YARDSTICK]}")
    axes = _Axes(tuple(learners), tuple(there))
    own = {metric: axes.values(frame[frame["metric"] == metric], "value") for metric in METRICS}
    failed = ~np.isnan(axes.values(bad, "n_train"))
    done = cells[cells["state"] == "done"]
    of_one = done["predict_seconds"] / done["n_test"]
    return TableScores(
        axes.learners,
        there,
        {metric: np.where(failed, one[axes.learners.index(YARDSTICK)], one) for metric, one in own.items()},
        failed,
        {"fit": axes.means(done, done["fit_seconds"]), "forecast": axes.means(done, N_FORECASTS * of_one)},
        reasons,
        tuple(sorted(without)),
        _provenance(results),
        footer_of(results),
    )


@dataclass(frozen=True)
class _Axes:
    """The axes of the arrays."""

    learners: tuple[str, ...]
    tables: tuple[str, ...]

    def values(self, frame: pd.DataFrame, column: str) -> Array:
        """Return a column as an array of learners, tables and parts; NaN where there is none."""
        out = np.full((len(self.learners), len(self.tables), DESIGN.repeats * DESIGN.folds), np.nan)
        i = pd.Index(self.learners).get_indexer(frame["learner"])
        j = pd.Index(self.tables).get_indexer(frame["source"])
        part = (frame["replicate"] * DESIGN.folds + frame["fold"]).to_numpy()
        there = j >= 0
        out[i[there], j[there], part[there]] = frame[column].to_numpy(dtype=np.float64)[there]
        return out

    def means(self, cells: pd.DataFrame, values: pd.Series) -> Array:
        """Average over the parts that are there."""
        means = values.groupby([cells["learner"], cells["source"]], observed=True).mean().unstack()
        return np.asarray(means.reindex(index=self.learners, columns=self.tables), dtype=np.float64)


def _provenance(results: StudyResults) -> dict[str, str]:
    """Return program and machine of the last run, without what is of each table."""
    said = json.loads(results.runs["provenance"].iloc[-1])
    found = {**said["versions"], **{name: said.get(name) for name in OF_RUN}}
    return {name: str(value) for name, value in found.items() if value}
