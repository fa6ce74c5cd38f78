"""Averaged one-dependence estimators."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.bayes._kernels.factors import one_dependence_tables
from learners.bayes._kernels.one_dependence import CLASS_BLOCK, average_one_dependence
from learners.bayes._shared.backed_off_tables import BACKED_OFF, back_off_pairs, sampler
from learners.bayes._shared.in_place import InPlaceLearner
from learners.bayes._shared.smoothed_values import SmoothedValues, check_smoothing
from learners.counts.counts import PairCounts
from learners.counts.slots import class_mutual_information, hide_values
from learners.facts import LearnerFacts
from learners.options import check_number

__all__ = ["AODEClassifier"]


class AODEClassifier(InPlaceLearner):
    """Averaged one-dependence estimators (AODE), with each attribute in turn as the parent of the others.

    Each part of the average assumes that every attribute depends on the class and on one attribute, the same
    for all. For a row, an attribute is used as parent if its value occurs in at least `min_frequency`
    training rows. If a row has no such value, it is forecast by naive Bayes. Missing values are left out.
    Numeric columns are discretized as part of learning.

    Parameters
    ----------
    min_frequency : float, default 1
        Minimum number (total weight) of training rows in which the value of a parent occurs. Weka's default
        is 1. The papers use 30.
    smoothing : {"laplace", "m_estimate", "friedman", "backoff", "hdp"}, default "laplace"
        Smoothing of the probabilities. "laplace" adds `alpha` pseudo-counts for each value (and class),
        "m_estimate" one pseudo-count in total, shared by the values. "friedman" shrinks toward the marginal
        frequencies of the values, as in `TANClassifier`. "backoff" and "hdp" shrink toward the probability
        without the parent, as in `TANClassifier`. With "friedman", "backoff" and "hdp", a declared value that
        does not occur in training counts as missing. See Notes for the formulas.
    categorical_features : "from_dtype", mask, names or indices
        Which columns are nominal.
    arities : sequence of int or None, optional
        Number of values of each column of integer codes.
    alpha : float, default 1.0
        Pseudo-count of each value and each class with "laplace". Other smoothing methods ignore `alpha`.
    weights : {"uniform", "mutual_information"}, default "uniform"
        Weights of the parts of the average. "uniform" gives equal weights. "mutual_information" weights each
        part by the mutual information of its parent attribute with the class (Jiang and Zhang's WAODE). If no
        single attribute is informative, the weights are equal. An attribute of weight 0 is never a parent.
    random_state : int, default 0
        Seed of the draws with "hdp". Other smoothing methods ignore `random_state`.
    n_jobs : int, default 1
        Number of threads for counting and forecasting, -1 for one per core. Each thread gets at least 10,000
        rows. Results do not depend on `n_jobs`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    arities_ : ndarray of int64, shape (n_features,)
        Number of values of each attribute.
    class_prior_ : ndarray of float64, shape (n_classes,)
        Class probabilities ``(n_c + a) / (n + a n_classes)``, where a is `alpha` with "laplace", 1 /
        n_classes with "m_estimate", and 1 otherwise. They are used by naive Bayes if a row has no parent, and
        with "friedman", "backoff" and "hdp" by all parts of the average.
    parent_weights_ : ndarray of float64, shape (n_features,)
        Weight of the part in which each attribute is the parent. The sum is 1.
    cut_points_ : dict of ndarray
        Cut points of each numeric column. Without numeric columns, this attribute does not exist.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    TANClassifier : One tree of attributes instead of an average.
    AnDEClassifier : Average over pairs of parent attributes.

    Notes
    -----
    A forecast is proportional to the sum, over the parents x_i, of the part's weight times P(y, x_i) times
    the product of P(x_j | y, x_i) over the other attributes. In n rows, attribute i is known. n_yi of them
    have class y and the value x_i. In N_j of the n_yi rows, attribute j is known, and n_j of these have the
    value x_j. Attribute i has r_i values, and there are k classes:

    * "laplace": P(y, x_i) = (n_yi + alpha) / (n + alpha k r_i) and
      P(x_j | y, x_i) = (n_j + alpha) / (N_j + alpha r_j).
    * "m_estimate": the formulas of "laplace" with alpha = 1 / (k r_i) in the first and 1 / r_j in the second.
    * "friedman": P(x_j | y, x_i) = (n_j + 5 P(x_j)) / (N_j + 5) with the training marginal P(x_j), and
      P(y, x_i) = P(y) P(x_i | y), where P(y) has one pseudo-count per class and P(x_i | y) = (n_yi + 5
      P(x_i)) / (n_y + 5). Here n_y is the number of rows of class y with attribute i known. Each part of the
      average is therefore a TAN network with the "friedman" tables of `TANClassifier`, in which attribute i
      is a parent of all other attributes. With one attribute, naive Bayes, TAN and AODE agree. (Smoothing
      P(y, x_i) directly toward P(x_i) / k would shrink the class probabilities toward uniform with another
      weight than in naive Bayes and TAN.)
    * "backoff": P(x_j | y, x_i) = (n_j + m P(x_j | y)) / (N_j + m), P(x_j | y) in the same way from P(x_j),
      and P(y, x_i) = P(y) P(x_i | y). There is an m for each pair of attributes and for each single
      attribute: the most probable value given leave-one-out forecasts of the rows, as in `TANClassifier`.
    * "hdp": the same tables as posterior means of a hierarchical Dirichlet process [3]_, estimated from 600
      draws for each pair of attributes. Row weights must be whole numbers.

    `partial_fit` stores the counts of all pairs next to the probability tables, which doubles the memory of
    the learner. The counts are slots x slots x classes numbers of 8 bytes each (an attribute has a slot for
    each value and one for missing). While a batch is added, another copy of the counts is needed. `fit`
    stores its coded rows instead of the counts, with a byte or two per cell, until `partial_fit` adds a
    batch.

    References
    ----------
    .. [1] G. I. Webb, J. R. Boughton, Z. Wang, "Not so naive Bayes: aggregating
       one-dependence estimators", Machine Learning 58, 2005.
    .. [2] L. Jiang, H. Zhang, "Weightily averaged one-dependence estimators", PRICAI 2006.
    .. [3] F. Petitjean, W. Buntine, G. I. Webb, N. Zaidi, "Accurate parameter estimation for Bayesian network
       classifiers using hierarchical Dirichlet processes", Machine Learning 107, 2018.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 0], [1, 1], [0, 1], [1, 0]] * 5)
    >>> aode = AODEClassifier().fit(X, [0, 0, 1, 1] * 5)  # exclusive or
    >>> aode.predict_proba(X[:1]).round(3)
    array([[0.857, 0.143]])
    """

    workbench_identity = "learners.aode:AODEClassifier"
    facts = LearnerFacts(
        key="aode",
        authors="Webb, Boughton, Wang",
        title="Not so naive Bayes: aggregating one-dependence estimators",
        year=2005,
        numbers="intervals",
        missing="left out",
        weights="any",
        limit="2 GiB for the counts of all pairs of values",
        also=("partial_fit",),
    )

    _n_together = 2

    def __init__(
        self,
        min_frequency: float = 1,
        smoothing: str = "laplace",
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
        alpha: float = 1.0,
        weights: str = "uniform",
        random_state: int = 0,
        n_jobs: int = 1,
    ) -> None:
        self.min_frequency = min_frequency
        self.smoothing = smoothing
        self.categorical_features = categorical_features
        self.arities = arities
        self.alpha = alpha
        self.weights = weights
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _check_parameters(self) -> tuple[float, float]:
        """Return `min_frequency` and `alpha`, or raise an error if they are invalid."""
        check_smoothing(self.smoothing, self.random_state)
        if self.weights not in ("uniform", "mutual_information"):
            raise ValueError(f'weights must be "uniform" or "mutual_information", but was {self.weights!r}.')
        min_frequency = check_number("min_frequency", self.min_frequency, at_least=0)
        alpha = check_number("alpha", self.alpha, above=0)  # 0 would make unseen values impossible
        return min_frequency, alpha

    def _count(self, table: TrainingTable) -> PairCounts:
        return PairCounts.of(table, block=CLASS_BLOCK)

    def _make_tables(self, counts: PairCounts) -> None:
        self._learn(replace(counts, by_pair=counts.by_pair.copy()))

    def _learn(self, counts: PairCounts) -> None:
        """Convert the counts to the tables of all parents, in place."""
        min_frequency, alpha = self._check_parameters()
        offsets, arities, pairs = counts.offsets, counts.arities, counts.by_pair
        values = pairs.diagonal().T[:, : counts.by_class.size]  # (slot, class)
        smooth = SmoothedValues.of(
            values, counts.by_class, offsets, arities,
            smoothing=self.smoothing, alpha=alpha, random_state=self.random_state,
        )  # fmt: skip
        joint = self._weigh(smooth.joint, values, offsets)
        self.class_prior_, self._factors = smooth.class_prior, smooth.factors
        if self.smoothing in BACKED_OFF:
            rng = sampler(self.smoothing, self.random_state)
            self._tables = back_off_pairs(pairs, joint, min_frequency, offsets, arities, rng)
        else:
            self._tables = one_dependence_tables(
                pairs, joint, smooth.pseudo, smooth.totals, min_frequency, offsets, arities
            )
        self._offsets, self._impossible = offsets, smooth.hidden

    def _weigh(
        self, joint: NDArray[np.float64], values: NDArray[np.float64], offsets: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Set the weights of the parts, and multiply each part's P(class, value) by its weight."""
        n_features = offsets.size - 1
        self.parent_weights_ = np.full(n_features, 1.0 / n_features)
        if self.weights == "uniform":
            return joint  # equal weights cancel
        information = class_mutual_information(values, offsets)
        if information.any():
            self.parent_weights_ = information / information.sum()
        return joint * np.repeat(self.parent_weights_, np.diff(offsets))[:, np.newaxis]

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        codes = hide_values(self._code(X).codes, self._impossible, self._offsets, self.arities_)
        return average_one_dependence(codes, self._tables, self._offsets, self.class_prior_, self._factors)
