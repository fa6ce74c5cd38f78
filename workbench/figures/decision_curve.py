"""Net benefit of several learners on the same rows, at each threshold."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.figures._shared.base import Display
from workbench.figures._shared.style import GREY, legend_below, looks
from workbench.forecasts import Forecasts, OneAgainstRest
from workbench.forecasts.curves import DecisionCurve, decision_curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["DecisionCurveDisplay"]

SPARE = 1.1  # axes end a tenth beyond the curves
BELOW = -0.15  # least net benefit that is shown, as a share of the greatest


class DecisionCurveDisplay(Display):
    """Draw the net benefit of deciding by each learner's forecasts, against the threshold of the decision.

    Look at the thresholds that somebody could have: where a learner is below "treat all" or "treat none", it
    is better not to ask it.

    Parameters
    ----------
    curves : dict of str to DecisionCurve
        By learner, on the same rows and at the same thresholds.
    against_rest : OneAgainstRest
        Of which class.
    n_samples : int

    Examples
    --------
    >>> y, forecast = [0, 1, 0, 1], [[0.8, 0.2], [0.3, 0.7], [0.6, 0.4], [0.6, 0.4]]
    >>> display = DecisionCurveDisplay.from_predictions(y, {"mine": forecast}, thresholds=[0.25, 0.5])
    >>> display.curves["mine"].table()[["threshold", "net_benefit", "treat_all"]].round(3)
       threshold  net_benefit  treat_all
    0       0.25        0.417      0.333
    1       0.50        0.250      0.000
    """

    key = "decision_curve"
    title = "Decision curve"

    def __init__(
        self, curves: Mapping[str, DecisionCurve], against_rest: OneAgainstRest, n_samples: int
    ) -> None:
        self.curves = dict(curves)
        self.against_rest = against_rest
        self.n_samples = n_samples

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        forecasts: ArrayLike | Mapping[str, ArrayLike],
        *,
        classes: Sequence[object] | ArrayLike | None = None,
        positive: object = None,
        thresholds: ArrayLike | None = None,
    ) -> Self:
        """Make the display of forecasts.

        Parameters
        ----------
        y_true, forecasts, classes
            As in `ROCDisplay.from_predictions`.
        positive : object, optional
            The class that is treated; by default the second of two.
        thresholds : array-like of shape (n_thresholds,), optional
            As in `workbench.forecasts.curves.decision_curve`.

        Returns
        -------
        DecisionCurveDisplay

        Raises
        ------
        ValueError
            As `ROCDisplay.from_predictions`, or if no class is named and there are more than two.
        """
        checked = Forecasts.of(y_true, forecasts, classes=classes)
        chosen = checked.one_against_rest(positive)
        (code,) = chosen.codes
        curves = {
            key: decision_curve(checked.happened(code), table[:, code], thresholds=thresholds)
            for key, table in checked.by_learner.items()
        }
        return cls(curves, chosen, checked.n_samples)

    def draw(self, ax: "Axes") -> None:
        """Draw on axes."""
        every = list(self.curves.values())
        x = every[0].thresholds
        ax.axhline(0.0, color=ax.xaxis.label.get_color(), linewidth=0.8)
        for key, look in looks(list(self.curves)).items():
            ax.plot(x, self.curves[key].net_benefit, color=look.color, linestyle=look.line, label=key)
        ax.plot(x, every[0].treat_all, color=GREY, linewidth=0.8, label="treat all; at 0: treat none")
        # Beyond the last threshold at which anybody gains, all are near 0, or far below.
        useful = [x[curve > 0.0].max(initial=0.0) for curve in (every[0].treat_all, *self._benefits)]
        top = max(every[0].share, *(benefit.max() for benefit in self._benefits))
        ax.set_xlim(0.0, min(1.0, SPARE * (max(useful) or 1.0)))
        ax.set_ylim(BELOW * top, SPARE * top)
        ax.grid(visible=True, axis="both")
        ax.set_xlabel("threshold from which rows are treated [probability]")
        ax.set_ylabel("net benefit [true positives per row]")
        ax.set_title(self.against_rest.words)
        legend_below(ax)

    @property
    def caption(self) -> str:
        """What is shown."""
        return (
            f"Net benefit on the same {self.n_samples} rows ({self.against_rest.words}): the share of all "
            "rows that are of the class and treated, less that of the others that are treated, times "
            "t / (1 - t) at the threshold t. The grey line treats every row, the level line at 0 none. The "
            "axis ends where nobody gains."
        )

    @property
    def _benefits(self) -> list[NDArray[np.float64]]:
        return [curve.net_benefit for curve in self.curves.values()]
