"""Naive Bayes over nominal and numeric attributes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from generators.networks.network import Network
from learners.base import TrainingTable
from learners.bayes._kernels.factors import class_factors, marginal_pseudo_counts
from learners.bayes._kernels.one_dependence import add_log_factors, multiply_factors
from learners.bayes._shared.backed_off_tables import (
    BACKED_OFF,
    check_seed,
    sampler,
    unseen_values,
    value_factors,
)
from learners.bayes._shared.densities import DENSITIES, Densities, KernelDensities
from learners.counts.class_prior import class_prior
from learners.counts.counting_learner import CountingLearner
from learners.counts.counts import ValueCounts
from learners.counts.slots import N0, N0_CLASS_ALPHA, hide_values
from learners.facts import LearnerFacts
from learners.options import check_number

__all__ = ["NaiveBayesClassifier"]


@dataclass(frozen=True)
class _Seen:
    """The state of naive Bayes: counts of the nominal attributes, densities of the numeric ones."""

    values: ValueCounts
    densities: Densities | None

    @property
    def by_class(self) -> NDArray[np.float64]:
        return self.values.by_class

    def plus(self, table: TrainingTable) -> Self:
        densities = None if self.densities is None else self.densities.plus(table)
        return type(self)(self.values.plus(table), densities)

    def widened(self, moves: Sequence[NDArray[np.intp]], arities: NDArray[np.int64]) -> Self:
        return type(self)(self.values.widened(moves, arities), self.densities)

    def merged(self, other: Self) -> Self:
        densities = None
        if self.densities is not None and other.densities is not None:
            densities = self.densities.merged(other.densities)
        return type(self)(self.values.merged(other.values), densities)

    def emptied(self) -> Self:
        densities = None if self.densities is None else self.densities.emptied()
        return type(self)(self.values.emptied(), densities)


class NaiveBayesClassifier(CountingLearner):
    """Naive Bayes classifier for nominal and numeric attributes.

    It assumes that attributes are independent given the class, and that a numeric attribute has the
    distribution named by `numeric` within each class. Missing values are left out, in training and at
    prediction.

    Parameters
    ----------
    alpha : float, default 1.0
        Pseudo-count for each class and for each value of a nominal attribute, with "laplace". Other smoothing
        methods ignore `alpha`.
    categorical_features : "from_dtype", mask, names or indices
        Which columns are nominal.
    arities : sequence of int or None, optional
        Number of values of each column of integer codes.
    smoothing : {"laplace", "friedman", "backoff", "hdp"}, default "laplace"
        Estimate of P(x | c) for a nominal attribute of r values, where the attribute is known in n_c rows of
        class c and has the value x in n_xc of them. "laplace" is ``(n_xc + alpha) / (n_c + alpha r)``.
        "friedman" is ``(n_xc + 5 P(x)) / (n_c + 5)`` with the training marginal P(x). "backoff" is ``(n_xc +
        m P(x)) / (n_c + m)``, where m is the most probable value for the attribute given leave-one-out
        forecasts. Both are the same as in `TANClassifier`. "hdp" is the posterior mean of a hierarchical
        Dirichlet process [2]_, and requires weights that are whole numbers. With "friedman", "backoff" and
        "hdp", a declared value that does not occur in training counts as missing.
    numeric : {"weka", "gaussian", "kernel", "mdlp"}, default "weka"
        Model of a numeric attribute. "weka" is Weka's normal distribution of values that are rounded to
        multiples of the mean gap between neighboring values. "gaussian" is a normal density. "kernel" is
        Weka's kernel estimator, with a normal kernel on each rounded value. "mdlp" is discretization by
        Fayyad and Irani's method. See Notes.
    random_state : int, default 0
        Seed of the draws with "hdp". Other smoothing methods ignore `random_state`.
    n_jobs : int, default 1
        Number of threads for counting and forecasting, -1 for one per core. Each thread gets at least 10,000
        rows. Results do not depend on `n_jobs`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    arities_ : ndarray of int64, shape (n_nominal,)
        Number of declared values of each nominal attribute.
    class_prior_ : ndarray of float64, shape (n_classes,)
        Class probabilities: ``(n_c + alpha) / (n + alpha n_classes)``, with n_c of the n training rows in the
        class. With other smoothing methods than "laplace", alpha is 1.
    means_, variances_ : ndarray of float64, shape (n_numeric, n_classes)
        Means and variances of the numeric attributes in each class. With "weka" they are computed from the
        rounded values, and the variance (divisor n) is at least (q / 6) squared (see Notes). With "gaussian"
        they are computed from the rows, and 1e-9 of the attribute's variance is added to the variance. With
        "kernel", these attributes do not exist.
    cut_points_ : dict of ndarray
        Cut points of each numeric column, only with "mdlp".
    network_ : Network
        Network of the attributes in column order, followed by the class. It exists only if all attributes are
        nominal or cut into intervals.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    TANClassifier, AODEClassifier : Learners with weaker assumptions of independence.

    Notes
    -----
    "weka" and "kernel" round each value to the nearest multiple of the attribute's precision q, the mean gap
    between neighboring distinct training values (0.01 if there is only one value). The factor of a class is
    the probability of the interval of width q around the value, at least 1e-75. With "weka", this probability
    is computed from a normal distribution with the mean and the standard deviation (divisor n, at least q /
    6) of the rounded values. With "kernel", it is computed from the average of normal distributions around
    each rounded value, with the standard deviation range / sqrt(n), at least q / 6. If the attribute is never
    known in a class, the mean is 0 and the standard deviation q / 6, as in Weka. With "gaussian", such a
    class has the mean and the variance of all rows. "gaussian" has no lower limits: if all values of an
    attribute in a class are equal, the density of any other value is almost 0, and a few such attributes
    outweigh all others.

    In `partial_fit`, the first batch fixes the precision with "weka" and "kernel" (0.01 if the batch has
    fewer than two values), and the cuts with "mdlp". With the fixed precision, the means and variances of
    "weka" are the same as for one `fit` up to rounding (1e-12). With "gaussian", nothing is fixed, and means
    and variances are the same as for one `fit` up to rounding.

    References
    ----------
    .. [1] G. H. John, P. Langley, "Estimating continuous distributions in Bayesian
       classifiers", UAI 1995.
    .. [2] F. Petitjean, W. Buntine, G. I. Webb, N. Zaidi, "Accurate parameter estimation for Bayesian network
       classifiers using hierarchical Dirichlet processes", Machine Learning 107, 2018.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 1], [0, 0], [1, 1], [1, 1]])
    >>> NaiveBayesClassifier().fit(X, ["no", "no", "yes", "yes"]).predict_proba([[1, 1]]).round(4)
    array([[0.1818, 0.8182]])
    """

    workbench_identity = "learners.naive_bayes:NaiveBayesClassifier"
    algorithm_version = 2  # since 2 numbers are treated as in Weka by default
    facts = LearnerFacts(
        key="nb",
        authors="John, Langley",
        title="Estimating continuous distributions in Bayesian classifiers",
        year=1995,
        numbers="taken",
        missing="left out",
        weights="any",
        also=("network_.plot", "partial_fit"),
    )

    def __init__(
        self,
        alpha: float = 1.0,
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
        smoothing: str = "laplace",
        numeric: str = "weka",
        random_state: int = 0,
        n_jobs: int = 1,
    ) -> None:
        self.alpha = alpha
        self.categorical_features = categorical_features
        self.arities = arities
        self.smoothing = smoothing
        self.numeric = numeric
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _check_parameters(self) -> None:
        if self.smoothing not in ("laplace", "friedman", *BACKED_OFF):
            raise ValueError(
                f'smoothing must be "laplace", "friedman", "backoff" or "hdp", but was {self.smoothing!r}.'
            )
        check_seed(self.random_state)
        if self.numeric != "mdlp" and self.numeric not in DENSITIES:
            raise ValueError(
                f'numeric must be "weka", "gaussian", "kernel" or "mdlp", but was {self.numeric!r}.'
            )
        check_number("alpha", self.alpha, above=0)  # 0 would make unseen values impossible

    def _begin(self) -> None:
        super()._begin()
        self._takes_numbers = self.numeric != "mdlp"

    def _count(self, table: TrainingTable) -> _Seen:
        densities = DENSITIES[self.numeric].of(table) if len(table.values) else None
        return _Seen(ValueCounts.of(table), densities)

    def _make_tables(self, seen: _Seen) -> None:
        """Convert the counts to probabilities."""
        counts, self._densities = seen.values, seen.densities
        self._offsets, arities = counts.offsets, counts.arities
        is_laplace = self.smoothing == "laplace"
        alpha = float(self.alpha) if is_laplace else N0_CLASS_ALPHA
        self.class_prior_ = class_prior(counts.by_class, alpha=alpha)
        self._impossible = None if is_laplace else unseen_values(counts.by_slot, self._offsets, arities)
        if self.smoothing in BACKED_OFF:
            rng = sampler(self.smoothing, self.random_state)
            self._factors = value_factors(counts.by_slot, self._offsets, arities, rng)
            return
        pseudo = np.full(len(counts.by_slot), alpha)
        if not is_laplace:
            pseudo = marginal_pseudo_counts(counts.by_slot, N0, self._offsets, arities)
        self._factors = class_factors(counts.by_slot, pseudo, self._offsets, arities)

    @property
    def means_(self) -> NDArray[np.float64]:
        """Mean of each numeric attribute in each class, of shape (n_numeric, n_classes)."""
        normals = self._normals("means_")
        return np.empty((0, len(self.classes_))) if normals is None else normals.means

    @property
    def variances_(self) -> NDArray[np.float64]:
        """Variance of each numeric attribute in each class, of shape (n_numeric, n_classes)."""
        normals = self._normals("variances_")
        return np.empty((0, len(self.classes_))) if normals is None else normals.variances

    def _normals(self, name: str) -> Any:
        check_is_fitted(self)
        if isinstance(self._densities, KernelDensities):
            raise AttributeError(
                f'{name} is defined for normal densities, but numeric was "kernel". Use "weka" or "gaussian".'
            )
        return self._densities

    @property
    def network_(self) -> Network:
        """The learned network of nominal attributes, created on first access."""
        check_is_fitted(self)
        if self._densities is not None:
            raise AttributeError(
                'network_ requires nominal attributes, but some columns are numeric. Use numeric="mdlp".'
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
        if self._densities is None:
            return multiply_factors(codes, self.class_prior_, self._factors, self._offsets)
        out = self._densities.log_densities(coded.values)
        with np.errstate(divide="ignore"):  # the factors of hidden values are 0
            log_factors = np.log(self._factors)
        add_log_factors(codes, np.log(self.class_prior_), log_factors, self._offsets, out)
        return out
