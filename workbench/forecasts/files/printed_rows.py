"""Printed predictions, and their distributions after normalization."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.base.errors import WorkbenchError
from workbench.datasets._shared.lines import to_number, to_numbers

__all__ = [
    "PrintedRow",
    "PrintedRows",
    "at_line",
    "Digits",
    "Probabilities",
    "numbers_of",
    "probabilities_of",
]

#: Tolerance of sums at any precision, for single precision floats.
LEAST_SLACK = 1e-6
#: Largest deviation explained by rounding: beyond it a class may have been left out.
MOST_SLACK = 0.02
#: With fewer significant digits only decimals count: half a unit of one digit is five percent per class.
LEAST_SIGNIFICANT = 3


@dataclass(frozen=True)
class PrintedRow:
    """One prediction of a file."""

    line: int  # of the file, from 1
    actual: str | None  # label of the class that happened; None where it is missing
    texts: tuple[str, ...]  # the printed probabilities, in the order of the classes
    fold: int = 0  # how often the row numbering restarted before
    name: str | None = None  # of the row, from the column asked for
    predicted: str | None = None  # label that the program predicts, where the file says so


@dataclass(frozen=True)
class PrintedRows:
    """All predictions of a file."""

    file: str
    classes: tuple[str, ...]
    rows: tuple[PrintedRow, ...]
    unit: str = "line"  # what the lines of the rows count: a Parquet file has rows alone

    def error(self, line: int, what: str) -> WorkbenchError:
        """Return the error for a row."""
        return at_line(self.file, line, what, self.unit)


def at_line(file: str, line: int, what: str, unit: str = "line") -> WorkbenchError:
    """Return the error for a line."""
    return WorkbenchError(f"{file}, {unit} {line}: {what}")


@dataclass(frozen=True)
class Digits:
    """Largest numbers of digits in a file."""

    decimals: int
    significant: int

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Digits":
        """Count the digits of printed numbers."""
        decimals, significant = zip((0, 0), *map(_digits, texts), strict=True)
        return cls(max(decimals), max(significant))

    def slack(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how far each row's sum may be from one because of rounding."""
        halves = np.full_like(values, 0.5 * 10.0**-self.decimals)
        if self.significant >= LEAST_SIGNIFICANT:
            positive = values > 0.0
            # 1 is what 0.9996 is rounded up to, so its digits are counted as those below one
            places = np.floor(np.log10(values, where=positive, out=np.zeros_like(values))).clip(max=-1)
            halves = np.maximum(halves, positive * 0.5 * 10.0 ** (places - self.significant + 1))
        return np.clip(halves.sum(axis=1), LEAST_SLACK, MOST_SLACK) * (1 + 1e-9) + math.ulp(1.0)


@dataclass(frozen=True, eq=False)
class Probabilities:
    """Distributions, with their printed precision."""

    y_prob: NDArray[np.float64]
    half_unit: float  # of the last decimal of the file: smaller values are printed as 0
    n_rescaled: int  # rows whose printed sum was not one


def probabilities_of(printed: PrintedRows, rows: Sequence[PrintedRow]) -> Probabilities:
    """Convert printed probabilities to distributions."""
    # Programs round to decimals (Weka, which omits trailing zeros) or significant digits (R), so the largest
    # numbers of digits in the file count. A row's sum may miss one by half a unit of the last decimal for
    # each number, or of the last significant digit if there are three, and by two percents at most: more may
    # be a class that was left out.
    values = numbers_of(printed, rows)
    digits = Digits.of(text for row in rows for text in row.texts)
    sums = values.sum(axis=1)
    for i in np.flatnonzero(np.abs(sums - 1.0) > digits.slack(values))[:1]:
        raise printed.error(
            rows[i].line,
            f"the probabilities of {', '.join(printed.classes)} sum to {sums[i]:.6g}, which no rounding "
            "to two decimals or more explains: every class needs a column (classes= names all classes)",
        )  # fmt: skip
    off = np.abs(sums - 1.0) > 1e-12
    return Probabilities(values / sums[:, None], 0.5 * 10.0**-digits.decimals, int(off.sum()))


def numbers_of(printed: PrintedRows, rows: Sequence[PrintedRow]) -> NDArray[np.float64]:
    """Read printed probabilities, each from 0 to 1."""
    try:
        values = to_numbers([text for row in rows for text in row.texts], missing=())
    except ValueError:
        _raise_for_first(printed, rows)
        raise
    values = values.reshape(len(rows), len(printed.classes))
    for i, j in np.argwhere((values < 0.0) | (values > 1.0))[:1]:
        raise printed.error(
            rows[i].line,
            f"{rows[i].texts[j]} stands for class {printed.classes[j]!r}: expected a probability from 0 to 1",
        )  # fmt: skip
    return values


def _raise_for_first(printed: PrintedRows, rows: Sequence[PrintedRow]) -> None:
    """Raise for the first text that is not a number."""
    for row in rows:
        for label, text in zip(printed.classes, row.texts, strict=True):
            try:
                to_number(text)
            except ValueError:
                cannot = "decimal commas cannot be read, " if "," in text else ""
                raise printed.error(
                    row.line,
                    f"{text!r} stands for class {label!r}: {cannot}expected a probability such as 0.25, "
                    "with a point",
                ) from None  # fmt: skip


def _digits(text: str) -> tuple[int, int]:
    """Return the number of decimals and of significant digits of a number."""
    mantissa, _, exponent = text.strip().lower().partition("e")
    whole, _, fraction = mantissa.lstrip("+-").partition(".")
    # longer exponents overflow any number, so their value does not matter
    return len(fraction) - int(exponent[:6] or 0), len((whole + fraction).lstrip("0"))
