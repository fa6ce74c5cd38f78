"""Labels to state codes and back; -1 is missing, as is a label that is not a state."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["categorical", "category_dtype", "code_dtype", "encode_array", "encode_column", "encode_table"]

MISSING = -1


def code_dtype(arities: NDArray[np.int64]) -> np.dtype[Any]:
    """Return the smallest unsigned type that holds every code."""
    return np.min_scalar_type(int(arities.max()) - 1)


def category_dtype(states: tuple[Hashable, ...]) -> pd.CategoricalDtype:
    """Return the unordered categorical dtype of the states, in their order and of their types."""
    import pandas as pd

    # left alone, pandas turns the states 1 and 2.5 into 1.0 and 2.5
    mixed = len({type(state) for state in states}) > 1
    return pd.CategoricalDtype(pd.Index(list(states), dtype=object if mixed else None, tupleize_cols=False))


def categorical(codes: NDArray[Any], dtype: pd.CategoricalDtype) -> pd.Categorical:
    """Return the labels of codes that are known to be valid, as a pandas Categorical."""
    import pandas as pd

    return pd.Categorical.from_codes(codes, dtype=dtype, validate=False)


def encode_column(labels: Any, dtype: pd.CategoricalDtype) -> NDArray[np.intp]:
    """Return the code of each label; missing labels and those that are not a category are -1."""
    import pandas as pd

    column = labels if isinstance(labels, pd.Series) else pd.Series(labels)
    if column.dtype is dtype:
        return column.cat.codes.to_numpy(dtype=np.intp)
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes, labels_seen = column.cat.codes.to_numpy(dtype=np.intp), column.cat.categories
    else:
        codes, labels_seen = pd.factorize(column)
    code_of = {state: code for code, state in enumerate(dtype.categories)}
    # the last entry is the code of code -1: missing stays missing
    known = np.array([*(code_of.get(label, MISSING) for label in labels_seen), MISSING], dtype=np.intp)
    return known[codes]


def encode_table(
    table: pd.DataFrame, names: Sequence[str], dtypes: Sequence[pd.CategoricalDtype]
) -> NDArray[np.intp]:
    """Return the codes of the named columns of a table; an absent column is missing throughout."""
    codes = np.full((len(names), len(table)), MISSING, dtype=np.intp)
    for row, (name, dtype) in enumerate(zip(names, dtypes, strict=True)):
        if name in table.columns:
            column = table[name]
            if column.ndim != 1:
                raise ValueError(f"the table has {column.shape[1]} columns named {name!r}; keep one")
            codes[row] = encode_column(column, dtype)
    return codes


def encode_array(codes: ArrayLike, names: Sequence[str], arities: NDArray[np.int64]) -> NDArray[np.intp]:
    """Check an array of codes and return it with one row per variable."""
    values = np.asarray(codes)
    if values.dtype.kind not in "iu":
        raise ValueError(
            f"X is an array of {values.dtype}; give a DataFrame of labels, or integer codes (-1 is missing)"
        )
    if values.ndim != 2 or values.shape[1] != len(names):
        raise ValueError(f"X has the shape {values.shape}; give {len(names)} columns: {', '.join(names)}")
    if len(values):
        wrong = (values.max(axis=0) >= arities) | (values.min(axis=0) < MISSING)
        if wrong.any():
            column = int(np.flatnonzero(wrong)[0])
            raise ValueError(
                f"X has a code of {names[column]!r} outside -1 .. {arities[column] - 1}; recode it"
            )
    return values.T.astype(np.intp, order="C")
