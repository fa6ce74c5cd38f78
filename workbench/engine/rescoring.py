"""Add scores to a finished study from its stored predictions, without fitting."""

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import pandas as pd

from generators.tables.caller import user_level
from workbench.base.errors import LeftOutWarning, WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.base.text import count_of
from workbench.base.threads import one_inner_thread
from workbench.engine.problem import DrawSpec, ForecastRows, Problem, SplitSpec, build_problem, spec_of
from workbench.engine.progress import Progress, Silent, chosen
from workbench.engine.provenance import provenance
from workbench.engine.scoring import fitting, priors_of, score
from workbench.metrics import Metric
from workbench.store import schema
from workbench.store.metrics import combined
from workbench.store.outcome import Prediction, Score
from workbench.store.reading import kept_predictions, read_frames
from workbench.store.restored_study import restore
from workbench.store.results import StudyResults, results_of
from workbench.store.writing import Store
from workbench.study.rows_source import AnySource
from workbench.study.scores import Scores, of_datasets
from workbench.study.stored_metrics import stored_spec

__all__ = ["Rescored", "rescore_store"]


@dataclass(frozen=True)
class Rescored:
    """The scores that were added."""

    results: StudyResults  # of the whole study, with the new scores
    n_scores: int  # added
    n_cells: int  # that they were added to
    n_found: int  # cells that had all of them before
    left_out: tuple[str, ...]  # a sentence for each score that cannot be added


@dataclass(frozen=True)
class _Group:
    """Cells that share their training rows, with the scores that each lacks."""

    spec: DrawSpec | SplitSpec
    n_train: int
    training_set: int
    in_file_order: bool
    cells: dict[int, list[ScoreKey]] = field(default_factory=dict)
    digests: set[str] = field(default_factory=set)


def rescore_store(
    store: str | Path,
    metrics: Sequence[str | Metric] | Mapping[str, str | Metric] | Metric | str,
    *,
    priors: Sequence[str] = (),
    cutoffs: Sequence[str] = (),
    data: str | Path | None = None,
    on: Mapping[str, AnySource] | None = None,
    progress: Progress | bool | None = None,
) -> Rescored:
    """Score the stored predictions of a study by further metrics, see `workbench.rescore`."""
    path = Path(store)
    with schema.plain_errors(path), closing(schema.read_only(path)) as connection:
        stored = StudyResults(**read_frames(connection, path))
        kept = {cell for (cell,) in connection.execute("SELECT cell FROM predictions")}
        asked = _asked(stored, metrics, priors, cutoffs)
        combined(connection, path, asked.metrics, asked.descriptions)
    keys, left_out = _wanted(stored, asked)
    done = stored._cells[stored._cells["state"] == "done"]
    lacking = _lacking(stored, done, keys)
    unkept = sum(cell not in kept for cell in lacking)
    if unkept:
        left_out.append(
            f"{count_of(unkept, 'cell')} without stored predictions: run the study in a new store"
        )
    todo = {cell: own for cell, own in lacking.items() if cell in kept}
    display = Silent() if progress is None else chosen(progress)
    with one_inner_thread():
        groups, unbuilt = _groups(stored, path, done, todo, data, on) if todo else ([], ())
        left_out += unbuilt
        for sentence in unbuilt:
            warnings.warn(sentence, LeftOutWarning, stacklevel=user_level())
        with schema.plain_errors(path), Store.open(path, stored.study.name, stored.study.seed) as opened:
            opened.define_metrics(asked.metrics, asked.descriptions)
            display.start(sum(len(group.cells) for group in groups), len(done) - len(lacking))
            try:
                sampled = {*stored._scores["cell"][stored._scores["mc_error"] != 0]}
                n_scores, n_cells, unscored = _write(opened, groups, sampled, asked, display)
            finally:
                display.stop()
            if n_scores:
                opened.note_scoring(dict.fromkeys(key.metric for key in keys), provenance()["commit"])
            results = results_of(opened)
    left_out += unscored
    if not n_scores and (not keys or len(lacking) == len(done)):
        raise WorkbenchError("; ".join(left_out) or f"{path} has no cell that is done")
    return Rescored(results, n_scores, n_cells, len(done) - len(lacking), tuple(left_out))


def _asked(stored: StudyResults, metrics: Any, priors: Sequence[str], cutoffs: Sequence[str]) -> Scores:
    """Return the requested scores of test rows, whether or not they can be computed."""
    of_study = stored.study.content["scores"]
    entries: Any = (metrics,) if isinstance(metrics, str | Metric) else metrics
    if isinstance(entries, list | tuple):
        known = stored.definitions
        entries = [
            stored_spec(one, known[one]) if isinstance(one, str) and one in known else one for one in entries
        ]
    return Scores(
        entries, tuple(priors or of_study["priors"]), ("test",), tuple(cutoffs or of_study["cutoffs"])
    )


def _wanted(stored: StudyResults, asked: Scores) -> tuple[tuple[ScoreKey, ...], list[str]]:
    """Return the scores that can be computed on test rows, and why others cannot."""
    keys = tuple(key for key in asked.keys if key.rows == "test")
    names, left_out = dict.fromkeys(key.metric for key in keys), []
    if stored.study.on_datasets:
        keys = of_datasets(keys, metric=asked.metric)
        there = dict.fromkeys(key.metric for key in keys)
        lost = [name for name in names if name not in there]
        why = "cannot be computed on data sets (unknown truth): use other metrics, or the prior training"
        names, left_out = there, [f"{', '.join(lost)} {why}"] if lost else []
    return keys, [*left_out, *_unkept(stored, asked, names)]


def _unkept(stored: StudyResults, asked: Scores, of_rows: Iterable[str]) -> Iterator[str]:
    """Report which scores need more than the forecasts of the test rows."""
    rows = stored.study.content["scores"]["rows"]
    there = {*stored._scores[["rows", "metric"]].drop_duplicates().itertuples(index=False, name=None)}
    how = "cannot be added, as {} are not kept: run a study with them in a new store"
    exact = [name for name in of_rows if asked.metric(name).has_expected and ("exact", name) not in there]
    if exact and "exact" in rows and stored._cells["exact"].eq(1).any():
        yield f"exact scores of {', '.join(exact)} {how.format('forecasts over the whole attribute space')}"
    training = [name for name in of_rows if ("training", name) not in there]
    if training and "training" in rows:
        yield f"training scores of {', '.join(training)} {how.format('answers on the training rows')}"
    theories = [key.metric for key in asked.keys if "theory" in asked.metric(key.metric).needs]
    if theories:
        yield f"scores of fitted theories ({', '.join(theories)}) {how.format('fitted learners')}"


def _lacking(stored: StudyResults, done: pd.DataFrame, keys: Iterable[ScoreKey]) -> dict[int, list[ScoreKey]]:
    """Return the cells that lack scores, with these scores."""
    by_score = stored._scores.groupby(list(ScoreKey._fields), observed=True)["cell"]
    there = {ScoreKey(*key): {*own} for key, own in by_score}
    lacking = {cell: [key for key in keys if cell not in there.get(key, ())] for cell in done["cell"]}
    return {cell: own for cell, own in lacking.items() if own}


def _groups(
    stored: StudyResults,
    path: Path,
    done: pd.DataFrame,
    todo: Mapping[int, list[ScoreKey]],
    data: str | Path | None,
    on: Mapping[str, AnySource] | None,
) -> tuple[list[_Group], tuple[str, ...]]:
    """Group the cells whose sources are available, after checking that all test rows are unchanged."""
    try:
        restored = restore(stored.study, path, data=data, on=on)
    except WorkbenchError as error:
        raise WorkbenchError(f"{error} (nothing was written)") from error
    sources = {source.key for source in restored.study.sources}
    in_file_order = stored.study.in_file_order
    groups: dict[tuple[Any, ...], _Group] = {}
    for cell in done.itertuples():
        if cell.cell in todo and cell.source in sources:
            spec = spec_of(restored.study, cell)
            place = (spec, cell.n_train, cell.training_set, cell.learner in in_file_order)
            group = groups.setdefault(place, _Group(*place))
            group.cells[cell.cell] = todo[cell.cell]
            group.digests.add(cell.test_digest)
    for group in groups.values():
        if group.digests != {build_problem(group.spec).test_digest}:
            raise WorkbenchError(
                f"source {group.spec.source.key!r} has other test rows than when the study was run "
                f"(replicate {group.spec.replicate}): use the data and the versions of that run, or run the "
                "study in a new store (nothing was written)"
            )
    return list(groups.values()), restored.left_out


def _write(
    store: Store, groups: list[_Group], sampled: set[int], asked: Scores, progress: Progress
) -> tuple[int, int, list[str]]:
    """Score group by group, and return the numbers of scores and cells, and what could not be scored."""
    # the forecasts of `sampled` cells have an error, but only their mean is kept
    n_scores = n_cells = 0
    troubles: Counter[tuple[str, str]] = Counter()
    metrics = {spec.key: spec.made for spec in asked.definitions}
    for group in groups:
        problem = build_problem(group.spec)
        X, y = problem.training_rows(group.n_train, group.training_set)
        fit, unfit = fitting(metrics, problem.classes)
        given = {"priors": priors_of(problem, problem.codes(y)), "n_train": len(X), "metrics": fit}
        for metric, why in unfit.items():
            troubles[metric, why] += len(group.cells)
        kept = kept_predictions(store.connection, group.cells)
        if kept.keys() != group.cells.keys():  # they existed when the cells were chosen
            raise WorkbenchError(f"{store.path} is damaged (predictions are lost): restore a copy of it")
        found = {
            cell: [
                replace(one, mc_error=None) if cell in sampled else one
                for one in _scores_of(
                    *_answered(problem, kept[cell], group),
                    [key for key in keys if key.metric not in unfit],
                    given,
                    troubles,
                )
            ]
            for cell, keys in group.cells.items()
        }
        store.add_scores(found)
        n_scores += sum(map(len, found.values()))
        n_cells += sum(map(bool, found.values()))
        progress.advance(len(found), 0)
    unscored = [
        f"{metric} has no value on {count_of(n, 'cell')}: {why}" for (metric, why), n in troubles.items()
    ]
    return n_scores, n_cells, unscored


def _answered(problem: Problem, kept: Prediction, group: _Group) -> tuple[ForecastRows, Any, Any]:
    """Return the test rows in the order in which the learner is scored, with its probabilities and sets."""
    if not group.in_file_order:
        return problem.test, kept.y_prob, kept.y_set
    rows, (y_prob, y_set) = problem.test.in_file_order((kept.y_prob, kept.y_set))
    return rows, y_prob, y_set


def _scores_of(
    rows: ForecastRows,
    y_prob: Any,
    y_set: Any,
    keys: Iterable[ScoreKey],
    given: Mapping[str, Any],
    troubles: Counter[tuple[str, str]],
) -> Iterator[Score]:
    """Score one cell, metric by metric. Failed and undefined scores are counted and affect no other."""
    for metric, group in groupby(keys, key=lambda key: key.metric):
        own = list(group)
        try:
            found = list(score(rows, y_prob, keys=own, y_set=y_set, **given))
        except Exception as error:  # a user's metric may raise anything
            troubles[metric, (str(error).splitlines() or [type(error).__name__])[0]] += 1
            continue
        if len(found) < len(own):
            troubles[metric, "it is undefined on their test rows"] += 1
        yield from found
