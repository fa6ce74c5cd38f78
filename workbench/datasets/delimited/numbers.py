"""Columns of text with numbers in various notations."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["STYLES", "NumberStyle", "is_number", "may_be_thousands", "numbers_of", "style_of"]


@dataclass(frozen=True)
class NumberStyle:
    """A way to write numbers."""

    decimal: str
    thousands: str = ""
    around: str = ""  # a sign before or behind each number, such as % or $

    @property
    def pattern(self) -> str:
        """The numbers of this style, as a regular expression that Python and arrow read alike."""
        mark = re.escape(self.decimal)
        fraction = rf"(?:{mark}[0-9]*)?(?:[eE][+-]?[0-9]+)?"
        whole = r"[0-9]+"
        if self.thousands:
            whole = rf"(?:[1-9][0-9]{{0,2}}(?:[{re.escape(self.thousands)}][0-9]{{3}})+|[0-9]+)"
        number = rf"[+-]?(?:{whole}{fraction}|{mark}[0-9]+(?:[eE][+-]?[0-9]+)?)"
        sign = re.escape(self.around)
        return rf"(?:{number}(?: ?{sign})?|-?{sign} ?{number})" if sign else number


BLANKS = " \u00a0\u202f"
PLAIN = NumberStyle(".")
COMMA = NumberStyle(",")
#: Ways to write numbers, the plain one first.
STYLES = (
    PLAIN,
    *(NumberStyle(".", thousands) for thousands in (",", "'", BLANKS)),
    COMMA,
    *(NumberStyle(",", thousands) for thousands in (".", BLANKS)),
    *(NumberStyle(".", ",", sign) for sign in ("%", "$", "€", "£")),
    *(NumberStyle(",", ".", sign) for sign in ("%", "€")),
)
ANY = re.compile("|".join(f"(?:{style.pattern})" for style in (PLAIN, COMMA, *STYLES[1:])))
ZERO = re.compile(r"[+-]?0[.,]")
MARKED = re.compile("[.,]")
GROUPED = re.compile(r"[+-]?[0-9]{1,3}(?P<mark>[.,'])[0-9]{3}")


def is_number(text: str) -> bool:
    """Return whether a text is a number in any style."""
    return ANY.fullmatch(text.strip()) is not None


def style_of(values: Sequence[str], decimal: str | None) -> NumberStyle | None:
    """Return the style of all of some numbers, or None if there is none or two are possible."""
    # a group of three behind a single mark, as in 1,260, may be thousands or a fraction
    fitting = [style for style in STYLES if _fits(style, values) and decimal in (None, style.decimal)]
    fitting = [style for style in fitting if decimal != "," or not style.thousands or style.decimal == ","]
    one_meaning = len({style.decimal for style in fitting}) == 1 or not any(map(MARKED.search, values))
    if not fitting or one_meaning or PLAIN in fitting:
        return fitting[0] if fitting else None
    return _by_groups(fitting, values)


def may_be_thousands(values: Sequence[str]) -> bool:
    """Return whether a single mark in numbers may separate thousands, as in 1.260."""
    return all(GROUPED.fullmatch(value) and not ZERO.match(value) for value in values if MARKED.search(value))


def _by_groups(fitting: Sequence[NumberStyle], values: Sequence[str]) -> NumberStyle | None:
    """Choose between thousands and fractions of three digits, or None if both are possible."""
    grouped = [value for value in values if GROUPED.fullmatch(value)]
    if any(map(ZERO.match, grouped)):
        return next((style for style in fitting if not style.thousands), None)
    small = [value for value in values if re.fullmatch(r"[+-]?[0-9]{1,3}", value)]
    large = [value for value in values if re.fullmatch(r"[+-]?[0-9]{4,}", value)]
    if small and not large:
        return next((style for style in fitting if style.thousands), None)
    return None


def _fits(style: NumberStyle, values: Sequence[str]) -> bool:
    pattern = re.compile(style.pattern)
    # a code for missing values among amounts has no sign, but most have
    signed = not style.around or 2 * sum(style.around in value for value in values) >= len(values)
    return signed and all(pattern.fullmatch(value) for value in values)


def numbers_of(column: Any, style: NumberStyle) -> "NDArray[Any] | None":
    """Convert an array of strings, NaN where null, or return None if it has anything else."""
    import pyarrow as pa
    from pyarrow import compute

    if style != PLAIN:
        if not compute.all(compute.match_substring_regex(column, rf"^(?:{style.pattern})$")).as_py():
            return None
        for mark in style.thousands:
            column = compute.replace_substring(column, mark, "")
        column = compute.replace_substring_regex(column, f" ?{re.escape(style.around)} ?", "")
        if style.decimal != ".":
            column = compute.replace_substring(column, style.decimal, ".")
    elif compute.any(compute.match_substring_regex(column, "[xX_]")).as_py():
        return None  # arrow reads 0x10 as well
    for kind in (pa.int64(), pa.float64()):
        try:
            return _as_numpy(compute.cast(column, kind))
        except pa.ArrowInvalid:
            continue
    return None


def _as_numpy(column: Any) -> NDArray[Any]:
    """Return integers, or floats if one is missing."""
    values = column.to_numpy(zero_copy_only=False)
    return values if values.dtype == np.int64 else values.astype(np.float64)
