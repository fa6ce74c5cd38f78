"""Class labels to codes."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

__all__ = ["code_among", "code_classes"]


def code_classes(y: Any) -> tuple[NDArray[Any], NDArray[np.intp], NDArray[np.intp]]:
    """Code class labels."""
    dtype = getattr(y, "dtype", None)
    if isinstance(dtype, pd.CategoricalDtype):
        return _code_declared(y, dtype)
    values = y if type(y) is np.ndarray and y.ndim == 1 else column_or_1d(y, warn=True)
    if values.size == 0:
        raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
    if values.dtype.kind in "iu":
        if values.max() < 1000 and values.min() >= 0:  # a count is faster than a sort
            counts = np.bincount(values)
            classes = counts.nonzero()[0]
            whole = classes.size == counts.size
            codes = values.astype(np.intp) if whole else (np.cumsum(counts > 0) - 1)[values]
            return classes.astype(values.dtype), codes, np.arange(classes.size)
    else:
        _refuse_missing(pd.isna(values))
        if values.dtype.kind == "f":
            assert_all_finite(values, input_name="y")
        check_classification_targets(values)
    classes, codes = np.unique(values, return_inverse=True)
    return classes, codes, np.arange(len(classes))


def code_among(y: Any, classes: NDArray[Any]) -> NDArray[np.intp]:
    """Code class labels by their position among known classes."""
    labels, codes, _ = code_classes(y)
    places = pd.Index(classes).get_indexer(pd.Index(labels))
    found = places[codes]
    if found.min() < 0:
        strange = labels[codes[found.argmin()]]
        raise ValueError(
            f"y holds the class {strange!r}, which is not among those of the first call to partial_fit, "
            f"{classes.tolist()!r}; give all classes there."
        )
    return found


def _code_declared(
    y: Any, dtype: pd.CategoricalDtype
) -> tuple[NDArray[Any], NDArray[np.intp], NDArray[np.intp]]:
    codes = np.asarray(y.array.codes if isinstance(y, pd.Series) else y.codes).astype(np.intp)
    if codes.size == 0:
        raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
    if codes.min() < 0:
        _refuse_missing(codes < 0)
    declared = dtype.categories.to_numpy()
    if dtype.categories.is_monotonic_increasing:
        return declared, codes, np.arange(len(declared))
    try:
        order = np.argsort(declared, kind="stable")
    except TypeError:
        raise ValueError(
            f"y declares classes that cannot be sorted ({declared.tolist()!r}); make them all text "
            "or all numbers."
        ) from None
    rank = np.empty(len(order), dtype=np.intp)
    rank[order] = np.arange(len(order))
    return declared[order], rank[codes], rank


def _refuse_missing(missing: NDArray[np.bool_]) -> None:
    if missing.any():
        raise ValueError(
            f"Input y contains NaN: {int(missing.sum())} of {missing.size} rows have no class "
            f"(the first is row {int(missing.argmax())}); drop these rows before fitting."
        )
