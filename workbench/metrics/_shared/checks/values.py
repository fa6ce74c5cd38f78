"""Check options and arrays of metrics."""

import math
from collections.abc import Iterable
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.base.checks import as_integer

__all__ = ["for_kernels", "numbers", "check_choice", "check_integer", "check_number"]


def numbers(values: ArrayLike, *, name: str) -> NDArray[Any]:
    """Return an array of real numbers without changing its type, or raise."""
    try:
        array = np.asarray(values)
        found = array.astype(np.float64) if array.dtype.kind == "O" else array
    except (TypeError, ValueError):
        raise ValueError(
            f"{name} is not an array of numbers: give rows of equal length, all numbers"
        ) from None
    if found.dtype.kind not in "fiub":
        raise ValueError(f"{name} holds {found.dtype} values: give numbers")
    return found


def for_kernels(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array, or a contiguous copy, as a view that cannot be written.

    Every array then has one type, for which kernels are compiled once, and no metric can change its input.
    """
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def check_integer(value: object, *, least: int, name: str, meaning: str) -> int:
    """Return an integer of at least `least`, or raise; floats are refused, even whole ones."""
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
    """Raise if a word is unknown."""
    known = tuple(choices)
    if not (isinstance(value, str) and value in known):
        raise ValueError(f"{name} is {value!r}: give one of {', '.join(map(repr, known))}")
