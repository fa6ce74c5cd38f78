"""The optimum on TAN truths: the exact average over all rooted trees."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from learners import AveragedTANClassifier

__all__ = ["TANOptimum"]


class TANOptimum(AveragedTANClassifier):
    """The average over all rooted trees, with a class distribution that may be known.

    Parameters
    ----------
    alpha : float
        Parameter of the Dirichlet of all rows.
    class_marginal : array-like of shape (n_classes,), optional
        The distribution of the class, where it is known.
    categorical_features, arities
        As for `AveragedTANClassifier`.

    Examples
    --------
    >>> codes, y = np.array([[0, 0, 1], [1, 0, 1]]), np.array([0, 0, 1])
    >>> best = TANOptimum.of_codes(codes, [2, 2], y, 2, alpha=1.0, class_marginal=[0.5, 0.5])
    >>> np.exp(best.log_joint_of_codes(codes[:, :1])).round(3)
    array([[0.179, 0.095]])
    """

    workbench_identity = "workbench.optimal:TANOptimum"

    def __init__(
        self,
        alpha: float = 1.0,
        class_marginal: ArrayLike | None = None,
        categorical_features: Any = "from_dtype",
        arities: Any = None,
    ) -> None:
        super().__init__(alpha, categorical_features, arities)
        self.class_marginal = class_marginal

    @classmethod
    def of_codes(
        cls,
        codes: NDArray[np.integer],
        arities: Any,
        y: NDArray[np.intp],
        n_classes: int,
        *,
        alpha: float,
        class_marginal: ArrayLike | None = None,
        weight: NDArray[np.float64] | None = None,
    ) -> "TANOptimum":
        """Learn from codes, a row for each attribute; the arity itself is a missing value."""
        made = cls(alpha, class_marginal, arities=list(arities))
        classes = pd.Categorical.from_codes(y, range(n_classes))
        made.fit(made._signed(codes), pd.Series(classes), weight)
        return made

    def log_joint_of_codes(self, codes: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return the log of P(row, class | training rows), of shape (n_rows, n_classes), nats."""
        return self.log_joint(self._signed(codes))

    def _signed(self, codes: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return rows of codes as learners read them: a missing value is -1."""
        arities = np.asarray(self.arities)[:, None]
        return np.where(codes == arities, -1, codes.astype(np.int64)).T

    def _class_prior(self) -> NDArray[np.float64] | None:
        return None if self.class_marginal is None else np.asarray(self.class_marginal, dtype=np.float64)
