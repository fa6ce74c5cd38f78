"""The costs of all families of a few nodes, from which every exact computation starts."""

import math
import os
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.networks._kernels.exact_search import add_arc_costs, family_costs
from learners.networks._kernels.gaussian_cost import gaussian_family_costs
from learners.networks._kernels.holed_families import holed_family_costs
from learners.networks._kernels.local_cost import TABLE, local_family_costs
from learners.networks._kernels.set_scores import set_scores
from learners.networks.progress import advance
from learners.networks.search.gaussian_problem import GaussianProblem
from learners.networks.search.indirect_prior import REFUSED
from learners.networks.search.problem import NetworkProblem
from learners.networks.search.search_problem import SearchProblem

__all__ = ["MAX_NODES", "FamilyTable", "Pause", "memory_of", "node_blocks", "parents_by_node"]

MAX_NODES = 25
"""The most nodes that the exact search takes: 7 GB and some ten minutes; every further one doubles both."""

BLOCK_WORK = 1e8
"""Rows times sets that one kernel call scores, well below half a second, so that it can be interrupted."""

SLOW_TREES, SLOW_HOLES = 20, 10
"""Time of a tree's cost, or of a family's with missing values, relative to that of a set's score."""

FEWEST_MEMBERS = 6
"""By which the sets of a kernel call differ: each call divides the rows anew."""

MOST_KEPT = 1 << 23
"""Bytes of a table that is kept for the next question about the same problem, such as arcs after a search."""

BLOCK_FAMILIES = 1 << 21
"""Families, or sets, that one kernel call goes through when each takes nanoseconds."""

#: The last problem whose table was computed, weakly, and its table.
_last: list[Any] = []

#: Called between two kernel calls with the share that is done; may raise to stop.
Pause = Callable[[float], object]


@dataclass(frozen=True, eq=False)
class FamilyTable:
    """The costs of all families (a node and its parents), with the nodes renumbered.

    Attributes
    ----------
    problem : NetworkProblem
        The problem with its nodes in the order of the table.
    order : ndarray of intp, shape (n_nodes,)
        order[i] is the node of the given problem at position i of the table.
    costs : ndarray of float64, shape (n_nodes, 2^(n_nodes - 1))
        Cost in nats of the node at each position with each set of parents. The bits of a set stand for the
        positions other than the node's own position, so positions above it are one bit lower. Costs of arcs
        with a fixed cost are included, costs of arcs encoded with the arc probability are not. The cost is
        infinite if a required arc is missing, an arc is forbidden or a limit is exceeded.
    free : ndarray of int64, shape (n_nodes,)
        For each position, bits of the parents whose arcs are encoded with the arc probability, numbered as in
        `costs`.
    early : ndarray of int64, shape (n_nodes,)
        For each position, bits of the positions whose nodes may precede it in an order of the nodes.

    Examples
    --------
    >>> x = np.tile(np.array([0, 1], dtype=np.uint8), 50)
    >>> table = FamilyTable.of(SearchProblem.of(np.array([x, x]), np.array([2, 2])))
    >>> table.costs.round(2).tolist()
    [[71.58, 8.22], [71.58, 8.22]]
    """

    problem: NetworkProblem
    order: NDArray[np.intp]
    costs: NDArray[np.float64]
    free: NDArray[np.int64]
    early: NDArray[np.int64]

    @classmethod
    def of(cls, problem: NetworkProblem, pause: Pause = advance) -> "FamilyTable":
        """Compute the costs of all families. The last table is cached, unless it is large."""
        last = tuple(_last)  # of one moment: another thread may replace it
        if last and last[0]() is problem:
            known: FamilyTable = last[1]
            return known
        if problem.arc_costs.indirect is not None:
            raise ValueError(REFUSED)
        if problem.n_nodes > MAX_NODES:
            raise ValueError(
                f"The exact search takes at most {MAX_NODES} variables, but the table has {problem.n_nodes} "
                '(the class included). Use search="fast", or select columns.'
            )
        _check_memory(problem)
        arities = _arities(problem)
        # high arities first, so that few rows are left for the attributes that are split most often
        order = np.argsort(-arities, kind="stable")
        own = problem.permuted(order)
        costs = np.full((own.n_nodes, 1 << (own.n_nodes - 1)), np.inf)
        _fill(own, costs, pause)
        free = np.full(own.n_nodes, costs.shape[1] - 1)
        if not own.arc_costs.is_uniform or np.isfinite(own.cell_limit):
            for nodes in node_blocks(own.n_nodes):
                add_arc_costs(
                    costs, arities[order], own.cell_limit, own.arc_costs.fixed, own.arc_costs.required, nodes
                )
                pause(1.0)
            free = np.array([_bits(np.delete(own.arc_costs.free[:, v], v)) for v in range(own.n_nodes)])
        early = np.array([_bits(may) for may in own.arc_costs.before.T])
        table = cls(own, order, costs, free, early)
        if costs.nbytes <= MOST_KEPT:
            _last[:] = weakref.ref(problem), table
        return table

    def parents_of(self, sets: NDArray[np.int64]) -> tuple[tuple[int, ...], ...]:
        """Return the parents of each node of the given problem, from sets as bits of all positions."""
        return parents_by_node(self.order, sets.tolist())


def parents_by_node(order: NDArray[np.intp], sets: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the parents of each node from the bits of places, where order[i] is the node at place i."""
    parents: list[tuple[int, ...]] = [()] * order.size
    for v, members in enumerate(sets):
        parents[order[v]] = tuple(sorted(int(u) for i, u in enumerate(order) if members >> i & 1))
    return tuple(parents)


def memory_of(problem: NetworkProblem) -> float:
    """Return the maximum memory in bytes of the exact search of a problem, beyond its rows."""
    sets = math.ldexp(1.0, min(problem.n_nodes, 1000))  # beyond, a float ends
    families = problem.n_nodes * sets / 2
    scores = (1.5 + np.unique(_arities(problem)).size) * sets
    return 8 * (families + max(families + sets, scores))


def _check_memory(problem: NetworkProblem) -> None:
    """Raise an error for a search beyond the machine's memory, before the system ends the process."""
    needed, there = memory_of(problem), _physical_memory()
    if needed > there:
        raise ValueError(
            f"The exact search of {problem.n_nodes} variables takes {needed / 1e9:.1f} GB of memory, but "
            f'this machine has {there / 1e9:.1f} GB. Use search="fast", or select columns.'
        )


def _physical_memory() -> float:
    """Return the bytes of memory of this machine, or infinity if unknown."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        return math.inf


def node_blocks(n_nodes: int) -> Iterator[NDArray[np.int64]]:
    """Divide the nodes into blocks whose families are processed in one kernel call."""
    block = max(1, BLOCK_FAMILIES >> (n_nodes - 1))
    for first in range(0, n_nodes, block):
        yield np.arange(first, min(first + block, n_nodes))


def _n_first(n_members: int, work: float) -> int:
    """Count the members by which all sets are divided into blocks, when each set is so much work."""
    largest = max(int(np.log2(max(BLOCK_WORK / max(work, 1.0), 1.0))), FEWEST_MEMBERS)
    return max(n_members - largest, 0)


def _arities(problem: NetworkProblem) -> NDArray[np.int64]:
    """Return the numbers of values, 1 for numeric variables."""
    if isinstance(problem, GaussianProblem):
        return np.ones(problem.n_nodes, np.int64)
    assert isinstance(problem, SearchProblem)
    return problem.arities


def _fill(problem: NetworkProblem, costs: NDArray[np.float64], pause: Pause) -> None:
    """Compute the cost of each node with each set of parents, without arcs."""
    if isinstance(problem, GaussianProblem):
        _fill_with_regressions(problem, costs, pause)
        return
    assert isinstance(problem, SearchProblem)
    if problem.local_model != TABLE:
        _fill_one_by_one(problem, costs, pause)
    elif problem.holes:
        _fill_with_holes(problem, costs, pause)
    else:
        _fill_without_holes(problem, costs, pause)


def _fill_without_holes(problem: SearchProblem, costs: NDArray[np.float64], pause: Pause) -> None:
    arities, n_nodes, limit = problem.arities, problem.n_nodes, problem.parent_limit
    child_arities, arity_index = np.unique(arities, return_inverse=True)
    filled = np.empty(1 << n_nodes)
    opened = np.empty((1 << n_nodes, child_arities.size))
    cells_before = np.minimum(max(problem.n_rows // 2, 1), np.cumprod([1.0, *arities[:-1]]))
    n_cells = int((cells_before * arities).max())
    first = _n_first(n_nodes, problem.n_rows)
    for root in range(1 << first):
        if root.bit_count() <= limit + 1:
            set_scores(
                problem.codes, arities, child_arities, problem.ln_factorials, n_cells, limit + 1, root, first,
                filled, opened,
            )  # fmt: skip
            pause((root + 1) / (1 << first))
    for nodes in node_blocks(n_nodes):
        family_costs(arities, arity_index, filled, opened, problem.parameter_cost, limit, nodes, costs)
        pause(1.0)


def _fill_with_holes(problem: SearchProblem, costs: NDArray[np.float64], pause: Pause) -> None:
    first = _n_first(problem.n_nodes - 1, SLOW_HOLES * problem.n_rows)
    roots = [root for root in range(1 << first) if root.bit_count() <= problem.parent_limit]
    for v in range(problem.n_nodes):
        for done, root in enumerate(roots, 1):
            holed_family_costs(
                problem.codes, problem.arities, problem.ln_factorials, problem.parameter_cost,
                problem.parent_limit, v, root, first, costs[v],
            )  # fmt: skip
            pause((v + done / len(roots)) / problem.n_nodes)


def _fill_one_by_one(problem: SearchProblem, costs: NDArray[np.float64], pause: Pause) -> None:
    n_sets = costs.shape[1]
    block = max(n_sets >> _n_first(problem.n_nodes - 1, SLOW_TREES * problem.n_rows), 1)
    for v in range(problem.n_nodes):
        for first in range(0, n_sets, block):
            local_family_costs(
                problem.codes, problem.arities, problem.ln_factorials, problem.parameter_cost,
                problem.parent_limit, problem.local_model, v, first, costs[v, first : first + block],
            )  # fmt: skip
            pause((v + (first + block) / n_sets) / problem.n_nodes)


def _fill_with_regressions(problem: GaussianProblem, costs: NDArray[np.float64], pause: Pause) -> None:
    n_sets = costs.shape[1]
    block = 1 << max(int(math.log2(BLOCK_WORK / max(problem.n_nodes, 1) ** 3)), FEWEST_MEMBERS)
    for v in range(problem.n_nodes):
        for first in range(0, n_sets, block):
            gaussian_family_costs(
                problem.moments, problem.parent_limit, v, first, costs[v, first : first + block]
            )
            pause((v + min(first + block, n_sets) / n_sets) / problem.n_nodes)


def _bits(members: NDArray[np.bool_]) -> int:
    return int((members.astype(np.int64) << np.arange(members.size)).sum())
