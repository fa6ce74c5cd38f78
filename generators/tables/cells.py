"""Contents of the cells of a table, and checks of them."""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["Kind", "columns_named", "kind_of", "odd_cells", "repeated_name"]

Kind = Literal["declared", "bool", "numbers", "complex", "dates", "labels"]
#: Inferred types of objects that are labels without a look at each.
PLAIN = {"string", "bytes", "boolean", "integer", "floating", "mixed-integer-float", "empty"}
LABELS = (str, bytes, bool, int, float, np.bool_, np.number)


def kind_of(dtype: Any) -> Kind:
    """Return the kind of values in a column of this type. Only categorical types declare values."""
    import pandas as pd

    if isinstance(dtype, pd.CategoricalDtype):
        return "declared"
    if dtype.kind == "c":
        return "complex"
    if pd.api.types.is_bool_dtype(dtype):
        return "bool"
    if pd.api.types.is_numeric_dtype(dtype):
        return "numbers"
    if dtype.kind in "mM" or pd.api.types.is_datetime64_any_dtype(dtype):
        return "dates"
    return "labels"


def odd_cells(cells: Any) -> NDArray[np.bool_]:
    """Return which cells are neither missing nor a label, such as a dict. Only mixed columns are searched."""
    import pandas as pd

    objects = np.asarray(cells, dtype=object)
    if isinstance(cells.dtype, pd.StringDtype) or pd.api.types.infer_dtype(objects, skipna=True) in PLAIN:
        return np.zeros(len(objects), dtype=bool)
    holes = (None, pd.NA, pd.NaT)
    odd = [not (isinstance(cell, LABELS) or any(cell is hole for hole in holes)) for cell in objects]
    return np.array(odd, dtype=bool)


def columns_named(table: Any, names: Sequence[str], known: Collection[str]) -> list[Any]:
    """Return a table's columns by name, None where absent. Unknown and repeated names raise errors."""
    if (twice := repeated_name(table.columns)) is not None:
        raise ValueError(f"X has two columns named {twice!r}: give every column a unique name")
    for column in table.columns:  # a misspelled one would count as missing throughout
        if column not in known:
            raise ValueError(f"X has the unknown column {column!r}: expected {', '.join(known)}")
    return [table[name] if name in table.columns else None for name in names]


def repeated_name(names: Iterable[Hashable]) -> Hashable | None:
    """Return the first name that several columns have, or None."""
    return next((name for name, n in Counter(names).items() if n > 1), None)
