"""The summary before a run, in lines: the class of each source, and the input of each learner."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import pandas as pd

from workbench.base.legacy_options import ALL_ROWS, LEAK
from workbench.base.names import learner_name
from workbench.base.text import and_of
from workbench.datasets._shared.findings import TableFinding
from workbench.datasets.registry import BY_NAME
from workbench.designs import Resampling
from workbench.engine.problem import build_problem
from workbench.engine.worker import Task
from workbench.estimators.inputs import FittedInput, converting, is_ours
from workbench.metrics import CostMatrix
from workbench.store.results import FOUND_IN, INPUT_OF, OPTIMUM_OF
from workbench.study.dataset_source import DatasetSource
from workbench.study.rows_source import RowsSource
from workbench.study.study import Study

__all__ = ["briefing", "lines_of", "looks", "orders_of_costs"]

#: The largest number of classes, and of sources, that are listed.
MOST_CLASSES, MOST_SOURCES = 6, 6

#: Training rows as declared and as given, and what returns all rows with numbers cut on them.
FirstRows = tuple[pd.DataFrame, pd.DataFrame | None, Callable[[], pd.DataFrame] | None]


def briefing(study: Study, first: Iterable[Task]) -> dict[str, str]:
    """Describe sources and learners, from the first task of each source: "class of heart", "input of lr"."""
    return {
        **dict(_sources(study)),
        **dict(_costs(study)),
        **dict(_optima(study)),
        **dict(_learners(study, first)),
        **dict(_found(study)),
    }  # fmt: skip


def _sources(study: Study) -> Iterator[tuple[str, str]]:
    for source in study.sources[:MOST_SOURCES]:
        if isinstance(source, RowsSource) and source.known is None:
            yield f"class of {source.key}", _class_of(source)
            if n := source.content.n_groups:
                yield (
                    f"groups of {source.key}",
                    f"{n} in {len(source.content.codes)} rows, no group in both training and test rows",
                )
    if len(study.sources) > MOST_SOURCES:
        rest = len(study.sources) - MOST_SOURCES
        yield "more sources", f"{rest} more"


def _class_of(source: RowsSource) -> str:
    content = source.content
    classes = [str(label) for label in content.classes]
    listed = and_of(classes) if len(classes) <= MOST_CLASSES else f"{', '.join(classes[:MOST_CLASSES])}, ..."
    name = "y" if content.y.name is None else repr(content.y.name)
    how = ", the last column" if source.takes_last_column else ""
    return f"{name}{how}: {listed}"


def _costs(study: Study) -> Iterator[tuple[str, str]]:
    """Yield what costs are for, with the classes that a table of numbers does not name."""
    for source in study.sources[:MOST_SOURCES] if study.scores.definitions else ():
        for classes in source.known_classes(study.seed)[:1]:
            for spec in study.scores.definitions:
                named = spec.made.of_classes(classes)
                if named is not spec.made:
                    yield f"{spec.key} of {source.key}", named.meaning


def orders_of_costs(study: Study) -> Iterator[str]:
    """Yield what costs by position are for, with the class names of the first source that has any."""
    own = ((spec.key, spec.made) for spec in study.scores.definitions)
    by_order = [(key, made) for key, made in own if isinstance(made, CostMatrix) and made.goes_by_order]
    for source in study.sources[:MOST_SOURCES] if by_order else ():
        for classes in source.known_classes(study.seed)[:1]:
            if any(isinstance(label, str) and not label.isdecimal() for label in classes):
                rows = ", ".join(repr(str(label)) for label in classes)
                for costs in dict.fromkeys(made.costs for _, made in by_order):
                    (key, first), *more = (one for one in by_order if one[1].costs == costs)
                    names = and_of([repr(key), *(repr(other) for other, _ in more)])
                    verb = f"metrics {names} assign" if more else f"metric {names} assigns"
                    what = first.of_classes(classes).meaning.partition(": ")[2]
                    yield f"{verb} costs in the order of the classes, {rows}: {what}"
                return


def lines_of(about: Mapping[str, str]) -> Iterator[str]:
    """Yield a line for each source, and for each group of sources or learners with the same text."""
    alike: dict[tuple[str, str], list[str]] = {}
    for what, line in about.items():
        if what.startswith(FOUND_IN):
            continue  # a warning says it
        prefix = next((word for word in (INPUT_OF, OPTIMUM_OF) if what.startswith(word)), None)
        if prefix is None:
            yield f"{what}: {line}"
        else:
            name = what.removeprefix(prefix)
            alike.setdefault((prefix, line), []).append(learner_name(name) if prefix == INPUT_OF else name)
    for (prefix, line), names in alike.items():
        yield f"{'' if prefix == INPUT_OF else prefix}{', '.join(names)}: {line}"


def _found(study: Study) -> Iterator[tuple[str, str]]:
    """Yield the findings of the checks of each data set."""
    for source, findings in looks(study):
        yield f"{FOUND_IN}{source.key}", ". ".join(finding.sentence for finding in findings)


def looks(study: Study) -> Iterator[tuple[RowsSource, tuple[TableFinding, ...]]]:
    """Yield the files and given rows with findings, without the classic data sets."""
    for source in study.sources:
        if isinstance(source, RowsSource) and source.known is None:
            is_classic = isinstance(source, DatasetSource) and str(source.dataset).lower() in BY_NAME
            if not is_classic and source.content.findings:
                yield source, source.content.findings


def _optima(study: Study) -> Iterator[tuple[str, str]]:
    """Yield the law of each source, or why it has no optimum, if a learner uses one."""
    if not study.asks_for_laws:
        return
    for source in study.sources:
        found = [study.laws.words(source.key, place) for place in study.laws.replicates(source)]
        yield f"{OPTIMUM_OF}{source.key}", "; ".join(dict.fromkeys(found))


def _learners(study: Study, first: Iterable[Task]) -> Iterator[tuple[str, str]]:
    rows = dict(_first_rows(study, first))
    for spec in study.learners:
        alike: dict[str, list[str]] = {}
        for source, (X, given, cut) in rows.items():
            leak = ""
            try:
                if spec.cut_on == ALL_ROWS and cut is not None:
                    X, given, leak = cut().loc[X.index], None, LEAK
                described = and_of(list(dict.fromkeys(_described(spec.made, X, given, spec.input)))) + leak
            except Exception:  # of a learner's property, say, which fails its cells
                continue
            alike.setdefault(described, []).append(source)
        everywhere = len(alike) == 1 and len(rows) == len(study.sources)
        lines = [what if everywhere else f"{what} (on {and_of(names)})" for what, names in alike.items()]
        if lines:
            yield f"{INPUT_OF}{spec.key}", "; ".join(lines)


def _first_rows(study: Study, first: Iterable[Task]) -> Iterator[tuple[str, FirstRows]]:
    """Yield a source and its first rows, for truths only the first truth."""
    most = MOST_SOURCES if isinstance(study.design, Resampling) else 1  # drawing a truth may take long
    for task in islice(first, most):
        try:
            problem = build_problem(task.spec)
            X = problem.training_rows(task.n_train, task.training_set)[0]
        except Exception:  # a generator of the user's, which fails its cells
            continue
        yield task.cells[0][1].source, (X, problem.given, problem.cut)


def _described(estimator: Any, X: pd.DataFrame, given: pd.DataFrame | None, form: str | None) -> list[str]:
    """Describe the input of an estimator, or of each inner estimator that converts the rows."""
    inside = [] if form else list(converting(estimator))
    if inside:
        return [line for one in inside for line in _described(one, X, given, None)]
    form = form or ("categories" if is_ours(estimator) else None)
    return [FittedInput.of(X, estimator, form, given).describe()]
