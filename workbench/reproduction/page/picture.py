"""The figure of a reproduction: ours against published values, one panel per table."""

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.report.document import Picture
from workbench.reproduction.reproduction import Reproduction

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


__all__ = ["agreement_picture"]

SIZE, ACROSS = 2.9, 3  # inches of a panel's side; panels in a row
REACH = 1.96  # standard deviations that a bar reaches
#: Ratio of the largest to the median value above which a panel is symmetric logarithmic.
FAR = 40.0
ROOM = 0.06  # of the axis beyond the outermost values


class PointStyle(NamedTuple):
    """How cells with a verdict look: distinguished by shape, fill and place as well as by color."""

    color: str
    marker: str
    filled: bool
    words: str


STYLES = {
    "agree": PointStyle("#0072b2", "o", False, "agrees"),
    "near": PointStyle("#009e73", "s", False, "near"),
    "differ": PointStyle("#d55e00", "D", True, "differs"),
    "unknown": PointStyle("#7f7f7f", "x", True, "not judged"),
}


def agreement_picture(found: Reproduction, units: dict[str, str]) -> Picture:
    """Draw ours against published values, with the identity and the spread of our draws."""
    drawn = found.cells[found.cells["table"].isin(units)]
    logs = [name for name in units if _is_far(_values(drawn[drawn["table"] == name]))]
    caption = (
        "Each point is a printed cell. On the line both values are equal. Circles agree, squares are near, "
        "filled diamonds differ, crosses are not judged. Infinite and missing values are not drawn. Bars: "
        "1.96 standard deviations of the draws of our statistic over as many units as the paper's. Verdicts "
        "use the draws, which may be skewed."
    )
    caption += f" Logarithmic beyond the middle: {', '.join(logs)}." if logs else ""

    def sketch() -> Any:
        from matplotlib.figure import Figure

        across = min(ACROSS, len(units))
        down = math.ceil(len(units) / across)
        figure = Figure(figsize=(SIZE * across, (SIZE + 0.25) * down + 0.3), layout="constrained")
        axes = figure.subplots(down, across, squeeze=False).ravel()
        for ax, (name, unit) in zip(axes, units.items(), strict=False):
            _panel(ax, drawn[drawn["table"] == name], name, unit)
        for ax in axes[len(units) :]:
            ax.remove()
        _legend(figure, set(drawn["verdict"]))
        return figure

    return Picture("ours_against_printed", "Ours against printed", caption, sketch, wide=True, tall=True)


def _panel(ax: "Axes", cells: pd.DataFrame, name: str, unit: str) -> None:
    values = _values(cells)
    far = _is_far(values)
    if far:
        _stretch(ax, values)
    low, high = _ends(values if far else np.concatenate([values, _bars(cells)]), far=far)
    ax.plot([low, high], [low, high], color="#7f7f7f", linewidth=0.8)
    for verdict, style in STYLES.items():
        own = cells[cells["verdict"] == verdict]
        ax.errorbar(
            own["printed"], own["ours"], yerr=REACH * own["sd"].fillna(0.0), fmt=style.marker,
            color=style.color, markerfacecolor=style.color if style.filled else "none", markersize=3.6,
            markeredgewidth=0.9, elinewidth=0.5, zorder=3 if verdict == "differ" else 2,
        )  # fmt: skip
    ax.set(xlim=(low, high), ylim=(low, high), aspect="equal")
    ax.grid(visible=True, axis="both")
    ax.set_title(name, fontsize=8)
    ax.set_xlabel(f"printed [{unit}]", fontsize=8)
    ax.set_ylabel(f"ours [{unit}]", fontsize=8)
    ax.tick_params(labelsize=7)


def _stretch(ax: "Axes", values: NDArray[np.float64]) -> None:
    """Make both axes linear up to the median and logarithmic beyond, with few plain ticks."""
    from matplotlib.ticker import FuncFormatter, NullLocator

    middle = float(np.median(np.abs(values)))
    powers = 10.0 ** np.arange(math.ceil(math.log10(middle)), math.ceil(math.log10(np.abs(values).max())) + 1)
    ax.set_xscale("symlog", linthresh=middle)
    ax.set_yscale("symlog", linthresh=middle)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks(np.concatenate([-powers[::-1], [0.0], powers]))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}".replace("-", "\u2212")))


def _values(cells: pd.DataFrame) -> NDArray[np.float64]:
    """Return published values and ours where both are finite."""
    both = cells[["printed", "ours"]].to_numpy(dtype=np.float64)
    return both[np.isfinite(both).all(axis=1)].ravel()


def _is_far(values: NDArray[np.float64]) -> bool:
    if not values.size:
        return False
    sizes = np.abs(values)
    return bool(sizes.max() > FAR * np.median(sizes) > 0)


def _bars(cells: pd.DataFrame) -> NDArray[np.float64]:
    """Return the ends of the bars."""
    ours, reach = cells["ours"].to_numpy(np.float64), REACH * cells["sd"].fillna(0.0).to_numpy(np.float64)
    both = np.concatenate([ours - reach, ours + reach])
    return both[np.isfinite(both)]


def _ends(values: NDArray[np.float64], *, far: bool) -> tuple[float, float]:
    if not values.size:
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    if far:  # a share of the axis is not a share of the value
        return (low * 1.5 if low < 0 else low / 1.5), high * 1.5
    room = ROOM * ((high - low) or 1.0)
    return low - room, high + room


def _legend(figure: "Figure", verdicts: set[str]) -> None:
    from matplotlib.lines import Line2D

    from workbench.figures._shared.style import legend_below_all

    legend_below_all(
        figure,
        [
            Line2D(
                [], [], linestyle="", marker=style.marker, color=style.color, label=style.words,
                markerfacecolor=style.color if style.filled else "none",
            )
            for verdict, style in STYLES.items()
            if verdict in verdicts
        ],
    )  # fmt: skip
