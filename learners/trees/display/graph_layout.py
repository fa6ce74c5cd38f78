"""Places of the nodes of a classification graph in layers, with few crossings."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generators.drawing.layout import ordered_rows
from generators.drawing.routing import abscissae
from learners.trees.nodes.node_graph import JUMP, NodeGraph
from learners.trees.nodes.node_table import LEAF

__all__ = ["GraphLayout", "Line", "lay_out"]

MOST_ENDS = 100
MOST_STEPS = 3000  # of all lines together, one per layer crossed


@dataclass(frozen=True)
class Line:
    """A line from a test to what some of its branches lead to."""

    test: int
    to: int
    branches: tuple[int, ...]
    stops: tuple[float, ...]  # its height in each layer, those of both ends included


@dataclass(frozen=True)
class GraphLayout:
    """Where everything is, in units of a row."""

    layer: dict[int, int]  # of each node that is drawn
    y: dict[int, float]  # its height, at least 0
    lines: tuple[Line, ...]
    is_end: NDArray[np.bool_]  # of all nodes: a leaf, or a part of the graph that is not drawn


def lay_out(graph: NodeGraph) -> GraphLayout:
    """Put every node in a layer below all that lead to it, and the nodes of each layer in an order."""
    edges = _edges(graph)
    layer = {0: 0}
    for test, to in sorted(edges):  # nodes have smaller numbers than those they lead to
        layer[to] = max(layer.get(to, 0), layer[test] + 1)
    is_end = _shown_ends(graph, layer, edges)
    edges = {
        (test, to): branches
        for (test, to), branches in edges.items()
        if test in layer and to in layer and not is_end[test]
    }
    nodes = _depth_first(edges)
    number = {node: k for k, node in enumerate(nodes)}
    parents: list[list[int]] = [[] for _ in nodes]
    for test, to in edges:
        parents[number[to]].append(number[test])
    rows, chains = ordered_rows(parents, [layer[node] for node in nodes])
    y = abscissae(rows, chains, np.zeros(len(nodes)), gaps=(1.0, 1.0, 1.0))
    y -= y.min()
    lines = []
    for chain in chains:
        test, to = nodes[chain[0]], nodes[chain[-1]]
        lines.append(Line(test, to, tuple(edges[test, to]), tuple(y[list(chain)].tolist())))
    height = dict(zip(nodes, y[: len(nodes)].tolist(), strict=True))
    return GraphLayout({node: layer[node] for node in nodes}, height, tuple(lines), is_end)


def _depth_first(edges: Mapping[tuple[int, int], list[int]]) -> list[int]:
    """List the nodes in the order of the branches, in which a tree has no crossings."""
    below: dict[int, list[int]] = {}
    for test, to in edges:
        below.setdefault(test, []).append(to)
    stack, found = [0], dict[int, None]()
    while stack:
        node = stack.pop()
        if node not in found:
            found[node] = None
            stack += reversed(below.get(node, []))
    return list(found)


def _edges(graph: NodeGraph) -> dict[tuple[int, int], list[int]]:
    """Return the branches from each test to each node, joins left out."""
    out: dict[tuple[int, int], list[int]] = {}
    for node in np.flatnonzero((graph.kind != LEAF) & (graph.kind != JUMP)).tolist():
        for branch, to in enumerate(graph.children(node)):
            while graph.kind[to] == JUMP:
                to = int(graph.first_child[to])
            out.setdefault((node, to), []).append(branch)
    return out


def _shown_ends(
    graph: NodeGraph, layer: dict[int, int], edges: dict[tuple[int, int], list[int]]
) -> NDArray[np.bool_]:
    """Find the leaves, and the tests of the deepest layer that can be drawn, and drop deeper layers."""
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
