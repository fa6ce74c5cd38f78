"""Weka's predictions: rows, folds, and the names of the classes."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from workbench.base.errors import WorkbenchError
from workbench.base.text import count_of
from workbench.forecasts.files.printed_rows import PrintedRow, PrintedRows, at_line

__all__ = ["is_weka_header", "weka_rows"]

START = ["inst#", "actual", "predicted", "error"]
NUMBER = re.compile(r"\s*[0-9]{1,9}\s*")
#: A field is quoted as a whole, with or without a class number before it, or ends at the next separator.
FIELDS = {
    sep: re.compile(rf"{sep}((?:\d+:)?'(?:[^'\\]|\\.)*'(?={sep}|$)|[^{sep}]*)") for sep in (",", ";", "\t")
}
#: The end of a line of plain text: the distribution, and perhaps attributes in brackets.
PLAIN_END = re.compile(r"\s((?:[0-9.E-]+,)*\*[0-9.E-]+(?:,[0-9.E-]+)*|\?)\s*(?:\(.*)?$")
PLAIN_GAP = re.compile(r"\s+(?=[0-9]+:|\?$)")
#: Integers that cannot be probabilities, such as the fraction after a decimal comma.
FRACTION = re.compile(r"0[0-9]+|[2-9]|[1-9][0-9]+")
ALONE = (
    "the file has no distribution: run Weka with -classifications "
    '"weka.classifiers.evaluation.output.prediction.CSV -distribution -decimals 16"'
)
CODED = re.compile(r"([0-9]{1,6}):.*")
QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'")
Pair = tuple[str, str]  # of the actual and the predicted class


@dataclass(frozen=True)
class WekaHeader:
    """The declarations of a header."""

    # a line into number, actual, predicted, error, and the rest; None if it cannot be
    split: Callable[[str], list[str] | None]
    n_classes: int | None  # None in plain text
    extra: tuple[str, ...]  # attributes printed after the distribution


def is_weka_header(line: str) -> bool:
    """Return whether a line is the header of Weka's predictions."""
    return re.split(r"[,;\t]|\s+", line.strip())[:4] == START


def weka_header(file: str, line: int, text: str, row: Sequence[str]) -> WekaHeader:
    """Read a header."""
    sep = text.strip()[len(START[0])]
    if sep not in FIELDS:
        if "distribution" not in text.split():
            raise at_line(file, line, ALONE)
        header = WekaHeader(_plain_fields, None, ())
    else:
        names = text.rstrip("\r\n").split(sep)
        if "distribution" not in names[4:5]:
            raise at_line(file, line, ALONE)
        behind = names[5:]
        n_empty = next((i for i, name in enumerate(behind) if name), len(behind))
        header = WekaHeader(
            lambda record: FIELDS[sep].findall(sep + record), 1 + n_empty, tuple(behind[n_empty:])
        )
    for name in row:
        if name not in header.extra:
            raise at_line(
                file, line,
                f"there is no attribute {name!r} after the distribution: print it with Weka's option -p",
            )  # fmt: skip
    return header


def _plain_fields(record: str) -> list[str] | None:
    end = PLAIN_END.search(record)
    number, *rest = record[: end.start() if end else 0].split(maxsplit=1) or [""]
    pair = PLAIN_GAP.split(rest[0].rstrip().removesuffix(" +").rstrip()) if rest else []
    return [number, *pair, "", *end.group(1).split(",")] if end and len(pair) == 2 else None


def weka_fields(file: str, line: int, text: str, header: WekaHeader, n_classes: int | None) -> list[str]:
    """Split a prediction into the expected number of fields."""
    fields = header.split(text.rstrip("\r\n"))
    if fields is None or not NUMBER.fullmatch(fields[0]):
        raise at_line(
            file, line, f"expected a prediction, which begins with its number, but found {text.strip()!r}"
        )
    if fields[4:5] == ["?"]:
        raise at_line(
            file, line,
            "Weka printed no distribution (?), as its classifier gave none: remove the row from all files "
            "that are compared, renumber the rows after it, and report this",
        )  # fmt: skip
    if n_classes is None and _has_fractions(fields):
        raise _other_number(file, line, fields, "one field for each class", header)
    expected = 4 + (n_classes or len(fields) - 4) + len(header.extra)
    if len(fields) != expected:
        raise _other_number(file, line, fields, count_of(expected, "field"), header)
    return fields


def _has_fractions(fields: Sequence[str]) -> bool:
    return any(FRACTION.fullmatch(text.removeprefix("*")) for text in fields[4:])


def _other_number(
    file: str, line: int, fields: Sequence[str], expected: str, header: WekaHeader
) -> WorkbenchError:
    """Return the error for a wrong number of fields, with its likely cause."""
    if fields[3:4] not in ([""], ["+"]):
        cause = "Weka does not quote predicted classes, so no label may contain the separator"
    elif header.n_classes == 1:
        cause = (
            "the header must end with one separator for each class after the first, as Weka writes it "
            '(",," for three classes)'
        )
    elif not header.extra and _has_fractions(fields):
        cause = "decimal commas cannot be read, so write the probabilities with decimal points"
    else:
        cause = "give a probability for every class, as Weka does"
    return at_line(file, line, f"expected {expected}, but found {count_of(len(fields), 'field')}: {cause}")


def weka_rows(
    file: str, lines: Iterable[tuple[int, str]], *, classes: Sequence[str] | None, row: Sequence[str]
) -> PrintedRows:
    """Read Weka's predictions. A fold begins where the row number is 1 again."""
    found = list(_records(file, lines, row))
    if not found:
        raise WorkbenchError(f"{file} has the header of Weka's predictions, but no row below it")
    n_classes = len(found[0][1].texts)
    known = _labels(file, found, n_classes, classes)
    rows = []
    for pair, record in found:
        (code, is_missing), (predicted, _) = map(_code, pair)
        rows.append(replace(record, actual=None if is_missing else known[code], predicted=known[predicted]))
    return PrintedRows(file, tuple(known), tuple(rows))


def _records(
    file: str, lines: Iterable[tuple[int, str]], row: Sequence[str]
) -> Iterator[tuple[Pair, PrintedRow]]:
    """Yield the actual and the predicted class, and the row without its label."""
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
        pair, texts = _texts(file, line, fields, n_classes)
        n_classes = len(texts)
        fold, last = _fold(file, line, int(fields[0]), last, fold), int(fields[0])
        extra = dict(zip(header.extra, fields[4 + n_classes :], strict=True))
        name = ", ".join(_unquoted(extra[name]) for name in row) if row else None
        yield pair, PrintedRow(line, None, texts, fold, name)


def _fold(file: str, line: int, number: int, last: int, fold: int) -> int:
    """Return the fold of a row: Weka numbers the rows of each fold from 1."""
    if number == 1:
        return fold + (last > 0)
    if number != last + 1:
        raise at_line(
            file, line,
            f"the row has number {number}, but expected {last + 1}, or 1 at the start of a fold: look for "
            "lost or repeated rows. If rows were removed on purpose, renumber the other rows",
        )  # fmt: skip
    return fold


def _texts(file: str, line: int, fields: list[str], n_classes: int | None) -> tuple[Pair, tuple[str, ...]]:
    """Remove the star, after checking that it is at the predicted class."""
    pair = (fields[1], fields[2])
    if not all(CODED.fullmatch(coded) for coded in pair):
        raise at_line(
            file,
            line,
            f"expected classes such as 2:yes, but found {pair[0]!r} and {pair[1]!r}: use a nominal class",
        )
    forecast = fields[4 : 4 + (n_classes or len(fields) - 4)]
    stars = [i for i, text in enumerate(forecast) if text.startswith("*")]
    if stars != [_code(pair[1])[0]]:
        where = "the star marks another class" if stars else "no probability has the star"
        raise at_line(file, line, f"class {pair[1]} is predicted, but {where}: {','.join(forecast)}")
    return pair, tuple(text.removeprefix("*") for text in forecast)


def _code(coded: str) -> tuple[int, bool]:
    """Return the number of the class, from 0, and whether the class is missing, which Weka prints as 1:?."""
    number, _, label = coded.partition(":")
    return int(number) - 1, label == "?"


def _labels(
    file: str, found: Sequence[tuple[Pair, PrintedRow]], n_classes: int, classes: Sequence[str] | None
) -> list[str]:
    """Return the label of each class, as the rows print it or as it is declared."""
    labels: list[str | None] = [None] * n_classes if classes is None else list(classes)
    if len(labels) != n_classes:
        raise WorkbenchError(
            f"classes= names {len(labels)} classes, but {file} has {n_classes} columns of probabilities: "
            "name all classes, in Weka's order"
        )
    for pair, record in found:
        for coded in pair:
            code, is_missing = _code(coded)
            label = _unquoted(coded.partition(":")[2])
            if is_missing:
                continue
            if not 0 <= code < n_classes:
                raise at_line(
                    file,
                    record.line,
                    f"class {coded} has no column: there are {n_classes} columns of probabilities",
                )
            known = labels[code]
            if known is None:
                labels[code] = known = label
            # older plain text cuts labels off, so a declared one may be longer
            if label != known and (classes is None or not known.startswith(label)):
                raise at_line(
                    file, record.line, f"class {code + 1} is {label!r} here, but {known!r} in other rows"
                )
    if None in labels:
        raise WorkbenchError(
            f"class {labels.index(None) + 1} of {n_classes} is in no row of {file} the true or the "
            "predicted class: name all classes in Weka's order with classes="
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
