"""Learners against a base learner, in the form of Weka's tester."""

from collections.abc import Iterator, Sequence
from math import nan
from typing import TYPE_CHECKING

from workbench.analyses import ComparisonToBase
from workbench.analyses._shared.partial_results import partial_note
from workbench.base.names import learner_list, learner_name, source_name
from workbench.base.score_key import ScoreKey
from workbench.report.table import Cell, Number, Table, whole
from workbench.report.words import asked_keys

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["comparison_to_base_lines"]

UNCORRECTED = "not corrected for the number of comparisons"


def comparison_to_base_lines(
    results: "StudyResults",
    base: str,
    *,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
    corrected: bool = True,
) -> Iterator[Table | str]:
    """Return the table of one score, without sizes of every metric unless one is named, and a legend."""
    keys = [results.choose(score)] if results.design.blocks.has_sizes else asked_keys(results, score)
    compared = [
        ComparisonToBase.of(results, base, score=key, learners=learners, corrected=corrected) for key in keys
    ]
    yield from filter(None, [partial_note(results)])
    for one in compared:
        yield from comparison_to_base_parts(one)
        yield ""
    yield from _legend(compared[0])
    aside = results.study.other_learners([base, *compared[0].counts.index])
    if aside:
        yield f"in no test: {learner_list(aside)}"


def comparison_to_base_parts(compared: ComparisonToBase) -> Iterator[Table | str]:
    """Return means of all learners, marked where they differ from the base, with counts; then notes."""
    table, by = compared.table, compared.by
    learners = [compared.base, *compared.counts.index]
    found = {(row.source, row.n_train, row.learner): row for row in table.itertuples(index=False)}
    rows: list[tuple[Cell, ...]] = []
    for source, size in dict.fromkeys(zip(table["source"], table["n_train"], strict=True)):
        own = [found.get((source, size, key)) for key in learners]
        means = [Number(nan) if row is None else _marked(row.mean, row.mark) for row in own]
        name = source_name(source) if by.has_sizes else source
        rows.append((name, *([whole(size)] if by.has_sizes else []), *means))
    counts = [f"({'/'.join(map(str, compared.counts.loc[key]))})" for key in learners[1:]]
    rows.append(("", *([""] if by.has_sizes else []), "(v/ /*)", *counts))
    places = (by.many, "rows") if by.has_sizes else (by.source,)
    how = "" if compared.corrected else f"; {UNCORRECTED}"
    yield Table(
        f"{compared.score.words}: {compared.metric.measure}{how}",
        (*places, *map(learner_name, learners)),
        tuple(rows),
    )
    yield from compared.notes


def _marked(mean: float, mark: object) -> Number:
    return Number(mean, 4, mark=mark if isinstance(mark, str) else "")  # missing without a test


def _legend(compared: ComparisonToBase) -> Iterator[str]:
    if not compared.test.holds:
        return
    base, by = learner_name(compared.base), compared.by
    yield f"v: better than {base}, *: worse, by {compared.test.name} at 5%,"
    each = f"over the comparisons with {base} on each {by.source}"
    family = f"within each {by.source}" if by.has_sizes else each
    yield f"with Holm's correction {family}" if compared.corrected else UNCORRECTED
    yield f"(v/ /*): numbers of {by.sources}{' and sizes' * by.has_sizes} with each mark"
