"""Rows as CSV: labels as text, numbers in their shortest exact form, NA where missing."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.base.errors import WorkbenchError
from workbench.base.text import exact_numbers
from workbench.benchmark.columns import Block, FileColumn

__all__ = ["read", "write"]

MISSING = "NA"
ROWS = 2**16


def write(path: Path, columns: Sequence[FileColumn], blocks: Iterable[Block]) -> None:
    """Write blocks of codes and numbers below a line of names."""
    words = [np.array([*map(_quoted, column.labels), MISSING], dtype=object) for column in columns]
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(",".join(_quoted(column.label) for column in columns) + "\n")
        for block in blocks:
            for start in range(0, len(block[0]), ROWS):
                part = [values[start : start + ROWS] for values in block]
                # the code of a missing value, -1, selects the last word
                texts = [
                    word[values] if column.nominal else exact_numbers(values, MISSING)
                    for column, word, values in zip(columns, words, part, strict=True)
                ]
                file.write("\n".join(map(",".join, zip(*texts, strict=True))) + "\n")


def read(path: Path, columns: Sequence[FileColumn]) -> Iterator[Block]:
    """Read blocks, or raise WorkbenchError if the file is damaged or has other columns or labels."""
    convert = [_codes_by(column) if column.nominal else _to_numbers for column in columns]
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.reader(file, strict=True)
            names = [column.label for column in columns]
            if (found := next(rows, [])) != names:
                raise WorkbenchError(f"{path.name} has the columns {found}: expected {names}")
            while part := list(islice(rows, ROWS)):
                try:
                    texts = zip(*part, strict=True)
                    yield [to(column) for to, column in zip(convert, texts, strict=True)]
                except (KeyError, ValueError) as error:
                    raise WorkbenchError(_first_wrong(path, columns)) from error
    except (OSError, UnicodeError, csv.Error) as error:
        raise WorkbenchError(f"{path.name} cannot be read as CSV: {error}") from error


def _first_wrong(path: Path, columns: Sequence[FileColumn]) -> str:
    """Read the file again, value by value, and describe the first one that cannot be used."""
    known = [{MISSING, *column.labels} for column in columns]
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, strict=True)
        next(rows)
        for row in rows:
            if len(row) != len(columns):
                return f"{path.name} has in line {rows.line_num} {len(row)} values: expected {len(columns)}"
            for text, column, words in zip(row, columns, known, strict=True):
                if text in words if column.nominal else _is_number(text):
                    continue
                what = "which is not declared" if column.nominal else "which is not a number"
                return (
                    f"{path.name} has in line {rows.line_num}, column {column.label!r}, the value {text!r}, "
                    f"{what}"
                )
    return f"{path.name} was changed while it was read"


def _is_number(text: str) -> bool:
    try:
        return text == MISSING or float(text) is not None
    except ValueError:
        return False


def _quoted(word: str) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow([word])
    return line.getvalue()


def _codes_by(column: FileColumn) -> Callable[[Sequence[str]], NDArray[Any]]:
    code_of = {MISSING: -1} | {label: code for code, label in enumerate(column.labels)}
    return lambda texts: np.array([code_of[text] for text in texts], dtype=np.int32)


def _to_numbers(texts: Sequence[str]) -> NDArray[Any]:
    return np.array([np.nan if text == MISSING else float(text) for text in texts], dtype=np.float64)
