"""Precision against recall of several learners on the same rows."""

from typing import TYPE_CHECKING

import numpy as np

from workbench.base.names import learner_name
from workbench.figures._shared.curves_display import CurvesDisplay, Events, only_one
from workbench.figures._shared.style import GREY, legend_below, looks
from workbench.forecasts.curves import PrecisionRecallCurve, precision_recall_curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["PrecisionRecallDisplay"]


class PrecisionRecallDisplay(CurvesDisplay):
    """Precision of each learner against its recall.

    Look for the highest curve at the recall that you need. If the class is rare, the figure shows what a ROC
    curve does not show. A few false positives in a hundred rows of other classes may be many for each true
    positive.

    Parameters
    ----------
    curves : dict of str to PrecisionRecallCurve
        The curve of each learner, on the same rows.
    against_rest : OneAgainstRest
        The class that is to be found.
    n_samples : int
        Number of rows.

    Examples
    --------
    >>> y, forecast = [0, 1, 0, 1], [[0.8, 0.2], [0.3, 0.7], [0.6, 0.4], [0.6, 0.4]]
    >>> display = PrecisionRecallDisplay.from_predictions(y, {"mine": forecast})
    >>> display.plot().ax_.get_legend().get_texts()[0].get_text()
    'mine: average 0.833'
    """

    key = "precision_recall"
    title = "Precision and recall"

    @classmethod
    def _curve(cls, events: Events) -> PrecisionRecallCurve:
        return precision_recall_curve(*only_one(events))

    @property
    def share(self) -> float:
        """Share of the class among all rows, which is the precision of random rows."""
        return float(next(iter(self.curves.values())).precision[-1])

    def draw(self, ax: "Axes") -> None:
        """Draw the figure on given axes."""
        for key, look in looks(list(self.curves)).items():
            curve = self.curves[key]
            found = curve.recall > 0.0
            x, y = curve.recall[found], curve.precision[found]
            ax.step(
                np.r_[0.0, x], np.r_[y[0], y], where="pre", color=look.color, linestyle=look.line,
                label=f"{learner_name(key)}: average {curve.average:.3f}",
            )  # fmt: skip
        ax.plot([0, 1], [self.share] * 2, color=GREY, linewidth=0.8, label=f"at random: {self.share:.3f}")
        ax.set_xlim(-0.01, 1.01)
        ax.set_ylim(-0.01, 1.01)
        ax.set_yticks(np.linspace(0.0, 1.0, 6))
        ax.grid(visible=True, axis="both")
        ax.set_xlabel("recall [share of the class]")
        ax.set_ylabel("precision [share of the rows taken]")
        ax.set_title(self.against_rest.words)
        legend_below(ax)

    @property
    def caption(self) -> str:
        """What the figure shows, in full sentences."""
        return (
            f"Precision against recall on the same {self.n_samples} rows ({self.against_rest.words}), with "
            "the highest forecasts first. Rows with equal forecasts are one point. The average is the mean "
            "of the precision at each row of the class. The grey line is for a random order of rows."
        )
