"""Paired differences of all learners, with wins, ties and losses."""

from collections.abc import Hashable, Iterator, Sequence
from math import nan
from typing import Any

import pandas as pd

from workbench.analyses import Comparison
from workbench.base.names import learner_name
from workbench.report.document import Part
from workbench.report.findings import Findings
from workbench.report.sections._shared.pictures import pictures
from workbench.report.sections._shared.section import ReportSection, with_sizes
from workbench.report.size_tables import statistics_of
from workbench.report.table import Cell, Number, Table, number, p_value, whole
from workbench.report.words import name_of

__all__ = ["SECTION"]

DETECTABLE = (
    "d_z: mean over standard deviation of the differences. Detectable: the smallest true difference that a "
    "single test at 5% detects with 80% power. Together: the same with Bonferroni's correction for all tests."
)


def _parts(findings: Findings) -> Iterator[Part]:
    if findings.comparisons:
        yield _tally_table(findings.comparisons)
    yield from pictures(findings.results, findings.experiments, "paired_differences")
    yield from map(_differences_table, findings.comparisons)


def _tally_table(tests: Sequence[Comparison]) -> Table:
    """Return wins, ties and losses of every learner against every other, over all sources and sizes."""
    table = pd.concat([one.table.assign(winner=one.winners()) for one in tests])
    learners = list(dict.fromkeys(key for one in tests for key in one.scores.learners))
    rows: list[tuple[Cell, ...]] = []
    for learner in learners:
        cells: list[Cell] = [learner_name(learner)]
        total = [0, 0, 0]
        for other in learners:
            counts = _tally(table, learner, other)
            total = [a + b for a, b in zip(total, counts, strict=True)]
            cells.append("" if learner == other else "/".join(map(str, counts)))
        net = total[0] - total[2]
        rows.append((*cells, "/".join(map(str, total)), Number(float(net), form="signed")))
    note = (
        "Settings (kind of truth and size) in which the learner of the row is significantly better / not "
        "significantly different / significantly worse than the learner of the column, by "
        f"{tests[0].scores.test.name} with Holm's correction within each kind of truth."
    )
    return Table(
        "Wins, ties, losses", ("learner", *map(learner_name, learners), "all", "net"), tuple(rows), note
    )


def _tally(table: pd.DataFrame, learner: str, other: str) -> list[int]:
    pair = table["learner"].isin([learner, other]) & table["other"].isin([learner, other])
    winners = list(table["winner"][pair])
    wins, losses = winners.count(learner), winners.count(other)
    return [wins, len(winners) - wins - losses, losses]


def _differences_table(one: Comparison) -> Table:
    """Return every pair at every size."""
    scores, test = one.scores, one.scores.test
    rows: list[tuple[Cell, ...]] = []
    for row, winner in zip(one.table.to_dict("records"), one.winners(), strict=True):
        place = (scores, row["learner"], row["other"], row["n_train"])
        ends = (row["low"], row["high"]) if test.by_intervals else (nan, nan)
        rows.append(
            (
                f"{learner_name(row['learner'])} \u2212 {learner_name(row['other'])}",
                whole(row["n_train"]),
                number(row["difference"], 4, name_of("difference", *place), ends),
                p_value(row["p_holm"], name_of("p_holm", *place)),
                p_value(row["p_bonferroni"]),
                learner_name(winner) if winner else "\u2013",
                *(_detectable(row, place) if "d_z" in row else statistics_of(row, test)),
            )
        )
    columns: tuple[str, ...]
    columns = ("pair", "rows", f"difference [{scores.unit}]", "p (Holm)", "p (Bonferroni)", "better")
    holm = "Holm: corrected for all rows of this table. Bonferroni: p times the number of rows."
    paired = f"Paired over {len(scores.blocks)} {scores.by.many}."
    if "d_z" in one.table:
        columns += ("d_z", f"detectable [{scores.unit}]", "together")
        note = f"{paired} Brackets: {len(rows)} simultaneous 95% intervals (Bonferroni). {holm} {DETECTABLE}"
    else:
        columns += tuple(test.statistics.values())
        note = f"{paired} {holm} {'; '.join(test.legend)}."
    return Table(f"{scores.kind}: {scores.score.words}", columns, tuple(rows), note)


def _detectable(row: dict[Hashable, Any], place: tuple[Any, ...]) -> tuple[Cell, ...]:
    return (
        number(row["d_z"], 2),
        number(row["detectable"], 4, name_of("detectable", *place)),
        number(row["detectable_together"], 4),
    )


SECTION = ReportSection(20, "Differences", _parts, with_sizes)
