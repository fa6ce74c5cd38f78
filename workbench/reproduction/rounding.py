"""A printed number stands for all the numbers that are printed so."""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from workbench.base.errors import WorkbenchError

__all__ = ["DIGITS", "PrintedNumber", "printed_number"]

#: What was done to the digits that are not printed.
DIGITS = ("rounded", "truncated")


@dataclass(frozen=True)
class PrintedNumber:
    """A number of a paper.

    Parameters
    ----------
    value : Decimal
        As printed; may be NaN.
    low, high : Decimal
        Ends of what is printed so.
    """

    value: Decimal
    low: Decimal
    high: Decimal

    def minus(self, other: "PrintedNumber") -> "PrintedNumber":
        """Return the difference of two printed numbers, of which both may be off."""
        return PrintedNumber(self.value - other.value, self.low - other.high, self.high - other.low)


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
