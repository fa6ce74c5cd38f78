"""What a study can name, as lines; learners also as a table of their requirements and outputs."""

import inspect
from collections.abc import Iterator, Mapping
from functools import partial
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from learners.facts import ANSWERS, MISSING, NUMBERS, WEIGHTS, LearnerFacts
from workbench.base import catalogue
from workbench.estimators.learner_facts import facts_of
from workbench.report.renderers.terminal import lines_of, print_table
from workbench.report.table import Cell, Number, Table

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["dataset_lines", "family_lines", "print_learners"]


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
    """Print the learners, what they need and return, and a legend."""
    facts = {key: facts_of(key) for key in catalogue.keys("learners")}
    print_table(_who(facts), console, fold="last")
    console.print()
    print_table(_what(facts), console, fold="last")
    for line in _repeated_lines("learners"):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    for line in _legend(facts):
        console.print(line, markup=False, highlight=False)


def _repeated_lines(family: str) -> Iterator[str]:
    """Report keys of installed packages that are ignored because they are ours already."""
    for key, place in catalogue.repeated(family).items():
        yield f"{key!r} is the built-in one; ignored: {place}, with the same key"


def _who(facts: Mapping[str, LearnerFacts]) -> Table:
    rows = tuple((key, _class_name(key), _paper(key, fact)) for key, fact in facts.items())
    return Table("", ("learner", "class", "paper"), rows)


def _what(facts: Mapping[str, LearnerFacts]) -> Table:
    rows = tuple(
        (
            key,
            fact.numbers,
            fact.missing,
            fact.weights,
            ", ".join(dict.fromkeys(ANSWERS[name] for name in fact.also)),
        )
        for key, fact in facts.items()
    )
    return Table("", ("learner", "numbers", "missing", "weights", "beyond predict_proba"), rows)


def _paper(key: str, fact: LearnerFacts) -> str:
    """Return authors, year and title, or the package that adds a key; for a variant its parameters."""
    package = catalogue.package_of("learners", key)
    authors = fact.authors if fact.year is None else f"{fact.authors} {fact.year}"
    paper = f"{authors}: {fact.title}" if fact.authors else package and f"package {package}"
    if catalogue.is_missing("learners", key):
        return catalogue.summary("learners", key)
    found = catalogue.find("learners", key)
    if not isinstance(found, partial):
        return paper
    meant = catalogue.summary("learners", key)
    own = getattr(found.func, "facts", None)
    return f"{meant} {paper}" if own and own.variants[key].differs else meant


def _class_name(key: str) -> str:
    """Return the name of a key's class, also where a function makes it; empty if it is not installed."""
    if catalogue.is_missing("learners", key):
        return ""
    found: Any = catalogue.find("learners", key)
    made = found.func if isinstance(found, partial) else found
    if inspect.isfunction(made):
        made = inspect.get_annotations(made).get("return", made)
    return getattr(made, "__name__", str(made))


def _legend(facts: Mapping[str, LearnerFacts]) -> Iterator[str]:
    """Return what the words in use mean, and which learners have limits."""
    for head, name, meanings in (
        ("numbers", "numbers", NUMBERS),
        ("missing values", "missing", MISSING),
        ("weights", "weights", WEIGHTS),
    ):
        used = {getattr(fact, name) for fact in facts.values()}
        yield f"\n{head}:"
        yield from (f"  {word:16}  {meaning}" for word, meaning in meanings.items() if word in used)
    yield "\nbeyond predict_proba, of the fitted learner:"
    for word in dict.fromkeys(ANSWERS.values()):
        yield f"  {word:12}  {', '.join(path for path, meant in ANSWERS.items() if meant == word)}"
    yield "\nlimits of size or memory:"
    for limit in dict.fromkeys(fact.limit for fact in facts.values() if fact.limit):
        bound = ", ".join(key for key, fact in facts.items() if fact.limit == limit)
        yield f"  {bound}: {limit}"
    yield "\nFacts hold for learners with default options. None of ours needs an extra package."
