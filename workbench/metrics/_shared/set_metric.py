"""Metrics of predicted sets of classes: none, one, several or all classes for each row."""

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics._shared.base import Metric
from workbench.metrics._shared.checks import check_sets

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
        """Return the score of all cases."""
        return self._of_all(self._of_cases(*check_sets(y_true, y_set, classes)))

    @abstractmethod
    def _of_cases(self, codes: NDArray[np.intp], sets: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Score checked cases in their order."""

    @abstractmethod
    def _of_all(self, scores: NDArray[np.float64]) -> float:
        """Make one number of the scores of all cases."""
