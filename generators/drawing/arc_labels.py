"""Places of the labels of arcs: each on its own arc, clear of nodes, other labels and other arcs.

Lengths are in inches, y upwards. A label has many candidate places along its arc, with its middle slightly
off the arc. Labels are moved in turn, each to the place with the fewest overlaps, until none moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generators.drawing.layout import Layout

__all__ = ["PlacedLabels", "place_labels"]

STEPS = 60  # points along each piece of an arc
PLACES = np.linspace(0.12, 0.88, 39)  # possible places of a label's middle, as shares of an arc's length
ASIDE = np.array([0.0, -0.22, 0.22])  # possible offsets from its arc, as shares of a label's width
PAD = 0.025  # between labels, and between a label and a node
OVERLAP, CROSSING, OFF_CENTER, OFF_ARC = 100.0, 10.0, 1.0, 0.5  # what a place costs
UNEASE = (OFF_CENTER * np.abs(2 * PLACES - 1)[:, None] + OFF_ARC * (ASIDE != 0)).ravel()
SWEEPS = 40

Arc = tuple[int, int]
Boxes = NDArray[np.float64]


@dataclass(frozen=True)
class PlacedLabels:
    """Boxes of labels, and how many hide something."""

    boxes: dict[Arc, NDArray[np.float64]]  # left, bottom, right, top
    n_overlaps: int  # labels that lie on a node or on another label
    n_crossed: int  # labels that another arc runs under


def place_labels(
    layout: Layout, sizes: Mapping[Arc, tuple[float, float] | NDArray[np.float64]]
) -> PlacedLabels:
    """Place labels on arcs."""
    if not sizes:
        return PlacedLabels({}, 0, 0)
    points = {arc: _points(curve) for arc, curve in layout.curves.items()}
    nodes = np.hstack([layout.centers - layout.sizes / 2, layout.centers + layout.sizes / 2])
    arcs = list(sizes)
    candidates = [_candidates(points[arc], sizes[arc]) for arc in arcs]
    overlaps = [_overlaps(own, nodes).sum(axis=1) for own in candidates]
    crossings = [
        sum((_runs_under(own, points[other]) for other in points if other != arc), np.zeros(len(own), int))
        for arc, own in zip(arcs, candidates, strict=True)
    ]
    costs = [OVERLAP * o + CROSSING * c + UNEASE for o, c in zip(overlaps, crossings, strict=True)]
    chosen = _settled(candidates, costs)
    boxes = np.array([own[at] for own, at in zip(candidates, chosen, strict=True)])
    hidden = _overlaps(boxes, boxes).sum(axis=1) - 1 + [o[at] for o, at in zip(overlaps, chosen, strict=True)]
    n_crossed = sum(int(c[at] > 0) for c, at in zip(crossings, chosen, strict=True))
    return PlacedLabels(dict(zip(arcs, boxes, strict=True)), int((hidden > 0).sum()), n_crossed)


def _settled(candidates: list[Boxes], costs: list[NDArray[np.float64]]) -> list[int]:
    """Return places of the labels such that moving any single one would not hide less."""
    chosen = [int(np.argmin(cost)) for cost in costs]
    boxes = np.array([own[at] for own, at in zip(candidates, chosen, strict=True)])
    for _ in range(SWEEPS):
        moved = False
        for label, (own, cost) in enumerate(zip(candidates, costs, strict=True)):
            others = np.delete(boxes, label, axis=0)
            total = cost + OVERLAP * _overlaps(own, others).sum(axis=1)
            best = int(np.argmin(total))
            if total[best] < total[chosen[label]] - 1e-9:
                chosen[label], boxes[label], moved = best, own[best], True
        if not moved:
            break
    return chosen


def _points(curve: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points along a curve of cubic pieces."""
    t = np.linspace(0, 1, STEPS)[:, None]
    basis = np.hstack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
    return np.vstack([basis @ curve[k : k + 4] for k in range(0, len(curve) - 3, 3)])


def _candidates(points: NDArray[np.float64], size: tuple[float, float] | NDArray[np.float64]) -> Boxes:
    """Return the candidate boxes of a label on a line, of shape (n_candidates, 4)."""
    length = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    middles = np.column_stack([np.interp(PLACES * length[-1], length, own) for own in points.T])
    width, height = size
    x = (middles[:, :1] + ASIDE * width).ravel()
    y = np.repeat(middles[:, 1], ASIDE.size)
    return np.column_stack([x - width / 2, y - height / 2, x + width / 2, y + height / 2])


def _overlaps(boxes: Boxes, others: Boxes) -> NDArray[np.bool_]:
    """Whether each box, with room around it, lies on each other one, of shape (n_boxes, n_others)."""
    low, high = boxes[:, None, :2] - PAD, boxes[:, None, 2:] + PAD
    return np.asarray(((low < others[None, :, 2:]) & (high > others[None, :, :2])).all(axis=2))


def _runs_under(boxes: Boxes, points: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return 1 for each box that a line meets, else 0."""
    near = ((points > boxes[:, :2].min(axis=0)) & (points < boxes[:, 2:].max(axis=0))).all(axis=1)
    inside = (points[near] > boxes[:, None, :2]) & (points[near] < boxes[:, None, 2:])
    return np.asarray(inside.all(axis=2).any(axis=1), dtype=np.int64)
