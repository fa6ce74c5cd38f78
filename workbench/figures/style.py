"""How figures look: colors that color-blind people tell apart, and marks that a grey print does."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["GREY", "MUTED", "ORDERED", "SERIES", "Look", "legend_below", "looks", "settings"]

#: Okabe and Ito's colors without yellow and black, which one of a light and a dark page would swallow.
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
#: For what has an order, such as sizes: light to dark.
ORDERED = ("#8fb3d9", "#4f81b8", "#1f4e85")
GREY = "#7f7f7f"
MUTED = "#c8c8c8"
#: Of a legend, whose marks take the room of seven.
LETTERS_PER_INCH = 14.0
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
LINES = ("-", (0, (5, 1.5)), (0, (5, 1.5, 1, 1.5)), (0, (1.5, 1.2)))


@dataclass(frozen=True)
class Look:
    """Color, marker and line of one learner.

    Parameters
    ----------
    color : str
    marker : str
    line : str or tuple
        As matplotlib takes them.
    """

    color: str
    marker: str
    line: Any


def looks(compared: Sequence[str], beside: Sequence[str] = ()) -> dict[str, Look]:
    """Give each learner its look: the same in every figure of the same learners.

    Parameters
    ----------
    compared, beside : sequence of str
        Those in color, and those in grey.

    Returns
    -------
    dict of str to Look

    Examples
    --------
    >>> looks(["nb", "tan"], ["prior"])["tan"].color
    '#d55e00'
    """
    colored = {
        key: Look(SERIES[i % len(SERIES)], MARKERS[i % len(MARKERS)], LINES[i % len(LINES)])
        for i, key in enumerate(compared)
    }
    grey = {key: Look(GREY, MARKERS[-1 - i % len(MARKERS)], LINES[-1]) for i, key in enumerate(beside)}
    return {**colored, **grey}


def settings(text: str | None = None) -> Any:
    """Give matplotlib's settings for our figures.

    Parameters
    ----------
    text : str, optional
        Color of text and axes; matplotlib's own by default.

    Returns
    -------
    dict
        For `matplotlib.rc_context`.
    """
    chosen: dict[str, Any] = {
        "font.size": 9.0,
        "axes.titlesize": 10.0,
        "axes.titlelocation": "left",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "axes.grid": True,
        "axes.grid.axis": "y",
        "grid.color": MUTED,
        "grid.alpha": 0.5,
        "grid.linewidth": 0.6,
        "lines.linewidth": 1.5,
        "lines.markersize": 5.0,
        "legend.frameon": False,
        "legend.handlelength": 2.6,
        "svg.fonttype": "path",
        "svg.hashsalt": "workbench",
        "pdf.fonttype": 42,
    }
    if text is not None:
        colored = (
            "text.color",
            "axes.labelcolor",
            "axes.edgecolor",
            "xtick.color",
            "ytick.color",
            "axes.titlecolor",
        )
        chosen.update(dict.fromkeys(colored, text))
    return chosen


def legend_below(ax: "Axes") -> None:
    """Put the legend under the axes, in as many columns as short names allow.

    Parameters
    ----------
    ax : matplotlib Axes
    """
    handles, labels = ax.get_legend_handles_labels()
    if not labels:
        return
    longest = max(len(label) for label in labels)
    width = ax.bbox.width / ax.figure.dpi  # inches
    columns = max(1, min(len(labels), int(LETTERS_PER_INCH * width) // (longest + 7)))
    below = 0.55 / ax.figure.get_size_inches()[1]  # type: ignore[union-attr]
    ax.legend(handles, labels, loc="upper center", bbox_to_anchor=(0.45, -below), ncols=columns)
