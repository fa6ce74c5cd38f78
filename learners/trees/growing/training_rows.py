"""Training rows for trees: an integer code for each attribute, numbers as ranks."""

import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.tables.attributes import Schema

__all__ = ["TreeRows", "rank_rows", "GAP", "CloseNumbersWarning", "warn_of_close_numbers"]


class TreeRows(NamedTuple):
    """The rows, nominal and numeric attributes alike."""

    codes: NDArray[Any]  # (n_samples, n_features): a value's code, a number's rank, or `sizes` if missing
    sizes: NDArray[np.int64]  # number of codes of each attribute
    values: NDArray[np.float64]  # sorted distinct numbers of all numeric attributes, one after the other
    value_start: NDArray[np.int64]  # (n_features + 1,): where those of an attribute start
    y: NDArray[np.int32]
    weight: NDArray[np.float64]
    n_classes: int

    @property
    def is_number(self) -> NDArray[np.bool_]:
        """Whether each attribute is numeric and shows a number, of shape (n_features,)."""
        return np.diff(self.value_start) > 0

    @property
    def n_cuts(self) -> NDArray[np.int64]:
        """Gaps between the numbers of each attribute, 0 for a nominal one, of shape (n_features,)."""
        return np.maximum(np.diff(self.value_start) - 1, 0)


def rank_rows(
    table: TrainingTable, schema: Schema, *, class_order: NDArray[np.intp] | None = None
) -> TreeRows:
    """Combine nominal and numeric attributes, numbers as ranks."""
    n_samples = table.y.size
    distinct = [numbers[~np.isnan(numbers)] for numbers in map(np.unique, table.values)]
    sizes = np.empty(len(schema.attributes), np.int64)
    sizes[list(schema.nominal)] = table.arities
    sizes[list(schema.numeric)] = [len(numbers) for numbers in distinct]
    codes = np.empty((n_samples, len(sizes)), np.uint16 if sizes.max() <= 0xFFFF else np.uint32)
    for j, nominal in zip(schema.nominal, table.codes, strict=True):
        codes[:, j] = nominal
    for j, x, numbers in zip(schema.numeric, table.values, distinct, strict=True):
        codes[:, j] = np.searchsorted(numbers, x)  # NaN goes past the last number
    place = np.arange(table.n_classes, dtype=np.int32)
    if class_order is not None:
        place[class_order] = np.arange(table.n_classes)
    counts = np.zeros(len(sizes) + 1, np.int64)
    counts[np.array(schema.numeric, dtype=np.int64) + 1] = sizes[list(schema.numeric)]
    return TreeRows(
        codes,
        sizes,
        np.concatenate([*distinct, np.empty(0)]),
        np.cumsum(counts),
        place[table.y],
        np.ones(n_samples) if table.weight is None else table.weight,
        table.n_classes,
    )


#: C4.5 and J48 cut between two neighboring numbers only if they differ by more.
GAP = 1e-5


class CloseNumbersWarning(UserWarning):
    """Warning that all neighboring numbers of a column are at most 1e-5 apart, so no cut is tried."""


def warn_of_close_numbers(rows: TreeRows, schema: Schema) -> None:
    """Warn once, in `fit`, of all columns with several numbers but no possible cut."""
    names = [repr(schema.names[a]) for a in np.flatnonzero(rows.n_cuts) if _is_close(rows, a)]
    if names:
        one = len(names) == 1
        columns = f"column {names[0]}" if one else f"the columns {', '.join(names)}"
        warnings.warn(
            f"Neighboring numbers of {columns} are at most {GAP:g} apart, which this learner treats as "
            f"equal. Rescale {'it' if one else 'them'}, for instance to a standard deviation of 1.",
            CloseNumbersWarning,
            stacklevel=3,
        )


def _is_close(rows: TreeRows, attribute: np.intp) -> bool:
    numbers = rows.values[rows.value_start[attribute] : rows.value_start[attribute + 1]]
    return not bool((numbers[:-1] + GAP < numbers[1:]).any())
