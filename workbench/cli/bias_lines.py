"""Bias and variance as lines of text for the command line."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from workbench.analyses import BiasVariance
from workbench.analyses._shared.fitted_answers import enumerable_sources
from workbench.analyses.bias_variance import decomposed_score
from workbench.base.errors import WorkbenchError, nearest
from workbench.base.score_key import ScoreKey
from workbench.engine.progress import Silent
from workbench.report.renderers.text_table import aligned
from workbench.study.record import StudyRecord

if TYPE_CHECKING:
    from workbench.engine.progress import Progress
    from workbench.results import Results
    from workbench.study.study import Study

__all__ = ["bias_lines", "refitted_bias", "refitted_lines"]

KINDS = ("exact", "test")

#: Words of the measures that have an interval.
MEASURES = ("loss", "bias", "variance")
#: A loss that is shown as 0 is rounding alone, and has no shares.
SMALLEST = 0.5e-4
INPUTS = {"exact": "over all inputs", "test": "on test rows"}


def bias_lines(
    results: "Results",
    *,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
    source: str | None = None,
) -> Iterator[str]:
    """Print bias and variance of each learner, from the predictions that a store keeps."""
    found = BiasVariance.of(results, score=score, learners=learners, source=source)
    yield from _lines([found])


def refitted_lines(study: "Study", **options: Any) -> Iterator[str]:
    """Print bias and variance of each learner of a study, fitted again."""
    yield from _lines(refitted_bias(study, **options))


def refitted_bias(
    study: "Study",
    *,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
    source: str | None = None,
    n_jobs: int = 1,
    progress: "Callable[[], Progress]" = Silent,
) -> tuple[BiasVariance, ...]:
    """Fit again, and ask each source what can be asked of it."""
    key = decomposed_score(score)
    enumerable = enumerable_sources(study, source)
    study.check_draws()
    asked = {place: key if ends else key._replace(rows="test") for place, ends in enumerable.items()}
    chosen = _of_learners(study, learners)
    if len(set(asked.values())) == 1:
        (own,) = set(asked.values())
        found = [BiasVariance.refit(chosen, score=own, source=source, n_jobs=n_jobs, progress=progress())]
    else:
        found = _each(chosen, asked, n_jobs, progress)
    if key.rows == "exact" and not all(enumerable.values()):
        found[-1] = _told(found[-1], [place for place, ends in enumerable.items() if not ends])
    return tuple(found)


def _lines(parts: Sequence[BiasVariance]) -> Iterator[str]:
    for found in parts:
        n_sets = found.table["n_sets"].max()
        yield f"{found.name} [{found.unit}], {n_sets} training sets, {INPUTS[found.score.rows]}"
        yield from aligned(_rows(found), words=(0, 1))
    yield "bias and variance corrected for the finite number of training sets; in brackets 95% intervals"
    yield from dict.fromkeys(note for found in parts for note in found.notes)


def _rows(found: BiasVariance) -> list[list[str]]:
    lines = [["", "", "rows", *MEASURES, "share of variance", "truths"]]
    for row in found.table.to_dict("records"):
        cells = [_with_interval(row[m], row[f"{m}_low"], row[f"{m}_high"]) for m in MEASURES]
        nothing = np.isnan(row["variance_share"]) or abs(row["loss"]) < SMALLEST
        share = "-" if nothing else f"{row['variance_share']:.0%}"
        lines.append([row["source"], row["learner"], str(row["n_train"]), *cells, share, str(row["n"])])
    return lines


def _with_interval(value: float, low: float, high: float) -> str:
    return f"{value:z.4f}" if np.isnan(low) else f"{value:z.4f} ({low:z.4f}, {high:z.4f})"


def _of_learners(study: "Study", learners: Sequence[str] | None) -> "Study":
    known = [spec.key for spec in study.learners]
    for key in learners or ():
        if key not in known:
            raise WorkbenchError(f"there is no learner {key!r} here: {nearest(key, known)}")
    keys = StudyRecord.of(study).compared_learners(learners)
    # A learner's seeds derive from itself, so it answers alike whoever stands beside it.
    return replace(study, learners=tuple(spec for spec in study.learners if spec.key in keys), compared=())


def _each(
    study: "Study", asked: dict[str, ScoreKey], n_jobs: int, progress: "Callable[[], Progress]"
) -> list[BiasVariance]:
    """Decompose source by source, and put together those that were asked the same kind of inputs."""
    parts: list[BiasVariance] = []
    failed: list[WorkbenchError] = []
    for source, score in asked.items():
        try:
            parts.append(
                BiasVariance.refit(study, score=score, source=source, n_jobs=n_jobs, progress=progress())
            )
        except WorkbenchError as error:
            # Another source may have taken hours: what it gave is kept.
            failed.append(error)
    if not parts:
        raise failed[0]
    groups = ([part for part in parts if part.score.rows == kind] for kind in KINDS)
    found = [_together(group) for group in groups if group]
    found[-1] = replace(found[-1], notes=(*found[-1].notes, *map(str, failed)))
    return found


def _together(parts: list[BiasVariance]) -> BiasVariance:
    tables = pd.concat([part.by_truth for part in parts], ignore_index=True)
    notes = dict.fromkeys(note for part in parts for note in part.notes)
    return replace(parts[0], by_truth=tables, notes=tuple(notes))


def _told(found: BiasVariance, without_end: list[str]) -> BiasVariance:
    why = "on test rows, as the attribute space is too large to enumerate or has no end"
    return replace(found, notes=(*found.notes, f"{why}: {', '.join(without_end)}"))
