"""Paired differences of all learners, with wins, ties and losses."""

from collections.abc import Iterator, Sequence

import pandas as pd

from workbench.analyses import Differences
from workbench.comparisons import LEVEL
from workbench.report.document import Part
from workbench.report.findings import Findings
from workbench.report.sections._shared.pictures import pictures
from workbench.report.sections._shared.section import ReportSection, on_generating_models
from workbench.report.table import Cell, Number, Table, number, p_value, whole
from workbench.report.words import name_of

__all__ = ["SECTION"]


def _parts(findings: Findings) -> Iterator[Part]:
    if findings.differences:
        yield _tally_table(findings.differences)
    yield from pictures(findings.results, findings.experiments, "paired_differences")
    yield from map(_differences_table, findings.differences)


def _tally_table(differences: Sequence[Differences]) -> Table:
    """Return wins, ties and losses of every learner against every other, over all sources and sizes."""
    table = pd.concat([one.table.assign(sign=one.experiment.sign) for one in differences])
    learners = list(dict.fromkeys(key for one in differences for key in one.experiment.learners))
    rows: list[tuple[Cell, ...]] = []
    for learner in learners:
        cells: list[Cell] = [learner]
        total = [0, 0, 0]
        for other in learners:
            counts = _tally(table, learner, other)
            total = [a + b for a, b in zip(total, counts, strict=True)]
            cells.append("" if learner == other else "/".join(map(str, counts)))
        net = total[0] - total[2]
        rows.append((*cells, "/".join(map(str, total)), Number(float(net), form="signed")))
    note = (
        "Settings (kind of truth and size) in which the learner of the row is significantly better / not "
        "significantly different / significantly worse than that of the column, by the paired tests with "
        "Holm's correction within each kind of truth."
    )
    return Table("Wins, ties, losses", ("learner", *learners, "all", "net"), tuple(rows), note)


def _tally(table: pd.DataFrame, learner: str, other: str) -> list[int]:
    counts = [0, 0, 0]
    for first, second, sign in ((learner, other, 1), (other, learner, -1)):
        own = table[(table["learner"] == first) & (table["other"] == second)]
        better = own["difference"] * own["sign"] * sign > 0
        sure = own["p_holm"] < LEVEL
        counts[0] += int((sure & better).sum())
        counts[1] += int((~sure).sum())
        counts[2] += int((sure & ~better).sum())
    return counts


def _differences_table(differences: Differences) -> Table:
    """Return every pair at every size."""
    experiment = differences.experiment
    rows: list[tuple[Cell, ...]] = []
    for row in differences.table.itertuples(index=False):
        pair = f"{row.learner} \u2212 {row.other}"
        place = (experiment, row.learner, row.other, row.n_train)
        better = row.learner if experiment.sign * row.difference > 0 else row.other
        rows.append(
            (
                pair,
                whole(row.n_train),
                number(row.difference, 4, name_of("difference", *place), (row.low, row.high)),
                p_value(row.p_holm, name_of("p_holm", *place)),
                p_value(row.p_bonferroni),
                better if row.p_holm < LEVEL else "\u2013",
                number(row.d_z, 2),
                number(row.detectable, 4, name_of("detectable", *place)),
                number(row.detectable_together, 4),
            )
        )
    columns = (
        "pair",
        "rows",
        f"difference [{experiment.unit}]",
        "p (Holm)",
        "p (Bonferroni)",
        "better",
        "d_z",
        f"detectable [{experiment.unit}]",
        "together",
    )
    note = (
        f"Paired over {len(experiment.replicates)} truths. Brackets: {len(rows)} simultaneous 95% "
        "intervals (Bonferroni). Holm: over all rows of this table; Bonferroni: p times their "
        "number. d_z: mean over standard deviation of the differences. Detectable: the smallest true "
        "difference that a single test at 5% finds with 80% power; together: that a test does with "
        "Bonferroni's share of the 5%."
    )
    return Table(f"{experiment.kind}: {experiment.score.words}", columns, tuple(rows), note)


SECTION = ReportSection(20, "Differences", _parts, on_generating_models)
