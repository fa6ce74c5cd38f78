"""The figure of a report on data sets: the mean of every learner on every data set."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.analyses import Resampled
from workbench.report.document import Picture
from workbench.report.words import title_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from workbench.figures._shared.style import Look

__all__ = ["caption_of", "means_picture", "robust_range"]

#: Means farther from the interquartile range than this multiple of it are not drawn to scale.
FENCE = 3.0
WIDTH, AROUND = 5.2, 1.4  # inches: width of the figure; its height without the lines of the data sets
LINE, EACH = 0.09, 0.05  # inches of a data set's line, and of each learner on it
SIZE = 4.2  # points, of a marker
DODGE = 0.8  # share of a line over which its learners are spread, to avoid overlap
ROOM = 0.17  # share of the axis reserved for labels of means beyond it


def robust_range(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the range of the values without outliers."""
    known = values[np.isfinite(values)]
    if not known.size:
        return 0.0, 1.0
    low, high = np.quantile(known, [0.25, 0.75])
    reach = FENCE * (high - low)
    near = known[(known >= low - reach) & (known <= high + reach)] if reach > 0 else known
    return float(near.min()), float(near.max())


def means_picture(tests: Sequence[Resampled]) -> Picture:
    """Draw the means of all learners on all data sets by one score."""
    key = tests[0].score
    opening = f"Mean {title_of(key)} of every learner on every data set, over the parts of the design."
    name = "_".join(["data_sets", key.metric, key.cutoff])
    caption = " ".join([opening, *caption_of(tests)])
    return Picture(name, f"{title_of(key)} by data set", caption, _sketch(tests), tall=True)


def caption_of(tests: Sequence[Resampled]) -> tuple[str, ...]:
    """Report which means are not drawn to scale, not drawn, or grey."""
    values = _means(tests).to_numpy()
    known = values[np.isfinite(values)]
    low, high = robust_range(values)
    notes = []
    if ((known < low) | (known > high)).any():
        notes.append("An arrow at the edge is a mean far beyond it; the number next to it is its value.")
    if np.isinf(values).any():
        notes.append("Infinite means are not drawn.")
    if len(tests[0].alongside):
        notes.append(f"Grey, in no test: {', '.join(tests[0].alongside.index)}.")
    return tuple(notes)


def _means(tests: Sequence[Resampled]) -> pd.DataFrame:
    """Return means, data sets down and learners across."""
    rows = [pd.concat([one.means, one.alongside])["mean"].astype("float64").to_numpy() for one in tests]
    learners = [*tests[0].means.index, *tests[0].alongside.index]
    return pd.DataFrame(rows, index=[one.source for one in tests], columns=learners)


def _sketch(tests: Sequence[Resampled]) -> "Callable[[], Figure]":
    def sketch() -> Any:
        from matplotlib.figure import Figure

        from workbench.figures._shared.style import legend_below, looks

        means, key = _means(tests), tests[0].score
        height = AROUND + (LINE + EACH * len(means.columns)) * len(tests)
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        ax = figure.add_subplot()
        _draw(ax, means, looks(list(tests[0].means.index), list(tests[0].alongside.index)))
        ax.set_xlabel(f"{title_of(key)} [{tests[0].metric.unit}]")
        legend_below(ax)
        return figure

    return sketch


def _draw(ax: "Axes", means: pd.DataFrame, looks: "dict[str, Look]") -> None:
    low, high = robust_range(means.to_numpy())
    lines = np.arange(len(means))
    shifts = (np.arange(len(looks)) - (len(looks) - 1) / 2) * DODGE / len(looks)
    for (learner, look), shift in zip(looks.items(), shifts, strict=True):
        values = means[learner].to_numpy()
        drawn = np.where((values >= low) & (values <= high), values, np.nan)
        ax.plot(drawn, lines + shift, look.marker, color=look.color, label=learner, markersize=SIZE)
    edges = _edges(ax, means, low, high)
    for (learner, look), shift in zip(looks.items(), shifts, strict=True):
        values = means[learner].to_numpy()
        for beyond, edge, arrow in ((values < low, edges[0], "<"), (values > high, edges[1], ">")):
            places = (lines + shift)[beyond & np.isfinite(values)]
            ax.plot(np.full(len(places), edge), places, arrow, color=look.color, markersize=SIZE)
    ax.set_yticks(lines, list(means.index))
    ax.set_ylim(len(means) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    ax.grid(visible=True, axis="x")
    ax.grid(visible=False, axis="y")
    for line in lines[1:]:
        ax.axhline(line - 0.5, color=ax.xaxis.get_gridlines()[0].get_color(), linewidth=0.6, alpha=0.5)


def _edges(ax: "Axes", means: pd.DataFrame, low: float, high: float) -> tuple[float, float]:
    """Set the ends of the axis, label means beyond them, and return the positions of arrows."""
    values = means.to_numpy()
    finite = np.where(np.isfinite(values), values, np.nan)
    span = (high - low) or 1.0
    rooms = [ROOM if beyond.any() else 0.03 for beyond in (finite < low, finite > high)]
    left, right = low - rooms[0] * span, high + rooms[1] * span
    ax.set_xlim(left, right)
    for line, row in enumerate(finite):
        for beyond, edge, side, sign in ((row < low, left, "left", 1), (row > high, right, "right", -1)):
            if beyond.any():
                ends = dict.fromkeys(
                    f"{v:.1f}".replace("-", "\u2212") for v in (row[beyond].min(), row[beyond].max())
                )
                ax.annotate(
                    " to ".join(ends), (edge, line), (sign * 9, 0), textcoords="offset points",
                    ha=side, va="center", fontsize=6.5,
                )  # fmt: skip
    return left + 0.02 * span, right - 0.02 * span
