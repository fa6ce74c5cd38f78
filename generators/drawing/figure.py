"""Networks and mixtures as figures: the class on top, what depends on it below, in layers."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from generators.base.factorization import Factorization
from generators.base.validation import shown
from generators.drawing.lettering import (
    LINE,
    POINTS,
    STATES_SIZE,
    Drawable,
    NodeLabel,
    node_labels,
    text_width,
    wrapped,
)
from generators.drawing.picture import (
    NetworkPicture,
    Stroke,
    average_picture,
    numbered_picture,
    pattern_picture,
    plain_picture,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.path import Path

__all__ = ["component_title", "network_svg", "plot_mixture", "plot_network", "plot_panels"]

KINDS = ("dag", "pattern", "average")
INK = "#010203"  # stands for the color of a page's text until SVG is written
DASHES = (0, (3.5, 1.8))  # on and off, in widths of the line

TITLE_SIZE, TITLE_LINE = 9.5, 1.35  # points, and the height of a line in sizes of the letters
LARGEST_SCALE, PANEL_SCALE = 1.25, 0.8
MOST_PANELS, MOST_COLUMNS, PAGE_WIDTH = 8, 4, 14.0
CLASS_TINT = (0.0, 0.447, 0.698, 0.22)  # a blue that remains visible on light and dark pages, and in gray


def plot_network(
    network: Drawable,
    ax: Axes | None = None,
    *,
    kind: str = "dag",
    directed: frozenset[tuple[int, int]] = frozenset(),
    arc_posteriors: Any = None,
    posterior_source: str | None = None,
) -> Axes:
    """Draw a network (see `Network.plot`). `directed` are its `compelled_arcs`."""
    import matplotlib.pyplot as plt

    picture = picture_of(network, kind, directed, arc_posteriors, posterior_source)
    if ax is None:
        figure = plt.figure(figsize=picture.size)
        ax = figure.add_axes((0, 0, 1, 1))
    ax.set_axis_off()
    _draw(ax, network, picture, _scale(ax, picture))
    return ax


def network_svg(
    network: Drawable,
    *,
    kind: str = "dag",
    directed: frozenset[tuple[int, int]] = frozenset(),
    arc_posteriors: Any = None,
    posterior_source: str | None = None,
) -> str:
    """Draw a network as SVG for an HTML page, in the color of its text and without a background."""
    import matplotlib
    from matplotlib.figure import Figure

    picture = picture_of(network, kind, directed, arc_posteriors, posterior_source)
    # a figure of its own, which pyplot does not know and need not close
    with matplotlib.rc_context({"text.color": INK, "svg.hashsalt": "network", "svg.fonttype": "path"}):
        figure = Figure(figsize=picture.size)
        ax = figure.add_axes((0, 0, 1, 1))
        ax.set_axis_off()
        _draw(ax, network, picture, 1.0, transparent=True)
        text = StringIO()
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    svg = text.getvalue()
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    return svg.replace(INK, "currentColor").strip()


def picture_of(
    network: Drawable,
    kind: str,
    directed: frozenset[tuple[int, int]],
    arc_posteriors: Any,
    source: str | None,
) -> NetworkPicture:
    """Return the layout of a drawing of a kind."""
    if kind not in KINDS:
        raise ValueError(f"kind is {shown(kind)}: expected one of {', '.join(KINDS)}")
    posteriors = None if arc_posteriors is None else _checked(arc_posteriors, network.names)
    labels = node_labels(network)
    if kind == "average":
        if posteriors is None:
            raise ValueError(
                'kind="average" needs arc_posteriors: give them, or plot the result of learn_network, which '
                "has them"
            )
        return average_picture(network, labels, posteriors, directed, source)
    if kind == "pattern":
        return pattern_picture(network, labels, directed)
    return (
        plain_picture(network, labels)
        if posteriors is None
        else numbered_picture(network, labels, posteriors, source)
    )


def _checked(arc_posteriors: Any, names: tuple[str, ...]) -> NDArray[np.float64]:
    """Return posteriors as an array in the order of the variables."""
    if hasattr(arc_posteriors, "columns"):
        missing = [name for name in names if name not in arc_posteriors or name not in arc_posteriors.index]
        if missing:
            raise ValueError(
                f"arc_posteriors has no row or no column {shown(missing[0])}: expected a row and a column "
                "for each variable"
            )
        arc_posteriors = arc_posteriors.loc[list(names), list(names)]
    posteriors = np.asarray(arc_posteriors, dtype=np.float64)
    if posteriors.shape != (len(names),) * 2:
        raise ValueError(
            f"arc_posteriors has the shape {posteriors.shape}: expected a row and a column for each of "
            f"the {len(names)} variables"
        )
    if not ((posteriors >= 0) & (posteriors <= 1 + 1e-9)).all():
        raise ValueError("arc_posteriors has a number that is not a probability (from 0 to 1)")
    return posteriors


def plot_mixture(
    components: Sequence[Factorization], weights: NDArray[np.float64], axes: Any = None
) -> NDArray[np.object_]:
    """Draw the components of a mixture (see `Mixture.plot`)."""
    titles = [component_title(one, index, float(weights[index])) for index, one in enumerate(components)]
    return plot_panels(components, weights, titles, axes)


def plot_panels(
    networks: Sequence[Drawable], weights: NDArray[np.float64], titles: Sequence[str], axes: Any = None
) -> NDArray[np.object_]:
    """Draw networks side by side at one scale. If there are too many, draw those with the largest weights."""
    given = None if axes is None else np.asarray(axes, dtype=object).ravel()
    room = MOST_PANELS if given is None else len(given)
    shown = sorted(np.argsort(-weights, kind="stable")[:room].tolist())
    pictures = [plain_picture(networks[index], node_labels(networks[index])) for index in shown]
    titles = [titles[index] for index in shown]
    panels = _panels(pictures, titles, len(networks)) if given is None else given[: len(shown)]
    for panel in panels if given is None else given:
        panel.set_axis_off()
    for panel, title in zip(panels, titles, strict=True):
        panel.set_title(title, fontsize=TITLE_SIZE, parse_math=False, color=_ink())
    # one scale, so that nodes have the same size in all panels
    scale = min(_scale(panel, picture) for panel, picture in zip(panels, pictures, strict=True))
    for panel, index, picture in zip(panels, shown, pictures, strict=True):
        _draw(panel, networks[index], picture, scale)
    return panels


def _ink() -> Any:
    import matplotlib

    return matplotlib.rcParams["text.color"]


def _scale(ax: Axes, picture: NetworkPicture) -> float:
    """Return the factor by which the drawing is enlarged to fill the axes."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    if figure.get_layout_engine() is not None:
        figure.draw_without_rendering()  # the layout engine places the axes only now
    box = ax.get_window_extent()
    width, height = picture.size
    return min(box.width / figure.dpi / width, box.height / figure.dpi / height, LARGEST_SCALE)


def _draw(
    ax: Axes, network: Drawable, picture: NetworkPicture, scale: float, *, transparent: bool = False
) -> None:
    """Draw on axes. Arcs are cut under numbers on transparent axes. Otherwise numbers have a background."""
    left, right, bottom, top = picture.extent
    figure = ax.get_figure(root=True)
    assert figure is not None
    box = ax.get_window_extent()
    half_width, half_height = (side / figure.dpi / scale / 2 for side in (box.width, box.height))
    ax.set_xlim((left + right) / 2 - half_width, (left + right) / 2 + half_width)
    ax.set_ylim((bottom + top) / 2 - half_height, (bottom + top) / 2 + half_height)
    ax.set_aspect("equal")
    holes = _with_holes(ax, [box for _, box in picture.numbers.values()]) if transparent else None
    for arc, curve in picture.layout.curves.items():
        _draw_arc(ax, curve, scale, picture.strokes[arc], holes)
    for node, label in enumerate(picture.labels):
        center, size = picture.layout.centers[node], picture.layout.sizes[node]
        _draw_node(ax, label, center, size, scale, node == network.class_index)
    for text, (x_low, y_low, x_high, y_high) in picture.numbers.values():
        ground = None if transparent else figure.get_facecolor()
        _write(ax, text, ((x_low + x_high) / 2, (y_low + y_high) / 2), scale, on=ground)
    if picture.note:
        _write(ax, picture.note, picture.note_middle, scale)


def _with_holes(ax: Axes, boxes: Sequence[NDArray[np.float64]]) -> Path | None:
    """Return the area of the axes outside the boxes as a clip path, or None without boxes."""
    from matplotlib.path import Path

    if not boxes:
        return None
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    whole = [(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)]
    # the other way round, so that they are outside
    holes = [[(x, y), (x, v), (u, v), (u, y), (x, y)] for x, y, u, v in boxes]
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
    return Path(np.concatenate([whole, *holes]), codes * (1 + len(holes)))


def _draw_arc(
    ax: Axes, curve: NDArray[np.float64], scale: float, stroke: Stroke, clip: Path | None = None
) -> None:
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path

    path = Path(curve, [Path.MOVETO] + [Path.CURVE4] * (len(curve) - 1))
    patch = ax.add_patch(
        FancyArrowPatch(
            path=path,
            arrowstyle="-" if stroke.style == "-" else f"{stroke.style},head_length=0.5,head_width=0.22",
            linestyle=DASHES if stroke.style == "-" else "solid",
            mutation_scale=stroke.head * scale,
            linewidth=stroke.width * scale,
            color=_ink(),
            alpha=stroke.alpha,
            shrinkA=0,
            shrinkB=0,
            zorder=1 if stroke.alpha < 1 else 2,
        )
    )
    if clip is not None:
        patch.set_clip_path(clip, ax.transData)


def _write(ax: Axes, text: str, middle: tuple[float, float], scale: float, on: Any = None) -> None:
    """Write lines centered at a point, on an opaque background if one is given."""
    ground = None if on is None else {"boxstyle": "square,pad=0.1", "facecolor": on, "edgecolor": "none"}
    ax.text(
        *middle,
        text,
        size=STATES_SIZE * scale,
        color=_ink(),
        ha="center",
        va="center",
        linespacing=1.15,
        parse_math=False,
        bbox=ground,
        zorder=3.5,
    )


def _draw_node(
    ax: Axes,
    label: NodeLabel,
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
    name, note = LINE * label.name_size * n_lines / POINTS, LINE * STATES_SIZE / POINTS
    for text, size_, up in (
        (label.name, label.name_size, note / 2),
        (label.note, STATES_SIZE, -name / 2),
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


def component_title(component: Factorization, index: int, weight: float) -> str:
    """Return which attribute is a parent of all others, if one is, and the weight."""
    leaders = [
        name
        for leader, name in zip(component.attributes, component.attribute_names, strict=True)
        if len(component.attributes) > 1
        and all(
            leader in component.parent_indices[other] for other in component.attributes if other != leader
        )
    ]
    head = f"{leaders[0]} leads" if leaders else f"component {index + 1}"
    return "\n".join([*wrapped(head, TITLE_SIZE, 2.0), f"weight {weight:.3g}"])


def _panels(
    pictures: Sequence[NetworkPicture], titles: Sequence[str], n_components: int
) -> NDArray[np.object_]:
    """Return new axes of equal size in a figure that they fill, with room for their titles."""
    import matplotlib.pyplot as plt

    width, height = PANEL_SCALE * np.max([picture.size for picture in pictures], axis=0)
    title = TITLE_LINE * TITLE_SIZE / POINTS * (1 + max(text.count("\n") + 1 for text in titles))
    width = max(width, *(text_width(line, TITLE_SIZE) for text in titles for line in text.split("\n"))) + 0.3
    n_rows = math.ceil(len(pictures) / max(1, min(MOST_COLUMNS, int(PAGE_WIDTH / width))))
    n_columns = math.ceil(len(pictures) / n_rows)
    note = 0.3 if len(pictures) < n_components else 0.0
    total = n_columns * width, n_rows * (height + title) + note
    figure = plt.figure(figsize=total)
    if note:
        text = f"{len(pictures)} of {n_components}, with the largest weights"
        figure.text(0.5, 0.1 / total[1], text, size=TITLE_SIZE, color=_ink(), ha="center")
    panels = np.empty(len(pictures), dtype=object)
    for place in range(len(pictures)):
        row, column = divmod(place, n_columns)
        bottom = total[1] - (row + 1) * (height + title)
        corner = ((column * width + 0.15) / total[0], bottom / total[1])
        panels[place] = figure.add_axes((*corner, (width - 0.3) / total[0], height / total[1]))
    return panels
