"""Reliability diagrams: observed frequencies against forecasts."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.base.errors import WorkbenchError, nearest
from workbench.base.names import learner_name
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
#: What the axes measure, by scale.
SCALES = {"probability": "probability", "log_odds": "probability, by log odds"}
#: Powers of ten from tick to tick of log odds, and how many ticks there may be.
TICK_STEPS, TICKS = (0.5, 1, 2, 5, 10, 20, 50, 100), 7
ALL = 0.5  # from this forecast or frequency on, the axes of probabilities reach 1
SPARE = 0.08  # share of an axis left free next to the extreme points
SHORTEST = 2.5  # length of an axis of log odds
# Below the axis of frequencies, as shares of its length:
FIRST_ROW, ROW = -0.29, 0.11  # position of the first learner's bars; step to the next row
FILL = 0.84  # share of a row that its highest bar fills
LOWEST = 0.06  # least bar, as a share of the highest, so that single forecasts are visible
STEPS = 100  # positions of bars on the axis of forecasts, each as wide as a bar
SIGN = -0.03  # position of the marker of a row's learner
INCHES = 1.65  # of the axis of frequencies
ROOM = 3  # rows that fit the default height
MANY = 40  # bins of one learner beyond which intervals would overlap visibly


class ReliabilityDisplay(Display):
    """Reliability diagram: observed frequencies against forecasts by bin, with numbers of forecasts below.

    Look for points under the diagonal, where a learner is overconfident. A point whose interval contains the
    diagonal is consistent with calibration. Below, each learner has its own row of bars. Their heights are
    proportional to the square root of the number of forecasts, so that small bins remain visible next to
    large bins. If all forecasts are low, as for a rare class, the axes end at the greatest forecast.

    Parameters
    ----------
    tables : dict of str to ReliabilityTable
        The table of each learner, on the same rows.
    whose : str
        What the forecasts are about, in words.
    n_samples : int
        Number of rows.
    scale : {"probability", "log_odds"}
        The scale of forecasts and frequencies.

    Examples
    --------
    >>> y, forecast = [0, 1, 0, 1], [[0.8, 0.2], [0.3, 0.7], [0.6, 0.4], [0.6, 0.4]]
    >>> display = ReliabilityDisplay.from_predictions(y, {"mine": forecast}, n_bins=2)
    >>> display.plot().ax_.get_xlabel()
    'forecast of class 1 [probability]'
    """

    key = "reliability"
    title = "Reliability diagram"

    def __init__(
        self,
        tables: Mapping[str, ReliabilityTable],
        whose: str,
        n_samples: int,
        *,
        scale: Literal["probability", "log_odds"] = "probability",
    ) -> None:
        if scale not in SCALES:
            raise WorkbenchError(f"unknown scale {scale!r}; {nearest(scale, SCALES)}")
        self.scale = scale
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
        scale: Literal["probability", "log_odds"] = "probability",
    ) -> Self:
        """Make the figure from outcomes and forecasts.

        Parameters
        ----------
        y_true, forecasts, classes
            As in `ROCDisplay.from_predictions`.
        positive : object, optional
            The label of the class whose forecasts are shown. With two classes, the default is the second
            class in sorted order, which is scikit-learn's `classes_[1]`.
        of : {"predicted", "all classes"}, optional
            Which forecasts to show instead of those for one class: "predicted" for the class with the
            greatest probability, or "all classes" for every class. With more than two classes, the default is
            "predicted".
        n_bins, strategy : optional
            As in `workbench.metrics.reliability_table`. The strategies "quantile" and "cells" show a rare
            class well.
        scale : {"probability", "log_odds"}
            The scale of the axes. Log odds stretch probabilities near 0 and 1, where ratios matter more than
            differences.

        Returns
        -------
        ReliabilityDisplay

        Raises
        ------
        ValueError
            If a row is not a distribution, a label is unknown, shapes do not match, there is no such strategy
            or scale, or both `positive` and `of` are given.
        """
        from workbench.metrics.functions.reliability import reliability_table

        checked = Forecasts.of(y_true, forecasts, classes=classes)
        chosen, whose = _chosen(checked, positive, of)
        tables = {
            key: reliability_table(checked.outcomes, table, n_bins=n_bins, strategy=strategy, of=chosen)
            for key, table in checked.by_learner.items()
        }
        return cls(tables, whose, checked.n_samples, scale=scale)

    @property
    def height(self) -> float:
        """Height in inches, with a row of bars for each learner."""
        return HEIGHT + INCHES * ROW * max(0, len(self.tables) - ROOM)

    def draw(self, ax: Axes) -> None:
        """Draw the figure on given axes."""
        most = max(int(self._counts(i)[1].max()) for i in range(len(self.tables)))
        bottom = FIRST_ROW - ROW * (len(self.tables) - 1)
        ends = self._limits
        ax.plot(ends, ends, color=ax.xaxis.label.get_color(), linewidth=0.8)
        for i, (key, look) in enumerate(looks(list(self.tables)).items()):
            self._points(ax, key, look)
            self._row(ax, i, look, most)
        ax.set_xlim(*self._along([-0.06, 1.02]))
        ax.set_ylim(*self._along([bottom - 0.03, 1.03]))
        places, words = self._ticks()
        ax.set_yticks(places, words)
        if self.scale == "log_odds":
            ax.set_xticks(places, words)
        ax.grid(visible=True, axis="both")
        ax.set_xlabel(f"forecast of {self.whose} [{SCALES[self.scale]}]")
        # Next to the frequencies, not the bars.
        ax.set_ylabel("it happened\n[share of samples]", y=(0.5 - bottom) / (1.0 - bottom))
        right, under = self._along([1.0, (FIRST_ROW + ROW) / 2])
        note = f"number of forecasts, highest bar {most}"
        ax.text(right, under, note, ha="right", va="center", fontsize="small")
        ax.set_title(f"{self.n_samples} rows")
        legend_below(ax)

    @property
    def caption(self) -> str:
        """What the figure shows, in full sentences."""
        words = [
            f"Frequency with which {self.whose} happened in each bin of forecasts, against the mean forecast "
            f"of the bin, on {self.n_samples} rows. On the diagonal forecasts are calibrated. Bars below "
            "show the number of forecasts of each bin, in one row for each learner. Bins with means in the "
            f"same {1 / STEPS:g} of the axis are one bar. Heights are proportional to the square root of the "
            "number."
        ]
        if not self._crowded:
            level = next(iter(self.tables.values())).level
            words.append(f"Vertical lines: single {level:.0%} intervals of the frequencies.")
        if self.scale == "log_odds":
            words.append("Both axes are in log odds, and frequencies of 0 or 1 are drawn at the ends.")
        elif self._limits[1] < 1.0:
            words.append(f"Both axes end at {self._limits[1]:.2g}.")
        if self.whose == WHOSE["all classes"]:
            words.append("Forecasts of several classes on one row depend on each other.")
        return " ".join(words)

    @property
    def _crowded(self) -> bool:
        return any((table.n > 0).sum() > MANY for table in self.tables.values())

    @functools.cached_property
    def _limits(self) -> NDArray[np.float64]:
        """Ends of both axes, on the scale, by the forecasts and frequencies. For log odds the finite ones."""
        both = ((table, v) for table in self.tables.values() for v in (table.mean_forecast, table.frequency))
        points = np.concatenate([values[table.n > 0] for table, values in both])
        if self.scale == "probability":
            end = points.max()
            return np.array([0.0, 1.0 if end == 0.0 or end > ALL else (1.0 + SPARE) * end])
        inner = self._scaled(points[(points > 0.0) & (points < 1.0)])
        low, high = (inner.min(), inner.max()) if inner.size else (0.0, 0.0)
        spare = max(SPARE * (high - low), (SHORTEST - (high - low)) / 2)
        return np.array([low - spare, high + spare])

    def _scaled(self, probability: ArrayLike) -> NDArray[np.float64]:
        """Return probabilities on the scale of the axis, where log odds may be infinite."""
        values = np.clip(probability, 0.0, 1.0)  # means exceed 1 by roundings
        if self.scale == "probability":
            return values
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(values) - np.log1p(-values))

    def _along(self, share: ArrayLike) -> NDArray[np.float64]:
        """Return places as shares of the length of an axis."""
        low, high = self._limits
        return np.asarray(low + (high - low) * np.asarray(share))

    def _ticks(self) -> tuple[NDArray[np.float64], list[str]]:
        """Return places and words of the ticks of frequencies."""
        from matplotlib.ticker import MaxNLocator

        low, high = self._limits
        if self.scale == "probability":
            ticks = np.array(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high))
            ticks = ticks[(ticks >= low) & (ticks <= high)]
        else:
            choices = (_decades(step) for step in TICK_STEPS)
            inside = (p[(self._scaled(p) >= low) & (self._scaled(p) <= high)] for p in choices)
            ticks = next((p for p in inside if len(p) <= TICKS), np.array([0.5]))
        return self._scaled(ticks), [_tick_word(p) for p in ticks.tolist()]

    def _points(self, ax: Axes, key: str, look: Look) -> None:
        table = self.tables[key]
        filled = table.n > 0
        x, y = (
            np.clip(self._scaled(v[filled]), *self._limits) for v in (table.mean_forecast, table.frequency)
        )
        if self._crowded:
            ax.plot(
                x, y, label=learner_name(key), color=look.color, marker=look.marker, linestyle="none",
                markersize=3.4, alpha=0.55, markeredgewidth=0.0,
            )  # fmt: skip
            return
        # Rounding may put an extreme share just outside its interval.
        low, high = (
            np.clip(self._scaled(v[filled]), *self._along([0.0, 1.1])) for v in (table.low, table.high)
        )
        error = np.maximum([y - low, high - y], 0.0)
        style: dict[str, Any] = {
            "color": look.color, "marker": look.marker, "linewidth": 1.0, "elinewidth": 0.9, "capsize": 2.0,
            "markersize": 4.2,
        }  # fmt: skip
        endless = np.isinf(self._scaled(table.frequency[filled]))  # no line leads to these
        ax.errorbar(
            x, np.where(endless, np.nan, y), error, label=learner_name(key), linestyle=look.line, **style
        )
        if endless.any():
            ax.errorbar(x[endless], y[endless], error[:, endless], linestyle="none", mfc="none", **style)

    def _row(self, ax: Axes, i: int, look: Look, most: int) -> None:
        """Draw the numbers of forecasts in the learner's own row, so that no bar hides another."""
        places, n = self._counts(i)
        base, middle = self._along([FIRST_ROW - ROW * i, FIRST_ROW - ROW * i + FILL * ROW / 2])
        length = float(np.ptp(self._limits))
        ax.plot(self._limits, [base, base], color=ax.xaxis.label.get_color(), linewidth=0.5)
        ax.plot([self._along(SIGN)], [middle], color=look.color, marker=look.marker, markersize=3.4)
        heights = length * FILL * ROW * np.maximum(np.sqrt(n / most), LOWEST)
        ax.bar(places, heights, bottom=base, width=length / STEPS, color=look.color, linewidth=0)

    def _counts(self, i: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return positions and counts of a learner's bars, summing bins at one position."""
        table = list(self.tables.values())[i]
        filled = table.n > 0
        x = np.clip(self._scaled(table.mean_forecast[filled]), *self._limits)
        low, high = self._limits
        step = np.minimum(((x - low) / (high - low) * STEPS).astype(int), STEPS - 1)
        n = np.bincount(step, weights=table.n[filled], minlength=STEPS).astype(int)
        return self._along((np.flatnonzero(n) + 0.5) / STEPS), n[n > 0]


def _decades(step: float) -> NDArray[np.float64]:
    """Return probabilities that are so many powers of ten apart, of one digit, and their complements to 1."""
    half = np.array([float(f"{10.0**-k:.0e}") for k in np.arange(300 // step, 0, -1) * step])
    return np.r_[half, 0.5, 1.0 - half[half > 1e-15][::-1]]


def _tick_word(p: float) -> str:
    return f"1\u2212{1.0 - p:.0e}" if 0.9999 < p < 1.0 else f"{p:.6g}".removeprefix("0") or "0"


def _chosen(checked: Forecasts, positive: object, of: object) -> tuple[Any, str]:
    """Return the subject of a table, also in words."""
    if of is not None and not (isinstance(of, str) and of in WHOSE):
        raise ValueError(
            f"of is {of!r}: expected 'predicted' or 'all classes'. To show one class, name it with positive="
        )
    if of is not None and positive is not None:
        raise ValueError(f"of={of!r} and positive={positive!r} are both given: leave out one of the two")
    if of is None and positive is None and len(checked.classes) > 2:
        of = "predicted"
    if isinstance(of, str):
        return of, WHOSE[of]
    code = len(checked.classes) - 1 if positive is None else checked.code_of(positive)
    return code, f"class {checked.classes[code]}"
