"""Averages over all networks that a law along an order may draw, for up to fourteen nodes."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

from learners.counts.class_distribution import ClassDistribution
from learners.networks._kernels.averaged_forecast import turn_shares
from learners.networks._kernels.dirichlet_families import log_evidences
from learners.networks._kernels.law_forecast import law_forecast
from learners.networks._kernels.law_sums import law_arc_posteriors, law_shares, law_sums
from learners.networks._kernels.order_sums import backward_sums, forward_sums
from learners.networks.search.averaging import MEMORY, distinct_rows, weighted_rows, work_space
from learners.networks.search.order_law import OrderLaw
from learners.networks.search.order_posterior import check_nodes
from learners.options import check_number
from learners.tables.completions import Completions

__all__ = ["MAX_COMPLETIONS", "MAX_LAW_NODES", "OrderAverage", "check_order_average"]

#: The most nodes over which a law's networks are averaged.
MAX_LAW_NODES = 14
"""Some milliseconds a row; every further node more than doubles that."""

#: The most ways to fill the holes of a requested row.
MAX_COMPLETIONS = 4096
"""Twelve missing values of two each: about ten seconds with fourteen nodes."""

BLOCK = 1 << 20  # sets times rows between two checks for an interrupt: about a tenth of a second


@dataclass(frozen=True, eq=False)
class OrderAverage:
    """All networks that a law may draw, each weighed by its probability given the rows.

    The rows are assumed to come from a network that was drawn by the law, every row of its tables from a
    Dirichlet(alpha, ..., alpha). Then no forecast has a greater expected score, by any proper score, than the
    one here; and the evidence compares one law with another.

    Attributes
    ----------
    law : DagLaw or KDependenceLaw
        How order and parents are drawn.
    alpha : float
        Concentration of all Dirichlet distributions.
    class_index : int
        Row of the class in the codes given.
    arities : ndarray of int64, shape (n_nodes,)
        Number of values, the class last; so in all that follows.
    rows : ndarray of unsigned integers, shape (n_nodes, n_distinct_rows)
        The training rows, equal ones once.
    row_weights : ndarray of float64, shape (1 or n_nodes, n_distinct_rows)
        How often each occurs; with holes, by node, 0 where it is missing.
    class_counts : ndarray of float64, shape (n_classes,)
        How often each class occurs.
    sums, forward : ndarray of float64
        Of the nodes in the order, which is without a class above all attributes; see `law_sums` and
        `forward_sums`.
    whole, without : ndarray of float64
        Which share of each sum came from where, see `law_shares`.
    turns : ndarray of float64, shape (n_members,)
        The probability that each member of each set of nodes comes last in it.
    starts, members : ndarray of int64
        The members of all sets, see `law_sums`.

    Notes
    -----
    Holes in training rows are an approximation: a family is counted on the rows complete in it. Its evidence
    is that of the child on all rows that have it, times what the parents add on the rows complete in the
    family; a class above all attributes is always a parent, and rows without it count for no attribute. The
    evidence is then that of no distribution of the rows.

    Measured, one thread, 5 classes, up to three parents, 500 training rows and 1000 distinct requested rows,
    `of` included: 8 nodes 0.02 s, 10 nodes 0.13 s, 12 nodes 0.8 s, 14 nodes 3.2 s; a class above all
    attributes halves that. The evidence alone: 8 nodes 2 ms, 14 nodes 0.05 s, after 5000 rows 0.1 s; 14 nodes
    with up to 13 parents 1.6 s. Holes in training rows make forecasts up to twice as long.

    References
    ----------
    .. [1] Koivisto, M. & Sood, K. 2004, "Exact Bayesian structure discovery in Bayesian networks", JMLR 5,
       549-573.

    Examples
    --------
    >>> from learners.networks.search.order_law import DagLaw, KDependenceLaw
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 200)
    >>> x = np.array([y ^ (rng.random(200) < 0.1), y ^ (rng.random(200) < 0.2), y], dtype=np.uint8)
    >>> average = OrderAverage.of(x, np.array([2, 2, 2]), law=DagLaw(2), alpha=1.0)
    >>> np.exp(average.log_joint(np.array([[0, 1, 2], [0, 0, 0]], dtype=np.uint8))).round(3)   # 2 is a hole
    array([[0.325, 0.009],
           [0.036, 0.105],
           [0.361, 0.114]])
    >>> average.arc_posteriors.round(2)   # from row to column, the class last
    array([[0.  , 0.36, 0.35],
           [0.17, 0.  , 0.26],
           [0.65, 0.74, 0.  ]])
    >>> naive = OrderAverage.of(x, np.array([2, 2, 2]), law=KDependenceLaw(0), alpha=1.0)
    >>> round(naive.log_evidence - average.log_evidence, 2)   # in nats
    2.13
    """

    law: OrderLaw
    alpha: float
    class_index: int
    arities: NDArray[np.int64]
    rows: NDArray[np.unsignedinteger]
    row_weights: NDArray[np.float64]
    class_counts: NDArray[np.float64]
    sums: NDArray[np.float64]
    forward: NDArray[np.float64]
    whole: NDArray[np.float64]
    without: NDArray[np.float64]
    turns: NDArray[np.float64]
    starts: NDArray[np.int64]
    members: NDArray[np.int64]

    def __repr__(self) -> str:
        return f"OrderAverage({self.law}, {self.arities.size} nodes, {self.rows.shape[1]:,} distinct rows)"

    @classmethod
    def of(
        cls,
        codes: NDArray[np.unsignedinteger],
        arities: ArrayLike,
        *,
        law: OrderLaw,
        alpha: float,
        class_index: int = -1,
        row_weights: ArrayLike | None = None,
    ) -> "OrderAverage":
        """Weigh all networks.

        Parameters
        ----------
        codes : ndarray of unsigned integers, shape (n_nodes, n_rows)
            Codes 0 .. arity - 1; the arity is a hole.
        arities : array-like of int, shape (n_nodes,)
            Number of values.
        law : DagLaw or KDependenceLaw
            How order and parents are drawn.
        alpha : float
            Concentration of all Dirichlet distributions, above 0.
        class_index : int, default=-1
            Row of the class.
        row_weights : array-like of float, shape (n_rows,), or None
            How often each row counts, 0 or more, not necessarily whole; None counts each once.

        Raises
        ------
        ValueError
            If there are too many nodes, or an argument is not as above.
        """
        sizes = np.asarray(arities, np.int64)
        class_index = range(sizes.size)[class_index]
        check_order_average(sizes.size, int(sizes[class_index]))
        alpha = check_number("alpha", alpha, above=0.0)
        _check_classes(law, int(sizes[class_index]))
        class_last = np.append(np.delete(np.arange(sizes.size), class_index), class_index)
        sizes = sizes[class_last]
        rows, times = weighted_rows(codes[class_last], sizes, _checked_weights(row_weights, codes.shape[1]))
        n_ordered = sizes.size - law.class_first
        chances = law.chances(n_ordered)
        n_parents = np.bitwise_count(np.arange(1 << (n_ordered - 1)))
        sets = np.flatnonzero(chances[0, n_parents])
        most_times = times.max(axis=0)  # 0 only where all is missing
        evidences = log_evidences(rows, most_times, sizes, n_ordered, alpha, sets)
        class_counts = np.asarray(np.bincount(rows[-1], times[-1], sizes[-1] + 1)[:-1], np.float64)
        inside = (np.arange(1 << n_ordered)[:, None] >> np.arange(n_ordered) & 1).astype(bool)
        starts, members = np.append(0, inside.sum(axis=1).cumsum()), np.nonzero(inside)[1]
        sums = law_sums(evidences, chances, starts, members)
        whole, without = law_shares(sums, evidences, chances, starts, members)
        early = _any_order(n_ordered)
        forward = forward_sums(sums, early)
        return cls(
            law,
            alpha,
            class_index,
            sizes,
            rows,
            times,
            class_counts,
            sums,
            forward,
            whole,
            without,
            turn_shares(sums, forward, early)[inside],
            starts,
            members,
        )

    @property
    def log_evidence(self) -> float:
        """Log of the probability of all training rows, class included, under the law; nats."""
        orders = gammaln(len(self.sums) + 1.0)
        of_classes = self._classes.log_evidence if self.law.class_first else 0.0
        return float(self.forward[-1] - orders + of_classes)

    @cached_property
    def arc_posteriors(self) -> NDArray[np.float64]:
        """Probability of every arc given the rows, from row to column, of shape (n_nodes, n_nodes)."""
        backward = backward_sums(self.sums, _any_order(len(self.sums)))
        ordered = law_arc_posteriors(
            self.whole, self.without, self.sums, self.forward, backward, self.starts, self.members
        )
        arcs = np.zeros((self.arities.size, self.arities.size))
        arcs[: len(ordered), : len(ordered)] = ordered
        if self.law.class_first:
            arcs[-1, :-1] = 1.0
        given = np.insert(np.arange(self.arities.size - 1), self.class_index, self.arities.size - 1)
        return arcs[np.ix_(given, given)]

    def log_joint(self, codes: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return the log of the probability of each row with each class, given the training rows.

        Equal rows are computed once. Holes are summed out exactly, by filling them in all ways.

        Parameters
        ----------
        codes : ndarray of integers, shape (n_nodes - 1, n_rows)
            Of the attributes, in the order given; the arity, or more, is a hole.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            Nats. The probabilities of all rows without holes, with all classes, sum to 1.

        Raises
        ------
        ValueError
            If the holes of a row can be filled in more than `MAX_COMPLETIONS` ways.
        """
        arities = self.arities[:-1]
        holed = np.minimum(codes, arities[:, None])
        first, inverse, _ = distinct_rows(holed, arities)
        ways = Completions(holed[:, first], arities)
        most = ways.n_ways.max(initial=1.0)
        if most > MAX_COMPLETIONS:
            raise ValueError(
                f"The missing values of a row can be filled in {most:,.0f} ways, but at most "
                f"{MAX_COMPLETIONS:,} are summed; leave out attributes with missing values."
            )
        joint = np.zeros((first.size, self.class_counts.size))
        for filled, owners in ways.blocks(max(BLOCK // len(self.forward), 1)):
            np.add.at(joint, owners, self._forecast(filled))
        return np.log(joint)[inverse]

    def _forecast(self, codes: NDArray[np.integer]) -> NDArray[np.float64]:
        """Probability of each row without holes with each class."""
        first, inverse, _ = distinct_rows(codes, self.arities[:-1])
        asked = np.zeros((self.arities.size, first.size), self.rows.dtype)
        asked[:-1] = codes[:, first]
        joint = law_forecast(asked, *self._kernel_arguments)
        if self.law.class_first:
            joint *= self._classes.probabilities
        return joint[inverse]

    @property
    def _kernel_arguments(self) -> tuple[Any, ...]:
        """The arguments of the forecast other than the requested rows."""
        rows = self.rows, self.row_weights, self.arities, self.alpha
        return *rows, self.whole, self.without, self.turns, self.starts, self.members

    @property
    def _classes(self) -> ClassDistribution:
        """Distribution of the class, where it is above all attributes."""
        return ClassDistribution.of(self.class_counts, self.alpha, known=self.law.class_probabilities)


def check_order_average(n_nodes: int, n_classes: int) -> None:
    """Refuse a table too large, or too small, for an average over orders."""
    if n_nodes < 2:
        raise ValueError(
            "The average over orders needs a class and at least one attribute; give more columns."
        )
    check_nodes(n_nodes, MAX_LAW_NODES, "search for one network instead (`find_network`)")
    n_bytes = work_space(n_nodes, n_classes)
    if n_bytes > MEMORY:
        raise ValueError(
            f"The average over orders with {n_classes} classes would need {n_bytes / 1e9:.1f} GB, more than "
            f"{MEMORY / 1e9:.0f} GB; select columns, or join classes."
        )


def _check_classes(law: OrderLaw, n_classes: int) -> None:
    known = law.class_probabilities if law.class_first else None
    if known is not None and known.size != n_classes:
        raise ValueError(
            f"class_probabilities has {known.size} entries, but the table has {n_classes} classes; give one "
            "for each."
        )


def _checked_weights(row_weights: ArrayLike | None, n_rows: int) -> NDArray[np.float64] | None:
    if row_weights is None:
        return None
    weights = np.asarray(row_weights, np.float64)
    if weights.shape != (n_rows,) or not (np.isfinite(weights) & (weights >= 0)).all():
        raise ValueError(
            f"row_weights must be {n_rows} finite numbers, 0 or more, one for each row; it has shape "
            f"{weights.shape}" + ("." if weights.shape != (n_rows,) else " and an entry that is not.")
        )
    return weights


def _any_order(n_nodes: int) -> NDArray[np.int64]:
    """Return the nodes that may precede each, as bits: all."""
    return np.full(n_nodes, (1 << n_nodes) - 1)
