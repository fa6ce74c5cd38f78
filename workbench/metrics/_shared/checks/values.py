"""Check options and arrays of metrics."""

import math
from collections.abc import Iterable
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.base.checks import as_integer
from workbench.base.text import sentence

__all__ = ["for_kernels", "numbers", "check_choice", "check_integer", "check_number"]


def numbers(values: ArrayLike, *, name: str) -> NDArray[Any]:
    """Return an array of real numbers without changing its type, or raise."""
    if values is None or (isinstance(values, Iterable) and not hasattr(values, "__len__")):
        raise ValueError(f"{name} is {_short(values)}: give an array of real numbers")
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ValueError(f"{name} has masked cells, whose numbers are unknown: give real numbers")
    if hasattr(values, "tocsr"):  # numpy takes a sparse array for a single object
        raise ValueError(f"{name} is sparse: give a dense array, such as .toarray()")
    try:
        array = np.asarray(values)
    except (TypeError, ValueError) as error:
        why = "" if "inhomogeneous" in str(error) else f" ({sentence(str(error))})"
        raise ValueError(
            f"{name} is not an array of numbers{why}: give rows of equal length, all numbers"
        ) from error
    found = _of_objects(array, name) if array.dtype.kind == "O" else array
    if found.dtype.kind not in "fiub":
        raise ValueError(f"{name} holds {_kind(found.dtype)}: give real numbers")
    return found


def _of_objects(array: NDArray[Any], name: str) -> NDArray[np.float64]:
    """Convert an array of objects, each of which must be a real number: numpy would also read text."""
    for cell in array.ravel():
        if not isinstance(cell, Real | Decimal | np.bool_):
            raise ValueError(f"{name} holds {_short(cell)}, which is no real number: give real numbers")
    try:
        return array.astype(np.float64)
    except (OverflowError, ValueError) as error:
        raise ValueError(
            f"{name} holds a number that has no floating-point value ({error}): give real numbers"
        ) from error


def _short(cell: object) -> str:
    text = repr(cell)
    return text if len(text) <= 40 else f"{text[:40]}..."


def _kind(dtype: np.dtype[Any]) -> str:
    return {"c": "complex numbers", "U": "text", "S": "bytes"}.get(dtype.kind, f"{dtype} values")


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
