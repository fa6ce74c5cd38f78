"""The posterior of a mean difference, with the region of practical equivalence."""

from typing import TYPE_CHECKING, Self

import numpy as np

from workbench.analyses import Posterior
from workbench.analyses._shared.subjects import truths_of
from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_name
from workbench.comparisons import CorrelatedPosterior
from workbench.figures._shared.base import Display
from workbench.figures._shared.style import GREY, MUTED, SERIES, legend_below

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["PosteriorRopeDisplay"]

REACH = 4.5  # scales of the posterior on either side of its center that are drawn
LONG = 30  # letters of two names that need separate lines


class PosteriorRopeDisplay(Display):
    """Posterior density of a mean difference, with the region of practical equivalence shaded.

    Look at which color has most of the area. The three areas are the probabilities that the first learner is
    worse, practically equal or better.

    Parameters
    ----------
    posterior : CorrelatedPosterior
        The posterior to show.
    learner, other : str
        Names of the two learners.
    score, unit : str
        Name of the score, and its unit.
    where : str
        Where the scores come from, such as the name of a data set.

    Examples
    --------
    >>> from workbench.comparisons import bayesian_correlated_t
    >>> found = bayesian_correlated_t([0.02, 0.03, 0.01, 0.02], rope=0.01, test_share=1 / 9)
    >>> display = PosteriorRopeDisplay(found, learner="tan", other="nb", score="accuracy", unit="share")
    >>> display.caption.split(":")[0]
    'Posterior of the mean difference of accuracy, TAN minus naive Bayes, from 4 differences'
    """

    key = "posterior_rope"
    title = "Posterior of a difference"

    def __init__(
        self,
        posterior: CorrelatedPosterior,
        *,
        learner: str,
        other: str,
        score: str,
        unit: str,
        where: str = "",
    ) -> None:
        self.posterior = posterior
        self.learner = learner_name(learner)
        self.other = learner_name(other)
        self.score = score
        self.unit = unit
        self.where = where

    @classmethod
    def from_posterior(
        cls, posterior: Posterior, *, source: str | None = None, n_train: int | None = None
    ) -> Self:
        """Make the figure from a posterior of a study, on one data set or at one size of one source.

        Parameters
        ----------
        posterior : Posterior
            The posterior of the study.
        source, n_train : optional
            The data set, or the source and training size, to show. Optional if they are not needed to select
            one posterior.

        Returns
        -------
        PosteriorRopeDisplay

        Raises
        ------
        WorkbenchError
            If there is no such source and size, or if several posteriors fit.
        """
        places = posterior.places
        fitting = [place for place in places if source in (None, place[0]) and n_train in (None, place[1])]
        if len(fitting) != 1:
            known = "; ".join(f"{key} at {size} rows" for key, size in places)
            raise WorkbenchError(
                f"source {source!r} and n_train {n_train!r} fit {len(fitting)} posteriors: choose one of "
                f"{known}"
            )
        ((key, size),) = fitting
        return cls(
            places[key, size],
            learner=posterior.learner,
            other=posterior.other,
            score=posterior.score.name,
            unit=posterior.unit,
            where=f"{truths_of(key)}, {size} training rows" if posterior.by.has_sizes else key,
        )

    def draw(self, ax: "Axes") -> None:
        """Draw the figure on given axes."""
        found = self.posterior
        ax.axvspan(-found.rope, found.rope, color=MUTED, alpha=0.45, linewidth=0)
        for edge in (-found.rope, found.rope):
            ax.axvline(edge, color=GREY, linewidth=0.8, linestyle=(0, (4, 2)))
        better = 1 if found.direction == "higher" else -1
        low, high = self._range
        for start, end, color, label in (
            (low, -found.rope, SERIES[(1 + better) // 2], self._label(-better)),
            (-found.rope, found.rope, GREY, self._label(0)),
            (found.rope, high, SERIES[(1 - better) // 2], self._label(better)),
        ):
            part = np.linspace(start, max(start, end), 200)
            ax.fill_between(part, self._density(part), color=color, alpha=0.75, linewidth=0, label=label)
        if found.scale > 0:
            x = np.linspace(low, high, 600)
            ax.plot(x, self._density(x), color=ax.xaxis.label.get_color(), linewidth=1.2)
        else:
            ax.axvline(found.mean, color=ax.xaxis.label.get_color(), linewidth=1.6)
        ax.set_xlim(low, high)
        ax.set_ylim(bottom=0.0)
        if not found.scale > 0:
            ax.set_yticks([])
        ax.locator_params(axis="x", nbins=6)
        ax.set_xlabel(f"difference of {self.score} [{self.unit}]")
        ax.set_ylabel(f"posterior density [1/{self.unit}]")
        between = "\n" if len(self.learner) + len(self.other) > LONG else " "
        names = f"{self.learner} \u2212{between}{self.other}"
        ax.set_title("\n".join(filter(None, [names, self.where])))
        legend_below(ax)

    @property
    def caption(self) -> str:
        """What the figure shows, in full sentences."""
        found = self.posterior
        where = f" on {self.where}" if self.where else ""
        opening = (
            f"Posterior of the mean difference of {self.score}, {self.learner} minus {self.other}{where}, "
            f"from {found.n} differences"
        )
        note = f" Note: {found.note}." if found.note else ""
        side = "right" if found.direction == "higher" else "left"
        return (
            f"{opening}: {found.mean:+.4g} {self.unit}, from {found.low:.4g} to {found.high:.4g} with "
            f"probability {found.level:.0%}. To the {side} {self.learner} is better. Shaded: differences up "
            f"to {found.rope:g} {self.unit}, which do not matter. {self.learner} is better with probability "
            f"{found.p_better:.3f}, practically equal with {found.p_equal:.3f}, worse with "
            f"{found.p_worse:.3f}.{note}"
        )

    @property
    def _range(self) -> tuple[float, float]:
        """The range of differences: the posterior, and slightly more than the region of equivalence."""
        found = self.posterior
        reach = REACH * found.scale
        edges = (found.mean - reach, found.mean + reach, -1.3 * found.rope, 1.3 * found.rope)
        low, high = min(edges), max(edges)
        if found.scale > 0:
            return low, high
        margin = 0.2 * (high - low) or 1.0
        return low - margin, high + margin

    def _density(self, x: np.ndarray) -> np.ndarray:
        return self.posterior.density(x) if self.posterior.scale > 0 else np.zeros_like(x)

    def _label(self, side: int) -> str:
        """Return the label of an outcome of the first learner, with its probability."""
        found = self.posterior
        outcome, p = {
            -1: ("worse", found.p_worse),
            0: ("practically equal", found.p_equal),
            1: ("better", found.p_better),
        }[side]
        return f"{outcome}: {p:.3f}"
