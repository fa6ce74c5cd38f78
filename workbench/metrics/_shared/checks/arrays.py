"""Arrays as kernels take them, and numbers told from what is none."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["for_kernels", "numbers"]


def numbers(values: ArrayLike, *, name: str) -> NDArray[Any]:
    """Return an array of real numbers of the type that they came in, or raise."""
    try:
        array = np.asarray(values)
        found = array.astype(np.float64) if array.dtype.kind == "O" else array
    except (TypeError, ValueError):
        raise ValueError(f"{name} is no table of numbers: give rows of equal length, all numbers") from None
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
