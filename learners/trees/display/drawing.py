"""A tree as a figure: the root at the left, one line for each leaf, colored by class."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from learners.trees.display.picture_text import branch_label, end_label, hidden_label
from learners.trees.display.text import TreeNames
from learners.trees.nodes.node_table import CUT, NodeTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_tree"]

#: Okabe and Ito's colors, distinguishable by color-blind people, without black and yellow.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
POINTS = 72  # in an inch
SIZE, SMALL = 8.5, 7.5  # points: of attributes and classes, of branches and weights
LINE = 1.2  # height of a line in sizes of its letters
ROW = 0.33  # inches from leaf to leaf
PAD, GAP = 0.06, 0.12  # inches inside a box; between a box, its branches, and their labels
BAR = 0.5  # inches: the class frequencies of a leaf
WIDEST = 1.25  # inches: longer names are broken after a space or punctuation
HINTING = 1.09  # letters are drawn slightly wider than measured
TINT = 0.22
MOST_LEAVES = 100
EDGE = 0.8


@dataclass(frozen=True)
class _Layout:
    """The drawn nodes and their places, in inches from the upper left corner."""

    nodes: NDArray[np.int64]
    is_end: NDArray[np.bool_]  # by node: a leaf, or a subtree that is not drawn
    x: NDArray[np.float64]  # by depth: the left side of the boxes
    y: NDArray[np.float64]  # by node
    name: dict[int, str]  # of inner nodes, in lines
    width: NDArray[np.float64]  # by node: of the box
    size: tuple[float, float]


def plot_tree(tree: NodeTable, names: TreeNames, ax: "Axes | None" = None) -> "Axes":
    """Draw a tree from left to right: leaves with class, weight, wrong weight and a bar of frequencies."""
    # A leaf without rows is not filled. Of a tree with more than 100 leaves only the upper levels are drawn;
    # a box with a broken outline represents a subtree and states its number of branches.
    import matplotlib.pyplot as plt

    layout = _layout(tree, names)
    width, height = layout.size
    if ax is None:
        figure = plt.figure(figsize=(max(width, 1.5), max(height, 0.5)))
        ax = figure.add_axes((0, 0, 1, 1))
    ax.set_axis_off()
    ax.set_xlim(0, width)
    ax.set_ylim(height, 0)
    ax.set_aspect("equal")
    scale = _scale(ax, layout.size)
    for node in layout.nodes.tolist():
        if layout.is_end[node]:
            _draw_end(ax, tree, names, layout, node, scale)
        else:
            _draw_test(ax, tree, names, layout, node, scale)
    return ax


def _layout(tree: NodeTable, names: TreeNames) -> _Layout:
    deepest = _deepest_drawn(tree)
    order = tree.depth_first()
    nodes = order[tree.depths[order] <= deepest]
    is_end = tree.is_leaf | (tree.depths == deepest)
    y = np.zeros(tree.n_nodes)
    ends = nodes[is_end[nodes]]
    y[ends] = (np.arange(len(ends)) + 0.5) * ROW
    for node in nodes[::-1].tolist():
        if not is_end[node]:
            y[node] = (y[tree.children(node)[0]] + y[tree.children(node)[-1]]) / 2
    name = {n: _broken(names.attributes[tree.attribute[n]]) for n in nodes.tolist() if not is_end[n]}
    width = np.zeros(tree.n_nodes)
    for node in nodes.tolist():
        lines = name[node].split("\n") if node in name else [_end_text(tree, names, node)]
        width[node] = max(_width(line, SIZE) for line in lines) + 2 * PAD
    x = _columns(tree, names, nodes, is_end, width)
    right = max(x[tree.depths[node]] + width[node] + GAP + BAR for node in ends.tolist())
    return _Layout(nodes, is_end, x, y, name, width, (float(right + GAP), len(ends) * ROW))


def _deepest_drawn(tree: NodeTable) -> int:
    """Return the deepest level that leaves at most a hundred ends."""
    for depth in range(tree.depth, 0, -1):
        ends = np.count_nonzero((tree.depths <= depth) & (tree.is_leaf | (tree.depths == depth)))
        if ends <= MOST_LEAVES:
            return depth
    return 0


def _columns(
    tree: NodeTable,
    names: TreeNames,
    nodes: NDArray[np.int64],
    is_end: NDArray[np.bool_],
    width: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return where the boxes of each level begin: behind those of the level above and their branches."""
    x = [GAP]
    for depth in range(int(tree.depths[nodes].max())):
        above = nodes[(tree.depths[nodes] == depth) & ~is_end[nodes]]
        labels = [
            _branch_label(tree, names, node, branch)
            for node in above.tolist()
            for branch in range(tree.n_children[node])
        ]
        x.append(x[-1] + width[above].max() + 3 * GAP + max(_width(label, SMALL) for label in labels))
    return np.array(x)


def _branch_label(tree: NodeTable, names: TreeNames, node: int, branch: int) -> str:
    attribute = int(tree.attribute[node])
    is_cut = tree.kind[node] == CUT
    threshold = float(tree.threshold[node]) if is_cut else None
    return branch_label(names, attribute, branch, threshold, has_missing=bool(names.values[attribute]))


def _end_text(tree: NodeTable, names: TreeNames, node: int) -> str:
    """Return the text of a leaf, or of the box for a subtree."""
    text = end_label(names.classes[tree.label[node]], float(tree.weight[node]), float(tree.wrong[node]))
    return text if tree.is_leaf[node] else hidden_label(text, _n_branches(tree, node))


def _n_branches(tree: NodeTable, node: int) -> int:
    """Count the branches below a node, those of the nodes below included."""
    below = [node]
    for test in below:  # grows during the loop
        below += tree.children(test)
    return len(below) - 1


def _width(text: str, size: float) -> float:
    """Return the width of a line of text in inches."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    properties = FontProperties(size=size)
    width = text_to_path.get_text_width_height_descent(text, properties, ismath=False)[0]
    return float(width) / POINTS * HINTING


def _broken(name: str) -> str:
    """Break a long name into lines after spaces and punctuation."""
    lines = [""]
    for word in re.findall(r"[^\s_\-./]*[\s_\-./]*", name):
        if lines[-1] and _width((lines[-1] + word).strip(), SIZE) > WIDEST:
            lines.append("")
        lines[-1] += word
    return "\n".join(line.strip() for line in lines)


def _scale(ax: "Axes", size: tuple[float, float]) -> float:
    """Return the factor that scales the drawing to fit the axes."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    box = ax.get_window_extent()
    return min(box.width / figure.dpi / size[0], box.height / figure.dpi / size[1], 1.0)


def _ink() -> Any:
    import matplotlib

    return matplotlib.rcParams["text.color"]


def _draw_test(
    ax: "Axes", tree: NodeTable, names: TreeNames, layout: _Layout, node: int, scale: float
) -> None:
    """Draw an inner node and its branches: a bus, with a label on the way to each child."""
    x, y = float(layout.x[tree.depths[node]]), float(layout.y[node])
    width, children = float(layout.width[node]), tree.children(node)
    n_lines = layout.name[node].count("\n") + 1
    _box(ax, (x, y), (width, n_lines * LINE * SIZE / POINTS + PAD), "none", scale)
    _write(ax, x + width / 2, y, layout.name[node], SIZE * scale, ha="center")
    level = layout.nodes[tree.depths[layout.nodes] == tree.depths[node]]
    start = x + float(layout.width[level[~layout.is_end[level]]].max()) + GAP
    end = float(layout.x[tree.depths[node] + 1])
    line = {"color": _ink(), "linewidth": EDGE * scale, "solid_capstyle": "butt", "zorder": 1}
    ax.plot([x + width, start], [y, y], **line)
    ax.plot([start, start], [layout.y[children[0]], layout.y[children[-1]]], **line)
    for branch, child in enumerate(children):
        label = _branch_label(tree, names, node, branch)
        at, y_child = start + GAP, float(layout.y[child])
        ax.plot([start, at - 0.03], [y_child, y_child], **line)
        ax.plot([at + _width(label, SMALL) + 0.03, end], [y_child, y_child], **line)
        _write(ax, at, y_child, label, SMALL * scale, ha="left")


def _draw_end(
    ax: "Axes", tree: NodeTable, names: TreeNames, layout: _Layout, node: int, scale: float
) -> None:
    """Draw a leaf, or the box for a subtree, with the bar of its class frequencies."""
    from matplotlib.colors import to_rgba
    from matplotlib.patches import Rectangle

    x, y = float(layout.x[tree.depths[node]]), float(layout.y[node])
    width, height = float(layout.width[node]), LINE * SIZE / POINTS + PAD
    color = COLORS[tree.label[node] % len(COLORS)]
    style = "-" if tree.is_leaf[node] else (0, (3, 2))
    face = to_rgba(color, TINT) if tree.weight[node] > 0 else "none"
    _box(ax, (x, y), (width, height), face, scale, edge=color, style=style)
    _write(ax, x + PAD, y, _end_text(tree, names, node), SIZE * scale, ha="left")
    if tree.weight[node] <= 0:
        return
    left = x + width + GAP
    for c, share in enumerate((tree.class_weight[node] / tree.weight[node]).tolist()):
        part = Rectangle((left, y - height / 4), share * BAR, height / 2, linewidth=0, zorder=2)
        part.set_facecolor(COLORS[c % len(COLORS)])
        ax.add_patch(part)
        left += share * BAR


def _box(
    ax: "Axes",
    center_left: tuple[float, float],
    size: tuple[float, float],
    face: Any,
    scale: float,
    *,
    edge: Any = None,
    style: Any = "-",
) -> None:
    from matplotlib.patches import FancyBboxPatch

    corner = center_left[0], center_left[1] - size[1] / 2
    box = FancyBboxPatch(corner, *size, boxstyle="round,pad=0,rounding_size=0.05")
    box.set(facecolor=face, edgecolor=_ink() if edge is None else edge, linewidth=scale, linestyle=style)
    box.set_zorder(2)
    ax.add_patch(box)


def _write(ax: "Axes", x: float, y: float, text: str, size: float, *, ha: Any) -> None:
    ax.text(
        x, y, text, size=size, ha=ha, va="center", color=_ink(), parse_math=False, linespacing=1.0, zorder=4
    )
