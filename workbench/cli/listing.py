"""What a study can name, as lines; learners also as a table of what they do with a table."""

import inspect
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from math import nan
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from generators.altered import ALTERATIONS, altered
from generators.targeted import TARGETS, draw_with
from learners.facts import MISSING, NUMBERS, WEIGHTS, LearnerFacts
from workbench.base import catalogue
from workbench.base.errors import WorkbenchError
from workbench.base.identity import OURS
from workbench.base.names import learner_name, metric_name, source_name
from workbench.cli.parameters import parameters_of
from workbench.estimators.learner_facts import facts_of
from workbench.estimators.rivals import RIVALS
from workbench.report.renderers.terminal import lines_of, print_table
from workbench.report.table import Cell, Number, Table

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["dataset_lines", "family_lines", "member_lines", "print_learners"]

#: How people name the members of a family.
NAMES = {"learners": learner_name, "metrics": metric_name, "generators": source_name}


def family_lines(family: str, columns: int) -> Iterator[str]:
    """Return lines of so many columns for each key of a family, and for keys that are ignored."""
    yield f"{family}:"
    yield from _table_lines({key: catalogue.summary(family, key) for key in catalogue.keys(family)}, columns)
    yield from _repeated_lines(family)
    if family == "generators":
        yield "every generator also takes, as a source:"
        further = [*parameters_of(altered), *parameters_of(draw_with)]
        taken = {one.name: one.meaning for one in further if one.name in {*ALTERATIONS, *TARGETS}}
        yield from _table_lines(taken, columns)


def _table_lines(meanings: Mapping[str, str], columns: int) -> Iterator[str]:
    """Return the lines of words and what they mean, which goes on below itself."""
    width = max(map(len, meanings), default=0)
    for word, meaning in meanings.items():
        yield from wrap(
            f"{word:{width}} {meaning}",
            columns,
            initial_indent="  ",
            subsequent_indent=" " * (width + 3),
            break_on_hyphens=False,
        )


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
        "versions: differences (and the paper that seems to have used it)",
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
    name = NAMES[family](key) if family in NAMES else key
    yield f"{key if name == key else f'{key} ({name})'}: {catalogue.summary(family, key)}"
    if family == "learners":
        yield from _facts_lines(key, facts_of(key))
    try:
        found = catalogue.find(family, key)
    except WorkbenchError as error:
        if not catalogue.is_missing(family, key):
            raise
        yield f"  {error}"
        return
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
    """Return the name of a key's class, also where a function makes it, or it is not installed."""
    if catalogue.is_missing("learners", key):
        return str(RIVALS[key].place.rpartition(":")[2])
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
