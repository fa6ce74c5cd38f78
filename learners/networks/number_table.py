"""A table of only numbers, for linear-Gaussian networks."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from learners.networks.network_table import check_shape, variable_names

__all__ = ["NumberTable"]

INSTEAD = 'or use another local_model, such as "table", which takes words and cuts numbers into intervals.'
LEAST_SPREAD = 1e-13  # of the largest value; less is rounding
LEAST_SIZE, LARGEST_SIZE = 1e-100, 1e100  # standard deviations whose products are floats


@dataclass(frozen=True, eq=False)
class NumberTable:
    """Complete rows of numbers, (n_variables, n_rows), without constant variables."""

    names: tuple[str, ...]  # x0, x1, ... where the columns have none
    values: NDArray[np.float64]

    @property
    def n_distinct(self) -> int:
        """Number of distinct rows."""
        return np.unique(self.values, axis=1).shape[1]

    @classmethod
    def read(cls, X: Any) -> "NumberTable":
        """Read a table, or raise ValueError with the first invalid column."""
        X = check_shape(X)
        if len(X) < 2:
            raise ValueError("X has 1 row: expected at least two, so that numbers vary.")
        table = X if isinstance(X, pd.DataFrame) else pd.DataFrame(X)
        names = variable_names(table.columns)
        values = np.empty((len(names), len(table)))
        for row, name, (_, column) in zip(values, names, table.items(), strict=True):
            row[:] = _numbers(name, column)
        return cls(names, values)


def _check_scale(name: str, values: NDArray[np.float64]) -> None:
    """Raise an error for a constant variable, or one whose products exceed the range of a float."""
    largest = float(np.abs(values).max())
    if np.ptp(values / max(largest, np.finfo(float).tiny)) <= LEAST_SPREAD:
        raise ValueError(
            f"Column {name!r} is constant, or nearly constant relative to its values, and has no variance "
            "to explain. Leave it out."
        )
    if not LEAST_SIZE <= values.std() <= LARGEST_SIZE:
        raise ValueError(
            f"Column {name!r} has the standard deviation {values.std():.3g}: expected {LEAST_SIZE:g} to "
            f"{LARGEST_SIZE:g}. Give the column in other units."
        )


def _numbers(name: str, column: pd.Series) -> NDArray[np.float64]:
    """Return the numbers of a column."""
    is_words = pd.api.types.is_bool_dtype(column.dtype) or not pd.api.types.is_numeric_dtype(column.dtype)
    if is_words or pd.api.types.is_complex_dtype(column.dtype):
        raise ValueError(
            f'Column {name!r} has the dtype {column.dtype}, but local_model="gaussian" takes only numbers. '
            f"Give it as numbers if it holds numbers, leave it out, {INSTEAD}"
        )
    values = column.to_numpy(np.float64, na_value=np.nan)
    n_missing = int(np.isnan(values).sum())
    if n_missing:
        raise ValueError(
            f"Column {name!r} has missing values, {n_missing} of {len(column)}, but "
            f'local_model="gaussian" takes complete rows. Learn from X.dropna(), impute the values, {INSTEAD}'
        )
    if np.isinf(values).any():
        raise ValueError(f"Column {name!r} has an infinite value. Replace it, or leave out the row.")
    _check_scale(name, values)
    return values
