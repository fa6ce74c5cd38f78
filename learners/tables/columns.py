"""One column of a table: what it declares, and its cells as codes or numbers."""

import sys
import warnings
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite

from learners.tables._kernels.codes import code_ranges

__all__ = [
    "FEW_VALUES",
    "LARGEST_CODE",
    "Attribute",
    "IntegerColumnWarning",
    "array_attribute",
    "check_code_range",
    "code_attributes",
    "codes_of",
    "frame_attribute",
    "holds_few_integers",
    "joined_attribute",
    "many_codes",
    "many_codes_sentence",
    "moved_codes",
    "numbers_of",
    "signed_codes",
    "user_level",
    "warn_of_many_codes",
    "wider_attribute",
]

LARGEST_CODE = 65_535
UNMIXED = {"string", "bytes", "boolean", "integer", "floating", "mixed-integer-float", "empty"}
OURS = ("learners", "workbench", "generators", "contextlib", "functools")  # warnings point to none of these
FEW_VALUES = 10  # an integer column with at most this many distinct values may be nominal
MANY_VALUES = 20  # an array of codes with more distinct values in a column may hold numbers


class IntegerColumnWarning(UserWarning):
    """An integer column may be nominal where it was taken as numeric, or the other way round."""


class Attribute(NamedTuple):
    """One column: nominal with its declared values, or numeric."""

    name: Any  # or position where there are no names
    arity: int  # 0 for a numeric attribute
    categories: pd.Index | None = None  # in order; None where the values are the codes 0, 1, ...
    dtype: Any = None  # the categorical dtype seen in `fit`, to recognize it again; else None

    @property
    def is_numeric(self) -> bool:
        """Whether the attribute is numeric."""
        return self.arity == 0

    @property
    def states(self) -> tuple[Any, ...]:
        """The declared values in order, as plain Python objects; "?" for a column without values."""
        if self.categories is None:
            return tuple(range(self.arity))
        return tuple(self.categories.tolist()) or ("?",) * self.arity


def frame_attribute(name: Any, column: Any, nominal: bool | None, given: int | None) -> Attribute:
    """Return the attribute that a column of a DataFrame declares."""
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        if nominal is False:
            return _declared_numeric(name, column)
        return Attribute(name, max(len(dtype.categories), 1), dtype.categories, dtype)
    if dtype.kind == "c":
        raise ValueError(
            f"Complex data not supported: column {name!r} holds complex numbers; split them first."
        )
    if pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype):
        if nominal:
            return _from_labels(name, column, given)
        if nominal is None and holds_few_integers(column):
            warnings.warn(_integer_column_sentence(name), IntegerColumnWarning, stacklevel=user_level())
        return Attribute(name, 0)
    if dtype.kind in "mM" or pd.api.types.is_datetime64_any_dtype(dtype):
        raise TypeError(f"Column {name!r} holds dates; turn them into numbers or categories first.")
    return _declared_numeric(name, column) if nominal is False else _from_labels(name, column, given)


def holds_few_integers(column: Any) -> bool:
    """Return whether a column of a DataFrame holds integers of at most ten values, which may be codes."""
    return column.dtype.kind in "iu" and len(pd.Index(column).unique()) <= FEW_VALUES


def user_level() -> int:
    """Return the stack level with which a warning of the caller points outside our packages."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in OURS:
        level, frame = level + 1, frame.f_back
    return level


def _integer_column_sentence(name: Any) -> str:
    """Return a warning that an integer column is treated as numeric, and how to change that."""
    return (
        f"Column {name!r} holds integers with at most {FEW_VALUES} distinct values and is taken as "
        'numeric; if it is nominal, give it dtype "category", or name all nominal columns in '
        "categorical_features."
    )


def array_attribute(j: int, column: NDArray[Any], nominal: bool | None, given: int | None) -> Attribute:
    """Return the attribute that column `j` of an array declares, as `frame_attribute` does."""
    kind = column.dtype.kind
    if kind in "iu" and nominal is not False:
        return code_attributes(column[:, None], [given])[0]._replace(name=j)
    if nominal is False:
        return _declared_numeric(j, column)
    if nominal or kind in "bUS" or (kind == "O" and not _holds_numbers(column)):
        return _from_labels(j, column, given)
    return Attribute(j, 0)


def code_attributes(X: NDArray[Any], given: list[int | None]) -> list[Attribute]:
    """Return the attributes that the columns of an array of integer codes declare."""
    lowest, highest = code_ranges(signed_codes(X))
    check_code_range(int(lowest), int(highest.max()))
    return [
        Attribute(j, _arity(j, h, g)) for j, (h, g) in enumerate(zip(highest.tolist(), given, strict=True))
    ]


def many_codes(X: NDArray[Any], given: list[int | None] | None = None) -> list[int]:
    """List the columns of an array of integer codes that have so many values that they may be numbers."""
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
            f"{many_codes_sentence(columns)}; give floats or a DataFrame if they are numbers, or name them "
            "in categorical_features if they are codes.",
            IntegerColumnWarning,
            stacklevel=user_level(),
        )


def many_codes_sentence(columns: list[int]) -> str:
    """Say which columns of an array may hold numbers."""
    one = len(columns) == 1
    listed = ", ".join(map(str, columns[:10])) + (", ..." if len(columns) > 10 else "")
    return (
        f"{'Column' if one else 'Columns'} {listed} of an array of integers {'has' if one else 'have'} more "
        f"than {MANY_VALUES} distinct values, which are taken as codes of categories"
    )


def codes_of(attribute: Attribute, column: Any) -> NDArray[Any]:
    """Return the codes of a nominal column, -1 where missing or not among the declared values."""
    dtype = column.dtype
    if dtype is attribute.dtype or (
        isinstance(dtype, pd.CategoricalDtype)
        and attribute.dtype is not None
        and dtype.categories.equals(attribute.categories)
    ):
        return column.codes
    if attribute.categories is None and dtype.kind in "iu":
        values = np.asarray(column)
        check_code_range(int(values.min()), int(values.max()))
    categories = pd.RangeIndex(attribute.arity) if attribute.categories is None else attribute.categories
    declares = isinstance(dtype, pd.CategoricalDtype)
    labels = _plain_labels(dtype.categories if declares else column)
    _check_cells(attribute.name, labels)
    codes = categories.get_indexer(labels)
    if declares:
        codes = np.append(codes, -1)[column.codes]  # the code of a missing label, -1, takes the last
    if codes.size >= FEW_VALUES and codes.max() < 0 and not pd.isna(column).all():
        warnings.warn(
            f"Column {attribute.name!r} has none of the values of fit, such as {attribute.states[0]!r}; all "
            "its values count as missing.",
            UserWarning,
            stacklevel=user_level(),
        )
    return codes


def numbers_of(attribute: Attribute, column: Any) -> NDArray[np.float64]:
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


def wider_attribute(attribute: Attribute, column: Any, given: int | None) -> Attribute:
    """Also declare the values of another column of the same attribute."""
    if attribute.is_numeric:
        return attribute
    if attribute.categories is None:
        codes = np.asarray(column)
        if codes.dtype.kind not in "iu":
            return attribute
        arity = code_attributes(codes[:, None], [given])[0].arity
        return attribute._replace(arity=arity) if arity > attribute.arity else attribute
    known = attribute.categories
    declares = isinstance(column.dtype, pd.CategoricalDtype)
    shown = column.dtype.categories if declares else _shown_labels(attribute.name, column)
    return attribute if shown.isin(known).all() else _with_labels(attribute, shown)


def joined_attribute(one: Attribute, other: Attribute) -> Attribute:
    """Declare the values of two attributes that are the same column of two tables."""
    if one.name != other.name or _kind(one) != _kind(other):
        raise ValueError(
            f"One learner has the column {one.name!r} ({_kind(one)}) where another has {other.name!r} "
            f"({_kind(other)}); give all the same columns, for instance by starting each from emptied()."
        )
    if one.categories is None or other.categories is None:
        return one if one.arity >= other.arity else other
    if one.categories.equals(other.categories):
        return one if one.dtype is None else other
    if one.dtype is not None and other.dtype is None:
        one, other = other, one
    return _with_labels(one, other.categories)


def _kind(attribute: Attribute) -> str:
    if attribute.is_numeric:
        return "numeric"
    return "nominal, codes" if attribute.categories is None else "nominal, labels"


def _with_labels(attribute: Attribute, shown: pd.Index) -> Attribute:
    """Insert further labels in sorted order."""
    known = attribute.categories.to_numpy().astype(object)  # type: ignore[union-attr]
    new = shown[~shown.isin(attribute.categories)].to_numpy().astype(object)
    labels = pd.Index(_sorted_labels(np.concatenate([known, new])))
    if attribute.dtype is None:
        return Attribute(attribute.name, len(labels), labels)
    dtype = pd.CategoricalDtype(labels)
    return Attribute(attribute.name, len(labels), dtype.categories, dtype)


def moved_codes(before: Attribute, after: Attribute) -> NDArray[np.intp]:
    """Return, for each code of an attribute, its code in the extended attribute."""
    if after.categories is None or before.categories is None or not len(before.categories):
        return np.arange(before.arity)
    return after.categories.get_indexer(before.categories)


def check_code_range(lowest: int, highest: int) -> None:
    """Raise a ValueError unless all codes lie in -1 .. 65,535."""
    if lowest < -1 or highest > LARGEST_CODE:
        raise ValueError(
            f"Integer codes must lie between 0 and {LARGEST_CODE:,} (or be -1 where missing), but X holds "
            f"{lowest if lowest < -1 else highest}; recode the column, or give it as float if it is numeric."
        )


def signed_codes(X: NDArray[Any]) -> NDArray[Any]:
    """Keep numbers past the range of int64 from turning negative."""
    return np.minimum(X, LARGEST_CODE + 1).astype(np.int64) if X.dtype == np.uint64 else X


def _arity(name: Any, largest: int, given: int | None) -> int:
    if given is not None and largest >= given:
        raise ValueError(
            f"Column {name!r} holds the code {largest}, but arities declares {given} values "
            f"(0 to {given - 1}); declare at least {largest + 1}."
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


def _declared_numeric(name: Any, column: Any) -> Attribute:
    """Treat a column as numeric because `categorical_features` omits it; refuse text."""
    if column.dtype.kind in "iuf":
        return Attribute(name, 0)
    try:
        _as_numbers(column)
    except (TypeError, ValueError):
        raise ValueError(
            f"Column {name!r} holds values that are not numbers, but categorical_features leaves it out; the "
            f"list must name every nominal column, so add {name!r}."
        ) from None
    return Attribute(name, 0)


def _holds_numbers(column: NDArray[Any]) -> bool:
    kind = pd.api.types.infer_dtype(column, skipna=True)
    return kind in {"floating", "integer", "mixed-integer-float", "decimal"}


def _from_labels(name: Any, column: Any, given: int | None) -> Attribute:
    """Declare the values that occur in a column of labels, sorted."""
    if given is not None:
        raise ValueError(
            f"arities declares {given} values of column {name!r}, which holds labels and not integer codes; "
            "give None there, and declare the values with a categorical dtype."
        )
    shown = _shown_labels(name, column)
    return Attribute(name, max(len(shown), 1), shown)


def _shown_labels(name: Any, column: Any) -> pd.Index:
    """Labels that occur in a column, sorted."""
    labels = _plain_labels(column)
    _check_cells(name, labels)
    return pd.Index(_sorted_labels(pd.unique(labels[~pd.isna(labels)])))


def _sorted_labels(distinct: NDArray[Any]) -> NDArray[Any]:
    try:
        return np.sort(distinct)
    except TypeError:  # text mixed with numbers
        return np.array(sorted(distinct, key=lambda v: (type(v).__name__, v)), dtype=object)


def _check_cells(name: Any, labels: NDArray[Any]) -> None:
    """Refuse cells that are not labels, such as a dict; check each only if the column is mixed."""
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
