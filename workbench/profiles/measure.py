"""Measure learners on a part of a suite, and gather the scores."""

import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from workbench.base.text import sentence
from workbench.engine.progress import Progress
from workbench.engine.runner import run_study
from workbench.profiles.part import SuitePart
from workbench.profiles.scores import DESCRIPTIONS, DIRECTIONS, SuiteScores
from workbench.store.results import StudyResults
from workbench.study.learner_spec import LearnerSpec

__all__ = ["FAILED", "RETRIED", "Measured", "gathered", "measured", "wall_seconds", "without_warnings"]

#: What failed or was too slow is computed again: the learner may be mended, and the time longer.
RETRIED = ("failed", "timed_out")
#: Columns of what failed.
FAILED = ("learner", "source", "replicate", "n_train", "state", "message")


@dataclass(frozen=True, eq=False)
class Measured:
    """The scores of learners on a part of a suite."""

    scores: SuiteScores  # of these learners alone
    part: SuitePart
    failed: pd.DataFrame  # cells without scores: learner, source, replicate, n_train, state, message
    # seconds of all cells but failed ones, with rows, scores and store; NaN if unknown
    spent: float = float("nan")

    @property
    def mostly_failed(self) -> str:
        """How often one learner failed, and why, if it did in most of its fits: then nothing can be said."""
        n_failed, n = len(self.failed), self.part.n_cells
        if n_failed <= n / 2:
            return ""
        why = sentence(str(self.failed["message"].iloc[0]).rstrip("."), 300)
        return f"it failed in {n_failed:,} of {n:,} fits: {why}"


def measured(
    learners: Sequence[LearnerSpec],
    part: SuitePart,
    *,
    store: str | Path | None = None,
    n_jobs: int = 1,
    time_limit: float | None = None,
    progress: Progress | bool | None = None,
) -> Measured:
    """Compute what is missing of a part, and gather the scores."""
    with without_warnings():
        results = run_study(
            part.study(learners), store,
            n_jobs=n_jobs, time_limit=time_limit, retry=RETRIED, progress=progress,
        )  # fmt: skip
    return gathered(results, part)


@contextmanager
def without_warnings() -> Iterator[None]:
    """Silence warnings here and in workers: thousands of fits repeat theirs; a profile says what failed."""
    before = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = "ignore"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        if before is None:
            del os.environ["PYTHONWARNINGS"]
        else:
            os.environ["PYTHONWARNINGS"] = before


def gathered(results: StudyResults, part: SuitePart) -> Measured:
    """Arrange the scores of a run by learner, place, truth and size."""
    places = tuple(results.study.source_keys)
    learners = tuple(results.study.learner_keys)
    sizes = tuple(sorted({size for key in places for size in part.sizes(part.content.place(key))}))
    axes = _Axes(learners, places, sizes, part.n_truths)
    cells = results.cells()
    frame = results.frame()
    values = {
        metric: axes.values(_best_rows(frame, metric)).astype(np.float32)
        for metric in (*DIRECTIONS, *DESCRIPTIONS)
    }
    seconds = {
        name: _means(axes.values(cells.assign(value=cells[f"{name}_seconds"]))).astype(np.float32)
        for name in ("fit", "predict")
    }
    # A store may hold cells of a larger part.
    within = (cells["replicate"] < part.n_truths) & (cells["n_train"] <= part.largest)
    failed = cells[within & cells["state"].isin(("failed", "timed_out"))]
    scores = SuiteScores(part.suite, learners, places, sizes, values, seconds)
    spent = float(wall_seconds(cells[within & (cells["state"] != "failed")]).sum())
    return Measured(scores, part, failed[list(FAILED)].reset_index(drop=True), spent)


def wall_seconds(cells: pd.DataFrame) -> pd.Series:
    """Return how long cells took, those that failed, too."""
    times = [pd.to_datetime(cells[name], format="ISO8601") for name in ("started", "finished")]
    return (times[1] - times[0]).dt.total_seconds()


@dataclass(frozen=True)
class _Axes:
    """The axes of the arrays."""

    learners: tuple[str, ...]
    places: tuple[str, ...]
    sizes: tuple[int, ...]
    n_truths: int

    COLUMNS = ("learner", "source", "replicate", "n_train")

    def values(self, frame: pd.DataFrame) -> np.ndarray:
        """Return the column "value" as an array; NaN where there is none."""
        out = np.full((len(self.learners), len(self.places), self.n_truths, len(self.sizes)), np.nan)
        axes = (self.learners, self.places, range(self.n_truths), self.sizes)
        index = [
            pd.Index(axis).get_indexer(frame[name]) for axis, name in zip(axes, self.COLUMNS, strict=True)
        ]
        there = np.all([one >= 0 for one in index], axis=0)
        out[tuple(one[there] for one in index)] = frame["value"].to_numpy(dtype=np.float64)[there]
        return out


def _best_rows(frame: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Keep the scores of a metric: exact ones where there are any, else those of the test rows."""
    own = frame[frame["metric"] == metric]
    exact = own[own["rows"] == "exact"]
    sampled = own[(own["rows"] == "test") & ~own["source"].isin(exact["source"].unique())]
    return pd.concat([exact, sampled])


def _means(values: np.ndarray) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of means of nothing, which are NaN
        return np.asarray(np.nanmean(values, axis=2))
