"""The score of a forecast as the probability of one class goes from 0 to 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.base import catalogue
from workbench.base.errors import WorkbenchError
from workbench.base.names import metric_name
from workbench.figures._shared.base import Display
from workbench.figures._shared.style import GREY, legend_below, looks
from workbench.forecasts.curves import RewardCurve, reward_curve
from workbench.metrics import Metric

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from workbench.figures._shared.style import Look

__all__ = ["RewardAgainstProbabilityDisplay"]

MANY = 6  # with so many classes their priors are not listed
EDGE = 0.02  # probabilities nearer than this to 0 or 1 do not extend the axis
NEAR = 0.2  # expected rewards extend the axis if their forecast is this near to a best one
SMALLEST, WIDER, SIZES = 5.0, 2.2, 4  # marker sizes in points: the smallest, the step, how many


class RewardAgainstProbabilityDisplay(Display):
    """Reward against the forecast probability of one class, as in Figures 1 to 3 of Hope and Korb (2002).

    If `chance` is given, the expected reward is drawn for a class that happens with this probability. Then a
    metric is proper if the marker of its maximum is on the vertical line at `chance`: no other forecast has a
    greater expected reward.

    Parameters
    ----------
    curves : sequence of RewardCurve
        At least one curve. All curves have the same prior and class.
    prior : ndarray of shape (n_classes,)
        The prior class probabilities.
    of : int
        Code of the class whose probability is varied.
    chance : float, optional
        True probability of the class, for the expected reward.
    both : bool
        Whether to draw also the reward if another class happens. Only used without `chance`.

    References
    ----------
    .. [1] Hope, L. R., and Korb, K. B., "Bayesian information reward", 2002, Figures 1 to 3.
    .. [2] Hope, L. R., and Korb, K. B., "A Bayesian metric for evaluating machine learning algorithms", 2004,
       Figure 1.

    Examples
    --------
    >>> display = RewardAgainstProbabilityDisplay.from_metrics(["ir_b", "accuracy"], chance=0.7)
    >>> [curve.best(0.7) for curve in display.curves]
    [(0.7, 0.7), (0.5, 1.0)]
    """

    key = "reward_against_probability"
    title = "Reward against probability"

    def __init__(
        self,
        curves: Sequence[RewardCurve],
        prior: NDArray[np.float64],
        *,
        of: int = 0,
        chance: float | None = None,
        both: bool = False,
    ) -> None:
        self.curves = tuple(curves)
        self.prior = prior
        self.of = of
        self.chance = chance
        self.both = both

    @classmethod
    def from_metrics(
        cls,
        metrics: Sequence[str | Metric],
        *,
        prior: ArrayLike = (0.5, 0.5),
        of: int = 0,
        chance: float | None = None,
        both: bool = False,
    ) -> Self:
        """Make the figure from metrics.

        Parameters
        ----------
        metrics : sequence of str or Metric
            Metrics that score single rows, or their keys. The sign of a metric is changed if lower is better.
        prior : array-like of shape (n_classes,)
            Prior probabilities of at least two classes. The remaining probability of a forecast is shared by
            the other classes in the proportions of the prior.
        of : int
            Code of the class whose probability goes from 0 to 1.
        chance : float, optional
            True probability of the class. If it is given, the expected reward is drawn, with its maximum.
            Otherwise the reward is drawn for the case that the class happens.
        both : bool
            Whether to draw also the reward if another class happens. Only used without `chance`.

        Returns
        -------
        RewardAgainstProbabilityDisplay

        Raises
        ------
        ValueError
            If there is no metric, a metric does not score single rows, there is no such class, or the chance
            is not above 0 and below 1.
        """
        found = [catalogue.find("metrics", one) if isinstance(one, str) else one for one in metrics]
        if not found:
            raise WorkbenchError('metrics is empty: expected a list such as ["ir_b"]')
        curves = [reward_curve(one, prior=prior, of=of) for one in found]
        if chance is not None:
            curves[0].expected(chance)  # raises before drawing
        return cls(curves, np.asarray(prior, dtype=np.float64), of=of, chance=chance, both=both)

    def draw(self, ax: Axes) -> None:
        """Draw the figure on given axes."""
        styles = looks([str(i) for i in range(len(self.curves))]).values()
        for i, (curve, look) in enumerate(zip(self.curves, styles, strict=True)):
            values = curve.happened if self.chance is None else curve.expected(self.chance)
            name = _name(curve)
            label = name if self._unit() else f"{name} [{curve.metric.unit}]"
            _line(ax, curve.forecast, values, color=look.color, linestyle=look.line, label=label)
            if self.chance is not None:
                self._mark(ax, curve, values, look, SMALLEST + WIDER * (i % SIZES))
            elif self.both:
                _line(
                    ax, curve.forecast, curve.otherwise, color=look.color, linestyle=look.line, alpha=0.45,
                    label=f"{label}, another class",
                )  # fmt: skip
        stand = self.prior[self.of] if self.chance is None else self.chance
        ax.axvline(stand, color=GREY, linewidth=0.8, linestyle=(0, (2, 2)))
        ax.axhline(0.0, color=ax.xaxis.label.get_color(), linewidth=0.8)
        ax.set_xlim(-0.01, 1.01)
        ax.set_ylim(*self._range())
        ax.grid(visible=True, axis="both")
        ax.set_xlabel("forecast of the class [probability]")
        ax.set_ylabel(
            f"{'reward' if self.chance is None else 'expected reward'} [{self._unit() or 'see legend'}]"
        )
        ax.set_title(self._words)
        legend_below(ax)

    @property
    def caption(self) -> str:
        """What the figure shows, in full sentences."""
        rest = "the other class has the rest"
        if len(self.prior) > 2:
            rest = "the other classes share the rest in proportion to their priors"
        if self.chance is None:
            words = [f"Reward of a forecast if the class is the true class. {rest.capitalize()}."]
            if self.both:
                words.append("Pale: the mean reward if another class is the true class.")
            words.append(f"The vertical line is the prior of the class, {self.prior[self.of]:.3g}.")
            return " ".join(words)
        return " ".join(
            [
                f"Expected reward of a forecast if the class has the true probability {self.chance:.3g}, the "
                f"vertical line. {rest.capitalize()}. Open markers show where a reward is largest. If the "
                "metric is proper, this is on the line. The axis covers the rewards of forecasts within "
                f"{NEAR:g} of a marker. Lower rewards are cut off.",
                f"Largest: {', '.join(self._best(curve) for curve in self.curves)}.",
            ]
        )

    @property
    def _words(self) -> str:
        if len(self.prior) > MANY:
            return f"prior {self.prior[self.of]:.3g} of {len(self.prior)} classes"
        return f"prior {', '.join(f'{share:.3g}' for share in self.prior)}"

    def _unit(self) -> str:
        """Return the common unit of all metrics, otherwise an empty text."""
        units = {curve.metric.unit for curve in self.curves}
        return units.pop() if len(units) == 1 else ""

    def _mark(
        self, ax: Axes, curve: RewardCurve, values: NDArray[np.float64], look: Look, size: float
    ) -> None:
        """Mark the largest expected reward, at all forecasts that attain it."""
        assert self.chance is not None
        low, high = curve.best(self.chance)
        top = float(values.max())
        ax.plot([low, high], [top, top], color=look.color, linewidth=3.5, alpha=0.6, solid_capstyle="butt")
        ax.plot(
            [low, high], [top, top], linestyle="none", marker=look.marker, color=look.color,
            markersize=size, markerfacecolor="none", markeredgewidth=1.4, clip_on=False,
        )  # fmt: skip

    def _best(self, curve: RewardCurve) -> str:
        assert self.chance is not None
        low, high = curve.best(self.chance)
        return f"{_name(curve)} at {low:.3g}" + (f" to {high:.3g}" if high > low else "")

    def _range(self) -> tuple[float, float]:
        """Return the range of the axis: all rewards except near probability 0 and 1 (unbounded)."""
        if self.chance is not None:
            return _with_room(*self._around_the_best(self.chance))
        drawn = []
        for curve in self.curves:
            for part in [curve.happened, curve.otherwise] if self.both else [curve.happened]:
                drawn += [part[_inner(curve)], part[np.isfinite(part) & (part > 0)]]
        values = np.concatenate(drawn)
        return _with_room(float(min(values.min(), 0.0)), float(max(values.max(), 0.0)))

    def _around_the_best(self, chance: float) -> tuple[float, float]:
        """Return the lowest expected reward near a best forecast, and the highest of all."""
        values = [curve.expected(chance) for curve in self.curves]
        low = []
        for curve, rewards in zip(self.curves, values, strict=True):
            start, end = curve.best(chance)
            near = (curve.forecast >= start - NEAR) & (curve.forecast <= end + NEAR)
            low.append(float(rewards[near & _inner(curve)].min()))
        return min(low), max(float(rewards.max()) for rewards in values)


def _name(curve: RewardCurve) -> str:
    """Return the metric's name for people, with the minus that the curve's name has."""
    own = curve.metric.name
    return curve.name.replace(own, metric_name(own))


def _inner(curve: RewardCurve) -> NDArray[np.bool_]:
    return (curve.forecast >= EDGE) & (curve.forecast <= 1 - EDGE)


def _with_room(low: float, high: float) -> tuple[float, float]:
    room = 0.05 * (high - low)
    return low - room, high + room


def _line(ax: Axes, x: NDArray[np.float64], y: NDArray[np.float64], **options: object) -> None:
    """Draw the finite part of a curve."""
    finite = np.isfinite(y)
    ax.plot(x[finite], y[finite], **options)  # type: ignore[arg-type]
