"""Averaged one-dependence estimators."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners._kernels.factors import class_factors, one_dependence_tables
from learners._kernels.one_dependence import CLASS_BLOCK, average_one_dependence
from learners.base import ProbabilisticClassifier
from learners.class_prior import class_prior
from learners.one_dependence import count_pairs, slot_offsets
from learners.options import check_number

__all__ = ["AODEClassifier"]


class AODEClassifier(ProbabilisticClassifier):
    """Average over all attributes as the one that leads the others.

    Each part of the average assumes that every attribute depends on the class and
    on one attribute, the same for all. A value takes part as parent if training
    showed it in at least `min_frequency` rows; without any parent the forecast is
    naive Bayes'. Missing values are left out. Numeric columns are cut into
    intervals with the learner.

    Parameters
    ----------
    min_frequency : float, default 1
        Rows (by weight) that a value needs to be a parent; Weka's default is 1, the
        papers use 30.
    smoothing : {"laplace", "m_estimate"}, default "laplace"
        One pseudo-count for each value (and class), or one in all.
    categorical_features : "from_dtype", mask, names or indices
        Which columns are nominal.
    arities : sequence of int or None, optional
        Number of values of each column of integer codes.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    arities_ : ndarray of int64, shape (n_features,)
        Number of values of each attribute.
    class_prior_ : ndarray of float64, shape (n_classes,)
        Class probabilities of the naive Bayes fallback.
    cut_points_ : dict of ndarray
        Cuts of each numeric column; absent where there is none.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    TANClassifier : Searches for one tree instead of averaging.

    References
    ----------
    .. [1] G. I. Webb, J. R. Boughton, Z. Wang, "Not so naive Bayes: aggregating
       one-dependence estimators", Machine Learning 58, 2005.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 0], [1, 1], [0, 1], [1, 0]] * 5)
    >>> aode = AODEClassifier().fit(X, [0, 0, 1, 1] * 5)  # exclusive or
    >>> aode.predict_proba(X[:1]).round(3)
    array([[0.857, 0.143]])
    """

    def __init__(
        self,
        min_frequency: float = 1,
        smoothing: str = "laplace",
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.min_frequency = min_frequency
        self.smoothing = smoothing
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "AODEClassifier":
        """Count pairs of values by class, and set the tables of all parents.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_samples, n_features)
            Attributes; the dtype declares which are nominal.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each row; a whole weight equals repeating the row.

        Returns
        -------
        AODEClassifier
            The learner itself.
        """
        if self.smoothing not in ("laplace", "m_estimate"):
            raise ValueError(f'smoothing must be "laplace" or "m_estimate", but was {self.smoothing!r}.')
        min_frequency = check_number("min_frequency", self.min_frequency, at_least=0)
        table = self._read_training(X, y, sample_weight)
        n_classes, arities = table.n_classes, table.arities.astype(np.float64)
        laplace = self.smoothing == "laplace"
        child_pseudo = np.ones_like(arities) if laplace else 1.0 / arities
        joint_pseudo = np.ones_like(arities) if laplace else 1.0 / (n_classes * arities)
        counts = table.class_counts()
        self.class_prior_ = class_prior(counts, alpha=1.0 if laplace else 1.0 / n_classes)
        self._offsets = slot_offsets(table.arities)
        pairs = count_pairs(table, self._offsets, block=CLASS_BLOCK)
        self._factors = class_factors(
            np.einsum("ssc->sc", pairs)[:, :n_classes],
            np.repeat(child_pseudo, table.arities + 1),
            self._offsets,
            table.arities,
        )
        self._tables = one_dependence_tables(
            pairs,
            n_classes,
            counts.sum(),
            min_frequency,
            joint_pseudo,
            child_pseudo,
            self._offsets,
            table.arities,
        )
        return self

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        codes = self._code(X).codes
        return average_one_dependence(codes, self._tables, self._offsets, self.class_prior_, self._factors)
