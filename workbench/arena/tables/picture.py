"""Mean log loss of learners against the seconds of their fits."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from workbench.arena.tables.board import TableBoard, TableStanding
from workbench.base.text import and_of
from workbench.figures._shared.names import write_names
from workbench.figures._shared.style import GREY, MUTED, SERIES
from workbench.report.document import Picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["picture_of"]


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
    write_names(ax, [(one.fit, one.loss) for one in standings], names)
    return figure


def _undominated(standings: Sequence[TableStanding]) -> list[TableStanding]:
    """Return the learners for which none is both quicker and better, the quickest first."""
    found: list[TableStanding] = []
    for one in sorted(standings, key=lambda own: (own.fit, own.loss)):
        if not found or one.loss < found[-1].loss:
            found.append(one)
    return found
