"""Tables whose columns are named: the names say which column is which class."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["in_class_order"]


def in_class_order(table: ArrayLike, classes: Sequence[object] | ArrayLike | None, *, name: str) -> ArrayLike:
    """Return a table, or a vector, with its classes in the order wanted, by the names that pandas gave them.

    The columns of a DataFrame and the index of a Series are such names, but not where they only count from 0.
    Without `classes` what is wanted are the codes, and names that are no codes say nothing. With `classes`,
    other names than these raise.
    """
    names = _names(table)
    if names is None:
        return table
    values = np.asarray(table)
    count = list(range(len(names)))
    wanted = count if classes is None else np.asarray(classes).tolist()
    if names == wanted or len(names) != len(wanted):  # another number of classes is told elsewhere
        return values
    place = {label: column for column, label in enumerate(names)}
    if len(place) == len(names) and place.keys() == set(wanted):
        return values[..., [place[label] for label in wanted]]
    if classes is None or (names == count and not place.keys() & set(wanted)):
        return values
    raise ValueError(
        f"{name} names its classes {names} and classes= names {wanted}: give both the same names, "
        "or the numbers alone, .to_numpy(), if they are in the order of classes="
    )


def _names(table: Any) -> list[Any] | None:
    """Return the names of the last axis, or None where there are none but those that pandas makes up."""
    if not hasattr(table, "iloc"):
        return None
    index = table.columns if table.ndim == 2 else table.index
    names = index.tolist()
    made_up = type(index).__name__ == "RangeIndex" and names == list(range(len(names)))
    return None if made_up else names
