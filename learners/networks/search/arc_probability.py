"""Joint choice of arc probability and network, with searches at few probabilities."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from learners.code_lengths.network import arc_cost, check_arc_probability, estimated_arc_probability
from learners.networks.search.arc_costs import ArcCosts

__all__ = [
    "CheapestDag",
    "ShortestAtProbability",
    "shortest_at",
    "shortest_at_fixed_point",
    "shortest_over_arc_probabilities",
]

TIE = 1e-12
"""Relative difference below which lengths are equal: sums of logs are no more accurate."""


@dataclass(frozen=True)
class CheapestDag:
    """The network with the lowest cost, given the cost of a free arc.

    Attributes
    ----------
    cost : float
        Cost of all families and arcs in nats.
    parents : tuple of tuple of int
        Parents of each node, ascending.
    n_arcs : int
        Number of free arcs.
    """

    cost: float
    parents: tuple[tuple[int, ...], ...]
    n_arcs: int


@dataclass(frozen=True)
class ShortestAtProbability:
    """The network with the shortest message, and the arc probability of that message.

    Attributes
    ----------
    length : float
        Length of the message in nats.
    parents : tuple of tuple of int
        Parents of each node.
    arc_probability : float
        Arc probability at which the message has this length.
    n_searches : int
        Number of searches that were needed.
    """

    length: float
    parents: tuple[tuple[int, ...], ...]
    arc_probability: float
    n_searches: int


def shortest_at(
    cheapest: Callable[[float], CheapestDag], arc_costs: ArcCosts, arc_probability: float | str
) -> ShortestAtProbability:
    """Find the shortest message at a given arc probability, or at the probability that a rule chooses."""
    check_arc_probability(arc_probability)
    if isinstance(arc_probability, str):
        return _RULES[arc_probability](cheapest, arc_costs)
    dag = cheapest(arc_cost(arc_probability))
    length = dag.cost + arc_costs.no_arcs(arc_probability)
    return ShortestAtProbability(length, dag.parents, float(arc_probability), 1)


def shortest_at_fixed_point(
    cheapest: Callable[[float], CheapestDag], arc_costs: ArcCosts
) -> ShortestAtProbability:
    """Estimate the arc probability from the shortest network, and repeat the search until both agree.

    The first estimate is p = 1/2, as in the CaMML program. The result need not be the shortest message over
    all arc probabilities. The message that `shortest_over_arc_probabilities` finds is never longer.

    Notes
    -----
    The number of arcs never rises if the cost of an arc rises, so the estimates are monotone and the
    repetition ends.
    """
    p, seen = 0.5, set[int]()
    while True:
        dag = cheapest(arc_cost(p))
        p_next = estimated_arc_probability(dag.n_arcs, arc_costs.n_pairs)
        if p_next == p or dag.n_arcs in seen:
            return ShortestAtProbability(dag.cost + arc_costs.no_arcs(p), dag.parents, p, len(seen) + 1)
        seen.add(dag.n_arcs)
        p = p_next


def shortest_over_arc_probabilities(
    cheapest: Callable[[float], CheapestDag], arc_costs: ArcCosts
) -> ShortestAtProbability:
    """Minimize the length of the shortest message over p = (a + 1/2) / (M + 1), a = 0 .. M.

    In ties, the smallest a is taken. M is the number of pairs of nodes.

    Notes
    -----
    The cost of each graph is a linear function of the cost of a free arc, ln((1 - p) / p), with the number of
    arcs as slope, from 0 to M. The lowest cost over all graphs is therefore a concave function, and the chord
    between two arc costs that were already searched is a lower bound. A probability whose lower bound exceeds
    the shortest known message needs no search. Usually three to five searches suffice.
    """
    pairs = arc_costs.n_pairs
    grid, grid_costs, no_arcs = _grid(pairs)
    no_arcs = no_arcs + arc_costs.constant
    found: dict[int, CheapestDag] = {}
    lengths = np.full(pairs + 1, np.inf)
    a = min(len(arc_costs.free) - 1, pairs)
    while True:
        found[a] = cheapest(float(grid_costs[a]))
        lengths[a] = found[a].cost + no_arcs[a]
        worth = lengths.min() + TIE * (1 + abs(lengths.min()))
        bounds = _lower_bounds(grid_costs, found) + no_arcs
        bounds[list(found)] = np.inf
        if bounds.min() > worth:
            break
        likely = found[a].n_arcs
        a = likely if bounds[likely] <= worth else int(np.argmin(bounds))
    a = int(np.argmax(lengths <= worth))
    return ShortestAtProbability(float(lengths[a]), found[a].parents, float(grid[a]), len(found))


@lru_cache(maxsize=32)
def _grid(n_pairs: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the probabilities, the costs of an arc (descending), and of a network without arcs."""
    grid = np.array([estimated_arc_probability(a, n_pairs) for a in range(n_pairs + 1)])
    return grid, np.array([arc_cost(p) for p in grid]), -n_pairs * np.log1p(-grid)


def _lower_bounds(grid_costs: NDArray[np.float64], found: dict[int, CheapestDag]) -> NDArray[np.float64]:
    """Bound the lowest cost at every arc cost: by chords, and beyond them by slope 0 above and M below."""
    searched = sorted(found, reverse=True)
    pairs = grid_costs.size - 1
    costs = [found[a].cost for a in searched]
    left = costs[0] - pairs * (grid_costs[searched[0]] - grid_costs[-1])
    return np.interp(
        grid_costs, [grid_costs[-1], *grid_costs[searched], grid_costs[0]], [left, *costs, costs[-1]]
    )


_RULES = {"joint": shortest_over_arc_probabilities, "fixed_point": shortest_at_fixed_point}
