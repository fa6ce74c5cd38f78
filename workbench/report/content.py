"""Assemble a report: the answer and a figure, then every section that applies."""

from dataclasses import replace
from pathlib import Path

from workbench.base.score_key import ScoreKey
from workbench.report.document import Document, Part, Section, Text
from workbench.report.findings import Findings
from workbench.report.headline import headline_of
from workbench.report.provenance import footer_of
from workbench.report.renderers.forms import write_forms
from workbench.report.sections import report_sections
from workbench.report.table import Table
from workbench.store.results import StudyResults

__all__ = ["MOST_LINES", "MOST_ROWS", "gather", "kept_short", "write_report"]

#: Limits on rows of a table and lines of verbatim text, which are truncated with a note.
MOST_ROWS, MOST_LINES = 1000, 400


def write_report(
    results: StudyResults,
    path: str | Path,
    *more: str | Path,
    score: ScoreKey | str | None = None,
) -> Path:
    """Write the report of a study to one or several files."""
    return write_forms(lambda: gather(results, score), path, *more)


def gather(results: StudyResults, score: ScoreKey | str | None = None) -> Document:
    """Compute everything that a report shows."""
    findings = Findings(results, score)
    headline = headline_of(findings)
    sections = (
        Section(one.title, tuple(one.parts(findings))) for one in report_sections() if one.applies(results)
    )
    return kept_short(
        Document(
            **{name: getattr(headline, name) for name in headline.__dataclass_fields__},
            sections=tuple(section for section in sections if section.parts),
            footer=footer_of(results),
        )
    )


def kept_short(document: Document) -> Document:
    """Truncate very long tables and verbatim texts."""
    sections = (
        Section(section.title, tuple(_short(part) for part in section.parts)) for section in document.sections
    )
    return replace(document, sections=tuple(sections))


def _short(part: Part) -> Part:
    if isinstance(part, Table) and len(part.rows) > MOST_ROWS:
        cut = (
            f"The first {MOST_ROWS:,} of {len(part.rows):,} rows: `workbench export` writes all scores, "
            "`Results.differences` returns all pairs."
        )
        return replace(part, rows=part.rows[:MOST_ROWS], note=f"{part.note} {cut}".strip())
    if isinstance(part, Text) and part.verbatim and part.content.count("\n") >= MOST_LINES:
        lines = part.content.split("\n")
        cut = f"... the first {MOST_LINES:,} of {len(lines):,} lines. All: `workbench.load(store).runs`"
        return replace(part, content="\n".join([*lines[:MOST_LINES], cut]))
    return part
