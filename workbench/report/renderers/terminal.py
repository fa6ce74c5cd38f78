"""Tables as lines of text, and with rules where a terminal shows a whole study."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal

from workbench.report.table import PLAIN, Cell, Number, Table, plain, text_of

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["lines_of", "print_table"]

WIDEST = 10_000


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
    marks = [_longest_mark(table, i) for i in range(len(table.columns))]
    lines = [[_padded(cell, mark) for cell, mark in zip(row, marks, strict=True)] for row in table.rows]
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


def _longest_mark(table: Table, column: int) -> int:
    cells = [row[column] for row in table.rows]
    return max((len(cell.marked(PLAIN)) for cell in cells if isinstance(cell, Number)), default=0)


def _padded(cell: Cell, mark: int) -> str:
    """Write a number so that its digits stand under those of others, which have marks behind them."""
    if not mark or not isinstance(cell, Number):
        return plain(cell)
    own = len(cell.marked(PLAIN))
    return plain(cell) + " " * (mark - own + (not own))


def print_table(table: Table, console: "Console", *, fold: Literal["no", "cells", "last"] = "no") -> None:
    """Print a table with rules; cells may go on in a second line, all or those of the last column."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table as RichTable

    folds = fold == "cells"
    if folds and table.title:
        # Above the table, as a title of its own would wrap at its width.
        console.print(table.title, style="italic", highlight=False, markup=False, soft_wrap=True)
    frame = box.SIMPLE_HEAD if console.is_terminal or fold == "last" else box.ASCII2
    shown = RichTable(
        title=None if folds or not table.title else escape(table.title), title_justify="left", box=frame
    )
    if fold == "last":
        shown.padding, shown.pad_edge, shown.show_edge = (0, 1, 0, 0), False, False
    for i, column in enumerate(table.columns):
        style = "dim" if table.is_grey(i) else ""
        left = i == 0 if folds else not table.is_numeric(i)
        wraps = i > 0 if folds else fold == "last" and i + 1 == len(table.columns)
        shown.add_column(
            escape(column), justify="left" if left else "right", no_wrap=not wraps, overflow="fold",
            style=style, header_style=style or "table.header",
        )  # fmt: skip
    for i, row in enumerate(table.rows):
        same_above = table.grouped and i > 0 and _key(table.rows[i - 1][0]) == _key(row[0])
        ends = table.grouped and i + 1 < len(table.rows) and _key(table.rows[i + 1][0]) != _key(row[0])
        cells = [_shown(escape(plain(cell)), cell) for cell in row]
        shown.add_row(*["" if same_above else cells[0], *cells[1:]], end_section=ends)
    if fold == "no":
        # A terminal wraps long lines and loses nothing; a table cut to its width would truncate numbers.
        width = console.width
        needed = console.measure(shown, options=console.options.update(max_width=WIDEST)).maximum
        console.width = max(width, needed)
        console.print(shown)
        console.width = width
    else:
        console.print(shown)


def _shown(text: str, cell: Cell) -> str:
    return f"[bold]{text}[/bold]" if isinstance(cell, Number) and cell.strong else text


def _key(cell: Cell) -> str | float:
    return cell.value if isinstance(cell, Number) else text_of(cell)
