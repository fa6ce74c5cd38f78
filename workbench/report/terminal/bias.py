"""Bias and variance of learners, from stored predictions or after fitting again."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from workbench.analyses import BiasVariance
from workbench.analyses._shared.fitted_answers import enumerable_sources
from workbench.analyses.bias_variance import decomposed_score
from workbench.base.errors import WorkbenchError, check_known
from workbench.base.score_key import ScoreKey
from workbench.engine.progress import Silent
from workbench.report.size_tables import bias_table
from workbench.report.table import Table
from workbench.study.document import StudyDocument

if TYPE_CHECKING:
    from workbench.engine.progress import Progress
    from workbench.store.results import StudyResults
    from workbench.study.study import Study

__all__ = ["bias_parts", "refitted_bias", "refitted_parts"]

KINDS = ("exact", "test")

INPUTS = {"exact": "over all inputs", "test": "on test rows"}


def bias_parts(
    results: "StudyResults",
    *,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
    source: str | None = None,
) -> Iterator[Table | str]:
    """Return bias and variance of each learner, from stored predictions."""
    found = BiasVariance.of(results, score=score, learners=learners, source=source)
    yield from _parts([found])


def refitted_parts(study: "Study", **options: Any) -> Iterator[Table | str]:
    """Return bias and variance of each learner of a study, fitted again."""
    yield from _parts(refitted_bias(study, **options))


def refitted_bias(
    study: "Study",
    *,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
    source: str | None = None,
    n_jobs: int = 1,
    progress: "Callable[[], Progress]" = Silent,
) -> tuple[BiasVariance, ...]:
    """Fit again, with exact rows where possible and test rows elsewhere."""
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
        sampled = ", ".join(place for place, ends in enumerable.items() if not ends)
        why = f"on test rows, because the attribute space is infinite or too large to enumerate: {sampled}"
        found[-1] = replace(found[-1], notes=(*found[-1].notes, why))
    return tuple(found)


def _parts(parts: Sequence[BiasVariance]) -> Iterator[Table | str]:
    for found in parts:
        n_sets = found.table["n_sets"].max()
        yield f"{found.name} [{found.unit}], {n_sets} training sets, {INPUTS[found.score.rows]}"
        yield replace(bias_table(found), title="", note="")
    yield "Bias and variance are corrected for the finite number of training sets. In brackets 95% intervals."
    yield from dict.fromkeys(note for found in parts for note in found.notes)


def _of_learners(study: "Study", learners: Sequence[str] | None) -> "Study":
    check_known("learner", learners or (), [spec.key for spec in study.learners])
    keys = StudyDocument.of(study).compared_learners(learners)
    # A learner's seeds derive from itself, so its forecasts do not depend on other learners.
    return replace(study, learners=tuple(spec for spec in study.learners if spec.key in keys), compared=())


def _each(
    study: "Study", asked: dict[str, ScoreKey], n_jobs: int, progress: "Callable[[], Progress]"
) -> list[BiasVariance]:
    """Decompose source by source, and combine those with the same kind of rows."""
    parts: list[BiasVariance] = []
    failed: list[WorkbenchError] = []
    for source, score in asked.items():
        try:
            parts.append(
                BiasVariance.refit(study, score=score, source=source, n_jobs=n_jobs, progress=progress())
            )
        except WorkbenchError as error:
            # Keep the results of other sources, which may have taken hours.
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
