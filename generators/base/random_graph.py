"""Random trees and directed acyclic graphs, and conditional distributions for a given graph."""

import heapq
import math
import operator
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from generators.base.draw import random_integer, random_order
from generators.base.probabilities import LARGEST_TABLE, random_rows

__all__ = ["checked_max_parents", "random_cpts", "random_labelled_tree", "random_parents", "rooted_parents"]


def checked_max_parents(max_parents: int) -> int:
    """Return a number of parents as int, or raise ValueError if it is not a whole number of at least 0."""
    try:
        limit = -1 if isinstance(max_parents, bool) else operator.index(max_parents)
    except TypeError:
        limit = -1
    if limit < 0:
        raise ValueError(f"max_parents is {max_parents!r}: expected a whole number, 0 or more")
    return limit


def random_parents(rng: np.random.Generator, n_nodes: int, max_parents: int) -> tuple[tuple[int, ...], ...]:
    """Draw a directed acyclic graph: in a uniform order, a uniform number of parents up to `max_parents`."""
    order = random_order(rng, n_nodes)
    parents: list[tuple[int, ...]] = [()] * n_nodes
    for place, node in enumerate(order):
        n_parents = random_integer(rng, 0, min(max_parents, place))
        chosen = random_order(rng, place)[:n_parents]
        parents[node] = tuple(sorted(order[i] for i in chosen))
    return tuple(parents)


def random_cpts(
    rng: np.random.Generator,
    names: Sequence[str],
    arities: Sequence[int],
    parents: Sequence[Sequence[int]],
    *,
    rows: str,
    concentration: float,
) -> tuple[NDArray[np.float64], ...]:
    """Draw P(node | parents) for every node of a graph."""
    shapes = [[arities[u] for u in (*others, v)] for v, others in enumerate(parents)]
    for name, shape in zip(names, shapes, strict=True):
        if math.prod(shape) > LARGEST_TABLE:
            raise ValueError(
                f"the table of {name} with {len(shape) - 1} parents would have {math.prod(shape):,} cells, "
                f"more than {LARGEST_TABLE:,}: lower max_parents or arity"
            )
    return tuple(random_rows(rng, shape, rows=rows, concentration=concentration) for shape in shapes)


def random_labelled_tree(rng: np.random.Generator, n_nodes: int) -> tuple[tuple[int, int], ...]:
    """Draw a uniformly distributed labeled tree on `n_nodes` nodes."""
    if n_nodes == 1:
        return ()
    sequence = [random_integer(rng, 0, n_nodes - 1) for _ in range(n_nodes - 2)]
    degree = np.bincount(np.asarray(sequence, dtype=np.intp), minlength=n_nodes) + 1
    leaves = [node for node in range(n_nodes) if degree[node] == 1]
    edges = []
    for node in sequence:
        edges.append((heapq.heappop(leaves), node))
        degree[node] -= 1
        if degree[node] == 1:
            heapq.heappush(leaves, node)
    return (*edges, (heapq.heappop(leaves), heapq.heappop(leaves)))


def rooted_parents(n_nodes: int, edges: Sequence[tuple[int, int]], root: int) -> tuple[int, ...]:
    """Direct the edges of a tree away from its root."""
    neighbors: list[list[int]] = [[] for _ in range(n_nodes)]
    for one, other in edges:
        neighbors[one].append(other)
        neighbors[other].append(one)
    parents, waiting = [-1] * n_nodes, [root]
    while waiting:
        node = waiting.pop()
        for child in neighbors[node]:
            if child != parents[node]:
                parents[child] = node
                waiting.append(child)
    return tuple(parents)
