"""Averaged n-dependence estimators."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners._kernels.factors import one_dependence_tables
from learners._kernels.one_dependence import CLASS_BLOCK, average_one_dependence, multiply_factors
from learners._kernels.two_dependence import (
    PAIR_BLOCK,
    average_two_dependence,
    pair_values,
    triple_counts,
    two_dependence_tables,
)
from learners.base import ProbabilisticClassifier, TrainingTable
from learners.one_dependence import (
    LARGEST_TABLE,
    count_pairs,
    count_values,
    hide_values,
    impossible_values,
    slot_offsets,
)
from learners.options import check_number
from learners.parent_lists import is_whole
from learners.smoothed_values import SmoothedValues, check_smoothing

__all__ = ["AnDEClassifier"]


class AnDEClassifier(ProbabilisticClassifier):
    """Average over all sets of n attributes as those that lead the others.

    Each part of the average assumes that every attribute depends on the class and on the same n
    attributes. Two values take part as parents if training showed them together in at least
    `min_frequency` rows; a row without such a pair is forecast with one parent (AODE), without
    any with naive Bayes. Missing values are left out. Numeric columns are cut into intervals
    with the learner.

    Parameters
    ----------
    n : {0, 1, 2}, default 2
        Attribute parents of each attribute: 0 is naive Bayes, 1 is AODE.
    min_frequency : float, default 1
        Rows (by weight) that the values of the parents need.
    smoothing : {"laplace", "m_estimate", "n0"}, default "laplace"
        As in AODE, two leading attributes taken together as one of r_i r_j values.
    alpha : float, default 1.0
        Pseudo-count with "laplace"; the other smoothings ignore it.
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
        Class probabilities, as in AODE.
    cut_points_ : dict of ndarray
        Cuts of each numeric column; absent where there is none.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    NaiveBayesClassifier : n = 0; takes numeric columns as numbers.
    AODEClassifier : n = 1.

    Notes
    -----
    A forecast is proportional to the sum, over the pairs i < j, of P(y, x_i, x_j) times the
    product of P(x_m | y, x_i, x_j) over the other attributes. Of n rows that show both attributes
    n_yij have the values with class y, and N_m of these show attribute m, n_m with the value x_m.
    With "laplace" P(y, x_i, x_j) = (n_yij + alpha) / (n + alpha k r_i r_j) of k classes, and
    P(x_m | y, x_i, x_j) = (n_m + alpha) / (N_m + alpha r_m).

    With R values of all attributes and a attributes, n = 2 keeps about k R^3 / 2 numbers, fit
    costs O(rows a^3), and a forecast O(k a^3). The memory is estimated before anything is counted.

    References
    ----------
    .. [1] G. I. Webb, J. R. Boughton, F. Zheng, K. M. Ting, H. Salem, "Learning by extrapolation
       from marginal to full-multivariate probability distributions: decreasingly naive Bayesian
       classification", Machine Learning 86, 2012.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)] * 5)
    >>> y = X.sum(axis=1) % 2  # no two attributes tell anything about the parity of three
    >>> [round(AnDEClassifier(n).fit(X, y).score(X, y), 2) for n in (1, 2)]
    [0.5, 1.0]
    """

    def __init__(
        self,
        n: int = 2,
        min_frequency: float = 1,
        smoothing: str = "laplace",
        alpha: float = 1.0,
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.n = n
        self.min_frequency = min_frequency
        self.smoothing = smoothing
        self.alpha = alpha
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "AnDEClassifier":
        """Count values, pairs and triples of values by class, and set the tables of all parents.

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
        AnDEClassifier
            The learner itself.

        Raises
        ------
        ValueError
            If the tables would take more than 2 GiB, or a parameter is out of range.
        """
        if not is_whole(self.n) or self.n not in (0, 1, 2):
            raise ValueError(f"n must be 0, 1 or 2, but was {self.n!r}.")
        check_smoothing(self.smoothing)
        min_frequency = check_number("min_frequency", self.min_frequency, at_least=0)
        alpha = check_number("alpha", self.alpha, above=0)  # 0 would make unseen values impossible
        table = self._read_training(X, y, sample_weight)
        self._n = int(self.n)
        self._offsets = slot_offsets(table.arities)
        self._pair_offsets = slot_offsets(_pair_arities(table.arities if self.n == 2 else table.arities[:0]))
        if self.n == 2:
            _check_memory(self._pair_offsets, self._offsets, table.n_classes)
        if self.n == 0:
            self._smooth(table, count_values(table, self._offsets), alpha)
        else:
            pairs = count_pairs(table, self._offsets, block=CLASS_BLOCK)
            smooth = self._smooth(table, pairs.diagonal().T[:, : table.n_classes], alpha)
            if self.n == 2:
                self._pair_tables = self._tables_of_pairs(table, pairs, smooth, min_frequency, alpha)
            self._tables = one_dependence_tables(
                pairs, smooth.joint, smooth.pseudo, smooth.totals, min_frequency, self._offsets, table.arities
            )
        return self

    def _smooth(self, table: TrainingTable, values: NDArray[np.float64], alpha: float) -> SmoothedValues:
        """Set the class prior and the factors of naive Bayes."""
        smooth = SmoothedValues.of(
            values,
            table.class_counts(),
            self._offsets,
            table.arities,
            smoothing=self.smoothing,
            alpha=alpha,
        )
        self.class_prior_, self._factors = smooth.class_prior, smooth.factors
        self._impossible = impossible_values(smooth.pseudo) if self.smoothing == "n0" else None
        return smooth

    def _tables_of_pairs(
        self,
        table: TrainingTable,
        pairs: NDArray[np.float64],
        smooth: SmoothedValues,
        min_frequency: float,
        alpha: float,
    ) -> NDArray[np.float64]:
        offsets, pair_offsets, arities = self._offsets, self._pair_offsets, table.arities
        values = pair_values(pairs, pair_offsets, offsets, arities, table.n_classes)
        joint = SmoothedValues.of(
            values,
            table.class_counts(),
            pair_offsets,
            _pair_arities(arities),
            smoothing=self.smoothing,
            alpha=alpha,
        ).joint
        weight = np.empty(0) if table.weight is None else table.weight
        width = -(-table.n_classes // PAIR_BLOCK) * PAIR_BLOCK
        counts = triple_counts(table.codes, table.y, weight, pair_offsets, offsets, arities, width)
        return two_dependence_tables(
            counts, values, joint, smooth.pseudo, smooth.totals, min_frequency, pair_offsets, offsets, arities
        )

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        codes = hide_values(self._code(X).codes, self._impossible, self._offsets, self.arities_)
        if self._n == 0:
            return multiply_factors(codes, self.class_prior_, self._factors, self._offsets)
        if self._n == 1:
            return self._average_singles(codes)
        out = np.empty((codes.shape[1], self.classes_.size))
        alone = np.empty(codes.shape[1], dtype=np.bool_)
        average_two_dependence(
            codes, self._pair_tables, self._pair_offsets, self._offsets, self.arities_, out, alone
        )
        if alone.any():
            out[alone] = self._average_singles(np.ascontiguousarray(codes[:, alone]))
        return out

    def _average_singles(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        return average_one_dependence(codes, self._tables, self._offsets, self.class_prior_, self._factors)


def _pair_arities(arities: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the number of values of each pair i < j, in the order (0, 1), (0, 2), (1, 2), ..."""
    return np.array([arities[i] * arities[j] for j in range(arities.size) for i in range(j)], dtype=np.int64)


def _check_memory(pair_offsets: NDArray[np.int64], offsets: NDArray[np.int64], n_classes: int) -> None:
    width = -(-n_classes // PAIR_BLOCK) * PAIR_BLOCK
    size = int(pair_offsets[-1]) * int(offsets[-1]) * width
    if size > LARGEST_TABLE:
        n_values = int(offsets[-1]) - offsets.size + 1
        raise ValueError(
            f"The attributes have {n_values:,} values in all, so the tables of all pairs of parents (n = 2) "
            f"would take {size * 8 / 2**30:,.0f} GiB; set n = 1, leave out attributes, or merge rare values "
            "and cut numeric columns more coarsely."
        )
