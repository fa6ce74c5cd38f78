"""Metrics of predicted sets of classes: none, one, several or all classes for each row."""

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics._checks import in_class_order, label_codes
from workbench.metrics.base import Metric

__all__ = ["SetMetric"]


class SetMetric(Metric):
    """Score predicted sets by the bits that tell the classes, one case after the other.

    It is called as `metric(y_true, y_set, classes=..., random_state=...)`. The code learns from the cases
    that went before, so the order counts. A subclass declares the attributes of `Metric` and gives the bits
    of the cases in `_of_cases`.

    See Also
    --------
    workbench.metrics.as_sets : sets from labels.

    Examples
    --------
    >>> from workbench.metrics import laplace_complexity
    >>> laplace_complexity([0, 1], [[True, False], [True, True]]).__round__(3)  # 1, then 0.585 + 1
    2.585
    """

    unit = "bits"
    needs = frozenset({"sets"})
    order_matters = True

    def __call__(
        self,
        y_true: ArrayLike,
        y_set: ArrayLike,
        *,
        classes: Sequence[object] | ArrayLike | None = None,
        random_state: int | np.random.Generator | None = None,
    ) -> float:
        """Return the sum of `code_lengths`, in bits for all cases together."""
        return float(self.code_lengths(y_true, y_set, classes=classes, random_state=random_state).sum())

    def code_lengths(
        self,
        y_true: ArrayLike,
        y_set: ArrayLike,
        *,
        classes: Sequence[object] | ArrayLike | None = None,
        random_state: int | np.random.Generator | None = None,
    ) -> NDArray[np.float64]:
        """Give the bits of each case, given those that went before.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Class codes 0 .. n_classes - 1, or labels when `classes` is given.
        y_set : array-like of bool of shape (n_samples, n_classes)
            True where a class is predicted; a row may have none, several or all. Where columns have names
            that are the classes, these count and not their order.
        classes : array-like of shape (n_classes,), optional
            The labels, in the order of the columns of `y_set`.
        random_state : int, Generator or None
            Shuffles the cases; None takes them in the order given.

        Returns
        -------
        ndarray of shape (n_samples,)
            Bits, in the order given.

        Raises
        ------
        ValueError
            If `y_set` is no table of truth values, a code or label is unknown, or lengths disagree.
        """
        sets = _check_sets(in_class_order(y_set, classes, name="y_set"))
        codes = _check_codes(y_true, sets.shape, classes)
        if random_state is None:
            return self._of_cases(codes, sets)
        order = np.random.default_rng(random_state).random(len(codes)).argsort(kind="stable")
        lengths = np.empty(len(codes))
        lengths[order] = self._of_cases(codes[order], sets[order])
        return lengths

    @abstractmethod
    def _of_cases(self, codes: NDArray[np.intp], sets: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Give the bits of checked cases in their order."""


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
