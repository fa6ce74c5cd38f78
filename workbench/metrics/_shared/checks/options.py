"""Whether the options of a metric are what it can work with, asked when it is made."""

import math
from collections.abc import Iterable
from numbers import Real

from workbench.base.integers import as_integer

__all__ = ["check_choice", "check_integer", "check_number"]


def check_integer(value: object, *, least: int, name: str, meaning: str) -> int:
    """Return an integer of at least `least`, or raise; a float is none, even a whole one."""
    number = as_integer(value)
    if number is None or number < least:
        raise ValueError(f"{name} is {value!r}: give {meaning}, an integer of at least {least}")
    return number


def check_number(value: object, *, name: str, meaning: str) -> float:
    """Return a finite number as a float, or raise."""
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise ValueError(f"{name} is {value!r}: give {meaning}, a finite number")
    return float(value)


def check_choice(value: object, choices: Iterable[str], *, name: str) -> None:
    """Raise if a word is none of those that are known."""
    known = tuple(choices)
    if not (isinstance(value, str) and value in known):
        raise ValueError(f"{name} is {value!r}: give one of {', '.join(map(repr, known))}")
