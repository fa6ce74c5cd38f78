"""Choose the arc probability together with the network, by looking at few of the probabilities."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from learners.code_lengths.network import arc_cost, estimated_arc_probability, n_pairs, structure_length

__all__ = ["CheapestDag", "ShortestAtProbability", "shortest_over_arc_probabilities"]

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
    """

    cost: float
    parents: tuple[tuple[int, ...], ...]

    @property
    def n_arcs(self) -> int:
        """Number of arcs."""
        return sum(map(len, self.parents))


@dataclass(frozen=True)
class ShortestAtProbability:
    """The shortest message over a grid of arc probabilities.

    Attributes
    ----------
    length : float
        Nats.
    parents : tuple of tuple of int
        Parents of each node.
    arc_probability : float
        The grid's probability at which this is the length.
    n_searches : int
        How many searches it took.
    """

    length: float
    parents: tuple[tuple[int, ...], ...]
    arc_probability: float
    n_searches: int


def shortest_over_arc_probabilities(
    cheapest: Callable[[float], CheapestDag], n_nodes: int
) -> ShortestAtProbability:
    """Find the least, over p = (a + 1/2) / (M + 1), a = 0 .. M, of the shortest message at p.

    Of equal lengths the one with the smaller a counts.

    Parameters
    ----------
    cheapest : callable
        The cheapest graph when an arc costs this many nats more than no arc (which may be negative).
    n_nodes : int
        Number of nodes; M = n_nodes (n_nodes - 1) / 2.

    Returns
    -------
    ShortestAtProbability

    Notes
    -----
    The cheapest graph's cost is a concave function of the price of an arc, ln((1 - p) / p), for it is the
    least of one line for each graph; its slope is the number of arcs, so between 0 and M. Hence the chord
    between two prices already searched bounds it from below, and a probability whose bound exceeds the
    shortest message known needs no search. Three to five searches are the rule.

    Examples
    --------
    Two nodes, whose arc saves 3 nats:

    >>> def cheapest(price):
    ...     return CheapestDag(10.0, ((), ())) if price >= 3 else CheapestDag(7 + price, ((), (0,)))
    >>> best = shortest_over_arc_probabilities(cheapest, 2)
    >>> best.parents, best.arc_probability, round(best.length, 3)   # 7 - ln 0.75
    (((), (0,)), 0.75, 7.288)
    """
    grid, prices, no_arcs = _grid(n_nodes)
    pairs = grid.size - 1
    found: dict[int, CheapestDag] = {}
    lengths = np.full(pairs + 1, np.inf)
    a = min(n_nodes - 1, pairs)
    while True:
        found[a] = cheapest(float(prices[a]))
        lengths[a] = found[a].cost + no_arcs[a]
        worth = lengths.min() + TIE * (1 + abs(lengths.min()))
        bounds = _lower_bounds(prices, found) + no_arcs
        bounds[list(found)] = np.inf
        if bounds.min() > worth:
            break
        likely = found[a].n_arcs
        a = likely if bounds[likely] <= worth else int(np.argmin(bounds))
    a = int(np.argmax(lengths <= worth))
    return ShortestAtProbability(float(lengths[a]), found[a].parents, float(grid[a]), len(found))


@lru_cache(maxsize=32)
def _grid(n_nodes: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Probabilities, their prices of an arc (descending), and what a network without arcs costs."""
    grid = [estimated_arc_probability(a, n_nodes) for a in range(n_pairs(n_nodes) + 1)]
    prices = [arc_cost(p) for p in grid]
    no_arcs = [structure_length(0, n_nodes, p) for p in grid]
    return np.array(grid), np.array(prices), np.array(no_arcs)


def _lower_bounds(prices: NDArray[np.float64], found: dict[int, CheapestDag]) -> NDArray[np.float64]:
    """Bound the cheapest cost at every price: chords in between, beyond them slope 0 above and M below."""
    searched = sorted(found, reverse=True)
    pairs = prices.size - 1
    costs = [found[a].cost for a in searched]
    left = costs[0] - pairs * (prices[searched[0]] - prices[-1])
    return np.interp(prices, [prices[-1], *prices[searched], prices[0]], [left, *costs, costs[-1]])
