"""The tasks of a study: cells that share their training rows, with small tasks first."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

from workbench.base.cell import Cell
from workbench.base.legacy_options import ALL_ROWS, FILE_ORDER
from workbench.designs import Resampling
from workbench.engine.problem import DrawSpec, SplitSpec
from workbench.engine.worker import Task
from workbench.study.rows_source import RowsSource
from workbench.study.study import Study

__all__ = ["REHEARSAL", "first_tasks", "openings", "rehearsals", "tasks_of"]

#: How the identity of a rehearsal begins; the learner's key follows.
REHEARSAL = "rehearsal of "
#: How many learners of unknown code are computed at a time: each keeps a process of its own.
MOST_APART = 4
#: Cells with at most so many training rows need no rehearsal.
SMALL = 400
#: Rooms of learners, those whose kernels take longest to compile first (`python -m benchmarks --only waits`).
DEAREST = ("optimal", "networks", "averages", "rules", "trees", "bayes")


def tasks_of(study: Study, cells: Iterable[tuple[str, Cell]], *, isolate: bool = True) -> Iterator[Task]:
    """Group cells that share their training rows, which are then drawn once."""
    # `isolate`: a learner of unknown code has tasks of its own, so that it shares a process with no other. A
    # few of these learners are computed at a time, so that few processes wait for their next task.
    cells = list(cells)
    estimators = study.estimators
    apart = study.unknown_code if isolate else ()
    known = [key for key in estimators if key not in apart]
    for start in range(0, max(len(apart), 1), MOST_APART):
        group = [*apart[start : start + MOST_APART], *(known if start == 0 else ())]
        yield from _tasks(study, [pair for pair in cells if pair[1].learner in group], estimators, apart)


def first_tasks(study: Study, cells: Iterable[tuple[str, Cell]]) -> Iterator[Task]:
    """Return a task with the first cell of each source."""
    first: dict[str, tuple[str, Cell]] = {}
    for identity, cell in cells:
        first.setdefault(cell.source, (identity, cell))
    return tasks_of(study, first.values(), isolate=False)


def rehearsals(
    study: Study, cells: Iterable[tuple[str, Cell]], *, isolate: bool = True, above: int = SMALL
) -> Iterator[Task]:
    """Yield a task on a few rows for each learner whose first cell is large, so that faults show early."""
    # one of unknown code always has one: it is fitted twice, which shows whether it is reproducible
    estimators = study.estimators
    apart = study.unknown_code if isolate else ()
    for _, cell in _first_of_each(cells, estimators):
        if cell.n_train > above or cell.learner in study.unknown_code:
            for task in _tasks(study, [(f"{REHEARSAL}{cell.learner}", cell)], estimators, apart):
                yield replace(task, keys=(), keep_predictions=False, is_rehearsal=True)


def openings(study: Study, cells: Iterable[tuple[str, Cell]]) -> list[Task]:
    """Return a task for the first cell of each learner that needs no trial and whose code is known."""
    # two processes then compile different kernels; in `tasks_of` all would begin with the same learner
    estimators = study.estimators
    known = {key: made for key, made in estimators.items() if key not in study.unknown_code}
    first = _first_of_each([pair for pair in cells if pair[1].learner in known], known)
    small = [pair for pair in first if pair[1].n_train <= SMALL]
    return [task for pair in small for task in _tasks(study, [pair], estimators, ())]


def _first_of_each(
    cells: Iterable[tuple[str, Cell]], estimators: Mapping[str, Any]
) -> list[tuple[str, Cell]]:
    """Return the first cell of each learner, in descending order of compilation time."""
    first: dict[str, tuple[str, Cell]] = {}
    for identity, cell in cells:
        first.setdefault(cell.learner, (identity, cell))
    return sorted(first.values(), key=lambda pair: _place_in_line(estimators[pair[1].learner]))


def _place_in_line(estimator: Any) -> int:
    rooms = type(estimator).__module__.split(".")
    return next((place for place, room in enumerate(DEAREST) if room in rooms), len(DEAREST))


def _tasks(
    study: Study, cells: Iterable[tuple[str, Cell]], estimators: Mapping[str, Any], apart: Collection[str]
) -> Iterator[Task]:
    metrics = {spec.key: spec.made for spec in study.scores.definitions}
    inputs = {spec.key: spec.input for spec in study.learners if spec.input is not None}
    in_order = frozenset(spec.key for spec in study.learners if spec.test_rows == FILE_ORDER)
    cut_before = frozenset(spec.key for spec in study.learners if spec.cut_on == ALL_ROWS)
    for _, group in groupby(cells, key=lambda pair: _place(pair[1])):
        learners = tuple((identity, cell, estimators[cell.learner]) for identity, cell in group)
        first = learners[0][1]
        whole = Task(
            _spec(study, first), first.n_train, first.training_set, learners, study.keys,
            study.keep_predictions, metrics, inputs, in_file_order=in_order, cut_before=cut_before,
        )  # fmt: skip
        together = tuple(one for one in learners if one[1].learner not in apart)
        if together:
            yield replace(whole, cells=together)
        for one in learners:
            if one[1].learner in apart:
                yield replace(whole, cells=(one,), alone=one[1].learner)


def _spec(study: Study, cell: Cell) -> DrawSpec | SplitSpec:
    source = study.source(cell.source)
    if isinstance(source, RowsSource):
        assert isinstance(study.design, Resampling)  # the study has checked it
        return SplitSpec(source, study.design, study.seed, cell.replicate, cell.fold)
    exact = "exact" in study.scores.rows
    return DrawSpec(source.only(cell.replicate), study.seed, cell.replicate, cell.n_test, exact)


def _place(cell: Cell) -> tuple[Any, ...]:
    return (cell.source, cell.replicate, cell.n_train, cell.training_set, cell.n_test, cell.fold)
