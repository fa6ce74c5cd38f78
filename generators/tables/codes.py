"""Integer codes: their types, and arrays of codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["LARGEST_CODE", "MISSING", "check_code_range", "code_dtype", "codes_of_array", "signed_codes"]

MISSING = -1
LARGEST_CODE = 65_535


def code_dtype(arities: NDArray[np.int64], *, missing: bool) -> np.dtype[Any]:
    """Return the smallest unsigned type that holds every code, and the arity if that stands for missing."""
    largest = int(arities.max()) if arities.size else 1
    return np.min_scalar_type(largest if missing else largest - 1)


def codes_of_array(X: ArrayLike, names: Sequence[str], arities: NDArray[np.int64]) -> NDArray[np.intp]:
    """Check an array of codes and return it with one row per variable."""
    values = np.asarray(X)
    if values.dtype.kind not in "iu":
        raise ValueError(
            f"X is an array of {values.dtype}: expected a DataFrame of labels, or integers (-1 for missing)"
        )
    if values.ndim != 2 or values.shape[1] != len(names):
        raise ValueError(
            f"X has the shape {values.shape}: expected {len(names)} columns ({', '.join(names)})"
        )
    if len(values):
        wrong = (values.max(axis=0) >= arities) | (values.min(axis=0) < MISSING)
        if wrong.any():
            column = int(np.flatnonzero(wrong)[0])
            raise ValueError(
                f"X has a code of {names[column]!r} outside -1 .. {arities[column] - 1}: recode it"
            )
    return values.T.astype(np.intp, order="C")


def check_code_range(lowest: int, highest: int) -> None:
    """Raise a ValueError unless all codes lie in -1 .. 65,535."""
    if lowest < MISSING or highest > LARGEST_CODE:
        raise ValueError(
            f"Integer codes must lie between 0 and {LARGEST_CODE:,} (or be -1 where missing), but X holds "
            f"{lowest if lowest < MISSING else highest}. Recode the column, or give it as float if it is "
            "numeric."
        )


def signed_codes(X: NDArray[Any]) -> NDArray[Any]:
    """Prevent overflow of numbers beyond the range of int64."""
    return np.minimum(X, LARGEST_CODE + 1).astype(np.int64) if X.dtype == np.uint64 else X
