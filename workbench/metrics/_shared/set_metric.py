"""Metrics of predicted sets of classes: none, one, several or all classes for each row."""

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics._shared.base import Metric
from workbench.metrics._shared.checks import check_sets

__all__ = ["SetMetric", "CodeLength"]


class SetMetric(Metric):
    """Score predicted sets against the classes that happened.

    It is called as `metric(y_true, y_set, classes=...)`. It is one of these kinds: a `CodeLength`, the bits
    that encode the classes one case after the other; or a `SetShare`, the mean of one number per case. A
    subclass declares the attributes of `Metric`, scores checked cases in `_of_cases`, and combines
    them to one number in `_of_all`.

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
        """Return the score of all cases."""
        return self._of_all(self._of_cases(*check_sets(y_true, y_set, classes)))

    @abstractmethod
    def _of_cases(self, codes: NDArray[np.intp], sets: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Score checked cases in their order."""

    @abstractmethod
    def _of_all(self, scores: NDArray[np.float64]) -> float:
        """Combine the scores of all cases."""


class CodeLength(SetMetric):
    """Score predicted sets by the bits that encode the classes, one case after the other.

    It is called as `metric(y_true, y_set, classes=..., random_state=...)`. The code learns from earlier
    cases, so the order counts. A subclass declares the attributes of `Metric` and gives the bits of the cases
    in `_of_cases`.

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
        return self._of_all(self.code_lengths(y_true, y_set, classes=classes, random_state=random_state))

    def code_lengths(
        self,
        y_true: ArrayLike,
        y_set: ArrayLike,
        *,
        classes: Sequence[object] | ArrayLike | None = None,
        random_state: int | np.random.Generator | None = None,
    ) -> NDArray[np.float64]:
        """Return the bits of each case, given the earlier ones.

        Parameters
        ----------
        y_true, y_set, classes
            As in `SetMetric.__call__`.
        random_state : int, Generator or None
            Shuffles the cases; None takes them in the order given.

        Returns
        -------
        ndarray of shape (n_samples,)
            Bits, in the order given.

        Raises
        ------
        ValueError
            If `y_set` is not an array of truth values, a code or label is unknown, or lengths disagree.
        """
        codes, sets = check_sets(y_true, y_set, classes)
        if random_state is None:
            return self._of_cases(codes, sets)
        order = np.random.default_rng(random_state).random(len(codes)).argsort(kind="stable")
        lengths = np.empty(len(codes))
        lengths[order] = self._of_cases(codes[order], sets[order])
        return lengths

    def _of_all(self, scores: NDArray[np.float64]) -> float:
        return float(scores.sum())
