"""Names of points, placed to cover little of the drawing."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.transforms import Bbox

__all__ = ["write_names"]

#: Where the name of a point may stand: points to the right and up, and how it is aligned.
PLACES = (
    (6, 0, "left", "center"), (-6, 0, "right", "center"), (0, 6, "center", "bottom"),
    (0, -6, "center", "top"), (5, 5, "left", "bottom"), (5, -5, "left", "top"), (-5, 5, "right", "bottom"),
    (-5, -5, "right", "top"), (0, 15, "center", "bottom"), (0, -15, "center", "top"),
    (14, 12, "left", "bottom"), (14, -12, "left", "top"),
)  # fmt: skip
#: Half the side of the square that a point takes, in pixels of 100 an inch.
POINT = 5.0


def write_names(
    ax: "Axes", points: Sequence[tuple[float, float]], names: Sequence[str], size: float = 7.5
) -> None:
    """Write the name of each point next to it. The axes must be final."""
    from matplotlib.patheffects import withStroke
    from matplotlib.text import Text
    from matplotlib.transforms import Bbox

    halo = [withStroke(linewidth=2, foreground="white")]  # so that lines do not run through a name
    figure = ax.get_figure(root=True)
    if figure is not None:
        figure.draw_without_rendering()  # so that the layout is known, and where names have room
    middles = ax.transData.transform(list(points))
    taken = [Bbox.from_extents(x - POINT, y - POINT, x + POINT, y + POINT) for x, y in middles]
    for point, name in zip(points, names, strict=True):
        tries: list[tuple[float, int, Text, Bbox]] = []
        for x, y, across, up in PLACES:
            text = ax.annotate(
                name, point, (x, y), textcoords="offset points", fontsize=size, ha=across, va=up,
                path_effects=halo,
            )  # fmt: skip
            box = text.get_window_extent()
            tries.append((_covered(box, taken, ax.bbox), len(tries), text, box))
        best = min(tries, key=lambda own: own[:2])
        for own in tries:
            if own is not best:
                own[2].remove()
        taken.append(best[3])


def _covered(box: "Bbox", taken: Sequence["Bbox"], axes: "Bbox") -> float:
    """Return how many square pixels of a name overlap others, or lie outside the axes."""
    from matplotlib.transforms import Bbox

    shared = [Bbox.intersection(box, other) for other in (*taken, axes)]
    areas = [0.0 if one is None else one.width * one.height for one in shared]
    return sum(areas[:-1]) + box.width * box.height - areas[-1]
