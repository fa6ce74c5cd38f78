"""Costs of arcs: free arcs depend on the arc probability, all other arcs have fixed costs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from learners.code_lengths.network import arc_cost
from learners.networks.search.indirect_prior import IndirectPrior, closure

__all__ = ["NO_NETWORK", "ArcCosts"]

NO_NETWORK = (
    "No network has all required arcs and no forbidden ones within the order of the nodes, the limits of "
    "parents and cells, and the 600 free parameters of a logit. Require fewer arcs, raise the limits, or use "
    'local_model="table".'
)


@dataclass(frozen=True, eq=False)
class ArcCosts:
    """Costs of arcs in nats, relative to no arc between the two nodes, with parents as rows.

    Attributes
    ----------
    free : ndarray of bool, shape (n_nodes, n_nodes)
        Whether an arc is encoded with the arc probability p. Such a free arc costs ln((1 - p) / p).
    fixed : ndarray of float64, shape (n_nodes, n_nodes)
        Cost of each arc that is not free. It does not depend on p, and is infinite for forbidden arcs. For
        free arcs it is 0.
    required : ndarray of bool, shape (n_nodes, n_nodes)
        Arcs that must be present. Their cost is 0.
    before : ndarray of bool, shape (n_nodes, n_nodes)
        Whether the node of the row may precede the node of the column in the order of the nodes.
    constant : float
        Cost in nats of having no arcs between all pairs that are not encoded with p.
    indirect : IndirectPrior or None
        Costs that depend on the whole network, beyond its arcs.

    Examples
    --------
    >>> arc_costs = ArcCosts.uniform(3)
    >>> arc_costs.n_pairs, round(arc_costs.structure_length([(), (0,), ()], 0.25), 3)   # -ln 0.25 - 2 ln 0.75
    (3, 1.962)
    """

    free: NDArray[np.bool_]
    fixed: NDArray[np.float64]
    required: NDArray[np.bool_]
    before: NDArray[np.bool_]
    constant: float = 0.0
    indirect: IndirectPrior | None = None

    @classmethod
    def uniform(cls, n_nodes: int) -> "ArcCosts":
        """Make costs in which every pair of nodes is encoded with the arc probability."""
        free = ~np.eye(n_nodes, dtype=np.bool_)
        nothing = np.zeros((n_nodes, n_nodes))
        return cls(free, nothing, np.zeros_like(free), free)

    @property
    def n_pairs(self) -> int:
        """Number of pairs of nodes that are encoded with the arc probability."""
        return int(np.triu(self.free | self.free.T, 1).sum())

    @property
    def is_uniform(self) -> bool:
        """Whether every pair of nodes is encoded with the arc probability, and every order is allowed."""
        return bool((self.free & self.before).sum() == self.free.size - len(self.free))

    @property
    def precedes(self) -> NDArray[np.bool_]:
        """Whether the node of the row must precede the node of the column."""
        found: NDArray[np.bool_] = ~self.before.T | self.required
        np.fill_diagonal(found, False)
        return found

    def n_free_arcs(self, parents: Sequence[Sequence[int]]) -> int:
        """Count the arcs that are encoded with the arc probability."""
        return sum(int(self.free[list(others), v].sum()) for v, others in enumerate(parents))

    def at(self, arc_probability: float) -> NDArray[np.float64]:
        """Return the cost of every arc at one arc probability, of shape (n_nodes, n_nodes)."""
        return self.fixed + np.where(self.free, arc_cost(arc_probability), 0.0)

    def structure_length(self, parents: Sequence[Sequence[int]], arc_probability: float) -> float:
        """Return the cost in nats of a network's arcs, ancestor relations and order."""
        arc_costs, length = self.at(arc_probability), self.no_arcs(arc_probability)
        for v, others in enumerate(parents):
            if not set(np.flatnonzero(self.required[:, v])) <= set(others):
                return math.inf
            length += float(arc_costs[list(others), v].sum())
        return length if self.indirect is None else length + self.indirect.length(parents, arc_probability)

    def no_arcs(self, arc_probability: float) -> float:
        """Return the cost in nats of having no arcs, not even required arcs."""
        return self.constant - self.n_pairs * math.log1p(-arc_probability)

    def without(self, nodes: NDArray[np.bool_]) -> "ArcCosts":
        """Return costs that forbid arcs to and from some nodes, except required arcs."""
        barred = (nodes[:, np.newaxis] | nodes) & ~self.required
        np.fill_diagonal(barred, False)
        return replace(self, free=self.free & ~barred, fixed=np.where(barred, math.inf, self.fixed))

    def permuted(self, order: NDArray[np.intp]) -> "ArcCosts":
        """Return the costs for renumbered nodes: node order[i] becomes node i.

        If the order has fewer nodes, the costs are for these nodes only. Costs that depend on the whole
        network are left out. Searches that renumber nodes raise an error if there are such costs.
        """
        at = np.ix_(order, order)
        before = self.before
        if len(order) < len(before):  # what must precede what by way of nodes that are left out
            before = before & ~closure(self.precedes).T
        return ArcCosts(self.free[at], self.fixed[at], self.required[at], before[at], self.constant)
