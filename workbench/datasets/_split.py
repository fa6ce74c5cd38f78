"""A table into attributes and class."""

import pandas as pd

from workbench.errors import WorkbenchError, nearest

__all__ = ["split_class"]

LARGEST_WHOLE = 2.0**53


def split_class(frame: pd.DataFrame, class_name: str | None, place: str) -> tuple[pd.DataFrame, pd.Series]:
    """Take the class out of a table.

    Parameters
    ----------
    frame : DataFrame of shape (n_samples, n_attributes + 1)
    class_name : str or None
        The column of the class; None for the last.
    place : str
        What errors call the table.

    Returns
    -------
    X : DataFrame of shape (n_samples, n_attributes)
    y : Series of shape (n_samples,)
        Categorical with all declared classes; sorted values where none are declared.

    Raises
    ------
    WorkbenchError
        If there is no such column, or it holds numbers that are not whole.
    """
    name = frame.columns[-1] if class_name is None else class_name
    if name not in frame.columns:
        raise WorkbenchError(f"{place} has no column {name!r} for the class: {nearest(name, frame.columns)}")
    return frame.drop(columns=name), _as_class(frame[name], place)


def _as_class(column: pd.Series, place: str) -> pd.Series:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column
    if not pd.api.types.is_float_dtype(column.dtype):
        return column.astype("category")
    known = column.dropna()
    if not ((known.abs() < LARGEST_WHOLE) & (known == known.round())).all():
        raise WorkbenchError(
            f"the class {column.name!r} of {place} is numeric: expected a nominal column, "
            "named with class_name= or declared with its values"
        )
    codes = pd.Categorical(column)
    return pd.Series(
        codes.rename_categories(codes.categories.astype("int64")), index=column.index, name=column.name
    )
