"""Averaged one-dependence estimators."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners._kernels.factors import (
    class_factors,
    joint_with_class,
    marginal_pseudo_counts,
    one_dependence_tables,
)
from learners._kernels.one_dependence import CLASS_BLOCK, average_one_dependence
from learners.base import ProbabilisticClassifier
from learners.class_prior import class_prior
from learners.one_dependence import (
    N0,
    N0_CLASS_ALPHA,
    count_pairs,
    hide_values,
    impossible_values,
    slot_offsets,
)
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
    smoothing : {"laplace", "m_estimate", "n0"}, default "laplace"
        `alpha` pseudo-counts for each value (and class); one pseudo-count in all, shared
        by the values; or Friedman's, as in TAN. With "n0" a declared value that training
        did not show counts as missing. See Notes for the formulas.
    categorical_features : "from_dtype", mask, names or indices
        Which columns are nominal.
    arities : sequence of int or None, optional
        Number of values of each column of integer codes.
    alpha : float, default 1.0
        Pseudo-count with "laplace"; the other smoothings ignore it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    arities_ : ndarray of int64, shape (n_features,)
        Number of values of each attribute.
    class_prior_ : ndarray of float64, shape (n_classes,)
        Class probabilities of the naive Bayes fallback, and of all parts with "n0":
        ``(n_c + a) / (n + a n_classes)`` where a is `alpha`, 1 / n_classes or 1.
    cut_points_ : dict of ndarray
        Cuts of each numeric column; absent where there is none.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    TANClassifier : Searches for one tree instead of averaging.

    Notes
    -----
    A forecast is proportional to the sum, over the parents x_i, of P(y, x_i) times the product
    of P(x_j | y, x_i) over the other attributes. Of n rows that show x_i, n_yi have it with class
    y, and N_j of these show attribute j, n_j with the value x_j. With r_i values of attribute i
    and k classes:

    * "laplace": P(y, x_i) = (n_yi + alpha) / (n + alpha k r_i) and
      P(x_j | y, x_i) = (n_j + alpha) / (N_j + alpha r_j).
    * "m_estimate": the same with alpha 1 / (k r_i) and 1 / r_j.
    * "n0": P(x_j | y, x_i) = (n_j + 5 P(x_j)) / (N_j + 5) with the training marginal P(x_j), and
      P(y, x_i) = P(y) P(x_i | y), where P(y) starts from one pseudo-count a class and
      P(x_i | y) = (n_yi + 5 P(x_i)) / (n_y + 5), n_y of class y that show attribute i.
      So each part of the average is the TAN network, with TAN's "n0" tables, in which attribute i
      leads all others, and with one attribute NB, TAN and AODE agree. (Smoothing the joint at once
      toward P(x_i) / k would pull the classes toward uniform by another weight than in the other two.)

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
        alpha: float = 1.0,
    ) -> None:
        self.min_frequency = min_frequency
        self.smoothing = smoothing
        self.categorical_features = categorical_features
        self.arities = arities
        self.alpha = alpha

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
        if self.smoothing not in ("laplace", "m_estimate", "n0"):
            raise ValueError(
                f'smoothing must be "laplace", "m_estimate" or "n0", but was {self.smoothing!r}.'
            )
        min_frequency = check_number("min_frequency", self.min_frequency, at_least=0)
        alpha = check_number("alpha", self.alpha, above=0)  # 0 would make unseen values impossible
        table = self._read_training(X, y, sample_weight)
        offsets, arities = slot_offsets(table.arities), table.arities
        pairs = count_pairs(table, offsets, block=CLASS_BLOCK)
        values = pairs.diagonal().T[:, : table.n_classes]  # (slot, class)
        pseudo, totals = self._pseudo_counts(values, offsets, arities, alpha)
        joint = self._fit_values(table.class_counts(), values, pseudo, offsets, arities, alpha)
        self._tables = one_dependence_tables(pairs, joint, pseudo, totals, min_frequency, offsets, arities)
        self._offsets = offsets
        self._impossible = impossible_values(pseudo) if self.smoothing == "n0" else None
        return self

    def _pseudo_counts(
        self,
        values: NDArray[np.float64],
        offsets: NDArray[np.int64],
        arities: NDArray[np.int64],
        alpha: float,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Give each slot its pseudo-count as a child, and each attribute the sum over its values."""
        if self.smoothing == "n0":
            return marginal_pseudo_counts(values, N0, offsets, arities), np.full(arities.size, N0)
        if self.smoothing == "laplace":
            return np.full(len(values), alpha), np.multiply(alpha, arities)
        each: NDArray[np.float64] = 1.0 / arities
        return np.repeat(each, arities + 1), each * arities

    def _fit_values(
        self,
        class_counts: NDArray[np.float64],
        values: NDArray[np.float64],
        pseudo: NDArray[np.float64],
        offsets: NDArray[np.int64],
        arities: NDArray[np.int64],
        alpha: float,
    ) -> NDArray[np.float64]:
        """Set the class prior and the factors of naive Bayes; give P(class, value) by slot."""
        n_classes = class_counts.size
        class_alpha = {"laplace": alpha, "m_estimate": 1.0 / n_classes, "n0": N0_CLASS_ALPHA}[self.smoothing]
        self.class_prior_ = class_prior(class_counts, alpha=class_alpha)
        self._factors = class_factors(values, pseudo, offsets, arities)
        if self.smoothing == "n0":
            return self.class_prior_ * self._factors
        cell = np.full(arities.size, alpha) if self.smoothing == "laplace" else 1.0 / (n_classes * arities)
        return joint_with_class(values, class_counts.sum(), cell, offsets, arities)

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        codes = hide_values(self._code(X).codes, self._impossible, self._offsets, self.arities_)
        return average_one_dependence(codes, self._tables, self._offsets, self.class_prior_, self._factors)
