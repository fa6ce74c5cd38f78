"""Places and curves for ordered layers: each arc bends between the layers and passes a layer straight down.

A chain is an arc as a sequence of items: the parent, a slot in each layer that it passes, the child. Items
numbered below the number of nodes are nodes, the others slots. Lengths are in inches, y upwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

__all__ = ["Chain", "Places", "abscissae", "arc_curves", "layer_bands"]

GAPS = (0.11, 0.16, 0.26)  # between arcs; an arc and a node; nodes
LAYER_GAP, SLOPE, LARGEST_GAP = 0.5, 0.12, 1.5  # the gap grows with the widest arc in it
PORT_GAP = 0.14  # between arrow heads at a node
CLEARANCE = 0.09  # between a straight arc and a node
TINY = 1e-9
SWEEPS = 120

Chain = tuple[int, ...]
Point = NDArray[np.float64]


def abscissae(
    rows: list[list[int]],
    chains: list[Chain],
    widths: NDArray[np.float64],
    top: int | None = None,
    gaps: tuple[float, float, float] = GAPS,
) -> NDArray[np.float64]:
    """Return x of each item: the least squared lengths of the arcs that keep the gaps and the order."""
    # row after row is solved exactly with the others fixed, which converges because the problem is convex
    n_items = sum(map(len, rows))
    pulls: list[list[tuple[int, float]]] = [[] for _ in range(n_items)]
    for chain in chains:
        for above, below in pairwise(chain):
            # long arcs should be straight; arcs from the top matter least
            weight = 16.0 if min(above, below) >= len(widths) else 0.3 if above == top else 1.0
            pulls[above].append((below, weight))
            pulls[below].append((above, weight))
    x = np.zeros(n_items)
    # a weak pull to the center, for what has no arcs
    weights = [np.array([0.01 + sum(weight for _, weight in pulls[item]) for item in row]) for row in rows]
    distances = [_distances(row, widths, gaps) for row in rows]
    for sweep in range(SWEEPS):
        for index in range(len(rows)) if sweep % 2 == 0 else reversed(range(len(rows))):
            moments = np.array([sum(weight * x[end] for end, weight in pulls[item]) for item in rows[index]])
            x[rows[index]] = _spaced(moments / weights[index], weights[index], distances[index])
    return x


def _distances(
    row: list[int], widths: NDArray[np.float64], gaps: tuple[float, float, float]
) -> NDArray[np.float64]:
    """Return the least distance between the centers of neighbors, of shape (n_items - 1,)."""
    distances = []
    for pair in pairwise(row):
        nodes = [item for item in pair if item < len(widths)]
        distances.append(widths[nodes].sum() / 2 + gaps[len(nodes)])
    return np.array(distances)


def _spaced(
    wanted: NDArray[np.float64], weights: NDArray[np.float64], gaps: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the places nearest to the wanted ones, in weighted squares, with at least these gaps."""
    offsets = np.concatenate([[0.0], np.cumsum(gaps)])
    pools: list[list[float]] = []  # mean, weight and length of merged runs
    for value, weight in zip(wanted - offsets, weights, strict=True):
        pools.append([value, weight, 1])
        while len(pools) > 1 and pools[-2][0] >= pools[-1][0]:
            mean, mass, length = pools.pop()
            pools[-1][0] = (pools[-1][0] * pools[-1][1] + mean * mass) / (pools[-1][1] + mass)
            pools[-1][1] += mass
            pools[-1][2] += length
    return np.repeat([pool[0] for pool in pools], [int(pool[2]) for pool in pools]) + offsets


def layer_bands(
    rows: list[list[int]],
    chains: list[Chain],
    x: NDArray[np.float64],
    heights: NDArray[np.float64],
    stretch: float = 1.0,
) -> NDArray[np.float64]:
    """Return bottom and top of each layer, of shape (n_layers, 2), with gaps multiplied by `stretch`."""
    layer_of = {item: layer for layer, row in enumerate(rows) for item in row}
    widest = np.zeros(len(rows))
    for chain in chains:
        for above, below in pairwise(chain):
            widest[layer_of[above]] = max(widest[layer_of[above]], abs(x[above] - x[below]))
    bands, top = [], 0.0
    for layer, row in enumerate(rows):
        height = max(heights[item] for item in row if item < len(heights))
        bands.append((top - height, top))
        top -= height + stretch * min(LAYER_GAP + SLOPE * widest[layer], LARGEST_GAP)
    return np.array(bands)


@dataclass(frozen=True)
class Places:
    """The obstacles of the curves: the items of each layer, their places, and which node is an ellipse."""

    rows: list[list[int]]
    x: NDArray[np.float64]
    bands: NDArray[np.float64]
    centers: NDArray[np.float64]
    sizes: NDArray[np.float64]
    ellipse: int | None


def arc_curves(chains: list[Chain], places: Places) -> dict[tuple[int, int], NDArray[np.float64]]:
    """Return the Bezier curve of each arc, (1 + 3 * n_pieces, 2), from edge to edge of its nodes."""
    # straight where that avoids all other nodes, otherwise through the slots
    layer_of = {item: layer for layer, row in enumerate(places.rows) for item in row}
    starts = _offsets(chains, places)
    ends = _offsets([chain[::-1] for chain in chains], places)
    curves = {}
    for chain in chains:
        parent, child = chain[0], chain[-1]
        end = _edge(child, ends[chain[::-1]], places)
        start = _edge(parent, starts[chain], places, below=True)
        ray = parent == places.ellipse and len(places.rows[layer_of[parent]]) == 1
        line = [_ray(parent, end, places) if ray else start, end]
        if not _is_clear(line, {parent, child}, places):
            line = _led(chain, start, end, layer_of, places)
            if ray:
                line = [_ray(parent, line[2], places), *line[2:]]
        curves[parent, child] = _smooth(line)
    return curves


def _offsets(chains: list[Chain], places: Places) -> dict[Chain, float]:
    """Return each chain's offset from the center of its first node, in the order of the next items."""
    offsets = {}
    for node, width in enumerate(places.sizes[:, 0]):
        leaving = [chain for chain in chains if chain[0] == node]
        leaving.sort(key=lambda chain: (places.x[chain[1]], places.x[chain[-1]]))
        step = min(PORT_GAP, 0.7 * width / max(len(leaving) - 1, 1))
        for place, chain in enumerate(leaving):
            offsets[chain] = step * (place - (len(leaving) - 1) / 2)
    return offsets


def _edge(node: int, offset: float, places: Places, *, below: bool = False) -> Point:
    """Return the point of the upper or lower edge at an offset from the center."""
    half_width, half_height = places.sizes[node] / 2
    rise = half_height * np.sqrt(1 - (offset / half_width) ** 2) if node == places.ellipse else half_height
    return places.centers[node] + np.array([offset, -rise if below else rise])


def _ray(node: int, toward: Point, places: Places) -> Point:
    """Return where the line from the center of an ellipse leaves it."""
    step = toward - places.centers[node]
    return places.centers[node] + step / np.hypot(*(step / (places.sizes[node] / 2)))


def _is_clear(line: list[Point], family: set[int], places: Places) -> bool:
    """Return whether a straight line avoids all nodes outside the family."""
    others = [node for node in range(len(places.sizes)) if node not in family]
    points = np.linspace(line[0], line[1], 200)[:, np.newaxis]
    reach = places.sizes[others] / 2 + CLEARANCE
    return not (np.abs(points - places.centers[others]) < reach).all(axis=2).any()


def _led(chain: Chain, start: Point, end: Point, layer_of: dict[int, int], places: Places) -> list[Point]:
    """Return the corners of an arc: down to the edge of its layer, through the slots, down to its child."""
    below, above = places.bands[layer_of[chain[0]], 0], places.bands[layer_of[chain[-1]], 1]
    slots = [
        np.array([places.x[slot], edge])
        for slot in chain[1:-1]
        for edge in places.bands[layer_of[slot], ::-1]
    ]
    return [start, np.array([start[0], below]), *slots, np.array([end[0], above]), end]


def _smooth(points: list[Point]) -> NDArray[np.float64]:
    """Return a Bezier curve through the points, vertical where it meets a vertical piece."""
    # the control points of a piece are no higher and no lower than its ends, so neither is the curve
    points = [points[0], *(two for one, two in pairwise(points) if np.abs(two - one).max() > TINY)]
    upright = [bool(abs(one[0] - two[0]) < TINY) for one, two in pairwise(points)]
    curve = [points[0]]
    for index, (one, two) in enumerate(pairwise(points)):
        before = index > 0 and upright[index - 1]
        after = index + 1 < len(upright) and upright[index + 1]
        step = two - one
        free = step * (0.3, 0.45) if before or after else step / 3
        leaves, arrives = (step * (0, 0.5) if bends else free for bends in (before, after))
        curve += [one + leaves, two - arrives, two]
    return np.array(curve)
