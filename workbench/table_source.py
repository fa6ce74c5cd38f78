"""A table as source: rows that exist already, whose truth nobody knows."""

import functools
import hashlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.errors import WorkbenchError

__all__ = ["Table", "TableSource"]


@dataclass(frozen=True, eq=False)
class Table:
    """Attributes and classes of some rows.

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
        y : array-like of shape (n_rows,)
        what : str
            Named in errors.

        Returns
        -------
        Table

        Raises
        ------
        WorkbenchError
            If lengths disagree, a row has no class, or there are no rows or fewer than two classes.
        """
        frame = (X if isinstance(X, pd.DataFrame) else _frame_of(X)).reset_index(drop=True)
        if frame.columns.has_duplicates:
            raise WorkbenchError(f"{what} has columns of the same name: give each its own")
        labels = pd.Series(y).reset_index(drop=True)
        if len(frame) != len(labels):
            raise WorkbenchError(f"{what} has {len(frame)} rows and {len(labels)} classes: give one for each")
        lacking = int(labels.isna().sum())
        if lacking:
            raise WorkbenchError(f"{what} has {lacking} rows without a class: drop them")
        if not isinstance(labels.dtype, pd.CategoricalDtype):
            labels = labels.astype("category")
        classes = tuple(labels.cat.categories)
        if len(classes) < 2 or not len(frame):
            raise WorkbenchError(
                f"{what} has {len(frame)} rows of {len(classes)} classes: expected two classes"
            )
        return cls(frame, labels, classes, np.asarray(labels.cat.codes, dtype=np.intp))

    @functools.cached_property
    def digest(self) -> str:
        """Hash of names, types, declared values and content; 32 hexadecimal digits."""
        return hash_rows(self.X, self.codes, [*map(str, self.classes)])


def _frame_of(X: Any) -> pd.DataFrame:
    """Read an array as the learners do: integers are codes, and -1 is missing."""
    array = np.asarray(X)
    if array.dtype.kind not in "iu" or array.ndim != 2:
        return pd.DataFrame(array)
    columns = {
        j: pd.Categorical.from_codes(np.maximum(codes, -1), categories=range(int(codes.max(initial=0)) + 1))
        for j, codes in enumerate(array.T)
    }
    return pd.DataFrame(columns)


def hash_rows(X: pd.DataFrame, codes: NDArray[np.intp], more: object = "") -> str:
    """Hash rows: equal content gives equal text, whatever the container's layout.

    Parameters
    ----------
    X : DataFrame
    codes : ndarray of shape (n_rows,)
        Class codes.
    more : object
        Anything else whose text matters.

    Returns
    -------
    str
        32 hexadecimal digits.
    """
    hashed = hashlib.sha256(codes.astype("<i8").tobytes())
    hashed.update(repr(more).encode())
    for name in X:
        column = X[name]
        if isinstance(column.dtype, pd.CategoricalDtype):
            values = np.asarray(column.cat.codes, dtype="<i8")
            hashed.update(repr((str(name), [*map(str, column.cat.categories)])).encode())
        elif pd.api.types.is_numeric_dtype(column.dtype) and not pd.api.types.is_bool_dtype(column.dtype):
            values = column.to_numpy(dtype="<f8", na_value=np.nan) + 0.0  # one zero, not two
            hashed.update(repr(str(name)).encode())
        else:
            values = np.array([hash_text(value) for value in column], dtype="<i8")
            hashed.update(repr(str(name)).encode())
        hashed.update(values.tobytes())
    return hashed.hexdigest()[:32]


def hash_text(value: object) -> int:
    """Hash a cell by its text, the same in every process."""
    return int.from_bytes(hashlib.sha256(repr(value).encode()).digest()[:7], "little")


@dataclass(frozen=True)
class TableSource:
    """A data set by name, or rows that are given.

    Parameters
    ----------
    key : str
        The name in tables.
    dataset : str, optional
        A name that `workbench.datasets.load_dataset` knows, or the path of a file that `load_table` reads.
    data : str, optional
        Folder in which to look for the data set; it is not part of the identity.
    rows : (X, y), optional
        Instead of a data set.

    Raises
    ------
    WorkbenchError
        If there are both or neither.

    Examples
    --------
    >>> source = TableSource("mine", rows=(pd.DataFrame({"a": [1.0, 2.0]}), ["no", "yes"]))
    >>> source.n_rows, sorted(source.identity(0))
    (2, ['table'])
    """

    key: str
    dataset: str | None = None
    data: str | None = field(default=None, compare=False)
    rows: tuple[Any, Any] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if (self.dataset is None) == (self.rows is None):
            raise WorkbenchError(f"source {self.key!r} needs either a data set or rows, and not both")

    @property
    def n_truths(self) -> int:
        """1: a table is one world."""
        return 1

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.table.codes)

    @property
    def table(self) -> Table:
        """The rows; read when they are first asked for, once in a process."""
        if self.rows is not None:
            return self._given
        return _load(str(self.dataset), self.data)

    @functools.cached_property
    def _given(self) -> Table:
        assert self.rows is not None
        return Table.of(*self.rows, what=f"source {self.key!r}")

    def identity(self, replicate: int) -> dict[str, Any]:
        """Describe the rows by their hash, so that another file of the same name is another source."""
        return {"table": self.table.digest}

    def only(self, replicate: int) -> "TableSource":
        """Give what a worker needs: all of it."""
        return self

    def check_draws(self, seed: int) -> None:
        """Read the rows, so that what is missing is told before anything is computed."""
        self.table  # noqa: B018


@functools.lru_cache(maxsize=64)
def _load(name: str, data: str | None) -> Table:
    from pathlib import Path

    from workbench.datasets import load_arff, load_dataset, load_table

    path = Path(name)
    if path.suffix in (".csv", ".parquet"):
        return Table.of(*load_table(path), what=name)
    if path.suffix == ".arff" or name.endswith(".arff.gz"):
        return Table.of(*load_arff(path), what=name)
    return Table.of(*load_dataset(name, data=data), what=name)
