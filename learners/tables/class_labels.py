"""Conversion of class labels to codes, with scikit-learn's checks."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from generators.tables.columns import class_codes, declared_classes, sorted_classes

__all__ = ["code_among", "code_classes"]


def code_classes(y: Any) -> tuple[NDArray[Any], NDArray[np.intp], NDArray[np.intp]]:
    """Return the sorted classes, the code of each row, and of each class in the order declared."""
    declares = isinstance(getattr(y, "dtype", None), pd.CategoricalDtype)
    plain = declares or (type(y) is np.ndarray and y.ndim == 1)
    values = y if plain else column_or_1d(y, warn=True)
    if len(values) == 0:
        raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
    if declares:
        try:
            found = declared_classes(y)
        except TypeError:
            raise ValueError(
                f"y declares classes that cannot be sorted ({y.dtype.categories.tolist()!r}). Make them all "
                "text or all numbers."
            ) from None
        _refuse_missing(found[1] < 0)
        return found
    if values.dtype.kind not in "iu":
        _refuse_missing(pd.isna(values))
        if values.dtype.kind == "f":
            assert_all_finite(values, input_name="y")
        check_classification_targets(values)
    classes, codes = sorted_classes(values)
    return classes, codes, np.arange(len(classes))


def code_among(y: Any, classes: NDArray[Any]) -> NDArray[np.intp]:
    """Code class labels by their position among known classes."""
    labels, codes, _ = code_classes(y)
    found = class_codes(labels, classes)[codes]
    if found.min() < 0:
        strange = labels.tolist()[codes[found.argmin()]]
        raise ValueError(
            f"y holds the class {strange!r}, which is not a class of the first call to partial_fit, "
            f"{classes.tolist()!r}. Give all classes there."
        )
    return found


def _refuse_missing(missing: NDArray[np.bool_]) -> None:
    if missing.any():
        raise ValueError(
            f"Input y contains NaN: {int(missing.sum())} of {missing.size} rows have no class "
            f"(the first is row {int(missing.argmax())}). Drop these rows before fitting."
        )
