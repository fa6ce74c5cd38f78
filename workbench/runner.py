"""Run a study: round by round, compute the cells that the store lacks, and write them as they come."""

import inspect
import os
import warnings
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import Any

from learners.columns import IntegerColumnWarning
from workbench.cell import Cell
from workbench.designs import Plan, Resampling
from workbench.errors import FailedCells, WorkbenchError
from workbench.integer_columns import integer_sentences
from workbench.integers import as_integer
from workbench.problem import Recipe, SplitRecipe
from workbench.progress import Progress, Silent
from workbench.provenance import provenance, provenance_of_data
from workbench.results import Results, of_store
from workbench.schema import told
from workbench.store import Store, computed
from workbench.study import Study
from workbench.table_source import TableSource
from workbench.threads import deaf_to_ctrl_c, one_library_thread, quiet_end, start_worker
from workbench.worker import Outcome, Task, compute

__all__ = ["missing_cells", "run", "tasks_of"]


def run(
    study: Study,
    store: str | Path | None = None,
    *,
    n_jobs: int = 1,
    retry: Collection[str] = (),
    progress: Progress | None = None,
) -> Results:
    """Compute what is missing of a study.

    Parameters
    ----------
    study : Study
    store : str, Path or None
        The file; None keeps everything in memory.
    n_jobs : int
        Worker processes; 1 computes in this process, -1 uses all cores. The numbers are the same to the bit.
        A backend set by `joblib.parallel_config` is respected.
    retry : collection of {"failed"}
        States of cells that are to be computed again.
    progress : Progress, optional
        What is told how far the run is.

    Returns
    -------
    Results
        Of the whole study, not only of what was computed now.

    Raises
    ------
    WorkbenchError
        If the store is another study's, no store, cannot be written, or is being written by another process;
        if it has scores of another metric under one of the study's keys; if a learner or a metric cannot be
        recognized in a file later; if a generator cannot draw the first truth of its source; if a table
        cannot be split, or its data folder is gone and cells are missing; or if a worker process dies.
    KeyboardInterrupt
        On Ctrl-C; what is done is kept, and the same call goes on from there.

    Warns
    -----
    FailedCells
        If cells of the study have failed; a UserWarning.
    learners.columns.IntegerColumnWarning
        For each table with integer columns that may hold codes, once; a UserWarning.

    Notes
    -----
    A cell whose learner fails is stored as failed with its traceback, and the others go on.

    Examples
    --------
    >>> from workbench import Study
    >>> study = Study.from_toml('''
    ... name = "tiny"
    ... seed = 1
    ... learners = ["cart", "truth"]
    ... [[sources]]
    ... generator = "tan"
    ... [design]
    ... replicates = 2
    ... sizes = [50]
    ... [scores]
    ... metrics = ["kl_divergence"]
    ... rows = ["exact"]
    ... ''')
    >>> run(study).table("kl_divergence").loc[("tan", "truth"), (50, "mean")]
    np.float64(0.0)
    """
    jobs = as_integer(n_jobs)
    if jobs is None or not (jobs == -1 or jobs >= 1):
        raise WorkbenchError(
            f"n_jobs is {n_jobs!r}: expected a number of processes of at least 1, or -1 for one a core"
        )
    retry = (retry,) if isinstance(retry, str) else retry
    if store is not None:
        study.check_recognizable()
    study.check_draws()
    if store is not None and _unread(study):
        missing_cells(study, store, retry=retry)
    for sentence in integer_sentences(study):
        warnings.warn(sentence, IntegerColumnWarning, stacklevel=_levels_to_the_user())
    progress = progress or Silent()
    with told(None if store is None else Path(store)), Store.open(store, study.name, study.seed) as book:
        about = {**provenance(), **provenance_of_data(study.data_folder, study.known_tables)}
        book.define_metrics(study.scores.metrics, study.scores.descriptions)
        number = book.begin_run(study.describe(), _toml(study), about)
        book.remember_data(study.data_folder, study.named_tables)
        try:
            _run_rounds(study, book, number, jobs, retry, progress)
        finally:
            progress.stop()
        book.end_run(number)
        results = of_store(book)
    _warn_of_failures(results)
    return results


def missing_cells(
    study: Study, store: str | Path, *, retry: Collection[str] = ()
) -> tuple[list[tuple[str, Cell]], tuple[Cell, ...]]:
    """List what `run` would compute of the first round, without doing it.

    Parameters
    ----------
    study : Study
    store : str or Path
        There need be no such file.
    retry : collection of {"failed"}
        States of cells that are to be computed again.

    Returns
    -------
    missing : list of (identity, Cell)
    cells : tuple of Cell
        All of the round.

    Raises
    ------
    WorkbenchError
        If the store is another study's or no store, a state cannot be retried, a generator cannot draw, or
        cells of a table are missing whose data folder is gone.
    """
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


def _warn_of_failures(results: Results) -> None:
    cells = results.cells()
    failed = cells[cells["state"] == "failed"]
    if len(failed):
        warnings.warn(
            f"{len(failed)} of {len(cells)} cells failed and have no scores, the first with "
            f"{failed['message'].iloc[0]!r}: Results.cells() tells of each",
            FailedCells,
            stacklevel=_levels_to_the_user(),
        )


def _unread(study: Study) -> dict[str, str]:
    """Give the tables that cannot be read, and why; what is computed of them can be recognized."""
    return {s.key: s.missing for s in study.sources if isinstance(s, TableSource) and s.known is not None}


def _levels_to_the_user() -> int:
    """Count the calls within this package above the caller, so that a warning names a line of the user's."""
    frame, levels = inspect.currentframe(), 0
    while frame is not None and frame.f_globals.get("__package__") == __package__:
        frame, levels = frame.f_back, levels + 1
    return levels


def _plan(study: Study, scores: Callable[[], Any]) -> Plan:
    sources = {source.key: source.n_truths for source in study.sources}
    n_rows = {source.key: source.n_rows for source in study.sources if isinstance(source, TableSource)}
    return Plan(sources, tuple(spec.key for spec in study.learners), scores, n_rows)


def _run_rounds(
    study: Study, book: Store, number: int, n_jobs: int, retry: Collection[str], progress: Progress
) -> None:
    for cells in study.design.rounds(_plan(study, lambda: of_store(book).frame())):
        identified = [(study.identify(cell), cell) for cell in cells]
        book.plan(identified)
        book.retry([identity for identity, _ in identified], retry)
        pending = book.pending()
        missing = [(identity, cell) for identity, cell in identified if identity in pending]
        progress.start(len(missing), len(cells) - len(missing))
        with closing(_outcomes(_handed_out(tasks_of(study, missing), book), n_jobs)) as results:
            for outcomes in results:
                book.record(number, outcomes)
                progress.advance(len(outcomes), sum(outcome.state != "done" for outcome in outcomes))


def tasks_of(study: Study, cells: Iterable[tuple[str, Cell]]) -> Iterator[Task]:
    """Group cells that share their training rows, so that these are drawn once.

    Parameters
    ----------
    study : Study
    cells : iterable of (identity, Cell)

    Yields
    ------
    Task
    """
    estimators = {spec.key: spec.build() for spec in study.learners}
    metrics = {spec.key: spec.made for spec in study.scores.definitions}
    for place, group in groupby(cells, key=lambda pair: _place(pair[1])):
        learners = tuple((identity, cell, estimators[cell.learner]) for identity, cell in group)
        recipe = _recipe(study, learners[0][1])
        _, _, n_train, training_set, _, _ = place
        yield Task(recipe, n_train, training_set, learners, study.keys, study.keep_predictions, metrics)


def _recipe(study: Study, cell: Cell) -> Recipe | SplitRecipe:
    source = study.source(cell.source)
    if isinstance(source, TableSource):
        assert isinstance(study.design, Resampling)  # the study has checked it
        return SplitRecipe(source, study.design, study.seed, cell.replicate, cell.fold)
    exact = "exact" in study.scores.rows
    return Recipe(source.only(cell.replicate), study.seed, cell.replicate, cell.n_test, exact)


def _place(cell: Cell) -> tuple[Any, ...]:
    return (cell.source, cell.replicate, cell.n_train, cell.training_set, cell.n_test, cell.fold)


def _handed_out(tasks: Iterable[Task], book: Store) -> Iterator[Task]:
    for task in tasks:
        book.hand_out(identity for identity, _, _ in task.cells)
        yield task


def _outcomes(tasks: Iterator[Task], n_jobs: int) -> Generator[list[Outcome], None, None]:
    """Compute tasks and yield what comes back, in the order in which it comes."""
    if n_jobs == 1:
        yield from map(compute, tasks)
        return
    import joblib

    # Threads share the limit of their process: it is set here, before the first and until the last of them.
    with one_library_thread(), joblib.parallel_config(**_backend(n_jobs)):
        parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)
        with deaf_to_ctrl_c():  # while the workers start: they inherit it
            begun = parallel(_delayed(compute)(task) for task in tasks)
        with quiet_end(), closing(begun) as results:
            try:
                yield from results
            except BrokenExecutor as error:
                raise WorkbenchError(
                    f"a worker process ended before its task did ({type(error).__name__}); "
                    "what is done is kept: go on with fewer jobs, or with one to see which cell it is"
                ) from error


def _delayed(function: Callable[[Task], list[Outcome]]) -> Callable[[Task], Any]:
    import joblib

    return joblib.delayed(function)


def _backend(n_jobs: int) -> dict[str, Any]:
    """Give the settings of our own processes, or none where the user has chosen another backend."""
    from joblib.parallel import get_active_backend

    chosen, _ = get_active_backend()
    if type(chosen).__name__ != "LokyBackend":
        return {"n_jobs": n_jobs}
    return {
        "backend": "loky",
        "n_jobs": n_jobs,
        "inner_max_num_threads": 1,
        "initializer": start_worker,
        "initargs": (os.getpid(),),
    }


def _toml(study: Study) -> str | None:
    try:
        return study.to_toml()
    except WorkbenchError:
        return None
