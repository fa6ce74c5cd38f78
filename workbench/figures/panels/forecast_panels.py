"""ROC curve, lift and cumulative reward side by side, for the same learners on the same rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from numpy.typing import ArrayLike

from workbench.base.names import learner_name, metric_name
from workbench.figures._shared.base import HEIGHT, LEGEND_LINES, LINE, WIDTH, save_figure
from workbench.figures._shared.style import legend_below_all, named_artists, settings
from workbench.figures.cumulative_reward import CumulativeRewardDisplay
from workbench.figures.lift import LiftDisplay
from workbench.figures.roc import ROCDisplay
from workbench.metrics import Metric

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["ForecastPanels", "draw_forecasts"]


@dataclass(frozen=True, eq=False)
class ForecastPanels:
    """Figure of ROC curve, lift and cumulative reward side by side.

    Parameters
    ----------
    roc : ROCDisplay
        The left panel.
    lift : LiftDisplay
        The middle panel.
    reward : CumulativeRewardDisplay
        The right panel.
    figure_ : matplotlib Figure
        The figure with three axes, which opens no window.
    """

    roc: ROCDisplay
    lift: LiftDisplay
    reward: CumulativeRewardDisplay
    figure_: Figure

    @property
    def caption(self) -> str:
        """What each panel shows and what to look for, in full sentences."""
        return f"Left: {self.roc.caption} Middle: {self.lift.caption} Right: {self.reward.caption}"

    def save(self, path: str | Path, **options: Any) -> None:
        """Write the figure to a file.

        Parameters
        ----------
        path : str or Path
            A path that ends in .pdf, .png or .svg.
        **options
            Options of matplotlib's `Figure.savefig`, such as dpi.

        Raises
        ------
        WorkbenchError
            If the path has another ending.
        """
        save_figure(self.figure_, path, **options)


def draw_forecasts(
    y_true: ArrayLike,
    forecasts: ArrayLike | Mapping[str, ArrayLike],
    *,
    prior: ArrayLike | None = None,
    metric: str | Metric = "ir_b",
    ranking: Literal["confidence", "forecast", "rows"] = "confidence",
    classes: Sequence[object] | ArrayLike | None = None,
    positive: object = None,
) -> ForecastPanels:
    """Draw ROC curve, lift and cumulative reward of the same forecasts side by side, with one legend.

    Look for learners that change their order between panels. ROC curve and lift depend only on the ranking of
    rows, and the reward also depends on the probabilities.

    Parameters
    ----------
    y_true, forecasts, classes, positive
        As in `ROCDisplay.from_predictions`.
    prior, metric, ranking : optional
        As in `CumulativeRewardDisplay.from_predictions`.

    Returns
    -------
    ForecastPanels
        The figure, with `figure_`, `caption` and `save`.

    Raises
    ------
    ValueError
        As for the three displays.

    References
    ----------
    .. [1] Korb, K. B., Hope, L. R., and Hughes, M. J., "The evaluation of predictive learners: some
       theoretical and empirical results", 2001, section 6.

    Examples
    --------
    >>> y, forecast = [0, 1, 0, 1], [[0.8, 0.2], [0.3, 0.7], [0.6, 0.4], [0.6, 0.4]]
    >>> panels = draw_forecasts(y, forecast, prior=[0.5, 0.5])
    >>> [ax.get_ylabel().split(" [")[0] for ax in panels.figure_.axes]
    ['true positives', 'lift', 'cumulative IR_B / rows']
    >>> panels.save("forecasts.png")  # doctest: +SKIP
    """
    displays = (
        ROCDisplay.from_predictions(y_true, forecasts, classes=classes, positive=positive),
        LiftDisplay.from_predictions(y_true, forecasts, classes=classes, positive=positive),
        CumulativeRewardDisplay.from_predictions(
            y_true, forecasts, prior=prior, metric=metric, ranking=ranking, classes=classes, positive=positive
        ),
    )
    return ForecastPanels(*displays, _drawn(*displays))


def _drawn(roc: ROCDisplay, lift: LiftDisplay, reward: CumulativeRewardDisplay) -> Figure:
    """Draw three displays of the same learners side by side, with one legend for all."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    displays = (roc, lift, reward)
    with mpl.rc_context(settings()):
        figure = Figure(figsize=(len(displays) * WIDTH, HEIGHT), layout="constrained")
        for ax, display in zip(figure.subplots(1, len(displays)), displays, strict=True):
            display.draw(ax)
        lines = legend_below_all(
            figure, _named(figure.axes, list(roc.curves), metric_name(reward.metric.name))
        )
        figure.set_size_inches(len(displays) * WIDTH, HEIGHT + LINE * max(0, lines - LEGEND_LINES))
    return figure


def _named(axes: Sequence[Axes], learners: list[str], metric: str) -> list[Artist]:
    """Return the legend lines: one per learner, labeled with area and reward, and those of no learner."""
    n = len(learners)
    named = [named_artists(ax) for ax in axes]
    rewards = [str(artist.get_label()) for artist in named[-1]]
    for line, key, reward in zip(named[0], learners, rewards, strict=False):
        line.set_label(f"{line.get_label()}, {metric} {reward.removeprefix(f'{learner_name(key)}: ')}")
    for legend in filter(None, (ax.get_legend() for ax in axes)):
        legend.remove()
    return named[0][:n] + [artist for artists in named for artist in artists[n:]]
