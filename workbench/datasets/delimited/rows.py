"""The rows below a header: by arrow if all are regular, otherwise record by record."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from workbench.base.errors import WorkbenchError
from workbench.base.text import count_of
from workbench.datasets.delimited.content import Content
from workbench.datasets.delimited.layout import Record, TableLayout, is_apart, records_of

__all__ = ["irregular_rows", "regular_rows", "rows_of", "start_of", "text_type"]

#: Bytes that are searched for quotes at a time.
BLOCK = 2**26
QUOTE, NEWLINE, BLANK = b'" \n'[0], b'" \n'[2], b'" \n'[1]


def start_of(content: Content, line: int) -> int:
    """Return the byte at which a line, from 1, begins."""
    place = 0
    for _ in range(line - 1):
        found = content.data.find(b"\n", place)
        if found < 0:
            return len(content.data)
        place = found + 1
    return place


def rows_of(content: Content, layout: TableLayout) -> Iterator[Record]:
    """Yield the records of rows, with as many values as names, without empty records."""
    start = start_of(content, layout.first_row)
    text = bytes(content.data[start:]).decode("utf-8").removesuffix("\x1a")
    above, n_names = layout.first_row - 1, len(layout.names)
    shown = layout.barred or layout.sep == " "  # as programs of databases show tables
    try:
        for first, last, fields in records_of(text, layout.sep):
            is_remark = layout.comments and fields[0].startswith("#") and len(fields) != n_names
            is_row = n_names == 1 or (not shown and len(fields) == n_names)
            if is_remark or not any(map(str.strip, fields)) or (not is_row and is_apart(fields)):
                continue
            record = Record(first + above, last + above, fields[1:-1] if layout.barred else fields)
            yield _fitted(record, n_names, content.name)
    except csv.Error as error:
        raise WorkbenchError(f"{content.name}, {_moved(str(error), above)}") from error


def _moved(message: str, above: int) -> str:
    """Count lines from the start of the file."""
    words = message.split(" ")
    return " ".join(
        str(int(word) + above) if words[i - 1] == "line" and word.isdecimal() else word
        for i, word in enumerate(words)
    )


def _fitted(record: Record, n_names: int, name: str) -> Record:
    """Return a record without empty values behind the last name."""
    fields = record.fields
    if len(fields) > n_names and not any(map(str.strip, fields[n_names:])):
        return record._replace(fields=fields[:n_names])
    if len(fields) != n_names:
        through = f" and, in quotes, ends on line {record.last}" if record.last > record.first else ""
        raise WorkbenchError(
            f"{name}, line {record.first}: the row has {count_of(len(fields), 'value')}{through}: "
            f"expected {n_names}{'. Remove lines that are not rows' if len(fields) == 1 else ''}"
        )
    return record


def irregular_rows(content: Content, layout: TableLayout, wanted: Sequence[int]) -> list[Any]:
    """Return columns of text, read record by record."""
    import pyarrow as pa

    rows = [record.fields for record in rows_of(content, layout)]
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(layout.names)
    return [pa.chunked_array([pa.array(columns[j], type=pa.string())]) for j in wanted]


def regular_rows(
    content: Content, layout: TableLayout, kinds: Mapping[int, Any], decimal: str, missing: Sequence[str]
) -> list[Any] | None:
    """Return columns as arrow reads them, of the known kinds, or None if rows are not regular."""
    import pyarrow as pa
    from pyarrow import csv as arrow

    start = start_of(content, layout.first_row)
    buffer = pa.py_buffer(content.data)[start:]
    quoted = content.data.find(b'"', start) >= 0
    plain = layout.sep != " " and layout.sep.isascii() and not layout.barred and not layout.comments
    if not plain or not len(buffer) or content.data[-1:] == b"\x1a":
        return None
    if quoted and not _quotes_are_regular(content, start, layout.sep):
        return None

    def read(kinds: Mapping[int, Any]) -> dict[int, Any]:
        table = arrow.read_csv(
            pa.BufferReader(buffer),
            arrow.ReadOptions(column_names=[str(j) for j in range(len(layout.names))]),
            arrow.ParseOptions(delimiter=layout.sep, newlines_in_values=quoted),
            arrow.ConvertOptions(
                include_columns=[str(j) for j in kinds],
                column_types={str(j): kind for j, kind in kinds.items() if kind is not None},
                null_values=list(missing), strings_can_be_null=True, true_values=[], false_values=[],
                timestamp_parsers=[], decimal_point=decimal,
            ),
        )  # fmt: skip
        return dict(zip(kinds, table.columns, strict=True))

    try:
        columns = read(kinds)
        others = [j for j, column in columns.items() if not _is_known(column.type)]
        if others:  # dates stay as they are written
            columns |= read(dict.fromkeys(others, text_type()))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None
    return [columns[j] for j in kinds]


def text_type() -> Any:
    """Return the type of text that stores each distinct value once."""
    import pyarrow as pa

    return pa.dictionary(pa.int32(), pa.string())


def _is_known(kind: Any) -> bool:
    import pyarrow as pa

    return kind in (pa.int64(), pa.float64(), pa.string(), pa.null(), text_type())


def _quotes_are_regular(content: Content, start: int, sep: str) -> bool:
    """Return whether each quote opens or closes a value, so that arrow and csv agree on its extent."""
    before = np.zeros(256, dtype=bool)
    before[[ord(sep), NEWLINE, QUOTE] if ord(sep) < 128 else [NEWLINE, QUOTE]] = True
    n_quotes = 0
    data = np.frombuffer(content.data, dtype=np.uint8)
    for first in range(start, len(data), BLOCK):
        places = np.flatnonzero(data[first : first + BLOCK] == QUOTE) + first
        opening, closing = places[n_quotes % 2 :: 2], places[1 - n_quotes % 2 :: 2]
        if not before[data[opening[opening > start] - 1]].all():
            return False
        if not before[data[closing[closing < len(data) - 1] + 1]].all():
            return False
        n_quotes += len(places)
    return n_quotes % 2 == 0
