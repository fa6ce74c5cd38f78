"""The rows of a file of comma-separated values: each has the fields of the header, and a place."""

import csv
from pathlib import Path

import pandas as pd

from workbench.base.errors import WorkbenchError
from workbench.base.text import count_of

__all__ = ["PLACE", "csv_rows"]

#: The column that says where a row stands, for error messages.
PLACE = "@place"


def csv_rows(path: Path, what: str) -> pd.DataFrame:
    r"""Read all rows of a file, nothing taken for a number or for missing."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            records = [(reader.line_num, record) for record in reader if record]
    except (OSError, ValueError, csv.Error) as error:
        raise WorkbenchError(f"{what} names the file {path}, which cannot be read: {error}") from error
    if not records:
        raise WorkbenchError(f"{what} names the file {path}, which is empty: expected a header and rows")
    header = records[0][1]
    for name in header:
        if header.count(name) > 1:
            raise WorkbenchError(
                f"{what}: {path.name} has two columns named {name!r}: give each its own name"
            )
    for line, record in records[1:]:
        if len(record) != len(header):
            raise WorkbenchError(
                f"{what}: line {line} of {path.name} has {count_of(len(record), 'field')}, and the header "
                f"{count_of(len(header), 'column')}: put what has a comma between quotation marks, and write "
                "decimals with a point"
            )
    rows = pd.DataFrame([record for _, record in records[1:]], columns=header, dtype="str")
    return rows.assign(**{PLACE: [f"line {line} of {path.name}" for line, _ in records[1:]]})
