"""The numbers of a report as CSV: one row per cell of a table."""

import csv
from pathlib import Path

from workbench.report.document import Document
from workbench.report.table import Number, Table

__all__ = ["write_csv"]

HEAD = ("section", "table", "row", "column", "text", "value", "low", "high")


def write_csv(document: Document, path: Path) -> None:
    """Write every cell of every table, numbers in full; a row is named by the words at its start."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEAD)
        for section in document.sections:
            for part in section.parts:
                if isinstance(part, Table):
                    writer.writerows((section.title, *cell) for cell in _cells(part))


def _cells(table: Table) -> list[tuple[str, ...]]:
    found = []
    for row in table.rows:
        name = " ".join(cell for cell in row if isinstance(cell, str)) or str(table.rows.index(row) + 1)
        for column, cell in zip(table.columns, row, strict=True):
            numbers = (cell.value, cell.low, cell.high) if isinstance(cell, Number) else ()
            full = [repr(value) if value == value else "" for value in numbers] or [""] * 3
            text = cell.text if isinstance(cell, Number) else cell
            found.append((table.title, name, " ".join(column.split("\n")), " ".join(text.split("\n")), *full))
    return found
