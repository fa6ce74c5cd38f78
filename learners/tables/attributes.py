"""Encoding of tables as compact integer codes, by the attributes that dtypes declare."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.tables.codes import code_dtype
from generators.tables.columns import Column
from learners.options import is_whole
from learners.tables._kernels.codes import transpose_codes
from learners.tables.columns import (
    code_columns,
    codes_of,
    joined_column,
    largest_codes,
    moved_codes,
    numbers_of,
    read_column,
    warn_of_few_integers,
    warn_of_many_codes,
    wider_column,
)
from learners.tables.discretize import interval_codes

__all__ = ["CodedTable", "Schema"]


class CodedTable(NamedTuple):
    """A table as arrays, with a row for each attribute."""

    codes: NDArray[Any]  # (n_nominal, n_samples); the arity is missing
    values: NDArray[np.float64]  # (n_numeric, n_samples); NaN is missing
    n_samples: int

    def rows(self, part: slice) -> "CodedTable":
        """Return some of the rows, as new arrays."""
        codes, values = (np.ascontiguousarray(array[:, part]) for array in (self.codes, self.values))
        return CodedTable(codes, values, len(range(*part.indices(self.n_samples))))


@dataclass(frozen=True)
class Schema:
    """The attributes learned by `fit`, which apply at prediction to any container."""

    attributes: tuple[Column, ...]
    nominal: tuple[int, ...]
    numeric: tuple[int, ...]
    arities: NDArray[np.int64]  # of the nominal attributes
    code_dtype: Any

    @classmethod
    def fit_code(
        cls, X: Any, *, categorical_features: Any = "from_dtype", arities: Sequence[int | None] | None = None
    ) -> tuple["Schema", CodedTable]:
        """Read the attributes of a table, and code it."""
        is_frame = isinstance(X, pd.DataFrame)
        names = np.asarray(X.columns, dtype=object).tolist() if is_frame else list(range(X.shape[1]))
        given = _given_arities(arities, len(names))
        nominal = _given_nominal(categorical_features, names)
        if isinstance(X, np.ndarray) and X.dtype.kind in "iu" and nominal[0] is None:
            return cls._fit_codes(X, given)
        columns = _columns(X)
        schema = cls.of([read_column(*each) for each in zip(names, columns, nominal, given, strict=True)])
        warn_of_few_integers(names, columns, nominal)
        return schema, schema._code_columns(columns, X.shape[0])

    @classmethod
    def of(cls, attributes: Sequence[Column]) -> "Schema":
        """Make a schema of its attributes."""
        nominal = tuple(j for j, a in enumerate(attributes) if a.arity)
        numeric = tuple(j for j, a in enumerate(attributes) if not a.arity)
        arities = np.array([attributes[j].arity for j in nominal], dtype=np.int64)
        return cls(tuple(attributes), nominal, numeric, arities, code_dtype(arities, missing=True))

    @property
    def names(self) -> tuple[Any, ...]:
        """Column names, or positions."""
        return tuple(a.name for a in self.attributes)

    def code(self, X: Any) -> CodedTable:
        """Convert a table with these columns to codes and numbers."""
        if isinstance(X, np.ndarray) and X.dtype.kind in "iu" and self._plain_codes:
            return self._transpose(X)[0]
        return self._code_columns(_columns(X), X.shape[0])

    def widen_code(
        self, X: Any, *, arities: Sequence[int | None] | None = None
    ) -> tuple["Schema", CodedTable]:
        """Also declare the values of further rows, and code these. Return the same object if none is new."""
        given = _given_arities(arities, len(self.attributes))
        if isinstance(X, np.ndarray) and X.dtype.kind in "iu" and self._plain_codes:
            return self._widen_codes(X, given)
        columns = _columns(X)
        found = [wider_column(*each) for each in zip(self.attributes, columns, given, strict=True)]
        same = all(old is new for old, new in zip(self.attributes, found, strict=True))
        schema = self if same else self.of(found)
        return schema, schema._code_columns(columns, X.shape[0])

    def joined(self, other: "Schema") -> "Schema":
        """Also declare the values of another table with the same columns."""
        if len(self.attributes) != len(other.attributes):
            raise ValueError(
                f"One learner has {len(self.attributes)} columns and another {len(other.attributes)}. Give "
                "all learners the same columns, for instance by starting each from emptied()."
            )
        return self.of([joined_column(*pair) for pair in zip(self.attributes, other.attributes, strict=True)])

    def arities_with_intervals(self, cuts: Sequence[NDArray[np.float64]]) -> NDArray[np.int64]:
        """Return the number of values of each column, where numeric ones are cut."""
        arities = np.empty(len(self.attributes), dtype=np.int64)
        arities[list(self.nominal)] = self.arities
        arities[list(self.numeric)] = [len(own) + 1 for own in cuts]
        return arities

    def codes_with_intervals(
        self, coded: CodedTable, cuts: Sequence[NDArray[np.float64]]
    ) -> NDArray[np.unsignedinteger]:
        """Insert the intervals of the numeric columns among the nominal codes, in column order."""
        dtype = code_dtype(self.arities_with_intervals(cuts), missing=True)
        codes = np.empty((len(self.attributes), coded.n_samples), dtype=dtype)
        codes[list(self.nominal)] = coded.codes
        for j, x, own in zip(self.numeric, coded.values, cuts, strict=True):
            codes[j] = interval_codes(x, own)
        return codes

    def moves_to(self, wider: "Schema") -> tuple[NDArray[np.intp], ...]:
        """Return the code in a wider schema of each code of each attribute, empty for a numeric one."""
        return tuple(map(moved_codes, self.attributes, wider.attributes))

    def _widen_codes(self, X: NDArray[Any], given: list[int | None]) -> tuple["Schema", CodedTable]:
        """Widen an array of codes, in one pass if every code is known and none is missing."""
        coded, outside = self._transpose(X)
        schema = self
        if outside:
            seen = code_columns(X, given)
            arities = [max(a.arity, b.arity) for a, b in zip(self.attributes, seen, strict=True)]
            if arities != self.arities.tolist():
                schema = self.of([a._replace(arity=n) for a, n in zip(self.attributes, arities, strict=True)])
                coded = schema._transpose(X)[0]
        return schema, coded

    def _code_columns(self, columns: list[Any], n_samples: int) -> CodedTable:
        codes = np.empty((len(self.nominal), n_samples), dtype=self.code_dtype)
        values = np.empty((len(self.numeric), n_samples))
        at_code = at_value = 0
        for attribute, column in zip(self.attributes, columns, strict=True):
            if attribute.arity:
                codes[at_code] = codes_of(attribute, column)
                at_code += 1
            else:
                values[at_value] = numbers_of(attribute, column)
                at_value += 1
        # -1 became the largest code of the dtype; all codes past the last value are missing
        np.minimum(codes, self.arities[:, None].astype(self.code_dtype), out=codes)
        return CodedTable(codes, values, n_samples)

    @classmethod
    def _fit_codes(cls, X: NDArray[Any], given: list[int | None]) -> tuple["Schema", CodedTable]:
        """Read an array of codes, in one pass if all arities are given and no code is outside."""
        if None not in given:
            schema = cls.of([Column(j, arity or 1) for j, arity in enumerate(given)])
            coded, outside = schema._transpose(X)
            if not outside:
                return schema, coded
        schema = cls.of(code_columns(X, given))
        warn_of_many_codes(X, given)
        return schema, schema._transpose(X)[0]

    def _transpose(self, X: NDArray[Any]) -> tuple[CodedTable, int]:
        codes = np.empty(X.shape[::-1], dtype=self.code_dtype)
        outside = int(transpose_codes(X, self.arities, codes))
        if outside:
            largest_codes(X)  # refuses what is no code
        return CodedTable(codes, np.empty((0, len(X))), len(X)), outside

    @property
    def _plain_codes(self) -> bool:
        return not self.numeric and all(a.values is None for a in self.attributes)


def _given_arities(arities: Sequence[int | None] | None, n_features: int) -> list[int | None]:
    if arities is None:
        return [None] * n_features
    is_list = isinstance(arities, Iterable) and not isinstance(arities, str)
    given = list(arities) if is_list else []
    if len(given) != n_features or not all(a is None or (is_whole(a) and a >= 1) for a in given):
        raise ValueError(
            f"arities must hold one positive integer (or None) for each of the {n_features} columns, "
            f"but was {given if is_list else arities!r}."
        )
    return [None if a is None else int(a) for a in given]


def _given_nominal(categorical_features: Any, names: list[Any]) -> list[bool | None]:
    """Return whether each column was declared nominal, with None if its dtype decides."""
    if isinstance(categorical_features, str) and categorical_features == "from_dtype":
        return [None] * len(names)
    asked = np.asarray(categorical_features)
    if asked.dtype == bool and asked.shape == (len(names),):
        return asked.tolist()
    chosen = set(asked.ravel().tolist())
    positions = {j for j in range(len(names)) if names[j] in chosen}
    if not positions and asked.dtype.kind in "iu":
        positions = {int(j) for j in chosen if -len(names) <= j < len(names)}
    if asked.ndim != 1 or len(positions) != len(chosen):
        raise ValueError(
            f'categorical_features must be "from_dtype", a mask of {len(names)} truth values, '
            f"or column names or indices, but was {categorical_features!r}."
        )
    return [j in positions for j in range(len(names))]


def _columns(X: Any) -> list[Any]:
    """Return the columns as arrays of their types."""
    if isinstance(X, pd.DataFrame):
        bare = X.copy(deep=False)  # looking up text labels would take a third of the time
        bare.columns = pd.RangeIndex(X.shape[1])
        return [column.array for _, column in bare.items()]
    return list(X.T)
