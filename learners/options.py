"""Checks of users' parameters: numbers, shares, truth values and choices."""

import math
from collections.abc import Iterable
from numbers import Real
from typing import Any

import numpy as np

__all__ = ["check_choice", "check_flag", "check_number", "check_share", "is_whole"]


def check_number(
    name: str, value: Any, *, above: float | None = None, at_least: float | None = None
) -> float:
    """Return a parameter as a float, or raise an error if it is invalid."""
    is_number = _is_number(value)
    if is_number and math.isfinite(value):
        if (above is None or value > above) and (at_least is None or value >= at_least):
            return float(value)
        kind = "a number"
    else:
        kind = "a finite number" if is_number else "a number"
    bound = (
        f" above {above:g}"
        if above is not None
        else f" of at least {at_least:g}"
        if at_least is not None
        else ""
    )
    raise ValueError(f"{name} must be {kind}{bound}, but was {value!r}.")


def check_share(name: str, value: Any) -> float:
    """Return a share from 0 to 1 as a float, or raise an error if it is invalid."""
    if _is_number(value) and 0 <= value <= 1:
        return float(value)
    raise ValueError(f"{name} must be a share from 0 to 1, but was {value!r}. For 80 percent give 0.8.")


def check_flag(name: str, value: Any) -> bool:
    """Return a parameter that is true or false, or raise an error if it is neither."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise ValueError(f"{name} must be True or False, but was {value!r}, which is not a truth value.")


def check_choice(name: str, value: Any, choices: Iterable[str]) -> str:
    """Return a parameter that is one of several words, or raise an error if it is another."""
    words = tuple(choices)
    if isinstance(value, str) and value in words:
        return value
    raise ValueError(f"{name} must be one of {', '.join(words)}, but was {value!r}.")


def is_whole(value: object) -> bool:
    """Return whether a value is a whole number. Truth values are not."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)
