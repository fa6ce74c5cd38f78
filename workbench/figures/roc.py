"""ROC curves of several learners on the same rows, with their hulls and areas."""

from typing import TYPE_CHECKING

from workbench.base.names import learner_name
from workbench.figures._shared.curves_display import CurvesDisplay, Events
from workbench.figures._shared.style import SERIES, legend_below, looks
from workbench.forecasts.curves import ROCCurve, mean_roc, roc_curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ROCDisplay"]


class ROCDisplay(CurvesDisplay):
    """ROC curve of each learner, with its convex hull.

    Look for the curve nearest to the upper left corner, and for curves that cross. If curves cross, the costs
    of errors determine which learner is better. The area between a curve and its hull is lost by wrong
    ranking.

    Parameters
    ----------
    curves : dict of str to ROCCurve
        The curve of each learner, on the same rows.
    against_rest : OneAgainstRest
        The class that is distinguished from the rest.
    n_samples : int
        Number of rows.

    Examples
    --------
    >>> y, forecast = [0, 1, 0, 1], [[0.8, 0.2], [0.3, 0.7], [0.6, 0.4], [0.6, 0.4]]
    >>> display = ROCDisplay.from_predictions(y, {"mine": forecast}, classes=[0, 1])
    >>> display.plot().ax_.get_legend().get_texts()[0].get_text()
    'mine: area 0.875'
    """

    key = "roc"
    title = "ROC curve"

    @classmethod
    def _curve(cls, events: Events) -> ROCCurve:
        return mean_roc([roc_curve(*event) for event in events])

    def draw(self, ax: "Axes") -> None:
        """Draw the figure on given axes."""
        ax.plot([0, 1], [0, 1], color=ax.xaxis.label.get_color(), linewidth=0.8)
        for key, look in looks(list(self.curves)).items():
            curve = self.curves[key]
            hull = curve.hull
            ax.plot(hull.false_positive, hull.true_positive, color=look.color, linewidth=0.8)
            ax.plot(
                curve.false_positive, curve.true_positive, color=look.color, linestyle=look.line,
                label=f"{learner_name(key)}: area {curve.area:.3f}",
            )  # fmt: skip
        ax.plot([], [], color=SERIES[0], linewidth=0.8, label="thin: convex hulls")
        ax.set_xlim(-0.01, 1.01)
        ax.set_ylim(-0.01, 1.01)
        ax.grid(visible=True, axis="both")
        ax.set_xlabel("false positives [share of the rest]")
        ax.set_ylabel("true positives [share of the class]")
        ax.set_title(self.against_rest.words)
        legend_below(ax)

    @property
    def caption(self) -> str:
        """What the figure shows, in full sentences."""
        return " ".join(
            [
                f"ROC curves on the same {self.n_samples} rows ({self.against_rest.words}). Rows with equal "
                "forecasts are one straight segment. The thin lines are the convex hulls. The diagonal is a "
                "random ranking, with area 0.5.",
                *self.against_rest.notes,
            ]
        )
