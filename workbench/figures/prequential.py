"""The reward of one learner along the rows that it has seen, with and without recalibration."""

from typing import TYPE_CHECKING

import numpy as np

from workbench.figures.base import Display
from workbench.figures.style import SERIES, legend_below
from workbench.wording import count_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from workbench.prequential import PrequentialResult

__all__ = ["PrequentialDisplay", "label_rows"]

N_POINTS = 200


class PrequentialDisplay(Display):
    """Draw the mean reward of the latest half of the rows seen, against the rows seen.

    Look for the gap between the lines: above, the feedback pays; and where it opens: so many rows the map
    needs.

    Parameters
    ----------
    result : PrequentialResult

    Examples
    --------
    >>> from generators import random_tan
    >>> from learners import NaiveBayesClassifier
    >>> from workbench.prequential import prequential
    >>> X, y = random_tan(random_state=1).sample(2000, random_state=2)
    >>> display = prequential(NaiveBayesClassifier(), X, y, recalibration="platt").plot()
    >>> display.ax_.get_xlabel(), display.ax_.get_ylabel()
    ('rows seen', 'ir_b [bits]')
    """

    key = "prequential"
    title = "Reward against rows seen"

    def __init__(self, result: "PrequentialResult") -> None:
        self.result = result

    def draw(self, ax: "Axes") -> None:
        """Draw on axes."""
        result = self.result
        table = result.frame()
        places = np.unique(np.geomspace(1, len(table), N_POINTS).round().astype(int)) - 1
        shown = table.iloc[places]
        ax.axhline(0.0, color=ax.xaxis.label.get_color(), linewidth=0.8)
        for column, label, color, line in self._lines():
            finite = shown[np.isfinite(shown[column])]
            ax.plot(finite["rows"], finite[column], color=color, linestyle=line, label=label)
        ax.grid(visible=True, axis="both")
        label_rows(ax)
        ax.set_ylabel(f"{result.metric.name} [{result.metric.unit}]")
        ax.set_title(f"{result.learner}{', frozen' if result.frozen else ''}: {len(table)} forecasts")
        legend_below(ax)

    def _lines(self) -> list[tuple[str, str, str, str]]:
        """Give column, label, color and line of what is drawn."""
        lines = [("windowed", "without recalibration", SERIES[0], "-")]
        if self.result.recalibration is not None:
            lines.append(
                ("windowed_recalibrated", f"with the {self.result.recalibration} map", SERIES[1], "--")
            )
        return lines

    @property
    def caption(self) -> str:
        """What is shown."""
        result = self.result
        words = [
            f"Mean {result.metric.name} over the latest half of the rows seen, each forecast before its "
            f"outcome was told, after {count_of(result.start, 'row')} to begin with. "
            f"{result.metric.direction.capitalize()} is better."
        ]
        for label, n in (
            ("without recalibration", result.n_infinite),
            ("with it", result.n_infinite_recalibrated),
        ):
            if n:
                words.append(
                    f"The line {label} has gaps where the mean is infinite: {count_of(n, 'row')} of "
                    f"{len(result.reward)}."
                )
        return " ".join(words)


def label_rows(ax: "Axes") -> None:
    """Make the axis of the rows seen logarithmic, with whole numbers at its ticks.

    Parameters
    ----------
    ax : matplotlib Axes
    """
    from matplotlib.ticker import LogLocator, NullLocator

    ax.set_xscale("log")
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 3.0)))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(lambda rows, _: f"{rows:.0f}")
    ax.set_xlabel("rows seen")
