"""Heuristic search for many nodes: candidate parents of each node, then local search over orders."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from learners.code_lengths.network import arc_cost, check_arc_probability, estimated_arc_probability
from learners.networks.search.annealing import anneal, check_search_factor
from learners.networks.search.arc_costs import NO_NETWORK, ArcCosts
from learners.networks.search.arc_probability import CheapestDag, ShortestAtProbability, shortest_at
from learners.networks.search.candidates import CandidateFamilies, members_of
from learners.networks.search.chain_clock import ChainClock, SearchTimeout
from learners.networks.search.order_walk import SAME, OrderWalk
from learners.networks.search.problem import NetworkProblem
from learners.networks.search.search_problem import FoundNetwork

__all__ = ["fast_search", "required_network"]

RESTARTS, AGREEING = 20, 3
"""Most random starts, and those that must reach the best known network before the search ends earlier."""

QUICK = 50
"""Shaken orders in a row without improvement, before the next cost of an arc is tried."""

BRIEF = 10
"""The same between two sizes of candidates."""

MOST_ORDERS, MOST_BATCHES = 20, 8
"""Most random orders along which candidates are grown at a time, and most times that this is done."""

UNLUCKY = 2
"""Batches in a row without improvement after which the search ends where growing was cut."""

BATCH_WORK = 1e7
"""Approximate vector additions for one set of each node in all of these orders; limits their number."""

THOROUGH = 100, 5
"""The same at the chosen cost of an arc: a constant, and an amount per node."""

MOST_READ = 10_000_000
"""Limit of candidates times shaken orders in a row, where there are many candidates."""

LOWER = 0.25
"""Nats below the requested cost of an arc for which candidates are grown, so that it happens only once."""


def fast_search(
    problem: NetworkProblem,
    *,
    arc_probability: float | str = "joint",
    search_factor: float = 1.0,
    max_seconds: float | None = None,
    random_state: int | np.random.Generator | None = None,
) -> FoundNetwork:
    """Find a network with a short message, also for more nodes than the exact search accepts.

    The result is not proved to be the shortest. Where the exact search can verify it, it nearly always is the
    shortest. Opinions on ancestors, correlations and the order are left out at first. If there are any,
    annealing then starts from the network found and takes them into account, within the second half of
    `max_seconds`. In this case, the trace is the trace of the annealing.

    Notes
    -----
    Candidate parent sets of each node are grown by one parent at a time. After each size, orders of the nodes
    are improved, in which each node takes its cheapest candidate set among its predecessors. Neighbors of the
    families that were reached are evaluated until that no longer helps. After the first size, candidates are
    also grown along random orders, and once more at the end if the growing was cut. Growing is limited by a
    fixed amount of work and not by time. Dense data sets use up this amount. A short message is therefore
    known early, and the remaining time shortens it. In the end, all remaining pairs of parents are examined,
    up to some 200 nodes with 9000 rows. Three parents that help only together are found only if some pair of
    them is promising. The order of the nodes obeys `ArcCosts.before`, as in the exact search.

    Times on one thread with "joint" are 1.0 s for alarm (37 nodes) with 5000 rows and 0.5 s with 500 rows,
    1.1 s for hailfinder (56 nodes), and 2.4 s and 13 s for random networks of 100 and 200 nodes with 5000
    rows. Dense data sets take longer. The kr-vs-kp data (37 nodes, 3196 rows) take 13 s. The message has
    49,614 bits after one second and 49,542 bits at the end, and hill climbing with 20 restarts ends at 50,194
    bits. Mushroom (23 nodes, 8124 rows) takes 7 s. The message has 120,636 bits after one second and 119,378
    bits at the end, and hill climbing ends at 125,833 bits. Satellite (37 nodes, 6435 rows) takes 3.5 s, and
    2000 rows of thirty columns that are rules of seven hidden columns take 20 s. All of twelve seeds gave the
    same length on mushroom, and all of four seeds on kr-vs-kp. On random networks of 100 nodes with 500 rows,
    3 of 12 messages would have been shorter, by up to 23 nats, with a family of three true parents that are
    uninformative singly. A tenfold `search_factor` found this family in two of two trials, in a minute.

    On alarm, insurance and hailfinder with 500 and 5000 rows, ten of ten seeds gave the same length. Hill
    climbing with 20 restarts, tabu search and simulated annealing, each at the same arc probability and for
    at most 25 s, did not find shorter messages on these networks, on child, and on a random network of 50
    nodes. Messages of hill climbing were up to 893 nats longer. In 300 problems of 5 to 10 nodes, with and
    without missing values, fixed arc costs and limits, all runs found messages of the same length as the
    exact search. With trees as local models, families are evaluated one at a time, and the search is many
    times slower.

    References
    ----------
    .. [1] Teyssier, M. & Koller, D. 2005, "Ordering-based search: a simple and effective algorithm for
       learning Bayesian networks", UAI.
    .. [2] Scanagatta, M., de Campos, C. P., Corani, G. & Zaffalon, M. 2015, "Learning Bayesian networks with
       thousands of variables", NIPS.
    """
    check_arc_probability(arc_probability)
    factor, rng = check_search_factor(search_factor), np.random.default_rng(random_state)
    indirect = problem.arc_costs.indirect is not None
    modular = problem.with_arc_costs(replace(problem.arc_costs, indirect=None)) if indirect else problem
    half = max_seconds / 2 if indirect and max_seconds is not None else max_seconds
    search = _FastSearch(modular, factor, half, rng)
    with search.clock.searching():
        found = search.run(arc_probability)
    if not indirect:
        return found
    took = search.clock.seconds
    left = None if max_seconds is None else max_seconds - took
    if search.stopped_by_user or (left is not None and left <= 0):
        length = problem.length(found.parents, found.arc_probability)
        return replace(found, length=length, trace=np.array([(took, length)]), interrupted=True)
    annealed = anneal(
        problem, arc_probability=arc_probability, search_factor=factor,
        max_seconds=left, start=found, random_state=rng,
    )  # fmt: skip
    return replace(
        annealed,
        trace=annealed.trace + np.array([took, 0.0]),
        interrupted=found.interrupted or annealed.interrupted,
    )


def required_network(problem: NetworkProblem, walk: OrderWalk) -> tuple[tuple[tuple[int, ...], ...], float]:
    """Return the required parents and their nats, or raise an error if no network is possible."""
    parents = tuple(tuple(np.flatnonzero(column).tolist()) for column in problem.arc_costs.required.T)
    cost = sum(problem.family_cost(v, others) for v, others in enumerate(parents))
    if not (math.isfinite(cost) and walk.possible):
        raise ValueError(NO_NETWORK)
    return parents, cost


class _FastSearch:
    """One search: its candidates, the networks found so far, and the clock."""

    def __init__(
        self,
        problem: NetworkProblem,
        factor: float,
        max_seconds: float | None,
        rng: np.random.Generator,
    ) -> None:
        self.problem, self.factor = problem, factor
        self.restarts, self.agreeing = (max(1, round(n * factor)) for n in (RESTARTS, AGREEING))
        self.clock = ChainClock("Fast search", max_seconds)
        self.walk = OrderWalk(problem.arc_costs, rng, self._report, self._pause)
        self.known = KnownNetworks()
        self.trace: list[tuple[float, float]] = []
        self.searched = set[float]()
        self.stopped = self.stopped_by_user = False
        self.shortest = math.inf, 0  # nats, and how many networks were known then

    def run(self, arc_probability: float | str) -> FoundNetwork:
        self.arc_probability = arc_probability
        self.free_arc_cost = self._lowest_arc_cost(arc_probability)
        # the required arcs alone are known first; raises if no network is possible
        parents, cost = required_network(self.problem, self.walk)
        self.known.add(parents, cost, 0)
        self._note(cost + self.problem.arc_costs.no_arcs(_probability(self.free_arc_cost)))
        try:
            best = self._shortest(arc_probability)
        except (KeyboardInterrupt, SearchTimeout) as stop:
            self.stopped, self.stopped_by_user = True, isinstance(stop, KeyboardInterrupt)
            best = _shortest_at(self._cheapest, self.problem.arc_costs, arc_probability)
        length = self.problem.length(best.parents, best.arc_probability)
        self._note(length)
        return FoundNetwork(best.parents, length, best.arc_probability, np.array(self.trace), self.stopped)

    def _shortest(self, arc_probability: float | str) -> ShortestAtProbability:
        """Search quickly at each arc cost that the rule requests, and thoroughly at the chosen one."""
        self._grow(self.free_arc_cost, isinstance(arc_probability, str))
        thoroughly = set[float]()
        while True:
            best = _shortest_at(self._cheapest, self.problem.arc_costs, arc_probability)
            if best.arc_probability in thoroughly:
                return best
            thoroughly.add(best.arc_probability)
            self._search_thoroughly(arc_cost(best.arc_probability))

    def _lowest_arc_cost(self, arc_probability: float | str) -> float:
        """Estimate the lowest arc cost that will be requested: that of two arcs per node, or of p = 1/2."""
        if not isinstance(arc_probability, str):
            return arc_cost(arc_probability)
        pairs = self.problem.arc_costs.n_pairs
        free_arc_cost = arc_cost(estimated_arc_probability(min(2 * self.problem.n_nodes, pairs), pairs))
        return free_arc_cost if arc_probability == "joint" else min(free_arc_cost, 0.0)

    def _cheapest(self, free_arc_cost: float) -> CheapestDag:
        """Search once per cost of a free arc, from the best known network, and return the best."""
        if not self.stopped and free_arc_cost not in self.searched:
            if free_arc_cost < self.candidates.free_arc_cost:
                self._grow(free_arc_cost - LOWER)
            self._look_at(free_arc_cost)
            self._settle(self._order_of_best(), QUICK)
            self.searched.add(free_arc_cost)
        best = self.known.cheapest(free_arc_cost)
        self._note(best.cost + self.problem.arc_costs.no_arcs(_probability(free_arc_cost)))
        return best

    def _grow(self, free_arc_cost: float, adapt: bool = False) -> None:
        """Grow the candidates for this arc cost and all above, and search with them after each size."""
        # with `adapt`, growing restarts if the first network has so many arcs that they will be cheaper
        self.candidates = CandidateFamilies(self.problem, free_arc_cost, self.factor)
        size = 0
        for grown in self.candidates.grow():
            self._pause()
            if grown == size:
                continue
            size = grown
            self._look_at(free_arc_cost)
            self._settle(self._order_of_best(), BRIEF)
            if size == 1 and adapt and self._arc_cost_of_best() < free_arc_cost:
                self._grow(self._arc_cost_of_best() - 2 * LOWER)
                return
            if size == 1:
                self._explore()
        self._look_at(free_arc_cost)
        if self.candidates.cut:
            self._explore(UNLUCKY)
        self._grow_pairs()

    def _grow_pairs(self) -> None:
        """Examine the remaining pairs of parents, and continue from the best network if any is kept."""
        n_kept = self.candidates.n_kept
        for _ in self.candidates.grow_pairs():
            self._pause()
        if self.candidates.n_kept > n_kept:
            self._look_at(self.free_arc_cost)
            self._settle(self._order_of_best(), BRIEF)

    def _arc_cost_of_best(self) -> float:
        """Return the cost of an arc estimated from the best known network."""
        n_arcs = self.known.cheapest(self.free_arc_cost).n_arcs
        return arc_cost(estimated_arc_probability(n_arcs, self.problem.arc_costs.n_pairs))

    def _search_thoroughly(self, free_arc_cost: float) -> None:
        """Start from random orders until several reach the best, then examine neighbors of its families."""
        self._look_at(free_arc_cost)
        affordable = max(MOST_READ // len(self.families.costs), QUICK)
        patience = min(THOROUGH[0] + THOROUGH[1] * self.problem.n_nodes, affordable)
        patience = max(1, round(patience * self.factor))
        agreeing = 0
        for _ in range(self.restarts):
            shortest = self.known.least(free_arc_cost)
            reached = self._settle(self.walk.random_order(), patience)
            agreeing = 1 if reached < shortest - SAME else agreeing + (reached < shortest + SAME)
            if agreeing == self.agreeing:
                break
        self._settle(self._order_of_best(), patience)

    def _settle(self, order: NDArray[np.int64], patience: int) -> float:
        """Walk until nothing improves, evaluate neighbors of the families reached, and repeat."""
        cost, choice = self.walk.settle(order, self.families, patience)
        while True:
            parents, n_kept = self._parents(choice), self.candidates.n_kept
            for _ in self.candidates.grow_around(parents, n_dropped=2):
                self._pause()
            if self.candidates.n_kept == n_kept:
                return cost
            self._look_at(self.free_arc_cost)
            reached, choice = self.walk.settle(self.walk.order_of(parents), self.families, patience)
            if reached >= cost - SAME:
                return cost
            cost = reached

    def _explore(self, unlucky: int = 1) -> None:
        """Grow candidates along random orders, until `unlucky` batches in a row bring no improvement."""
        # a set that is expensive among all sets may be the best that some order allows a node
        n_orders = min(max(int(BATCH_WORK / self.candidates.work), 1), MOST_ORDERS)
        idle = 0
        for _ in range(MOST_BATCHES):
            shortest = self.known.least(self.free_arc_cost)
            orders = [self.walk.random_order() for _ in range(n_orders)]
            self._grow_along(orders)
            for order in orders:
                self._settle(order, BRIEF)
            idle = idle + 1 if self.known.least(self.free_arc_cost) >= shortest - SAME else 0
            if idle == unlucky:
                return

    def _grow_along(self, orders: list[NDArray[np.int64]]) -> None:
        """Extend the sets that the nodes choose in some orders, until they choose nothing new."""
        n_kept = 0
        while n_kept < self.candidates.n_kept:
            n_kept = self.candidates.n_kept
            for order in orders:
                chosen = self._parents(self.walk.choices(order, self.families))
                for _ in self.candidates.grow_around(chosen, n_dropped=0):
                    self._pause()
            self._look_at(self.free_arc_cost)

    def _look_at(self, free_arc_cost: float) -> None:
        self.free_arc_cost = free_arc_cost
        self.families = self.candidates.sorted_at(free_arc_cost)

    def _order_of_best(self) -> NDArray[np.int64]:
        return self.walk.order_of(self.known.cheapest(self.free_arc_cost).parents)

    def _report(self, cost: float, choice: NDArray[np.int64]) -> None:
        """Add a network to the known ones if it is the cheapest at this arc cost."""
        if cost < self.known.least(self.free_arc_cost) - SAME:
            parents = self._parents(choice)
            n_arcs = self.problem.arc_costs.n_free_arcs(parents)
            self.known.add(parents, cost - self.free_arc_cost * n_arcs, n_arcs)
            self._note(cost + self.problem.arc_costs.no_arcs(_probability(self.free_arc_cost)))

    def _parents(self, choice: NDArray[np.int64]) -> tuple[tuple[int, ...], ...]:
        members = members_of(self.families.sets[choice], self.problem.n_nodes)
        return tuple(tuple(np.flatnonzero(row).tolist()) for row in members)

    def _note(self, length: float) -> None:
        if not self.trace or length < self.trace[-1][1] - SAME:
            self.trace.append((self.clock.seconds, length))

    def _pause(self) -> None:
        """Log progress between blocks of work, and check the time limit."""
        if len(self.known) > self.shortest[1]:
            # what a stop would return: the arc probability of the search need not be that of the result
            best = _shortest_at(self.known.cheapest, self.problem.arc_costs, self.arc_probability)
            self.shortest = best.length, len(self.known)
        self.clock.tick(self.shortest[0])
        if self.clock.is_up:
            raise SearchTimeout


def _shortest_at(
    cheapest: Callable[[float], CheapestDag], arc_costs: ArcCosts, arc_probability: float | str
) -> ShortestAtProbability:
    """Find the shortest message as `shortest_at` does, except "joint" by estimates and their neighbors."""
    # To prove that nothing is shorter at distant probabilities, `shortest_at` searches at arc costs with many
    # candidates; a search that proves nothing need not.
    if arc_probability != "joint":
        return shortest_at(cheapest, arc_costs, arc_probability)
    pairs = arc_costs.n_pairs
    found: dict[int, CheapestDag] = {}
    lengths: dict[int, float] = {}
    a = min(len(arc_costs.free) - 1, pairs)
    while True:
        p = estimated_arc_probability(a, pairs)
        found[a] = cheapest(arc_cost(p))
        lengths[a] = found[a].cost + arc_costs.no_arcs(p)
        best = min(lengths, key=lambda a: (lengths[a], a))
        promising = (found[a].n_arcs, found[best].n_arcs, best - 1, best + 1, 0)
        unseen = [a for a in promising if 0 <= a <= pairs and a not in found]
        if not unseen:
            p = estimated_arc_probability(best, pairs)
            return ShortestAtProbability(lengths[best], found[best].parents, p, len(found))
        a = unseen[0]


def _probability(free_arc_cost: float) -> float:
    """Return the arc probability p at which an arc costs ln((1 - p) / p)."""
    return 1 / (1 + math.exp(free_arc_cost))


class KnownNetworks:
    """Networks in the order in which they were found."""

    def __init__(self) -> None:
        self._parents: list[tuple[tuple[int, ...], ...]] = []
        self._costs: NDArray[np.float64] = np.empty(0)
        self._n_arcs: NDArray[np.int64] = np.empty(0, np.int64)

    def __len__(self) -> int:
        return len(self._parents)

    def add(self, parents: tuple[tuple[int, ...], ...], cost: float, n_arcs: int) -> None:
        """Add a network with its cost in nats without the free arcs, and their number."""
        self._parents.append(parents)
        self._costs = np.append(self._costs, cost)
        self._n_arcs = np.append(self._n_arcs, n_arcs)

    def least(self, free_arc_cost: float) -> float:
        """Return the least cost at a given cost of a free arc, in nats."""
        return float((self._costs + free_arc_cost * self._n_arcs).min())

    def cheapest(self, free_arc_cost: float) -> CheapestDag:
        """Return the network of least cost at a given cost of a free arc, the first found in ties."""
        costs = self._costs + free_arc_cost * self._n_arcs
        best = int(np.argmin(costs))
        return CheapestDag(float(costs[best]), self._parents[best], int(self._n_arcs[best]))
