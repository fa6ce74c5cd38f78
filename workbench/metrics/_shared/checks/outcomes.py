"""Check outcomes, as codes or labels, and predicted sets."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics._shared.checks.columns import in_class_order
from workbench.metrics._shared.checks.values import for_kernels

__all__ = ["check_outcomes", "label_codes", "check_sets"]


def check_outcomes(
    y_true: ArrayLike, shape: tuple[int, ...], classes: Sequence[object] | ArrayLike | None
) -> NDArray[np.intp]:
    """Return the class codes of `y_true`, which holds codes, or labels if `classes` is given."""
    n_samples, n_classes = shape
    outcomes = np.asarray(y_true)
    if outcomes.shape != (n_samples,):
        raise ValueError(
            f"y_true has shape {outcomes.shape} and y_prob has {n_samples} rows: give one class for each row"
        )
    if classes is not None:
        if len(np.asarray(classes)) != n_classes:
            raise ValueError(
                f"classes names {len(np.asarray(classes))} classes and y_prob has {n_classes} columns: "
                "name one class for each column"
            )
        return for_kernels(label_codes(outcomes, classes))
    if outcomes.dtype.kind not in "iu":
        raise ValueError(
            f"y_true holds {outcomes.dtype} values: give integer class codes, "
            "or labels together with classes= in the order of the columns of y_prob"
        )
    if outcomes.min() < 0 or outcomes.max() >= n_classes:
        outside = outcomes[(outcomes < 0) | (outcomes >= n_classes)][0]
        raise ValueError(
            f"y_true holds code {outside} and y_prob has {n_classes} columns: "
            f"give codes 0 to {n_classes - 1}, or labels together with classes="
        )
    return for_kernels(outcomes.astype(np.intp, copy=False))


def label_codes(labels: NDArray[np.generic], classes: Sequence[object] | ArrayLike) -> NDArray[np.intp]:
    """Return the index of each label in `classes`; unknown labels and repeated classes raise."""
    import pandas as pd  # only labels need it, codes do not

    index = pd.Index(np.asarray(classes))
    if not index.is_unique:
        raise ValueError(
            f"classes names {index[index.duplicated()].tolist()[0]!r} twice: name each class once"
        )
    codes = np.asarray(index.get_indexer(pd.Index(labels)), dtype=np.intp)
    if codes.size and codes.min() < 0:
        raise ValueError(
            f"label {labels[codes < 0].tolist()[0]!r} is not among the classes {index.tolist()}: "
            "add it to classes= or leave its samples out"
        )
    return codes


def check_sets(
    y_true: ArrayLike, y_set: ArrayLike, classes: Sequence[object] | ArrayLike | None
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return the class codes of `y_true`, and `y_set` as truth values, or raise."""
    sets = _check_sets(in_class_order(y_set, classes, name="y_set"))
    return _check_codes(y_true, sets.shape, classes), sets


def _check_sets(y_set: ArrayLike) -> NDArray[np.bool_]:
    sets = np.asarray(y_set)
    if sets.ndim != 2 or 0 in sets.shape:
        raise ValueError(
            f"y_set has shape {sets.shape}: expected one row per sample and one column per class, with at "
            "least one of each; make it from labels by workbench.metrics.as_sets"
        )
    if sets.dtype != np.bool_:
        raise ValueError(f"y_set holds {sets.dtype} values: give True where a class is predicted, else False")
    return sets


def _check_codes(
    y_true: ArrayLike, shape: tuple[int, ...], classes: Sequence[object] | ArrayLike | None
) -> NDArray[np.intp]:
    outcomes = np.asarray(y_true)
    if outcomes.shape != shape[:1]:
        raise ValueError(
            f"y_true has shape {outcomes.shape} and y_set {shape[0]} rows: give one class for each row"
        )
    if classes is not None:
        if len(np.asarray(classes)) != shape[1]:
            raise ValueError(
                f"classes names {len(np.asarray(classes))} classes and y_set has {shape[1]} columns: "
                "name one class for each column"
            )
        return label_codes(outcomes, classes)
    if outcomes.dtype.kind not in "iu":
        found = f"{outcomes.dtype} values"
    elif outcomes.min() < 0 or outcomes.max() >= shape[1]:
        found = f"codes from {outcomes.min()} to {outcomes.max()}"
    else:
        return outcomes.astype(np.intp, copy=False)
    raise ValueError(
        f"y_true holds {found}: give codes 0 to {shape[1] - 1}, or labels together with classes= in the "
        "order of the columns of y_set"
    )
