"""Analyses of variance of learners by size."""

from collections.abc import Iterator, Sequence

from workbench.analyses import Variance
from workbench.base.names import learner_list, source_name
from workbench.report.document import Part
from workbench.report.findings import Findings, possible
from workbench.report.sections._shared.pictures import pictures
from workbench.report.sections._shared.section import ReportSection, with_sizes
from workbench.report.table import Cell, Table, number, p_value
from workbench.report.words import name_of

__all__ = ["SECTION"]


def _parts(findings: Findings) -> Iterator[Part]:
    for group in (findings.experiments, findings.again):
        variances = possible(Variance.of, group)
        if variances:
            yield _anova_table(variances)
    yield from pictures(findings.results, findings.experiments, "interaction")


def _anova_table(variances: Sequence[Variance]) -> Table:
    """Return the analyses of variance of all sources by one score."""
    rows: list[tuple[Cell, ...]] = []
    for variance in variances:
        for effect, row in variance.table.iterrows():
            place = (variance.experiment, effect)
            rows.append(
                (
                    source_name(variance.experiment.source),
                    str(effect),
                    f"{row['df']:.0f}, {row['df_error']:.0f}",
                    number(row["F"], 2, name_of("F", *place)),
                    p_value(row["p"], name_of("p", *place)),
                    number(row["epsilon_gg"], 3, name_of("epsilon_gg", *place)),
                    p_value(row["p_gg"], name_of("p_gg", *place)),
                    number(row["epsilon_hf"], 3, name_of("epsilon_hf", *place)),
                    p_value(row["p_hf"], name_of("p_hf", *place)),
                    number(row["eta2_g"], 3, name_of("eta2_g", *place)),
                )
            )
    first = variances[0].experiment
    learners = "; ".join(
        f"on {one.experiment.kind} {learner_list(one.experiment.learners)}" for one in variances
    )
    if len({one.experiment.learners for one in variances}) == 1:
        learners = learner_list(first.learners)
    columns = ("truths", "effect", "df", "F", "p", "\u03b5 GG", "p GG", "\u03b5 HF", "p HF", "\u03b7\u00b2 G")
    note = (
        f"Learners: {learners}. Truths are the subjects, measured in every cell. \u03b5: estimated "
        "sphericity (1: the assumption holds), by Greenhouse and Geisser (GG) and Huynh and Feldt (HF), with "
        "the corrected p values. \u03b7\u00b2 G: generalized eta squared, a share of variance."
    )
    return Table(f"Learner by size: {first.score.words}", columns, tuple(rows), note)


SECTION = ReportSection(40, "Analysis of variance", _parts, with_sizes)
