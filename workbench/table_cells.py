"""What the cells of a table may hold: labels, finite numbers, and holes."""

from typing import Any

import numpy as np
import pandas as pd

from workbench.errors import WorkbenchError

__all__ = ["check_cells"]

#: What pandas calls columns of objects that need no look at each cell.
PLAIN = {"string", "bytes", "boolean", "integer", "floating", "mixed-integer-float", "empty"}
HOLES = (None, pd.NA, pd.NaT)
LABELS = (str, bytes, bool, int, float, np.bool_, np.number)


def check_cells(frame: pd.DataFrame, what: str) -> None:
    """Refuse dates, infinite numbers, and cells that hold no single value.

    Parameters
    ----------
    frame : DataFrame of shape (n_rows, n_columns)
    what : str
        Named in errors.

    Raises
    ------
    WorkbenchError
        For the first column with such a cell; it names the column and the row, counted from 1.

    Examples
    --------
    >>> check_cells(pd.DataFrame({"a": [1.0, float("inf")]}), "the table")
    Traceback (most recent call last):
    ...
    workbench.errors.WorkbenchError: column 'a' of the table holds inf in row 2: expected finite numbers;
    make it missing, or drop the row
    """
    for _, column in frame.items():
        types, dtype = pd.api.types, column.dtype
        if isinstance(dtype, pd.CategoricalDtype):
            continue  # its values are declared, and whatever they are, they are labels
        if types.is_complex_dtype(dtype):
            _refuse_first(column, what, column.notna().to_numpy(), "real numbers; make two columns of it")
        elif types.is_numeric_dtype(dtype):
            _refuse_first(column, what, _infinite(column), "finite numbers; make it missing, or drop the row")
        elif dtype.kind in "mM" or types.is_datetime64_any_dtype(dtype):
            _refuse_first(column, what, column.notna().to_numpy(), "no dates; make them numbers or text")
        else:
            _check_objects(column, what)


def _infinite(column: pd.Series) -> Any:
    if pd.api.types.is_bool_dtype(column.dtype) or pd.api.types.is_integer_dtype(column.dtype):
        return np.zeros(0, dtype=bool)
    return np.isinf(column.to_numpy(dtype=np.float64, na_value=np.nan))


def _check_objects(column: pd.Series, what: str) -> None:
    cells = column.to_numpy(dtype=object)
    if pd.api.types.infer_dtype(cells, skipna=True) in PLAIN:
        return
    wrong = np.array(
        [not (isinstance(cell, LABELS) or any(cell is hole for hole in HOLES)) for cell in cells], dtype=bool
    )
    _refuse_first(column, what, wrong, "text or numbers; turn such cells into these, or leave the column out")


def _refuse_first(column: pd.Series, what: str, wrong: Any, expected: str) -> None:
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        text = str(column.iloc[row])
        shown = text if len(text) <= 40 else f"{text[:40]}..."
        raise WorkbenchError(
            f"column {column.name!r} of {what} holds {shown} in row {row + 1}: expected {expected}"
        )
