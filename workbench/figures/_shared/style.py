"""The style of figures: colors for color-blind readers, and markers that remain distinct in grey."""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "GREY",
    "MUTED",
    "ORDERED",
    "SERIES",
    "Look",
    "legend_below",
    "legend_below_all",
    "legend_lines",
    "looks",
    "named_artists",
    "settings",
]

#: Okabe and Ito's colors without yellow and black, which are invisible on a light or a dark page.
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
#: For ordered values such as sizes: light to dark.
ORDERED = ("#8fb3d9", "#4f81b8", "#1f4e85")
#: The color of what stands beside the learners that are compared.
GREY = "#7f7f7f"
MUTED = "#c8c8c8"
WIDEST = 1.1  # how wide a legend may be, as a share of its axes
BELOW = 0.42  # inches from the axes to their legend, for tick labels and the axis label
#: Anchors of legends, as a share of the width of the axes.
SIDES: dict[str, tuple[Literal["upper center", "upper right"], float]] = {
    "center": ("upper center", 0.45),
    "right": ("upper right", 1.0),
}
#: Prefix of matplotlib's default labels.
NAMELESS = re.compile(r"_(child|container)\d+|_nolegend_|")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
LINES = ("-", (0, (5, 1.5)), (0, (5, 1.5, 1, 1.5)), (0, (1.5, 1.2)))
#: References keep their markers in every panel, also where one of them has no scores.
REFERENCES = ("optimal", "optimal_mixture", "prior")
COMMON = 12  # learners after which colors and lines, taken in turn, would repeat as pairs


@dataclass(frozen=True)
class Look:
    """Color, marker and line of one learner, in matplotlib's notation."""

    color: str
    marker: str
    line: Any


def looks(compared: Sequence[str], alongside: Sequence[str] = ()) -> dict[str, Look]:
    """Return the look of each learner. The first 24 differ in color and line, and in color and marker."""
    colored = {
        key: Look(SERIES[i % len(SERIES)], MARKERS[i % len(MARKERS)], LINES[(i + i // COMMON) % len(LINES)])
        for i, key in enumerate(compared)
    }
    others = [key for key in alongside if key not in REFERENCES]
    places = {key: i for i, key in enumerate([*REFERENCES, *others])}
    grey = {key: Look(GREY, MARKERS[-1 - places[key] % len(MARKERS)], LINES[-1]) for key in alongside}
    return {**colored, **grey}


def settings(text: str | None = None) -> Any:
    """Return matplotlib's settings for our figures, with a color of text and axes."""
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
        "text.parse_math": False,  # a learner's name may contain "$"
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


def legend_below(ax: "Axes", *, side: Literal["center", "right"] = "center") -> None:
    """Put the legend below the axes, in as many columns as the names allow."""
    from matplotlib.transforms import ScaledTranslation

    named = named_artists(ax)
    if not named:
        return
    labels = _labels(named)
    loc, share = SIDES[side]
    below = ax.transAxes + ScaledTranslation(0.0, -BELOW, ax.figure.dpi_scale_trans)
    ax.legend(
        named, labels, loc=loc, bbox_to_anchor=(share, 0.0), bbox_transform=below,
        borderaxespad=0.0, ncols=_columns(_width(ax), labels),
    )  # fmt: skip


def legend_below_all(figure: "Figure", artists: "Sequence[Artist]") -> int:
    """Put one legend below all axes of a figure, in as many columns as the names allow."""
    labels = _labels(artists)
    columns = _columns(figure.get_size_inches()[0], labels)
    figure.legend(artists, labels, loc="outside lower center", ncols=columns)
    return -(-len(labels) // columns)


def legend_lines(ax: "Axes") -> int:
    """Count the lines of the legend of axes."""
    legend = ax.get_legend()
    labels = [text.get_text() for text in legend.get_texts()] if legend is not None else []
    return -(-len(labels) // _columns(_width(ax), labels)) if labels else 0


def named_artists(ax: "Axes") -> "list[Artist]":
    """Return the labeled artists of axes, in drawing order: lines before areas."""
    artists: list[Any] = [*ax.lines, *ax.patches, *ax.collections, *ax.containers]
    return [artist for artist in artists if not NAMELESS.fullmatch(str(artist.get_label()))]


def _labels(artists: "Sequence[Artist]") -> list[str]:
    # matplotlib before 3.10 leaves out what begins with an underscore.
    return [re.sub("^_", " _", str(artist.get_label())) for artist in artists]


def _width(ax: "Axes") -> float:
    """Return the available width of the legend in inches."""
    return WIDEST * ax.bbox.width / ax.figure.dpi


def _columns(width: float, labels: Sequence[str]) -> int:
    """Return the largest number of columns with which the legend fits a width in inches."""
    from matplotlib import rcParams
    from matplotlib.font_manager import FontProperties

    size = FontProperties(size=rcParams["legend.fontsize"]).get_size_in_points()
    words = np.array([_word_width(label, size) for label in labels])
    parts = (
        rcParams["legend.handlelength"],
        rcParams["legend.handletextpad"],
        rcParams["legend.columnspacing"],
    )
    extra = size * sum(parts)
    wide = {n: sum(part.max() + extra for part in np.array_split(words, n)) for n in range(len(words), 0, -1)}
    most = next((n for n, points in wide.items() if points <= 72 * width), 1)
    even = -(-len(words) // -(-len(words) // most))  # as many lines, without gaps at the end
    return even if wide[even] <= wide[most] else most


@functools.lru_cache(maxsize=1024)
def _word_width(label: str, size: float) -> float:
    """Return the width of a label in points, cached, as it takes milliseconds."""
    from matplotlib.textpath import TextPath

    return float(TextPath((0, 0), label, size=size).get_extents().width)
