"""Arrow columns as learners take them: labels as categoricals, codes as integers."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from learners.tables.columns import LARGEST_CODE

__all__ = ["holds_labels", "integers_of", "is_text", "kind_of", "labels_of"]


def kind_of(arrow: Any) -> str:
    """Say what values of a type are, in words; types whose values learners take alike are one kind."""
    from pyarrow import types

    if types.is_dictionary(arrow):
        return "text" if is_text(arrow.value_type) else f"a dictionary of {arrow.value_type}"
    if types.is_integer(arrow):
        return "integers"
    if types.is_floating(arrow):
        return "floating-point numbers"
    return "text" if is_text(arrow) else str(arrow)


def is_text(arrow: Any) -> bool:
    """Return whether a type is that of plain text, not of a dictionary."""
    from pyarrow import types

    return types.is_string(arrow) or types.is_large_string(arrow)


def holds_labels(arrow: Any) -> bool:
    """Return whether a column of this type is nominal whatever the user says."""
    from pyarrow import types

    return types.is_dictionary(arrow) or types.is_boolean(arrow) or is_text(arrow)


def labels_of(column: Any) -> pd.Categorical:
    """Return a column of labels; nulls are missing."""
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    labels = column.dictionary
    if labels.null_count or len(labels.unique()) < len(labels):
        column = column.dictionary_decode().dictionary_encode()
        labels = column.dictionary
    names = labels.to_numpy(zero_copy_only=False)
    order = np.argsort(names, kind="stable")
    rank = np.full(len(order) + 1, -1, dtype=np.int32)  # the last is that of a null
    rank[order] = np.arange(len(order), dtype=np.int32)
    places = column.indices.cast(pa.int32()).fill_null(len(order)).to_numpy(zero_copy_only=False)
    return pd.Categorical.from_codes(rank[places], categories=pd.Index(names[order]), validate=False)


def integers_of(column: Any) -> NDArray[Any]:
    """Return a column of integers as an array, -1 where it is null."""
    import pyarrow as pa
    from pyarrow import compute

    if column.type == pa.uint64():  # what is too large for a code stays so, and turns not negative
        largest = pa.scalar(LARGEST_CODE + 1, pa.uint64())
        column = compute.min_element_wise(column, largest, skip_nulls=False).cast(pa.int64())
    if column.null_count:
        column = column.cast(pa.int64()).fill_null(-1)
    return column.to_numpy(zero_copy_only=False)
