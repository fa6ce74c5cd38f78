"""ROC curve, lift and cumulative reward beside each other, of the same learners on the same rows."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from numpy.typing import ArrayLike

from workbench.figures.base import HEIGHT, LEGEND_LINES, LINE, WIDTH
from workbench.figures.cumulative_reward import CumulativeRewardDisplay
from workbench.figures.lift import LiftDisplay
from workbench.figures.roc import ROCDisplay
from workbench.figures.style import legend_lines, settings
from workbench.metrics import Metric

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_forecasts"]


def draw_forecasts(
    y_true: ArrayLike,
    forecasts: ArrayLike | Mapping[str, ArrayLike],
    *,
    prior: ArrayLike | None = None,
    metric: str | Metric = "ir_b",
    ranking: Literal["confidence", "forecast", "rows"] = "confidence",
    classes: Sequence[object] | ArrayLike | None = None,
    positive: object = None,
) -> "Figure":
    """Draw ROC curve, lift and cumulative reward of the same forecasts in one figure.

    Look for learners that change places: ROC and lift see how rows are ranked, the reward also what the
    probabilities are worth.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Class codes, or labels when `classes` is given.
    forecasts : array-like of shape (n_samples, n_classes), or dict of str to such
        Probabilities that one learner gave, or several by their names.
    prior : array-like of shape (n_classes,), optional
        What rewards are measured against, such as `class_prior(y_train)`; metrics that need it raise without.
    metric, ranking : optional
        As `CumulativeRewardDisplay.from_predictions` takes them.
    classes : array-like of shape (n_classes,), optional
        The labels, in the order of the columns.
    positive : object, optional
        The class that is told from the rest; by default the second of two, and the mean over all where there
        are more.

    Returns
    -------
    matplotlib Figure
        With three axes; no window shows it, and `savefig` writes it.

    Raises
    ------
    ValueError
        As the three displays.

    References
    ----------
    .. [1] Korb, K. B., Hope, L. R., and Hughes, M. J., "The evaluation of predictive learners: some
       theoretical and empirical results", 2001, section 6.

    Examples
    --------
    >>> y, forecast = [0, 1, 0, 1], [[0.8, 0.2], [0.3, 0.7], [0.6, 0.4], [0.6, 0.4]]
    >>> [ax.get_ylabel().split(" [")[0] for ax in draw_forecasts(y, forecast, prior=[0.5, 0.5]).axes]
    ['true positives', 'lift', 'cumulative ir_b / rows']
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    displays = (
        ROCDisplay.from_predictions(y_true, forecasts, classes=classes, positive=positive),
        LiftDisplay.from_predictions(y_true, forecasts, classes=classes, positive=positive),
        CumulativeRewardDisplay.from_predictions(
            y_true, forecasts, prior=prior, metric=metric, ranking=ranking, classes=classes, positive=positive
        ),
    )
    with mpl.rc_context(settings()):
        figure = Figure(figsize=(len(displays) * WIDTH, HEIGHT), layout="constrained")
        for ax, display in zip(figure.subplots(1, len(displays)), displays, strict=True):
            display.draw(ax)
        more = max(0, max(legend_lines(ax) for ax in figure.axes) - LEGEND_LINES)
        figure.set_size_inches(len(displays) * WIDTH, HEIGHT + LINE * more)
    return figure
