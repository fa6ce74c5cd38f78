"""A table as a network sees it: names, states and codes."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from learners.attributes import Schema, code_dtype
from learners.discretize import interval_codes, interval_labels
from learners.equal_frequency import equal_frequency_cut_points

__all__ = ["NetworkTable"]


@dataclass(frozen=True, eq=False)
class NetworkTable:
    """Rows of nominal variables, none of which is the class.

    Attributes
    ----------
    names : tuple of str
        Name of each variable; "x0", "x1", ... where the columns have none.
    states : tuple of tuple
        Declared values of each variable, in order.
    codes : ndarray of unsigned integers, shape (n_variables, n_rows)
        Position in `states`, or the number of states where missing.
    arities : ndarray of int64, shape (n_variables,)
        Number of states of each variable.
    cut_points : dict of ndarray
        Cuts of each numeric column.
    """

    names: tuple[str, ...]
    states: tuple[tuple[Hashable, ...], ...]
    codes: NDArray[Any]
    arities: NDArray[np.int64]
    cut_points: dict[str, NDArray[np.float64]]

    @classmethod
    def read(
        cls,
        X: Any,
        *,
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
        n_intervals: int = 5,
    ) -> "NetworkTable":
        """Read a table; the dtypes declare the states as in the learners.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_variables)
            Columns, or integer codes with -1 for missing.
        categorical_features : "from_dtype", mask, names or indices
            Which columns are nominal.
        arities : sequence of int or None, optional
            Number of values of each column of integer codes.
        n_intervals : int
            Most intervals of a numeric column, of about equally many rows.

        Returns
        -------
        NetworkTable

        Raises
        ------
        ValueError
            If the table is empty or not of two dimensions, or `n_intervals` is not possible.

        Examples
        --------
        >>> table = NetworkTable.read(np.array([[0, 1], [2, -1]]))
        >>> table.names, table.arities.tolist(), table.codes.tolist()
        (('x0', 'x1'), [3, 2], [[0, 2], [1, 2]])
        """
        kind = type(X).__name__
        X = X if isinstance(X, pd.DataFrame) else np.asarray(X)
        if X.ndim != 2:
            raise ValueError(
                f"X must be a table (a DataFrame, or an array of rows and columns), but was of type {kind} "
                f"with shape {X.shape}; read a file with pandas.read_csv, and make a table of a Series with "
                "to_frame()."
            )
        if min(X.shape) == 0:
            raise ValueError(f"X has the shape {X.shape}; give at least one row and one column.")
        schema = Schema.fit(X, categorical_features=categorical_features, arities=arities)
        coded = schema.code(X)
        cuts = {
            j: equal_frequency_cut_points(x, n_intervals)
            for j, x in zip(schema.numeric, coded.values, strict=True)
        }
        states = tuple(
            tuple(interval_labels(cuts[j])) if j in cuts else attribute.states
            for j, attribute in enumerate(schema.attributes)
        )
        sizes = np.array([len(own) for own in states], dtype=np.int64)
        codes = np.empty((len(states), coded.n_samples), dtype=code_dtype(sizes))
        codes[list(schema.nominal)] = coded.codes
        for j, x in zip(schema.numeric, coded.values, strict=True):
            codes[j] = interval_codes(x, cuts[j])
        names = tuple(f"x{name}" if isinstance(name, int) else str(name) for name in schema.names)
        return cls(names, states, codes, sizes, {names[j]: own for j, own in cuts.items()})
