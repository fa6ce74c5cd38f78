"""Tables as lines of text, and with rules where a terminal shows a whole study."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from workbench.report.table import Number, Table, plain

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["lines_of", "print_table"]


def lines_of(parts: Iterable[Table | str]) -> Iterator[str]:
    """Write lines and tables, the columns of words set to the left and those of numbers to the right."""
    for part in parts:
        if isinstance(part, str):
            yield part
            continue
        if part.title:
            yield part.title
        yield from _aligned(part)
        if part.note:
            yield part.note


def _aligned(table: Table) -> Iterator[str]:
    lines = [[plain(cell) for cell in row] for row in table.rows]
    if any(table.columns):
        lines.insert(0, [" ".join(column.split("\n")) for column in table.columns])
    if not lines:
        return
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    numeric = [table.is_numeric(i) for i in range(len(widths))]
    for line in lines:
        words = [
            word.rjust(width) if right else word.ljust(width)
            for word, width, right in zip(line, widths, numeric, strict=True)
        ]
        yield "  ".join(words).rstrip()


def print_table(table: Table, console: "Console", *, fold: bool = False) -> None:
    """Print a table with rules; `fold` lets cells go on in a second line."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table as RichTable

    if fold and table.title:
        # Above the table, as a title of its own would wrap at its width.
        console.print(table.title, style="italic", highlight=False, markup=False, soft_wrap=True)
    shown = RichTable(
        title=None if fold else escape(table.title),
        title_justify="left",
        box=box.SIMPLE_HEAD if console.is_terminal else box.ASCII2,
    )
    for i, column in enumerate(table.columns):
        style = "dim" if table.is_grey(i) else ""
        left = i == 0 if fold else not table.is_numeric(i)
        shown.add_column(
            escape(column), justify="left" if left else "right", no_wrap=not fold or i == 0, overflow="fold",
            style=style, header_style=style or "table.header",
        )  # fmt: skip
    for i, row in enumerate(table.rows):
        same_above = table.grouped and i > 0 and _key(table.rows[i - 1][0]) == _key(row[0])
        ends = table.grouped and i + 1 < len(table.rows) and _key(table.rows[i + 1][0]) != _key(row[0])
        cells = [escape(plain(cell)) for cell in row]
        shown.add_row(*["" if same_above else cells[0], *cells[1:]], end_section=ends)
    console.print(shown)


def _key(cell: str | Number) -> str | float:
    return cell.value if isinstance(cell, Number) else cell
