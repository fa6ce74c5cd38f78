"""A missing value as a value of its own, next to those of its column."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learners.attributes import CodedTable, Schema
from learners.base import TrainingTable

__all__ = ["MissingAsValue", "seen_values"]


@dataclass(frozen=True, eq=False)
class MissingAsValue:
    """The columns whose missing values count as values: those that have some in the training rows.

    A nominal attribute gets one more code, which is the one that stands for missing values already; of
    numbers, a missing one lies below all others. In other columns a missing value stays missing.

    Parameters
    ----------
    nominal : ndarray of bool, shape (n_nominal,)
        By row of `codes`.
    numeric : ndarray of bool, shape (n_numeric,)
        By row of `values`.
    """

    nominal: NDArray[np.bool_]
    numeric: NDArray[np.bool_]

    @classmethod
    def of(cls, table: TrainingTable) -> "MissingAsValue":
        """Find the columns with missing values."""
        nominal = np.any(table.codes == table.arities[:, None], axis=1)
        return cls(np.asarray(nominal), np.asarray(np.any(np.isnan(table.values), axis=1)))

    @classmethod
    def nowhere(cls, table: TrainingTable) -> "MissingAsValue":
        """Leave all missing values missing."""
        return cls(np.zeros(len(table.codes), bool), np.zeros(len(table.values), bool))

    def training(self, table: TrainingTable) -> TrainingTable:
        """Give the training rows with these values."""
        return table._replace(values=self._numbers(table.values), arities=table.arities + self.nominal)

    def coded(self, table: CodedTable) -> CodedTable:
        """Give rows to be forecast with these values; their codes are what they were."""
        return table._replace(values=self._numbers(table.values))

    def of_columns(self, schema: Schema) -> NDArray[np.bool_]:
        """Tell for each column of the table whether it has such a value; shape (n_features,)."""
        out = np.zeros(len(schema.attributes), bool)
        out[list(schema.nominal)], out[list(schema.numeric)] = self.nominal, self.numeric
        return out

    def _numbers(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.where(self.numeric[:, None] & np.isnan(values), -np.inf, values)


def seen_values(table: TrainingTable, schema: Schema) -> NDArray[np.int64]:
    """Count the different values that the training rows show.

    Parameters
    ----------
    table : TrainingTable
        The rows; a missing value that counts as a value was made one.
    schema : Schema
        Which column is which.

    Returns
    -------
    ndarray of int64, shape (n_features,)
        A missing value is none.
    """
    out = np.zeros(len(schema.attributes), np.int64)
    for j, codes, arity in zip(schema.nominal, table.codes, table.arities.tolist(), strict=True):
        out[j] = np.count_nonzero(np.bincount(codes, minlength=arity)[:arity])
    for j, numbers in zip(schema.numeric, table.values, strict=True):
        out[j] = np.unique(numbers[~np.isnan(numbers)]).size
    return out
