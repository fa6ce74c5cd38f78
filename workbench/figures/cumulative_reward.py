"""The cumulative reward of several learners on the same rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from workbench.base import catalogue
from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_name, metric_name
from workbench.base.text import count_of
from workbench.figures._shared.base import Display
from workbench.figures._shared.style import legend_below, looks
from workbench.forecasts import Forecasts
from workbench.forecasts.curves import CumulativeReward, cumulative_reward
from workbench.metrics import Metric, ScoringRule

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["CumulativeRewardDisplay"]

#: The order of the rows, for the axis.
RANKINGS = {
    "confidence": "rows, most confident first",
    "forecast": "rows, highest forecast first",
    "rows": "rows, in the given order",
}

LONG = 40  # letters of an axis label that needs two lines


class CumulativeRewardDisplay(Display):
    """Cumulative reward along the rows, divided by the number of all rows, so that a curve ends at the score.

    If rows are sorted by confidence, look for a curve that falls at the left. It belongs to a learner that is
    wrong where it is confident. If rows are in the given order, look for bends. They show rows that differ
    from the rows before.

    Parameters
    ----------
    curves : dict of str to CumulativeReward
        The curve of each learner, on the same rows.
    metric : Metric
        The metric whose values are summed.
    ranking : {"confidence", "forecast", "rows"}
        The order of the rows.

    Examples
    --------
    >>> y, forecast = [0, 1, 0, 1], [[0.8, 0.2], [0.3, 0.7], [0.6, 0.4], [0.6, 0.4]]
    >>> display = CumulativeRewardDisplay.from_predictions(y, {"mine": forecast}, prior=[0.5, 0.5])
    >>> round(display.curves["mine"].mean, 3)
    0.276
    """

    key = "cumulative_reward"
    title = "Cumulative reward"

    def __init__(
        self,
        curves: Mapping[str, CumulativeReward],
        metric: Metric,
        *,
        ranking: Literal["confidence", "forecast", "rows"] = "confidence",
    ) -> None:
        self.curves = dict(curves)
        self.metric = metric
        self.ranking = ranking

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        forecasts: ArrayLike | Mapping[str, ArrayLike],
        *,
        prior: ArrayLike | None = None,
        metric: str | Metric = "ir_b",
        ranking: Literal["confidence", "forecast", "rows"] = "confidence",
        classes: Sequence[object] | ArrayLike | None = None,
        positive: object = None,
    ) -> Self:
        """Make the figure from outcomes and forecasts.

        Parameters
        ----------
        y_true, forecasts, classes
            As in `ROCDisplay.from_predictions`.
        prior : array-like of shape (n_classes,), optional
            The prior to which rewards are relative, such as `class_prior(y_train)`. Metrics that need a prior
            raise an error without it.
        metric : str or Metric
            A metric that scores single rows, or its key.
        ranking : {"confidence", "forecast", "rows"}
            Order of the rows: "confidence" sorts by the greatest probability of a row, "forecast" sorts by
            the forecast of `positive`, both descending, and "rows" keeps the given order.
        positive : object, optional
            The class by whose probability `ranking="forecast"` sorts. With two classes, the default is the
            second class.

        Returns
        -------
        CumulativeRewardDisplay

        Raises
        ------
        ValueError
            If a row is not a distribution, a label is unknown, shapes do not match, a prior is needed and
            missing, the metric does not score single rows, or the ranking needs a class to sort by and none
            is named.
        """
        checked = Forecasts.of(y_true, forecasts, classes=classes)
        found = catalogue.find("metrics", metric) if isinstance(metric, str) else metric
        if not isinstance(found, ScoringRule):
            raise WorkbenchError(
                f"{found.name} does not score single rows: use a metric that does, such as ir_b"
            )
        curves = {
            key: cumulative_reward(
                found.per_sample(checked.outcomes, table, prior=prior),
                ranked_by=checked.ranked_by(key, ranking, positive=positive),
            )
            for key, table in checked.by_learner.items()
        }
        return cls(curves, found, ranking=ranking)

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return len(next(iter(self.curves.values())).share) - 1

    def draw(self, ax: Axes) -> None:
        """Draw the figure on given axes."""
        ax.axhline(0.0, color=ax.xaxis.label.get_color(), linewidth=0.8)
        for key, look in looks(list(self.curves)).items():
            curve = self.curves[key]
            finite = np.isfinite(curve.reward)
            mean = f"{curve.mean:.3f}".replace("-", "\u2212")
            ax.plot(
                curve.share[finite], curve.reward[finite], color=look.color, linestyle=look.line,
                label=f"{learner_name(key)}: {mean}",
            )  # fmt: skip
        ax.set_xlim(-0.01, 1.01)
        ax.grid(visible=True, axis="both")
        ax.set_xlabel(f"{RANKINGS[self.ranking]} [share of samples]")
        words = (f"cumulative {metric_name(self.metric.name)} / rows", f"[{self.metric.unit}]")
        ax.set_ylabel(("\n" if len("".join(words)) > LONG else " ").join(words))
        ax.set_title(f"{self.n_samples} rows, {self.metric.direction} is better")
        legend_below(ax)

    @property
    def caption(self) -> str:
        """What the figure shows, in full sentences."""
        order = {
            "confidence": "the most confident first (by each learner's greatest probability)",
            "forecast": "rows with the highest forecast first (by each learner's forecasts)",
            "rows": "in the given order",
        }[self.ranking]
        words = [
            f"Sum of {metric_name(self.metric.name)} along the same {self.n_samples} rows, {order}, divided "
            "by the number of all rows. The value at the right end is the mean, as in the legend. "
            f"{self.metric.direction.capitalize()} is better."
        ]
        if self.ranking != "rows":
            words.append("Rows with equal forecasts share their rewards evenly.")
        for key, curve in self.curves.items():
            if curve.n_infinite:
                often = count_of(curve.n_infinite, "row")
                words.append(
                    f"The curve of {learner_name(key)} ends where its sum becomes infinite ({often} in all)."
                )
        return " ".join(words)
