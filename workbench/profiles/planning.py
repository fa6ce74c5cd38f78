"""Measure a learner in the time there is: on which part of a suite, from times that are taken first."""

import math
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from generators.suites.places import PROBES
from workbench.base.errors import WorkbenchError
from workbench.base.text import and_of, sentence
from workbench.designs import SizesBySource
from workbench.engine.progress import Progress
from workbench.engine.runner import run_study
from workbench.profiles.measure import RETRIED, Measured, measured, wall_seconds, without_warnings
from workbench.profiles.part import LEAST_TRUTHS, N_TEST, SuitePart
from workbench.study.learner_spec import LearnerSpec

__all__ = ["check_first_fits", "fitting_part", "measured_in"]

#: Numbers of truths of a place, each of which is sought before smaller training sets are taken.
ENOUGH_TRUTHS = (6, 4, 3, LEAST_TRUTHS)
#: Where the first times are taken: few attributes and many, categories and numbers.
TIMED = {
    "narrow": ("tan-narrow-medium", "gaussian_naive_bayes-narrow-medium"),
    "wide": ("tan-wide-hard", "gaussian_naive_bayes-wide-medium"),
}
#: Of these the places of categories, as most of the suite has; what fails there with so many rows fails.
NOMINAL, ENOUGH_ROWS = tuple(places[0] for places in TIMED.values()), 500
#: Seconds of a cell that are not the learner's: rows, scores, the store; the share of the time to plan with.
OVERHEAD, SAFETY = 0.01, 0.5
#: A fit may take this share of all the time before it is stopped, but at least so many seconds.
LONGEST_SHARE, LEAST_LIMIT = 0.1, 20.0


def measured_in(
    minutes: float,
    learner: LearnerSpec,
    *,
    store: str | Path | None = None,
    n_jobs: int = 1,
    progress: Progress | bool | None = None,
) -> Measured:
    """Measure a learner on as large a part of the suite as can be expected to take some minutes."""
    # A few fits of each size decide how large training sets may be, then two truths of each place how many
    # truths. What a store has is not timed again, so that the same call measures the same part.
    with _kept(store) as place:
        planned = fitting_part([learner], minutes, store=place, n_jobs=n_jobs)
        run = partial(
            measured,
            [learner],
            store=place,
            n_jobs=n_jobs,
            time_limit=_time_limit(minutes),
            progress=progress,
        )
        found = run(replace(planned, n_truths=LEAST_TRUTHS))
        n_truths = _affordable(found, _seconds(minutes, n_jobs))
        return found if n_truths == LEAST_TRUTHS else run(replace(planned, n_truths=n_truths))


def _affordable(found: Measured, seconds: float) -> int:
    """Return for how many truths of each place there is time, from the time that a few took."""
    one = found.spent / found.part.n_truths + OVERHEAD * found.part.n_cells / found.part.n_truths
    return max(found.part.n_truths, min(SuitePart.whole(found.part.suite).n_truths, int(seconds / one)))


def _seconds(minutes: float, n_jobs: int) -> float:
    """Return the seconds of all workers to plan with."""
    return SAFETY * 60 * minutes * (n_jobs if n_jobs > 0 else os.cpu_count() or 1)


def _time_limit(minutes: float) -> float:
    """Return the seconds after which a fit is stopped."""
    return max(LEAST_LIMIT, LONGEST_SHARE * 60 * minutes)


@contextmanager
def _kept(store: str | Path | None) -> Iterator[str | Path]:
    """Lend a store until all is measured, if none is given."""
    if store is not None:
        yield store
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "profile.db"


def fitting_part(
    learners: Sequence[LearnerSpec],
    minutes: float,
    *,
    store: str | Path | None = None,
    n_jobs: int = 1,
) -> SuitePart:
    """Return the largest part of the suite that learners can be expected to compute in some minutes."""
    # A few cells are timed first, from small sizes on; what a store has is not timed again, so that the same
    # call returns the same part. Sizes at which all fits fail take the time of the next that does not.
    whole, available = SuitePart.whole(), _seconds(minutes, n_jobs)
    seconds: dict[tuple[str, int], float] = {}
    failed: dict[int, str] = {}
    unknown: list[int] = []
    for size in sorted({size for place in whole.content.places for size in place.sizes}):
        least = SuitePart(LEAST_TRUTHS, size)
        found = _timed(learners, least, _time_limit(minutes), store, n_jobs)
        seconds |= found.seconds
        available -= found.spent
        if size == _first_size(whole):
            _check(learners, found, size)
        if found.failure:
            failed[size] = found.failure
            unknown.append(size)
        else:  # failing takes another time in each call, and would plan another part
            seconds |= {(width, few): found.seconds[width, size] for width in TIMED for few in unknown}
            unknown = []
        if _cost(least, seconds) > available:
            break
    keys = [spec.key for spec in learners]
    if len(failed) == len(seconds) / len(TIMED):
        least_rows, why = min(failed.items())
        raise WorkbenchError(f"{and_of(keys)} failed in all fits of {least_rows} and more rows: {why}")
    return _largest(whole, seconds, max(available, 0.0), minutes, keys)


def check_first_fits(
    learners: Sequence[LearnerSpec], part: SuitePart, *, store: str | Path | None, n_jobs: int
) -> None:
    """Raise WorkbenchError if learners fail in the first fits to categories, as they then would in most."""
    size = _first_size(part)
    _check(learners, _timed(learners, SuitePart(LEAST_TRUTHS, size), None, store, n_jobs), size)


def _first_size(part: SuitePart) -> int:
    """Return the largest training size of a part that is not too large for a first fit."""
    sizes = {size for place in part.content.places for size in part.sizes(place)}
    return max((size for size in sizes if size <= ENOUGH_ROWS), default=min(sizes))


def _check(learners: Sequence[LearnerSpec], found: "_CellTimes", size: int) -> None:
    if found.refusal:
        keys = and_of([repr(spec.key) for spec in learners])
        raise WorkbenchError(
            f"learner {keys} cannot be profiled: all first fits, to {size} rows of categories, failed: "
            f"{sentence(found.refusal.rstrip('.'), 300)}"
        )


@dataclass(frozen=True)
class _CellTimes:
    """Seconds of a cell of all learners by width and size; of all cells but failed ones; why all failed."""

    seconds: Mapping[tuple[str, int], float]
    spent: float
    failure: str
    refusal: str  # why all cells of categories failed


def _timed(
    learners: Sequence[LearnerSpec],
    part: SuitePart,
    limit: float | None,
    store: str | Path | None,
    n_jobs: int,
) -> _CellTimes:
    """Time cells at the largest size of a part; infinite if that was stopped."""
    # of a few truths the quickest counts, as the first fit may include compilation
    places = [place for own in TIMED.values() for place in own]
    study = part.study(learners, places)
    design = SizesBySource(usual=(part.largest,), replicates=part.n_truths, n_test=N_TEST)
    with without_warnings():
        cells = run_study(
            replace(study, design=design), store,
            n_jobs=n_jobs, time_limit=limit, retry=RETRIED, progress=False, rehearse=False,
        ).cells()  # fmt: skip
    cells = cells[cells["n_train"] == part.largest]
    wall = wall_seconds(cells)
    spent = wall.where(cells["state"] != "timed_out", np.inf)
    pair = [cells["source"], cells["learner"]]
    quickest = spent.groupby(pair, observed=True).min().groupby("source", observed=True).sum()
    seconds = {
        (width, part.largest): float(quickest[list(own)].mean()) + OVERHEAD * len(learners)
        for width, own in TIMED.items()
    }
    failed, nominal = cells["state"] == "failed", cells["source"].isin(NOMINAL)
    why = [str(cells["message"][of].iloc[0]) if failed[of].all() else "" for of in (slice(None), nominal)]
    return _CellTimes(seconds, float(wall[~failed].sum()), *why)


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
        f"place with {sizes[-1]} rows take {needs}: give more time (--minutes), or more processes (--jobs)"
    )
