"""Rows of numbers with classes and weights, checked for the optima of numeric attributes."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from learners.options import is_whole

__all__ = ["LARGEST", "NumberRows", "checked_values"]

LARGEST = 1e100  # squares of larger numbers leave the range of floats


class NumberRows(NamedTuple):
    """Rows of which all parts fit together."""

    values: NDArray[np.float64]  # (n_attributes, n_rows); NaN is missing
    y: NDArray[np.intp]
    weight: NDArray[np.float64]
    n_classes: int

    @classmethod
    def of(cls, values: ArrayLike, y: ArrayLike, n_classes: int, weight: ArrayLike | None) -> Self:
        """Check the parts, or raise ValueError."""
        if not is_whole(n_classes) or n_classes < 1:
            raise ValueError(f"n_classes is {n_classes!r}: give an integer of at least 1")
        numbers, codes = checked_values(values), np.asarray(y)
        n_rows = numbers.shape[1]
        if codes.shape != (n_rows,):
            raise ValueError(
                f"y has the shape {codes.shape} and there are {n_rows} rows: give one class per row"
            )
        if n_rows and not (codes.dtype.kind in "iu" and codes.min() >= 0 and codes.max() < n_classes):
            raise ValueError(
                f"y has other values than 0 .. {n_classes - 1}: give the codes of {n_classes} classes"
            )
        weights = np.ones(n_rows) if weight is None else np.array(weight, dtype=np.float64)
        if weights.shape != (n_rows,) or not (np.isfinite(weights) & (weights >= 0)).all():
            raise ValueError(f"weight is not {n_rows} finite numbers of at least 0: give one per row")
        return cls(numbers, codes.astype(np.intp), weights, int(n_classes))

    @property
    def class_counts(self) -> NDArray[np.float64]:
        """Weight of each class."""
        return np.bincount(self.y, self.weight, minlength=self.n_classes).astype(np.float64)


def checked_values(values: Any, n_attributes: int | None = None) -> NDArray[np.float64]:
    """Return numbers of shape (n_attributes, n_rows), or raise ValueError."""
    numbers = np.ascontiguousarray(values, dtype=np.float64)
    if numbers.ndim != 2:
        raise ValueError(f"values has the shape {numbers.shape}: give (n_attributes, n_rows)")
    if (np.abs(numbers) > LARGEST).any():
        raise ValueError(
            f"values has {numbers[np.abs(numbers) > LARGEST][0]:g}: give finite numbers up to {LARGEST:g}, "
            "NaN where missing"
        )
    if n_attributes is not None and len(numbers) != n_attributes:
        raise ValueError(
            f"values has {len(numbers)} attributes and the posterior {n_attributes}: give one row of values "
            "per attribute"
        )
    return numbers
