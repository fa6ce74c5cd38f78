"""The cells of a printed table, from the rows of its file: levels, differences, outcomes of tests."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import combinations
from typing import Any

import pandas as pd

from workbench.base.errors import WorkbenchError
from workbench.reproduction.printed.rows import PLACE, PrintedNames

__all__ = [
    "CELLS",
    "DIGITS",
    "PrintedNumber",
    "contrasts",
    "differences",
    "levels",
    "outcomes",
    "printed_number",
]

#: How numbers were shortened to the printed digits.
DIGITS = ("rounded", "truncated")


@dataclass(frozen=True)
class PrintedNumber:
    """A number of a paper as printed, maybe NaN, and the range of values that are printed so."""

    value: Decimal
    low: Decimal
    high: Decimal

    def minus(self, other: "PrintedNumber") -> "PrintedNumber":
        """Return the difference of two printed numbers, both of which are rounded."""
        return PrintedNumber(self.value - other.value, self.low - other.high, self.high - other.low)

    def times(self, n: int) -> "PrintedNumber":
        """Return the number times a whole one, not below 0."""
        return PrintedNumber(self.value * n, self.low * n, self.high * n)

    def over(self, n: int) -> "PrintedNumber":
        """Return the number divided by a whole one."""
        return PrintedNumber(self.value / n, self.low / n, self.high / n)


def printed_number(text: str, *, decimals: int | None = None, digits: str = "rounded") -> PrintedNumber:
    """Read a printed number."""
    try:
        value = Decimal(text.strip())
    except InvalidOperation:
        raise WorkbenchError(f"a printed value is {text!r}: expected a number or NaN") from None
    if not value.is_finite():
        return PrintedNumber(value, value, value)
    places = decimals if decimals is not None else max(0, -int(value.as_tuple().exponent))
    unit = Decimal(1).scaleb(-places)
    if digits == "truncated":
        low, high = (value, value + unit) if not value.is_signed() else (value - unit, value)
        return PrintedNumber(value, low, high)
    return PrintedNumber(value, value - unit / 2, value + unit / 2)


#: A number with as many digits as a paper may print; Decimal accepts more, which may overflow a float.
PLAIN = re.compile(
    r"[+-]?(?:[0-9]{1,30}\.?[0-9]{0,30}|\.[0-9]{1,30})(?:[eE][+-]?[0-9]{1,2})?|[+-]?nan", re.IGNORECASE
)
CELLS = ("dataset", "learner", "other", "printed", "low", "high", "doubt", "unknown", "open", "among",
         "printed_as")  # fmt: skip


def levels(
    rows: pd.DataFrame, names: PrintedNames, what: str, *, decimals: int | None, digits: str, doubtful: str
) -> pd.DataFrame:
    """Return one cell per row."""
    found = []
    for row in rows.to_dict("records"):
        learner = names.learner(row["@learner"], what) if "@learner" in row else ""
        number = _number(row, decimals, digits, what)
        why = _why_unknown(number, row["@doubt"], doubtful)
        cell = _cell(names.dataset(row["@dataset"]), learner, "", number, row["@doubt"], why)
        found.append({**cell, "printed_as": _names(row, "@learner")})
    return _frame(found)


def differences(
    rows: pd.DataFrame, names: PrintedNames, what: str, *, decimals: int | None, digits: str, doubtful: str
) -> pd.DataFrame:
    """Return one cell per data set and pair of learners: the first level minus the second."""
    found = []
    for dataset, own in rows.groupby("@dataset", sort=False):
        for a, b in combinations(own.to_dict("records"), 2):
            number = _number(a, decimals, digits, what).minus(_number(b, decimals, digits, what))
            doubt = "; ".join(dict.fromkeys(row["@doubt"] for row in (a, b) if row["@doubt"]))
            keys = names.learner(a["@learner"], what), names.learner(b["@learner"], what)
            why = _why_unknown(number, doubt, doubtful)
            cell = _cell(names.dataset(str(dataset)), *keys, number, doubt, why)
            found.append({**cell, "printed_as": (str(dataset), a["@learner"], b["@learner"])})
    return _frame(found)


def contrasts(
    rows: pd.DataFrame, names: PrintedNames, what: str, *, decimals: int | None, digits: str, doubtful: str
) -> pd.DataFrame:
    """Return one cell per row: the level less the mean of all levels of the data set."""
    # The range is that of all levels, each anywhere within its own: weight 1 - 1/k of a level, -1/k of the
    # others. A cell cannot be judged if one of the levels cannot.
    found = []
    for dataset, own in rows.groupby("@dataset", sort=False):
        records = own.to_dict("records")
        numbers = [_number(row, decimals, digits, what) for row in records]
        keys = tuple(names.learner(row["@learner"], what) for row in records)
        doubt = "; ".join(dict.fromkeys(row["@doubt"] for row in records if row["@doubt"]))
        reasons = (_why_unknown(one, doubt, doubtful) for one in numbers)
        why = "a single learner is printed" if len(keys) < 2 else next(filter(None, reasons), "")
        for i, row in enumerate(records):
            number = _less_mean(numbers, i)
            cell = _cell(names.dataset(str(dataset)), keys[i], "", number, doubt, why)
            found.append({**cell, "among": keys, "printed_as": _names(row, "@learner")})
    return _frame(found)


def _less_mean(numbers: Sequence[PrintedNumber], i: int) -> PrintedNumber:
    """Return a number less the mean of all."""
    k = len(numbers)
    found = numbers[i].times(k - 1)
    for other in (*numbers[:i], *numbers[i + 1 :]):
        found = found.minus(other)
    return found.over(k)


def outcomes(
    rows: pd.DataFrame, among: pd.DataFrame, names: PrintedNames, what: str, *, missing: str, doubtful: str
) -> pd.DataFrame:
    """Return one cell per printed significant difference, and one per other pair of learners."""
    printed = rows.to_dict("records")
    found = [_outcome(row, names, what, doubtful) for row in printed]
    significant = {(row["@dataset"], frozenset((row["@winner"], row["@loser"]))) for row in printed}
    astray = {
        (row["@dataset"], row["@winner"]): row["@doubt"] or "a learner beats itself"
        for row in printed
        if row["@winner"] == row["@loser"]
    }
    for dataset, a, b in _pairs(among):
        if (dataset, frozenset((a, b))) not in significant:
            doubt = astray.get((dataset, a)) or astray.get((dataset, b)) or ""
            keys = names.learner(a, what), names.learner(b, what)
            number = PrintedNumber(Decimal(0), Decimal(0), Decimal(0))
            cell = _cell(names.dataset(dataset), *keys, number, doubt, doubt)
            found.append({**cell, "open": missing == "unknown_if_later", "printed_as": (str(dataset), a, b)})
    return _frame(found)


def _outcome(row: dict[Any, str], names: PrintedNames, what: str, doubtful: str) -> dict[str, Any]:
    pair = names.learner(row["@winner"], what), names.learner(row["@loser"], what)
    why = (
        f"the published value is in doubt: {row['@doubt']}" if row["@doubt"] and doubtful == "unknown" else ""
    )
    why = why or ("a learner beats itself" if pair[0] == pair[1] else "")
    number = PrintedNumber(Decimal(1), Decimal(1), Decimal(1))
    cell = _cell(names.dataset(row["@dataset"]), *pair, number, row["@doubt"], why)
    return {**cell, "printed_as": _names(row, "@winner", "@loser")}


def _pairs(among: pd.DataFrame) -> Iterator[tuple[str, str, str]]:
    for dataset, own in among.groupby("@dataset", sort=False):
        for a, b in combinations(own["@learner"], 2):
            yield str(dataset), a, b


def _number(row: dict[Any, str], decimals: int | None, digits: str, what: str) -> PrintedNumber:
    if not PLAIN.fullmatch(row["@value"].strip()):
        raise WorkbenchError(
            f"{what}: on {row[PLACE]} a printed value is {row['@value']!r}: expected a number or NaN"
        )
    try:
        return printed_number(row["@value"], decimals=decimals, digits=digits)
    except WorkbenchError as error:
        raise WorkbenchError(f"{what}: on {row[PLACE]} {error}") from error


def _why_unknown(number: PrintedNumber, doubt: str, doubtful: str) -> str:
    if not number.value.is_finite():
        return "no number is printed"
    return f"the published value is in doubt: {doubt}" if doubt and doubtful == "unknown" else ""


def _cell(
    dataset: str, learner: str, other: str, number: PrintedNumber, doubt: str, unknown: str
) -> dict[str, Any]:
    value, low, high = float(number.value), float(number.low), float(number.high)
    found = (dataset, learner, other, value, low, high, doubt, unknown, False, (), ())
    return dict(zip(CELLS, found, strict=True))


def _names(row: Mapping[Any, str], *learners: str) -> tuple[str, str, str]:
    """Return the paper's names of data set, learner and other, of which the last two may be empty."""
    first, second = ([row[column] for column in learners if column in row] + ["", ""])[:2]
    return row["@dataset"], first, second


def _frame(cells: list[dict[str, Any]]) -> pd.DataFrame:
    return pd.DataFrame(cells, columns=list(CELLS))
