"""Lines of Weka's predictions as fields: its CSV, and the plain text of the Explorer's window."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from workbench.base.errors import WorkbenchError
from workbench.base.text import count_of
from workbench.forecasts.files.printed_rows import at_line

__all__ = ["WekaHeader", "is_weka_header", "weka_fields", "weka_header"]

START = ["inst#", "actual", "predicted", "error"]
NUMBER = re.compile(r"\s*[0-9]{1,9}\s*")
#: A field is quoted as a whole, behind the number of its class or not, or goes up to the next separator.
FIELDS = {
    sep: re.compile(rf"{sep}((?:\d+:)?'(?:[^'\\]|\\.)*'(?={sep}|$)|[^{sep}]*)") for sep in (",", ";", "\t")
}
#: The end of a line of plain text: the distribution, and perhaps attributes in brackets.
PLAIN_END = re.compile(r"\s((?:[0-9.E-]+,)*\*[0-9.E-]+(?:,[0-9.E-]+)*|\?)\s*(?:\(.*)?$")
PLAIN_MARKS = re.compile(r"\s+(?=[0-9]+:|\?$)")
#: Whole numbers that no probability is; a fraction behind a decimal comma looks so.
FRACTION = re.compile(r"0[0-9]+|[2-9]|[1-9][0-9]+")
ALONE = (
    "the file has no distribution: run Weka with -classifications "
    '"weka.classifiers.evaluation.output.prediction.CSV -distribution -decimals 16"'
)


@dataclass(frozen=True)
class WekaHeader:
    """What a header says of the lines below it.

    Parameters
    ----------
    split : callable
        Splits a line into number, actual class, predicted class, error, and the rest; None if it cannot.
    n_classes : int or None
        None in plain text, which does not say.
    extra : tuple of str
        Names of the attributes printed behind the distribution.

    Examples
    --------
    >>> weka_header("p.csv", 1, "inst#,actual,predicted,error,distribution,,id", None).extra
    ('id',)
    """

    split: Callable[[str], list[str] | None]
    n_classes: int | None
    extra: tuple[str, ...]


def is_weka_header(line: str) -> bool:
    """Return whether a line is the header of Weka's predictions."""
    return re.split(r"[,;\t]|\s+", line.strip())[:4] == START


def weka_header(file: str, line: int, text: str, row: str | None) -> WekaHeader:
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
    if row is not None and row not in header.extra:
        raise at_line(
            file, line,
            f"there is no attribute {row!r} behind the distribution: let Weka's CSV print it, option -p",
        )  # fmt: skip
    return header


def _plain_fields(record: str) -> list[str] | None:
    end = PLAIN_END.search(record)
    number, *rest = record[: end.start() if end else 0].split(maxsplit=1) or [""]
    marks = PLAIN_MARKS.split(rest[0].rstrip().removesuffix(" +").rstrip()) if rest else []
    return [number, *marks, "", *end.group(1).split(",")] if end and len(marks) == 2 else None


def weka_fields(file: str, line: int, text: str, header: WekaHeader, n_classes: int | None) -> list[str]:
    """Split a prediction into as many fields as there have to be."""
    fields = header.split(text.rstrip("\r\n"))
    if fields is None or not NUMBER.fullmatch(fields[0]):
        raise at_line(
            file, line, f"expected a prediction, which begins with its number, and not {text.strip()!r}"
        )
    if fields[4:5] == ["?"]:
        raise at_line(
            file, line,
            "Weka printed no distribution (?), as its classifier gave none: take the row out of all files "
            "that are compared, number those below it anew, and say so",
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
    """Make the error of a wrong number of fields, with what most likely made it."""
    if fields[3:4] not in ([""], ["+"]):
        cause = "Weka quotes no label of a predicted class, so none may have the separator inside"
    elif header.n_classes == 1:
        cause = (
            "the header lacks what Weka writes at its end, one separator for each class after the first "
            '(",," for three classes)'
        )
    elif not header.extra and _has_fractions(fields):
        cause = "decimal commas cannot be read, so write the probabilities with decimal points"
    else:
        cause = "give every class its probability, as Weka does"
    return at_line(file, line, f"expected {expected} and found {count_of(len(fields), 'field')}: {cause}")
