"""Learners against a base learner, in the form of Weka's tester."""

from collections.abc import Iterator, Sequence
from math import nan
from typing import TYPE_CHECKING

from workbench.analyses import VersusBase
from workbench.analyses._shared.deciding import TESTS
from workbench.analyses._shared.so_far import so_far
from workbench.base.score_key import ScoreKey
from workbench.report.table import Cell, Number, Table, whole
from workbench.report.words import asked_keys

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["versus_lines"]

#: The family of Holm's correction.
FAMILIES = {
    "paired": "within each kind of truth",
    "five_by_two": "over the comparisons with {base} on each data set",
    "corrected": "over the comparisons with {base} on each data set",
}
UNCORRECTED = "not corrected for the number of comparisons"


def versus_lines(
    results: "StudyResults",
    base: str,
    *,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
    corrected: bool = True,
) -> Iterator[Table | str]:
    """Return the table of one score, on data sets of every metric unless one is named, and a legend."""
    keys = asked_keys(results, score) if results.on_datasets else [results.choose(score)]
    compared = [
        VersusBase.of(results, base, score=key, learners=learners, corrected=corrected) for key in keys
    ]
    yield from filter(None, [so_far(results)])
    for one in compared:
        yield from versus_parts(one)
        yield ""
    yield from _legend(compared[0])
    aside = results.study.other_learners([base, *compared[0].counts.index])
    if aside:
        yield f"in no test: {', '.join(aside)}"


def versus_parts(compared: VersusBase) -> Iterator[Table | str]:
    """Return means of all learners, marked where they differ from the base, with counts; then notes."""
    table, on_truths = compared.table, compared.test == "paired"
    learners = [compared.base, *compared.counts.index]
    found = {(row.source, row.n_train, row.learner): row for row in table.itertuples(index=False)}
    rows: list[tuple[Cell, ...]] = []
    for source, size in dict.fromkeys(zip(table["source"], table["n_train"], strict=True)):
        own = [found.get((source, size, key)) for key in learners]
        means = [Number(nan) if row is None else _marked(row.mean, row.mark) for row in own]
        rows.append((source, *([whole(size)] if on_truths else []), *means))
    counts = [f"({'/'.join(map(str, compared.counts.loc[key]))})" for key in learners[1:]]
    rows.append(("", *([""] if on_truths else []), "(v/ /*)", *counts))
    places = ("truths", "rows") if on_truths else ("data set",)
    how = "" if compared.corrected else f"; {UNCORRECTED}"
    yield Table(f"{compared.score.words}: {compared.metric.measure}{how}", (*places, *learners), tuple(rows))
    yield from compared.notes


def _marked(mean: float, mark: object) -> Number:
    return Number(mean, 4, mark=mark if isinstance(mark, str) else "")  # missing without a test


def _legend(compared: VersusBase) -> Iterator[str]:
    yield f"v: better than {compared.base}, *: worse, by {TESTS[compared.test]} at 5%,"
    family = FAMILIES[compared.test].format(base=compared.base)
    yield f"with Holm's correction {family}" if compared.corrected else UNCORRECTED
    of = "kinds of truth and sizes" if compared.test == "paired" else "data sets"
    yield f"(v/ /*): numbers of {of} with each mark"
