"""Lift or cumulative gain of several learners on the same rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.base.errors import WorkbenchError, nearest
from workbench.base.names import learner_name
from workbench.figures._shared.base import Display
from workbench.figures._shared.style import GREY, legend_below, looks
from workbench.forecasts import Forecasts, OneAgainstRest
from workbench.forecasts.curves import LiftCurve, lift_curve, mean_lift

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["LiftDisplay"]

#: Axis label and caption of each curve.
LABELS = {"lift": "lift [times as often as among all]", "gain": "cumulative gain [share of the class]"}
WORDS = {
    "lift": "Lift: how many times as often the class happened among the rows of the highest forecast as "
    "among all. The level line at 1 is a ranking at random",
    "gain": "Cumulative gain: share of the class that is found among the rows of the highest forecast. The "
    "diagonal is a ranking at random",
}


class LiftDisplay(Display):
    """Lift, or cumulative gain, against the share of rows, where rows with the highest forecasts come first.

    Look at the left side. It shows which learner finds the class best if only a few rows can be examined.

    Parameters
    ----------
    curves : dict of str to LiftCurve
        The curve of each learner, on the same rows.
    against_rest : OneAgainstRest
        The class that is to be found.
    curve : {"lift", "gain"}
        The curve to draw.

    Examples
    --------
    >>> y, forecast = [0, 1, 0, 1], [[0.8, 0.2], [0.3, 0.7], [0.6, 0.4], [0.6, 0.4]]
    >>> display = LiftDisplay.from_predictions(y, {"mine": forecast}, classes=[0, 1])
    >>> display.curves["mine"].lift.round(2)
    array([2.  , 2.  , 1.5 , 1.33, 1.  ])
    """

    key = "lift"
    title = "Lift"

    def __init__(
        self,
        curves: Mapping[str, LiftCurve],
        against_rest: OneAgainstRest,
        *,
        curve: Literal["lift", "gain"] = "lift",
    ) -> None:
        if curve not in LABELS:
            raise WorkbenchError(f"unknown curve {curve!r}; {nearest(curve, LABELS)}")
        self.curves = dict(curves)
        self.against_rest = against_rest
        self.curve = curve

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        forecasts: ArrayLike | Mapping[str, ArrayLike],
        *,
        classes: Sequence[object] | ArrayLike | None = None,
        positive: object = None,
        curve: Literal["lift", "gain"] = "lift",
    ) -> Self:
        """Make the figure from outcomes and forecasts.

        Parameters
        ----------
        y_true, forecasts, classes
            As in `ROCDisplay.from_predictions`.
        positive : object, optional
            The class that is to be found. With two classes, the default is the second class. With more
            classes, the default is the mean over all classes.
        curve : {"lift", "gain"}
            The curve to draw. "lift" is how many times as frequent the class is among the first rows as among
            all rows. "gain" is the share of the rows of the class that is found among the first rows.

        Returns
        -------
        LiftDisplay

        Raises
        ------
        ValueError
            If a row is not a distribution, a label is unknown, shapes do not match, there is no such curve,
            or the class is the true class of every row or of no row.
        """
        checked = Forecasts.of(y_true, forecasts, classes=classes)
        chosen = checked.against_rest(positive)
        curves = {
            key: mean_lift([lift_curve(checked.happened(i), table[:, i]) for i in chosen.codes])
            for key, table in checked.by_learner.items()
        }
        return cls(curves, chosen, curve=curve)

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return len(next(iter(self.curves.values())).share) - 1

    def draw(self, ax: Axes) -> None:
        """Draw the figure on given axes."""
        first = next(iter(self.curves.values()))
        ends = [1.0, 1.0] if self.curve == "lift" else [0.0, 1.0]
        ax.plot([0.0, 1.0], ends, color=ax.xaxis.label.get_color(), linewidth=0.8)
        for key, look in looks(list(self.curves)).items():
            values = self._values(self.curves[key])
            ax.plot(
                self.curves[key].share, values, color=look.color, linestyle=look.line, label=learner_name(key)
            )
        best = self._values(first, "best_")
        ax.plot(first.share, best, color=GREY, linewidth=0.8, label=f"{self.curve} without a mistake")
        ax.set_xlim(-0.01, 1.01)
        ax.grid(visible=True, axis="both")
        ax.set_xlabel("rows, highest forecast first [share of samples]")
        ax.set_ylabel(LABELS[self.curve])
        ax.set_title(self.against_rest.words)
        legend_below(ax)

    @property
    def caption(self) -> str:
        """What the figure shows, in full sentences."""
        return " ".join(
            [
                f"{WORDS[self.curve]}, and the grey line a ranking without errors. All curves are for the "
                f"same {self.n_samples} rows ({self.against_rest.words}). Rows with equal forecasts share "
                "evenly what is found.",
                *self.against_rest.notes,
            ]
        )

    def _values(self, curve: LiftCurve, which: Literal["", "best_"] = "") -> NDArray[np.float64]:
        return np.asarray(getattr(curve, which + self.curve))
