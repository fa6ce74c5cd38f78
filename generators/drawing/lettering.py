"""Width of text, line breaks, and labels of nodes. Lengths are in inches."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

__all__ = [
    "HINTING",
    "LINE",
    "POINTS",
    "STATES_SIZE",
    "Drawable",
    "NodeLabel",
    "node_labels",
    "text_width",
    "wrapped",
]

POINTS = 72  # in an inch
NAME_SIZE, STATES_SIZE = 10.5, 7.5  # points
HINTING = 1.04  # letters do not scale exactly with their size
LINE = 1.2  # height of a line in sizes of the letters
PADDING = np.array([0.2, 0.14])  # around the label of a node
SMALLEST, WIDEST = np.array([0.62, 0.46]), 1.15
SHRINK, BROKEN = 0.75, 1.6  # limits for a long word: shrunk first, then in a wider node, then broken
ELLIPSE = np.array([1.3, 1.3])  # room for a label, relative to a box


class Drawable(Protocol):
    """A network as drawings need it."""

    @property
    def names(self) -> tuple[str, ...]:
        """The variables."""

    @property
    def parent_indices(self) -> tuple[tuple[int, ...], ...]:
        """The parents of each variable, by index."""

    @property
    def order(self) -> tuple[int, ...]:
        """The variables, parents before children."""

    @property
    def class_index(self) -> int | None:
        """Which variable is the class."""

    @property
    def node_notes(self) -> Sequence[str]:
        """Text below each name."""

    @property
    def arc_notes(self) -> Mapping[tuple[int, int], str]:
        """Text of the arcs, by parent and child, on all arcs or none."""

    @property
    def arc_caption(self) -> str:
        """Meaning of the texts on arcs."""


@dataclass(frozen=True)
class NodeLabel:
    """The label of a node."""

    name: str  # in lines
    name_size: float  # in points
    note: str  # a line below it, such as how many states there are
    size: tuple[float, float]  # width and height that the node needs


def node_labels(network: Drawable) -> list[NodeLabel]:
    """Return the label of each variable. The label of the class has room for an ellipse."""
    labels = []
    for variable, (name, note) in enumerate(zip(network.names, network.node_notes, strict=True)):
        longest = max(text_width(word, NAME_SIZE) for word in ["", *_words(name)])
        letters = NAME_SIZE * min(1.0, max(SHRINK, WIDEST / max(longest, WIDEST)))
        lines = wrapped(name, letters, max(WIDEST, min(longest * letters / NAME_SIZE, BROKEN)))
        width = max(*(text_width(line, letters) for line in lines), text_width(note, STATES_SIZE))
        height = LINE * (letters * len(lines) + STATES_SIZE) / POINTS
        size = np.maximum(np.array([width, height]) + PADDING, SMALLEST)
        if variable == network.class_index:
            size = size * ELLIPSE
        labels.append(NodeLabel("\n".join(lines), letters, note, (float(size[0]), float(size[1]))))
    return labels


def text_width(text: str, size: float) -> float:
    """Return the width of a line of text in inches."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    properties = FontProperties(size=size)
    return float(text_to_path.get_text_width_height_descent(text, properties, ismath=False)[0]) / POINTS


def _words(text: str) -> list[str]:
    """Return the unbreakable parts: they end before a space, or after punctuation."""
    return re.findall(r"\s*[^\s_\-./:]*[_\-./:]*", text)


def wrapped(text: str, size: float, widest: float) -> list[str]:
    """Return the complete text in lines of at most the given width, or a third of the text's width."""
    widest = max(widest, 0.36 * text_width(text, size))
    lines = [""]
    for word in _words(text):
        if text_width((lines[-1] + word).strip(), size) <= widest * HINTING:
            lines[-1] += word
            continue
        lines.append("")
        for character in word.lstrip():
            if lines[-1] and text_width(lines[-1] + character, size) > widest:
                lines.append("")
            lines[-1] += character
    stripped = [line.strip() for line in lines]
    return [line for line in stripped if line] or [""]
