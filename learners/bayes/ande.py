"""Averaged n-dependence estimators."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.bayes._kernels.factors import one_dependence_tables
from learners.bayes._kernels.one_dependence import CLASS_BLOCK, average_one_dependence, multiply_factors
from learners.bayes._kernels.two_dependence import average_two_dependence, pair_values, two_dependence_tables
from learners.bayes._shared.backed_off_tables import BACKED_OFF, back_off_pairs, back_off_triples, sampler
from learners.bayes._shared.in_place import InPlaceLearner
from learners.bayes._shared.smoothed_values import SmoothedValues, check_smoothing
from learners.bayes._shared.triple_counts import TripleCounts, pair_arities
from learners.counts.counts import PairCounts, ValueCounts
from learners.counts.slots import hide_values
from learners.facts import LearnerFacts
from learners.options import check_number, is_whole

__all__ = ["AnDEClassifier"]

Counts = ValueCounts | PairCounts | TripleCounts
KINDS = (ValueCounts, PairCounts, TripleCounts)  # by the number of parents


class AnDEClassifier(InPlaceLearner):
    """Averaged n-dependence estimators (AnDE), with n parents for every other attribute.

    Each part of the average assumes that every attribute depends on the class and on the same n attributes.
    With n = 2, two attributes are parents for a row if their values occur together in at least
    `min_frequency` training rows. If a row has no such pair of values, it is forecast with one parent (AODE),
    or by naive Bayes if no value occurs often enough. Missing values are left out. Numeric columns are
    discretized as part of learning.

    Parameters
    ----------
    n : {0, 1, 2}, default 2
        Number of attribute parents of each attribute. 0 is naive Bayes, 1 is AODE.
    min_frequency : float, default 1
        Minimum number (total weight) of training rows in which the values of the parents occur.
    smoothing : {"laplace", "m_estimate", "friedman", "backoff", "hdp"}, default "laplace"
        Smoothing of the probabilities, as in `AODEClassifier`. "laplace", "m_estimate" and "friedman" treat
        two parents as one attribute of r_i r_j values. "backoff" shrinks toward the mean of the two estimates
        with one parent. "hdp" requires n = 0 or 1.
    alpha : float, default 1.0
        Pseudo-count of each value and each class with "laplace". Other smoothing methods ignore `alpha`.
    categorical_features : "from_dtype", mask, names or indices
        Which columns are nominal.
    arities : sequence of int or None, optional
        Number of values of each column of integer codes.
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
        Class probabilities, as in `AODEClassifier`.
    cut_points_ : dict of ndarray
        Cut points of each numeric column. Without numeric columns, this attribute does not exist.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    NaiveBayesClassifier : The learner at n = 0, with densities of numeric columns. AODEClassifier : n = 1.

    Notes
    -----
    A forecast is proportional to the sum, over the pairs i < j, of P(y, x_i, x_j) times the product of P(x_m
    | y, x_i, x_j) over the other attributes. In n rows, both attributes are known. n_yij of them have class y
    and the values x_i and x_j. In N_m of the n_yij rows, attribute m is known, and n_m of these have the
    value x_m. With "laplace" and k classes, P(y, x_i, x_j) = (n_yij + alpha) / (n + alpha k r_i r_j), and
    P(x_m | y, x_i, x_j) = (n_m + alpha) / (N_m + alpha r_m).

    With "backoff", P(x_m | y, x_i, x_j) = (n_m + w q) / (N_m + w), where q is the mean of P(x_m | y, x_i) and
    P(x_m | y, x_j), as in `AODEClassifier`. Each pair of parents and each attribute x_m has its own w, which
    is estimated like the pseudo-count of `AODEClassifier`. P(y, x_i, x_j) is P(y) times the mean of
    P(x_i | y) P(x_j | y, x_i) and P(x_j | y) P(x_i | y, x_j).

    With a attributes that have R values in total, n = 2 stores about k R^3 / 2 numbers. `fit` takes time
    O(rows a^3), and a forecast O(k a^3). The memory is estimated before counting.

    `partial_fit` stores the raw counts next to the probability tables, which doubles the memory of the
    learner. While a batch is added, it needs memory for another copy of the counts. `fit` stores its coded
    rows instead of the counts, with a byte or two per cell, until `partial_fit` adds a batch. `n` must be the
    same in all batches.

    References
    ----------
    .. [1] G. I. Webb, J. R. Boughton, F. Zheng, K. M. Ting, H. Salem, "Learning by extrapolation
       from marginal to full-multivariate probability distributions: decreasingly naive Bayesian
       classification", Machine Learning 86, 2012.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)] * 5)
    >>> y = X.sum(axis=1) % 2  # no two attributes carry information about the parity of three
    >>> [round(AnDEClassifier(n).fit(X, y).score(X, y), 2) for n in (1, 2)]
    [0.5, 1.0]
    """

    workbench_identity = "learners.ande:AnDEClassifier"
    facts = LearnerFacts(
        key="ande",
        authors="Webb, Boughton, Zheng, Ting, Salem",
        title="Learning by extrapolation from marginal to full-multivariate probability distributions",
        year=2012,
        numbers="intervals",
        missing="left out",
        weights="any",
        limit="2 GiB for the counts of all triples of values",
        also=("partial_fit",),
    )

    def __init__(
        self,
        n: int = 2,
        min_frequency: float = 1,
        smoothing: str = "laplace",
        alpha: float = 1.0,
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
        random_state: int = 0,
        n_jobs: int = 1,
    ) -> None:
        self.n = n
        self.min_frequency = min_frequency
        self.smoothing = smoothing
        self.alpha = alpha
        self.categorical_features = categorical_features
        self.arities = arities
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _check_parameters(self) -> tuple[float, float]:
        """Return `min_frequency` and `alpha`, or raise an error if they are invalid."""
        if not is_whole(self.n) or self.n not in (0, 1, 2):
            raise ValueError(f"n must be 0, 1 or 2, but was {self.n!r}.")
        check_smoothing(self.smoothing, self.random_state)
        if self.n == 2 and self.smoothing == "hdp":
            raise ValueError('smoothing="hdp" is for n = 0 and 1. With n = 2 use smoothing="backoff".')
        min_frequency = check_number("min_frequency", self.min_frequency, at_least=0)
        return min_frequency, check_number(
            "alpha", self.alpha, above=0
        )  # 0 would make unseen values impossible

    def _count(self, table: TrainingTable) -> Counts:
        """Count the values, pairs or triples needed for n parents."""
        if self.n == 0:
            return ValueCounts.of(table)
        return PairCounts.of(table, block=CLASS_BLOCK) if self.n == 1 else TripleCounts.of(table)

    def _counts_so_far(self) -> Any:
        counts = super()._counts_so_far()
        if counts is not None and not isinstance(counts, KINDS[self.n]):
            before = next(n for n, kind in enumerate(KINDS) if isinstance(counts, kind))
            raise ValueError(
                f"n is {self.n}, but was {before} in earlier calls of partial_fit. Set it to {before}, or "
                "call fit."
            )
        return counts

    def _make_tables(self, counts: Counts) -> None:
        self._learn(deepcopy(counts))

    def _learn(self, counts: Counts) -> None:
        """Convert the counts to the tables of all parents, in place."""
        min_frequency, alpha = self._check_parameters()
        self._n = int(self.n)
        pairs = counts.pairs if isinstance(counts, TripleCounts) else counts
        self._offsets = pairs.offsets
        if isinstance(pairs, ValueCounts):
            self._smooth(pairs.by_slot, pairs, alpha)
            return
        smooth = self._smooth(pairs.by_pair.diagonal().T[:, : pairs.by_class.size], pairs, alpha)
        if isinstance(counts, TripleCounts):
            self._pair_tables = self._tables_of_pairs(counts, smooth, min_frequency, alpha)
        if self.smoothing in BACKED_OFF:
            rng = sampler(self.smoothing, self.random_state)
            self._tables = back_off_pairs(
                pairs.by_pair, smooth.joint, min_frequency, pairs.offsets, pairs.arities, rng
            )
            return
        self._tables = one_dependence_tables(
            pairs.by_pair,
            smooth.joint,
            smooth.pseudo,
            smooth.totals,
            min_frequency,
            pairs.offsets,
            pairs.arities,
        )

    def _smooth(
        self, values: NDArray[np.float64], counts: ValueCounts | PairCounts, alpha: float
    ) -> SmoothedValues:
        """Set the class prior and the factors of naive Bayes."""
        smooth = SmoothedValues.of(
            values, counts.by_class, counts.offsets, counts.arities,
            smoothing=self.smoothing, alpha=alpha, random_state=self.random_state,
        )  # fmt: skip
        self.class_prior_, self._factors = smooth.class_prior, smooth.factors
        self._impossible = smooth.hidden
        return smooth

    def _tables_of_pairs(
        self, counts: TripleCounts, smooth: SmoothedValues, min_frequency: float, alpha: float
    ) -> NDArray[np.float64]:
        pairs, self._pair_offsets = counts.pairs, counts.pair_offsets
        place = (counts.pair_offsets, pairs.offsets, pairs.arities)
        values = pair_values(pairs.by_pair, *place, pairs.by_class.size)
        if self.smoothing == "backoff":
            prior = smooth.class_prior
            back_off_triples(counts.by_triple, values, pairs.by_pair, prior, min_frequency, *place)
            return counts.by_triple
        joint = SmoothedValues.of(
            values,
            pairs.by_class,
            counts.pair_offsets,
            pair_arities(pairs.arities),
            smoothing=self.smoothing,
            alpha=alpha,
        ).joint
        return two_dependence_tables(
            counts.by_triple, values, joint, smooth.pseudo, smooth.totals, min_frequency, *place
        )

    @property
    def _n_together(self) -> int:  # type: ignore[override]
        return int(self.n) + 1

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
