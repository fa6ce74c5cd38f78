"""Naive Bayes over nominal and numeric attributes together."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from generators.network import Network
from learners._kernels.factors import class_factors, marginal_pseudo_counts
from learners._kernels.one_dependence import add_log_factors, multiply_factors
from learners.base import ProbabilisticClassifier, TrainingTable
from learners.class_prior import class_prior
from learners.one_dependence import (
    N0,
    N0_CLASS_ALPHA,
    count_values,
    hide_values,
    impossible_values,
    slot_offsets,
)
from learners.options import check_number

__all__ = ["NaiveBayesClassifier"]

VARIANCE_FLOOR = 1e-9  # of a class, as a share of the attribute's whole variance


class NaiveBayesClassifier(ProbabilisticClassifier):
    """Multiply one factor for each attribute.

    It assumes that attributes are independent given the class, and that a numeric
    attribute is normally distributed within each class. Missing values are left
    out, in training and at prediction.

    Parameters
    ----------
    alpha : float, default 1.0
        Pseudo-count for each class and for each value of a nominal attribute, with
        "laplace"; the other smoothing ignores it.
    categorical_features : "from_dtype", mask, names or indices
        Which columns are nominal.
    arities : sequence of int or None, optional
        Number of values of each column of integer codes.
    smoothing : {"laplace", "n0"}, default "laplace"
        How P(x | c) is found for a nominal attribute, from n_xc rows with the value among
        the n_c of the class that show the attribute (r values): ``(n_xc + alpha) / (n_c + alpha r)``,
        or TAN's ``(n_xc + 5 P(x)) / (n_c + 5)`` with the training marginal P(x). With "n0" a
        declared value that training did not show counts as missing.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    arities_ : ndarray of int64, shape (n_nominal,)
        Number of declared values of each nominal attribute.
    class_prior_ : ndarray of float64, shape (n_classes,)
        ``(n_c + alpha) / (n + alpha n_classes)``; with "n0" alpha is 1, as TAN's.
    means_, variances_ : ndarray of float64, shape (n_numeric, n_classes)
        Of the numeric attributes, in their own units; the variance is that of the
        rows (divisor n) plus 1e-9 of the attribute's.
    network_ : Network
        The attributes in column order, then the class; only where all attributes are nominal.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    TANClassifier, AODEClassifier : Weaker assumptions for nominal attributes.

    References
    ----------
    .. [1] G. H. John, P. Langley, "Estimating continuous distributions in Bayesian
       classifiers", UAI 1995.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 1], [0, 0], [1, 1], [1, 1]])
    >>> NaiveBayesClassifier().fit(X, ["no", "no", "yes", "yes"]).predict_proba([[1, 1]]).round(4)
    array([[0.1818, 0.8182]])
    """

    _takes_numbers = True

    def __init__(
        self,
        alpha: float = 1.0,
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
        smoothing: str = "laplace",
    ) -> None:
        self.alpha = alpha
        self.categorical_features = categorical_features
        self.arities = arities
        self.smoothing = smoothing

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "NaiveBayesClassifier":
        """Count values by class, and average the numbers by class.

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
        NaiveBayesClassifier
            The learner itself.
        """
        if self.smoothing not in ("laplace", "n0"):
            raise ValueError(f'smoothing must be "laplace" or "n0", but was {self.smoothing!r}.')
        alpha = check_number("alpha", self.alpha, above=0)  # 0 would make unseen values impossible
        table = self._read_training(X, y, sample_weight)
        self._offsets = slot_offsets(table.arities)
        counts = count_values(table, self._offsets)
        if self.smoothing == "n0":
            alpha = N0_CLASS_ALPHA
            pseudo = marginal_pseudo_counts(counts, N0, self._offsets, table.arities)
            self._impossible = impossible_values(pseudo)
        else:
            pseudo, self._impossible = np.full(len(counts), alpha), None
        self.class_prior_ = class_prior(table.class_counts(), alpha=alpha)
        self._factors = class_factors(counts, pseudo, self._offsets, table.arities)
        self.means_, self.variances_ = _moments(table)
        return self

    @property
    def network_(self) -> Network:
        """The learned network, of nominal attributes; made when it is asked for."""
        check_is_fitted(self)
        if len(self.means_):
            raise AttributeError(
                "network_ takes nominal attributes only, but some columns of fit are numeric."
            )
        n_features = self.arities_.size
        cpts = [
            self._factors[first : first + arity].T
            for first, arity in zip(self._offsets, self.arities_, strict=False)
        ]
        return self._name_network([*[(n_features,)] * n_features, ()], [*cpts, self.class_prior_])

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        coded = self._code(X)
        codes = hide_values(coded.codes, self._impossible, self._offsets, self.arities_)
        if not len(self.means_):
            return multiply_factors(codes, self.class_prior_, self._factors, self._offsets)
        out = _log_densities(coded.values, self.means_, self.variances_)
        with np.errstate(divide="ignore"):  # the factors of hidden values are 0
            log_factors = np.log(self._factors)
        add_log_factors(codes, np.log(self.class_prior_), log_factors, self._offsets, out)
        return out


def _moments(table: TrainingTable) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and variance of each numeric attribute by class, over the rows that have it."""
    means = np.zeros((len(table.values), table.n_classes))
    variances = np.ones_like(means)
    weight = np.ones(len(table.y)) if table.weight is None else table.weight
    for j, x in enumerate(table.values):
        known = ~np.isnan(x)
        if not known.any():
            continue
        x, w, y = x[known], weight[known], table.y[known]
        center = np.average(x, weights=w)
        spread = np.average((x - center) ** 2, weights=w)
        rows = np.bincount(y, weights=w, minlength=table.n_classes)
        seen = rows > 0
        rows = np.where(seen, rows, 1.0)
        # a class that never shows the attribute gets the moments of all rows
        means[j] = np.where(seen, np.bincount(y, weights=w * x, minlength=table.n_classes) / rows, center)
        around = np.bincount(y, weights=w * (x - means[j][y]) ** 2, minlength=table.n_classes) / rows
        # a constant attribute says nothing: any variance cancels
        variances[j] = np.where(seen, around, spread) + VARIANCE_FLOOR * spread if spread > 0 else 1.0
    return means, variances


def _log_densities(
    values: NDArray[np.float64], means: NDArray[np.float64], variances: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Sum of log normal densities for each row and class; missing values add nothing."""
    out = np.zeros((values.shape[1], means.shape[1]))
    for x, mean, variance in zip(values, means, variances, strict=True):
        term = -0.5 * (np.log(2 * np.pi * variance) + (x[:, None] - mean) ** 2 / variance)
        out += np.where(np.isnan(x)[:, None], 0.0, term)
    return out
