"""Columns with declared values, including the class: mapping of labels to codes and back.

All conversion of labels to codes is here. pandas is imported when the first label is converted.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.tables.caller import user_level
from generators.tables.cells import kind_of
from generators.tables.codes import MISSING

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Column", "as_categorical", "class_codes", "codes_as_met", "declared_classes", "declared_codes",
    "labels_of_codes", "looked_up", "occurring", "sorted_classes",
]  # fmt: skip

FEW_LABELS = 10  # below which labels may be unknown by chance


class Column(NamedTuple):
    """A column of a table: nominal with its values in the order of their codes, or numeric."""

    name: Any  # or position where there are no names
    arity: int  # 0 for numbers; 1 where no value is known
    values: pd.Index | None = None  # None for numbers, and where the values are the codes 0, 1, ...
    dtype: pd.CategoricalDtype | None = None  # that declares the values; None where rows do

    @classmethod
    def of_dtype(cls, name: Any, dtype: pd.CategoricalDtype) -> Column:
        """Make a column of the values that a type declares."""
        return cls(name, max(len(dtype.categories), 1), dtype.categories, dtype)

    @classmethod
    def of_states(cls, name: Any, states: Sequence[Hashable]) -> Column:
        """Make a column of these values, in their order and of their types."""
        import pandas as pd

        # left alone, pandas turns the states 1 and 2.5 into 1.0 and 2.5
        mixed = len({type(state) for state in states}) > 1
        values = pd.Index(list(states), dtype=object if mixed else None, tupleize_cols=False)
        return cls.of_dtype(name, pd.CategoricalDtype(values))

    @classmethod
    def of_values(cls, name: Any, values: pd.Index) -> Column:
        """Make a column of the values that occur in some rows."""
        return cls(name, max(len(values), 1), values)

    @classmethod
    def of(cls, name: Any, cells: pd.Series) -> Column:
        """Return a column with its declared values, else those that occur. Numbers have no values."""
        import pandas as pd

        kind = kind_of(cells.dtype)
        if kind == "declared":
            return cls.of_dtype(name, cells.dtype)
        if kind == "numbers":
            return cls(name, 0)
        if kind == "bool":
            return cls.of_values(name, pd.Index([False, True]))
        return cls.of_dtype(name, as_categorical(cells).dtype)

    @property
    def is_numeric(self) -> bool:
        """Whether the column is numeric."""
        return self.arity == 0

    @property
    def states(self) -> tuple[Any, ...]:
        """The declared values in order, as plain Python objects, "?" for a column without values."""
        if self.values is None:
            return tuple(range(self.arity))
        return tuple(self.values.tolist()) or ("?",) * self.arity

    def positions(self, labels: Any) -> NDArray[Any]:
        """Return the position of each label among the values, -1 where missing or not among them."""
        import pandas as pd

        cells = getattr(labels, "array", labels)
        dtype, values = getattr(cells, "dtype", None), self._index
        if isinstance(dtype, pd.CategoricalDtype):
            shown = dtype.categories
            if dtype is self.dtype or (shown.dtype == values.dtype and shown.equals(values)):
                return cells.codes
            return looked_up(self.positions(shown), cells.codes)
        found = pd.Index(cells, tupleize_cols=False)
        kinds = {found.dtype.kind, values.dtype.kind}
        if len(kinds) > 1 and ("b" in kinds or isinstance(values, pd.IntervalIndex)):
            # labels are compared as Python does: True is 1, and no number is the interval that it lies in
            found, values = found.astype(object), values.astype(object)
        return values.get_indexer(found)

    def warn_if_unknown(self, cells: Any, codes: NDArray[Any]) -> None:
        """Warn if no label of a column is one of its values."""
        import pandas as pd

        if not codes.size or codes.max() >= 0:
            return
        n_labels = int((~pd.isna(cells)).sum())
        numbers_for_words = cells.dtype.kind in "iuf" and all(isinstance(v, str) for v in self.states)
        if n_labels >= FEW_LABELS or (n_labels and numbers_for_words):
            warnings.warn(
                f"the column {self.name!r} has none of the known states, such as "
                f"{self.states[0]!r}: all its values count as missing",
                UserWarning,
                stacklevel=user_level(),
            )

    def labels(self, codes: NDArray[Any]) -> pd.Categorical:
        """Return the values at codes that are known to be valid."""
        import pandas as pd

        dtype = pd.CategoricalDtype(self._index) if self.dtype is None else self.dtype
        return pd.Categorical.from_codes(codes, dtype=dtype, validate=False)

    def read(self, labels: Any) -> pd.Categorical:
        """Return labels as values of the column, with missing for all others."""
        return self.labels(self.positions(labels))

    @property
    def _index(self) -> pd.Index:
        import pandas as pd

        return pd.RangeIndex(self.arity) if self.values is None else self.values

    def widened(self, shown: pd.Index) -> Column:
        """Declare further values, and sort all of them."""
        import pandas as pd

        known = self.values
        assert known is not None
        both = [values.to_numpy().astype(object) for values in (known, shown[~shown.isin(known)])]
        values = pd.Index(_sorted(np.concatenate(both)))
        dtype = None if self.dtype is None else pd.CategoricalDtype(values)
        return self._replace(arity=len(values), values=values, dtype=dtype)


def looked_up(codes: NDArray[Any], places: NDArray[Any]) -> NDArray[Any]:
    """Return the codes at the given places, with -1 at -1."""
    return np.append(codes, MISSING)[places]


def declared_codes(column: Any) -> NDArray[Any]:
    """Return the codes of a categorical column."""
    return getattr(column, "array", column).codes


def as_categorical(labels: pd.Series) -> pd.Series:
    """Declare the labels that occur, sorted if they can be compared."""
    return labels.astype("category")


def codes_as_met(labels: Any) -> tuple[NDArray[np.intp], Any]:
    """Return a code for each label, and the labels in the order of their first occurrence."""
    import pandas as pd

    return pd.factorize(labels)


def occurring(labels: Any) -> pd.Index:
    """Return the labels that occur, sorted, by the names of their types if they cannot be compared."""
    import pandas as pd

    values = np.asarray(labels)
    values = values.astype(object) if values.dtype.kind in "US" else values
    return pd.Index(_sorted(pd.unique(values[~pd.isna(values)])))


def _sorted(distinct: NDArray[Any]) -> NDArray[Any]:
    try:
        return np.sort(distinct)
    except TypeError:  # text mixed with numbers
        return np.array(sorted(distinct, key=lambda v: (type(v).__name__, v)), dtype=object)


def class_codes(labels: Any, classes: Sequence[Any] | NDArray[Any]) -> NDArray[np.intp]:
    """Return the index of each label in distinct classes, -1 if it is missing or unknown."""
    import pandas as pd

    column = Column.of_values(None, pd.Index(classes, tupleize_cols=False))
    return column.positions(labels).astype(np.intp, copy=False)


def labels_of_codes(
    codes: NDArray[np.integer[Any]], classes: Sequence[Any], *, name: Any = None, index: Any = None
) -> pd.Series:
    """Return the class of each row as a Series that declares all classes in their order."""
    import pandas as pd

    return pd.Series(Column.of_states(name, classes).labels(codes), name=name, index=index)


def sorted_classes(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the classes that occur, sorted, and the code of each row."""
    if labels.dtype.kind in "iu" and labels.size and labels.max() < 1000 and labels.min() >= 0:
        counts = np.bincount(labels)  # a count is faster than a sort
        classes = counts.nonzero()[0]
        whole = classes.size == counts.size
        codes = labels.astype(np.intp) if whole else (np.cumsum(counts > 0) - 1)[labels]
        return classes.astype(labels.dtype), codes
    return np.unique(labels, return_inverse=True)


def declared_classes(labels: Any) -> tuple[NDArray[Any], NDArray[np.intp], NDArray[np.intp]]:
    """Return the classes of a categorical column, sorted, each row's code, and each class's as declared."""
    codes, values = declared_codes(labels).astype(np.intp), labels.dtype.categories
    declared = values.to_numpy()
    if values.is_monotonic_increasing:
        return declared, codes, np.arange(len(declared))
    order = np.argsort(declared, kind="stable")
    rank = np.argsort(order)
    return declared[order], looked_up(rank, codes), rank
