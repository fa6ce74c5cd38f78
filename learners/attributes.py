"""Tables to compact integer codes: the dtype of a column declares the attribute."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite

from learners._kernels.codes import code_ranges, transpose_codes

__all__ = ["LARGEST_CODE", "Attribute", "CodedTable", "Schema", "code_dtype"]

LARGEST_CODE = 65_535
UNMIXED = {"string", "bytes", "boolean", "integer", "floating", "mixed-integer-float", "empty"}
FEW_VALUES = 10  # an integer column with no more distinct values is suspected to be nominal


class Attribute(NamedTuple):
    """One column: nominal with its declared values, or numeric.

    Attributes
    ----------
    name : str or int
        Column name, or its position where there are no names.
    arity : int
        Number of declared values; 0 for a numeric attribute.
    categories : pandas.Index or None
        The declared values in order; None where the values are the codes 0, 1, ...
    dtype : object
        The categorical dtype seen in `fit`, kept to recognize it again; else None.
    """

    name: Any
    arity: int
    categories: pd.Index | None = None
    dtype: Any = None

    @property
    def is_numeric(self) -> bool:
        """Whether the attribute is numeric."""
        return self.arity == 0

    @property
    def states(self) -> tuple[Any, ...]:
        """The declared values in order, as plain Python objects; "?" for a column that shows none."""
        if self.categories is None:
            return tuple(range(self.arity))
        return tuple(self.categories.tolist()) or ("?",) * self.arity


class CodedTable(NamedTuple):
    """A table as arrays.

    Attributes
    ----------
    codes : ndarray of unsigned integers, shape (n_nominal, n_samples)
        A row for each nominal attribute: 0 .. arity - 1, and the arity itself where missing.
    values : ndarray of float64, shape (n_numeric, n_samples)
        A row for each numeric attribute, NaN where missing.
    n_samples : int
        Number of rows of the table.
    """

    codes: NDArray[Any]
    values: NDArray[np.float64]
    n_samples: int


@dataclass(frozen=True)
class Schema:
    """What `fit` learned of the columns; it rules at prediction, whatever container comes."""

    attributes: tuple[Attribute, ...]
    nominal: tuple[int, ...]
    numeric: tuple[int, ...]
    arities: NDArray[np.int64]  # of the nominal attributes
    code_dtype: Any

    @classmethod
    def fit(
        cls, X: Any, *, categorical_features: Any = "from_dtype", arities: Sequence[int | None] | None = None
    ) -> "Schema":
        """Read the attributes off a table.

        Parameters
        ----------
        X : DataFrame or ndarray of shape (n_samples, n_features)
            The training table.
        categorical_features : {"from_dtype"} or mask, names or indices
            Which columns are nominal; by default the dtype tells.
        arities : sequence of int or None, optional
            Number of values of each column of integer codes; None where the data tell.

        Returns
        -------
        Schema
            Attributes in column order.

        Raises
        ------
        ValueError
            If a code lies outside -1 .. 65,535 or reaches its declared arity.
        TypeError
            If a cell holds something that is neither text, truth value nor number.

        Examples
        --------
        >>> import pandas as pd
        >>> X = pd.DataFrame({"sky": pd.Categorical(["sun", "rain"]), "wind": [3.5, 1.0]})
        >>> schema = Schema.fit(X)
        >>> [(a.name, a.states) for a in schema.attributes]
        [('sky', ('rain', 'sun')), ('wind', ())]
        >>> schema.code(X).codes
        array([[1, 0]], dtype=uint8)
        """
        return cls.fit_code(X, categorical_features=categorical_features, arities=arities)[0]

    @classmethod
    def fit_code(
        cls, X: Any, *, categorical_features: Any = "from_dtype", arities: Sequence[int | None] | None = None
    ) -> tuple["Schema", CodedTable]:
        """Do `fit` and `code` of the same table in one reading."""
        is_frame = isinstance(X, pd.DataFrame)
        names = np.asarray(X.columns, dtype=object).tolist() if is_frame else list(range(X.shape[1]))
        given = _given_arities(arities, len(names))
        nominal = _given_nominal(categorical_features, names)
        if isinstance(X, np.ndarray) and X.dtype.kind in "iu" and nominal[0] is None:
            return cls._fit_codes(X, given)
        columns = _columns(X)
        find = _frame_attribute if is_frame else _array_attribute
        schema = cls.of([find(*each) for each in zip(names, columns, nominal, given, strict=True)])
        return schema, schema._code_columns(columns, X.shape[0])

    @classmethod
    def of(cls, attributes: Sequence[Attribute]) -> "Schema":
        """Put a schema together from its attributes."""
        nominal = tuple(j for j, a in enumerate(attributes) if a.arity)
        numeric = tuple(j for j, a in enumerate(attributes) if not a.arity)
        arities = np.array([attributes[j].arity for j in nominal], dtype=np.int64)
        return cls(tuple(attributes), nominal, numeric, arities, code_dtype(arities))

    @property
    def names(self) -> tuple[Any, ...]:
        """Column names, or positions."""
        return tuple(a.name for a in self.attributes)

    def code(self, X: Any) -> CodedTable:
        """Turn a table with these columns into codes and numbers.

        Parameters
        ----------
        X : DataFrame or ndarray of shape (n_samples, n_features)
            Columns in the order of `fit`.

        Returns
        -------
        CodedTable
            A value outside the declared ones counts as missing.
        """
        if isinstance(X, np.ndarray) and X.dtype.kind in "iu" and self._plain_codes:
            return self._transpose(X)[0]
        return self._code_columns(_columns(X), X.shape[0])

    def _code_columns(self, columns: list[Any], n_samples: int) -> CodedTable:
        codes = np.empty((len(self.nominal), n_samples), dtype=self.code_dtype)
        values = np.empty((len(self.numeric), n_samples))
        at_code = at_value = 0
        for attribute, column in zip(self.attributes, columns, strict=True):
            if attribute.arity:
                codes[at_code] = _codes_of(attribute, column)
                at_code += 1
            else:
                values[at_value] = _numbers_of(attribute, column)
                at_value += 1
        # -1 became the largest code of the dtype: everything past the last value is missing
        np.minimum(codes, self.arities[:, None].astype(self.code_dtype), out=codes)
        return CodedTable(codes, values, n_samples)

    @classmethod
    def _fit_codes(cls, X: NDArray[Any], given: list[int | None]) -> tuple["Schema", CodedTable]:
        """Read an array of codes; one pass where all arities are given and no code is outside."""
        if None not in given:
            schema = cls.of([Attribute(j, arity or 1) for j, arity in enumerate(given)])
            coded, outside = schema._transpose(X)
            if not outside:
                return schema, coded
        schema = cls.of(_code_attributes(X, given))
        return schema, schema._transpose(X)[0]

    def _transpose(self, X: NDArray[Any]) -> tuple[CodedTable, int]:
        codes = np.empty(X.shape[::-1], dtype=self.code_dtype)
        outside = int(transpose_codes(X, self.arities, codes))
        if outside:
            lowest, highest = code_ranges(_signed(X))
            _check_code_range(int(lowest), int(highest.max()))
        return CodedTable(codes, np.empty((0, len(X))), len(X)), outside

    @property
    def _plain_codes(self) -> bool:
        return not self.numeric and all(a.categories is None for a in self.attributes)


def code_dtype(arities: NDArray[np.int64]) -> Any:
    """Give the smallest unsigned dtype that holds every code and the missing one."""
    largest = int(arities.max()) if arities.size else 0
    return np.uint8 if largest <= 0xFF else np.uint16 if largest <= 0xFFFF else np.uint32


def _given_arities(arities: Sequence[int | None] | None, n_features: int) -> list[int | None]:
    if arities is None:
        return [None] * n_features
    given = [None if a is None else int(a) for a in arities]
    if len(given) != n_features or any(a is not None and a < 1 for a in given):
        raise ValueError(
            f"arities must hold one positive integer (or None) for each of the {n_features} columns, "
            f"but was {list(arities)!r}."
        )
    return given


def _given_nominal(categorical_features: Any, names: list[Any]) -> list[bool | None]:
    """Whether each column was declared nominal; None where its dtype decides."""
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


def _signed(X: NDArray[Any]) -> NDArray[Any]:
    """Keep numbers past the range of int64 from turning negative."""
    return np.minimum(X, LARGEST_CODE + 1).astype(np.int64) if X.dtype == np.uint64 else X


def _columns(X: Any) -> list[Any]:
    """Columns as arrays of their own types."""
    if isinstance(X, pd.DataFrame):
        bare = X.copy(deep=False)  # looking up text labels would take a third of the time
        bare.columns = pd.RangeIndex(X.shape[1])
        return [column.array for _, column in bare.items()]
    return list(X.T)


def _code_attributes(X: NDArray[Any], given: list[int | None]) -> list[Attribute]:
    """Attributes of an array of integer codes."""
    lowest, highest = code_ranges(_signed(X))
    _check_code_range(int(lowest), int(highest.max()))
    return [
        Attribute(j, _arity(j, h, g)) for j, (h, g) in enumerate(zip(highest.tolist(), given, strict=True))
    ]


def _check_code_range(lowest: int, highest: int) -> None:
    if lowest < -1 or highest > LARGEST_CODE:
        raise ValueError(
            f"Integer codes must lie between 0 and {LARGEST_CODE:,} (or be -1 where missing), but X holds "
            f"{lowest if lowest < -1 else highest}; recode the column, or give it as float if it is numeric."
        )


def _arity(name: Any, largest: int, given: int | None) -> int:
    if given is not None and largest >= given:
        raise ValueError(
            f"Column {name!r} holds the code {largest}, but arities declares {given} values "
            f"(0 to {given - 1}); declare at least {largest + 1}."
        )
    return given if given is not None else max(largest + 1, 1)


def _frame_attribute(name: Any, column: Any, nominal: bool | None, given: int | None) -> Attribute:
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype) and nominal is not False:
        return Attribute(name, max(len(dtype.categories), 1), dtype.categories, dtype)
    if dtype.kind == "c":
        raise ValueError(
            f"Complex data not supported: column {name!r} holds complex numbers; split them first."
        )
    if pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype):
        if nominal:
            return _from_labels(name, column, given)
        if nominal is None and dtype.kind in "iu" and len(pd.unique(column)) <= FEW_VALUES:
            warnings.warn(
                f"Column {name!r} holds integers with at most {FEW_VALUES} distinct values and is taken as "
                'numeric; name it in categorical_features, or give it dtype "category", if it is nominal.',
                UserWarning,
                stacklevel=6,
            )
        return Attribute(name, 0)
    if dtype.kind in "mM" or pd.api.types.is_datetime64_any_dtype(dtype):
        raise TypeError(f"Column {name!r} holds dates; turn them into numbers or categories first.")
    return Attribute(name, 0) if nominal is False else _from_labels(name, column, given)


def _array_attribute(j: int, column: NDArray[Any], nominal: bool | None, given: int | None) -> Attribute:
    kind = column.dtype.kind
    if kind in "iu" and nominal is not False:
        return _code_attributes(column[:, None], [given])[0]._replace(name=j)
    if nominal is None:
        nominal = kind in "bUS" or (kind == "O" and not _holds_numbers(column))
    return _from_labels(j, column, given) if nominal else Attribute(j, 0)


def _holds_numbers(column: NDArray[Any]) -> bool:
    kind = pd.api.types.infer_dtype(column, skipna=True)
    return kind in {"floating", "integer", "mixed-integer-float", "decimal"}


def _from_labels(name: Any, column: Any, given: int | None) -> Attribute:
    """Declare the values that a column of labels shows, sorted."""
    if given is not None:
        raise ValueError(
            f"arities declares {given} values of column {name!r}, which holds labels and not integer codes; "
            "give None there, and declare the values with a categorical dtype."
        )
    labels = _plain_labels(column)
    _check_cells(name, labels)
    known = labels[~pd.isna(labels)]
    distinct = pd.unique(known)
    try:
        distinct = np.sort(distinct)
    except TypeError:  # text beside numbers
        distinct = np.array(sorted(distinct, key=lambda v: (type(v).__name__, v)), dtype=object)
    return Attribute(name, max(len(distinct), 1), pd.Index(distinct))


def _check_cells(name: Any, labels: NDArray[Any]) -> None:
    """Refuse cells that are no labels, such as a dict; look at each only where the column is mixed."""
    if labels.dtype != object or pd.api.types.infer_dtype(labels, skipna=True) in UNMIXED:
        return
    for cell in labels:
        if not (
            cell is None or cell is pd.NA or isinstance(cell, str | bytes | bool | int | float | np.generic)
        ):
            raise TypeError(
                f"Column {name!r}: argument must be a string or a number, not {type(cell).__name__!r}; "
                "turn such cells into text or numbers, or leave the column out."
            )


def _plain_labels(column: Any) -> NDArray[Any]:
    values = np.asarray(column)
    return values.astype(object) if values.dtype.kind in "US" else values


def _codes_of(attribute: Attribute, column: Any) -> NDArray[Any]:
    """Codes of one nominal column, -1 where missing or not among the declared values."""
    dtype = column.dtype
    if dtype is attribute.dtype or (
        isinstance(dtype, pd.CategoricalDtype)
        and attribute.dtype is not None
        and dtype.categories.equals(attribute.categories)
    ):
        return column.codes
    if attribute.categories is None and dtype.kind in "iu":
        values = np.asarray(column)
        _check_code_range(int(values.min()), int(values.max()))
    categories = pd.RangeIndex(attribute.arity) if attribute.categories is None else attribute.categories
    labels = _plain_labels(column)
    _check_cells(attribute.name, labels)
    codes = categories.get_indexer(labels)
    if codes.size >= FEW_VALUES and codes.max() < 0 and not pd.isna(labels).all():
        warnings.warn(
            f"Column {attribute.name!r}: none of its values is one of those of fit, such as "
            f"{attribute.states[0]!r}; all count as missing.",
            UserWarning,
            stacklevel=6,
        )
    return codes


def _numbers_of(attribute: Attribute, column: Any) -> NDArray[np.float64]:
    try:
        if column.dtype == object:
            column = np.where(pd.isna(column), np.nan, column)
        numbers = pd.Series(column).astype("float64").to_numpy()
    except (TypeError, ValueError) as error:
        raise type(error)(
            f"Column {attribute.name!r} was numeric in fit, but now holds something else: {error}."
        ) from None
    assert_all_finite(numbers, allow_nan=True, input_name="X")
    return numbers
