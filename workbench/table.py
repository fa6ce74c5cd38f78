"""The rows of a table: attributes, classes, and which values a part of the rows declares."""

import functools
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.errors import WorkbenchError
from workbench.row_hash import hash_rows
from workbench.table_cells import check_cells
from workbench.wording import count_of

__all__ = ["Table", "declare", "shown_values"]

#: A y of more distinct numbers, most of them seen once, is no class.
MANY_CLASSES = 100


@dataclass(frozen=True, eq=False)
class Table:
    """Attributes and classes of some rows.

    The classes are declared by all rows, since every learner's columns of probabilities are aligned to them;
    attributes that declare no values are left as they are, see `shown_values`.

    Parameters
    ----------
    X : DataFrame of shape (n_rows, n_attributes)
        The dtype declares which columns are nominal.
    y : Series of shape (n_rows,)
        Categories.
    classes : tuple
        The declared classes.
    codes : ndarray of shape (n_rows,)
        The place of each class in `classes`.
    """

    X: pd.DataFrame
    y: pd.Series
    classes: tuple[Any, ...]
    codes: NDArray[np.intp]

    @classmethod
    def of(cls, X: Any, y: Any, what: str) -> "Table":
        """Check what was given.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_attributes)
            An array of integers holds codes and declares those from 0 to the largest.
        y : array-like of shape (n_rows,)
        what : str
            Named in errors.

        Returns
        -------
        Table

        Raises
        ------
        WorkbenchError
            If lengths disagree, a row has no class, y looks like a number to predict, there are no rows, no
            attributes or fewer than two classes, or a cell holds a date, an infinite number or no single
            value; the message names the column and its first such row.

        Examples
        --------
        >>> Table.of(pd.DataFrame({"a": ["u", "v"]}), ["yes", "no"], what="the table").classes
        ('no', 'yes')
        """
        frame = (X if isinstance(X, pd.DataFrame) else _frame_of(X)).reset_index(drop=True)
        if frame.columns.has_duplicates:
            raise WorkbenchError(f"{what} has columns of the same name: give each its own")
        labels = pd.Series(y).reset_index(drop=True)
        if len(frame) != len(labels):
            raise WorkbenchError(
                f"{what} has {count_of(len(frame), 'row')} and a class for {len(labels)}: give one for each"
            )
        if not frame.shape[1]:
            raise WorkbenchError(
                f"{what} has no column beside the class: expected an attribute to learn from"
            )
        lacking = int(labels.isna().sum())
        if lacking:
            raise WorkbenchError(f"{what} has {count_of(lacking, 'row')} without a class: drop what has none")
        check_cells(frame, what)
        check_cells(labels.rename("class" if labels.name is None else labels.name).to_frame(), what)
        _check_classes(labels, what)
        if not isinstance(labels.dtype, pd.CategoricalDtype):
            labels = labels.astype("category")
        classes = tuple(labels.cat.categories)
        if len(classes) < 2 or not len(frame):
            raise WorkbenchError(
                f"{what} has {count_of(len(frame), 'row')} of {count_of(len(classes), 'class', 'classes')}: "
                "expected at least two classes"
            )
        return cls(frame, labels, classes, np.asarray(labels.cat.codes, dtype=np.intp))

    @functools.cached_property
    def digest(self) -> str:
        """Hash of names, types, declared values and content; 32 hexadecimal digits."""
        return hash_rows(self.X, self.codes, self.y.cat.categories.tolist())


def shown_values(X: pd.DataFrame) -> dict[Hashable, pd.Index]:
    """Give the values that each column shows whose dtype declares none: text and objects.

    Parameters
    ----------
    X : DataFrame of shape (n_rows, n_attributes)
        Training rows: test rows must not say which values there are.

    Returns
    -------
    dict of str to Index
        Sorted, without missing ones; no entry for categorical columns, numbers and truth values.

    Examples
    --------
    >>> {name: list(values) for name, values in shown_values(pd.DataFrame({"a": ["v", "u"], "b": 1})).items()}
    {'a': ['u', 'v']}
    """
    return {
        name: column.astype("category").cat.categories for name, column in X.items() if _is_undeclared(column)
    }


def declare(X: pd.DataFrame, values: Mapping[Hashable, pd.Index]) -> pd.DataFrame:
    """Make columns categorical with the values that were shown; any other value becomes missing.

    Parameters
    ----------
    X : DataFrame of shape (n_rows, n_attributes)
        Not changed.
    values : mapping of str to Index
        As `shown_values` gives them.

    Returns
    -------
    DataFrame of shape (n_rows, n_attributes)

    Examples
    --------
    >>> declare(pd.DataFrame({"a": ["u", "w"]}), {"a": pd.Index(["u", "v"])})["a"].cat.codes.tolist()
    [0, -1]
    """
    out = X.copy(deep=False)
    for name, known in values.items():
        codes = known.get_indexer(pd.Index(X[name]))
        out[name] = pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(known))
    return out


def _is_undeclared(column: pd.Series) -> bool:
    types = pd.api.types
    return types.is_object_dtype(column.dtype) or isinstance(column.dtype, pd.StringDtype)


def _frame_of(X: Any) -> pd.DataFrame:
    """Read an array as the learners do: integers are codes from 0 to the largest, and -1 is missing."""
    array = np.asarray(X)
    if array.dtype.kind not in "iu" or array.ndim != 2:
        return pd.DataFrame(array)
    columns = {
        j: pd.Categorical.from_codes(np.maximum(codes, -1), categories=range(int(codes.max(initial=0)) + 1))
        for j, codes in enumerate(array.T)
    }
    return pd.DataFrame(columns)


def _check_classes(labels: pd.Series, what: str) -> None:
    """Refuse numbers that somebody would predict as numbers."""
    declared = isinstance(labels.dtype, pd.CategoricalDtype)
    values = labels.cat.categories if declared else pd.Index(labels.unique())
    if not pd.api.types.is_numeric_dtype(values) or pd.api.types.is_bool_dtype(values):
        return
    broken = not declared and pd.api.types.is_float_dtype(values) and bool((values != values.round()).any())
    if broken or (len(values) > MANY_CLASSES and len(labels) < 2 * len(values)):
        example = values[values != values.round()][0] if broken else values[0]
        raise WorkbenchError(
            f"y of {what} looks like a number to predict ({len(values)} distinct numbers in {len(labels)} "
            f"rows, such as {example:g}): expected classes; cut it into a few, as pandas.qcut does, or name "
            "the column that holds the class"
        )
