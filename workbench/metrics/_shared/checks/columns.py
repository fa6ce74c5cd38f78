"""Match columns to classes, by the names of columns or the classes of a learner."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics._shared.checks.values import numbers

__all__ = ["align", "align_sets", "in_class_order"]


def in_class_order(table: ArrayLike, classes: Sequence[object] | ArrayLike | None, *, name: str) -> ArrayLike:
    """Return a table, or a vector, with its classes in the order wanted, by the names that pandas gave them.

    The columns of a DataFrame and the index of a Series are such names, but not where they only count from 0.
    Without `classes` what is wanted are the codes, and names that are not codes are ignored. With `classes`,
    other names than these raise.
    """
    names = _names(table)
    if names is None:
        return table
    values = np.asarray(table)
    count = list(range(len(names)))
    wanted = count if classes is None else np.asarray(classes).tolist()
    if names == wanted or len(names) != len(wanted):  # another number of classes raises elsewhere
        return values
    place = {label: column for column, label in enumerate(names)}
    if len(place) == len(names) and place.keys() == set(wanted):
        return values[..., [place[label] for label in wanted]]
    if classes is None or (names == count and not place.keys() & set(wanted)):
        return values
    raise ValueError(
        f"{name} names its classes {names} and classes= names {wanted}: use the same names, or the numbers "
        "alone, .to_numpy(), if they are in the order of classes="
    )


def _names(table: Any) -> list[Any] | None:
    """Return the names of the last axis, or None if there are only pandas' default ones."""
    if not hasattr(table, "iloc"):
        return None
    index = table.columns if table.ndim == 2 else table.index
    names = index.tolist()
    made_up = type(index).__name__ == "RangeIndex" and names == list(range(len(names)))
    return None if made_up else names


def align(
    y_prob: ArrayLike, found: Sequence[Any] | NDArray[Any], declared: Sequence[Any]
) -> NDArray[np.float64]:
    """Align columns with the declared classes, with probability 0 for classes unknown to the learner.

    The columns of a DataFrame are matched by their names.
    """
    named = in_class_order(y_prob, found, name="predict_proba")
    y_prob = numbers(named, name="predict_proba").astype(np.float64, copy=False)
    columns = _columns("predict_proba", y_prob.shape, found, declared)
    aligned = np.zeros((len(y_prob), len(declared)))
    aligned[:, columns] = y_prob
    return aligned


def align_sets(
    y_set: NDArray[np.bool_], found: Sequence[Any] | NDArray[Any], declared: Sequence[Any]
) -> NDArray[np.bool_]:
    """Align sets with the declared classes; classes unknown to the learner are in none."""
    y_set = np.asarray(y_set)
    if y_set.dtype != np.bool_:
        raise ValueError(f"predict_set holds {y_set.dtype} values: expected True where a class is predicted")
    columns = _columns("predict_set", y_set.shape, found, declared)
    aligned = np.zeros((len(y_set), len(declared)), dtype=np.bool_)
    aligned[:, columns] = y_set
    return aligned


def _columns(
    verb: str, shape: tuple[int, ...], found: Sequence[Any] | NDArray[Any], declared: Sequence[Any]
) -> list[int]:
    """Return the index of each of the learner's classes among the declared ones."""
    place = {label: column for column, label in enumerate(declared)}
    labels = np.asarray(found).tolist()
    if np.ndim(found) != 1:
        raise ValueError(f"classes_ of the learner is {labels!r}: expected a list of its classes")
    twice = [label for i, label in enumerate(labels) if label in labels[:i]]
    if twice:
        raise ValueError(f"the learner names class {twice[0]!r} twice in classes_: name each class once")
    columns = [place.get(label, -1) for label in labels]
    if len(shape) != 2 or shape[1] != len(columns):
        raise ValueError(f"{verb} has shape {shape}: expected a column for each of {len(columns)} classes")
    if -1 in columns:
        raise ValueError(
            f"the learner names class {labels[columns.index(-1)]!r}: declared are {list(declared)}"
        )
    return columns
