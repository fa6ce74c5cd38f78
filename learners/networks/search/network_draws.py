"""Independent draws from the exact posterior over networks, in place of a chain."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learners.networks.progress import phase
from learners.networks.search.annealing import check_search_factor
from learners.networks.search.chain_clock import ChainClock
from learners.networks.search.family_costs import parents_by_node
from learners.networks.search.order_posterior import OrderPosterior
from learners.networks.search.problem import Problem
from learners.networks.search.weighted_graphs import WeightedGraphs

__all__ = ["NetworkDraws", "draw_networks"]

N_DRAWS = 4000
"""By them a share of the posterior has a standard error of at most 0.008."""


@dataclass(frozen=True, eq=False)
class NetworkDraws:
    """Networks drawn independently, each with its posterior probability.

    Attributes
    ----------
    posterior : OrderPosterior
        What they are drawn from.
    graphs : WeightedGraphs
        Without parents that do not shorten the message, each with its share of the draws.
    shortest_parents : tuple of tuple of int
        The graph with the shortest message that was drawn.
    shortest_length : float
        Its nats.
    n_samples : int
        Draws.
    interrupted : bool
        Whether the user or the time limit stopped it.
    """

    posterior: OrderPosterior
    graphs: WeightedGraphs
    shortest_parents: tuple[tuple[int, ...], ...]
    shortest_length: float
    n_samples: int
    interrupted: bool = False

    def __repr__(self) -> str:
        return f"NetworkDraws({self.n_samples:,} draws, {len(self.graphs):,} graphs)"

    @property
    def arc_posteriors(self) -> NDArray[np.float64]:
        """Exact probability of the arc from row to column, of shape (n_nodes, n_nodes)."""
        return self.posterior.arc_posteriors

    @property
    def disagreement(self) -> float:
        """0, as arcs are not counted in the draws."""
        return 0.0

    @property
    def arc_spreads(self) -> NDArray[np.float64]:
        """0 for each arc, by [from, to]."""
        return np.zeros_like(self.arc_posteriors)

    @property
    def agreement(self) -> str:
        """How the networks were found, in words."""
        return "independent draws"


def draw_networks(
    problem: Problem,
    *,
    arc_probability: float,
    search_factor: float = 1.0,
    max_seconds: float | None = None,
    random_state: int | np.random.Generator | None = None,
) -> NetworkDraws:
    """Draw 4000 totally ordered models times `search_factor`, without chain, burn-in or temperature.

    Notes
    -----
    The posterior of totally ordered models is a product over places of an order, so the last node of all, its
    parents, the last of the rest and so on are drawn from sums that the exact average has, see
    `OrderPosterior`. Each network is then cleaned as `sample_toms` cleans those that it meets.
    """
    rng = np.random.default_rng(random_state)
    n_draws = max(1, round(N_DRAWS * check_search_factor(search_factor)))
    phase(f"summing over all networks of {problem.n_nodes} variables")
    posterior = OrderPosterior.of(problem, arc_probability=arc_probability)
    phase("drawing networks")
    clock = ChainClock("Drawing networks", max_seconds, n_draws)
    found: list[NDArray[np.int64]] = []
    try:
        with clock.searching():
            for sets in posterior.drawn_sets(n_draws, rng):
                found.append(sets)
                clock.tick(np.inf, len(sets))
                if clock.is_up:
                    break
    except KeyboardInterrupt:
        if not found:
            raise
    drawn = np.concatenate(found)
    cleaned, lengths = _cleaned(posterior, drawn)
    parents = parents_by_node(posterior.order, cleaned[np.argmin(lengths)].tolist())
    return NetworkDraws(
        posterior,
        WeightedGraphs.merged(_by_node(posterior, cleaned), np.full(len(drawn), 1 / len(drawn))),
        parents,
        problem.length(parents, arc_probability),
        len(drawn),
        len(drawn) < n_draws,
    )


def _cleaned(
    posterior: OrderPosterior, drawn: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Drop parents that do not shorten the message, from the highest node down; return the nats of each."""
    cleaned, lengths = np.empty_like(drawn), np.zeros(len(drawn))
    downwards = np.argsort(posterior.order)[::-1]  # the place of each node
    for v, weights in enumerate(posterior.weights):
        sets, which = np.unique(drawn[:, v], return_inverse=True)
        for place in downwards[downwards != v]:
            fewer = sets & ~(1 << place)
            sets = np.where(weights[_squeezed(fewer, v)] >= weights[_squeezed(sets, v)], fewer, sets)
        cleaned[:, v] = sets[which]
        lengths -= weights[_squeezed(sets, v)][which]
    return cleaned, lengths


def _by_node(posterior: OrderPosterior, sets: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Turn the parents of each place, as bits of places, into those of each node, see `WeightedGraphs`."""
    bits = np.zeros((*sets.shape, 1), np.uint64)
    for place, node in enumerate(posterior.order):
        bits[:, posterior.order, 0] |= (sets >> place & 1).astype(np.uint64) << np.uint64(node)
    return bits


def _squeezed(sets: NDArray[np.int64], v: int) -> NDArray[np.int64]:
    """Return the numbers in a `FamilyTable` of sets that lack place v."""
    low = (1 << v) - 1
    return (sets & low) | (sets >> 1 & ~low)
