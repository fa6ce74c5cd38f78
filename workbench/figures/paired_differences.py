"""Every pair of learners: the difference on the same truths, by size."""

from typing import TYPE_CHECKING, Self

import numpy as np

from workbench.analyses import Comparison, PairedScores
from workbench.base.names import learner_name
from workbench.comparisons import LEVEL
from workbench.figures._shared.base import HEIGHT
from workbench.figures._shared.experiment_display import ExperimentDisplay, not_compared
from workbench.figures._shared.style import LINES, MARKERS, ORDERED, legend_below

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from workbench.store.results import StudyResults

__all__ = ["PairedDifferencesDisplay"]

SHARE = 0.5  # share of a row's height that its sizes take
LONG = 24  # letters of a pair that need two lines
FRAME, LINE = 1.3, 0.17  # inches: everything above and below the rows; a line of names


class PairedDifferencesDisplay(ExperimentDisplay):
    """Difference between the learners of each pair at each size, with its interval.

    Look for intervals on one side of zero. A filled marker means that the difference is significant by Holm's
    test over all pairs and sizes.

    Parameters
    ----------
    comparison : Comparison
        The tests of all pairs.
    """

    key = "paired_differences"
    title = "Paired differences"

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison

    @classmethod
    def of(cls, experiment: PairedScores, results: "StudyResults") -> Self:
        """Make the figure from an experiment."""
        return cls(Comparison.of(experiment))

    @property
    def height(self) -> float:
        """Height in inches, with room for the names of each pair."""
        names = self._names()
        lines = sum(1 + name.count("\n") for name in names)
        return max(HEIGHT, FRAME + LINE * lines)

    def draw(self, ax: "Axes") -> None:
        """Draw the figure on given axes."""
        from matplotlib.ticker import MaxNLocator

        experiment, table = self.comparison.scores, self.comparison.table
        names = self._names()
        ax.axvline(0.0, color=ax.xaxis.label.get_color(), linewidth=0.8)
        steps = max(1, len(experiment.sizes) - 1)
        for j, size in enumerate(experiment.sizes):
            rows = table[table["n_train"] == size]
            shift = SHARE * (j / steps - 0.5)
            middle, places = rows["difference"].to_numpy(), np.arange(len(names)) + shift
            color = ORDERED[round(j * (len(ORDERED) - 1) / steps)]  # from light to dark
            marker = MARKERS[j % len(MARKERS)]
            if "low" in rows:
                line = LINES[j % len(LINES)]
                ax.hlines(places, rows["low"], rows["high"], color=color, linewidth=1.3, linestyle=line)
            sure = (rows["p_holm"] < LEVEL).to_numpy()
            ax.plot(
                middle,
                places,
                linestyle="none",
                marker=marker,
                color=color,
                markerfacecolor="none",
                label=f"{size} rows",
            )
            ax.plot(middle[sure], places[sure], linestyle="none", marker=marker, color=color)
        ax.set_yticks(range(len(names)), names)
        ax.set_ylim(len(names) - 0.5, -0.5)
        ax.xaxis.set_major_locator(MaxNLocator(5))
        ax.grid(visible=True, axis="x")
        ax.grid(visible=False, axis="y")
        ax.set_xlabel(f"difference of {experiment.score.name} [{experiment.unit}]")
        ax.set_title(experiment.kind)
        legend_below(ax, side="right")

    @property
    def caption(self) -> str:
        """What the figure shows, in full sentences."""
        experiment, n = self.comparison.scores, len(self.comparison.table)
        better = "right" if experiment.sign > 0 else "left"
        lines = f"Lines: simultaneous 95% intervals of the {n} differences (Bonferroni). "
        words = (
            f"Differences of {experiment.score.words} on the same {len(experiment.blocks)} truths. To the "
            f"{better} of zero the first of the pair is better. "
            f"{lines if experiment.test.by_intervals else ''}"
            "Filled markers: p < 0.05 by Holm's test over all differences."
        )
        return " ".join([words, *not_compared(experiment)])

    def _names(self) -> list[str]:
        """Return the names of pairs, one per line if they are long."""
        table = self.comparison.table
        keys = dict.fromkeys(zip(table["learner"], table["other"], strict=True))
        pairs = [(learner_name(a), learner_name(b)) for a, b in keys]
        longest = max(len(a) + len(b) for a, b in pairs)
        between = "\n" if longest > LONG else " "
        return [f"{a} \u2212{between}{b}" for a, b in pairs]
