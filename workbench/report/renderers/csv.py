"""The numbers of a report as CSV: one line per cell of a table."""

import csv
import math
from collections.abc import Iterator
from pathlib import Path

from workbench.report.document import Document, Section
from workbench.report.table import Cell, Number, Table, text_of

__all__ = ["write_csv"]

#: Section, table, row and column identify a cell; `label` is the text of the row's first cell.
HEAD = ("section", "table", "row", "label", "column", "text", "value", "low", "high", "spread")


def write_csv(document: Document, path: Path) -> None:
    """Write every cell of every table, with numbers in full."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEAD)
        for section in (Section("Who wins", document.matrices), *document.sections):
            tables = [part for part in section.parts if isinstance(part, Table)]
            for i, table in enumerate(tables, start=1):
                name = table.title or f"table {i}"
                writer.writerows((section.title, name, *cell) for cell in _cells(table))


def _cells(table: Table) -> Iterator[tuple[object, ...]]:
    for i, row in enumerate(table.rows, start=1):
        label = _text(row[0])
        for column, cell in zip(table.columns, row, strict=True):
            numbers = (cell.value, cell.low, cell.high, cell.spread) if isinstance(cell, Number) else ()
            full = ["" if math.isnan(value) else repr(value) for value in numbers] or [""] * 4
            yield i, label, " ".join(column.split("\n")), _text(cell), *full


def _text(cell: Cell) -> str:
    return " ".join(text_of(cell).split())
