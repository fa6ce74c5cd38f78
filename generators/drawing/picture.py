"""The complete layout of a network's drawing, with and without numbers on its arcs; in inches."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from generators.base.factorization import Factorization
from generators.drawing.arc_labels import PlacedLabels, place_labels
from generators.drawing.layout import Layout, layered_layout
from generators.drawing.lettering import HINTING, LINE, POINTS, STATES_SIZE, NodeLabel, text_width

__all__ = ["Picture", "numbered_picture", "plain_picture"]

MARGIN = 0.06
SURE = 0.99  # rounded posterior from which on an arc has no number
NUMBER_PADDING = np.array([0.06, 0.03])  # around the numbers on an arc
ROOMS = ((0.0, 1.0), (0.15, 1.25), (0.3, 1.25), (0.45, 1.5), (0.6, 1.5), (0.6, 2.0))
"""Room around a node, and factor of the gaps between layers, tried until all numbers fit."""
NOTE_GAP = 0.12  # above the lines below the drawing

Arc = tuple[int, int]


@dataclass(frozen=True)
class Picture:
    """The complete layout of a drawing.

    Attributes
    ----------
    layout : Layout
        Boxes of the nodes and curves of the arcs.
    labels : sequence of NodeLabel
        Labels of the nodes.
    thin : set of (parent, child)
        Arcs that are drawn thin.
    numbers : dict of (parent, child) to (str, ndarray of shape (4,))
        Text on an arc, and its box: left, bottom, right, top.
    note : str
        Lines below the drawing.
    """

    layout: Layout
    labels: Sequence[NodeLabel]
    thin: Set[Arc]
    numbers: dict[Arc, tuple[str, NDArray[np.float64]]] = field(default_factory=dict)
    note: str = ""

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top of the drawing."""
        left, right, bottom, top = self.layout.extent
        boxes = np.array([(left, bottom, right, top), *(box for _, box in self.numbers.values())])
        (left, bottom), (right, top) = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
        if self.note:
            middle, (width, height) = (left + right) / 2, _text_size(self.note)
            left, right = min(left, middle - width / 2), max(right, middle + width / 2)
            bottom -= NOTE_GAP + height
        return float(left), float(right), float(bottom), float(top)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height with a margin."""
        left, right, bottom, top = self.extent
        return right - left + 2 * MARGIN, top - bottom + 2 * MARGIN

    @property
    def note_middle(self) -> tuple[float, float]:
        """Center of the note."""
        left, right, bottom, _ = self.extent
        return (left + right) / 2, bottom + _text_size(self.note)[1] / 2


def plain_picture(network: Factorization, labels: Sequence[NodeLabel]) -> Picture:
    """Return a drawing of nodes and arcs; arcs of the class are thin."""
    sizes = np.array([label.size for label in labels])
    layout = layered_layout(network.parents, sizes, network.class_index)
    return Picture(layout, labels, {arc for arc in layout.curves if arc[0] == network.class_index})


def numbered_picture(
    network: Factorization, labels: Sequence[NodeLabel], posteriors: NDArray[np.float64], source: str | None
) -> Picture:
    """Return a drawing with posteriors on arcs; arcs below 1/2 are thin.

    With increasing room, the first in which no number overlaps a node, another number or another arc;
    otherwise the one with the fewest overlaps.
    """
    arcs = [(parent, child) for child, above in enumerate(network.parents) for parent in above]
    texts = {
        (parent, child): f"{posteriors[parent, child]:.2f}\n({posteriors[child, parent]:.2f})"
        for parent, child in arcs
        if round(float(posteriors[parent, child]), 2) < SURE
    }
    needed = {arc: _text_size(text) + NUMBER_PADDING for arc, text in texts.items()}
    sizes = np.array([label.size for label in labels])
    tried: list[tuple[PlacedLabels, Layout]] = []
    for room, stretch in ROOMS:
        layout = layered_layout(network.parents, sizes, network.class_index, room=room, stretch=stretch)
        tried.append((place_labels(layout, needed), layout))
        if not tried[-1][0].n_overlaps + tried[-1][0].n_crossed:
            break
    placed, layout = min(tried, key=lambda one: (one[0].n_overlaps, one[0].n_crossed))
    thin = {(parent, child) for parent, child in arcs if posteriors[parent, child] < 0.5}
    numbers = {arc: (text, placed.boxes[arc]) for arc, text in texts.items()}
    return Picture(layout, labels, thin, numbers, _note(len(arcs), len(texts), source))


def _text_size(text: str) -> NDArray[np.float64]:
    """Return the width and height of lines in the size of numbers."""
    lines = text.split("\n")
    width = HINTING * max(text_width(line, STATES_SIZE) for line in lines)
    return np.array([width, LINE * STATES_SIZE / POINTS * len(lines)])


def _note(n_arcs: int, n_numbers: int, source: str | None) -> str:
    """Return lines that explain the numbers and how they were computed."""
    lines = []
    if n_numbers:
        lines += ["upon an arc: its posterior", "(in brackets: of its reverse)"]
    if n_numbers < n_arcs:
        which = "arcs without a number" if n_numbers else "posterior of every arc"
        lines.append(f"{which}: {SURE} or more")
    if source and n_arcs:
        lines.append(f"posteriors: {source}")
    return "\n".join(lines)
