"""Columns that are added, and numbers that are transformed, in training and test rows alike."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.tables.columns import labels_of_codes
from workbench.invariances.rows import TrialRows, drawn_column

__all__ = ["constant_column", "copied_column", "irrelevant_column", "linear_transform", "monotone_transform"]

#: Powers of ten by which numbers are multiplied; they are shifted by up to SHIFT of the new units.
MAGNITUDES, SHIFT = (-2.0, 2.0), 10.0


def constant_column(rows: TrialRows, rng: np.random.Generator) -> tuple[TrialRows, TrialRows]:
    """Add a column with a single value."""
    columns = [_constant(part) for part in (rows.X, rows.X_test)]
    return rows, _with_column(rows, "constant", columns[0], columns[1])


def _constant(X: pd.DataFrame) -> pd.Series:
    if isinstance(X.dtypes.iloc[0], pd.CategoricalDtype):
        return labels_of_codes(np.zeros(len(X), dtype=np.intp), [0], index=X.index)
    return pd.Series(1.0, index=X.index)


def copied_column(rows: TrialRows, rng: np.random.Generator) -> tuple[TrialRows, TrialRows]:
    """Add a copy of one of the columns."""
    j = int(rng.integers(rows.X.shape[1]))
    return rows, _with_column(rows, "copy", rows.X.iloc[:, j], rows.X_test.iloc[:, j])


def irrelevant_column(rows: TrialRows, rng: np.random.Generator) -> tuple[TrialRows, TrialRows]:
    """Add a column that is independent of everything."""
    return rows, _with_column(rows, "irrelevant", *drawn_column(rows, rng, tells=0.0))


def _with_column(rows: TrialRows, name: str, column: pd.Series, test: pd.Series) -> TrialRows:
    return replace(rows, X=rows.X.assign(**{name: column}), X_test=rows.X_test.assign(**{name: test}))


def linear_transform(rows: TrialRows, rng: np.random.Generator) -> tuple[TrialRows, TrialRows]:
    """Give each column another unit and another zero."""
    n = rows.X.shape[1]
    scale, shift = 10.0 ** rng.uniform(*MAGNITUDES, n), rng.uniform(-SHIFT, SHIFT, n)
    return rows, _transformed(rows, lambda values: scale * (values + shift))


def monotone_transform(rows: TrialRows, rng: np.random.Generator) -> tuple[TrialRows, TrialRows]:
    """Replace standardized numbers by their exponentials and cubes, in turn."""
    training = rows.X.to_numpy()
    mean, deviation = training.mean(axis=0), training.std(axis=0)
    is_even = np.arange(training.shape[1]) % 2 == 0

    def transform(values: NDArray[np.float64]) -> NDArray[np.float64]:
        z = (values - mean) / deviation
        return np.where(is_even, np.exp(z), z**3)

    return rows, _transformed(rows, transform)


def _transformed(
    rows: TrialRows, transform: Callable[[NDArray[np.float64]], NDArray[np.float64]]
) -> TrialRows:
    X, X_test = (
        pd.DataFrame(transform(part.to_numpy()), index=part.index, columns=part.columns)
        for part in (rows.X, rows.X_test)
    )
    return replace(rows, X=X, X_test=X_test)
