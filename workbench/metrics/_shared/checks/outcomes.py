"""Which class happened: codes, or labels that are looked up."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics._shared.checks.arrays import for_kernels

__all__ = ["check_outcomes", "label_codes"]


def check_outcomes(
    y_true: ArrayLike, shape: tuple[int, ...], classes: Sequence[object] | ArrayLike | None
) -> NDArray[np.intp]:
    """Return the class codes of `y_true`, which holds codes, or labels where `classes` is given."""
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
    """Return the place of each label in `classes`; an unknown label or a class named twice raises."""
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
