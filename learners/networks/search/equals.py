"""Choice among networks of equal length that differ only in the direction of arcs."""

from collections.abc import Callable, Iterator

from learners.networks.search.problem import NetworkProblem

__all__ = ["first_of_equals"]

SAME_LENGTH = 1e-6  # nats by which equals may differ
MOST_EQUALS = 500  # networks looked at in each part

Parents = tuple[tuple[int, ...], ...]


def first_of_equals(problem: NetworkProblem, parents: Parents) -> Parents:
    """Return the first of the networks of this length that differ only in the direction of arcs."""
    # An arc whose ends have the same other parents may say the same either way. Without a choice, last bits
    # would make it, which change with the units. One arc is turned round after the other: up to 500 networks
    # of each tree of nodes that have one parent, then 500 of all; first is the order of tuples.
    if not problem.arc_costs.is_uniform:
        return parents
    known: dict[tuple[int, tuple[int, ...]], float] = {}

    def cost(v: int, others: tuple[int, ...]) -> float:
        if (v, others) not in known:
            known[v, others] = problem.family_cost(v, others)
        return known[v, others]

    # each tree by itself first: together they have as many networks as the product of their nodes
    for tree in _trees(parents):
        parents = _first(parents, tree, cost)
    return _first(parents, set(range(len(parents))), cost)


def _trees(parents: Parents) -> Iterator[set[int]]:
    """Yield each node without parents together with its descendants by single parents."""
    for root in (v for v, others in enumerate(parents) if not others):
        tree, ahead = {root}, [root]
        while ahead:
            u = ahead.pop()
            children = [v for v, others in enumerate(parents) if others == (u,)]
            tree.update(children)
            ahead.extend(children)
        if len(tree) > 1:
            yield tree


def _first(parents: Parents, nodes: set[int], cost: Callable[[int, tuple[int, ...]], float]) -> Parents:
    """Return the first of the equal networks, by reversing arcs between these nodes."""
    best, met, ahead = parents, {parents}, [parents]
    while ahead and len(met) < MOST_EQUALS:
        given = ahead.pop()
        for u, v in ((u, child) for child in nodes for u in given[child] if u in nodes):
            if set(given[v]) != {u, *given[u]}:
                continue
            turned = list(given)
            turned[u], turned[v] = tuple(sorted((*given[u], v))), given[u]
            other = tuple(turned)
            more = sum(cost(w, other[w]) - cost(w, given[w]) for w in (u, v))
            if other not in met and abs(more) < SAME_LENGTH:
                met.add(other)
                ahead.append(other)
                best = min(best, other)
    return best
