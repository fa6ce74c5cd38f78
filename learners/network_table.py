"""A table of nominal columns as a network sees it: names, states and codes."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from learners.attributes import Schema

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
    """

    names: tuple[str, ...]
    states: tuple[tuple[Hashable, ...], ...]
    codes: NDArray[Any]
    arities: NDArray[np.int64]

    @classmethod
    def read(
        cls,
        X: Any,
        *,
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> "NetworkTable":
        """Read a table; the dtypes declare the states as in the learners.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_variables)
            Nominal columns, or integer codes with -1 for missing.
        categorical_features : "from_dtype", mask, names or indices
            Which columns are nominal; all must be.
        arities : sequence of int or None, optional
            Number of values of each column of integer codes.

        Returns
        -------
        NetworkTable

        Raises
        ------
        ValueError
            If the table is empty or not of two dimensions, or a column is numeric.

        Examples
        --------
        >>> table = NetworkTable.read(np.array([[0, 1], [2, -1]]))
        >>> table.names, table.arities.tolist(), table.codes.tolist()
        (('x0', 'x1'), [3, 2], [[0, 2], [1, 2]])
        """
        X = X if isinstance(X, pd.DataFrame) else np.asarray(X)
        if X.ndim != 2 or min(X.shape) == 0:
            raise ValueError(f"X has the shape {X.shape}; give at least one row and one column.")
        schema = Schema.fit(X, categorical_features=categorical_features, arities=arities)
        if schema.numeric:
            name = schema.attributes[schema.numeric[0]].name
            raise ValueError(
                f"Column {name!r} is numeric, and a network needs nominal columns; cut it into intervals "
                "(MDLPDiscretizer, pandas.cut) or name it in categorical_features."
            )
        names = [f"x{name}" if isinstance(name, int) else str(name) for name in schema.names]
        states = tuple(attribute.states for attribute in schema.attributes)
        return cls(tuple(names), states, schema.code(X).codes, schema.arities)
