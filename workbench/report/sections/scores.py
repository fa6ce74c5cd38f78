"""Scores of learners by size, with intervals."""

import math
from collections.abc import Iterator, Sequence

from workbench.analyses import Comparison, Means, PairedScores
from workbench.base.names import learner_name, source_name
from workbench.report.document import Part, Text
from workbench.report.findings import Findings
from workbench.report.sections._shared.pictures import pictures
from workbench.report.sections._shared.section import ReportSection, with_sizes
from workbench.report.table import Cell, Table, number, p_value, whole
from workbench.report.words import name_of

__all__ = ["SECTION"]


def _parts(findings: Findings) -> Iterator[Part]:
    verdict = findings.verdict
    if verdict and verdict.brief != verdict.clauses:
        yield Text(f"The answer in numbers, each leader against the next best: {verdict.surety}")
        yield _leads_table(findings.comparisons)
    for experiment in findings.experiments:
        yield _means_table(Means.of(experiment))
    if findings.again:
        relative = (
            ", relative to the class frequencies of the training rows, as in Hope and Korb (2004). This "
            "prior changes with the sample size, and so do rewards"
        )
        has_prior = findings.again[0].score.prior != "none"
        yield Text(f"The same scores on a sample of test rows{relative if has_prior else ''}.")
    yield from pictures(findings.results, findings.again, "reward_by_size")
    for experiment in findings.again:
        yield _means_table(Means.of(experiment))


def _leads_table(tests: Sequence[Comparison]) -> Table:
    """Return for each kind of truth and size by how much the leader is ahead of the next best."""
    rows: list[tuple[Cell, ...]] = [
        (
            source_name(one.scores.source),
            whole(lead.n_train),
            f"{learner_name(lead.leader)} {'wins' if lead.wins else 'leads'}, ahead of "
            f"{learner_name(lead.runner_up)}",
            number(lead.gap, 4, interval=() if math.isnan(lead.low) else (lead.low, lead.high)),
            p_value(lead.p),
            whole(len(one.scores.blocks)),
        )
        for one in tests
        for lead in one.standings
    ]
    unit = tests[0].scores.unit
    columns = ("truths", "rows", "what", f"difference [{unit}], 95% interval", "p (Holm)", "number of truths")
    return Table(f"Leads by {tests[0].scores.score.words}", columns, tuple(rows))


def _means_table(means: Means) -> Table:
    """Return learners by size, with intervals."""
    experiment = means.experiment
    rows: list[tuple[Cell, ...]] = []
    for learner, own in means.table.groupby("learner", sort=False):
        cells = [
            number(row.mean, 4, name_of("mean", experiment, learner, row.n_train), (row.low, row.high))
            for row in own.sort_values("n_train").itertuples(index=False)
        ]
        rows.append(
            (learner_name(str(learner)), _role(experiment, str(learner), own["role"].iloc[0]), *cells)
        )
    title = f"{experiment.kind}: {experiment.score.words}"
    columns = ("learner", "role", *[f"{size} rows" for size in experiment.sizes])
    n = len(experiment.blocks)
    several = (
        f"Mean over {n} truths, in {experiment.unit}. {experiment.metric.direction.capitalize()} is better. "
        f"Brackets: intervals of the mean over truths. The {means.n_intervals} intervals of compared "
        "learners are simultaneous at 95% (Bonferroni), and those of other learners have the same level."
    )
    notes = [
        several
        if n > 1
        else f"One truth, in {experiment.unit}. {experiment.metric.direction.capitalize()} is better.",
        *[f"{note[0].upper()}{note[1:]}." for note in experiment.notes],
    ]
    return Table(title, columns, tuple(rows), " ".join(notes))


def _role(experiment: PairedScores, learner: str, role: str) -> str:
    """Name what a learner is for; nothing for those that are compared."""
    if role == "compared":
        return ""
    ceilings = {
        experiment.truth: "best possible",
        experiment.optimal: "optimum",
        experiment.mix: "optimum of the mixture",
    }
    return ceilings.get(learner, role)


SECTION = ReportSection(10, "Scores", _parts, with_sizes)
