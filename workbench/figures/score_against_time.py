"""Mean scores against the time of fit and prediction."""

import math
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from workbench.analyses import PairedScores, Times
from workbench.base.names import learner_list, learner_name
from workbench.figures._shared.experiment_display import ExperimentDisplay
from workbench.figures._shared.style import MUTED, legend_below, looks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from workbench.store.results import StudyResults

__all__ = ["ScoreAgainstTimeDisplay"]

SMALLEST, LARGEST = 3.2, 7.0  # points, of the markers of the fewest and of the most training rows
LEAST_RANGE = 6.0  # least ratio of the ends of the axis
MOST_NAMES = 6  # of times on the axis


class ScoreAgainstTimeDisplay(ExperimentDisplay):
    """Mean score of each learner at each size against its run time.

    Look for the markers on the grey steps. No faster learner has as good a mean, and no equally fast learner
    a better one.

    Parameters
    ----------
    times : Times
        The means and run times to show.
    """

    key = "score_against_time"
    title = "Score against time"

    def __init__(self, times: Times) -> None:
        self.times = times

    @classmethod
    def of(cls, experiment: PairedScores, results: "StudyResults") -> Self:
        """Make the figure from an experiment."""
        return cls(Times.of(experiment, results))

    def draw(self, ax: "Axes") -> None:
        """Draw the figure on given axes."""
        experiment, table = self.times.experiment, self.times.table
        ax.set_xscale("log")
        front = table[table["undominated"]].sort_values("seconds")
        ax.step(front["seconds"], front["mean"], where="post", color=MUTED, linewidth=5.0, alpha=0.6)
        alongside = [key for key in experiment.shown if (table["learner"] == key).any()]
        points = np.linspace(SMALLEST, LARGEST, len(experiment.sizes)) if len(experiment.sizes) > 1 else [5.0]
        for key, look in looks(experiment.learners, alongside).items():
            rows = table[table["learner"] == key].sort_values("n_train")
            x, y = rows["seconds"].to_numpy(), rows["mean"].to_numpy()
            ax.plot(
                x, y, color=look.color, linestyle=look.line, linewidth=1.0, label=learner_name(key),
                marker=look.marker, markersize=points[-1], markevery=[-1],
            )  # fmt: skip
            for place, height, size in list(zip(x, y, points, strict=True))[:-1]:
                ax.plot([place], [height], color=look.color, marker=look.marker, markersize=size)
        _label_times(ax, table["seconds"].to_numpy())
        ax.grid(visible=True, axis="both")
        ax.set_xlabel("fit and prediction [seconds]")
        ax.set_ylabel(f"{experiment.score.name} [{experiment.unit}]")
        ax.set_title(experiment.kind)
        legend_below(ax)

    @property
    def caption(self) -> str:
        """What the figure shows, in full sentences."""
        experiment = self.times.experiment
        better = "upper" if experiment.sign > 0 else "lower"
        n = len(experiment.blocks)
        lead = f"Mean {experiment.score.words} over {n} truths" if n > 1 else experiment.score.words
        words = [
            f"{lead} against the median time of fitting and of predicting {self.times.n_test} rows, on a "
            f"logarithmic axis. The {better} left corner is better. {self._sizes()} Grey steps: no faster "
            "learner has as good a mean."
        ]
        if self.times.without_mean:
            words.append(f"Not drawn, without a finite mean: {learner_list(self.times.without_mean)}.")
        return " ".join(words)

    def _sizes(self) -> str:
        sizes = [str(size) for size in self.times.experiment.sizes]
        if len(sizes) == 1:
            return f"All learned from {sizes[0]} rows."
        return f"Markers grow with the training rows: {', '.join(sizes[:-1])} and {sizes[-1]}."


def _label_times(ax: "Axes", seconds: NDArray[np.float64]) -> None:
    """Set the range of the axis, and label as many times as fit."""
    room = max(1.15, (LEAST_RANGE * seconds.min() / seconds.max()) ** 0.5)
    low, high = float(seconds.min() / room), float(seconds.max() * room)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for steps in ((1, 2, 5), (1,)):
        places = [step * 10.0**power for power in powers for step in steps]
        places = [place for place in places if low <= place <= high]
        if len(places) <= MOST_NAMES:
            break
    places = places[:: -(-len(places) // MOST_NAMES)]
    ax.set_xlim(low, high)
    ax.set_xticks(places, [f"{place:g}" for place in places])
    ax.set_xticks([], minor=True)
