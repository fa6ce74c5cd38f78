"""Measure learners on a part of a suite, in the time there is, and gather the scores."""

import math
import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from generators.suites.places import PROBES
from workbench.base.errors import WorkbenchError
from workbench.base.text import and_of, sentence
from workbench.designs import SizesBySource
from workbench.engine.progress import Progress
from workbench.engine.runner import run_study
from workbench.profiles.part import LEAST_TRUTHS, N_TEST, SUITE, SuitePart
from workbench.profiles.scores import DESCRIPTIONS, DIRECTIONS, SuiteScores
from workbench.store.results import StudyResults
from workbench.study.learner_spec import LearnerSpec

__all__ = [
    "FAILED",
    "Measured",
    "fitting_part",
    "gathered",
    "measured",
    "time_limit_of",
    "without_warnings",
    "workers",
]

#: Truths of a place that are better than larger training sets.
ENOUGH_TRUTHS = (6, 4, 3, LEAST_TRUTHS)
#: Where the first times are taken: few attributes, many, numbers.
TIMED = {
    "narrow": ("tan-narrow-medium", "gaussian_naive_bayes-narrow-medium"),
    "wide": ("tan-wide-medium", "gaussian_naive_bayes-wide-medium"),
}
#: Seconds of a cell that are not the learner's: rows, scores, the store; the share of the time to plan with.
OVERHEAD, SAFETY = 0.01, 0.6
#: What failed or was too slow is computed again: the learner may be mended, and the time longer.
RETRIED = ("failed", "timed_out")
#: Columns of what failed.
FAILED = ("learner", "source", "replicate", "n_train", "state", "message")
#: A fit may take this share of all the time before it is stopped, but at least so many seconds.
LONGEST_SHARE, LEAST_LIMIT = 0.1, 20.0


@dataclass(frozen=True, eq=False)
class Measured:
    """The scores of learners on a part of a suite.

    Parameters
    ----------
    scores : SuiteScores
        Of these learners alone.
    part : SuitePart
    failed : DataFrame
        Cells without scores: learner, source, replicate, n_train, state, message.
    """

    scores: SuiteScores
    part: SuitePart
    failed: pd.DataFrame

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
    return Measured(scores, part, failed[list(FAILED)].reset_index(drop=True))


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


def fitting_part(
    learners: Sequence[LearnerSpec],
    minutes: float,
    *,
    suite: str = SUITE,
    store: str | Path | None = None,
    n_jobs: int = 1,
) -> SuitePart:
    """Return the largest part of a suite that learners can be expected to compute in some minutes.

    A few cells of the part are computed and timed first, from small sizes on. What a store has is not timed
    again, so that the same call returns the same part.

    Raises
    ------
    WorkbenchError
        If even the least part would take longer, or all these cells fail.
    """
    whole, available = SuitePart.whole(suite), SAFETY * 60 * minutes * workers(n_jobs)
    seconds: dict[tuple[str, int], float] = {}
    failed: dict[int, str] = {}
    for size in sorted({size for place in whole.content.places for size in place.sizes}):
        least = SuitePart(LEAST_TRUTHS, size, suite)
        found = _timed(learners, least, time_limit_of(minutes), store, n_jobs)
        seconds |= found.seconds
        available -= found.spent
        failed |= {size: found.failure} if found.failure else {}
        if _cost(least, seconds) > available:
            break
    keys = [spec.key for spec in learners]
    if len(failed) == len(seconds) / len(TIMED):
        least_rows, why = min(failed.items())
        raise WorkbenchError(f"{and_of(keys)} failed in all fits of {least_rows} and more rows: {why}")
    return _largest(whole, seconds, max(available, 0.0), minutes, keys)


@dataclass(frozen=True)
class _Timed:
    """Seconds of a cell of all learners at a size, by width and size; of all cells; why all failed, or ""."""

    seconds: Mapping[tuple[str, int], float]
    spent: float
    failure: str


def time_limit_of(minutes: float) -> float:
    """Return the seconds after which a cell is stopped."""
    return max(LEAST_LIMIT, LONGEST_SHARE * 60 * minutes)


def workers(n_jobs: int) -> int:
    """Return how many cells are computed at a time."""
    return n_jobs if n_jobs > 0 else os.cpu_count() or 1


def _timed(
    learners: Sequence[LearnerSpec], part: SuitePart, limit: float, store: str | Path | None, n_jobs: int
) -> _Timed:
    """Time cells at the largest size of a part.

    Of a few truths the quickest counts, as the first fit may include compilation. Infinite if it was stopped.
    """
    places = [place for own in TIMED.values() for place in own]
    study = part.study(learners, places)
    design = SizesBySource(usual=(part.largest,), replicates=part.n_truths, n_test=N_TEST)
    with without_warnings():
        cells = run_study(
            replace(study, design=design), store,
            n_jobs=n_jobs, time_limit=limit, retry=RETRIED, progress=False,
        ).cells()  # fmt: skip
    cells = cells[cells["n_train"] == part.largest]
    wall = _wall_seconds(cells)
    spent = wall.where(cells["state"] != "timed_out", np.inf)
    quickest = spent.groupby([cells["source"], cells["learner"]]).min().groupby("source").sum()
    seconds = {
        (width, part.largest): float(quickest[list(own)].mean()) + OVERHEAD * len(learners)
        for width, own in TIMED.items()
    }
    all_failed = (cells["state"] == "failed").all()
    return _Timed(seconds, float(wall.sum()), str(cells["message"].iloc[0]) if all_failed else "")


def _wall_seconds(cells: pd.DataFrame) -> pd.Series:
    """Return how long cells took, those that failed, too."""
    times = [pd.to_datetime(cells[name], format="ISO8601") for name in ("started", "finished")]
    return (times[1] - times[0]).dt.total_seconds()


def _cost(part: SuitePart, seconds: Mapping[tuple[str, int], float]) -> float:
    """Return the seconds that a part takes."""
    return sum(n * seconds[width, size] for (width, size), n in part.counts.items())


def _largest(
    whole: SuitePart,
    seconds: Mapping[tuple[str, int], float],
    available: float,
    minutes: float,
    keys: Sequence[str],
) -> SuitePart:
    """Return the part with the largest training sets of which there are enough truths, or else a few."""
    with_probes = min(min(place.sizes) for place in whole.content.places if place.part == PROBES)
    sizes = sorted({size for _, size in seconds if size >= with_probes} or {with_probes}, reverse=True)
    seconds = {(width, size): math.inf for width in TIMED for size in sizes} | dict(seconds)
    for fewest in ENOUGH_TRUTHS:
        for size in sizes:
            one = _cost(SuitePart(1, size, whole.suite), seconds)
            n_truths = min(whole.n_truths, int(available / one)) if math.isfinite(one) else 0
            if n_truths >= fewest:
                return SuitePart(n_truths, size, whole.suite)
    least = SuitePart(LEAST_TRUTHS, sizes[-1], whole.suite)
    cost = _cost(least, seconds)
    n_workers_minutes = cost / available * minutes if available else math.inf
    needs = f"about {n_workers_minutes:.2g} minutes" if math.isfinite(n_workers_minutes) else "much longer"
    raise WorkbenchError(
        f"{and_of(list(keys))} cannot be profiled in {minutes:g} min: {LEAST_TRUTHS} truths of each "
        f"place with {sizes[-1]} rows take {needs}; give more time (--minutes), or more processes (--jobs)"
    )
