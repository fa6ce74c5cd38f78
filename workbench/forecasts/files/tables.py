"""Tables with one column of probabilities for each class: R's, caret's, tidymodels' and pandas'."""

import csv
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from itertools import combinations, islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.base.errors import WorkbenchError
from workbench.base.text import count_of
from workbench.datasets._shared.lines import to_numbers
from workbench.forecasts.files.printed_rows import Digits, PrintedRow, PrintedRows, at_line, numbers_of

__all__ = ["make_name", "one_column_rows", "table_rows"]

#: Usual names of the column of outcomes.
ACTUAL = ("actual", "obs", "observed", "y_true", "truth")
#: Usual names of the column of probabilities where there is one alone.
SCORES = frozenset({"score", "y_score", "y_prob", "y_proba", "probability", "prob", "p"})
#: Usual names of the column of predicted classes.
PREDICTED = frozenset({"predicted", "prediction", "predict", "pred", "y_pred", ".pred_class", "response"})
#: Texts of a missing class.
MISSING = frozenset({"", "?", "NA", "NaN", "nan", "<NA>", "None"})
#: Reserved words of R.
RESERVED = frozenset(
    [
        *("if", "else", "repeat", "while", "function", "for", "next", "break", "in", "TRUE", "FALSE", "NULL"),
        *("Inf", "NaN", "NA", "NA_integer_", "NA_real_", "NA_character_", "NA_complex_"),
    ]
)
#: Floating-point tolerance of sums.
EXACT = 1e-9
#: Largest number of sets of columns to try.
MOST_TRIED = 5_000


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
    header, records, of_actual, labels = _labeled(file, lines, actual)
    known = list(classes or columns or sorted({label for label in labels if label is not None}))
    at = {label: _place(file, header, _column_of(file, header, label, columns or {})) for label in known}
    if len(set(at.values())) < len(at):
        raise WorkbenchError(f"two classes of {file} have the same column: name each with columns=")
    if classes is None:
        known.sort(key=at.__getitem__)
    of_row = None if row is None else _place(file, header, row)
    rows = []
    for (line, record), label in zip(records, labels, strict=True):
        if label is not None and label not in known:
            raise at_line(
                file,
                line,
                f"class {label!r} happened, and only {', '.join(map(repr, known))} "
                f"{'is' if len(known) == 1 else 'are'} known{_if_alone(known, classes, columns)}",
            )
        texts = tuple(record[at[each]].strip() for each in known)
        rows.append(PrintedRow(line, label, texts, 0, None if of_row is None else record[of_row]))
    rows = _with_predicted(rows, header, records, known, {of_actual, of_row, *at.values()})
    printed = PrintedRows(file, tuple(known), tuple(rows))
    if classes is None and columns is None:
        taken = {of_actual, of_row, *at.values()}
        unused = [place for place in range(len(header)) if place not in taken]
        refuse_lost_classes(printed, header, [record for _, record in records], unused)
    return printed


def _with_predicted(
    rows: list[PrintedRow],
    header: Sequence[str],
    records: Sequence[tuple[int, Sequence[str]]],
    classes: Sequence[str],
    taken: Collection[int | None],
) -> list[PrintedRow]:
    """Add the predicted classes, if a column called so holds nothing else."""
    for place, name in enumerate(header):
        if place in taken or name.strip().casefold() not in PREDICTED:
            continue
        labels = [record[place].strip() for _, record in records]
        if {*labels} <= {*classes} | MISSING:
            known = [label if label in classes else None for label in labels]
            return [replace(row, predicted=label) for row, label in zip(rows, known, strict=True)]
    return rows


def one_column_rows(
    file: str,
    lines: Iterable[tuple[int, str]],
    *,
    positive: Any,
    actual: str | None,
    classes: Sequence[str] | None,
    columns: Mapping[str, str] | None,
    row: str | None,
) -> PrintedRows:
    """Read a table with one column of probabilities, which are those of the positive one of two classes."""
    header, records, of_actual, labels = _labeled(file, lines, actual)
    of_row = None if row is None else _place(file, header, row)
    for (line, _), label in zip(records, labels, strict=True):
        if classes is not None and label is not None and label not in classes:
            expected = ", ".join(map(repr, classes))
            raise at_line(file, line, f"class {label!r} happened: expected one of {expected}")
    found = sorted({*(label for label in labels if label is not None), *(classes or ())})
    positive = _label_of(positive, found)
    others = [label for label in found if label != positive]
    if len(others) != 1 or (classes is None and positive not in found):
        raise WorkbenchError(
            f"{file} has the classes {', '.join(map(repr, found))}, and positive is {positive!r}: expected "
            "it to be one of two; name both with classes= if the rows have only one"
        )
    taken = {of_actual, of_row}
    at = _place(file, header, (columns or {}).get(positive) or _score_of(file, header, taken))
    given = [
        PrintedRow(line, label, (record[at].strip(),), 0, None if of_row is None else record[of_row])
        for (line, record), label in zip(records, labels, strict=True)
    ]
    # Errors quote what the file says, not what is left for the other class.
    numbers_of(PrintedRows(file, (positive,), ()), [row for row in given if row.actual is not None])
    rows = tuple(replace(row, texts=(_rest_of(row.texts[0]), *row.texts)) for row in given)
    return PrintedRows(file, (others[0], positive), rows)


class _Labeled(NamedTuple):
    """A table, and the class that happened in each of its rows, None where that is missing."""

    header: list[str]
    records: list[tuple[int, list[str]]]  # the line of each row, and its fields
    of_actual: int
    labels: list[str | None]


def _labeled(file: str, lines: Iterable[tuple[int, str]], actual: str | None) -> _Labeled:
    (_, header), *records = _records(file, lines)
    of_actual = _place(file, header, actual or _actual_of(file, header))
    labels = [None if (text := record[of_actual]) in MISSING else text for _, record in records]
    return _Labeled(header, records, of_actual, labels)


def _label_of(positive: Any, found: Sequence[str]) -> str:
    """Write a class as the file does: a table of 0 and 1 has them for False and True."""
    label = str(positive)
    number = str(int(positive)) if positive in (0, 1) else label
    return number if label not in found and number in found else label


def _score_of(file: str, header: Sequence[str], taken: Collection[int | None]) -> str:
    """Return the name of the only column of probabilities."""
    free = [name for place, name in enumerate(header) if place not in taken]
    named = [name for name in free if name.strip().casefold() in SCORES] or free
    if len(named) != 1:
        raise WorkbenchError(
            f"{file} has the columns {', '.join(map(repr, header))}: name the one with the probabilities, "
            "columns={positive: column}"
        )
    return named[0]


def _if_alone(known: Sequence[str], classes: Sequence[str] | None, columns: Mapping[str, str] | None) -> str:
    """Return what to do where one column of probabilities was named alone."""
    if classes is not None or not columns or len(known) > 1:
        return ""
    return f"; if its column is the only one, name the class that it is of, positive={known[0]!r}"


def _rest_of(text: str) -> str:
    """Write what a probability leaves to the other class, with the same decimals; what is no number stays."""
    try:
        return format(1 - Decimal(text), "f")
    except InvalidOperation:
        return text


def _records(file: str, lines: Iterable[tuple[int, str]]) -> list[tuple[int, list[str]]]:
    """Split lines into fields at the header's separator."""
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
            f"{file} has the columns {', '.join(map(repr, header))}: name with actual= the one with the "
            "class that happened"
        )
    return named[0]


def _column_of(file: str, header: Sequence[str], label: str, columns: Mapping[str, str]) -> str:
    """Find the column of a class: the one given, or by its label, or by the label as R writes it."""
    if label in columns:
        return columns[label]
    for name in (label, make_name(label), f".pred_{label}"):
        if name in header:
            return name
    only = "; if one column has the probabilities of one class, name that class, positive=..."
    raise WorkbenchError(
        f"class {label!r} has no column in {file}, which has {', '.join(map(repr, header))}: name it, "
        f"columns={{{label!r}: ...}}{only if len(header) <= 3 else ''}"
    )


def _place(file: str, header: Sequence[str], name: str) -> int:
    count = Counter(header)[name]
    if count != 1:
        raise WorkbenchError(
            f"{file} has {'no column' if not count else 'several columns'} {name!r}: it has "
            f"{', '.join(map(repr, header))}"
        )
    return list(header).index(name)


@dataclass(frozen=True, eq=False)
class _Columns:
    """Some columns of numbers, and the digits they are printed with."""

    values: NDArray[np.float64]  # (n_samples, n_columns)
    digits: tuple[Digits, ...]  # by column

    def misses(self) -> NDArray[np.float64]:
        """Return how far each row is below one."""
        return 1.0 - self.values.sum(axis=1)

    def slack(self) -> NDArray[np.float64]:
        decimals = max(each.decimals for each in self.digits)
        return Digits(decimals, max(each.significant for each in self.digits)).slack(self.values)


def refuse_lost_classes(
    printed: PrintedRows, header: Sequence[str], records: Sequence[Sequence[str]], unused: Sequence[int]
) -> None:
    """Raise if rows sum to one only together with unused columns."""
    scored = [i for i, row in enumerate(printed.rows) if row.actual is not None]
    if not scored:
        return
    by_class = zip(*(printed.rows[i].texts for i in scored), strict=True)
    used = [_numbers(texts) for texts in by_class]
    known = [each for each in used if each is not None]
    if len(known) < len(used):
        return  # invalid probabilities are reported when all are read
    table = _joined(known)
    found = {place: _numbers([records[i][place] for i in scored]) for place in unused}
    lost = _completing(table, {place: each for place, each in found.items() if each is not None})
    if lost:
        names = ", ".join(repr(header[place]) for place in lost)
        worst = int(table.misses().argmax())
        raise at_line(
            printed.file, printed.rows[scored[worst]].line,
            f"the probabilities of {', '.join(printed.classes)} sum to {1.0 - table.misses()[worst]:.6g}, "
            f"and to one with {names}, whose class no row names: name all classes, classes=[...], or their "
            f"columns, columns={{label: {header[lost[0]]!r}, ...}}",
        )  # fmt: skip


def _numbers(texts: Sequence[str]) -> _Columns | None:
    """Read a column whose numbers are all from 0 to 1."""
    try:
        values = to_numbers(texts, missing=())
    except ValueError:
        return None
    if ((values < 0.0) | (values > 1.0)).any():
        return None
    return _Columns(values[:, None], (Digits.of(texts),))


def _joined(columns: Sequence[_Columns]) -> _Columns:
    digits = tuple(digits for each in columns for digits in each.digits)
    return _Columns(np.hstack([each.values for each in columns]), digits)


def _completing(used: _Columns, unused: dict[int, _Columns]) -> tuple[int, ...]:
    """Find the smallest set of columns, or all, that completes the sums to one."""
    misses = used.misses()
    if (misses <= EXACT).all():
        return ()
    # a column that exceeds what a row lacks cannot be a class's, as probabilities are not negative
    room = misses + 2.0 * used.slack()  # its own rounding and that of the others
    fitting = [
        place
        for place, each in unused.items()
        if (each.values[:, 0] <= room).all()
    ]  # fmt: skip
    for places in islice(_sets(fitting), MOST_TRIED):
        whole = _joined([used, *(unused[place] for place in places)])
        left = np.abs(whole.misses())
        if (left > whole.slack()).any():
            continue
        # rounding could explain both: a class was lost if its column halves the deviation
        if (np.abs(misses) > used.slack()).any() or left.sum() < 0.5 * np.abs(misses).sum():
            return places
    return ()


def _sets(places: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Return sets of indices, small ones first, and the full set before those of three."""
    for n in (1, 2):
        yield from combinations(places, n)
    if len(places) > 2:
        yield tuple(places)
    for n in range(3, len(places)):
        yield from combinations(places, n)
