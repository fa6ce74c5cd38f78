"""The regret of learners, with the figure."""

from collections.abc import Iterator

from workbench.analyses import Regret
from workbench.base.errors import WorkbenchError
from workbench.figures import RegretDisplay
from workbench.report.document import Part, Text
from workbench.report.findings import Findings
from workbench.report.sections._shared.pictures import study_picture
from workbench.report.sections._shared.section import ReportSection, with_sizes
from workbench.report.size_tables import over_kinds_table, regret_table

__all__ = ["SECTION"]


def _parts(findings: Findings) -> Iterator[Part]:
    """Show the answer, the figure and the table, if the study has the optimum among its learners."""
    results = findings.results
    if not results.study.with_role("optimal"):
        return
    try:
        found = Regret.of_results(results, score=findings.score)
    except WorkbenchError as error:
        yield Text(f"The distance from the optimum is not shown: {error}.")
        return
    yield from (Text(sentence) for sentence in found.sentences)
    for i, display in enumerate(RegretDisplay.pages(found)):
        yield study_picture(results, display, i)
    yield regret_table(found)
    together = over_kinds_table(found)
    if together is not None:
        yield together
    yield from (Text(f"{note[0].upper()}{note[1:]}.") for note in found.notes)


SECTION = ReportSection(15, "Distance from the optimum", _parts, with_sizes)
