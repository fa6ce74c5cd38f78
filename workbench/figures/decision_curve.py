"""Net benefit of several learners on the same rows, at each threshold."""

from typing import TYPE_CHECKING

from workbench.base.names import learner_name
from workbench.figures._shared.curves_display import CurvesDisplay, Events, only_one
from workbench.figures._shared.style import GREY, legend_below, looks
from workbench.forecasts.curves import DecisionCurve, decision_curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["DecisionCurveDisplay"]

SPARE = 1.1  # axes end a tenth beyond the curves
# As shares of the greatest net benefit: the least that is shown, and what is worth a place on the axis.
BELOW, USEFUL = -0.15, 0.05


class DecisionCurveDisplay(CurvesDisplay):
    """Net benefit of decisions by each learner's forecasts, against the decision threshold.

    Look at realistic thresholds. Where the curve of a learner is below "treat all" or "treat none", it is
    better not to use that learner.

    Parameters
    ----------
    curves : dict of str to DecisionCurve
        The curve of each learner, on the same rows and at the same thresholds. By default these are multiples
        of 0.001.
    against_rest : OneAgainstRest
        The class that is distinguished from the rest.
    n_samples : int
        Number of rows.

    Examples
    --------
    >>> y, forecast = [0, 1, 0, 1], [[0.8, 0.2], [0.3, 0.7], [0.6, 0.4], [0.6, 0.4]]
    >>> display = DecisionCurveDisplay.from_predictions(y, {"mine": forecast})
    >>> display.curves["mine"].net_benefit[[249, 499]].round(3)  # at 0.25 and 0.5
    array([0.417, 0.25 ])
    """

    key = "decision_curve"
    title = "Decision curve"

    @classmethod
    def _curve(cls, events: Events) -> DecisionCurve:
        return decision_curve(*only_one(events))

    def draw(self, ax: "Axes") -> None:
        """Draw the figure on given axes."""
        every = list(self.curves.values())
        x = every[0].thresholds
        ax.axhline(0.0, color=ax.xaxis.label.get_color(), linewidth=0.8)
        for key, look in looks(list(self.curves)).items():
            ax.plot(
                x,
                self.curves[key].net_benefit,
                color=look.color,
                linestyle=look.line,
                label=learner_name(key),
            )
        ax.plot(x, every[0].treat_all, color=GREY, linewidth=0.8, label="treat all (at 0: treat none)")
        benefits = [every[0].treat_all, *(curve.net_benefit for curve in every)]
        top = max(every[0].share, *(benefit.max() for benefit in benefits))
        # Beyond the last threshold at which anybody gains, all are near 0, or far below.
        useful = [x[benefit > USEFUL * top].max(initial=0.0) for benefit in benefits]
        ax.set_xlim(0.0, min(1.0, SPARE * (max(useful) or 1.0)))
        ax.set_ylim(BELOW * top, SPARE * top)
        ax.grid(visible=True, axis="both")
        ax.set_xlabel("smallest forecast that is treated [probability]")
        ax.set_ylabel("net benefit [true positives per row]")
        ax.set_title(self.against_rest.words)
        legend_below(ax)

    @property
    def caption(self) -> str:
        """What the figure shows, in full sentences."""
        return (
            f"Net benefit on the same {self.n_samples} rows ({self.against_rest.words}): at the threshold t "
            "it is TP / n - FP / n * t / (1 - t). Of the n rows, TP are treated and of the class, and FP are "
            "treated and of another class. The grey line is for treating every row, the level line at 0 for "
            "treating no row. "
            f"The axis ends where no learner has {USEFUL:.0%} of the greatest net benefit."
        )
