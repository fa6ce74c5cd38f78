"""Single columns of a table: their declarations, and their cells as codes or numbers."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite

from generators.tables.caller import user_level
from generators.tables.cells import kind_of, odd_cells
from generators.tables.codes import check_code_range, signed_codes
from generators.tables.columns import Column, occurring
from learners.tables._kernels.codes import code_ranges

__all__ = [
    "FEW_VALUES",
    "NUMBERS",
    "IntegerColumnWarning",
    "code_columns",
    "codes_of",
    "few_integers_sentence",
    "holds_few_integers",
    "joined_column",
    "largest_codes",
    "many_codes",
    "many_codes_sentence",
    "moved_codes",
    "numbers_of",
    "read_column",
    "warn_of_few_integers",
    "warn_of_many_codes",
    "wider_column",
]

FEW_VALUES = 10  # an integer column with at most this many distinct values may be nominal
MANY_VALUES = 20  # an array of codes with more distinct values in a column may hold numbers
#: What pandas infers of objects that are numbers.
NUMBERS = {"floating", "integer", "mixed-integer-float", "decimal"}


class IntegerColumnWarning(UserWarning):
    """Warning that an integer column may be nominal but was taken as numeric, or vice versa."""


def read_column(name: Any, cells: Any, nominal: bool | None, given: int | None) -> Column:
    """Return the column that cells declare. Integers are codes in a bare array, numbers in a table."""
    kind, bare = kind_of(cells.dtype), isinstance(cells, np.ndarray)
    if kind == "declared" and nominal is not False:
        return Column.of_dtype(name, cells.dtype)
    if bare and cells.dtype.kind in "iu" and nominal is not False:
        return code_columns(cells[:, None], [given])[0]._replace(name=name)
    if kind == "complex":
        raise ValueError(
            f"Complex data not supported: column {name!r} holds complex numbers. Split them first."
        )
    if kind == "dates":
        raise TypeError(f"Column {name!r} holds dates. Turn them into numbers or categories first.")
    if nominal is False:
        return _declared_numeric(name, cells)
    # an array of text and numbers is one of objects
    holds_numbers = kind == "numbers" or (bare and pd.api.types.infer_dtype(cells, skipna=True) in NUMBERS)
    if nominal or not holds_numbers:
        if given is None:
            return Column.of_values(name, _shown_labels(name, cells))
        raise ValueError(
            f"arities declares {given} values of column {name!r}, which holds labels and not integer codes. "
            "Give None there, and declare the values with a categorical dtype."
        )
    return Column(name, 0)


def warn_of_few_integers(
    names: Sequence[Any], columns: Sequence[Any], nominal: Sequence[bool | None]
) -> None:
    """Warn once of all columns of a DataFrame that may be nominal but are taken as numeric."""
    every = zip(names, columns, nominal, strict=True)
    undeclared = ((name, cells) for name, cells, said in every if said is None)
    doubted = [
        name for name, cells in undeclared if not isinstance(cells, np.ndarray) and holds_few_integers(cells)
    ]
    if doubted:
        sentence = few_integers_sentence(doubted)
        warnings.warn(
            f'{sentence[0].upper()}{sentence[1:]}. Give those that are nominal the dtype "category", or name '
            "all nominal columns in categorical_features.",
            IntegerColumnWarning,
            stacklevel=user_level(),
        )


def few_integers_sentence(names: Sequence[Any]) -> str:
    """Return a text on the columns that are taken as numeric though they may be nominal."""
    one = len(names) == 1
    return (
        f"{'column' if one else 'columns'} {', '.join(map(repr, names))} {'holds' if one else 'hold'} "
        f"integers with at most {FEW_VALUES} distinct values and {'is' if one else 'are'} taken as numeric"
    )


def holds_few_integers(column: Any) -> bool:
    """Return whether a column of a DataFrame has integers of at most ten values, which may be codes."""
    return column.dtype.kind in "iu" and len(pd.Index(column).unique()) <= FEW_VALUES


def code_columns(X: NDArray[Any], given: list[int | None]) -> list[Column]:
    """Return the attributes that the columns of an array of integer codes declare."""
    largest = zip(largest_codes(X).tolist(), given, strict=True)
    return [Column(j, _arity(j, *each)) for j, each in enumerate(largest)]


def largest_codes(X: NDArray[Any]) -> NDArray[np.int64]:
    """Return the largest code of each column, or raise an error for numbers that are no codes."""
    lowest, highest = code_ranges(signed_codes(X))
    check_code_range(int(lowest), int(highest.max()))
    return highest


def many_codes(X: NDArray[Any], given: list[int | None] | None = None) -> list[int]:
    """List the columns of an array of integer codes with so many values that they may be numbers."""
    if not len(X):
        return []
    unknown = [j for j in range(X.shape[1]) if given is None or given[j] is None]
    large = [j for j in unknown if X[:, j].max() >= MANY_VALUES]
    return [j for j in large if len(pd.unique(X[:, j])) > MANY_VALUES]


def warn_of_many_codes(X: NDArray[Any], given: list[int | None]) -> None:
    """Warn of columns of codes that may be numbers."""
    columns = many_codes(X, given)
    if columns:
        warnings.warn(
            f"{many_codes_sentence(columns)}. Give floats or a DataFrame if they are numbers, or name them "
            "in categorical_features if they are codes.",
            IntegerColumnWarning,
            stacklevel=user_level(),
        )


def many_codes_sentence(columns: list[int]) -> str:
    """Return a text on the columns of an array that may be numeric."""
    one = len(columns) == 1
    listed = ", ".join(map(str, columns[:10])) + (", ..." if len(columns) > 10 else "")
    return (
        f"{'Column' if one else 'Columns'} {listed} of an array of integers {'has' if one else 'have'} more "
        f"than {MANY_VALUES} distinct values, which are taken as codes of categories"
    )


def codes_of(attribute: Column, column: Any) -> NDArray[Any]:
    """Return the codes of a nominal column, -1 where missing or not among the declared values."""
    dtype = column.dtype
    if dtype is attribute.dtype:
        return column.codes
    if attribute.values is None and dtype.kind in "iu":
        values = np.asarray(column)
        check_code_range(int(values.min()), int(values.max()))
    _check_cells(attribute.name, column)
    codes = attribute.positions(column)
    attribute.warn_if_unknown(column, codes)
    return codes


def numbers_of(attribute: Column, column: Any) -> NDArray[np.float64]:
    """Return the numbers of a numeric column, NaN where missing."""
    try:
        numbers = _as_numbers(column)
    except (TypeError, ValueError) as error:
        raise type(error)(
            f"Column {attribute.name!r} was numeric in fit, but now holds something else: {error}."
        ) from None
    if np.isinf(numbers).any():
        assert_all_finite(numbers, allow_nan=True, input_name="X")  # has the words
    return numbers


def wider_column(attribute: Column, column: Any, given: int | None) -> Column:
    """Also declare the values of another column of the same attribute."""
    if not attribute.arity:
        return attribute
    if attribute.values is None:
        codes = np.asarray(column)
        if codes.dtype.kind not in "iu":
            return attribute
        arity = code_columns(codes[:, None], [given])[0].arity
        return attribute._replace(arity=arity) if arity > attribute.arity else attribute
    declares = isinstance(column.dtype, pd.CategoricalDtype)
    shown = column.dtype.categories if declares else _shown_labels(attribute.name, column)
    return attribute if shown.isin(attribute.values).all() else attribute.widened(shown)


def joined_column(one: Column, other: Column) -> Column:
    """Declare the values of two attributes that are the same column of two tables."""
    if one.name != other.name or _kind(one) != _kind(other):
        raise ValueError(
            f"One learner has the column {one.name!r} ({_kind(one)}) where another has {other.name!r} "
            f"({_kind(other)}). Give all learners the same columns, for instance by starting each from "
            "emptied()."
        )
    if one.values is None or other.values is None:
        return one if one.arity >= other.arity else other
    if one.values.equals(other.values):
        return one if one.dtype is None else other
    if one.dtype is not None and other.dtype is None:
        one, other = other, one
    return one.widened(other.values)


def _kind(attribute: Column) -> str:
    if not attribute.arity:
        return "numeric"
    return "nominal, codes" if attribute.values is None else "nominal, labels"


def moved_codes(before: Column, after: Column) -> NDArray[np.intp]:
    """Return, for each code of an attribute, its code in the extended attribute."""
    if after.values is None or before.values is None or not len(before.values):
        return np.arange(before.arity)
    return after.positions(before.values)


def _arity(name: Any, largest: int, given: int | None) -> int:
    if given is not None and largest >= given:
        raise ValueError(
            f"Column {name!r} holds the code {largest}, but arities declares {given} values "
            f"(0 to {given - 1}). Declare at least {largest + 1}."
        )
    return given if given is not None else max(largest + 1, 1)


def _as_numbers(column: Any) -> NDArray[np.float64]:
    if isinstance(column, pd.arrays.NumpyExtensionArray):
        column = column.to_numpy()
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iuf":
        return np.asarray(column, dtype=np.float64)  # pandas takes longer to find out than to convert
    if column.dtype == object:
        column = np.where(pd.isna(column), np.nan, column)
    return pd.Series(column).astype("float64").to_numpy()


def _declared_numeric(name: Any, column: Any) -> Column:
    """Treat a column as numeric because `categorical_features` omits it, or raise an error for text."""
    if column.dtype.kind in "iuf":
        return Column(name, 0)
    try:
        _as_numbers(column)
    except (TypeError, ValueError):
        raise ValueError(
            f"Column {name!r} holds values that are not numbers, but categorical_features leaves it out. The "
            f"list must name every nominal column, so add {name!r}."
        ) from None
    return Column(name, 0)


def _shown_labels(name: Any, column: Any) -> pd.Index:
    """Labels that occur in a column, sorted."""
    _check_cells(name, column)
    return occurring(column)


def _check_cells(name: Any, column: Any) -> None:
    """Raise an error for cells that are not labels, such as a dict."""
    labels = column.dtype.categories if isinstance(column.dtype, pd.CategoricalDtype) else column
    if labels.dtype.kind != "O":
        return
    odd = odd_cells(labels)
    if odd.any():
        kind = type(np.asarray(labels)[odd.argmax()]).__name__
        raise TypeError(
            f"Column {name!r}: argument must be a string or a number, not {kind!r}. Turn such cells into "
            "text or numbers, or leave the column out."
        )
