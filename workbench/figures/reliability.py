"""Reliability diagrams: observed frequencies against forecasts."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.figures._shared.base import HEIGHT, Display
from workbench.figures._shared.style import legend_below, looks
from workbench.forecasts import Forecasts

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from workbench.figures._shared.style import Look
    from workbench.metrics.functions.reliability import ReliabilityTable

__all__ = ["ReliabilityDisplay"]

#: What the forecasts are of, unless of the positive class: for axis and title.
WHOSE = {"predicted": "the predicted class", "all classes": "a class"}
# Below the axis of frequencies, on its scale:
FIRST_ROW, ROW = -0.29, 0.11  # position of the first learner's bars; step to the next row
FILL = 0.84  # share of a row that its highest bar fills
LOWEST = 0.06  # least bar, as a share of the highest, so that single forecasts are visible
STEPS = 100  # positions of bars on the axis of forecasts, each as wide as a bar
SIGN = -0.03  # position of the marker of a row's learner
INCHES = 1.65  # from frequency 0 to 1
ROOM = 3  # rows that fit the default height
MANY = 40  # bins of one learner beyond which intervals would overlap visibly


class ReliabilityDisplay(Display):
    """Draw observed frequencies against forecasts, bin by bin, and below the numbers of forecasts.

    Look for points under the diagonal, where a learner is overconfident. An interval that contains the
    diagonal is consistent with calibration. Each learner has its own row of bars, with heights by the square
    root of the number, so that small bins remain visible next to large ones.

    Parameters
    ----------
    tables : dict of str to ReliabilityTable
        By learner, on the same rows.
    whose : str
        What the forecasts are of, in words.
    n_samples : int

    Examples
    --------
    >>> y, forecast = [0, 1, 0, 1], [[0.8, 0.2], [0.3, 0.7], [0.6, 0.4], [0.6, 0.4]]
    >>> display = ReliabilityDisplay.from_predictions(y, {"mine": forecast}, n_bins=2)
    >>> display.plot().ax_.get_xlabel()
    'forecast of class 1 [probability]'
    """

    key = "reliability"
    title = "Reliability diagram"

    def __init__(self, tables: "Mapping[str, ReliabilityTable]", whose: str, n_samples: int) -> None:
        self.tables = dict(tables)
        self.whose = whose
        self.n_samples = n_samples

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        forecasts: ArrayLike | Mapping[str, ArrayLike],
        *,
        classes: Sequence[object] | ArrayLike | None = None,
        positive: object = None,
        of: Literal["predicted", "all classes"] | None = None,
        n_bins: int = 10,
        strategy: Literal["uniform", "quantile", "cells"] = "uniform",
    ) -> Self:
        """Make the display of forecasts.

        Parameters
        ----------
        y_true, forecasts, classes
            As in `ROCDisplay.from_predictions`.
        positive : object, optional
            The class whose forecasts are shown, by its label; of two classes by default the second, which is
            the last in sorted order, as scikit-learn's `classes_[1]`.
        of : {"predicted", "all classes"}, optional
            Instead of one class: the class with the greatest probability, which is the default where there
            are more than two classes, or every class.
        n_bins, strategy : optional
            As in `workbench.metrics.reliability_table`.

        Returns
        -------
        ReliabilityDisplay

        Raises
        ------
        ValueError
            If a row is not a distribution, a label is unknown, shapes disagree, there is no such strategy, or
            both `positive` and `of` are given.
        """
        from workbench.metrics.functions.reliability import reliability_table

        checked = Forecasts.of(y_true, forecasts, classes=classes)
        chosen, whose = _chosen(checked, positive, of)
        tables = {
            key: reliability_table(checked.outcomes, table, n_bins=n_bins, strategy=strategy, of=chosen)
            for key, table in checked.by_learner.items()
        }
        return cls(tables, whose, checked.n_samples)

    @property
    def height(self) -> float:
        """Height in inches, with a row of bars per learner."""
        return HEIGHT + INCHES * ROW * max(0, len(self.tables) - ROOM)

    def draw(self, ax: "Axes") -> None:
        """Draw on axes."""
        most = max(int(self._counts(i)[1].max()) for i in range(len(self.tables)))
        bottom = FIRST_ROW - ROW * (len(self.tables) - 1)
        ax.plot([0, 1], [0, 1], color=ax.xaxis.label.get_color(), linewidth=0.8)
        for i, (key, look) in enumerate(looks(list(self.tables)).items()):
            self._points(ax, key, look)
            self._row(ax, i, look, most)
        ax.set_xlim(-0.06, 1.02)
        ax.set_ylim(bottom - 0.03, 1.03)
        ax.set_yticks(np.arange(0, 1.01, 0.25), ["0", ".25", ".5", ".75", "1"])
        ax.grid(visible=True, axis="both")
        ax.set_xlabel(f"forecast of {self.whose} [probability]")
        # Next to the frequencies, not the bars.
        ax.set_ylabel("it happened\n[share of samples]", y=(0.5 - bottom) / (1.0 - bottom))
        words = f"number of forecasts, highest bar {most}"
        ax.text(1.0, (FIRST_ROW + ROW) / 2, words, ha="right", va="center", fontsize="small")
        ax.set_title(f"{self.n_samples} rows")
        legend_below(ax)

    @property
    def caption(self) -> str:
        """What is shown."""
        words = [
            f"How often {self.whose} happened among the forecasts that lie in the same bin, against the mean "
            f"forecast of the bin; {self.n_samples} rows. On the diagonal forecasts are calibrated. Bars "
            "below, a row for each learner: number of forecasts in the bin, under its mean forecast; bins "
            f"with means in the same {1 / STEPS:g} are one bar. Heights are proportional to the square root "
            "of the number."
        ]
        if not self._crowded:
            level = next(iter(self.tables.values())).level
            words.append(f"Vertical lines: {level:.0%} intervals of each frequency by itself.")
        if self.whose == WHOSE["all classes"]:
            words.append("Forecasts of several classes on one row depend on each other.")
        return " ".join(words)

    @property
    def _crowded(self) -> bool:
        return any((table.n > 0).sum() > MANY for table in self.tables.values())

    def _points(self, ax: "Axes", key: str, look: "Look") -> None:
        table = self.tables[key]
        filled = table.n > 0
        x, y = table.mean_forecast[filled], table.frequency[filled]
        if self._crowded:
            ax.plot(
                x, y, label=key, color=look.color, marker=look.marker, linestyle="none",
                markersize=3.4, alpha=0.55, markeredgewidth=0.0,
            )  # fmt: skip
            return
        # Rounding may put an extreme share just outside its interval.
        error = np.maximum([y - table.low[filled], table.high[filled] - y], 0.0)
        ax.errorbar(
            x, y, yerr=error, label=key, color=look.color, marker=look.marker, linestyle=look.line,
            linewidth=1.0, elinewidth=0.9, capsize=2.0, markersize=4.2,
        )  # fmt: skip

    def _row(self, ax: "Axes", i: int, look: "Look", most: int) -> None:
        """Draw the numbers of forecasts in the learner's own row, so that no bar hides another."""
        places, n = self._counts(i)
        base = FIRST_ROW - ROW * i
        line = ax.xaxis.label.get_color()
        ax.plot([0, 1], [base, base], color=line, linewidth=0.5)
        ax.plot([SIGN], [base + FILL * ROW / 2], color=look.color, marker=look.marker, markersize=3.4)
        heights = FILL * ROW * np.maximum(np.sqrt(n / most), LOWEST)
        ax.bar(places, heights, bottom=base, width=1 / STEPS, color=look.color, linewidth=0)

    def _counts(self, i: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return positions and counts of a learner's bars, summing bins at one position."""
        table = list(self.tables.values())[i]
        filled = table.n > 0
        step = np.minimum((table.mean_forecast[filled] * STEPS).astype(int), STEPS - 1)
        n = np.bincount(step, weights=table.n[filled], minlength=STEPS).astype(int)
        return (np.flatnonzero(n) + 0.5) / STEPS, n[n > 0]


def _chosen(checked: Forecasts, positive: object, of: object) -> tuple[Any, str]:
    """Return what a table is of, and in words."""
    if of is not None and not (isinstance(of, str) and of in WHOSE):
        raise ValueError(f"of is {of!r}: expected 'predicted' or 'all classes'; name a class by `positive`")
    if of is not None and positive is not None:
        raise ValueError(f"of={of!r} and positive={positive!r} are two answers to one question: give one")
    if of is None and positive is None and len(checked.classes) > 2:
        of = "predicted"
    if isinstance(of, str):
        return of, WHOSE[of]
    code = len(checked.classes) - 1 if positive is None else checked.code_of(positive)
    return code, f"class {checked.classes[code]}"
