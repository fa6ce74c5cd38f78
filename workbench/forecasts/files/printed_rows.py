"""What a file of predictions prints, and the distributions that it stands for: rounding is divided out."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.base.errors import WorkbenchError
from workbench.datasets._shared.lines import to_number, to_numbers

__all__ = ["PrintedRow", "PrintedRows", "at_line", "Digits", "Probabilities", "probabilities_of"]

#: What a sum may miss one by whatever is printed: single precision leaves so much.
LEAST_SLACK = 1e-6
#: Beyond this no rounding is believed: a class that was left out may have as much.
MOST_SLACK = 0.02
#: With fewer significant digits only decimals count: half a unit of one digit would be five percents a class.
LEAST_SIGNIFICANT = 3


@dataclass(frozen=True)
class PrintedRow:
    """One prediction as it stands in the file.

    Parameters
    ----------
    line : int
        Of the file, from 1.
    actual : str or None
        Label of the class that happened; None where it is missing.
    texts : tuple of str
        The printed probabilities, in the order of the classes.
    fold : int
        How many times the numbering of the rows had begun again before.
    name : str or None
        What the column asked for calls the row.

    Examples
    --------
    >>> PrintedRow(2, "yes", ("0.1", "0.9")).fold
    0
    """

    line: int
    actual: str | None
    texts: tuple[str, ...]
    fold: int = 0
    name: str | None = None


@dataclass(frozen=True)
class PrintedRows:
    """All predictions of a file.

    Parameters
    ----------
    file : str
        What errors call it.
    classes : tuple of str
    rows : tuple of PrintedRow

    Examples
    --------
    >>> PrintedRows("p.csv", ("no", "yes"), (PrintedRow(2, "yes", ("0.1", "0.9")),)).rows[0].line
    2
    """

    file: str
    classes: tuple[str, ...]
    rows: tuple[PrintedRow, ...]


def at_line(file: str, line: int, what: str) -> WorkbenchError:
    """Make the error of a line."""
    return WorkbenchError(f"{file}, line {line}: {what}")


@dataclass(frozen=True)
class Digits:
    """How many digits the numbers of a file have at most.

    Parameters
    ----------
    decimals : int
    significant : int

    Examples
    --------
    >>> Digits.of(["0.5", "0.025", "1e-4"])
    Digits(decimals=4, significant=2)
    """

    decimals: int
    significant: int

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Digits":
        """Count the digits of printed numbers."""
        decimals, significant = zip((0, 0), *map(_digits, texts), strict=True)
        return cls(max(decimals), max(significant))

    def slack(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return by how much each row's sum may miss one because its numbers were rounded."""
        halves = np.full_like(values, 0.5 * 10.0**-self.decimals)
        if self.significant >= LEAST_SIGNIFICANT:
            positive = values > 0.0
            # 1 is what 0.9996 is rounded up to, so its digits are counted as those below one
            places = np.floor(np.log10(values, where=positive, out=np.zeros_like(values))).clip(max=-1)
            halves = np.maximum(halves, positive * 0.5 * 10.0 ** (places - self.significant + 1))
        return np.clip(halves.sum(axis=1), LEAST_SLACK, MOST_SLACK) * (1 + 1e-9) + math.ulp(1.0)


@dataclass(frozen=True, eq=False)
class Probabilities:
    """Distributions, and how coarsely they were printed.

    Parameters
    ----------
    y_prob : ndarray of shape (n_samples, n_classes)
        Each row sums to one.
    half_unit : float
        Half a unit of the last decimal of the file: what is less is printed as 0.
    n_rescaled : int
        Rows whose printed sum was not one.
    """

    y_prob: NDArray[np.float64]
    half_unit: float
    n_rescaled: int


def probabilities_of(printed: PrintedRows, rows: Sequence[PrintedRow]) -> Probabilities:
    """Turn printed probabilities into distributions.

    Notes
    -----
    Programs round to a number of decimals (Weka) or of significant digits (R), and Weka leaves zeros at the
    end out: so the most of both in the file is taken for what was printed. The sum of a row may then miss one
    by half a unit of the last decimal for each of its numbers, or of the last significant digit if there are
    three at least, and by two percents at most, so that one decimal explains nothing; what is more could as
    well be a class that was left out.
    """
    values = _values(printed, rows)
    digits = Digits.of(text for row in rows for text in row.texts)
    sums = values.sum(axis=1)
    for i in np.flatnonzero(np.abs(sums - 1.0) > digits.slack(values))[:1]:
        raise at_line(
            printed.file, rows[i].line,
            f"the probabilities of {', '.join(printed.classes)} sum to {sums[i]:.6g}, which no rounding "
            "to two decimals or more explains: give every class its column (classes= names them all)",
        )  # fmt: skip
    off = np.abs(sums - 1.0) > 1e-12
    return Probabilities(values / sums[:, None], 0.5 * 10.0**-digits.decimals, int(off.sum()))


def _values(printed: PrintedRows, rows: Sequence[PrintedRow]) -> NDArray[np.float64]:
    try:
        values = to_numbers([text for row in rows for text in row.texts], missing=())
    except ValueError:
        _raise_for_first(printed, rows)
        raise
    values = values.reshape(len(rows), len(printed.classes))
    for i, j in np.argwhere((values < 0.0) | (values > 1.0))[:1]:
        raise at_line(
            printed.file, rows[i].line,
            f"{rows[i].texts[j]} stands for class {printed.classes[j]!r}: expected a probability from 0 to 1",
        )  # fmt: skip
    return values


def _raise_for_first(printed: PrintedRows, rows: Sequence[PrintedRow]) -> None:
    """Raise for the first text that is no number."""
    for row in rows:
        for label, text in zip(printed.classes, row.texts, strict=True):
            try:
                to_number(text)
            except ValueError:
                cannot = "decimal commas cannot be read, " if "," in text else ""
                raise at_line(
                    printed.file, row.line,
                    f"{text!r} stands for class {label!r}: {cannot}expected a probability such as 0.25, "
                    "with a point",
                ) from None  # fmt: skip


def _digits(text: str) -> tuple[int, int]:
    """Return the number of decimals and of significant digits of a number."""
    mantissa, _, exponent = text.strip().lower().partition("e")
    whole, _, fraction = mantissa.lstrip("+-").partition(".")
    # an exponent of more digits is beyond any number: its value no longer matters
    return len(fraction) - int(exponent[:6] or 0), len((whole + fraction).lstrip("0"))
