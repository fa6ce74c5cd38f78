"""The deviation of each learner from the average at each size."""

from typing import TYPE_CHECKING, Self

from workbench.analyses import Deviations, PairedScores
from workbench.base.names import learner_list, learner_name
from workbench.figures._shared.experiment_display import ExperimentDisplay, not_compared
from workbench.figures._shared.sizes_axis import SizesAxis
from workbench.figures._shared.style import legend_below, looks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from workbench.store.results import StudyResults

__all__ = ["InteractionDisplay"]


class InteractionDisplay(ExperimentDisplay):
    """Difference of each learner from the average of all learners, by size.

    Look for lines that are not level. They show an interaction of learner and size. Differences between
    truths cancel, so the intervals are for these differences only, not for mean scores.

    Parameters
    ----------
    deviations : Deviations
        The differences from the average.
    """

    key = "interaction"
    title = "Learner by size"

    def __init__(self, deviations: Deviations) -> None:
        self.deviations = deviations

    @classmethod
    def of(cls, experiment: PairedScores, results: "StudyResults") -> Self:
        """Make the figure from an experiment."""
        return cls(Deviations.of(experiment))

    def draw(self, ax: "Axes") -> None:
        """Draw the figure on given axes."""
        experiment, table = self.deviations.experiment, self.deviations.table
        axis = SizesAxis(experiment.sizes)
        ax.axhline(0.0, color=ax.xaxis.label.get_color(), linewidth=0.8)
        for i, (key, look) in enumerate(looks(experiment.learners).items()):
            rows = table[table["learner"] == key].sort_values("n_train")
            middle = rows["deviation"].to_numpy()
            error = (middle - rows["low"].to_numpy(), rows["high"].to_numpy() - middle)
            ax.errorbar(
                axis.dodged(i, len(experiment.learners)), middle, yerr=error,
                label=learner_name(key), color=look.color,
                marker=look.marker, linestyle=look.line, capsize=2.5, elinewidth=1.1,
            )  # fmt: skip
        axis.label(ax)
        ax.set_ylabel(f"{experiment.score.name}, difference to average [{experiment.unit}]")
        ax.set_title(experiment.kind)
        legend_below(ax)

    @property
    def caption(self) -> str:
        """What the figure shows, in full sentences."""
        experiment = self.deviations.experiment
        words = (
            f"Mean difference of {experiment.score.words} to the average of "
            f"{learner_list(experiment.learners)} on the same {len(experiment.blocks)} truths, by size. "
            f"Bars: simultaneous 95% intervals within truths for all {self.deviations.n_intervals} "
            "deviations. They are intervals of differences, not of means. Where lines are not level, the "
            "differences between learners depend on the size."
        )
        return " ".join([words, *not_compared(experiment)])
