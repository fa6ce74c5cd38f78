"""The reward of one learner by training rows, with and without recalibration."""

from typing import TYPE_CHECKING

import numpy as np

from workbench.base.names import learner_name, metric_name
from workbench.base.text import count_of
from workbench.figures._shared.base import Display
from workbench.figures._shared.style import SERIES, legend_below

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from workbench.prequential import PrequentialResult

__all__ = ["PrequentialDisplay", "label_rows"]

N_POINTS = 200
PARTS = 5  # largest share of the axis between ticks, if it covers a small part of a decade
LONG = 40  # letters of an axis label that needs two lines
FIRST = 20  # means of fewer forecasts are left out: one lucky row would set the scale


class PrequentialDisplay(Display):
    """Mean reward of the latest half of the rows against the number of rows, with and without recalibration.

    Look for the gap between the lines. If it is positive, recalibration improves the reward. The number of
    rows where the gap opens is the number that the recalibration map needs.

    Parameters
    ----------
    result : PrequentialResult
        The forecasts and their rewards.

    Examples
    --------
    >>> from generators import random_tan
    >>> from learners import NaiveBayesClassifier
    >>> from workbench.prequential import prequential
    >>> X, y = random_tan(random_state=1).sample(2000, random_state=2)
    >>> result = prequential(NaiveBayesClassifier(), X, y, recalibration="platt")
    >>> display = PrequentialDisplay(result).plot()
    >>> display.ax_.get_xlabel(), display.ax_.get_ylabel()
    ('rows seen', 'mean IR_B of the latest half [bits]')
    """

    key = "prequential"
    title = "Reward against rows seen"

    def __init__(self, result: "PrequentialResult") -> None:
        self.result = result

    def draw(self, ax: "Axes") -> None:
        """Draw the figure on given axes."""
        result = self.result
        table = result.frame()
        places = np.unique(np.geomspace(self._first, len(table), N_POINTS).round().astype(int)) - 1
        shown = table.iloc[places]
        if "prior" in result.metric.needs:  # 0 is then the reward of the prior
            ax.axhline(0.0, color=ax.xaxis.label.get_color(), linewidth=0.8)
        for column, label, color, line in self._lines():
            finite = shown[np.isfinite(shown[column])]
            ax.plot(finite["rows"], finite[column], color=color, linestyle=line, label=label)
        ax.grid(visible=True, axis="both")
        label_rows(ax)
        words = (f"mean {metric_name(result.metric.name)} of the latest half", f"[{result.metric.unit}]")
        ax.set_ylabel(("\n" if len("".join(words)) > LONG else " ").join(words))
        ax.set_title(
            f"{learner_name(result.learner)}{', frozen' if result.frozen else ''}: {len(table)} forecasts"
        )
        legend_below(ax)

    def _lines(self) -> list[tuple[str, str, str, str]]:
        """Return column, label, color and line style of each curve."""
        lines = [("windowed", "without recalibration", SERIES[0], "-")]
        if self.result.recalibration is not None:
            lines.append(
                ("windowed_recalibrated", f"with the {self.result.recalibration} map", SERIES[1], "--")
            )
        return lines

    @property
    def _first(self) -> int:
        """The first forecast to draw. The very first if there are few."""
        return FIRST if len(self.result.reward) > 2 * FIRST else 1

    @property
    def caption(self) -> str:
        """What the figure shows, in full sentences."""
        result = self.result
        words = [
            f"Mean {metric_name(result.metric.name)} over the latest half of the rows so far. Each row was "
            f"forecast before its outcome was known. The learner was first fitted to "
            f"{count_of(result.start, 'row')}. The line starts at forecast {self._first}. "
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
    """Make the axis of rows seen logarithmic, with round numbers at its ticks."""
    from matplotlib.ticker import MaxNLocator

    ax.set_xscale("log")
    low, high = ax.get_xlim()
    for steps in ((1, 3), (1, 2, 3, 5), range(1, 10)):
        ticks = [step * 10**e for e in range(9) for step in steps if low <= step * 10**e <= high]
        if len(ticks) > 1:
            break
    else:  # a small part of a decade
        round_ones = MaxNLocator(PARTS, integer=True, steps=[1, 2, 5, 10]).tick_values(low, high)
        ticks = [int(rows) for rows in round_ones if low <= rows <= high]
    ax.set_xticks(ticks, [str(rows) for rows in ticks])
    ax.set_xticks([], minor=True)
    ax.set_xlabel("rows seen")
