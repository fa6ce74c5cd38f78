"""Tree-augmented naive Bayes: each attribute may depend on one other."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from generators.networks.network import Network
from learners.base import TrainingTable
from learners.bayes._kernels.factors import marginal_pseudo_counts, tree_tables
from learners.bayes._kernels.one_dependence import multiply_tree
from learners.bayes._kernels.spanning_tree import conditional_mutual_information, heaviest_tree
from learners.bayes._shared.backed_off_tables import (
    BACKED_OFF,
    check_seed,
    sampler,
    tree_of_levels,
    unseen_values,
)
from learners.bayes._shared.superparent import LeftOutAccuracy, superparent_tree
from learners.counts.class_prior import class_prior
from learners.counts.counts import PairCounts
from learners.counts.optional_counting import OptionalCountingLearner
from learners.counts.slots import (
    N0,
    N0_CLASS_ALPHA,
    hide_values,
    impossible_values,
    tree_order,
)
from learners.facts import LearnerFacts, Variant
from learners.options import is_whole
from learners.parent_checks import check_parents

__all__ = ["TANClassifier"]

CLASS_ALPHA = {"friedman": N0_CLASS_ALPHA, "laplace": 1.0, "simple": 0.5, "backoff": 1.0, "hdp": 1.0}


class TANClassifier(OptionalCountingLearner):
    """Tree-augmented naive Bayes (TAN) with the most informative tree of attributes.

    It assumes that every attribute depends on the class and on at most one other attribute. The tree
    maximizes the sum of conditional mutual information along its arcs. The root of the tree is the first
    attribute. Missing values are summed out exactly at prediction. In training, a row counts in every
    probability table whose variables are all known in that row. Numeric columns are discretized as part of
    learning.

    Parameters
    ----------
    structure : "cmi", "superparent" or sequence of int, name or None, default "cmi"
        "cmi" finds Friedman's tree, which maximizes conditional mutual information. "superparent" is Keogh
        and Pazzani's SuperParent, which adds arcs as long as leave-one-out accuracy rises (see Notes). A
        sequence gives the attribute parent of each attribute, with None or -1 for attributes without one.
    smoothing : {"friedman", "laplace", "simple", "backoff", "hdp"}, default "friedman"
        Estimate of the probability of a value that occurs in n of the N rows with the same class and parent
        value. "friedman" is ``(n + 5 P(x)) / (N + 5)`` with the training marginal P(x). "laplace" adds one
        pseudo-count per value. "simple" adds half a pseudo-count per value and per class, like "laplace" with
        `alpha` 0.5 in other learners. "backoff" is ``(n + m q) / (N + m)``, where q is the probability
        without the parent. "hdp" is the posterior mean of a hierarchical Dirichlet process. See Notes. Except
        with "laplace" and "simple", a declared value that does not occur in training counts as missing.
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
    parents_ : tuple of int, length n_features
        Index of each attribute's attribute parent, or -1 if it has none.
    left_out_accuracy_ : float
        Leave-one-out accuracy of the tree on the training rows, only with "superparent".
    class_prior_ : ndarray of float64, shape (n_classes,)
        Class probabilities: ``(n_c + 1) / (n + n_classes)``, with n_c of the n training rows in the class.
        With "simple", the pseudo-count is 1/2.
    network_ : Network
        Network of the attributes in column order, followed by the class. It can be sampled, queried and
        exported.
    cut_points_ : dict of ndarray
        Cut points of each numeric column. Without numeric columns, this attribute does not exist.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    AODEClassifier : Average over models in each of which one attribute is the parent of all others.
    KDBClassifier : Several attribute parents, chosen without a search.

    Notes
    -----
    "superparent" starts from naive Bayes. In each pass, every attribute is tried as the parent of all
    attributes that have no attribute parent yet. Then each single arc from the best of these parents is
    tried, and the best arc is kept if it raises the leave-one-out accuracy. In ties, the first attribute is
    taken, and among classes the class that was declared first. The result is a forest, often with few arcs.
    For leave-one-out, each row's contribution is removed from the counts, but the cuts of numeric columns are
    not refitted. A pass takes time O(rows x attributes^2 x classes), and there are fewer arcs than
    attributes.

    `partial_fit` finds the tree anew after each batch. It stores the counts of all pairs, slots x slots x
    classes numbers of 8 bytes (an attribute has a slot for each value and one for missing), and twice as many
    while a batch is added. `fit` stores its coded rows instead of the counts, with a byte or two per cell,
    until `partial_fit` adds a batch. "superparent" scores each row and needs all rows in `fit`, so it has no
    `partial_fit`.

    "backoff" and "hdp" shrink a table that is estimated from few rows toward the table without the attribute
    parent, P(x | c), and that table toward P(x). With "backoff", each table has a separate m: the most
    probable value given leave-one-out forecasts of the training rows, under a prior in which log m is normal
    with mean log 50 and standard deviation 1. With "hdp", the prior mean of each table is the table toward
    which it is shrunk, with a separate random concentration. The estimate is the mean of 500 draws after 100
    discarded draws [3]_. Row weights must be whole numbers. A draw of 50 numbers takes about 10 us.
    "superparent" accepts neither "backoff" nor "hdp", because it scores rows directly from counts.

    References
    ----------
    .. [1] N. Friedman, D. Geiger, M. Goldszmidt, "Bayesian network classifiers", Machine
       Learning 29, 1997.
    .. [2] E. J. Keogh, M. J. Pazzani, "Learning augmented Bayesian classifiers: a comparison of
       distribution-based and classification-based approaches", AISTATS 1999.
    .. [3] F. Petitjean, W. Buntine, G. I. Webb, N. Zaidi, "Accurate parameter estimation for Bayesian network
       classifiers using hierarchical Dirichlet processes", Machine Learning 107, 2018.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 5)
    >>> tan = TANClassifier().fit(X, [0, 0, 1, 1] * 5)
    >>> tan.parents_
    (-1, 0, 0)
    >>> tan.predict_proba(X[:1]).round(3)
    array([[0.75, 0.25]])
    """

    workbench_identity = "learners.tan:TANClassifier"
    facts = LearnerFacts(
        key="tan",
        authors="Friedman, Geiger, Goldszmidt",
        title="Bayesian network classifiers",
        year=1997,
        numbers="intervals",
        missing="summed out",
        weights="any",
        limit="2 GiB for the counts of all pairs of values",
        also=("network_.plot", "partial_fit"),
        variants={
            "tan_superparent": Variant(
                {"structure": "superparent"},
                {
                    "authors": "Keogh, Pazzani",
                    "title": "Learning augmented Bayesian classifiers",
                    "year": 1999,
                    "also": ("network_.plot",),
                },
            ),
        },
    )

    _n_together = 2

    def __init__(
        self,
        structure: Any = "cmi",
        smoothing: str = "friedman",
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
        random_state: int = 0,
        n_jobs: int = 1,
    ) -> None:
        self.structure = structure
        self.smoothing = smoothing
        self.categorical_features = categorical_features
        self.arities = arities
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "TANClassifier":
        """Count pairs of values by class, find the tree, and estimate its probability tables.

        `X` has the training rows, `y` their class labels, and `sample_weight` optional weights of the rows.
        """
        table = self._read_all(X, y, sample_weight)
        counts = self._count_rows(table)
        self._learn(counts, self._find_parents(table, counts))
        self._keep_rows(table)
        return self

    def _why_all_rows(self) -> tuple[str, str] | None:
        if isinstance(self.structure, str) and self.structure == "superparent":
            return 'structure="superparent" scores each training row', 'structure="cmi"'
        return None

    def _check_parameters(self) -> None:
        if self.smoothing not in CLASS_ALPHA:
            raise ValueError(
                'smoothing must be "friedman", "laplace", "simple", "backoff" or "hdp", but was '
                f"{self.smoothing!r}."
            )
        check_seed(self.random_state)
        if self.smoothing in BACKED_OFF and self._why_all_rows() is not None:
            raise ValueError(
                f'structure="superparent" cannot score rows with smoothing={self.smoothing!r}. Use '
                '"friedman", "laplace" or "simple", or structure="cmi".'
            )

    def _count(self, table: TrainingTable) -> PairCounts:
        return PairCounts.of(table)

    def _make_tables(self, counts: PairCounts) -> None:
        self._learn(counts, self._find_parents(None, counts))

    def _learn(self, counts: PairCounts, parents: NDArray[np.int64]) -> None:
        """Convert the counts to the tables of the tree."""
        offsets, pairs = counts.offsets, counts.by_pair
        self._order = tree_order(parents)
        self.parents_ = tuple(parents.tolist())
        self.class_prior_ = class_prior(counts.by_class, alpha=CLASS_ALPHA[self.smoothing])
        self._offsets, self._parents = offsets, parents
        if self.smoothing in BACKED_OFF:
            self._impossible = unseen_values(pairs.diagonal().T, offsets, counts.arities)
            rng = sampler(self.smoothing, self.random_state)
            self._tables = tree_of_levels(pairs, parents, offsets, counts.arities, rng)
            return
        pseudo = self._pseudo_counts(pairs, offsets, counts.arities)
        self._tables = tree_tables(pairs, parents, pseudo, offsets, counts.arities)

    @property
    def network_(self) -> Network:
        """The learned network, created on first access."""
        check_is_fitted(self)
        n_features = len(self.parents_)
        parents = [(n_features,) if p < 0 else (n_features, p) for p in self.parents_]
        cpts = []
        for j, p in enumerate(self.parents_):
            above = self.arities_[p] if p >= 0 else 1
            table = self._tables[self._offsets[j] : self._offsets[j] + self.arities_[j], :above]
            cpts.append(table.transpose(2, 1, 0) if p >= 0 else table[:, 0].T)
        return self._name_network([*parents, ()], [*cpts, self.class_prior_])

    def _find_parents(self, table: TrainingTable | None, counts: PairCounts) -> NDArray[np.int64]:
        """Return each attribute's parent. Only "superparent" uses the rows."""
        self.__dict__.pop("left_out_accuracy_", None)  # of an earlier fit
        if not isinstance(self.structure, str):
            return self._listed_parents()
        pairs, offsets = counts.by_pair, counts.offsets
        if self.structure == "cmi":
            return heaviest_tree(conditional_mutual_information(pairs, offsets, counts.arities))
        if self.structure == "superparent" and table is not None:
            return self._superparent(table, pairs, offsets)
        raise ValueError(self._structure_error())

    def _superparent(
        self, table: TrainingTable, pairs: NDArray[np.float64], offsets: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        class_alpha = CLASS_ALPHA[self.smoothing]
        accuracy = LeftOutAccuracy.of(
            table,
            pairs,
            offsets,
            alpha=None if self.smoothing == "friedman" else class_alpha,
            class_alpha=class_alpha,
            class_order=self._declared_order,
        )
        found = superparent_tree(accuracy, table.arities.size)
        self.left_out_accuracy_ = found.score
        return found.parents

    def _listed_parents(self) -> NDArray[np.int64]:
        if not isinstance(self.structure, Sequence | np.ndarray):
            raise ValueError(self._structure_error())
        listed = [() if p is None or (is_whole(p) and p == -1) else (p,) for p in self.structure]
        checked = check_parents(listed, tuple(str(name) for name in self._schema.names))
        return np.array([others[0] if others else -1 for others in checked], dtype=np.int64)

    def _structure_error(self) -> str:
        return (
            f'structure must be "cmi", "superparent", or the attribute parent of each of the '
            f"{self.arities_.size} attributes (-1 or None for none), but was {self.structure!r}."
        )

    def _pseudo_counts(
        self, pairs: NDArray[np.float64], offsets: NDArray[np.int64], arities: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return each slot's pseudo-count, and record the values that smoothing leaves impossible."""
        if self.smoothing == "friedman":
            pseudo = marginal_pseudo_counts(pairs.diagonal().T, N0, offsets, arities)
        else:
            pseudo = np.full(len(pairs), CLASS_ALPHA[self.smoothing])
        self._impossible = impossible_values(pseudo)
        return pseudo

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        codes = hide_values(self._code(X).codes, self._impossible, self._offsets, self.arities_)
        return multiply_tree(
            codes, self.class_prior_, self._tables, self._parents, self._offsets, self.arities_, self._order
        )
