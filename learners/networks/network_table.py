"""Tables for networks: names, states and codes."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from generators.tables.caller import user_level
from generators.tables.cells import repeated_name
from learners.options import is_whole
from learners.tables.attributes import Schema
from learners.tables.discretize import interval_labels

__all__ = [
    "ConstantColumnWarning",
    "MissingValuesWarning",
    "NetworkTable",
    "check_shape",
    "equal_frequency_cut_points",
    "is_constant",
    "variable_names",
    "warn_of_constant_columns",
]

FEWEST_ROWS = 20  # from which a column with nearly as many states as rows is warned of
MOST_NAMED = 10  # columns in one warning
NEARLY_ALL = 0.9  # share of the rows that have a state of their own


class ConstantColumnWarning(UserWarning):
    """Warning that a column has at most one value in all rows, so that only required arcs join it.

    Examples
    --------
    >>> issubclass(ConstantColumnWarning, UserWarning)
    True
    """


class MissingValuesWarning(UserWarning):
    """Warning that missing values in the rows favor extra and reversed arcs of the learned network.

    Examples
    --------
    >>> issubclass(MissingValuesWarning, UserWarning)
    True
    """


@dataclass(frozen=True, eq=False)
class NetworkTable:
    """Rows of nominal variables without a class."""

    names: tuple[str, ...]  # x0, x1, ... where the columns have none
    states: tuple[tuple[Hashable, ...], ...]
    codes: NDArray[Any]  # (n_variables, n_rows); the number of states is missing
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
    ) -> NetworkTable:
        """Read a table. The dtypes declare the states as in the learners."""
        X = check_shape(X)
        schema, coded = Schema.fit_code(X, categorical_features=categorical_features, arities=arities)
        cuts = [equal_frequency_cut_points(x, n_intervals) for x in coded.values]
        cuts_of = dict(zip(schema.numeric, cuts, strict=True))
        states = tuple(
            tuple(interval_labels(cuts_of[j])) if j in cuts_of else attribute.states
            for j, attribute in enumerate(schema.attributes)
        )
        codes, names = schema.codes_with_intervals(coded, cuts), variable_names(schema.names)
        sizes = schema.arities_with_intervals(cuts)
        return cls(names, states, codes, sizes, {names[j]: own for j, own in cuts_of.items()})

    @cached_property
    def constant(self) -> NDArray[np.bool_]:
        """Return which variables have at most one of their states in the rows."""
        columns = zip(self.codes, self.arities.tolist(), strict=True)
        return np.array([is_constant(own[own < arity]) for own, arity in columns])

    def warn(self) -> None:
        """Warn of missing values, and of columns that are constant or identify rows."""
        constant = self.constant & (self.codes < self.arities[:, None]).any(axis=1)  # of empty ones see below
        warn_of_constant_columns([self.names[v] for v in np.flatnonzero(constant)])
        for name, own, arity in zip(self.names, self.codes, self.arities.tolist(), strict=True):
            n_rows = int((own < arity).sum())
            if n_rows < FEWEST_ROWS or arity <= NEARLY_ALL * n_rows:
                continue
            n_states = np.unique(own[own < arity]).size
            if n_states > NEARLY_ALL * n_rows:
                warnings.warn(
                    f"Column {name!r} has {n_states} states in {n_rows} rows and is uninformative about the "
                    "other columns. Leave it out, or give it as numbers if it holds numbers.",
                    UserWarning,
                    stacklevel=user_level(),
                )
        missing = self.codes >= self.arities[:, None]
        if missing.any():
            values, rows = _share(missing.mean()), _share(missing.any(axis=0).mean())
            warnings.warn(
                f"{values} of the values are missing, in {rows} of the rows. Families are scored on the rows "
                "in which they are known, so networks are scored on different rows: extra and reversed arcs "
                f"may have posteriors near 1. {_instead(self.names, missing)}",
                MissingValuesWarning,
                stacklevel=user_level(),
            )


def is_constant(known: NDArray[Any]) -> bool:
    """Return whether all known values of a column are equal."""
    return not known.size or bool((known == known[0]).all())


def warn_of_constant_columns(names: Sequence[Any]) -> None:
    """Warn of columns that have no arcs because they are constant."""
    if names:
        first, more = ", ".join(map(repr, names[:MOST_NAMED])), len(names) - MOST_NAMED
        warnings.warn(
            f"Columns that are constant in these rows have no arcs: {first}"
            f"{f' and {more} more' if more > 0 else ''}. Nothing can be learned about them. Leave them out.",
            ConstantColumnWarning,
            stacklevel=user_level(),
        )


def check_shape(X: Any) -> Any:
    """Return a DataFrame or an array, or raise ValueError if X is not a table or is empty."""
    kind = type(X).__name__
    X = X if isinstance(X, pd.DataFrame) else np.asarray(X)
    if X.ndim != 2:
        raise ValueError(
            f"X must be a table (a DataFrame, or an array of rows and columns), but was of type {kind} "
            f"with shape {X.shape}. Read a file with pandas.read_csv, and make a table of a Series with "
            "to_frame()."
        )
    if min(X.shape) == 0:
        raise ValueError(f"X has the shape {X.shape}. Give at least one row and one column.")
    return X


def variable_names(columns: Iterable[Any]) -> tuple[str, ...]:
    """Return the names of columns as text, or raise ValueError if two are the same."""
    names = tuple(f"x{name}" if isinstance(name, int) else str(name) for name in columns)
    if (name := repeated_name(names)) is not None:
        raise ValueError(f"X has two columns named {name!r}. Give every column a unique name.")
    return names


def _instead(names: tuple[str, ...], missing: NDArray[np.bool_]) -> str:
    """Return advice about missing values."""
    empty = [name for name, own in zip(names, missing, strict=True) if own.all()]
    if empty:
        first = f"Leave out {', '.join(map(repr, empty))}, where all values are missing. For the others use "
        return f"{first}the complete rows, X.dropna(), or impute the values."
    if missing.any(axis=0).all():
        return "No row is complete: impute the values, or leave out columns."
    return "Learn from the complete rows, X.dropna(), or impute the values first."


def _share(share: float) -> str:
    return f"{share:.0%}" if share >= 0.01 else "less than 1%"


def equal_frequency_cut_points(x: ArrayLike, n_intervals: int) -> NDArray[np.float64]:
    """Return cut points of intervals with about equally many rows."""
    if not is_whole(n_intervals) or n_intervals < 1:
        raise ValueError(f"n_intervals must be a whole number, 1 or more, but was {n_intervals!r}.")
    values = np.asarray(x, dtype=np.float64)
    distinct, counts = np.unique(values[~np.isnan(values)], return_counts=True)
    if distinct.size < 2:
        return np.empty(0)
    below = np.cumsum(counts)[:-1]  # rows below each gap between values
    wanted = np.arange(1, n_intervals) * counts.sum() / n_intervals
    gaps = np.unique(np.abs(below[None, :] - wanted[:, None]).argmin(axis=1)).astype(np.intp)
    low, high = distinct[:-1], distinct[1:]
    # half of each, so that the largest numbers do not overflow
    return (low / 2 + high / 2)[gaps]
