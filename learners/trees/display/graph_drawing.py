"""A classification graph as a figure: the root at the left, branches that meet, leaves colored by class."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from learners.trees.display.graph_layout import GraphLayout, Line, lay_out
from learners.trees.display.picture_text import branch_label, end_label, hidden_label
from learners.trees.display.text import TreeNames
from learners.trees.nodes.node_graph import JUMP, NodeGraph
from learners.trees.nodes.node_table import CUT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_graph"]

#: Okabe and Ito's colors, distinguishable by color-blind people, without black and yellow.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
SIZE, SMALL = 8.5, 7.5  # points: of attributes and classes, of branches
ROW = 0.42  # inches from node to node of a layer
LETTER = 0.6  # width of a letter in sizes
LEAF_BAR = 0.5  # inches: the class probabilities of a leaf
BAR_HEIGHT = 0.11
TINT = 0.22
EDGE = 0.9
MOST_LETTERS = 18


def plot_graph(
    graph: NodeGraph, of_leaf: NDArray[np.float64], names: TreeNames, ax: "Axes | None" = None
) -> "Axes":
    """Draw a graph from left to right: leaves with class, weight, wrong weight and a bar of probabilities."""
    # A test where branches join has a thicker outline. Of a graph with more than 100 ends, or very long
    # lines, only the upper layers are drawn; the tests at their ends state how many branches are left out.
    import matplotlib.pyplot as plt

    layout = lay_out(graph)
    text = {node: _node_text(graph, names, layout, node) for node in layout.layer}
    width = {node: _width(label, SIZE) + 0.16 for node, label in text.items()}
    columns = _columns(graph, names, layout, width)
    height = (max([*layout.y.values(), *(y for line in layout.lines for y in line.stops)]) + 1.0) * ROW
    if ax is None:
        figure = plt.figure(figsize=(columns[-1][1] + 0.2, height))
        ax = figure.add_axes((0, 0, 1, 1))
    ax.set_axis_off()
    ax.set_xlim(0, columns[-1][1] + 0.2)
    ax.set_ylim(height, 0)
    ax.set_aspect("equal")
    for line in layout.lines:
        start = columns[layout.layer[line.test]][0] + width[line.test]
        _draw_line(ax, _line_text(graph, names, line), line, start, columns[layout.layer[line.test] :])
    joined = set(graph.joins.tolist())
    for node, label in text.items():
        corner = (columns[layout.layer[node]][0], (layout.y[node] + 0.5) * ROW)
        _draw_box(ax, graph, node, label, corner, width[node], node in joined)
        if layout.is_end[node] and graph.n_children[node] == 0:
            _draw_bar(ax, of_leaf[node], (corner[0] + width[node] + 0.08, corner[1]))
    return ax


def _node_text(graph: NodeGraph, names: TreeNames, layout: GraphLayout, node: int) -> str:
    if graph.n_children[node] == 0:
        label, weight = int(graph.label[node]), float(graph.class_weight[node].sum())
        return end_label(names.classes[label], weight, weight - float(graph.class_weight[node][label]))
    name = _short(names.attributes[int(graph.attribute[node])])
    return hidden_label(name, _n_branches(graph, node)) if layout.is_end[node] else name


def _n_branches(graph: NodeGraph, node: int) -> int:
    """Count the branches below a test, those of each test below counted once."""
    tests, seen, n_branches = [node], {node}, 0
    while tests:
        for child in graph.children(tests.pop()):
            n_branches += 1
            to = child
            while graph.kind[to] == JUMP:
                to = int(graph.first_child[to])
            if graph.n_children[to] and to not in seen:
                seen.add(to)
                tests.append(to)
    return n_branches


def _line_text(graph: NodeGraph, names: TreeNames, line: Line) -> str:
    attribute, is_cut = int(graph.attribute[line.test]), graph.kind[line.test] == CUT
    threshold, has_missing = float(graph.threshold[line.test]), bool(names.values[attribute])
    labels = [
        branch_label(names, attribute, branch, threshold if is_cut else None, has_missing=has_missing)
        for branch in line.branches
    ]
    return _short(", ".join(labels))


def _short(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 1] + "…"


def _width(text: str, size: float) -> float:
    return len(text) * size * LETTER / 72


def _columns(
    graph: NodeGraph, names: TreeNames, layout: GraphLayout, width: dict[int, float]
) -> list[tuple[float, float]]:
    """Return the left and right ends of each layer's boxes. The branches are between layers."""
    n_layers = max(layout.layer.values()) + 1
    box, branch = np.zeros(n_layers), np.full(n_layers, 0.5)
    for node, depth in layout.layer.items():
        bar = LEAF_BAR + 0.1 if graph.n_children[node] == 0 else 0.0
        box[depth] = max(box[depth], width[node] + bar)
    for line in layout.lines:
        depth = layout.layer[line.test]
        branch[depth] = max(branch[depth], _width(_line_text(graph, names, line), SMALL) + 0.55)
    left = 0.1 + np.concatenate([[0.0], np.cumsum(box + branch)[:-1]])
    return list(zip(left.tolist(), (left + box).tolist(), strict=True))


def _draw_line(ax: Any, label: str, line: Line, start: float, columns: list[tuple[float, float]]) -> None:
    """Draw a line from the right side of a test: level past the boxes of a layer, and then to the next."""
    y = [(stop + 0.5) * ROW for stop in line.stops]
    turn = columns[0][1] + 0.22
    xs, ys = [start, columns[0][1], turn, turn + _width(label, SMALL) + 0.06], [y[0], y[0], y[1], y[1]]
    for k, height in enumerate(y[1:], start=1):
        xs += [columns[k][0]] if k == len(y) - 1 else columns[k]
        ys += [height] if k == len(y) - 1 else [height, height]
    ax.plot(xs, ys, color="#777777", linewidth=EDGE, zorder=1, solid_joinstyle="round")
    ground = {"facecolor": ax.figure.get_facecolor(), "edgecolor": "none", "pad": 0.8}
    ax.text(turn + 0.03, y[1], label, fontsize=SMALL, va="center", bbox=ground, zorder=2, parse_math=False)


def _draw_box(
    ax: Any,
    graph: NodeGraph,
    node: int,
    label: str,
    corner: tuple[float, float],
    width: float,
    is_joined: bool,
) -> None:
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Rectangle

    x, y = corner
    tint: Any = "white"
    if graph.n_children[node] == 0 and graph.weight[node] > 0:
        color = np.array(to_rgb(COLORS[int(graph.label[node]) % len(COLORS)]))
        tint = tuple(1 - TINT * (1 - color))
    outline = 2.2 * EDGE if is_joined else EDGE
    box = Rectangle(
        (x, y - 0.13), width, 0.26, facecolor=tint, edgecolor="#333333", linewidth=outline, zorder=3
    )
    ax.add_patch(box)
    ax.text(
        x + width / 2,
        y,
        label,
        fontsize=SIZE,
        ha="center",
        va="center",
        zorder=4,
        parse_math=False,
        color="black",
    )


def _draw_bar(ax: Any, probabilities: NDArray[np.float64], start: tuple[float, float]) -> None:
    from matplotlib.patches import Rectangle

    x, y = start
    for k, p in enumerate(probabilities.tolist()):
        color = COLORS[k % len(COLORS)]
        ax.add_patch(Rectangle((x, y - BAR_HEIGHT / 2), p * LEAF_BAR, BAR_HEIGHT, facecolor=color, zorder=3))
        x += p * LEAF_BAR
