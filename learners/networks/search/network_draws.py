"""Independent draws from the exact posterior over networks."""

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.networks._kernels import order_sums
from learners.networks.progress import advance, phase
from learners.networks.search.annealing import check_search_factor
from learners.networks.search.averaging import distinct_rows
from learners.networks.search.chain_clock import ChainClock
from learners.networks.search.family_costs import parents_by_node
from learners.networks.search.order_posterior import OrderPosterior
from learners.networks.search.problem import NetworkProblem
from learners.networks.search.weighted_graphs import WeightedGraphs

__all__ = ["MOST_DRAWN_NODES", "NetworkDraws", "TimeIsShort", "draw_networks"]

MOST_DRAWN_NODES = 16
"""The most nodes of networks that are drawn: up to 100 MB; every further one doubles memory and time."""

N_DRAWS = 20_000
"""With 4000 the representative depended on the seed for 3 of 60 tables of 50 rows and 5 to 9 variables, with
20,000 for none; with 12 to 16 variables for a quarter of tables of 50 to 200 rows, as with chains."""

MOST_WORK = 1e8
"""Families and graphs, times sets of nodes, up to which shares of graphs are exact: a quarter of a second."""

BLOCK = 256  # graphs at once


class TimeIsShort(Exception):
    """Error raised if the time limit is too short for the sums from which networks are drawn."""


@dataclass(frozen=True, eq=False)
class NetworkDraws:
    """Networks drawn independently, each with its posterior probability."""

    posterior: OrderPosterior | None  # None once it was pickled
    # without parents that save nothing; with exact posteriors or, if too many, their share of the draws
    graphs: WeightedGraphs
    shortest_parents: tuple[tuple[int, ...], ...]
    shortest_length: float  # nats
    n_samples: int
    interrupted: bool = False

    def __repr__(self) -> str:
        return f"NetworkDraws({self.n_samples:,} draws, {len(self.graphs):,} graphs)"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "arc_posteriors": self.arc_posteriors, "posterior": None}

    @cached_property
    def arc_posteriors(self) -> NDArray[np.float64]:
        """Exact probability of the arc from row to column, of shape (n_nodes, n_nodes)."""
        assert self.posterior is not None
        return self.posterior.arc_posteriors

    @property
    def arc_spreads(self) -> NDArray[np.float64]:
        """Zero for each arc, by [from, to], since exact posteriors have no spread."""
        return np.zeros_like(self.arc_posteriors)

    @property
    def agreement(self) -> str:
        """Description of the method by which the networks were found."""
        return "independent draws"


def draw_networks(
    problem: NetworkProblem,
    *,
    arc_probability: float,
    search_factor: float = 1.0,
    max_seconds: float | None = None,
    random_state: int | np.random.Generator | None = None,
) -> NetworkDraws:
    """Draw 20,000 totally ordered models times `search_factor`, without chain, burn-in or temperature."""
    # Their posterior is a product over places of an order, so the last node of all, its parents, the last of
    # the rest and so on are drawn from sums that the exact average has, see `OrderPosterior`. Each network is
    # cleaned as `sample_toms` does. The posterior of a cleaned graph, over all models that are cleaned to it,
    # is one more sum over orders: draws only decide which graphs are listed.
    rng = np.random.default_rng(random_state)
    n_draws = max(1, round(N_DRAWS * check_search_factor(search_factor)))
    clock = ChainClock("Drawing networks", max_seconds, n_draws)
    phase(f"summing over all networks of {problem.n_nodes} variables")
    with clock.searching():
        posterior = OrderPosterior.of(
            problem, arc_probability=arc_probability, pause=partial(_check_time, clock)
        )
    phase("drawing networks")
    cleaned = _cleaned_families(posterior)
    graphs, n_times = np.empty((0, problem.n_nodes), np.int64), np.empty(0)
    try:
        with clock.searching():
            for sets in posterior.drawn_sets(n_draws, rng):
                graphs, n_times = _merged(graphs, n_times, cleaned, sets)
                clock.tick(np.inf, len(sets))
                if clock.is_up:
                    break
    except KeyboardInterrupt:
        if not n_times.size:
            raise
    places = np.arange(problem.n_nodes)
    nats = -posterior.weights[places, _numbers(graphs, places)].sum(axis=1)
    parents = parents_by_node(posterior.order, graphs[np.argmin(nats)].tolist())
    shares = _exact_shares(posterior, cleaned, graphs)
    n_drawn = int(n_times.sum())
    weights = n_times / n_drawn if shares is None else _with_unlisted(shares, n_times)
    return NetworkDraws(
        posterior,
        WeightedGraphs.merged(_by_node(posterior, graphs), weights),
        parents,
        problem.length(parents, arc_probability),
        n_drawn,
        n_drawn < n_draws,
    )


def _check_time(clock: ChainClock, share: float) -> None:
    """Show progress, and stop when the time limit is reached before there is anything to draw from."""
    advance(share)
    if clock.is_up and share < 1:
        raise TimeIsShort


def _merged(
    graphs: NDArray[np.int64],
    n_times: NDArray[np.float64],
    cleaned: NDArray[np.int64],
    drawn: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Add drawn networks to the cleaned graphs so far, each stored once."""
    places = np.arange(drawn.shape[1])
    both = np.concatenate([graphs, cleaned[places, _numbers(drawn, places)]])
    first, which, _ = distinct_rows(both.T, np.full(places.size, 1 << places.size))
    times = np.bincount(which, np.append(n_times, np.ones(len(drawn))))
    return both[first], times.astype(np.float64)


def _cleaned_families(posterior: OrderPosterior) -> NDArray[np.int64]:
    """Drop the parents that save nothing from every family, highest node first, and return bits of places."""
    cleaned = np.empty(posterior.weights.shape, np.int64)
    downwards = np.argsort(posterior.order)[::-1]  # the place of each node
    for v, weights in enumerate(posterior.weights):
        numbers = np.arange(weights.size)
        sets = (numbers >> v << v + 1) | (numbers & (1 << v) - 1)
        for place in downwards[downwards != v]:
            fewer = sets & ~(1 << place)
            sets = np.where(weights[_numbers(fewer, v)] >= weights[_numbers(sets, v)], fewer, sets)
        cleaned[v] = sets
    return cleaned


def _exact_shares(
    posterior: OrderPosterior, cleaned: NDArray[np.int64], graphs: NDArray[np.int64]
) -> NDArray[np.float64] | None:
    """Return the posterior of each cleaned graph, or None if that is too much work."""
    n_nodes, n_sets = posterior.weights.shape
    families = np.empty_like(graphs)
    found: list[NDArray[np.float64]] = []
    n_families = 0
    for v in range(n_nodes):
        sets, families[:, v] = np.unique(graphs[:, v], return_inverse=True)
        families[:, v] += n_families
        n_families += sets.size
        if (n_families + len(graphs)) * n_nodes * n_sets > MOST_WORK:
            return None
        found.append(_chances(posterior, cleaned[v], v, sets))
    given = (posterior.sums, posterior.forward, posterior.early, np.concatenate(found))
    blocks = range(0, len(graphs), BLOCK)
    return np.concatenate([order_sums.graph_shares(*given, families[i : i + BLOCK]) for i in blocks])


def _with_unlisted(shares: NDArray[np.float64], n_times: NDArray[np.float64]) -> NDArray[np.float64]:
    """Assign the posterior of graphs that were never drawn to graphs drawn once, so that classes sum up."""
    # Good and Turing: what was never drawn is distributed over classes as what was drawn once is
    once = n_times == 1
    if not once.any():
        return shares / shares.sum()
    return shares + once * max(1.0 - shares.sum(), 0.0) / once.sum()


def _chances(
    posterior: OrderPosterior, cleaned: NDArray[np.int64], v: int, sets: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the probability of each cleaned parent set of place v, given every set of places before it."""
    weights, sums = posterior.weights[v], posterior.sums[v]
    longest = weights[_numbers(sets, v), None]  # cleaning never lengthens the message
    total = np.where(cleaned == sets[:, None], np.exp(np.minimum(weights - longest, 0.0)), 0.0)
    for bit in range(cleaned.size.bit_length() - 1):  # sums over subsets
        halves = total.reshape(sets.size, -1, 2, 1 << bit)
        halves[:, :, 1] += halves[:, :, 0]
    with np.errstate(divide="ignore"):
        logs = np.log(total)
    given = np.subtract(longest, sums, out=np.zeros_like(total), where=total > 0)  # infinite where impossible
    return np.exp(logs + given)


def _by_node(posterior: OrderPosterior, sets: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Convert the parents of each place, as bits of places, to those of each node (see `WeightedGraphs`)."""
    bits = np.zeros((*sets.shape, 1), np.uint64)
    for place, node in enumerate(posterior.order):
        bits[:, posterior.order, 0] |= (sets >> place & 1).astype(np.uint64) << np.uint64(node)
    return bits


def _numbers(sets: NDArray[np.int64], v: int | NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the columns of families in `OrderPosterior.weights`, for sets without place v."""
    low = (1 << v) - 1
    return (sets & low) | (sets >> 1 & ~low)
