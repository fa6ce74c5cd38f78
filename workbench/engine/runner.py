"""Run a study: round by round, compute the cells that the store lacks, and write them as they arrive."""

import functools
import inspect
import math
import warnings
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import closing
from itertools import groupby
from numbers import Real
from pathlib import Path
from typing import Any

from learners.tables.columns import FEW_VALUES, IntegerColumnWarning, holds_few_integers
from workbench.base.cell import ENDED_WITHOUT_SCORES, Cell
from workbench.base.checks import check_jobs
from workbench.base.errors import FailedCells, WorkbenchError
from workbench.base.threads import deaf_to_ctrl_c, one_library_thread, quiet_end
from workbench.designs import Plan, Resampling
from workbench.engine.pool import WorkerPool, compute_apart
from workbench.engine.problem import DrawSpec, SplitSpec
from workbench.engine.progress import Progress, Silent
from workbench.engine.provenance import provenance, provenance_of_data
from workbench.engine.worker import Task, compute
from workbench.estimators.foreign import adapt
from workbench.store.outcome import Outcome
from workbench.store.results import StudyResults, results_of
from workbench.store.schema import plain_errors
from workbench.store.writing import Store, computed
from workbench.study.dataset_source import DatasetSource
from workbench.study.record import StudyRecord
from workbench.study.study import Study
from workbench.study.toml import write_study

__all__ = ["missing_cells", "run_study", "tasks_of"]


def run_study(
    study: Study,
    store: str | Path | None = None,
    *,
    n_jobs: int = 1,
    time_limit: float | None = None,
    retry: Collection[str] = (),
    progress: Progress | None = None,
) -> StudyResults:
    """Compute what is missing of a study; `workbench.run` documents the options."""
    jobs = check_jobs(n_jobs)
    limit = _checked_limit(time_limit)
    retry = (retry,) if isinstance(retry, str) else retry
    if store is not None:
        study.check_recognizable()
    study.check_draws()
    if store is not None and _unread(study):
        missing_cells(study, store, retry=retry)
    for sentence in _integer_sentences(study):
        warnings.warn(sentence, IntegerColumnWarning, stacklevel=_levels_to_the_user())
    progress = progress or Silent()
    path = None if store is None else Path(store)
    with plain_errors(path), Store.open(path, study.name, study.seed) as opened:
        about = {**provenance(), **provenance_of_data(study.data_folder, study.known_datasets)}
        opened.define_metrics(study.scores.metrics, study.scores.descriptions)
        number = opened.begin_run(StudyRecord.of(study), _toml(study), about)
        opened.remember_data(study.data_folder, study.named_datasets)
        try:
            _run_rounds(study, opened, number, jobs, limit, retry, progress)
        finally:
            progress.stop()
        opened.end_run(number)
        results = results_of(opened)
    _warn_of_failures(results)
    return results


def missing_cells(
    study: Study, store: str | Path, *, retry: Collection[str] = ()
) -> tuple[list[tuple[str, Cell]], tuple[Cell, ...]]:
    """List the cells that `run` would compute in the first round."""
    retry = (retry,) if isinstance(retry, str) else retry
    study.check_draws()
    there = computed(Path(store), study.name, study.seed, retry=retry)
    cells = next(study.design.rounds(_plan(study, list)))
    identified = ((study.identify(cell), cell) for cell in cells)
    missing = [(identity, cell) for identity, cell in identified if identity not in there]
    unread = _unread(study)
    for _, cell in missing:
        if cell.source in unread:
            raise WorkbenchError(unread[cell.source])
    return missing, cells


def _checked_limit(time_limit: float | None) -> float | None:
    is_number = isinstance(time_limit, Real) and not isinstance(time_limit, bool)
    if time_limit is None or (is_number and 0 < time_limit < math.inf):
        return time_limit
    raise WorkbenchError(f"time_limit is {time_limit!r}: expected a number of seconds above 0")


def _warn_of_failures(results: StudyResults) -> None:
    cells = results.cells()
    failed = cells[cells["state"].isin(ENDED_WITHOUT_SCORES)]
    if len(failed):
        warnings.warn(
            f"{len(failed)} of {len(cells)} cells failed and have no scores, the first with "
            f"{failed['message'].iloc[0]!r}: Results.cells() lists them",
            FailedCells,
            stacklevel=_levels_to_the_user(),
        )


def _unread(study: Study) -> dict[str, str]:
    """Return the data sets that cannot be read, and why; their computed cells are still recognized."""
    return {s.key: s.missing for s in study.sources if isinstance(s, DatasetSource) and s.known is not None}


def _levels_to_the_user() -> int:
    """Count the stack frames of this package above the caller, so that warnings name the user's line."""
    frame, levels = inspect.currentframe(), 0
    while frame is not None and str(frame.f_globals.get("__package__")).partition(".")[0] == "workbench":
        frame, levels = frame.f_back, levels + 1
    return levels


def _plan(study: Study, scores: Callable[[], Any]) -> Plan:
    sources = {source.key: source.n_truths for source in study.sources}
    n_rows = {source.key: source.n_rows for source in study.sources if isinstance(source, DatasetSource)}
    return Plan(sources, tuple(spec.key for spec in study.learners), scores, n_rows)


def _run_rounds(
    study: Study,
    store: Store,
    number: int,
    n_jobs: int,
    time_limit: float | None,
    retry: Collection[str],
    progress: Progress,
) -> None:
    def hand_out(task: Task) -> None:
        store.hand_out(identity for identity, _, _ in task.cells)

    for cells in study.design.rounds(_plan(study, lambda: results_of(store).frame())):
        identified = [(study.identify(cell), cell) for cell in cells]
        store.plan(identified)
        store.retry([identity for identity, _ in identified], retry)
        pending = store.pending()
        missing = [(identity, cell) for identity, cell in identified if identity in pending]
        progress.start(len(missing), len(cells) - len(missing))
        # A cell that was begun twice and never ended may have killed this process.
        apart = store.begun_twice()
        with closing(
            _outcomes(tasks_of(study, missing), hand_out, n_jobs, time_limit, apart=apart)
        ) as results:
            for outcomes in results:
                store.record(number, outcomes)
                progress.advance(len(outcomes), sum(outcome.state != "done" for outcome in outcomes))


def tasks_of(study: Study, cells: Iterable[tuple[str, Cell]]) -> Iterator[Task]:
    """Group cells that share their training rows, which are then drawn once."""
    estimators = {spec.key: spec.build() for spec in study.learners}
    metrics = {spec.key: spec.made for spec in study.scores.definitions}
    for place, group in groupby(cells, key=lambda pair: _place(pair[1])):
        learners = tuple((identity, cell, estimators[cell.learner]) for identity, cell in group)
        spec = _spec(study, learners[0][1])
        _, _, n_train, training_set, _, _ = place
        yield Task(spec, n_train, training_set, learners, study.keys, study.keep_predictions, metrics)


def _spec(study: Study, cell: Cell) -> DrawSpec | SplitSpec:
    source = study.source(cell.source)
    if isinstance(source, DatasetSource):
        assert isinstance(study.design, Resampling)  # the study has checked it
        return SplitSpec(source, study.design, study.seed, cell.replicate, cell.fold)
    exact = "exact" in study.scores.rows
    return DrawSpec(source.only(cell.replicate), study.seed, cell.replicate, cell.n_test, exact)


def _place(cell: Cell) -> tuple[Any, ...]:
    return (cell.source, cell.replicate, cell.n_train, cell.training_set, cell.n_test, cell.fold)


def _outcomes(
    tasks: Iterator[Task],
    hand_out: Callable[[Task], None],
    n_jobs: int,
    time_limit: float | None,
    *,
    apart: bool = False,
) -> Generator[list[Outcome], None, None]:
    """Compute tasks and yield outcomes as they arrive.

    One job computes in this process, unless there is a time limit or `apart` asks for another process.
    """
    if _is_chosen_by_the_user() and n_jobs != 1:
        yield from _outcomes_of_joblib(tasks, hand_out, n_jobs, time_limit)
    elif n_jobs == 1 and time_limit is None and not apart:
        yield from map(compute, _handed_out(tasks, hand_out))
    else:
        import joblib

        n_workers = joblib.cpu_count() if n_jobs == -1 else n_jobs
        with WorkerPool(n_workers, time_limit=time_limit, hand_out=hand_out) as pool:
            yield from pool.outcomes(tasks)


def _handed_out(tasks: Iterator[Task], hand_out: Callable[[Task], None]) -> Iterator[Task]:
    for task in tasks:
        hand_out(task)
        yield task


def _outcomes_of_joblib(
    tasks: Iterator[Task], hand_out: Callable[[Task], None], n_jobs: int, time_limit: float | None
) -> Generator[list[Outcome], None, None]:
    """As `_outcomes`, by the backend that the user has chosen."""
    import joblib
    from joblib.parallel import get_active_backend

    client = getattr(get_active_backend()[0], "client", None)
    if client is not None:  # joblib's Dask backend does not survive the death of a worker
        from workbench.engine.dask_cluster import outcomes_on_dask

        yield from outcomes_on_dask(client, tasks, hand_out, time_limit)
        return
    one = compute if time_limit is None else functools.partial(compute_apart, time_limit=time_limit)
    tasks = _handed_out(tasks, hand_out)
    # Threads share the limit of their process, so it is set here for all of them.
    with one_library_thread(), joblib.parallel_config(n_jobs=n_jobs):
        parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)
        with deaf_to_ctrl_c():  # while the workers start: they inherit it
            begun = parallel(joblib.delayed(one)(task) for task in tasks)
        with quiet_end(), closing(begun) as results:
            try:
                yield from results
            except BrokenExecutor as error:
                raise WorkbenchError(
                    f"a worker process ended before its task did ({type(error).__name__}); finished cells "
                    "are kept: run again without joblib's backend, and only the cell that ended it fails"
                ) from error


def _is_chosen_by_the_user() -> bool:
    """Return whether a joblib backend was set: it is one object, while the default is made anew each time."""
    from joblib.parallel import get_active_backend

    return get_active_backend()[0] is get_active_backend()[0]


def _toml(study: Study) -> str | None:
    try:
        return write_study(study)
    except WorkbenchError:
        return None


def _integer_sentences(study: Study) -> Iterator[str]:
    """Return once what every fit would warn about integer columns with few values."""
    if not any(map(_goes_by_dtypes, (spec.build() for spec in study.learners))):
        return
    for source in study.sources:
        if not isinstance(source, DatasetSource) or source.known is not None:
            continue
        names = [name for name, column in source.content.X.items() if holds_few_integers(column.array)]
        if names:
            yield _sentence(source, names)


def _goes_by_dtypes(learner: Any) -> bool:
    return adapt(learner) is learner and isinstance(getattr(learner, "categorical_features", 0), str)


def _sentence(source: DatasetSource, names: list[Any]) -> str:
    """Name the columns, and how to declare them at their source."""
    one = len(names) == 1
    how = 'give those that are nominal the dtype "category"'
    if source.is_file:
        listed = ", ".join(f'"{name}"' for name in names)
        how = f'add nominal = [{listed}] next to dataset = "{source.dataset}", if they are nominal'
    return (
        f"source {source.key!r}: {'column' if one else 'columns'} {', '.join(map(repr, names))} "
        f"{'holds' if one else 'hold'} integers with at most {FEW_VALUES} distinct values and "
        f"{'is' if one else 'are'} taken as numeric; {how}"
    )
