"""Whether a prior can be compared with: a positive probability for each class."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics._shared.checks.arrays import for_kernels, numbers
from workbench.metrics._shared.checks.class_order import in_class_order
from workbench.metrics._shared.checks.forecast import ROW_SUM_TOLERANCE, in_double

__all__ = ["check_prior"]

#: What a prior is that studies and scorers know by its name.
MEANT = {
    "training": "workbench.metrics.class_prior(y_train)",
    "test": "workbench.metrics.class_prior(y_true)",
    "uniform": "numpy.full(n_classes, 1 / n_classes)",
}


def check_prior(
    prior: ArrayLike | None,
    n_classes: int,
    *,
    metric: str,
    classes: Sequence[object] | ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Return the prior as a float64 vector of positive entries that sum to one, or raise."""
    if prior is None:
        raise ValueError(
            f"{metric} compares the forecast with a prior and got prior=None: pass "
            "prior=workbench.metrics.class_prior(y_train)"
        )
    if isinstance(prior, str):
        raise ValueError(
            f"{metric} takes the probabilities of a prior and got its name, prior={prior!r}: pass "
            f"prior={MEANT.get(prior, MEANT['training'])}"
        )
    reference = in_double(numbers(in_class_order(prior, classes, name="prior"), name="prior"))
    if reference.shape != (n_classes,):
        raise ValueError(
            f"prior has shape {reference.shape} and y_prob has {n_classes} columns: "
            "give one probability for each column"
        )
    if np.count_nonzero(reference) == 1 and reference.max() == 1.0:
        raise ValueError(
            "the prior gives one class probability 1: a reward against it is undefined; "
            "declare the other classes with workbench.metrics.class_prior(y_train, classes=...) "
            "or leave this data set out"
        )
    if not (reference > 0.0).all():
        raise ValueError(
            f"prior is {reference.tolist()}: every class needs a positive probability; "
            "workbench.metrics.class_prior(y_train, classes=...) gives one"
        )
    if not abs(reference.sum() - 1.0) <= ROW_SUM_TOLERANCE:
        raise ValueError(f"prior sums to {reference.sum():.12g}: divide it by its sum")
    return for_kernels(reference)
