"""Averages over all networks under an order law, for up to fourteen nodes."""

from __future__ import annotations

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
    """All networks of an order law, weighted by their posterior probability."""

    # If the rows come from a network that the law drew, every row of its tables Dirichlet(alpha, ..., alpha),
    # no forecast has a greater expected score, by any proper score (Koivisto & Sood, JMLR 5, 2004: the sums);
    # and the evidence compares one law with another. Holes in training rows are an approximation: a family is
    # counted on the rows complete in it. Its evidence is that of the child on all rows that have it, times
    # what the parents add on the rows complete in the family; a class above all attributes is always a
    # parent, and rows without it count for no attribute. The evidence is then that of no distribution of the
    # rows. Measured, 5 classes, up to three parents, 500 training rows and 1000 distinct requested ones: 8
    # nodes 0.02 s, 10 nodes 0.13 s, 12 nodes 0.8 s, 14 nodes 3.2 s; a class above all attributes halves that,
    # holes double it. The evidence alone: 8 nodes 2 ms, 14 nodes 0.05 s, with up to 13 parents 1.6 s.

    law: OrderLaw
    alpha: float
    class_index: int  # row of the class in the codes given
    arities: NDArray[np.int64]  # the class last; so in all that follows
    rows: NDArray[np.unsignedinteger]  # (n_nodes, n_distinct_rows)
    # (1 or n_nodes, n_distinct_rows): with holes, by node, 0 where it is missing
    row_weights: NDArray[np.float64]
    class_counts: NDArray[np.float64]
    sums: NDArray[np.float64]  # of the nodes in the order, see `law_sums` and `forward_sums`
    forward: NDArray[np.float64]
    whole: NDArray[np.float64]  # which share of each sum came from where, see `law_shares`
    without: NDArray[np.float64]
    turns: NDArray[np.float64]  # the probability that each member of each set comes last in it
    starts: NDArray[np.int64]  # the members of all sets, see `law_sums`
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
    ) -> OrderAverage:
        """Compute the weights of all networks from codes (n_nodes, n_rows), where the arity means missing."""
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
        """Log-probability of all training rows, including the class, under the law, in nats."""
        orders = gammaln(len(self.sums) + 1.0)
        of_classes = self._classes.log_evidence if self.law.class_first else 0.0
        return float(self.forward[-1] - orders + of_classes)

    @cached_property
    def arc_posteriors(self) -> NDArray[np.float64]:
        """Posterior probability of every arc, from row to column, of shape (n_nodes, n_nodes)."""
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
        """Return the log-probability of each row of attributes with each class, given the training rows."""
        # codes (n_nodes - 1, n_rows), the arity or more a hole. Equal rows are computed once. Holes are
        # summed out exactly, by filling them in all ways.
        arities = self.arities[:-1]
        holed = np.minimum(codes, arities[:, None])
        first, inverse, _ = distinct_rows(holed, arities)
        ways = Completions(holed[:, first], arities)
        most = ways.n_ways.max(initial=1.0)
        if most > MAX_COMPLETIONS:
            raise ValueError(
                f"The missing values of a row can be filled in {most:,.0f} ways, but at most "
                f"{MAX_COMPLETIONS:,} are summed. Leave out attributes with missing values."
            )
        joint = np.zeros((first.size, self.class_counts.size))
        for filled, owners in ways.blocks(max(BLOCK // len(self.forward), 1)):
            np.add.at(joint, owners, self._forecast(filled))
        return np.log(joint)[inverse]

    def _forecast(self, codes: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return the probability of each complete row with each class."""
        first, inverse, _ = distinct_rows(codes, self.arities[:-1])
        asked = np.zeros((self.arities.size, first.size), self.rows.dtype)
        asked[:-1] = codes[:, first]
        joint = law_forecast(asked, *self._kernel_arguments)
        if self.law.class_first:
            joint *= self._classes.probabilities
        return joint[inverse]

    @property
    def _kernel_arguments(self) -> tuple[Any, ...]:
        """Return the arguments of the forecast other than the requested rows."""
        rows = self.rows, self.row_weights, self.arities, self.alpha
        return *rows, self.whole, self.without, self.turns, self.starts, self.members

    @property
    def _classes(self) -> ClassDistribution:
        """Return the class distribution, if the class is above all attributes."""
        return ClassDistribution.of(self.class_counts, self.alpha, known=self.law.class_probabilities)


def check_order_average(n_nodes: int, n_classes: int) -> None:
    """Raise an error for a table too large, or too small, for an average over orders."""
    if n_nodes < 2:
        raise ValueError(
            "The average over orders needs a class and at least one attribute. Give more columns."
        )
    check_nodes(n_nodes, MAX_LAW_NODES, "Search for one network instead (`find_network`)")
    n_bytes = work_space(n_nodes, n_classes)
    if n_bytes > MEMORY:
        raise ValueError(
            f"The average over orders with {n_classes} classes would need {n_bytes / 1e9:.1f} GB, more than "
            f"{MEMORY / 1e9:.0f} GB. Select columns, or join classes."
        )


def _check_classes(law: OrderLaw, n_classes: int) -> None:
    known = law.class_probabilities if law.class_first else None
    if known is not None and known.size != n_classes:
        raise ValueError(
            f"class_probabilities has {known.size} entries, but the table has {n_classes} classes. Give one "
            "for each."
        )


def _checked_weights(row_weights: ArrayLike | None, n_rows: int) -> NDArray[np.float64] | None:
    if row_weights is None:
        return None
    weights = np.asarray(row_weights, np.float64)
    if weights.shape != (n_rows,) or not (np.isfinite(weights) & (weights >= 0)).all():
        raise ValueError(
            f"row_weights must be {n_rows} finite numbers, 0 or more, one for each row. It has shape "
            f"{weights.shape}" + ("." if weights.shape != (n_rows,) else " and an entry that is not.")
        )
    return weights


def _any_order(n_nodes: int) -> NDArray[np.int64]:
    """Return the nodes that may precede each, as bits: all."""
    return np.full(n_nodes, (1 << n_nodes) - 1)
