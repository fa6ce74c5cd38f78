"""Mean score by training size, with intervals and the truth's score as ceiling."""

from typing import TYPE_CHECKING, Self

import numpy as np

from workbench.analyses import Means, PairedScores
from workbench.base.names import learner_list, learner_name
from workbench.figures._shared.experiment_display import ExperimentDisplay
from workbench.figures._shared.sizes_axis import SizesAxis
from workbench.figures._shared.style import Look, legend_below, looks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from workbench.store.results import StudyResults

__all__ = ["RewardBySizeDisplay"]


class RewardBySizeDisplay(ExperimentDisplay):
    """Mean score of every learner at every size, as in Figures 2b to 4b of Hope and Korb (2004).

    Look for lines that cross. There, the better learner depends on the number of training rows. The short
    level lines are the score of the truth. A learner can exceed it only by chance.

    Parameters
    ----------
    means : Means
        The means to show.

    Examples
    --------
    >>> from generators import random_tan
    >>> from learners import NaiveBayesClassifier, TANClassifier
    >>> from workbench import compare
    >>> learners = {"nb": NaiveBayesClassifier(), "tan": TANClassifier()}
    >>> truths = [random_tan(n_attributes=3, random_state=seed) for seed in range(3)]
    >>> display = compare(learners, on=truths, sizes=(50, 500), n_test=100).plot("reward_by_size")
    >>> display.ax_.get_xlabel()
    'training rows'
    """

    key = "reward_by_size"
    title = "Score by training size"

    def __init__(self, means: Means) -> None:
        self.means = means

    @classmethod
    def of(cls, experiment: PairedScores, results: "StudyResults") -> Self:
        """Make the figure from an experiment."""
        return cls(Means.of(experiment))

    def draw(self, ax: "Axes") -> None:
        """Draw the figure on given axes."""
        experiment = self.means.experiment
        axis = SizesAxis(experiment.sizes)
        for key, look in self._drawn().items():
            compared = key in experiment.learners
            rows = self._rows(key)
            mean, low, high = (rows[name].to_numpy() for name in ("mean", "low", "high"))
            among = experiment.learners.index(key) if compared else 0
            places = axis.dodged(among, len(experiment.learners)) if compared else axis.places
            certain = compared and not np.isnan(low).any()
            ax.errorbar(
                places, mean, yerr=(mean - low, high - mean) if certain else None, label=learner_name(key),
                color=look.color, marker=look.marker, linestyle=look.line, capsize=2.5, elinewidth=1.1,
            )  # fmt: skip
        if experiment.truth is not None:
            reach = axis.half_width * 1.25
            ceiling = self._rows(experiment.truth)["mean"]
            color = ax.xaxis.label.get_color()
            ax.hlines(
                ceiling, axis.places - reach, axis.places + reach, color, label=learner_name(experiment.truth)
            )
        axis.label(ax)
        ax.set_ylabel(f"{experiment.score.name} [{experiment.unit}]")
        ax.set_title(experiment.kind)
        legend_below(ax)

    @property
    def caption(self) -> str:
        """What the figure shows, in full sentences."""
        experiment = self.means.experiment
        n = len(experiment.blocks)
        lead = f"Mean {_named(experiment)} over {n} {experiment.kind.removeprefix('the ')}."
        return " ".join([lead if n > 1 else f"The {_named(experiment)} on one truth.", *self.notes])

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences that explain lines and bars."""
        experiment = self.means.experiment
        undrawn = [key for key in experiment.shown if key != experiment.truth and key not in self._drawn()]
        words = []
        if len(experiment.blocks) > 1:
            words.append(
                "Bars: simultaneous 95% intervals of the mean between truths for all "
                f"{self.means.n_intervals} "
                "means (Bonferroni)."
            )
        if experiment.truth is not None:
            words.append("Short level lines: the truth's score, which is the best possible.")
        if undrawn:
            words.append(f"Not drawn, without a finite mean: {learner_list(undrawn)}.")
        if len(experiment.blocks) > 1:
            words.append(
                "Differences of learners on the same truths are more precise than these bars suggest."
            )
        return tuple(words)

    def _drawn(self) -> dict[str, Look]:
        """Return the looks of learners with finite means."""
        experiment = self.means.experiment
        alongside = [
            key
            for key in experiment.shown
            if key != experiment.truth and np.isfinite(self._rows(key)["mean"]).all()
        ]
        return looks(experiment.learners, alongside)

    def _rows(self, key: str):  # type: ignore[no-untyped-def]
        table = self.means.table
        return table[table["learner"] == key].sort_values("n_train")


def _named(experiment: PairedScores) -> str:
    return f"{experiment.score.words}, {experiment.metric.direction} is better,"
