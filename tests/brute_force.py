"""What can be found by trying everything."""

import itertools
import math
from dataclasses import replace

from learners.networks.search.problem import NetworkProblem


def shortest_of_all_graphs(problem: NetworkProblem, arc_probability: float) -> float:
    """Return the length of the shortest message, by all orders and all sets of parents in each."""
    arc = math.log((1 - arc_probability) / arc_probability)
    best = math.inf
    for order in itertools.permutations(range(problem.n_nodes)):
        total = problem.arc_costs.no_arcs(arc_probability)
        for place, v in enumerate(order):
            sets = itertools.chain.from_iterable(
                itertools.combinations(order[:place], k) for k in range(place + 1)
            )
            total += min(problem.family_cost(v, s) + len(s) * arc for s in sets)
        best = min(best, total)
    return best


def relation(parents, a: int, b: int) -> str:
    """Name the relation of two nodes: ancestor, descendant, common cause or unrelated."""

    def above(v: int) -> set[int]:
        return {w for u in parents[v] for w in {u, *above(u)}}

    if a in above(b):
        return "ancestor"
    if b in above(a):
        return "descendant"
    return "common cause" if above(a) & above(b) else "unrelated"


def all_toms(n: int):
    """Yield every totally ordered model: the order, and the arcs (from, to)."""
    pairs = list(itertools.combinations(range(n), 2))
    for order in itertools.permutations(range(n)):
        for k in range(len(pairs) + 1):
            for joined in itertools.combinations(pairs, k):
                yield order, frozenset((order[i], order[j]) for i, j in joined)


def parents_in(tom) -> tuple[tuple[int, ...], ...]:
    """Return the parents of each node in a totally ordered model."""
    order, arcs = tom
    return tuple(tuple(sorted(u for u, v in arcs if v == child)) for child in range(len(order)))


def tom_length(problem: NetworkProblem, tom, arc_probability: float, shares=None) -> float:
    """Return the nats of a totally ordered model, opinions on relations and its own order included.

    `shares` are the proportions of the four relations at this arc probability.
    """
    parents, indirect = parents_in(tom), problem.arc_costs.indirect
    modular = problem.with_arc_costs(replace(problem.arc_costs, indirect=None))
    length = modular.length(parents, arc_probability)
    if indirect is None:
        return length
    for (a, b), stated in zip(indirect.pairs.tolist(), indirect.stated, strict=True):
        given = dict(zip(("ancestor", "descendant", "correlated"), stated.tolist(), strict=True))
        given = {name: p for name, p in given.items() if not math.isnan(p)}
        if "correlated" in given:
            given["unrelated"] = 1 - given.pop("correlated")
        found = relation(parents, a, b)
        if found not in given:
            rest = sum(share for name, share in shares.items() if name not in given)
            given[found] = shares[found] / rest * (1 - sum(given.values()))
        length -= math.log(given[found])
    place = {v: i for i, v in enumerate(tom[0])}
    length += indirect.penalty * sum(
        place[u] > place[v] for u, v in zip(*indirect.precedes.nonzero(), strict=True)
    )
    return length


def counted_shares(n: int, arc_probability: float) -> dict[str, float]:
    """Count the relations of all pairs of nodes in all totally ordered models of one order."""
    shares = dict.fromkeys(("ancestor", "descendant", "common cause", "unrelated"), 0.0)
    arcs = list(itertools.combinations(range(n), 2))
    for present in itertools.product((False, True), repeat=len(arcs)):
        joined = [arc for arc, there in zip(arcs, present, strict=True) if there]
        weight = arc_probability ** len(joined) * (1 - arc_probability) ** (len(arcs) - len(joined))
        parents = [[u for u, v in joined if v == child] for child in range(n)]
        for a, b in itertools.permutations(range(n), 2):
            shares[relation(parents, a, b)] += weight / (n * (n - 1))
    return shares
