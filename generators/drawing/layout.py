"""Where to draw the nodes and arcs of an acyclic graph: layers from top to bottom, no arc through a node.

After Sugiyama: a layer for each node, a slot in every layer that an arc passes, an order in each layer that
avoids crossings, then the places. An arc that cannot be straight bends between the layers only and passes a
layer straight down through its slot, so that it cannot meet a node. Lengths are in inches, y upwards.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from generators.base.validation import topological_order
from generators.drawing.routing import Chain, Places, abscissae, arc_curves, layer_bands

__all__ = ["Layout", "layered_layout", "ordered_rows"]

ROW = 10  # nodes in a layer before it is split
SWEEPS = 24


@dataclass(frozen=True)
class Layout:
    """Boxes of the nodes and curves of the arcs."""

    centers: NDArray[np.float64]  # (n_nodes, 2)
    sizes: NDArray[np.float64]  # (n_nodes, 2): width and height
    # by (parent, child), (1 + 3 n_pieces, 2): a start, then three points for each cubic Bezier piece
    curves: dict[tuple[int, int], NDArray[np.float64]]

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top of the drawing."""
        points = np.vstack(
            [self.centers - self.sizes / 2, self.centers + self.sizes / 2, *self.curves.values()]
        )
        (left, bottom), (right, top) = points.min(axis=0), points.max(axis=0)
        return float(left), float(right), float(bottom), float(top)


def layered_layout(
    parents: Sequence[Sequence[int]],
    sizes: NDArray[np.float64],
    top: int | None = None,
    *,
    room: float = 0.0,
    stretch: float = 1.0,
) -> Layout:
    """Return boxes and curves for an acyclic graph."""
    layers = _layers(parents, top)
    rows, chains = ordered_rows(parents, layers)
    sizes = np.array(sizes, dtype=np.float64)
    for row in rows:
        nodes = [item for item in row if item < len(parents)]
        sizes[nodes, 1] = sizes[nodes, 1].max()
    x = abscissae(rows, chains, sizes[:, 0] + room, top)
    bands = layer_bands(rows, chains, x, sizes[:, 1], stretch)
    centers = np.column_stack([x[: len(parents)], bands[layers].mean(axis=1)])
    return Layout(centers, sizes, arc_curves(chains, Places(rows, x, bands, centers, sizes, top)))


def ordered_rows(
    parents: Sequence[Sequence[int]], layers: Sequence[int]
) -> tuple[list[list[int]], list[Chain]]:
    """Return the items of each layer in an order with few crossings, and the arcs as chains of items."""
    # of equally good orders the one closest to the numbers of the nodes
    chains, rows = _chains(parents, layers)
    return _ordered(rows, chains), chains


def _layers(parents: Sequence[Sequence[int]], top: int | None) -> list[int]:
    """Return the layer of each node: below its parents, at most ROW in a layer, near its children."""
    nodes = range(len(parents))
    children: list[list[int]] = [[child for child in nodes if node in parents[child]] for node in nodes]
    order = topological_order(tuple(map(str, nodes)), tuple(tuple(above) for above in parents))
    height = [0] * len(parents)
    for node in reversed(order):
        height[node] = max((height[child] + 1 for child in children[node]), default=0)
    fixed = {top} if top is not None and not parents[top] else set()
    placed = dict.fromkeys(fixed, 0)
    for level in range(len(placed), 2 * len(parents)):
        ready = [v for v in nodes if v not in placed and all(above in placed for above in parents[v])]
        n_rows = max(-(-len(ready) // ROW), 1)
        # the ends of short chains can be placed later
        ready.sort(key=lambda node: -height[node])
        placed.update(dict.fromkeys(ready[: -(-len(ready) // n_rows)], level))
    for node in reversed(order):
        latest = min((placed[child] for child in children[node]), default=0) - 1
        pulled = len(children[node]) > len(parents[node]) and latest > placed[node] and node not in fixed
        if pulled and list(placed.values()).count(latest) < ROW:
            placed[node] = latest
    used = sorted(set(placed.values()))
    return [used.index(placed[node]) for node in nodes]


def _chains(parents: Sequence[Sequence[int]], layers: Sequence[int]) -> tuple[list[Chain], list[list[int]]]:
    """Return arcs as parent, slots, child, and the items of each layer, slots numbered after nodes."""
    rows = [[node for node, own in enumerate(layers) if own == layer] for layer in range(max(layers) + 1)]
    # a slot begins above its child, so that the arcs of a layer are spread over the layers above
    places = {node: place for row in rows for node, place in _places(row).items()}
    chains, n_items = [], len(parents)
    for child, above in enumerate(parents):
        for parent in above:
            passed = range(layers[parent] + 1, layers[child])
            slots = range(n_items, n_items + len(passed))
            for slot, layer in zip(slots, passed, strict=True):
                rows[layer].append(slot)
                places[slot] = places[child]
            chains.append((parent, *slots, child))
            n_items += len(passed)
    return chains, [sorted(row, key=lambda item: places[item]) for row in rows]


def _neighbors(chains: list[Chain]) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    up: dict[int, list[int]] = {}
    down: dict[int, list[int]] = {}
    for chain in chains:
        for above, below in pairwise(chain):
            up.setdefault(below, []).append(above)
            down.setdefault(above, []).append(below)
    return up, down


def _ordered(rows: list[list[int]], chains: list[Chain]) -> list[list[int]]:
    """Return the rows in the order with the fewest crossings seen: means of the neighbors, then exchanges."""
    up, down = _neighbors(chains)
    rows = [list(row) for row in rows]
    best, fewest = [list(row) for row in rows], _crossings(rows, down)
    for sweep in range(SWEEPS):
        if not fewest:
            break
        above = sweep % 2 == 0
        for index in range(len(rows)) if above else reversed(range(len(rows))):
            other = index - 1 if above else index + 1
            if 0 <= other < len(rows):
                _sort_by_means(rows[index], rows[other], up if above else down)
        _exchange(rows, up, down)
        found = _crossings(rows, down)
        if found < fewest:
            best, fewest = [list(row) for row in rows], found
    return best


def _places(row: list[int]) -> dict[int, float]:
    return {item: (place + 0.5) / len(row) for place, item in enumerate(row)}


def _sort_by_means(row: list[int], other: list[int], neighbors: dict[int, list[int]]) -> None:
    places, own = _places(other), _places(row)
    means = {
        item: sum(places[next_] for next_ in neighbors[item]) / len(neighbors[item])
        if item in neighbors
        else own[item]
        for item in row
    }
    row.sort(key=lambda item: round(means[item], 9))


def _exchange(rows: list[list[int]], up: dict[int, list[int]], down: dict[int, list[int]]) -> None:
    """Exchange neighbors in a row as long as that removes crossings."""
    for index, row in enumerate(rows):
        adjacent = [
            (_places(rows[other]), links)
            for other, links in ((index - 1, up), (index + 1, down))
            if 0 <= other < len(rows)
        ]
        for place in range(len(row) - 1):
            left, right = row[place], row[place + 1]
            gain = sum(
                int(np.sign(places[one] - places[two]))
                for places, links in adjacent
                for one in links.get(left, [])
                for two in links.get(right, [])
            )
            if gain > 0:
                row[place], row[place + 1] = right, left


def _crossings(rows: list[list[int]], down: dict[int, list[int]]) -> int:
    total = 0
    for upper, lower in pairwise(rows):
        places, seen = _places(lower), list[float]()
        for above in upper:
            ends = [places[item] for item in down.get(above, [])]
            total += sum(len(seen) - bisect_right(seen, end) for end in ends)
            seen = sorted(seen + ends)
    return total
