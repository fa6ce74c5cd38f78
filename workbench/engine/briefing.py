"""What a study is about to do, in a line each: the class of each source, and what each learner is given."""

from collections.abc import Iterator, Mapping

from workbench.base.text import and_of
from workbench.engine.problem import build_problem
from workbench.engine.worker import Task
from workbench.estimators.foreign import ForeignClassifier, adapt
from workbench.estimators.inputs import FittedInput
from workbench.store.results import INPUT_OF
from workbench.study.dataset_source import DatasetSource
from workbench.study.study import Study

__all__ = ["briefing", "lines_of"]

#: The largest number of classes, and of sources, that are listed.
MOST_CLASSES, MOST_SOURCES = 6, 6


def briefing(study: Study, first: Task) -> dict[str, str]:
    """Describe sources and learners.

    Parameters
    ----------
    study : Study
    first : Task
        The first one, whose training rows show what learners are given.

    Returns
    -------
    dict
        What is described to its description, such as "class of heart" and "input of lr".
    """
    return {**dict(_sources(study)), **dict(_learners(study, first))}


def _sources(study: Study) -> Iterator[tuple[str, str]]:
    for source in study.sources[:MOST_SOURCES]:
        if isinstance(source, DatasetSource) and source.known is None:
            yield f"class of {source.key}", _class_of(source)
    if len(study.sources) > MOST_SOURCES:
        rest = len(study.sources) - MOST_SOURCES
        yield "more sources", f"{rest} more"


def _class_of(source: DatasetSource) -> str:
    content = source.content
    classes = [str(label) for label in content.classes]
    listed = and_of(classes) if len(classes) <= MOST_CLASSES else f"{', '.join(classes[:MOST_CLASSES])}, ..."
    name = "y" if content.y.name is None else repr(content.y.name)
    how = ", the last column" if source.takes_last_column else ""
    return f"{name}{how}: {listed}"


def lines_of(about: Mapping[str, str]) -> Iterator[str]:
    """Yield a line for each source, and one for each group of learners that are given the same."""
    alike: dict[str, list[str]] = {}
    for what, line in about.items():
        if what.startswith(INPUT_OF):
            alike.setdefault(line, []).append(what.removeprefix(INPUT_OF))
        else:
            yield f"{what}: {line}"
    for line, names in alike.items():
        yield f"{', '.join(names)}: {line}"


def _learners(study: Study, first: Task) -> Iterator[tuple[str, str]]:
    try:
        problem = build_problem(first.spec)
        X = problem.training_rows(first.n_train, first.training_set)[0]
    except Exception:  # a generator of the user's, which fails its cells
        return
    where = f" (on {first.cells[0][1].source})" if len(study.sources) > 1 else ""
    for spec in study.learners:
        adapted = adapt(spec.build(), spec.input, problem.given)
        form = "categories" if not isinstance(adapted, ForeignClassifier) else spec.input
        inner = adapted.estimator if isinstance(adapted, ForeignClassifier) else adapted
        try:
            given = FittedInput.of(X, inner, form, problem.given).describe()
        except Exception:  # of a learner's property, say, which fails its cells
            continue
        yield f"{INPUT_OF}{spec.key}", f"{given}{where}"
