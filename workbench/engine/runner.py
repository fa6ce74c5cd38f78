"""Run a study: round by round, compute the cells that the store lacks, and write them as they arrive."""

import math
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing
from itertools import chain
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from generators.tables.caller import user_level
from learners.tables.columns import (
    IntegerColumnWarning,
    few_integers_sentence,
    holds_few_integers,
    many_codes,
    many_codes_sentence,
)
from workbench.base.cell import ENDED_WITHOUT_SCORES, Cell
from workbench.base.checks import check_jobs
from workbench.base.errors import (
    FailedCells,
    InferredClassWarning,
    Interrupted,
    MissingScores,
    NotReproducible,
    OneClass,
    OrderOfClasses,
    RareClass,
    SameTruths,
    WorkbenchError,
)
from workbench.base.text import and_of, count_of, sentence, truncate
from workbench.base.threads import deaf_to_ctrl_c
from workbench.datasets.dataset import array_of_codes
from workbench.designs import Resampling, StudyOutline
from workbench.engine.backend import Backend
from workbench.engine.briefing import briefing, lines_of, looks, orders_of_costs
from workbench.engine.progress import Compiling, Progress, Silent, chosen
from workbench.engine.provenance import provenance, provenance_of_data
from workbench.engine.remaining_work import WorkLeft
from workbench.engine.tasks import REHEARSAL, first_tasks, openings, rehearsals, tasks_of
from workbench.engine.worker import ONE_CLASS, UNFIT, UNSTEADY, Task
from workbench.estimators.build import holds_frozen
from workbench.estimators.foreign import adapt
from workbench.store.failures import first_clause
from workbench.store.outcome import Outcome
from workbench.store.results import TOO_LARGE, StudyResults, results_of
from workbench.store.run_notes import REPEAT_OF
from workbench.store.schema import plain_errors
from workbench.store.writing import Store, computed
from workbench.study.dataset_source import DatasetSource
from workbench.study.document import StudyDocument
from workbench.study.rows_source import RowsSource
from workbench.study.source import Source
from workbench.study.study import Study

__all__ = ["first_round", "missing_cells", "run_study"]

#: Of failures the causes that are named, and the letters of each.
MOST_CAUSES, MOST_OF_CAUSE = 3, 300


def run_study(
    study: Study,
    store: str | Path | None = None,
    *,
    n_jobs: int = 1,
    time_limit: float | None = None,
    retry: Collection[str] = (),
    progress: Progress | bool | None = None,
    isolate: bool = True,
    rehearse: bool = True,
    keep_interrupted: bool = False,
) -> StudyResults:
    """Compute the missing cells of a study, as `workbench.run`. Ctrl-C may end it with the finished cells."""
    study = study.renewed() if study.was_run else study
    object.__setattr__(study, "was_run", True)
    jobs = check_jobs(n_jobs)
    limit = _checked_limit(time_limit)
    retry = (retry,) if isinstance(retry, str) else retry
    if store is not None:
        study.check_recognizable()
    study.check_draws()
    display = chosen(progress)
    if store is not None and _unread(study):
        missing_cells(study, store, retry=retry)
    _warn_of_data(study, display)
    path = None if store is None else Path(store)
    with plain_errors(path), Store.open(path, study.name, study.seed) as opened:
        about = {**provenance(), **provenance_of_data(study.data_folder, study.known_datasets)}
        opened.define_metrics(study.scores.metrics, study.scores.descriptions)
        number = opened.begin_run(StudyDocument.of(study), about)
        opened.remember_data(study.data_folder, study.named_datasets)
        backend = Backend(jobs, limit, isolate)
        try:
            _run_rounds(study, opened, number, backend, retry, display, rehearse=rehearse)
        except KeyboardInterrupt:
            with deaf_to_ctrl_c():  # a second one would lose what is done
                results = results_of(opened, study)
            if not keep_interrupted or not (results.cells()["state"] == "done").any():
                raise
            _warn_of_interruption(results, path)
        else:
            opened.end_run(number)
            results = results_of(opened, study)
        finally:
            display.stop()
    cells = results.cells()
    _warn_of_failures(cells, path)
    _warn_of_unfit_metrics(cells)
    _warn_of_new_metrics(results, path)
    _warn_of_single_classes(cells)
    _warn_of_large_truths(results)
    for said in results.not_reproducible().values():
        warnings.warn(said, NotReproducible, stacklevel=user_level())
    return results


def first_round(study: Study) -> list[tuple[str, Cell]]:
    """List the cells of the first round, with their identities."""
    return _identified(study, next(_rounds(study, list)))


def _identified(study: Study, cells: Iterable[Cell]) -> list[tuple[str, Cell]]:
    return [(study.identify(cell), cell) for cell in cells]


def missing_cells(
    study: Study, store: str | Path, *, retry: Collection[str] = ()
) -> tuple[list[tuple[str, Cell]], tuple[Cell, ...]]:
    """List the cells that `run` would compute in the first round."""
    retry = (retry,) if isinstance(retry, str) else retry
    study.check_draws()
    there = computed(Path(store), study.name, study.seed, retry=retry)
    identified = first_round(study)
    missing = [(identity, cell) for identity, cell in identified if identity not in there]
    unread = _unread(study)
    for _, cell in missing:
        if cell.source in unread:
            raise WorkbenchError(unread[cell.source])
    return missing, tuple(cell for _, cell in identified)


def _checked_limit(time_limit: float | None) -> float | None:
    is_number = isinstance(time_limit, Real) and not isinstance(time_limit, bool)
    if time_limit is None or (is_number and 0 < time_limit < math.inf):
        return time_limit
    raise WorkbenchError(f"time_limit is {time_limit!r}: expected a number of seconds above 0")


def _warn_of_data(study: Study, progress: Progress) -> None:
    levels = user_level()
    for said in _integer_sentences(study):
        warnings.warn(said, IntegerColumnWarning, stacklevel=levels)
    for source, findings in looks(study):
        for finding in findings:
            warnings.warn(f"source {source.key!r}: {finding.sentence}", finding.kind, stacklevel=levels)
    for said in _repeated_truths(study):
        warnings.warn(said, SameTruths, stacklevel=levels)
    for said in _rare_classes(study):
        warnings.warn(said, RareClass, stacklevel=levels)
    for order in orders_of_costs(study):
        warnings.warn(f"{order}. To be sure, give costs by name, {{...}}", OrderOfClasses, stacklevel=levels)
    for spec in study.learners:
        if holds_frozen(spec.made):
            warnings.warn(
                f"learner {spec.key!r} was fitted before: if the rows of this fit are test rows here, its "
                "scores are too good",
                stacklevel=levels,
            )
    if getattr(type(progress), "note", None) is Silent.note:  # else the briefing says it
        for source in _read_datasets(study):
            if source.doubt_of_class:
                warnings.warn(
                    f"source {source.key!r}: {source.doubt_of_class}", InferredClassWarning, stacklevel=levels
                )


def _repeated_truths(study: Study) -> Iterator[str]:
    """Yield a sentence for each source with fewer truths than tests count."""
    for source in study.sources if study.design.blocks.independent else ():
        n = study.design.n_replicates(source.n_truths)
        if isinstance(source, Source) and source.is_given and n > source.n_truths:
            yield (
                f"source {source.key!r} has {count_of(source.n_truths, 'truth')} for {n} replicates, so that "
                "replicates with the same truth differ only by their rows. Intervals and tests treat "
                "replicates as independent truths, and hold only for these truths: give more truths, or "
                "replicates = 1 and several training_sets"
            )


def _rare_classes(study: Study) -> Iterator[str]:
    """Yield a sentence for each data set with a class of fewer rows than there are folds."""
    for source in _read_datasets(study):
        assert isinstance(study.design, Resampling)  # as of every study of data sets
        n_folds, content = study.design.n_folds, source.content
        counts = np.bincount(content.codes, minlength=len(content.classes))
        rare = [
            f"class {str(label)!r} has {count_of(n, 'row')}"
            for label, n in zip(content.classes, counts.tolist(), strict=True)
            if 1 < n < n_folds  # a single row is said to be one, whatever the design
        ]
        if rare:
            yield (
                f"source {source.key!r}: {truncate(rare, 3)} for {n_folds} folds: some training or test "
                f"parts lack {'it' if len(rare) == 1 else 'them'}, and metrics such as auc then use only the "
                "classes that occur"
            )


def _warn_of_failures(cells: pd.DataFrame, path: Path | None) -> None:
    again = ', and retry=("failed", "timed_out") computes them again' if path else ""
    failed = cells[cells["state"].isin(ENDED_WITHOUT_SCORES)]
    if len(failed):
        causes = failed["message"].groupby(failed["message"].map(first_clause), sort=False)
        often = sorted(((len(own), own.iloc[0]) for _, own in causes), key=lambda cause: -cause[0])
        said = [f"{n} with {sentence(message, MOST_OF_CAUSE)!r}" for n, message in often[:MOST_CAUSES]]
        more = f" and {count_of(len(often) - MOST_CAUSES, 'other cause')}" if len(often) > MOST_CAUSES else ""
        warnings.warn(
            f"{len(failed)} of {len(cells)} cells failed and have no scores, {', '.join(said)}{more}: "
            f"Results.cells() lists them{again}",
            FailedCells,
            stacklevel=user_level(),
        )


def _warn_of_single_classes(cells: pd.DataFrame) -> None:
    said = cells["message"].fillna("").str.contains(ONE_CLASS, regex=False)
    if said.any():
        warnings.warn(
            f"in {said.sum()} of {len(said)} cells {ONE_CLASS}. Other learners were fitted to such rows",
            OneClass,
            stacklevel=user_level(),
        )


def _warn_of_large_truths(results: StudyResults) -> None:
    """Report sources where only some truths have exact scores, and scores that no truth can have."""
    counts = results.not_enumerated()
    if results.study.content["scores"]["rows"] == ["exact"]:
        said = [
            f'{n} of {total} truths of {key!r} have no score without rows="test"'
            for key, (n, total) in counts.items()
        ]
    else:
        said = [
            f"{n} of {total} truths of {key!r} have scores on test rows only, so tables show test rows"
            for key, (n, total) in counts.items()
            if n < total  # whole sources, such as normal densities, are meant: reports show them
        ]
    if said:
        warnings.warn(f"{and_of(said)}: {TOO_LARGE}", MissingScores, stacklevel=user_level())


def _warn_of_unfit_metrics(cells: pd.DataFrame) -> None:
    said = cells["message"][cells["message"].fillna("").str.startswith(UNFIT)]
    if len(said):
        warnings.warn(
            f"{len(said)} of {len(cells)} cells lack a score, the first because {said.iloc[0]}",
            MissingScores,
            stacklevel=user_level(),
        )


def _warn_of_new_metrics(results: StudyResults, path: Path | None) -> None:
    """Report what was computed if the study asks for metrics that cells of earlier runs lack."""
    earlier = {
        metric for text in {*results.runs["study"][:-1]} for metric in StudyDocument.from_json(text).metrics
    }
    lacking: dict[str, int] = {}
    for key, n in results.missing_scores().items():
        if earlier and key.metric not in earlier and key.rows == "test":
            lacking[key.metric] = max(n, lacking.get(key.metric, 0))
    if lacking:
        said = and_of([f"{count_of(n, 'cell')} of earlier runs lack {key}" for key, n in lacking.items()])
        warnings.warn(
            f"{results.runs['computed'].iloc[-1]} of {count_of(len(results.cells()), 'cell')} were computed, "
            f"and {said}: workbench.rescore({str(path)!r}, {[*lacking]}) adds the scores that can be "
            "computed from stored predictions",
            MissingScores,
            stacklevel=user_level(),
        )


def _warn_of_interruption(results: StudyResults, path: Path | None) -> None:
    states = results.cells()["state"]
    again = "the same call computes the rest" if path else "with store= the same call would compute the rest"
    warnings.warn(
        f"stopped: {(states == 'done').sum()} of {len(states)} cells are done and returned, and {again}",
        Interrupted,
        stacklevel=user_level(),
    )


def _unread(study: Study) -> dict[str, str]:
    """Return the data sets that cannot be read, and why. Their computed cells are still identified."""
    return {s.key: s.unread for s in study.sources if isinstance(s, RowsSource) and s.known is not None}


def _rounds(study: Study, scores: Callable[[], Any]) -> Iterator[tuple[Cell, ...]]:
    """Yield the rounds of the design, without cells of optima where there is none."""
    truths = {source.key: source.n_truths for source in study.sources}
    facts = study.known_datasets
    n_rows, n_groups = ({key: getattr(f, n) for key, f in facts.items()} for n in ("n_rows", "n_groups"))
    plan = StudyOutline(truths, tuple(spec.key for spec in study.learners), scores, n_rows, n_groups)
    for cells in study.design.rounds(plan):
        yield tuple(cell for cell in cells if study.has_cell(cell.source, cell.replicate, cell.learner))


def _run_rounds(
    study: Study,
    store: Store,
    number: int,
    backend: Backend,
    retry: Collection[str],
    progress: Progress,
    *,
    rehearse: bool,
) -> None:
    def hand_out(task: Task) -> None:
        if not task.is_rehearsal:
            store.hand_out(identity for identity, _, _ in task.cells)

    compiles = Compiling(progress)
    failed: set[str] = set()
    for i, cells in enumerate(_rounds(study, lambda: results_of(store).frame())):
        identified = _identified(study, cells)
        store.plan(identified)
        store.retry([identity for identity, _ in identified], retry)
        pending = store.pending()
        missing = [(identity, cell) for identity, cell in identified if identity in pending]
        first = openings(study, missing) if i == 0 and backend.n_jobs != 1 else []
        opened = {identity for task in first for identity, _, _ in task.cells}
        rest = [pair for pair in missing if pair[0] not in opened]
        tasks = chain(first, tasks_of(study, rest, isolate=backend.isolates))
        if i == 0 and missing:
            _brief(study, store, number, missing, progress)
            if rehearse:
                tasks = chain(rehearsals(study, missing, isolate=backend.isolates), tasks)
        if i == 0 and len(missing) < len(cells):
            progress.note(f"{len(cells) - len(missing)} of {len(cells)} cells are in the store already")
        progress.start(len(missing), len(cells) - len(missing))
        places = dict(missing)
        work = WorkLeft(places.values())
        getattr(progress, "follow", lambda work: None)(work)
        with closing(backend.outcomes(tasks, hand_out, compiles=compiles)) as results:
            for outcomes in results:
                for said in _new_failures(outcomes, places, failed):
                    progress.note(said)
                for learner in _unsteady(outcomes):
                    said = _not_reproducible(learner)
                    store.describe_run(number, {f"{REPEAT_OF}{learner}": said})
                    progress.note(said)
                real = [outcome for outcome in outcomes if outcome.identity in places]
                store.record(number, real)
                for outcome in real:
                    work.end(places[outcome.identity], outcome)
                progress.advance(len(real), sum(outcome.state != "done" for outcome in real))
    compiles.end()


def _brief(
    study: Study, store: Store, number: int, missing: list[tuple[str, Cell]], progress: Progress
) -> None:
    """Report the classes and the input of each learner, and keep it with the run."""
    about = briefing(study, first_tasks(study, missing))
    store.describe_run(number, about)
    for line in lines_of(about):
        progress.note(line)


def _new_failures(outcomes: Iterable[Outcome], places: Mapping[str, Cell], failed: set[str]) -> Iterator[str]:
    """Report the first failure of each learner, in its trial or a cell."""
    for outcome in outcomes:
        if outcome.state == "done":
            continue
        cell = places.get(outcome.identity)
        if cell is None:  # which may need more rows
            learner = outcome.identity.removeprefix(REHEARSAL)
            yield f"{learner} fails in a rehearsal on a few rows: {outcome.message}"
        elif cell.learner not in failed:
            failed.add(cell.learner)
            yield f"{cell.learner} fails on {cell.source}, {cell.n_train} training rows: {outcome.message}"


def _unsteady(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """Yield the learners that are not reproducible, by their trials."""
    for outcome in outcomes:
        if outcome.message == UNSTEADY:
            yield outcome.identity.removeprefix(REHEARSAL)


def _not_reproducible(learner: str) -> str:
    return (
        f"learner {learner!r} is {UNSTEADY}: a second fit to the same rows gives other forecasts, so the "
        "same run would give other scores. Let it draw all random numbers from its parameter random_state"
    )


def _integer_sentences(study: Study) -> Iterator[str]:
    """Return once the warnings of all fits about integer columns with few values, and arrays with many."""
    for source in study.sources:
        given = source.rows[0] if isinstance(source, RowsSource) and source.rows is not None else None
        codes = None if given is None else array_of_codes(given)
        if codes is not None:
            columns = many_codes(codes)
            if columns:
                yield (
                    f"source {source.key!r}: {many_codes_sentence(columns)}. If they are numbers, give "
                    "floats or a DataFrame"
                )
    if not any(map(_goes_by_dtypes, (spec.made for spec in study.learners))):
        return
    for source in _read_datasets(study):
        names = [name for name, column in source.content.X.items() if holds_few_integers(column.array)]
        if names:
            yield _sentence(source, names)


def _read_datasets(study: Study) -> Iterator[RowsSource]:
    """Return the data sets that are read, and not only known from a store."""
    for source in study.sources:
        if isinstance(source, RowsSource) and source.known is None:
            yield source


def _goes_by_dtypes(learner: Any) -> bool:
    try:
        return adapt(learner) is learner and isinstance(getattr(learner, "categorical_features", 0), str)
    except Exception:  # of a learner's property, which fails its cells
        return False


def _sentence(source: RowsSource, names: list[Any]) -> str:
    """Name the columns, and how to declare them at their source."""
    how = 'give those that are nominal the dtype "category"'
    if isinstance(source, DatasetSource) and source.is_file:
        listed = ", ".join(f'"{name}"' for name in names)
        how = f'add nominal = [{listed}] next to dataset = "{source.dataset}", if they are nominal'
    return f"source {source.key!r}: {few_integers_sentence(names)}; {how}"
