"""Draw the floors of the three packages and who uses whom, from the imports: docs/figures/architecture.png.

python docs/scripts/architecture.py
"""

import sys
from collections import Counter
from pathlib import Path

import networkx
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from tests.house import House, graph_of  # noqa: E402
from tests.test_house import HOUSES  # noqa: E402
from workbench.report.notes import save_figure  # noqa: E402

COLORS = {"workbench": "#cfe3f5", "learners": "#d9efd3", "generators": "#fbe5c8"}
INK, GRAY, ARROW = "#222222", "#555555", "#4477aa"
WIDTH, HEIGHT = 4.0, 0.62
PANELS = [["workbench", "learners"], ["workbench", "generators"]]
TITLE = """Rooms by floor. An arc is an import, always downward; the more files import, the wider it is.
workbench uses learners and generators; learners use generators.tables, networks and drawing."""


def main() -> None:
    """Draw all three packages on one sheet."""
    graph = graph_of("generators", "learners", "workbench")
    figure = Figure(figsize=(13, 11.5), layout="constrained")
    panels = figure.subplot_mosaic(PANELS, width_ratios=[1.15, 1])
    for house in HOUSES:
        draw(panels[house.package], house, graph)
    figure.suptitle(TITLE, fontsize=11)
    save_figure(figure, ROOT / "docs" / "figures" / "architecture.png", dpi=100)


def draw(ax: Axes, house: House, graph: networkx.DiGraph) -> None:
    """Draw one package: its rooms as boxes, its imports as arcs to the right."""
    sizes, heights, tall = rooms(house), {}, len(house.floors)
    for i, floor in enumerate(house.floors):
        for j, room in enumerate(floor):
            heights[room] = tall - i
            draw_room(ax, room, sizes[room], (j, len(floor), tall - i), COLORS[house.package])
    for (above, below), n in sorted(used(house, graph).items()):
        ends = (WIDTH, heights[above]), (WIDTH, heights[below])
        style = {"arrowstyle": "-|>", "mutation_scale": 7, "color": ARROW, "alpha": 0.55}
        bend = -0.3 if heights[above] > heights[below] else 0.3
        width = 0.4 + 0.25 * n**0.5
        ax.add_patch(FancyArrowPatch(*ends, connectionstyle=f"arc3,rad={bend}", lw=width, **style))
    ax.set(xlim=(-0.1, 4.5 + 0.16 * tall), ylim=(0.4, tall + 0.6), title=house.package)
    ax.axis("off")


def draw_room(ax: Axes, room: str, size: tuple[int, int], place: tuple[int, int, float], color: str) -> None:
    """Draw a box with the name and the size of a room, at its place among the rooms of its floor."""
    j, n_rooms, y = place
    width, small = WIDTH / n_rooms, 1.0 if n_rooms < 4 else 0.72
    corner, style = (j * width + 0.04, y - HEIGHT / 2), "round,pad=0.01,rounding_size=0.08"
    ax.add_patch(FancyBboxPatch(corner, width - 0.08, HEIGHT, boxstyle=style, fc=color, ec=INK, lw=0.7))
    files, lines = size
    words = f"{lines:,} lines" if n_rooms > 3 else f"{files} file{'s' * (files > 1)}, {lines:,} lines"
    middle = (j + 0.5) * width
    ax.text(middle, y + 0.1, room or "(the package)", ha="center", va="center", fontsize=9 * small, color=INK)
    ax.text(middle, y - 0.17, words, ha="center", va="center", fontsize=6.5 * small**0.5, color=GRAY)


def rooms(house: House) -> dict[str, tuple[int, int]]:
    """Count the files and lines of every room."""
    found = {}
    for room in (room for floor in house.floors for room in floor):
        single = ROOT / house.package / f"{room or '__init__'}.py"
        files = [single] if single.exists() else sorted((ROOT / house.package / room).rglob("*.py"))
        found[room] = len(files), sum(len(file.read_text().splitlines()) for file in files)
    return found


def used(house: House, graph: networkx.DiGraph) -> Counter[tuple[str, str]]:
    """Count the imports between rooms of a package."""
    found: Counter[tuple[str, str]] = Counter()
    for here, there in ((one.split("."), other.split(".")) for one, other in graph.edges):
        if here[0] == there[0] == house.package and here[1:2] != there[1:2]:
            found[".".join(here[1:2]), ".".join(there[1:2])] += 1
    return found


if __name__ == "__main__":
    main()
