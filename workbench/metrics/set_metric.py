"""Metrics of predicted sets of classes: none, one, several or all classes for each row."""

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics._checks import in_class_order, label_codes
from workbench.metrics.base import Metric

__all__ = ["SetMetric"]


class SetMetric(Metric):
    """Score predicted sets against the classes that happened.

    It is called as `metric(y_true, y_set, classes=...)`. It is one of these kinds: a `CodeLength`, the bits
    that tell the classes one case after the other; or a `SetShare`, the mean of one number a case. A subclass
    declares the attributes of `Metric`, scores checked cases in `_of_cases`, and says how these make one
    number in `_of_all`.

    See Also
    --------
    workbench.metrics.as_sets : sets from labels.

    Examples
    --------
    >>> from workbench.metrics import exact_match
    >>> exact_match([0, 1], [[True, False], [True, True]])
    0.5
    """

    needs = frozenset({"sets"})

    def __call__(
        self,
        y_true: ArrayLike,
        y_set: ArrayLike,
        *,
        classes: Sequence[object] | ArrayLike | None = None,
    ) -> float:
        """Return the score of all cases.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Class codes 0 .. n_classes - 1, or labels when `classes` is given.
        y_set : array-like of bool of shape (n_samples, n_classes)
            True where a class is predicted; a row may have none, several or all. Where columns have names
            that are the classes, these count and not their order.
        classes : array-like of shape (n_classes,), optional
            The labels, in the order of the columns of `y_set`.

        Returns
        -------
        float

        Raises
        ------
        ValueError
            If `y_set` is no table of truth values, a code or label is unknown, or lengths disagree.
        """
        return self._of_all(self._of_cases(*self._checked(y_true, y_set, classes)))

    @abstractmethod
    def _of_cases(self, codes: NDArray[np.intp], sets: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Score checked cases in their order."""

    @abstractmethod
    def _of_all(self, scores: NDArray[np.float64]) -> float:
        """Make one number of the scores of all cases."""

    @staticmethod
    def _checked(
        y_true: ArrayLike, y_set: ArrayLike, classes: Sequence[object] | ArrayLike | None
    ) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        sets = _check_sets(in_class_order(y_set, classes, name="y_set"))
        return _check_codes(y_true, sets.shape, classes), sets


def _check_sets(y_set: ArrayLike) -> NDArray[np.bool_]:
    sets = np.asarray(y_set)
    if sets.ndim != 2 or 0 in sets.shape:
        raise ValueError(
            f"y_set has shape {sets.shape}: give one row a sample and one column a class, with at least one "
            "of each, or make it from labels by workbench.metrics.as_sets"
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
