"""Search for the Markov blanket of one node: its parents, its children and their other parents."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from learners.code_lengths.network import arc_cost, check_arc_probability, estimated_arc_probability
from learners.networks._kernels.local_cost import TABLE
from learners.networks.progress import advance
from learners.networks.search.annealing import check_search_factor
from learners.networks.search.candidates import CandidateFamilies, bits_of
from learners.networks.search.chain_clock import ChainClock, SearchTimeout
from learners.networks.search.fast import fast_search, required_network
from learners.networks.search.indirect_prior import REFUSED
from learners.networks.search.order_walk import OrderWalk
from learners.networks.search.search_problem import FoundNetwork, SearchProblem

__all__ = ["blanket_search"]

MOST_ADDED = 12
"""Most nodes that enter the search at a time, those that save most; or as many as were searched, if more."""

MANY = 0.25
"""Share of the nodes beyond which all are searched: that takes no longer, and leaves none out."""

MOST_GROWN = 6
"""Most parents that are sought for a node before it is asked what the target tells about it with them."""

MOST_SEPARATING = 3
"""Most parents that are sought for a node before it is asked whether the target still tells about it."""

LEAST_SECONDS = 1e-3
"""Given to a search when the time is up: it ends with what it knows at once."""

BRIEFLY = 0.2
"""Search factor until no node enters any more."""

Parents = tuple[tuple[int, ...], ...]


def blanket_search(
    problem: SearchProblem,
    target: int,
    *,
    arc_probability: float | str = "joint",
    search_factor: float = 1.0,
    max_seconds: float | None = None,
    random_state: int | np.random.Generator | None = None,
) -> FoundNetwork:
    """Search for the network of a target node and its Markov blanket only.

    Notes
    -----
    A forecast of the target needs only the families of the target and of its children. The fast search is
    therefore run on the target and a few nodes. Then outside nodes are added if they save more than the cost
    of their arcs: one or two nodes as further parents of the target, one node as a further parent of a child
    of the target, or one node as a further child. For a child, the target must save bits as a parent, either
    as the only parent or together with other nodes, and still save bits if the inside nodes that are most
    informative about the child are also its parents. This is repeated until no node is added. If more than a
    quarter of all nodes would be added, all nodes are searched instead. The method is a heuristic: three
    parents that save bits only together are not found. Pairs of nodes that save bits only together are
    evaluated by probability tables, whatever the local model is.

    Outside nodes may be informative about inside nodes. If rows to forecast have missing values, the whole
    network is therefore more informative.

    If the arc probability is estimated, the estimate assumes as many arcs per node outside as among the
    searched nodes. Outside nodes have only their required parents, so the message of the whole network is
    longer than necessary.

    Measurements are on the page about Markov blankets of the documentation.

    References
    ----------
    .. [1] Pearl, J. 1988, Probabilistic Reasoning in Intelligent Systems, section 3.3.
    .. [2] Aliferis, C. F., Statnikov, A., Tsamardinos, I., Mani, S. & Koutsoukos, X. D. 2010, "Local causal
       and Markov blanket induction for causal discovery and feature selection", JMLR 11.
    """
    check_arc_probability(arc_probability)
    if problem.arc_costs.indirect is not None:
        raise ValueError(REFUSED)
    factor, rng = check_search_factor(search_factor), np.random.default_rng(random_state)
    search = _BlanketSearch(problem, target, arc_probability, rng, ChainClock("Blanket search", max_seconds))
    with search.clock.searching():
        return search.run(factor, max_seconds)


class _BlanketSearch:
    """The nodes searched so far, and their network."""

    def __init__(
        self,
        problem: SearchProblem,
        target: int,
        arc_probability: float | str,
        rng: np.random.Generator,
        clock: ChainClock,
    ) -> None:
        self.problem, self.target, self.rng, self.clock = problem, target, rng, clock
        self.rule = arc_probability
        walk = OrderWalk(problem.arc_costs, rng, lambda *_: None, lambda: None)
        self.parents: Parents = required_network(problem, walk)[0]
        effects = np.flatnonzero(problem.arc_costs.required[target]).tolist()
        self.searched = self._with_required([target, *effects])
        self.costs: dict[tuple[int, tuple[int, ...]], float] = {}

    def run(self, factor: float, max_seconds: float | None) -> FoundNetwork:
        """Search increasing sets of nodes until no other node matters."""
        self.max_seconds, interrupted = max_seconds, False
        try:
            self._search(factor * BRIEFLY)
            while True:
                entering = self._entering()
                if not entering:
                    self._search(factor)
                    if not (entering := self._entering()):
                        break
                if len(self.searched) + len(entering) > MANY * self.problem.n_nodes:
                    return self._found_among(self.problem, self.rule, factor)
                first = entering[: max(MOST_ADDED, len(self.searched))]
                # without these parents the fast search would not see what the target tells about a child
                others = (u for a in first for u in self.together.others.get(a, ()))
                self.searched = self._with_required([*self.searched, *first, *others])
                self._search(factor * BRIEFLY)
        except (KeyboardInterrupt, SearchTimeout):
            interrupted = True
        alone = tuple(sorted(set(range(self.problem.n_nodes)) - set(self.searched)))
        p = self._estimated(self.problem.arc_costs.n_free_arcs(self.parents))
        length = self.problem.length(self.parents, p)
        return FoundNetwork(self.parents, length, p, interrupted=interrupted, alone=alone)

    @property
    def arc_probability(self) -> float:
        """The arc probability of the search: that of one arc per node until arcs are found."""
        n_arcs = self.problem.arc_costs.n_free_arcs(self.parents)
        return self._estimated(n_arcs or len(self.searched))

    def _estimated(self, n_arcs: int) -> float:
        """Return the given arc probability, or that of a network with as many arcs per node as searched."""
        if not isinstance(self.rule, str):
            return float(self.rule)
        n_pairs = self.problem.arc_costs.n_pairs
        n_everywhere = round(n_arcs / len(self.searched) * self.problem.n_nodes)
        return estimated_arc_probability(min(n_everywhere, n_pairs), n_pairs)

    def _search(self, factor: float) -> None:
        """Search the nodes. The other nodes keep their families."""
        nodes = np.array(self.searched)
        found = self._found_among(self.problem.permuted(nodes), self.arc_probability, factor)
        parents = list(self.parents)
        for i, others in enumerate(found.parents):
            parents[nodes[i]] = tuple(sorted(int(nodes[u]) for u in others))
        self.parents = tuple(parents)
        if found.interrupted:
            raise SearchTimeout

    def _found_among(
        self, problem: SearchProblem, arc_probability: float | str, factor: float
    ) -> FoundNetwork:
        left = None if self.max_seconds is None else max(self.max_seconds - self.clock.seconds, LEAST_SECONDS)
        return fast_search(
            problem,
            arc_probability=arc_probability,
            search_factor=factor,
            max_seconds=left,
            random_state=self.rng,
        )

    def _pause(self) -> None:
        """Report the progress of the search, and check the time limit."""
        advance(0.0, f"{len(self.searched)} of {self.problem.n_nodes} variables matter")
        if self.clock.is_up:
            raise SearchTimeout

    def _entering(self) -> list[int]:
        """Return the outside nodes with the largest savings, each more than its arc costs."""
        price = self.problem.arc_costs.at(self.arc_probability)
        outside = sorted(set(range(self.problem.n_nodes)) - set(self.searched))
        savings = {}
        for a in outside:
            savings[a] = self._saved_by(a, price, self.together.others.get(a, ()))
            self._pause()
        for a, saved in self.together.pairs_of_parents(self.parents, outside).items():
            savings[a] = max(saved, savings[a])
        return sorted((a for a in outside if savings[a] > 0), key=lambda a: -savings[a])

    @cached_property
    def together(self) -> "_Together":
        """Nodes that matter only together with others."""
        return _Together(self.problem, self.target, self.arc_probability, self._pause)

    def _saved_by(self, a: int, price: NDArray[np.float64], others: tuple[int, ...]) -> float:
        """Return an upper bound of the nats by which a node would shorten the message about the target."""
        as_parent = max(
            self._gain(v, self.parents[v], a, price) for v in (self.target, *self._children(self.target))
        )
        return max(as_parent, self._gain_as_child(a, price, others))

    def _gain_as_child(self, a: int, price: NDArray[np.float64], others: tuple[int, ...]) -> float:
        """Return the savings by the target for a node, given the best other parents of the node."""
        # `others` are parents without which the target tells nothing
        parents = self.parents[a]
        alone = self._gain(a, parents, self.target, price)
        if alone <= 0:
            if not others:
                return alone
            parents = tuple(sorted({*parents, *others}))
            alone = self._gain(a, parents, self.target, price)
        inside = [u for u in self._blanket() if u not in parents]
        for _ in range(MOST_SEPARATING):
            gains = [(self._gain(a, parents, u, price), u) for u in inside if u not in parents]
            best = max(gains, default=(0.0, -1))
            if best[0] <= 0:
                break
            parents = tuple(sorted((*parents, best[1])))
        return min(alone, self._gain(a, parents, self.target, price))

    def _gain(self, v: int, parents: tuple[int, ...], u: int, price: NDArray[np.float64]) -> float:
        """Return the savings of a node by one more parent, net of its arc."""
        if u in parents or not (np.isfinite(price[u, v]) and self.problem.arc_costs.before[u, v]):
            return -np.inf
        more = tuple(sorted((*parents, u)))
        return self._cost(v, parents) - self._cost(v, more) - float(price[u, v])

    def _cost(self, v: int, parents: tuple[int, ...]) -> float:
        if (v, parents) not in self.costs:
            self.costs[v, parents] = self.problem.family_cost(v, parents)
        return self.costs[v, parents]

    def _children(self, u: int) -> list[int]:
        return [v for v in self.searched if u in self.parents[v]]

    def _blanket(self) -> set[int]:
        """Return the parents, the children, and the children's other parents of the target."""
        children = self._children(self.target)
        found = {*self.parents[self.target], *children}
        for child in children:
            found |= set(self.parents[child])
        return found - {self.target}

    def _with_required(self, nodes: Iterable[int]) -> list[int]:
        """Add the required parents of nodes, and theirs."""
        found, waiting = set[int](), list(nodes)
        while waiting:
            v = waiting.pop()
            if v not in found:
                found.add(v)
                waiting += np.flatnonzero(self.problem.arc_costs.required[:, v]).tolist()
        return sorted(found)


class _Together:
    """Nodes that matter only together with others, evaluated by tables. `others` are these, by node."""

    def __init__(
        self, problem: SearchProblem, target: int, arc_probability: float, pause: Callable[[], None]
    ) -> None:
        self._tables = replace(problem, local_model=TABLE)
        self._target, self._families = target, CandidateFamilies(self._tables, arc_cost(arc_probability))
        arc_costs = problem.arc_costs
        self._arcs = arc_costs.at(arc_probability)
        self.others: dict[int, tuple[int, ...]] = {}
        for a in range(problem.n_nodes):
            pause()
            if a != target and not arc_costs.required[target, a] and (found := self._parents_with_target(a)):
                self.others[a] = found

    def _parents_with_target(self, a: int) -> tuple[int, ...]:
        """Return the parents with which the target saves most, or none if it needs none or saves nothing."""
        most, found = 0.0, set[int]()
        required = set(np.flatnonzero(self._tables.arc_costs.required[:, a]).tolist())
        for start in (required, {*required, self._target}):
            family, here = set(start), self._nats(a, start)
            for _ in range(min(MOST_GROWN, self._tables.parent_limit - len(start))):
                costs = self._extended(a, [family])[0]
                with_target = here if self._target in family else costs[self._target]
                without = self._nats(a, family - {self._target}) if self._target in family else here
                if without - with_target > most:
                    if family - {self._target} == required:
                        return ()
                    most, found = without - with_target, family - required - {self._target}
                costs[self._target] = np.inf
                u = int(np.argmin(costs))
                if not costs[u] < (here if len(family) > len(start) + 1 else np.inf):
                    break
                family, here = {*family, u}, float(costs[u])
        return tuple(sorted(found))

    def _nats(self, a: int, parents: set[int]) -> float:
        """Return the nats of a family, arcs included."""
        own = sorted(parents)
        return self._tables.family_cost(a, own) + float(self._arcs[own, a].sum())

    def _extended(self, a: int, families: Sequence[Iterable[int]]) -> NDArray[np.float64]:
        """Return the nats of a node with each set of parents and one more."""
        members = np.zeros((len(families), self._tables.n_nodes), np.bool_)
        for row, own in zip(members, families, strict=True):
            row[list(own)] = True
        return self._families.extended(a, bits_of(members))

    def pairs_of_parents(self, parents: Parents, outside: Sequence[int]) -> dict[int, float]:
        """Return what pairs save as further parents of the target, for both of the best pair."""
        target, own = self._target, parents[self._target]
        if len(own) + 2 > self._tables.parent_limit:
            return {}
        allowed = np.isfinite(self._arcs[:, target]) & self._tables.arc_costs.before[:, target]
        outside = [a for a in outside if allowed[a]]
        costs = self._extended(target, [own, *((*own, a) for a in outside)])
        singles, pairs = costs[0][outside], costs[1:][:, outside]
        saved = np.minimum(self._nats(target, set(own)), np.minimum(singles[:, None], singles)) - pairs
        best = np.where(np.isnan(saved), -np.inf, saved).max(axis=1, initial=-np.inf)
        return {a: float(best[i]) for i, a in enumerate(outside) if best[i] > 0}
