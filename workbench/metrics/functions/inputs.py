"""Inputs of metrics: priors, sets of classes from labels, and forecasts clipped away from 0 and 1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.base.text import shown
from workbench.metrics._shared.checks import (
    Classes,
    Labels,
    Numbers,
    Sets,
    check_choice,
    check_forecast,
    check_integer,
    check_number,
    label_codes,
)

__all__ = ["as_sets", "class_prior", "clip_probabilities"]


def class_prior(y: ArrayLike, *, classes: Classes = None, alpha: float = 0.5) -> Numbers:
    """Estimate the class distribution of a training set, with pseudo-counts.

    Every class gets a positive probability, so a reward relative to this prior is bounded above.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Class codes or labels of the training set.
    classes : array-like of shape (n_classes,), optional
        All classes, in the order of the result (``range(n_classes)`` for codes). By default the sorted
        categories of a categorical `y`, otherwise its sorted distinct values. Then a class that does not
        occur in `y` has no entry.
    alpha : float, default=0.5
        Pseudo-count that is added to the count of each class, above 0.

    Returns
    -------
    ndarray of shape (n_classes,)
        The probabilities (count + alpha) / (n_samples + alpha * n_classes).

    Notes
    -----
    A forecast with these probabilities scores exactly 0 by `ir_b` relative to this prior. The relative
    frequencies do not.

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
    start = check_number(alpha, name="alpha", meaning="the initial value of each count")
    if start <= 0.0:
        raise ValueError(
            f"alpha is {shown(alpha)}: give a number above 0, so that every class gets a probability"
        )
    names = _declared_classes(y, labels) if classes is None else np.asarray(classes)
    if names.size == 0:
        raise ValueError("no class is known: give training samples, or name the classes with classes=")
    return prior_of_counts(np.bincount(label_codes(labels, names), minlength=names.size), alpha=start)


def _declared_classes(y: ArrayLike, labels: NDArray[np.generic]) -> NDArray[np.generic]:
    """Return the sorted categories of a pandas categorical, otherwise the sorted distinct labels."""
    categories = getattr(getattr(y, "dtype", None), "categories", None)
    if categories is not None:
        return np.sort(np.asarray(categories))
    import pandas as pd

    return np.sort(np.asarray(pd.Index(labels).dropna().unique()))


def clip_probabilities(y_prob: ArrayLike, *, n_train: int, rule: Literal["2002", "2001"] = "2002") -> Numbers:
    """Clip probabilities to the range that the size of the training set supports.

    Rows that are already within the range are returned bitwise equal.

    Parameters
    ----------
    y_prob : array-like of shape (n_samples, n_classes)
        Forecast probabilities. Each row sums to one.
    n_train : int
        Number of training samples, at least 1.
    rule : {"2002", "2001"}
        The rule that defines the range. See Notes.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        The clipped forecasts. Each row sums to one.

    Notes
    -----
    With n training samples and k classes, the range is [0.5/(n + 1), (n + 0.5)/(n + 1)] for "2001" and
    [0.5/(n + 0.5k), (n + 0.5)/(n + 0.5k)] for "2002". A clipped row is divided by its sum, so its least
    entries are slightly below the range. Time is O(n_samples * n_classes).

    References
    ----------
    .. [1] Korb, K. B., Hope, L. R., and Hughes, M. J., "The evaluation of predictive learners: some
       theoretical and empirical results", 2001, section 5.
    .. [2] Hope, L. R., and Korb, K. B., "Bayesian information reward", 2002, section 6.

    Examples
    --------
    >>> from workbench.metrics import clip_probabilities
    >>> clip_probabilities([[0.5, 0.5, 0.0], [0.2, 0.3, 0.5]], n_train=50).round(4)
    array([[0.4952, 0.4952, 0.0096],
           [0.2   , 0.3   , 0.5   ]])
    """
    forecast = check_forecast(y_prob)
    check_choice(rule, ("2001", "2002"), name="rule")
    n = check_integer(n_train, least=1, name="n_train", meaning="the number of training samples")
    total = n + 1.0 if rule == "2001" else n + 0.5 * forecast.shape[1]
    clipped = np.clip(forecast, 0.5 / total, (n + 0.5) / total)
    changed = (clipped != forecast).any(axis=1)
    clipped[changed] /= clipped[changed].sum(axis=1, keepdims=True)
    return clipped


def as_sets(predictions: Iterable[object] | ArrayLike, *, classes: Labels) -> Sets:
    """Convert predicted labels, or collections of labels, to a bool array with one column per class.

    Parameters
    ----------
    predictions : iterable of n_samples labels, or of sets, lists or tuples of labels
        The prediction for each row: one label, several labels, or none (an empty collection).
    classes : array-like of shape (n_classes,)
        All classes, in the order of the columns.

    Returns
    -------
    ndarray of bool of shape (n_samples, n_classes)
        True where a class is predicted.

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
