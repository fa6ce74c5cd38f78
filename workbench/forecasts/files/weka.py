"""Weka's predictions: whose row is whose, in which fold, and what the classes are called."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from workbench.base.errors import WorkbenchError
from workbench.forecasts.files.printed_rows import PrintedRow, PrintedRows, at_line
from workbench.forecasts.files.weka_fields import WekaHeader, is_weka_header, weka_fields, weka_header

__all__ = ["weka_rows"]

MARK = re.compile(r"([0-9]{1,6}):.*")
QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'")

Marks = tuple[str, str]  # of the actual and the predicted class


def weka_rows(
    file: str, lines: Iterable[tuple[int, str]], *, classes: Sequence[str] | None, row: str | None
) -> PrintedRows:
    """Read Weka's predictions.

    Notes
    -----
    Weka counts the rows of each test set from 1 on and prints folds one after the other, so a fold begins
    where the number is 1 again.
    """
    found = list(_records(file, lines, row))
    if not found:
        raise WorkbenchError(f"{file} has the header of Weka's predictions and no row below it")
    n_classes = len(found[0][1].texts)
    known = _labels(file, found, n_classes, classes)
    rows = []
    for marks, record in found:
        code, is_missing = _code(marks[0])
        rows.append(replace(record, actual=None if is_missing else known[code]))
    return PrintedRows(file, tuple(known), tuple(rows))


def _records(
    file: str, lines: Iterable[tuple[int, str]], row: str | None
) -> Iterator[tuple[Marks, PrintedRow]]:
    """Return the marks of the actual and the predicted class, and the row without its label."""
    header: WekaHeader | None = None
    n_classes, fold, last = None, 0, 0
    for line, text in lines:
        if is_weka_header(text):
            header = weka_header(file, line, text, row)
            n_classes = header.n_classes or n_classes
            continue
        if text.startswith("==="):
            header = None
        if header is None or not text.strip():
            continue
        fields = weka_fields(file, line, text, header, n_classes)
        marks, texts = _texts(file, line, fields, n_classes)
        n_classes = len(texts)
        fold, last = _fold(file, line, int(fields[0]), last, fold), int(fields[0])
        name = None if row is None else _unquoted(fields[4 + n_classes + header.extra.index(row)])
        yield marks, PrintedRow(line, None, texts, fold, name)


def _fold(file: str, line: int, number: int, last: int, fold: int) -> int:
    """Return the fold of a row: Weka counts its rows from 1 on in every one."""
    if number == 1:
        return fold + (last > 0)
    if number != last + 1:
        raise at_line(
            file, line,
            f"the row has number {number} and not {last + 1}, nor 1 as at the start of a fold: look for "
            "rows that were lost or doubled, and number anew where rows were taken out on purpose",
        )  # fmt: skip
    return fold


def _texts(file: str, line: int, fields: list[str], n_classes: int | None) -> tuple[Marks, tuple[str, ...]]:
    """Take the star off and check that it stands at the predicted class."""
    marks = (fields[1], fields[2])
    if not all(MARK.fullmatch(mark) for mark in marks):
        raise at_line(
            file,
            line,
            f"expected classes such as 2:yes and not {marks[0]!r} and {marks[1]!r}: is the class nominal?",
        )
    marked = fields[4 : 4 + (n_classes or len(fields) - 4)]
    stars = [i for i, text in enumerate(marked) if text.startswith("*")]
    if stars != [_code(marks[1])[0]]:
        raise at_line(
            file, line, f"class {marks[1]} is predicted, and the star stands elsewhere: {','.join(marked)}"
        )
    return marks, tuple(text.removeprefix("*") for text in marked)


def _code(mark: str) -> tuple[int, bool]:
    """Return the number of the class, from 0, and whether the class is missing, which Weka prints as 1:?."""
    number, _, label = mark.partition(":")
    return int(number) - 1, label == "?"


def _labels(
    file: str, found: Sequence[tuple[Marks, PrintedRow]], n_classes: int, classes: Sequence[str] | None
) -> list[str]:
    """Return every class its label, as the rows print it or as it is declared."""
    labels: list[str | None] = [None] * n_classes if classes is None else list(classes)
    if len(labels) != n_classes:
        raise WorkbenchError(
            f"classes= names {len(labels)} classes and {file} has {n_classes} columns of probabilities: "
            "name all, in Weka's order"
        )
    for marks, record in found:
        for mark in marks:
            code, is_missing = _code(mark)
            label = _unquoted(mark.partition(":")[2])
            if is_missing:
                continue
            if not 0 <= code < n_classes:
                raise at_line(file, record.line, f"class {mark} has no column: there are {n_classes}")
            known = labels[code]
            if known is None:
                labels[code] = known = label
            # older plain text cuts labels off, so a declared one may be longer
            if label != known and (classes is None or not known.startswith(label)):
                raise at_line(file, record.line, f"class {code + 1} is {label!r}, and {known!r} elsewhere")
    if None in labels:
        raise WorkbenchError(
            f"class {labels.index(None) + 1} of {n_classes} is in no row of {file}, neither happened nor "
            "predicted: name all classes in Weka's order with classes="
        )
    named = [label for label in labels if label is not None]
    if len(set(named)) < len(named):
        repeated = next(label for label in named if named.count(label) > 1)
        raise WorkbenchError(
            f"two classes of {file} are called {repeated!r}, as Weka cut their labels off: name all classes "
            "in Weka's order with classes="
        )
    return named


def _unquoted(text: str) -> str:
    match = QUOTED.fullmatch(text)
    return re.sub(r"\\(.)", r"\1", match.group(1)) if match else text
