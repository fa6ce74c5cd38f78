"""The costs of all families of a few nodes, the start of every exact computation."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learners.networks._kernels.exact_search import add_arc_costs, family_costs
from learners.networks._kernels.holed_families import holed_family_costs
from learners.networks._kernels.local_cost import TABLE, local_family_costs
from learners.networks._kernels.set_scores import set_scores
from learners.networks.search.search_problem import SearchProblem

__all__ = ["MAX_NODES", "FamilyTable"]

#: The most nodes that the exact search takes.
MAX_NODES = 20
"""At 20 nodes the families take 84 MB; every further node doubles that, and the time."""


@dataclass(frozen=True, eq=False)
class FamilyTable:
    """The cost of every family; the nodes are in an order of their own.

    Attributes
    ----------
    problem : SearchProblem
        With its nodes in that order.
    order : ndarray of intp, shape (n_nodes,)
        order[i] is the node of the given problem at place i.
    costs : ndarray of float64, shape (n_nodes, 2^(n_nodes - 1))
        Nats of each place with each set of parents, bits of which are places without the node's own (those
        above it are one lower). Arcs encoded with the arc probability are not included, arcs with a fixed
        cost are; infinite where a required arc is lacking, an arc is forbidden or a limit is exceeded.
    free : ndarray of int64, shape (n_nodes,)
        Bits of the parents whose arcs are encoded with the arc probability, numbered as above.
    early : ndarray of int64, shape (n_nodes,)
        Bits of the places that may precede each in the order of the nodes.

    Examples
    --------
    >>> x = np.tile(np.array([0, 1], dtype=np.uint8), 50)
    >>> table = FamilyTable.of(SearchProblem.of(np.array([x, x]), np.array([2, 2])))
    >>> table.costs.round(2).tolist()
    [[71.58, 8.22], [71.58, 8.22]]
    """

    workbench_identity = "learners.structure_search.families:FamilyTable"
    problem: SearchProblem
    order: NDArray[np.intp]
    costs: NDArray[np.float64]
    free: NDArray[np.int64]
    early: NDArray[np.int64]

    @classmethod
    def of(cls, problem: SearchProblem) -> "FamilyTable":
        """Compute the costs of all families."""
        if problem.n_nodes > MAX_NODES:
            raise ValueError(
                f"The exact search takes at most {MAX_NODES} variables, but the table has {problem.n_nodes} "
                '(the class included); use search="fast", or select columns.'
            )
        # high arities first, so that few rows are left for the attributes that are split most often
        order = np.argsort(-problem.arities, kind="stable")
        own = problem.permuted(order)
        if own.local_model != TABLE:
            costs = _one_by_one(own)
        else:
            costs = (_with_holes if own.holes else _without_holes)(own)
        free = np.full(own.n_nodes, costs.shape[1] - 1)
        if not own.arc_costs.is_uniform or np.isfinite(own.cell_limit):
            add_arc_costs(costs, own.arities, own.cell_limit, own.arc_costs.fixed, own.arc_costs.required)
            free = np.array([_bits(np.delete(own.arc_costs.free[:, v], v)) for v in range(own.n_nodes)])
        early = np.array([_bits(may) for may in own.arc_costs.before.T])
        return cls(own, order, costs, free, early)

    def parents_of(self, sets: NDArray[np.int64]) -> tuple[tuple[int, ...], ...]:
        """Return the parents of each node of the given problem, from bits of places (own bits included)."""
        n_nodes = len(self.order)
        parents: list[tuple[int, ...]] = [()] * n_nodes
        for v in range(n_nodes):
            others = (int(self.order[u]) for u in range(n_nodes) if int(sets[v]) >> u & 1)
            parents[self.order[v]] = tuple(sorted(others))
        return tuple(parents)


def _without_holes(problem: SearchProblem) -> NDArray[np.float64]:
    arities, n_nodes = problem.arities, problem.n_nodes
    child_arities, arity_index = np.unique(arities, return_inverse=True)
    filled = np.empty(1 << n_nodes)
    opened = np.empty((1 << n_nodes, child_arities.size))
    cells_before = np.minimum(max(problem.n_rows // 2, 1), np.cumprod([1.0, *arities[:-1]]))
    n_cells = int((cells_before * arities).max())
    limit = problem.parent_limit
    set_scores(
        problem.codes, arities, child_arities, problem.ln_factorials, n_cells, limit + 1, filled, opened
    )
    return family_costs(arities, arity_index, filled, opened, problem.parameter_cost, limit)


def _with_holes(problem: SearchProblem) -> NDArray[np.float64]:
    return holed_family_costs(
        problem.codes, problem.arities, problem.ln_factorials, problem.parameter_cost, problem.parent_limit
    )


def _one_by_one(problem: SearchProblem) -> NDArray[np.float64]:
    return local_family_costs(
        problem.codes,
        problem.arities,
        problem.ln_factorials,
        problem.parameter_cost,
        problem.parent_limit,
        problem.local_model,
    )


def _bits(members: NDArray[np.bool_]) -> int:
    return int((members.astype(np.int64) << np.arange(members.size)).sum())
