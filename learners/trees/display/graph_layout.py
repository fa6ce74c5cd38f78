"""Places of the nodes of a classification graph in layers, with few crossings."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learners.trees.nodes.node_graph import JUMP, NodeGraph
from learners.trees.nodes.node_table import LEAF

__all__ = ["GraphLayout", "Line", "lay_out"]

SWEEPS = 12
MOST_ENDS = 100
MOST_STEPS = 3000  # of all lines together, one per layer crossed


@dataclass(frozen=True)
class Line:
    """A line from a test to what some of its branches lead to.

    Parameters
    ----------
    test, to : int
        Nodes of the graph.
    branches : tuple of int
        Branches of the test that lead there.
    stops : tuple of float
        Height of the line in each layer from that of the test to that of the other node, both included.
    """

    test: int
    to: int
    branches: tuple[int, ...]
    stops: tuple[float, ...]


@dataclass(frozen=True)
class GraphLayout:
    """Where everything is, in units of a row.

    Parameters
    ----------
    layer : dict of int to int
        Layer of each node that is drawn.
    y : dict of int to float
        Its height, at least 0.
    lines : tuple of Line
        The lines between them.
    is_end : ndarray of bool, shape (all nodes,)
        Whether each node is a leaf, or represents a part of the graph that is not drawn.
    """

    layer: dict[int, int]
    y: dict[int, float]
    lines: tuple[Line, ...]
    is_end: NDArray[np.bool_]


def lay_out(graph: NodeGraph) -> GraphLayout:
    """Put every node in a layer below all that lead to it, and the nodes of each layer in an order."""
    edges = _edges(graph)
    layer = _layers(edges)
    is_end = _shown_ends(graph, layer, edges)
    edges = {
        (test, to): branches
        for (test, to), branches in edges.items()
        if test in layer and to in layer and not is_end[test]
    }
    layer = {node: layer[node] for node in [0, *(to for _, to in edges)]}
    above, below, chains = _chains(edges, layer)
    order = _ordered(above, below, layer, chains)
    y = _heights(order, above, below)
    lines = [
        Line(*pair, tuple(branches), tuple(y[k] for k in (pair[0], *chains[pair], pair[1])))
        for pair, branches in edges.items()
    ]
    return GraphLayout(layer, {node: y[node] for node in layer}, tuple(lines), is_end)


def _edges(graph: NodeGraph) -> dict[tuple[int, int], list[int]]:
    """Return the branches from each test to each node, joins left out."""
    out: dict[tuple[int, int], list[int]] = {}
    for node in np.flatnonzero((graph.kind != LEAF) & (graph.kind != JUMP)).tolist():
        for branch, to in enumerate(graph.children(node)):
            while graph.kind[to] == JUMP:
                to = int(graph.first_child[to])
            out.setdefault((node, to), []).append(branch)
    return out


def _layers(edges: dict[tuple[int, int], list[int]]) -> dict[int, int]:
    layer = {0: 0}
    for test, to in sorted(edges):  # nodes have smaller numbers than those they lead to
        layer[to] = max(layer.get(to, 0), layer[test] + 1)
    return layer


def _shown_ends(
    graph: NodeGraph, layer: dict[int, int], edges: dict[tuple[int, int], list[int]]
) -> NDArray[np.bool_]:
    """Find the leaves, and the tests of the deepest layer that can be drawn; drop deeper layers."""
    is_end = graph.kind == LEAF
    nodes, depths = np.array(list(layer)), np.array(list(layer.values()))
    n_here = np.bincount(depths)
    n_leaves = np.bincount(depths, weights=is_end[nodes])
    n_ends = np.cumsum(n_leaves) - n_leaves + n_here  # if this layer were the last
    passed = np.bincount([layer[to] for _, to in edges], [layer[to] - layer[test] for test, to in edges])
    length = np.cumsum(np.concatenate([passed, np.zeros(n_here.size - passed.size)]))
    deepest = int(np.flatnonzero((n_ends <= MOST_ENDS) & (length <= MOST_STEPS)).max(initial=0))
    for node in nodes[depths > deepest].tolist():
        del layer[node]
    is_end[nodes[depths == deepest]] = True
    return is_end


def _chains(
    edges: dict[tuple[int, int], list[int]], layer: dict[int, int]
) -> tuple[dict[int, list[int]], dict[int, list[int]], dict[tuple[int, int], list[int]]]:
    """Return neighbors above and below, and the stops (negative numbers) of lines that pass layers."""
    above: dict[int, list[int]] = {0: []}
    below: dict[int, list[int]] = {}
    chains: dict[tuple[int, int], list[int]] = {}
    n_stops = 0
    for test, to in edges:
        stops = []
        at = test
        for depth in range(layer[test] + 1, layer[to]):
            n_stops += 1
            stops.append(-n_stops)
            layer[-n_stops] = depth
        chains[test, to] = stops
        for step in (*stops, to):
            below.setdefault(at, []).append(step)
            above.setdefault(step, []).append(at)
            at = step
    return above, below, chains


def _ordered(
    above: dict[int, list[int]],
    below: dict[int, list[int]],
    layer: dict[int, int],
    chains: dict[tuple[int, int], list[int]],
) -> list[list[int]]:
    """Order each layer by the mean place of its neighbors, down and up in turns."""
    order: list[list[int]] = [[] for _ in range(max(layer.values()) + 1)]
    stack, seen = [0], set()
    while stack:  # depth first, which has no crossings as long as the graph is a tree
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            order[layer[node]].append(node)
            stack += reversed(below.get(node, []))
    for stops in chains.values():
        for stop in stops:
            layer.pop(stop)
    for sweep in range(SWEEPS):
        neighbors = below if sweep % 2 else above
        rows = range(len(order) - 1, -1, -1) if sweep % 2 else range(len(order))
        place = {node: k / len(nodes) for nodes in order for k, node in enumerate(nodes)}
        for depth in rows:
            wanted = {
                node: float(np.mean([place[n] for n in neighbors.get(node, [])] or [place[node]]))
                for node in order[depth]
            }
            order[depth].sort(key=wanted.__getitem__)
            place.update({node: k / len(order[depth]) for k, node in enumerate(order[depth])})
    return order


def _heights(
    order: list[list[int]], above: dict[int, list[int]], below: dict[int, list[int]]
) -> dict[int, float]:
    """Move the nodes toward their neighbors, a row apart and in their order."""
    y = {node: float(k) for nodes in order for k, node in enumerate(nodes)}
    for sweep in range(SWEEPS):
        for nodes in order if sweep % 2 else order[::-1]:
            wanted = [
                float(np.mean([y[n] for n in above.get(node, []) + below.get(node, [])] or [y[node]]))
                for node in nodes
            ]
            for node, height in zip(nodes, _spread_out(np.array(wanted)), strict=True):
                y[node] = height
    top = min(y.values())
    return {node: height - top for node, height in y.items()}


def _spread_out(wanted: NDArray[np.float64]) -> list[float]:
    """Return the heights nearest to the wanted ones, by least squares, at least one apart."""
    blocks: list[tuple[float, int]] = []
    for height in (wanted - np.arange(wanted.size)).tolist():
        blocks.append((height, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (a, n), (b, m) = blocks[-2:]
            blocks[-2:] = [((a * n + b * m) / (n + m), n + m)]
    shifts = [mean for mean, n in blocks for _ in range(n)]
    return [shift + k for k, shift in enumerate(shifts)]
