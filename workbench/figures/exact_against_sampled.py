"""The score on the test rows against the exact expected score, cell by cell."""

from typing import TYPE_CHECKING, Self

from workbench.analyses import PairedScores, Sampling
from workbench.base.names import learner_list, learner_name
from workbench.figures._shared.experiment_display import ExperimentDisplay
from workbench.figures._shared.style import Look, legend_below, looks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from workbench.store.results import StudyResults

__all__ = ["ExactAgainstSampledDisplay"]

#: Number of cells above which points are smaller and rasterized: as shapes they would take megabytes.
MANY = 2000
SIZE, SMALL = 3.6, 2.2  # points, of a marker


class ExactAgainstSampledDisplay(ExperimentDisplay):
    """Score on the test rows against the exact score of each cell.

    Look at the distance of the points from the diagonal. It is the noise of a finite test sample, which exact
    scores do not have.

    Parameters
    ----------
    sampling : Sampling
        The pairs of scores.
    experiment : PairedScores
        The scores of the source, which determine the colors of learners.
    """

    key = "exact_against_sampled"
    title = "Exact against sampled"

    def __init__(self, sampling: Sampling, experiment: PairedScores) -> None:
        self.sampling = sampling
        self.experiment = experiment

    @classmethod
    def of(cls, experiment: PairedScores, results: "StudyResults") -> Self:
        """Make the figure from an experiment."""
        learners = [*experiment.learners, *experiment.shown]
        sampling = Sampling.of(results, experiment.source, score=experiment.score, learners=learners)
        return cls(sampling, experiment)

    def draw(self, ax: "Axes") -> None:
        """Draw the figure on given axes."""
        table, experiment = self.sampling.table, self.experiment
        alongside = [key for key in experiment.shown if (table["learner"] == key).any()]
        chosen = looks(experiment.learners, alongside)
        if len(table) > MANY:
            self._mixed(ax, chosen)
        for key, look in chosen.items():
            rows = table[table["learner"] == key] if len(table) <= MANY else table[:0]
            ax.plot(
                rows["exact"], rows["test"], linestyle="none", marker=look.marker, markersize=SIZE,
                label=learner_name(key),
                color=look.color, alpha=0.65, markeredgewidth=0.0,
            )  # fmt: skip
        middle = float(table["exact"].mean())  # a point among the others, so that it does not extend the axes
        ax.axline((middle, middle), slope=1.0, color=ax.xaxis.label.get_color(), linewidth=0.8)
        ax.grid(visible=True, axis="both")
        ax.set_xlabel(f"exact {self.sampling.score.name} [{self.sampling.unit}]")
        ax.set_ylabel(f"on the test rows [{self.sampling.unit}]")
        ax.set_title(experiment.kind)
        legend_below(ax)

    def _mixed(self, ax: "Axes", chosen: dict[str, Look]) -> None:
        """Draw truth by truth, so that no learner covers the others."""
        table = self.sampling.table.sort_values(["replicate", "n_train"], kind="stable")
        colors = [chosen[key].color for key in table["learner"]]
        ax.scatter(
            table["exact"], table["test"], s=SMALL**2, c=colors, alpha=0.65, linewidths=0.0, rasterized=True
        )

    @property
    def caption(self) -> str:
        """What the figure shows, in full sentences."""
        unit = self.sampling.unit
        words = [
            f"{len(self.sampling.table)} cells: {self.sampling.score.words} against the same score on the "
            "test rows. On the line both are equal. Differences, test minus exact: root mean square "
            f"{self.sampling.error:.4f} {unit}, mean {self.sampling.bias:+.4f} {unit}."
        ]
        if len(self.sampling.table) > MANY:
            words.append("With so many points, learners differ only by color.")
        drawn = {*self.sampling.table["learner"]}
        undrawn = [key for key in self.experiment.wanted if key not in drawn]
        if undrawn:
            words.append(f"Not drawn, without a finite score: {learner_list(undrawn)}.")
        if self.sampling.n_left_out:
            words.append(f"{self.sampling.n_left_out} cells with an infinite score are not drawn.")
        return " ".join(words)
