"""Predicted sets of classes from labels: what set metrics take."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics._shared.checks import label_codes

__all__ = ["as_sets"]


def as_sets(
    predictions: Iterable[object] | ArrayLike, *, classes: Sequence[object] | ArrayLike
) -> NDArray[np.bool_]:
    """Turn predicted labels, or collections of them, into a bool array with a column per class.

    Parameters
    ----------
    predictions : iterable of n_samples labels, or of sets, lists or tuples of labels
        What was predicted for each row: one class, several, or none (an empty collection).
    classes : array-like of shape (n_classes,)
        All classes, in the order wanted.

    Returns
    -------
    ndarray of bool of shape (n_samples, n_classes)
        True where a class is predicted.

    Raises
    ------
    ValueError
        If a label is not among `classes`, or one of these is named twice.

    Examples
    --------
    >>> from workbench.metrics import as_sets
    >>> as_sets(["no", {"no", "yes"}, []], classes=["no", "yes"])
    array([[ True, False],
           [ True,  True],
           [False, False]])
    """
    members = [_members(prediction) for prediction in predictions]  # type: ignore[union-attr]
    labels = np.empty(sum(map(len, members)), dtype=object)
    labels[:] = [label for own in members for label in own]
    rows = np.repeat(np.arange(len(members)), [len(own) for own in members])
    sets = np.zeros((len(members), len(np.asarray(classes))), dtype=np.bool_)
    sets[rows, label_codes(labels, classes)] = True
    return sets


def _members(prediction: object) -> list[object]:
    if isinstance(prediction, set | frozenset | list | tuple | np.ndarray):
        return list(prediction)
    return [prediction]
