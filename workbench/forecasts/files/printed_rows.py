"""What a file of predictions prints, before it is taken for numbers: both formats end here."""

from dataclasses import dataclass

from workbench.base.errors import WorkbenchError

__all__ = ["PrintedRow", "PrintedRows", "at_line"]


@dataclass(frozen=True)
class PrintedRow:
    """One prediction as it stands in the file.

    Parameters
    ----------
    line : int
        Of the file, from 1.
    actual : str or None
        Label of the class that happened; None where it is missing.
    texts : tuple of str
        The printed probabilities, in the order of the classes.
    fold : int
        How many times the numbering of the rows had begun again before.
    name : str or None
        What the column asked for calls the row.

    Examples
    --------
    >>> PrintedRow(2, "yes", ("0.1", "0.9")).fold
    0
    """

    line: int
    actual: str | None
    texts: tuple[str, ...]
    fold: int = 0
    name: str | None = None


@dataclass(frozen=True)
class PrintedRows:
    """All predictions of a file.

    Parameters
    ----------
    file : str
        What errors call it.
    classes : tuple of str
    rows : tuple of PrintedRow

    Examples
    --------
    >>> PrintedRows("p.csv", ("no", "yes"), (PrintedRow(2, "yes", ("0.1", "0.9")),)).rows[0].line
    2
    """

    file: str
    classes: tuple[str, ...]
    rows: tuple[PrintedRow, ...]


def at_line(file: str, line: int, what: str) -> WorkbenchError:
    """Make the error of a line."""
    return WorkbenchError(f"{file}, line {line}: {what}")
