"""What tells the rows of two tables apart: one hash for stores, seeds and pairing."""

import hashlib
from collections.abc import Hashable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

__all__ = ["hash_rows"]


def hash_rows(X: pd.DataFrame, codes: NDArray[np.intp], more: object = "") -> str:
    """Hash rows: equal content gives equal text, whatever the container's layout."""
    hashed = hashlib.sha256(codes.astype("<i8").tobytes())
    hashed.update(repr(more).encode())
    for name, column in X.items():
        head, values = _content(name, column)
        hashed.update(repr(head).encode())
        hashed.update(values.tobytes())
    return hashed.hexdigest()[:32]


def _content(name: Hashable, column: pd.Series) -> tuple[object, NDArray[np.generic]]:
    """Return what a column declares (a bare name for floats), and its cells as numbers or codes."""
    dtype, types = column.dtype, pd.api.types
    if isinstance(dtype, pd.CategoricalDtype):
        ordered = ("ordered",) if dtype.ordered else ()
        return (name, dtype.categories.tolist(), *ordered), np.asarray(column.cat.codes, dtype="<i8")
    if types.is_integer_dtype(dtype) and not column.hasnans:
        return (name, "integer"), column.to_numpy(dtype="<i8")
    if types.is_numeric_dtype(dtype) and not types.is_bool_dtype(dtype):
        numbers = column.to_numpy(dtype="<f8", na_value=np.nan) + 0.0  # one zero, not two
        return (name, "integer") if types.is_integer_dtype(dtype) else name, numbers
    texts = np.array([repr(value) for value in column.to_numpy(dtype=object).tolist()], dtype=object)
    texts[column.isna().to_numpy()] = None  # one kind of hole, not three
    codes, values = pd.factorize(texts)
    return (name, "text", values.tolist()), codes.astype("<i8")
