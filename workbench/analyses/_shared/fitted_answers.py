"""The forecasts of learners after each of several training sets, by refitting."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.analyses._shared.answers import Answers, InputRows, left_out_once
from workbench.base.cell import Cell
from workbench.base.checks import check_jobs
from workbench.base.errors import WorkbenchError, check_known
from workbench.base.names import learner_name
from workbench.base.text import truncate
from workbench.designs import FreshSamples
from workbench.engine.problem import DrawSpec, ForecastRows, Problem, build_problem
from workbench.engine.progress import Silent
from workbench.store.outcome import Prediction

if TYPE_CHECKING:
    from workbench.engine.progress import Progress
    from workbench.study.study import Study

__all__ = ["enumerable_sources", "of_fitted_answers"]


def of_fitted_answers(
    study: "Study",
    what: Callable[[Answers], Any],
    *,
    rows: InputRows = "exact",
    source: str | None = None,
    n_jobs: int = 1,
    progress: "Progress | None" = None,
) -> tuple[list[Any], tuple[str, ...]]:
    """Fit every learner of a study on all training sets, and compute something from the forecasts."""
    design, n_jobs = _sampling_of(study), check_jobs(n_jobs)
    places = [
        (one.key, i) for one in _sources_of(study, source) for i in range(design.n_replicates(one.n_truths))
    ]
    n_sets = {spec.key: design.n_sets(spec.key) for spec in study.learners}
    once = [key for key, number in n_sets.items() if number < 2]
    n_cells = len(design.sizes) * (sum(n_sets.values()) - len(once))
    parts = _by_truth(study, what, rows, places, n_cells, n_jobs, progress)
    found = [one for part in parts for one in part if not isinstance(one, str)]
    failed = [one for part in parts for one in part if isinstance(one, str)]
    if not found:
        raise WorkbenchError(f"no learner could be fitted: {truncate(failed, 5, between='; ')}")
    notes = [left_out_once(once)] if once else []
    if failed:
        notes.append(f"left out: {truncate(failed, 5, between='; ')}")
    return found, tuple(notes)


@dataclass(frozen=True)
class SpaceSpec(DrawSpec):
    """Like `DrawSpec`, with the attribute space in place of the test rows."""

    def build(self) -> Problem:
        """Draw the truth and enumerate its attribute space."""
        problem = super().build()
        space = problem.exact
        if space is None:
            raise WorkbenchError(
                f"source {self.source.key!r} draws truths whose attribute space is infinite or too large to "
                'enumerate: use test rows, as in score="kl_divergence//test"'
            )
        assert space.p_true is not None  # the space of a truth
        # Nothing is scored on these rows; classes are needed because every problem has some.
        rows = ForecastRows(space.X, space.p_true.argmax(axis=1), space.joint, space.p_true)
        return replace(problem, test=rows, exact=None)


def enumerable_sources(study: "Study", source: str | None = None) -> dict[str, bool]:
    """Return for each source whether all truths have an attribute space small enough to enumerate."""
    n_replicates = _sampling_of(study).n_replicates
    return {
        one.key: all(_enumerable(one, study.seed, i) for i in range(n_replicates(one.n_truths)))
        for one in _sources_of(study, source)
    }


def _enumerable(source: Any, seed: int, replicate: int) -> bool:
    try:
        return bool(source.draw(seed=seed, replicate=replicate).enumerable)
    except Exception:  # other people's generators can fail in any way; reported where the truth is needed
        return True


def _answers(study: "Study", source: str, replicate: int, rows: InputRows) -> Iterator[Answers | str]:
    """Return the forecasts on one truth by size and learner, and a sentence for each failure."""
    from workbench.engine.worker import failure

    design: Any = study.design
    given: Any = study.source(source)
    kind = SpaceSpec if rows == "exact" else DrawSpec
    n_test = 1 if rows == "exact" else design.n_test
    spec = kind(given.only(replicate), study.seed, replicate, n_test, exact=rows == "exact")
    try:
        inputs = build_problem(spec).test
    except WorkbenchError:
        raise
    except Exception as error:
        yield f"the truth {replicate} of {source} is not available: {failure(error)[0]}"
        return
    assert inputs.p_true is not None
    weight = inputs.weight if rows == "exact" else None
    for n_train in design.sizes:
        kept, failures = _fitted(study, spec, n_train)
        yield from (
            f"{learner_name(key)} on {source} {replicate} with {n_train} rows failed: {m}"
            for key, m in failures.items()
        )
        for key, own in kept.items():
            if key not in failures:
                y_prob = np.stack([one.y_prob for one in own])
                yield Answers((source, replicate, int(n_train), key), inputs.p_true, y_prob, weight)


def _fitted(
    study: "Study", spec: DrawSpec, n_train: int
) -> tuple[dict[str, list[Prediction]], dict[str, str]]:
    """Return each learner's forecasts after each training set, compressed, and why some failed."""
    from workbench.engine.worker import Task, compute

    design: Any = study.design
    estimators = {spec.key: spec.build() for spec in study.learners if design.n_sets(spec.key) > 1}
    kept: dict[str, list[Prediction]] = {key: [] for key in estimators}
    failures: dict[str, str] = {}
    for training_set in range(design.training_sets):
        place = (spec.source.key, spec.replicate, n_train)
        cells = [Cell(*place, key, training_set, n_test=design.n_test) for key in kept if key not in failures]
        named = tuple((study.identify(cell), cell, estimators[cell.learner]) for cell in cells)
        task = Task(spec, n_train, training_set, named, keys=(), keep_predictions=True)
        for cell, outcome in zip(cells, compute(task), strict=True):
            if outcome.prediction is None:
                failures[cell.learner] = outcome.message
            else:
                kept[cell.learner].append(outcome.prediction)
    return kept, failures


def _sampling_of(study: "Study") -> FreshSamples:
    """Return the design of a study if it draws several training sets."""
    design = study.design
    if not isinstance(design, FreshSamples):
        raise WorkbenchError(
            f"the study has design {design.key!r}, but refitting for bias and variance needs the design "
            '"fresh_samples" with training_sets of at least 2'
        )
    if design.training_sets < 2:
        raise WorkbenchError(
            "training_sets of the design is 1: refitting for bias and variance needs at least 2, such as "
            "training_sets = 20"
        )
    return design


def _sources_of(study: "Study", source: str | None) -> list[Any]:
    check_known("source", () if source is None else (source,), [one.key for one in study.sources])
    return [one for one in study.sources if source in (None, one.key)]


def _by_truth(
    study: "Study", what: Callable[[Answers], Any], rows: InputRows, places: list[tuple[str, int]],
    n_cells: int, n_jobs: int, progress: "Progress | None",
) -> list[list[Any]]:  # fmt: skip
    """Compute truth by truth, each of so many cells, and report progress."""
    import joblib

    parts: list[list[Any]] = []
    shown = progress or Silent()
    shown.start(n_cells * len(places), 0)
    try:
        # In the order of the truths, so that results do not depend on timing.
        jobs = (joblib.delayed(_of_truth)(study, what, rows, *place) for place in places)
        for part in joblib.Parallel(n_jobs=n_jobs, return_as="generator")(jobs):
            parts.append(part)
            shown.advance(n_cells, sum(isinstance(one, str) for one in part))
    finally:
        shown.stop()
    return parts


def _of_truth(
    study: "Study", what: Callable[[Answers], Any], rows: InputRows, source: str, replicate: int
) -> list[Any]:
    answers = _answers(study, source, replicate, rows)
    return [one if isinstance(one, str) else what(one) for one in answers]
