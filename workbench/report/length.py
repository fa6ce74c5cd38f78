"""How long a report may be: what is longer is cut, and says so."""

from dataclasses import replace

from workbench.report.document import Document, Part, Section, Table, Text

__all__ = ["MOST_LINES", "MOST_ROWS", "kept_short"]

#: Rows of a table and lines of a text as typed.
MOST_ROWS, MOST_LINES = 1000, 400


def kept_short(document: Document) -> Document:
    """Cut tables and texts as typed that nobody would read to their end."""
    sections = (
        Section(section.title, tuple(_short(part) for part in section.parts)) for section in document.sections
    )
    return replace(document, sections=tuple(sections))


def _short(part: Part) -> Part:
    if isinstance(part, Table) and len(part.rows) > MOST_ROWS:
        cut = (
            f"The first {MOST_ROWS:,} of {len(part.rows):,} rows: `workbench export` writes all scores, "
            "`Results.differences` gives all pairs."
        )
        return replace(part, rows=part.rows[:MOST_ROWS], note=f"{part.note} {cut}".strip())
    if isinstance(part, Text) and part.verbatim and part.content.count("\n") >= MOST_LINES:
        lines = part.content.split("\n")
        cut = f"... the first {MOST_LINES:,} of {len(lines):,} lines; all: `workbench.load(store).runs`"
        return replace(part, content="\n".join([*lines[:MOST_LINES], cut]))
    return part
