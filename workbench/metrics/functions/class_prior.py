"""The prior that a reward is measured against: class counts that start at one half."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics._shared.checks import check_number, label_codes

__all__ = ["class_prior"]


def class_prior(
    y: ArrayLike, *, classes: Sequence[object] | ArrayLike | None = None, alpha: float = 0.5
) -> NDArray[np.float64]:
    """Estimate the distribution of the classes from a training set.

    Every class gets a positive probability, so a reward against this prior is bounded above.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Class codes or labels of the training set.
    classes : array-like of shape (n_classes,), optional
        All classes, in the order wanted (``range(n_classes)`` for codes). By default the sorted categories
        of a categorical `y`, else its sorted distinct values: a class that `y` lacks is then unknown.
    alpha : float, default=0.5
        What each count starts at, above 0.

    Returns
    -------
    ndarray of shape (n_classes,)
        (count + alpha) / (n_samples + alpha * n_classes).

    Raises
    ------
    ValueError
        If `y` is not one-dimensional, or holds a missing value or a label that is not among `classes`, if no
        class is known, or `alpha` is not a finite number above 0.

    Notes
    -----
    The forecast that scores exactly 0 under `ir_b` is this one, not the bare frequencies.

    References
    ----------
    .. [1] Hope, L. R., and Korb, K. B., "A Bayesian metric for evaluating machine learning algorithms", 2004,
       section 3.3.

    Examples
    --------
    >>> from workbench.metrics import class_prior
    >>> class_prior(["no", "no", "yes"])
    array([0.625, 0.375])
    >>> class_prior([0, 0], classes=range(4))
    array([0.625, 0.125, 0.125, 0.125])
    """
    from learners.counts.class_prior import class_prior as prior_of_counts

    labels = np.asarray(y)
    if labels.ndim != 1:
        raise ValueError(f"y has shape {labels.shape}: give one class for each sample, in one dimension")
    start = check_number(alpha, name="alpha", meaning="what each count starts at")
    if start <= 0.0:
        raise ValueError(f"alpha is {alpha!r}: give a number above 0, so that every class gets a probability")
    names = _declared_classes(y, labels) if classes is None else np.asarray(classes)
    if names.size == 0:
        raise ValueError("no class is known: give training samples, or name the classes with classes=")
    return prior_of_counts(np.bincount(label_codes(labels, names), minlength=names.size), alpha=start)


def _declared_classes(y: ArrayLike, labels: NDArray[np.generic]) -> NDArray[np.generic]:
    """Return the sorted categories of a pandas categorical, else the sorted distinct labels."""
    categories = getattr(getattr(y, "dtype", None), "categories", None)
    if categories is not None:
        return np.sort(np.asarray(categories))
    import pandas as pd

    return np.sort(np.asarray(pd.Index(labels).dropna().unique()))
