"""A table of results: typed cells under a header, independent of the format."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

__all__ = [
    "PLAIN",
    "TYPESET",
    "Cell",
    "Number",
    "Signs",
    "Table",
    "Tag",
    "number",
    "p_value",
    "plain",
    "text_of",
    "whole",
]

#: Smaller p values are shown as below this.
SMALLEST_P = 0.0001


@dataclass(frozen=True)
class Signs:
    """The typographic signs of a format."""

    minus: str
    missing: str
    infinite: str
    brackets: tuple[str, str]  # around an interval
    tight: bool  # a spread is written without the space and the leading zero
    strong: str = ""  # behind a number that would be bold, where nothing can be


TYPESET = Signs("\u2212", "\u2013", "\u221e", ("[", "]"), tight=False)
PLAIN = Signs("-", "-", "inf", ("(", ")"), tight=True, strong="*")


@dataclass(frozen=True)
class Number:
    """A number in a table."""

    value: float  # in full, for sorting and for programs; NaN if missing
    digits: int = 0  # decimals shown
    name: str = ""  # for programs, words between "|", unique in the report; empty if it needs none
    low: float = math.nan  # NaN if it has no interval
    high: float = math.nan
    # zero: no minus before 0; signed: a plus
    form: Literal["fixed", "zero", "signed", "p", "percent"] = "fixed"
    spread: float = math.nan  # shown after ±; NaN if there is none
    spread_digits: int = 4
    n_infinite: int = 0  # infinite values behind an infinite mean; 0 if not counted
    words: str = ""  # instead of the digits; may have two lines, which some formats join
    ends: tuple[str, str] | tuple[()] = ()  # instead of the digits of `low` and `high`
    mark: str = ""  # shown after the number
    strong: bool = False  # set in bold

    @property
    def text(self) -> str:
        """The number as it is typeset."""
        return self.write(TYPESET)

    def write(self, signs: Signs) -> str:
        """Write the number with the signs of a format."""
        text = self.words or self._written(self.value, signs)
        if math.isinf(self.value) and self.n_infinite:
            text += f" ({self.n_infinite})"
        if math.isfinite(self.value) and not math.isnan(self.spread):
            spread = f"{self.spread:.{self.spread_digits}f}"
            text += f" \u00b1{spread.removeprefix('0')}" if signs.tight else f" \u00b1 {spread}"
        ends = self.ends
        if not ends and not math.isnan(self.low):
            ends = (self._written(self.low, signs), self._written(self.high, signs))
        if ends:
            text += f" {signs.brackets[0]}{', '.join(ends)}{signs.brackets[1]}"
        return " ".join(filter(None, (text, self.marked(signs))))

    def marked(self, signs: Signs) -> str:
        """Return what stands behind the number."""
        return " ".join(filter(None, (self.mark, signs.strong if self.strong else "")))

    def _written(self, value: float, signs: Signs) -> str:
        if math.isnan(value):
            return signs.missing
        if math.isinf(value):
            return signs.infinite if value > 0 else f"{signs.minus}{signs.infinite}"
        if self.form == "p" and value < SMALLEST_P:
            return f"<{'' if signs.tight else ' '}{SMALLEST_P:.4f}"
        form = {"zero": "z.{}f", "signed": "+.{}f", "percent": ".{}%"}.get(self.form, ".{}f")
        return format(value, form.format(self.digits)).replace("-", signs.minus)


@dataclass(frozen=True)
class Tag:
    """A word of a few, set in the color of its kind where there is color."""

    text: str
    kind: str


Cell = str | Number | Tag


@dataclass(frozen=True)
class Table:
    """A table of results."""

    title: str  # above the table; may be empty in a terminal
    columns: tuple[str, ...]  # heads, which may have several lines
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""  # below the table
    n_grey: int = 0  # how many of the last columns are of secondary importance
    grouped: bool = False  # whether rows with the same first cell belong together

    def is_numeric(self, column: int) -> bool:
        """Return whether a column holds numbers, which are set to the right."""
        return any(isinstance(row[column], Number) for row in self.rows)

    def is_grey(self, column: int) -> bool:
        """Return whether a column is of secondary importance."""
        return column >= len(self.columns) - self.n_grey


def number(value: float, digits: int = 4, name: str = "", interval: Sequence[float] = ()) -> Number:
    """Return a number with its interval, if it has one."""
    low, high = interval or (math.nan, math.nan)
    return Number(float(value), digits, name, float(low), float(high))


def whole(n: float, name: str = "") -> Number:
    """Return a count."""
    return Number(float(n), 0, name)


def p_value(p: float, name: str = "") -> Number:
    """Return a p value."""
    return Number(float(p), 4, name, form="p")


def plain(cell: Cell) -> str:
    """Write a cell for a terminal."""
    return cell.write(PLAIN) if isinstance(cell, Number) else text_of(cell)


def text_of(cell: Cell) -> str:
    """Return a cell as it is typeset."""
    return cell if isinstance(cell, str) else cell.text
