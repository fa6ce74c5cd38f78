"""Tables with one column of probabilities for each class: R's, caret's, tidymodels' and pandas'."""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from workbench.base.errors import WorkbenchError
from workbench.base.text import count_of
from workbench.forecasts.files.printed_rows import PrintedRow, PrintedRows, at_line
from workbench.forecasts.files.unused_columns import refuse_lost_classes

__all__ = ["make_name", "table_rows"]

#: What columns of the class that happened are called.
ACTUAL = ("actual", "obs", "observed", "y_true", "truth")
#: How a class may be missing.
MISSING = frozenset({"", "?", "NA", "NaN", "nan", "<NA>", "None"})
#: R's words that may name no column.
RESERVED = frozenset(
    [
        *("if", "else", "repeat", "while", "function", "for", "next", "break", "in", "TRUE", "FALSE", "NULL"),
        *("Inf", "NaN", "NA", "NA_integer_", "NA_real_", "NA_character_", "NA_complex_"),
    ]
)


def make_name(label: str) -> str:
    """Write a label as R's `make.names` does, which `data.frame` uses for columns."""
    if not re.match(r"[^\W\d_]|\.(?!\d)", label):
        label = f"X{label}"
    name = re.sub(r"[^\w.]", ".", label)
    return f"{name}." if name in RESERVED else name


def table_rows(
    file: str,
    lines: Iterable[tuple[int, str]],
    *,
    actual: str | None,
    classes: Sequence[str] | None,
    columns: Mapping[str, str] | None,
    row: str | None,
) -> PrintedRows:
    """Read a table with one column of probabilities for each class."""
    records = _records(file, lines)
    header = records[0][1]
    of_actual = _place(file, header, actual or _actual_of(file, header))
    labels = [None if (text := record[of_actual]) in MISSING else text for _, record in records[1:]]
    known = list(classes or columns or sorted({label for label in labels if label is not None}))
    at = {label: _place(file, header, _column_of(file, header, label, columns or {})) for label in known}
    if len(set(at.values())) < len(at):
        raise WorkbenchError(f"two classes of {file} have the same column: name each with columns=")
    if classes is None:
        known.sort(key=at.__getitem__)
    of_row = None if row is None else _place(file, header, row)
    rows = []
    for (line, record), label in zip(records[1:], labels, strict=True):
        if label is not None and label not in known:
            raise at_line(
                file,
                line,
                f"class {label!r} happened, and {', '.join(map(repr, known))} are all that are known",
            )
        texts = tuple(record[at[each]].strip() for each in known)
        rows.append(PrintedRow(line, label, texts, 0, None if of_row is None else record[of_row]))
    printed = PrintedRows(file, tuple(known), tuple(rows))
    if classes is None and columns is None:
        taken = {of_actual, of_row, *at.values()}
        unused = [place for place in range(len(header)) if place not in taken]
        refuse_lost_classes(printed, header, [record for _, record in records[1:]], unused)
    return printed


def _records(file: str, lines: Iterable[tuple[int, str]]) -> list[tuple[int, list[str]]]:
    """Split lines into fields, at the separator that the header has."""
    texts = [(line, text) for line, text in lines if text.strip()]
    if len(texts) < 2:
        raise WorkbenchError(f"{file} has {count_of(len(texts), 'line')}: expected a header and predictions")
    sep = max((",", ";", "\t"), key=texts[0][1].count)
    records: list[tuple[int, list[str]]] = []
    for line, text in texts:
        try:
            fields = next(csv.reader([text], delimiter=sep, strict=True, skipinitialspace=True))
        except csv.Error as error:
            raise at_line(file, line, f"it cannot be split into fields: {error}") from error
        if records and len(fields) != len(records[0][1]):
            raise at_line(
                file, line,
                f"there are {count_of(len(fields), 'field')} and the header has {len(records[0][1])}: in R "
                "write with write.csv, which gives the row names a column of the header",
            )  # fmt: skip
        records.append((line, fields))
    return records


def _actual_of(file: str, header: Sequence[str]) -> str:
    named = [name for name in header if name in ACTUAL]
    if len(named) != 1:
        raise WorkbenchError(
            f"{file} has the columns {', '.join(map(repr, header))}: say with actual= which holds the class "
            "that happened"
        )
    return named[0]


def _column_of(file: str, header: Sequence[str], label: str, columns: Mapping[str, str]) -> str:
    """Find the column of a class: as it is told, by its label, or by the label as R writes it."""
    if label in columns:
        return columns[label]
    for name in (label, make_name(label), f".pred_{label}"):
        if name in header:
            return name
    raise WorkbenchError(
        f"class {label!r} has no column in {file}, which has {', '.join(map(repr, header))}: name it, "
        f"columns={{{label!r}: ...}}"
    )


def _place(file: str, header: Sequence[str], name: str) -> int:
    count = Counter(header)[name]
    if count != 1:
        raise WorkbenchError(
            f"{file} has {'no column' if not count else 'several columns'} {name!r}: it has "
            f"{', '.join(map(repr, header))}"
        )
    return list(header).index(name)
