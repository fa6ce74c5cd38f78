"""Choose the arc probability together with the network, by looking at few of the probabilities."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from learners.code_lengths.network import arc_cost, check_arc_probability, estimated_arc_probability
from learners.networks.search.arc_costs import ArcPrices

__all__ = [
    "CheapestDag",
    "ShortestAtProbability",
    "shortest_at",
    "shortest_at_fixed_point",
    "shortest_over_arc_probabilities",
]

TIE = 1e-12
"""Lengths that differ by less than this share of themselves are equal: sums of logs know no better."""


@dataclass(frozen=True)
class CheapestDag:
    """The cheapest graph at one price of an arc.

    Attributes
    ----------
    cost : float
        Nats for all families and arcs at that price.
    parents : tuple of tuple of int
        Parents of each node, ascending.
    n_arcs : int
        Number of arcs that have that price.
    """

    cost: float
    parents: tuple[tuple[int, ...], ...]
    n_arcs: int


@dataclass(frozen=True)
class ShortestAtProbability:
    """The shortest message at the chosen arc probability.

    Attributes
    ----------
    length : float
        Nats.
    parents : tuple of tuple of int
        Parents of each node.
    arc_probability : float
        The probability at which this is the length.
    n_searches : int
        How many searches it took.
    """

    length: float
    parents: tuple[tuple[int, ...], ...]
    arc_probability: float
    n_searches: int


def shortest_at(
    cheapest: Callable[[float], CheapestDag], prices: ArcPrices, arc_probability: float | str
) -> ShortestAtProbability:
    """Find the shortest message at an arc probability, or at the one that a rule chooses."""
    check_arc_probability(arc_probability)
    if isinstance(arc_probability, str):
        return _RULES[arc_probability](cheapest, prices)
    dag = cheapest(arc_cost(arc_probability))
    length = dag.cost + prices.no_arcs(arc_probability)
    return ShortestAtProbability(length, dag.parents, float(arc_probability), 1)


def shortest_at_fixed_point(
    cheapest: Callable[[float], CheapestDag], prices: ArcPrices
) -> ShortestAtProbability:
    """Estimate the arc probability from the shortest network, and search again, until both agree.

    The CaMML program does this from p = 1/2. What it ends at need not be the shortest of all; the joint
    choice, `shortest_over_arc_probabilities`, is never longer.

    Notes
    -----
    The number of arcs only falls with their price, so the steps go one way and end.
    """
    p, seen = 0.5, set[int]()
    while True:
        dag = cheapest(arc_cost(p))
        p_next = estimated_arc_probability(dag.n_arcs, prices.n_pairs)
        if p_next == p or dag.n_arcs in seen:
            return ShortestAtProbability(dag.cost + prices.no_arcs(p), dag.parents, p, len(seen) + 1)
        seen.add(dag.n_arcs)
        p = p_next


def shortest_over_arc_probabilities(
    cheapest: Callable[[float], CheapestDag], prices: ArcPrices
) -> ShortestAtProbability:
    """Find the least, over p = (a + 1/2) / (M + 1), a = 0 .. M, of the shortest message at p.

    Of equal lengths the one with the smaller a counts.

    Notes
    -----
    The cheapest graph's cost is a concave function of the price of an arc, ln((1 - p) / p), for it is the
    least of one line for each graph; its slope is the number of arcs, so between 0 and M. Hence the chord
    between two prices already searched bounds it from below, and a probability whose bound exceeds the
    shortest message known needs no search. Three to five searches are the rule.
    """
    pairs = prices.n_pairs
    grid, arc_costs, no_arcs = _grid(pairs)
    no_arcs = no_arcs + prices.constant
    found: dict[int, CheapestDag] = {}
    lengths = np.full(pairs + 1, np.inf)
    a = min(len(prices.free) - 1, pairs)
    while True:
        found[a] = cheapest(float(arc_costs[a]))
        lengths[a] = found[a].cost + no_arcs[a]
        worth = lengths.min() + TIE * (1 + abs(lengths.min()))
        bounds = _lower_bounds(arc_costs, found) + no_arcs
        bounds[list(found)] = np.inf
        if bounds.min() > worth:
            break
        likely = found[a].n_arcs
        a = likely if bounds[likely] <= worth else int(np.argmin(bounds))
    a = int(np.argmax(lengths <= worth))
    return ShortestAtProbability(float(lengths[a]), found[a].parents, float(grid[a]), len(found))


@lru_cache(maxsize=32)
def _grid(n_pairs: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Probabilities, their prices of an arc (descending), and what a network without arcs costs."""
    grid = np.array([estimated_arc_probability(a, n_pairs) for a in range(n_pairs + 1)])
    return grid, np.array([arc_cost(p) for p in grid]), -n_pairs * np.log1p(-grid)


def _lower_bounds(prices: NDArray[np.float64], found: dict[int, CheapestDag]) -> NDArray[np.float64]:
    """Bound the cheapest cost at every price: chords in between, beyond them slope 0 above and M below."""
    searched = sorted(found, reverse=True)
    pairs = prices.size - 1
    costs = [found[a].cost for a in searched]
    left = costs[0] - pairs * (prices[searched[0]] - prices[-1])
    return np.interp(prices, [prices[-1], *prices[searched], prices[0]], [left, *costs, costs[-1]])


_RULES = {"joint": shortest_over_arc_probabilities, "fixed_point": shortest_at_fixed_point}
