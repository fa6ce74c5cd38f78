"""The complete layout of a network's drawing in inches, with and without numbers on its arcs."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from generators.drawing.arc_labels import PlacedLabels, place_labels
from generators.drawing.layout import Layout, layered_layout
from generators.drawing.lettering import HINTING, LINE, POINTS, STATES_SIZE, Drawable, NodeLabel, text_width

__all__ = [
    "NetworkPicture",
    "Stroke",
    "average_picture",
    "numbered_picture",
    "pattern_picture",
    "plain_picture",
]

MARGIN = 0.06
SURE = 0.99  # rounded posterior from which on an arc has no number
NUMBER_PADDING = np.array([0.06, 0.03])  # around the numbers on an arc
ROOMS = ((0.0, 1.0), (0.15, 1.25), (0.3, 1.25), (0.45, 1.5), (0.6, 1.5), (0.6, 2.0))
"""Room around a node, and factor of the gaps between layers, tried until all numbers fit."""
NOTE_GAP = 0.12  # above the lines below the drawing
NOTE_WIDTH = 50  # letters in one of these lines
LEAST = 0.2  # probability that a pair is joined, from which on the average shows it
CLEAR = 0.9  # share of a pair's probability from which on a direction is clear

Arc = tuple[int, int]


@dataclass(frozen=True)
class Stroke:
    """The style of an arc, with width and head in points."""

    width: float = 1.5
    alpha: float = 1.0
    head: float = 10.0
    style: str = "-|>"  # "-|>", "<|-" or, with neither head and dashed, "-"


THICK, THIN = Stroke(), Stroke(0.8, 0.55, 8.0)


@dataclass(frozen=True)
class NetworkPicture:
    """The complete layout of a drawing."""

    layout: Layout
    labels: Sequence[NodeLabel]
    strokes: Mapping[Arc, Stroke]
    # text on an arc, and its box: left, bottom, right, top
    numbers: dict[Arc, tuple[str, NDArray[np.float64]]] = field(default_factory=dict)
    note: str = ""  # lines below the drawing

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


def plain_picture(network: Drawable, labels: Sequence[NodeLabel]) -> NetworkPicture:
    """Return a drawing of nodes, arcs and texts on arcs. Arcs of the class are thin."""
    if network.arc_notes:
        strokes = dict.fromkeys(network.arc_notes, THICK)
        return _numbered(
            network.parent_indices,
            network.class_index,
            labels,
            strokes,
            network.arc_notes,
            [network.arc_caption],
        )
    layout = layered_layout(network.parent_indices, _sizes(labels), network.class_index)
    return NetworkPicture(layout, labels, {arc: _stroke(arc, network) for arc in layout.curves})


def pattern_picture(
    network: Drawable, labels: Sequence[NodeLabel], directed: frozenset[Arc]
) -> NetworkPicture:
    """Return a drawing in which only the given arcs have heads."""
    layout = layered_layout(network.parent_indices, _sizes(labels), network.class_index)
    strokes = {
        arc: _stroke(arc, network) if arc in directed else replace(_stroke(arc, network), style="-")
        for arc in layout.curves
    }
    n_open = len(strokes.keys() - directed)
    lines = ["arrow: this direction in all equivalent networks"] if n_open < len(strokes) else []
    lines += ["dashed: joined, in either direction"] if n_open else []
    return NetworkPicture(layout, labels, strokes, note="\n".join(lines))


def numbered_picture(
    network: Drawable, labels: Sequence[NodeLabel], posteriors: NDArray[np.float64], source: str | None
) -> NetworkPicture:
    """Return a drawing with posteriors on arcs. Arcs below 1/2 are thin."""
    arcs = [(parent, child) for child, above in enumerate(network.parent_indices) for parent in above]
    texts = {
        (parent, child): f"{posteriors[parent, child]:.2f}\n({posteriors[child, parent]:.2f})"
        for parent, child in arcs
        if round(float(posteriors[parent, child]), 2) < SURE
    }
    strokes = {arc: THIN if posteriors[arc] < 0.5 else THICK for arc in arcs}
    lines = ["upon an arc: its posterior", "(in brackets: of its reverse)"] if texts else []
    if len(texts) < len(arcs):
        which = "arcs without a number" if texts else "posterior of every arc"
        lines.append(f"{which}: {SURE} or more")
    if source and arcs:
        lines += _source_lines(source)
    return _numbered(network.parent_indices, network.class_index, labels, strokes, texts, lines)


def average_picture(
    network: Drawable,
    labels: Sequence[NodeLabel],
    posteriors: NDArray[np.float64],
    directed: frozenset[Arc],
    source: str | None,
) -> NetworkPicture:
    """Return a drawing of the pairs that are probably joined, with heads on clear arcs among `directed`."""
    # the posterior alone may prefer one of several equivalent networks, as one of more orders
    joined = posteriors + posteriors.T
    pairs = [(u, v) for u, v in zip(*np.nonzero(np.triu(joined, 1) >= LEAST), strict=True)]
    pairs.sort(key=lambda pair: -joined[pair])
    ends = [_oriented(int(u), int(v), posteriors, directed) for u, v in pairs]
    parents, downward = _acyclic(ends, network.order)
    strokes, texts = {}, {}
    for arc, (has_head, (u, v)) in zip(downward, ends, strict=True):
        style = "-" if not has_head else "-|>" if arc == (u, v) else "<|-"
        share = min(float(joined[u, v]), 1.0)
        strokes[arc] = Stroke(0.7 + 1.3 * share, 0.35 + 0.65 * share, 9.0, style)
        written = float(posteriors[u, v]) if has_head else share
        if round(written, 2) < SURE:
            texts[arc] = f"{written:.2f}"
    lines = _average_lines([has_head for has_head, _ in ends], len(texts))
    if source and pairs:
        lines += _source_lines(source)
    return _numbered(parents, network.class_index, labels, strokes, texts, lines)


def _oriented(u: int, v: int, posteriors: NDArray[np.float64], directed: frozenset[Arc]) -> tuple[bool, Arc]:
    """Return whether a pair has a head, and the pair in its more probable direction."""
    forward, backward = float(posteriors[u, v]), float(posteriors[v, u])
    likelier = (u, v) if forward >= backward else (v, u)
    is_clear = max(forward, backward) >= CLEAR * (forward + backward)
    return is_clear and likelier in directed, likelier


def _acyclic(
    ends: Sequence[tuple[bool, Arc]], order: Sequence[int]
) -> tuple[tuple[tuple[int, ...], ...], list[Arc]]:
    """Return a graph to lay the pairs out by, and each pair from above to below."""
    # heads point down as long as they form no cycle; other pairs follow the order
    above: list[set[int]] = [set() for _ in order]  # all ancestors of a node

    def add(u: int, v: int) -> Arc:
        if v in above[u]:
            u, v = v, u
        gained = above[u] | {u}
        for node, own in enumerate(above):
            if node == v or v in own:
                own |= gained
        return u, v

    place = {node: i for i, node in enumerate(order)}
    found = {pair: add(*pair) for has_head, pair in ends if has_head}
    for has_head, (u, v) in ends:
        if not has_head:
            found[u, v] = add(u, v) if place[u] < place[v] else add(v, u)
    downward = [found[pair] for _, pair in ends]
    parents = [tuple(sorted(u for u, w in downward if w == v)) for v in range(len(order))]
    return tuple(parents), downward


def _average_lines(heads: Sequence[bool], n_numbers: int) -> list[str]:
    """Return lines that explain the average."""
    if not heads:
        return [f"no two variables are joined with probability {LEAST} or more"]
    lines = ["arrow: at least 9 to 1, in all equivalent networks"] if any(heads) else []
    lines += ["dashed: joined, direction not determined"] if not all(heads) else []
    if n_numbers == len(heads):
        lines.append("number: posterior of arrow or join")
    elif n_numbers:
        lines.append(f"number: posterior (none: {SURE} or more)")
    else:
        lines.append(f"posterior of each: {SURE} or more")
    lines.append(f"pairs below {LEAST} are not drawn")
    return lines


def _source_lines(source: str) -> list[str]:
    return textwrap.wrap(f"posteriors: {source}", NOTE_WIDTH)


def _sizes(labels: Sequence[NodeLabel]) -> NDArray[np.float64]:
    return np.array([label.size for label in labels])


def _stroke(arc: Arc, network: Drawable) -> Stroke:
    return THIN if arc[0] == network.class_index else THICK


def _numbered(
    parents: Sequence[Sequence[int]],
    top: int | None,
    labels: Sequence[NodeLabel],
    strokes: Mapping[Arc, Stroke],
    texts: Mapping[Arc, str],
    lines: Sequence[str],
) -> NetworkPicture:
    """Return a drawing with text on arcs: the smallest without overlaps, or the one with the fewest."""
    needed = {arc: _text_size(text) + NUMBER_PADDING for arc, text in texts.items()}
    sizes = _sizes(labels)
    tried: list[tuple[PlacedLabels, Layout]] = []
    for room, stretch in ROOMS:
        layout = layered_layout(parents, sizes, top, room=room, stretch=stretch)
        tried.append((place_labels(layout, needed), layout))
        if not tried[-1][0].n_overlaps + tried[-1][0].n_crossed:
            break
    placed, layout = min(tried, key=lambda one: (one[0].n_overlaps, one[0].n_crossed))
    numbers = {arc: (text, placed.boxes[arc]) for arc, text in texts.items()}
    return NetworkPicture(layout, labels, strokes, numbers, "\n".join(lines))


def _text_size(text: str) -> NDArray[np.float64]:
    """Return the width and height of lines in the size of numbers."""
    lines = text.split("\n")
    width = HINTING * max(text_width(line, STATES_SIZE) for line in lines)
    return np.array([width, LINE * STATES_SIZE / POINTS * len(lines)])
