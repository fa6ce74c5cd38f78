"""The class column of a data set, and columns of codes to make nominal."""

from collections.abc import Sequence

import pandas as pd

from generators.tables.cells import kind_of
from generators.tables.columns import as_categorical
from workbench.base.errors import WorkbenchError, nearest
from workbench.base.text import shown

__all__ = ["ANOTHER_CLASS", "HOW_TO_NAME", "as_nominal", "split_class", "split_column"]

LARGEST_WHOLE = 2.0**53
#: How the class of a file is named wherever files are read.
HOW_TO_NAME = (
    'class = "..." in a study, on=(file, class) in compare, class_name= in load_table and load_arff, --class '
    "of a command"
)
#: What to do about a numeric class.
ANOTHER_CLASS = f"name another as the class ({HOW_TO_NAME}), or declare its values"


def as_nominal(frame: pd.DataFrame, names: Sequence[str], place: str) -> pd.DataFrame:
    """Convert columns of codes to labels."""
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        raise WorkbenchError(f"nominal is {shown(names)}: expected a list of names of columns")
    out = frame.copy(deep=False)
    for name in names:
        if name not in frame.columns:
            raise WorkbenchError(
                f"{place} has no column {name!r} to be nominal: {nearest(name, frame.columns)}"
            )
        column = frame[name]
        if kind_of(column.dtype) == "numbers":
            labels = [None if pd.isna(v) else int(v) if v == int(v) else v for v in column.tolist()]
            out[name] = pd.Series(labels, index=frame.index, dtype=object)
    return out


def split_class(frame: pd.DataFrame, class_name: str | None, place: str) -> tuple[pd.DataFrame, pd.Series]:
    """Split a data set into attributes and class."""
    X, column = split_column(frame, frame.columns[-1] if class_name is None else class_name, place)
    return X, _as_class(column, place)


def split_column(
    frame: pd.DataFrame, name: str, place: str, use: str = "the class"
) -> tuple[pd.DataFrame, pd.Series]:
    """Take the column that is named as the class, or for another use, out of a table."""
    if name not in frame.columns:
        known = map(str, frame.columns)
        raise WorkbenchError(f"{place} has no column {name!r} for {use}: {nearest(name, known)}")
    return frame.drop(columns=name), frame[name]


def _as_class(column: pd.Series, place: str) -> pd.Series:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column
    if not pd.api.types.is_float_dtype(column.dtype):
        return as_categorical(column)
    known = column.dropna()
    if not ((known.abs() < LARGEST_WHOLE) & (known == known.round())).all():
        raise WorkbenchError(
            f"the class {column.name!r} of {place} is numeric, but must be nominal: {ANOTHER_CLASS}"
        )
    declared = as_categorical(column)
    return declared.cat.rename_categories(declared.cat.categories.astype("int64"))
