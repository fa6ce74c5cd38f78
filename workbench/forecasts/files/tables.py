"""Tables with one column of probabilities for each class: R's, H2O's, pandas' and others."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from workbench.base.errors import WorkbenchError
from workbench.base.text import count_of
from workbench.datasets.delimited.content import Content
from workbench.datasets.delimited.options import MISSING as MISSING_WORDS
from workbench.datasets.delimited.options import TextOptions
from workbench.datasets.delimited.reading import read_fields
from workbench.forecasts.files.lost_classes import refuse_lost_classes
from workbench.forecasts.files.prediction_table import PredictionTable
from workbench.forecasts.files.printed_rows import PrintedRow, PrintedRows, numbers_of

__all__ = ["columns_for", "delimited_table", "make_name", "one_column_rows", "table_rows"]

#: Usual names of the column of outcomes.
ACTUAL = ("actual", "obs", "observed", "y_true", "truth")
#: What programs write before the label of a class: tidymodels, mlr3, OpenML, and our benchmarks.
PREFIXES = ("", ".pred_", "prob.", "confidence.", "p_")
#: Labels that H2O writes behind a p.
INTEGER = re.compile(r"[+-]?[0-9]+")
#: Usual names of the column of probabilities where there is one alone.
SCORES = frozenset({"score", "y_score", "y_prob", "y_proba", "probability", "prob", "p"})
#: Usual names of the column of predicted classes.
PREDICTED = frozenset({"predicted", "prediction", "predict", "pred", "y_pred", ".pred_class", "response"})
#: A number with a decimal comma.
COMMA = re.compile(r"^([+-]?[0-9]*),([0-9]+(?:[eE][+-]?[0-9]+)?)$")
FLOAT = re.compile(r"[0-9]+\.0$")
#: The column of outcomes, or the outcomes, None where one is not known.
Actual = str | Sequence[str | None] | None
#: Texts of a missing class.
MISSING = frozenset(MISSING_WORDS)
#: Reserved words of R.
RESERVED = frozenset(
    [
        *("if", "else", "repeat", "while", "function", "for", "next", "break", "in", "TRUE", "FALSE", "NULL"),
        *("Inf", "NaN", "NA", "NA_integer_", "NA_real_", "NA_character_", "NA_complex_"),
    ]
)


def make_name(label: str) -> str:
    """Convert a label as R's `make.names` does, which `data.frame` uses for columns."""
    if not re.match(r"[^\W\d_]|\.(?!\d)", label):
        label = f"X{label}"
    name = re.sub(r"[^\w.]", ".", label)
    return f"{name}." if name in RESERVED else name


def delimited_table(content: Content, options: TextOptions) -> PredictionTable:
    """Split a text into fields, with points for decimal commas."""
    fields = read_fields(content, options)
    if not fields.rows:
        raise WorkbenchError(f"{fields.name} has a header and no rows: expected predictions")
    records = fields.rows
    if fields.decimal == ",":
        records = [(line, [COMMA.sub(r"\1.\2", text) for text in row]) for line, row in records]
    return PredictionTable(fields.name, fields.names, records)


def table_rows(
    table: PredictionTable,
    *,
    actual: Actual,
    classes: Sequence[str] | None,
    columns: Mapping[str, str] | None,
    row: Sequence[str],
) -> PrintedRows:
    """Read a table with one column of probabilities for each class."""
    if classes is None and columns is None:
        classes = _declared(table, actual)
    of_actual, labels = _outcomes(table, actual, classes)
    known = list(classes or columns or sorted({label for label in labels if label is not None}))
    at = {label: table.place(_column_of(table, label, columns or {})) for label in known}
    if len(set(at.values())) < len(at):
        raise WorkbenchError(
            f"two classes of {table.file} have the same column: name the column of each class with columns="
        )
    if classes is None:
        known.sort(key=at.__getitem__)
    taken = {of_actual, *map(table.place, row), *at.values()}
    rows = _rows(table, labels, [at[label] for label in known], row)
    for each in rows:
        if each.actual is not None and each.actual not in known:
            raise table.error(
                each.line,
                f"the true class is {each.actual!r}, but only {', '.join(map(repr, known))} "
                f"{'is' if len(known) == 1 else 'are'} known{_if_alone(known, classes, columns)}",
            )
    rows = _with_predicted(rows, table, known, taken)
    printed = PrintedRows(table.file, tuple(known), tuple(rows), table.unit)
    if classes is None and columns is None:
        unused = [place for place in range(len(table.header)) if place not in taken]
        refuse_lost_classes(printed, table.header, [record for _, record in table.records], unused)
    return printed


def _with_predicted(
    rows: list[PrintedRow], table: PredictionTable, classes: Sequence[str], taken: Collection[int]
) -> list[PrintedRow]:
    """Add the predicted classes, if a column with such a name has only classes."""
    for place, name in enumerate(table.header):
        if place in taken or name.strip().casefold() not in PREDICTED:
            continue
        labels = [record[place].strip() for _, record in table.records]
        if {*labels} <= {*classes} | MISSING:
            known = [label if label in classes else None for label in labels]
            return [replace(row, predicted=label) for row, label in zip(rows, known, strict=True)]
    return rows


def one_column_rows(
    table: PredictionTable,
    *,
    positive: Any,
    actual: Actual,
    classes: Sequence[str] | None,
    columns: Mapping[str, str] | None,
    row: Sequence[str],
) -> PrintedRows:
    """Read a table with one column of probabilities, those of the positive one of two classes."""
    classes = classes or _declared(table, actual)
    of_actual, labels = _outcomes(table, actual, classes)
    for (line, _), label in zip(table.records, labels, strict=True):
        if classes is not None and label is not None and label not in classes:
            expected = ", ".join(map(repr, classes))
            raise table.error(line, f"the true class is {label!r}: expected one of {expected}")
    found = sorted({*(label for label in labels if label is not None), *(classes or ())})
    positive = _label_of(positive, found)
    others = [label for label in found if label != positive]
    if len(others) != 1 or (classes is None and positive not in found):
        raise WorkbenchError(
            f"{table.file} has the classes {', '.join(map(repr, found))}, and positive is {positive!r}: it "
            "must be one of two classes (if the rows have only one class, name both with classes=)"
        )
    taken = {of_actual, *map(table.place, row)}
    at = table.place((columns or {}).get(positive) or _score_of(table, taken, others[0]))
    given = _rows(table, labels, [at], row)
    # Errors quote what the file says, not what is left for the other class.
    of_positive = PrintedRows(table.file, (positive,), (), table.unit)
    numbers_of(of_positive, [each for each in given if each.actual is not None])
    rows = tuple(replace(each, texts=(_rest_of(each.texts[0]), *each.texts)) for each in given)
    return PrintedRows(table.file, (others[0], positive), rows, table.unit)


def _declared(table: PredictionTable, actual: Actual) -> tuple[str, ...] | None:
    """Return the classes that the format declares."""
    if actual is not None and not isinstance(actual, str):
        return None
    return table.declared.get(actual or _actual_of(table))


class _Outcomes(NamedTuple):
    """The class that happened in each row, None where that is missing."""

    place: int  # of their column; -1 if they have none
    labels: list[str | None]


def _outcomes(table: PredictionTable, actual: Actual, classes: Collection[str] | None) -> _Outcomes:
    if actual is not None and not isinstance(actual, str):
        if len(actual) != len(table.records):
            raise WorkbenchError(
                f"{table.file} has {count_of(len(table.records), 'row')}: expected {len(actual)}, one for "
                "each row that was to be predicted, in the same order"
            )
        return _Outcomes(-1, list(actual))
    place = table.place(actual or _actual_of(table))
    missing = MISSING.difference(classes or ())
    texts = [record[place] for _, record in table.records]
    if all(text in missing or FLOAT.fullmatch(text) for text in texts) and not any(
        map(FLOAT.match, table.header)
    ):
        texts = [text.removesuffix(".0") for text in texts]  # as pandas writes 0 and 1 where one is missing
    return _Outcomes(place, [None if text in missing else text for text in texts])


def _rows(
    table: PredictionTable, labels: Sequence[str | None], places: Sequence[int], row: Sequence[str]
) -> list[PrintedRow]:
    """Return the rows with the texts at some places, named by the columns of `row`."""
    naming = [table.place(name) for name in row]
    folds = table.folds or [0] * len(labels)
    rows = []
    for (line, record), label, fold in zip(table.records, labels, folds, strict=True):
        name = ", ".join(record[place] for place in naming) if naming else None
        rows.append(PrintedRow(line, label, tuple(record[place].strip() for place in places), fold, name))
    return rows


def _label_of(positive: Any, found: Sequence[str]) -> str:
    """Write a class as in the file: a table of 0 and 1 has them for False and True."""
    label = str(positive)
    number = str(int(positive)) if positive in (0, 1) else label
    return number if label not in found and number in found else label


def _score_of(table: PredictionTable, taken: Collection[int], other: str) -> str:
    """Return the name of the only column of probabilities, neither of the other class nor of decisions."""
    free = [name for place, name in enumerate(table.header) if place not in taken]
    named = [name for name in free if name.strip().casefold() in SCORES] or free
    refused = {*columns_for(other), *PREDICTED}
    if len(named) != 1 or named[0] in refused:
        raise WorkbenchError(
            f"{table.file} has the columns {table.columns}: name the column with the probabilities, "
            "columns={positive: column}"
        )
    return named[0]


def _if_alone(known: Sequence[str], classes: Sequence[str] | None, columns: Mapping[str, str] | None) -> str:
    """Return a remedy if a single column of probabilities was named."""
    if classes is not None or not columns or len(known) > 1:
        return ""
    return f": if there is only one column of probabilities, name its class, positive={known[0]!r}"


def _rest_of(text: str) -> str:
    """Write the complement of a probability with the same decimals. What is not a number is unchanged."""
    try:
        return format(1 - Decimal(text), "f")
    except InvalidOperation:
        return text


def _actual_of(table: PredictionTable) -> str:
    """Return the name of the column of outcomes."""
    # Elsewhere "correct" says whether the prediction was.
    is_openml = any(name.startswith("confidence.") for name in table.header)
    named = [name for name in table.header if name in ACTUAL or (is_openml and name == "correct")]
    if len(named) != 1:
        lacks = " (some clients of OpenML leave it out: add it from the data set, by row_id)"
        raise WorkbenchError(
            f"{table.file} has the columns {table.columns}: use actual= to name the column with the true "
            f"class{lacks if is_openml and not named else ''}"
        )
    return named[0]


def _column_of(table: PredictionTable, label: str, columns: Mapping[str, str]) -> str:
    """Find the column of a class: the given one, or by its label in the notations of programs."""
    if label in columns:
        return columns[label]
    for name in columns_for(label):
        if name in table.header:
            return name
    only = "; if one column has the probabilities of one class, name that class, positive=..."
    raise WorkbenchError(
        f"class {label!r} has no column in {table.file}, which has {table.columns}: rename the column to "
        f"{label!r}, or name it, columns={{{label!r}: ...}}{only if len(table.header) <= 3 else ''}"
    )


def columns_for(label: str) -> Iterator[str]:
    """Return names of a class's column: unchanged, as R writes it, and with the prefixes of programs."""
    for prefix in (*PREFIXES, "p") if INTEGER.fullmatch(label) else PREFIXES:
        yield prefix + label
        yield make_name(prefix + label)
