"""Mean log loss of learners against the seconds of their fits."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from workbench.arena.tables.board import TableBoard, TableStanding
from workbench.base.text import and_of
from workbench.figures._shared.style import GREY, MUTED, SERIES
from workbench.report.document import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox

__all__ = ["picture_of"]

#: Where the name of a point may stand: points to the right and up, and how it is aligned.
PLACES = (
    (6, 0, "left", "center"), (-6, 0, "right", "center"), (0, 6, "center", "bottom"),
    (0, -6, "center", "top"), (5, 5, "left", "bottom"), (5, -5, "left", "top"), (-5, 5, "right", "bottom"),
    (-5, -5, "right", "top"), (0, 15, "center", "bottom"), (0, -15, "center", "top"),
    (14, 12, "left", "bottom"), (14, -12, "left", "top"),
)  # fmt: skip
#: Half the side of the square that a point takes, in pixels of 100 an inch.
POINT = 5.0


def picture_of(board: TableBoard, titles: Mapping[str, str]) -> Picture:
    """Return the picture of a leaderboard; learners that are worse than class frequencies are not drawn."""
    drawn = [one for one in board.standings if one.loss <= board.yardstick.loss and math.isfinite(one.fit)]
    drawn = drawn or [one for one in board.standings if math.isfinite(one.fit)]
    others = [titles[one.learner] for one in board.standings if one not in drawn]
    caption = (
        "Lower is better, further left is quicker; the scale of seconds is logarithmic. On the grey steps, "
        "in blue: nothing quicker is as good. The leader is orange."
    )
    if others:
        caption += f" Not drawn, as the loss is more than that of class frequencies: {and_of(others)}."
    names = [titles[one.learner] for one in drawn]
    return Picture(
        "score_against_seconds", "Log loss against seconds", caption, lambda: _drawn(drawn, names), wide=True
    )


def _drawn(standings: Sequence[TableStanding], names: Sequence[str]) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.6, 4.4), dpi=100, layout="constrained")
    ax = figure.subplots()
    ax.set_xscale("log")
    steps = _undominated(standings)
    ax.step(
        [one.fit for one in steps], [one.loss for one in steps],
        where="post", color=MUTED, linewidth=5.0, alpha=0.6,
    )  # fmt: skip
    for i, one in enumerate(standings):
        color = SERIES[1] if i == 0 else SERIES[0] if one in steps else GREY
        ax.plot(one.fit, one.loss, marker="o", linestyle="", color=color, markersize=5.5)
    ax.margins(x=0.16, y=0.1)
    ax.xaxis.set_major_formatter("{x:g}")
    ax.grid(visible=True, axis="both")
    ax.set_xlabel("median seconds of a fit")
    ax.set_ylabel("mean log loss [bits]")
    figure.draw_without_rendering()  # so that the layout is known, and where names have room
    _write_names(ax, standings, names)
    return figure


def _undominated(standings: Sequence[TableStanding]) -> list[TableStanding]:
    """Return the learners for which none is both quicker and better, the quickest first."""
    found: list[TableStanding] = []
    for one in sorted(standings, key=lambda own: (own.fit, own.loss)):
        if not found or one.loss < found[-1].loss:
            found.append(one)
    return found


def _write_names(ax: "Axes", standings: Sequence[TableStanding], names: Sequence[str]) -> None:
    """Write each name where it covers least of what is there."""
    from matplotlib.text import Text
    from matplotlib.transforms import Bbox

    middles = ax.transData.transform([(one.fit, one.loss) for one in standings])
    taken = [Bbox.from_extents(x - POINT, y - POINT, x + POINT, y + POINT) for x, y in middles]
    for one, name in zip(standings, names, strict=True):
        tries: list[tuple[float, int, Text, Bbox]] = []
        for x, y, across, up in PLACES:
            text = ax.annotate(
                name, (one.fit, one.loss), (x, y), textcoords="offset points", fontsize=7.5, ha=across, va=up
            )
            box = text.get_window_extent()
            tries.append((_covered(box, taken, ax.bbox), len(tries), text, box))
        best = min(tries, key=lambda own: own[:2])
        for own in tries:
            if own is not best:
                own[2].remove()
        taken.append(best[3])


def _covered(box: "Bbox", taken: Sequence["Bbox"], axes: "Bbox") -> float:
    """Return how many square pixels of a name lie over others, or outside the axes."""
    from matplotlib.transforms import Bbox

    shared = [Bbox.intersection(box, other) for other in (*taken, axes)]
    areas = [0.0 if one is None else one.width * one.height for one in shared]
    return sum(areas[:-1]) + box.width * box.height - areas[-1]
