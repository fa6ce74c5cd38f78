"""Completed patterns (CPDAGs) and Markov blankets of graphs, and structural distances between graphs."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Generic, TypeVar

__all__ = [
    "Pattern",
    "StructuralDistance",
    "compelled_arcs",
    "completed_pattern",
    "markov_blanket",
    "structural_distance",
]

Parents = Sequence[Sequence[int]]
Arc = tuple[int, int]
Node = TypeVar("Node", int, str)


@dataclass(frozen=True, repr=False)
class Pattern(Generic[Node]):
    """A completed pattern (CPDAG), which represents a Markov equivalence class of graphs."""

    directed: frozenset[tuple[Node, Node]]  # arcs (from, to) that every graph of the class has
    undirected: frozenset[tuple[Node, Node]]  # pairs joined in either direction, in variable order

    def __repr__(self) -> str:
        directed = [f"{u} -> {v}" for u, v in sorted(self.directed)]
        undirected = [f"{u} - {v}" for u, v in sorted(self.undirected)]
        return f"Pattern({', '.join(directed + undirected)})"


@dataclass(frozen=True)
class StructuralDistance:
    """The structural differences between a graph and the true graph."""

    found: int  # arcs of the truth that the graph has
    reversed: int  # arcs of the truth that the graph has in reverse
    missed: int  # pairs joined in the truth but not in the graph
    extra: int  # pairs joined in the graph but not in the truth
    # structural Hamming distance of the two patterns: pairs joined in one alone, or not in the same way (one
    # direction, the other, undirected); 0 for equivalent graphs
    shd: int


def completed_pattern(parents: Parents, excluded: Collection[Arc] = ()) -> Pattern[int]:
    """Return the pattern of a graph's Markov equivalence class, by index, without the `excluded` arcs."""
    # Arcs of colliders u -> v <- w, u and w not joined, keep their direction, and so do arcs whose reverse is
    # excluded; then rules 1-4 of Meek, "Causal inference and causal explanation with background knowledge",
    # UAI 1995, direct further pairs until none applies: u -> v - w without u, w joined gives v -> w (else
    # there would be a new collider); u -> v -> w with u - w gives u -> w (else a cycle); u - v -> x and u - w
    # -> x with u - x, and v, w not joined, give u -> x; u - w -> x -> v with u - v, u, x joined, and w, v not
    # joined, gives u -> v. The fourth applies only to excluded arcs.
    neighbors = _neighbors(parents)
    into: list[set[int]] = [set() for _ in parents]
    for u, v, w in _colliders(parents):
        into[v] |= {u, w}
    for v, others in enumerate(parents):
        into[v] |= {u for u in others if (v, u) in excluded}
    open_pairs = {_pair(u, v) for v, others in enumerate(parents) for u in others if u not in into[v]}
    changed = True
    while changed:
        changed = False
        for a, b in sorted(open_pairs):
            for u, v in ((a, b), (b, a)):
                if _must_point(u, v, neighbors, into, open_pairs):
                    into[v].add(u)
                    open_pairs.remove((a, b))
                    changed = True
                    break
    directed = frozenset((u, v) for v, others in enumerate(into) for u in others)
    return Pattern(directed, frozenset(open_pairs))


def compelled_arcs(parents: Parents, excluded: Collection[Arc] = ()) -> frozenset[Arc]:
    """Return the arcs whose reverse is in no equivalent graph, or is excluded by prior knowledge."""
    return completed_pattern(parents, excluded).directed | {(v, u) for u, v in excluded}


def markov_blanket(parents: Parents, variable: int) -> tuple[int, ...]:
    """Return the parents, children and children's other parents of a variable."""
    families = [{*others, child} for child, others in enumerate(parents)]
    children = [family for child, family in enumerate(families) if variable in parents[child]]
    return tuple(sorted(set().union(families[variable], *children) - {variable}))


def structural_distance(parents: Parents, truth: Parents) -> StructuralDistance:
    """Compare a graph with the true graph."""
    # SHD of patterns: Tsamardinos, Brown and Aliferis, "The max-min hill-climbing Bayesian network structure
    # learning algorithm", Machine Learning 65, 2006
    if len(parents) != len(truth):
        raise ValueError(
            f"The graphs have {len(parents)} and {len(truth)} nodes. Compare graphs over the same nodes."
        )
    ours = {(u, v) for v, others in enumerate(parents) for u in others}
    true = {(u, v) for v, others in enumerate(truth) for u in others}
    flipped = {(v, u) for u, v in ours}
    found, backwards = len(ours & true), len(flipped & true)
    own, its = _directions(completed_pattern(parents)), _directions(completed_pattern(truth))
    shd = sum(own.get(pair) != its.get(pair) for pair in own.keys() | its.keys())
    return StructuralDistance(
        found, backwards, len(true) - found - backwards, len(ours) - found - backwards, shd
    )


def _pair(u: int, v: int) -> Arc:
    return (u, v) if u < v else (v, u)


def _neighbors(parents: Parents) -> list[set[int]]:
    neighbors = [set(others) for others in parents]
    for v, others in enumerate(parents):
        for u in others:
            neighbors[u].add(v)
    return neighbors


def _colliders(parents: Parents) -> set[tuple[int, int, int]]:
    """Return the triples u -> v <- w with u < w not joined."""
    neighbors = _neighbors(parents)
    return {
        (u, v, w)
        for v, others in enumerate(parents)
        for u, w in combinations(sorted(others), 2)
        if w not in neighbors[u]
    }


def _must_point(
    u: int, v: int, neighbors: list[set[int]], into: list[set[int]], open_pairs: set[Arc]
) -> bool:
    """Return whether Meek's rules direct u - v as u -> v."""
    if into[u] - neighbors[v]:
        return True
    if any(u in into[x] for x in into[v]):
        return True
    linked = [x for x in into[v] if _pair(u, x) in open_pairs]
    if any(x not in neighbors[y] for x, y in combinations(linked, 2)):
        return True
    return any(
        _pair(u, w) in open_pairs and w not in neighbors[v] for x in into[v] & neighbors[u] for w in into[x]
    )


def _directions(pattern: Pattern[int]) -> dict[Arc, frozenset[Arc]]:
    """Return the directions that each joined pair may have."""
    directions = {(u, v): frozenset({(u, v), (v, u)}) for u, v in pattern.undirected}
    directions.update({_pair(u, v): frozenset({(u, v)}) for u, v in pattern.directed})
    return directions
