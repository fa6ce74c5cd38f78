"""Networks and mixtures as figures: the class on top, what depends on it below, in layers."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from generators.layout import Layout, layered_layout

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from generators.mixture import Mixture
    from generators.network import Network

__all__ = ["plot_mixture", "plot_network"]

POINTS = 72  # in an inch
NAME_SIZE, STATES_SIZE, TITLE_SIZE = 10.5, 7.5, 9.5  # points
HINTING = 1.04  # letters are not quite as wide in one size as in another
LINE, TITLE_LINE = 1.2, 1.35  # height of a line in sizes of the letters
PADDING = np.array([0.2, 0.14])  # inches, around the label of a node
SMALLEST, WIDEST = np.array([0.62, 0.46]), 1.15  # inches
SHRINK, BROKEN = 0.75, 1.6  # a long word is set smaller, to this, then in a wider node, to this, then broken
ELLIPSE = np.array([1.3, 1.3])  # room for a label, against a box
MARGIN = 0.06
ROOM, GAP = 0.6, 0.09  # beside a node, for the numbers at arcs; between these and their arc
POSTERIORS = ("beside an arc: its posterior", "(in brackets: of its reverse)")
NOTE = 0.36  # inches, for these lines
STEPS, PLACES = 25, [12, 9, 15, 7, 17]  # points of an arc, and those beside which its numbers may stand
LARGEST_SCALE, PANEL_SCALE = 1.25, 0.8
MOST_PANELS, MOST_COLUMNS, PAGE_WIDTH = 8, 4, 14.0
CLASS_TINT = (0.0, 0.447, 0.698, 0.22)  # a blue that stays a shade on light and dark pages, and in grey


@dataclass(frozen=True)
class _Label:
    """What is written in a node, and the width and height that it needs."""

    name: str
    name_size: float
    states: str
    size: tuple[float, float]


def plot_network(
    network: Network, ax: Axes | None = None, arc_posteriors: NDArray[np.float64] | None = None
) -> Axes:
    """Draw a network as `Network.plot` says."""
    import matplotlib.pyplot as plt

    if arc_posteriors is not None and np.shape(arc_posteriors) != (len(network.names),) * 2:
        raise ValueError(
            f"arc_posteriors has the shape {np.shape(arc_posteriors)}; give a row and a column for each of "
            f"the {len(network.names)} variables"
        )
    if arc_posteriors is not None and not ((arc_posteriors >= 0) & (arc_posteriors <= 1 + 1e-9)).all():
        raise ValueError("arc_posteriors holds a number that is no probability; give numbers from 0 to 1")
    labels = _labels(network)
    layout = _layout(network, labels, room=0.0 if arc_posteriors is None else ROOM)
    if ax is None:
        width, height = _natural_size(layout)
        note = 0.0 if arc_posteriors is None else NOTE
        figure = plt.figure(figsize=(max(width, 1.7) if note else width, height + note))
        ax = figure.add_axes((0, note / (height + note), 1, height / (height + note)))
        if note:
            text = "\n".join(POSTERIORS)
            figure.text(0.5, 0.04 / (height + note), text, size=STATES_SIZE, color=_ink(), ha="center")
    ax.set_axis_off()
    scale = _scale(ax, layout)
    _draw(ax, network, labels, layout, scale, arc_posteriors)
    return ax


def plot_mixture(mixture: Mixture, axes: Any = None) -> NDArray[np.object_]:
    """Draw the components of a mixture as `Mixture.plot` says."""
    given = None if axes is None else np.asarray(axes, dtype=object).ravel()
    room = MOST_PANELS if given is None else len(given)
    shown = sorted(np.argsort(-mixture.weights, kind="stable")[:room].tolist())
    labels = _labels(mixture)
    layouts = [_layout(mixture.components[index], labels) for index in shown]
    titles = [_title(mixture, index) for index in shown]
    panels = _panels(layouts, titles, len(mixture.components)) if given is None else given[: len(shown)]
    for panel in panels if given is None else given:
        panel.set_axis_off()
    for panel, title in zip(panels, titles, strict=True):
        panel.set_title(title, fontsize=TITLE_SIZE, parse_math=False, color=_ink())
    # one scale, so that equal nodes are equal in all panels
    scale = min(_scale(panel, layout) for panel, layout in zip(panels, layouts, strict=True))
    for panel, index, layout in zip(panels, shown, layouts, strict=True):
        _draw(panel, mixture.components[index], labels, layout, scale)
    return panels


def _ink() -> Any:
    import matplotlib

    return matplotlib.rcParams["text.color"]


def _labels(truth: Network | Mixture) -> list[_Label]:
    labels = []
    for variable, (name, states) in enumerate(zip(truth.names, truth.states, strict=True)):
        longest = max(_width(word, NAME_SIZE) for word in ["", *_words(name)])
        letters = NAME_SIZE * min(1.0, max(SHRINK, WIDEST / max(longest, WIDEST)))
        lines = _wrapped(name, letters, max(WIDEST, min(longest * letters / NAME_SIZE, BROKEN)))
        count = f"{len(states)} state{'' if len(states) == 1 else 's'}"
        width = max(*(_width(line, letters) for line in lines), _width(count, STATES_SIZE))
        height = LINE * (letters * len(lines) + STATES_SIZE) / POINTS
        size = np.maximum(np.array([width, height]) + PADDING, SMALLEST)
        if variable == truth.class_index:
            size = size * ELLIPSE
        labels.append(_Label("\n".join(lines), letters, count, (float(size[0]), float(size[1]))))
    return labels


def _width(text: str, size: float) -> float:
    """Return the width of a line of text in inches."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    properties = FontProperties(size=size)
    return float(text_to_path.get_text_width_height_descent(text, properties, ismath=False)[0]) / POINTS


def _words(text: str) -> list[str]:
    """Return the parts that stay on a line: they end before a space, or after a mark that joins two."""
    return re.findall(r"\s*[^\s_\-./:]*[_\-./:]*", text)


def _wrapped(text: str, size: float, widest: float) -> list[str]:
    """Return the text in lines of at most the width, or of a third of the text's; nothing is left out."""
    widest = max(widest, 0.36 * _width(text, size))
    lines = [""]
    for word in _words(text):
        if _width((lines[-1] + word).strip(), size) <= widest * HINTING:
            lines[-1] += word
            continue
        lines.append("")
        for character in word.lstrip():
            if lines[-1] and _width(lines[-1] + character, size) > widest:
                lines.append("")
            lines[-1] += character
    stripped = [line.strip() for line in lines]
    return [line for line in stripped if line] or [""]


def _layout(network: Network, labels: Sequence[_Label], room: float = 0.0) -> Layout:
    """Place the nodes, with room beside each for numbers at its arcs."""
    sizes = np.array([label.size for label in labels])
    return layered_layout(network.parents, sizes + np.array([room, 0.0]), network.class_index)


def _natural_size(layout: Layout) -> tuple[float, float]:
    """Return the width and height, in inches, of a drawing with its margin at scale one."""
    left, right, bottom, top = layout.extent
    return right - left + 2 * MARGIN, top - bottom + 2 * MARGIN


def _scale(ax: Axes, layout: Layout) -> float:
    """Return by how much the drawing is enlarged so that it fills the axes."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    if figure.get_layout_engine() is not None:
        figure.draw_without_rendering()  # the engine places the axes only now
    box = ax.get_window_extent()
    width, height = _natural_size(layout)
    return min(box.width / figure.dpi / width, box.height / figure.dpi / height, LARGEST_SCALE)


def _draw(
    ax: Axes,
    network: Network,
    labels: Sequence[_Label],
    layout: Layout,
    scale: float,
    arc_posteriors: NDArray[np.float64] | None = None,
) -> None:
    left, right, bottom, top = layout.extent
    figure = ax.get_figure(root=True)
    assert figure is not None
    box = ax.get_window_extent()
    half_width, half_height = (side / figure.dpi / scale / 2 for side in (box.width, box.height))
    ax.set_xlim((left + right) / 2 - half_width, (left + right) / 2 + half_width)
    ax.set_ylim((bottom + top) / 2 - half_height, (bottom + top) / 2 + half_height)
    ax.set_aspect("equal")
    for (parent, child), curve in layout.curves.items():
        if arc_posteriors is None:
            _draw_arc(ax, curve, scale, light=parent == network.class_index)
        else:
            _draw_arc(ax, curve, scale, light=bool(arc_posteriors[parent, child] < 0.5))
    if arc_posteriors is not None:
        _write_posteriors(ax, layout, arc_posteriors, scale)
    for node, label in enumerate(labels):
        size = layout.sizes[node] - (0.0 if arc_posteriors is None else (ROOM, 0.0))
        _draw_node(ax, label, layout.centers[node], size, scale, node == network.class_index)


def _draw_arc(ax: Axes, curve: NDArray[np.float64], scale: float, *, light: bool) -> None:
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path

    path = Path(curve, [Path.MOVETO] + [Path.CURVE4] * (len(curve) - 1))
    width, alpha, head = (0.8, 0.55, 8) if light else (1.5, 1.0, 10)
    ax.add_patch(
        FancyArrowPatch(
            path=path,
            arrowstyle="-|>,head_length=0.5,head_width=0.22",
            mutation_scale=head * scale,
            linewidth=width * scale,
            color=_ink(),
            alpha=alpha,
            shrinkA=0,
            shrinkB=0,
            zorder=1 if light else 2,
        )
    )


def _write_posteriors(ax: Axes, layout: Layout, arc_posteriors: NDArray[np.float64], scale: float) -> None:
    """Write the probability of each arc, and of its reverse in brackets, where it hides least."""
    points = {arc: _points(curve) for arc, curve in layout.curves.items()}
    taken = [
        (*(center - size / 2), *(center + size / 2))
        for center, size in zip(layout.centers, layout.sizes - (ROOM, 0), strict=True)
    ]
    for (parent, child), own in points.items():
        text = f"{arc_posteriors[parent, child]:.2f} ({arc_posteriors[child, parent]:.2f})"
        width, height = _width(text, STATES_SIZE), LINE * STATES_SIZE / POINTS
        others = np.vstack([np.empty((0, 2)), *(p for arc, p in points.items() if arc != (parent, child))])
        boxes = [
            (
                x + (GAP if right else -GAP - width),
                y - height / 2,
                x + (GAP + width if right else -GAP),
                y + height / 2,
            )
            for x, y in own[PLACES]
            for right in (True, False)
        ]
        box = min(boxes, key=lambda box: _hidden(box, others, own, taken))
        taken.append(box)
        ax.text(
            box[0],
            box[1] + height / 2,
            text,
            size=STATES_SIZE * scale,
            color=_ink(),
            va="center",
            parse_math=False,
            zorder=4,
        )


def _points(curve: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points along a curve of cubic pieces, start and end included."""
    t = np.linspace(0, 1, STEPS)[:, None]
    basis = np.hstack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
    whole = np.vstack([basis @ curve[k : k + 4] for k in range(0, len(curve) - 3, 3)])
    return whole[np.linspace(0, len(whole) - 1, STEPS).round().astype(int)]


def _hidden(
    box: tuple[float, ...], others: NDArray[np.float64], own: NDArray[np.float64], taken: list[Any]
) -> int:
    """Count what a label would lie upon: points of arcs, and ten for each box."""
    left, bottom, right, top = box
    points = np.vstack([others, own])
    on_arcs = ((points > (left, bottom)) & (points < (right, top))).all(axis=1).sum()
    overlaps = sum(left < r and right > low and bottom < t and top > b for low, b, r, t in taken)
    return int(on_arcs) + 10 * overlaps


def _draw_node(
    ax: Axes,
    label: _Label,
    center: NDArray[np.float64],
    size: NDArray[np.float64],
    scale: float,
    is_class: bool,
) -> None:
    from matplotlib.patches import Ellipse, FancyBboxPatch

    x, y = map(float, center)
    width, height = map(float, size)
    if is_class:
        ax.add_patch(
            Ellipse((x, y), width, height, facecolor=CLASS_TINT, edgecolor=_ink(), lw=1.8 * scale, zorder=3)
        )
    else:
        corner = (x - width / 2, y - height / 2)
        box = FancyBboxPatch(corner, width, height, boxstyle="round,pad=0,rounding_size=0.08")
        box.set(facecolor="none", edgecolor=_ink(), linewidth=1.0 * scale, zorder=3)
        ax.add_patch(box)
    n_lines = label.name.count("\n") + 1
    name, states = LINE * label.name_size * n_lines / POINTS, LINE * STATES_SIZE / POINTS
    for text, size_, up in (
        (label.name, label.name_size, states / 2),
        (label.states, STATES_SIZE, -name / 2),
    ):
        ax.text(
            x,
            y + up,
            text,
            size=size_ * scale,
            color=_ink(),
            ha="center",
            va="center",
            linespacing=1.0,
            parse_math=False,
            zorder=4,
        )


def _title(mixture: Mixture, index: int) -> str:
    """Return which attribute is a parent of all others, if one is, and the weight."""
    component = mixture.components[index]
    leaders = [
        name
        for leader, name in zip(mixture.attributes, mixture.attribute_names, strict=True)
        if len(mixture.attributes) > 1
        and all(leader in component.parents[other] for other in mixture.attributes if other != leader)
    ]
    head = f"{leaders[0]} leads" if leaders else f"component {index + 1}"
    return "\n".join([*_wrapped(head, TITLE_SIZE, 2.0), f"weight {mixture.weights[index]:.3g}"])


def _panels(layouts: Sequence[Layout], titles: Sequence[str], n_components: int) -> NDArray[np.object_]:
    """Return new axes of equal size in a figure that they fill, with room for their titles."""
    import matplotlib.pyplot as plt

    width, height = PANEL_SCALE * np.max([_natural_size(layout) for layout in layouts], axis=0)
    title = TITLE_LINE * TITLE_SIZE / POINTS * (1 + max(text.count("\n") + 1 for text in titles))
    width = max(width, *(_width(line, TITLE_SIZE) for text in titles for line in text.split("\n"))) + 0.3
    n_rows = math.ceil(len(layouts) / max(1, min(MOST_COLUMNS, int(PAGE_WIDTH / width))))
    n_columns = math.ceil(len(layouts) / n_rows)
    note = 0.3 if len(layouts) < n_components else 0.0
    total = n_columns * width, n_rows * (height + title) + note
    figure = plt.figure(figsize=total)
    if note:
        text = f"the {len(layouts)} heaviest of {n_components} components"
        figure.text(0.5, 0.1 / total[1], text, size=TITLE_SIZE, color=_ink(), ha="center")
    panels = np.empty(len(layouts), dtype=object)
    for place in range(len(layouts)):
        row, column = divmod(place, n_columns)
        bottom = total[1] - (row + 1) * (height + title)
        corner = ((column * width + 0.15) / total[0], bottom / total[1])
        panels[place] = figure.add_axes((*corner, (width - 0.3) / total[0], height / total[1]))
    return panels
