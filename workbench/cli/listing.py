"""What a study can name, as lines; learners also as a table of what they do with a table."""

import inspect
from collections.abc import Collection, Iterator
from functools import partial
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from learners.facts import MISSING, NUMBERS, WEIGHTS, LearnerFacts
from workbench.base import catalogue
from workbench.base.identity import OURS
from workbench.cli.parameters import parameters_of
from workbench.estimators.learner_facts import facts_of
from workbench.report.renderers.terminal import lines_of, print_table
from workbench.report.table import Cell, Number, Table

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["dataset_lines", "family_lines", "member_lines", "print_learners"]


def family_lines(family: str) -> Iterator[str]:
    """Return a line for each key of a family, and for keys that are ignored."""
    keys = catalogue.keys(family)
    width = max((len(key) for key in keys), default=0)
    yield f"{family}:"
    for key in keys:
        yield f"  {key:{width}} {catalogue.summary(family, key)}"
    yield from _repeated_lines(family)


def dataset_lines(data: Path | None) -> Iterator[str]:
    """Return a line for each data set of the papers: its size, and where it was found."""
    from workbench.datasets import list_datasets

    rows: list[tuple[Cell, ...]] = []
    for row in list_datasets(data).fillna(-1).itertuples():
        sizes = (row.rows, row.attributes, row.classes)
        numbers = (Number(nan, words="?") if n < 0 else Number(float(n)) for n in sizes)
        place = row.found if row.found == "bundled" else f"{row.found}: {row.where}"
        rows.append((str(row.key), *numbers, place, str(row.differs)))
    columns = (
        "key",
        "rows",
        "attributes",
        "classes",
        "found",
        "of a version: what differs (which paper fits)",
    )
    yield from lines_of([Table("", columns, tuple(rows))])


def print_learners(console: "Console") -> None:
    """Print what each learner does with numbers, missing values and weights, and what the words mean."""
    facts = {key: facts_of(key) for key in catalogue.keys("learners")}
    rows = tuple((key, fact.numbers, fact.missing, fact.weights) for key, fact in facts.items())
    print_table(Table("", ("learner", "numbers", "missing values", "weights"), rows), console, fold="last")
    for line in _repeated_lines("learners"):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    for line in _legend(facts.values()):
        console.print(line, markup=False, highlight=False)


def member_lines(family: str, key: str) -> Iterator[str]:
    """Return what a member does, its parameters, and the facts of a learner."""
    found = catalogue.find(family, key)
    yield f"{key}: {catalogue.summary(family, key)}"
    if family == "learners":
        yield from _facts_lines(key, facts_of(key))
    fixed = found.keywords if isinstance(found, partial) else {}
    made = found.func if isinstance(found, partial) else found
    own = str(getattr(made, "__module__", "")).partition(".")[0] in OURS
    for parameter in parameters_of(made):
        if parameter.name not in fixed:
            yield f"  {parameter.name} ({parameter.kind})"
            if own:  # else what its own documentation says, at length
                yield f"      {parameter.meaning}"


def _facts_lines(key: str, fact: LearnerFacts) -> Iterator[str]:
    for head, found in (
        ("class", _class_name(key)),
        ("paper", _paper(key, fact)),
        ("numbers", f"{fact.numbers}: {NUMBERS[fact.numbers]}"),
        ("missing values", f"{fact.missing}: {MISSING[fact.missing]}"),
        ("weights", f"{fact.weights}: {WEIGHTS[fact.weights]}"),
        ("fitted, it also has", ", ".join(fact.also)),
        ("limits", fact.limit),
    ):
        if found:
            yield f"  {head}: {found}"


def _repeated_lines(family: str) -> Iterator[str]:
    """Report keys of installed packages that are ignored because they are ours already."""
    for key, place in catalogue.repeated(family).items():
        yield f"{key!r} is the built-in one; ignored: {place}, with the same key"


def _paper(key: str, fact: LearnerFacts) -> str:
    """Return authors, year and title, or the package that adds a key."""
    if fact.authors:
        return f"{fact.authors}{f' {fact.year}' if fact.year else ''}: {fact.title}"
    package = catalogue.package_of("learners", key)
    return f"package {package}" if package else ""


def _class_name(key: str) -> str:
    """Return the name of a key's class, also where a function makes it; empty if it is not installed."""
    if catalogue.is_missing("learners", key):
        return ""
    found: Any = catalogue.find("learners", key)
    made = found.func if isinstance(found, partial) else found
    if inspect.isfunction(made):
        made = inspect.get_annotations(made).get("return", made)
    return getattr(made, "__name__", str(made))


def _legend(facts: Collection[LearnerFacts]) -> Iterator[str]:
    """Return what the words in use mean."""
    for head, name, meanings in (
        ("numbers", "numbers", NUMBERS),
        ("missing values", "missing", MISSING),
        ("weights", "weights", WEIGHTS),
    ):
        used = {getattr(fact, name) for fact in facts}
        yield f"\n{head}:"
        yield from (f"  {word}: {meaning}" for word, meaning in meanings.items() if word in used)
    yield "\nworkbench list learners KEY: what it is, its paper, parameters and limits"
