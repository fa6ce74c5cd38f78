"""Every score of the study, source by source."""

from collections.abc import Iterator
from typing import Any

from workbench.analyses._shared.subjects import truths_of
from workbench.base.text import capitalized
from workbench.report.document import Part, Text
from workbench.report.findings import Findings
from workbench.report.sections._shared.section import ReportSection, with_sizes
from workbench.report.table import Table
from workbench.report.terminal.summary import legend, summary_table

__all__ = ["SECTION"]


def _parts(findings: Findings) -> Iterator[Part]:
    results = findings.results
    for source in results.study.source_keys:
        table, kind = summary_table(results, source), truths_of(source)
        titles = (" ".join(title.split("\n")) for title in _learner_first(table.columns))
        columns = tuple("rows" if title == "n" else title for title in titles)
        yield Table(
            capitalized(kind) if source == "truths" else kind,
            columns,
            tuple(map(_learner_first, table.rows)),
        )
    yield Text("Each interval here is for one mean only, so it is narrower than those under Scores.")
    yield Text("\n".join(legend(results)), verbatim=True)


def _learner_first(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return (row[1], row[0], *row[2:])


SECTION = ReportSection(60, "All measures", _parts, with_sizes)
