"""The k-dependence Bayesian classifier of Sahami."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from generators.networks.network import Network
from generators.tables.codes import MISSING
from learners.base import ProbabilisticClassifier, TrainingTable
from learners.bayes._kernels.class_families import class_family_counts, multiply_class_families
from learners.bayes._kernels.factors import marginal_pseudo_counts
from learners.bayes._kernels.spanning_tree import conditional_mutual_information
from learners.bayes._shared.backed_off_tables import (
    BACKED_OFF,
    LevelCounts,
    check_seed,
    level_sizes,
    sampler,
    unseen_values,
)
from learners.bayes._shared.k_dependence import check_k, closest_parents
from learners.counts.class_prior import class_prior
from learners.counts.slots import (
    LARGEST_TABLE,
    N0,
    N0_CLASS_ALPHA,
    class_mutual_information,
    count_pairs,
    hide_values,
    slot_offsets,
)
from learners.facts import LearnerFacts
from learners.options import check_number

__all__ = ["KDBClassifier"]


class KDBClassifier(ProbabilisticClassifier):
    """K-dependence Bayes (KDB): each attribute depends on the class and on k more informative attributes.

    It assumes that every attribute depends on the class and on at most k other attributes. The attributes are
    ordered by mutual information with the class. The parents of an attribute are the class and those k
    preceding attributes that have the highest mutual information with it given the class. There is no search.
    Missing values are summed out exactly at prediction. In training, a row counts in every probability table
    whose variables are all known in that row. Numeric columns are discretized as part of learning. There is
    no `partial_fit`, since tables with k parents need the rows and not only the counts of pairs.

    Parameters
    ----------
    k : int, default 1
        Maximum number of attribute parents of an attribute. 0 is naive Bayes.
    smoothing : {"friedman", "laplace", "backoff", "hdp"}, default "friedman"
        Estimate of the probability of a value that occurs in n of the N rows with the same class and parent
        values. "friedman" is ``(n + 5 P(x)) / (N + 5)`` with the training marginal P(x), as in
        `TANClassifier`. "laplace" is ``(n + alpha) / (N + alpha r)`` for r values. "backoff" is ``(n + m q) /
        (N + m)``, where q is the estimate without the last parent. "hdp" is the posterior mean of a
        hierarchical Dirichlet process. See Notes. Except with "laplace", a declared value that does not occur
        in training counts as missing.
    alpha : float, default 1.0
        Pseudo-count of each value and each class with "laplace". Other smoothing methods ignore `alpha`.
    categorical_features : "from_dtype", mask, names or indices
        Which columns are nominal.
    arities : sequence of int or None, optional
        Number of values of each column of integer codes.
    random_state : int, default 0
        Seed of the draws with "hdp". Other smoothing methods ignore `random_state`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    arities_ : ndarray of int64, shape (n_features,)
        Number of values of each attribute.
    parents_ : tuple of tuple of int
        Indices of each attribute's attribute parents, the parent with the highest conditional mutual
        information first. The class is a parent of all attributes.
    class_prior_ : ndarray of float64, shape (n_classes,)
        Class probabilities: ``(n_c + alpha) / (n + alpha n_classes)``, with n_c of the n training rows in the
        class. With other smoothing methods than "laplace", alpha is 1.
    network_ : Network
        Network of the attributes in column order, followed by the class. It can be sampled, queried and
        exported.
    cut_points_ : dict of ndarray
        Cut points of each numeric column. Without numeric columns, this attribute does not exist.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    TANClassifier : The best tree over all orders, whereas KDB with k = 1 chooses preceding parents only.
    AnDEClassifier : Average over all sets of parents instead of a choice.

    Notes
    -----
    In ties, the order takes the first column, and parents are chosen in that order. `fit` takes time O(rows x
    attributes^2). An attribute's table has n_classes x r x (product of its parents' numbers of values)
    entries. Its size is checked in advance. A row with missing values is forecast by variable elimination.
    This takes milliseconds for each missing-value pattern, and memory that grows with the number of values of
    the missing attributes that have children.

    With many parents, most rows of a table are estimated from few training rows. "backoff" and "hdp" shrink
    such a row toward the estimate without the last parent, and so on down to P(x | c) and P(x). With
    "backoff", an attribute has one m for each number of parents: the most probable value given leave-one-out
    forecasts of the training rows, under a prior in which log m is normal with mean log 50 and standard
    deviation 1. With "hdp", the prior mean of each distribution is the distribution without the last parent,
    with a random concentration for each number of parents. The estimate is the mean of 500 draws after 100
    discarded draws [2]_. Row weights must be whole numbers. A draw of 100 numbers takes about 30 us.

    References
    ----------
    .. [1] M. Sahami, "Learning limited dependence Bayesian classifiers", KDD 1996.
    .. [2] F. Petitjean, W. Buntine, G. I. Webb, N. Zaidi, "Accurate parameter estimation for Bayesian network
       classifiers using hierarchical Dirichlet processes", Machine Learning 107, 2018.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 1]] * 5)
    >>> kdb = KDBClassifier(k=2).fit(X, [0, 1, 0, 1] * 5)
    >>> kdb.parents_
    ((), (0,), (1, 0))
    >>> kdb.predict_proba(X[:1]).round(3)
    array([[0.926, 0.074]])
    """

    workbench_identity = "learners.kdb:KDBClassifier"
    facts = LearnerFacts(
        key="kdb",
        authors="Sahami",
        title="Learning limited dependence Bayesian classifiers",
        year=1996,
        numbers="intervals",
        missing="summed out",
        weights="any",
        limit="2 GiB for the counts of pairs, and for its tables",
        also=("network_.plot",),
    )

    def __init__(
        self,
        k: int = 1,
        smoothing: str = "friedman",
        alpha: float = 1.0,
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
        random_state: int = 0,
    ) -> None:
        self.k = k
        self.smoothing = smoothing
        self.alpha = alpha
        self.categorical_features = categorical_features
        self.arities = arities
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "KDBClassifier":
        """Count pairs of values by class, choose the parents, and estimate the probability tables.

        `X` has the training rows, `y` their class labels, and `sample_weight` optional weights of the rows.

        Raises
        ------
        ValueError
            If the tables would take more than 2 GiB, or a parameter is out of range.
        """
        k = check_k(self.k)
        if self.smoothing not in ("friedman", "laplace", *BACKED_OFF):
            raise ValueError(
                f'smoothing must be "friedman", "laplace", "backoff" or "hdp", but was {self.smoothing!r}.'
            )
        check_seed(self.random_state)
        alpha = check_number("alpha", self.alpha, above=0)  # 0 would make unseen values impossible
        table = self._read_training(X, y, sample_weight)
        self._offsets = slot_offsets(table.arities)
        pairs = count_pairs(table, self._offsets)
        values = pairs.diagonal().T
        information = class_mutual_information(values, self._offsets)
        shared = conditional_mutual_information(pairs, self._offsets, table.arities)
        self.parents_ = closest_parents(information, shared, k)
        self._check_memory(table)
        is_laplace = self.smoothing == "laplace"
        self.class_prior_ = class_prior(table.class_counts(), alpha=alpha if is_laplace else N0_CLASS_ALPHA)
        self._impossible = None if is_laplace else unseen_values(values, self._offsets, table.arities)
        self._families = ClassFamilies.of(table, self.parents_, self.class_prior_)
        self._smooth(table, values, alpha)
        return self

    def _smooth(self, table: TrainingTable, values: NDArray[np.float64], alpha: float) -> None:
        if self.smoothing in BACKED_OFF:
            self._families.back_off(table, self.parents_, sampler(self.smoothing, self.random_state))
            return
        pseudo = np.full(len(values), alpha)
        if self.smoothing == "friedman":
            pseudo = marginal_pseudo_counts(values, N0, self._offsets, table.arities)
        self._families.count(table, [extra[:-1] for extra in np.split(pseudo, self._offsets[1:-1])])

    @property
    def network_(self) -> Network:
        """The learned network, created on first access."""
        check_is_fitted(self)
        return self._name_network(*self._families.factors())

    def _check_memory(self, table: TrainingTable) -> None:
        sizes = [level_sizes(table, j, others) for j, others in enumerate(self.parents_)]
        cells = [sum(own) if self.smoothing in BACKED_OFF else own[-1] for own in sizes]
        if sum(cells) > LARGEST_TABLE:
            widest = int(np.argmax(cells))
            names = self._schema.names
            led = ", ".join(repr(str(names[u])) for u in self.parents_[widest])
            raise ValueError(
                f"With k = {self.k} the tables would take {sum(cells) * 8 / 2**30:,.0f} GiB. The largest "
                f"is the table of {str(names[widest])!r} given {led}. Use a smaller k, merge rare values, or "
                "leave out attributes that are nearly unique."
            )

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        codes = hide_values(self._code(X).codes, self._impossible, self._offsets, self.arities_)
        out, complete = self._families.posterior(codes)
        if not complete.all():
            rows = codes[:, ~complete].T.astype(np.int64)
            out[~complete] = self._families.network.posterior(np.where(rows < self.arities_, rows, MISSING))
        return out


@dataclass(frozen=True, eq=False)
class ClassFamilies:
    """P(attribute | its attribute parents, class) for all attributes, in one flat array."""

    arities: NDArray[np.int64]
    shapes: tuple[tuple[int, ...], ...]  # of each family: parents in order, child, class
    tables: NDArray[np.float64]  # the families one after the other, from `starts` on
    prior: NDArray[np.float64]  # of the classes
    starts: NDArray[np.int64]
    members: NDArray[np.int64]  # attributes of the families, up to `ends`, with their `strides`
    strides: NDArray[np.int64]
    ends: NDArray[np.int64]

    @classmethod
    def of(
        cls, table: TrainingTable, parents: Sequence[tuple[int, ...]], prior: NDArray[np.float64]
    ) -> "ClassFamilies":
        """Return families with zeros in the tables."""
        shapes = tuple(
            (*table.arities[[*others, j]].tolist(), table.n_classes) for j, others in enumerate(parents)
        )
        sizes = [math.prod(shape) for shape in shapes]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        members = [u for j, others in enumerate(parents) for u in (*others, j)]
        strides = [math.prod(shape[m + 1 :]) for shape in shapes for m in range(len(shape) - 1)]
        ends = np.cumsum([len(shape) - 1 for shape in shapes])
        layout = [np.array(part, dtype=np.int64) for part in (starts[:-1], members, strides, ends)]
        return cls(table.arities, shapes, np.zeros(starts[-1]), prior, *layout)

    def count(self, table: TrainingTable, pseudo: Sequence[NDArray[np.float64]]) -> None:
        """Count the families and smooth them."""
        class_family_counts(
            table.codes, table.y, table.kernel_weight, table.arities, self.starts, self.members, self.strides,
            self.ends, self.tables,
        )  # fmt: skip
        for family, extra in zip(self._split(), pseudo, strict=True):
            family += extra[:, np.newaxis]
            family /= family.sum(axis=-2, keepdims=True)

    def back_off(
        self, table: TrainingTable, parents: Sequence[tuple[int, ...]], rng: np.random.Generator | None
    ) -> None:
        """Count the families, and shrink each toward the family with a parent less."""
        levels = LevelCounts.of(table, parents)
        for j, family in enumerate(self._split()):
            family[:] = levels.deepest(j, rng).reshape(family.shape)

    def _split(self) -> list[NDArray[np.float64]]:
        """Return views of the tables of the attributes."""
        split = np.split(self.tables, self.starts[1:])
        return [flat.reshape(shape) for flat, shape in zip(split, self.shapes, strict=True)]

    def factors(self) -> tuple[list[tuple[int, ...]], list[NDArray[np.float64]]]:
        """Return parents and CPTs of the attributes, then of the class, which is the first parent of each."""
        n_features, ends = len(self.ends), self.ends.tolist()
        parents = [
            (n_features, *self.members[begin : end - 1].tolist()) for begin, end in pairwise([0, *ends])
        ]
        return [*parents, ()], [*(np.moveaxis(family, -1, 0) for family in self._split()), self.prior]

    @cached_property
    def network(self) -> Network:
        """Return the network, with numbers for names and values."""
        states = tuple(tuple(range(arity)) for arity in (*self.arities.tolist(), self.prior.size))
        names = tuple(str(j) for j in range(len(states)))
        parents, cpts = self.factors()
        return Network(names, states, tuple(parents), tuple(cpts), class_index=len(self.arities))

    def posterior(self, codes: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return the class posterior of each complete row."""
        out = np.empty((codes.shape[1], self.prior.size))
        complete = np.empty(codes.shape[1], dtype=np.bool_)
        multiply_class_families(
            codes, self.arities, self.prior, self.tables, self.starts, self.members, self.strides, self.ends,
            out, complete,
        )  # fmt: skip
        return out, complete
