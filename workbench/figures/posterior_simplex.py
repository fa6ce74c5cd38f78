"""The posterior over data sets as points in a triangle with corners worse, equal and better."""

from typing import TYPE_CHECKING, Self

import numpy as np

from workbench.analyses import Posterior
from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_name
from workbench.comparisons import SignedRankPosterior
from workbench.figures._shared.base import Display
from workbench.figures._shared.style import GREY, ORDERED

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["PosteriorSimplexDisplay"]

TALL = np.sqrt(3) / 2  # height of a triangle whose base is 1
CORNERS = np.array([[0.0, 0.0], [0.5, TALL], [1.0, 0.0]])  # worse, equal, better
BINS = 36  # even, so that one bin is centered in the upper corner
LONG = 30  # letters of two names that need separate lines


class PosteriorSimplexDisplay(Display):
    """Posterior of a signed-rank comparison, with its draws as points in a triangle.

    Look at which third of the triangle contains the points. The shares of draws in the three thirds are the
    probabilities that the first learner is worse, practically equal or better. If points are spread over
    several thirds, no outcome is decided.

    Parameters
    ----------
    posterior : SignedRankPosterior
        The posterior to show.
    learner, other : str
        Names of the two learners.
    score, unit : str
        Name of the score, and its unit.
    over : str
        What the differences are over, in the plural, such as "data sets".

    Examples
    --------
    >>> from workbench.comparisons import bayesian_signed_rank
    >>> found = bayesian_signed_rank([0.04, 0.02, 0.03, 0.05, 0.01], rope=0.01, n_samples=1000)
    >>> display = PosteriorSimplexDisplay(found, learner="tan", other="nb", score="accuracy", unit="share")
    >>> display.caption.split(".")[0]
    'Posterior of TAN compared with naive Bayes by accuracy, from 5 data sets'
    """

    key = "posterior_simplex"
    title = "Posterior over data sets"

    def __init__(
        self,
        posterior: SignedRankPosterior,
        *,
        learner: str,
        other: str,
        score: str,
        unit: str,
        over: str = "data sets",
    ) -> None:
        self.posterior = posterior
        self.learner = learner_name(learner)
        self.other = learner_name(other)
        self.score = score
        self.unit = unit
        self.over = over

    @classmethod
    def from_posterior(cls, posterior: Posterior) -> Self:
        """Make the figure from the posterior of a study over all data sets.

        Parameters
        ----------
        posterior : Posterior
            The posterior of the study.

        Returns
        -------
        PosteriorSimplexDisplay

        Raises
        ------
        WorkbenchError
            If the study has fewer than two data sets, or is a study of truths.
        """
        if posterior.overall is None:
            raise WorkbenchError(
                "there is no posterior over all data sets, as it needs at least two data sets: for one data "
                "set or size, use PosteriorRopeDisplay.from_posterior"
            )
        return cls(
            posterior.overall,
            learner=posterior.learner,
            other=posterior.other,
            score=posterior.score.name,
            unit=posterior.unit,
        )

    def draw(self, ax: "Axes") -> None:
        """Draw the figure on given axes."""
        from matplotlib.colors import LinearSegmentedColormap, PowerNorm, to_rgba

        x, y = (self.posterior.samples @ CORNERS).T
        # From transparent to dark without a step, so that empty bins do not look like holes.
        shades = LinearSegmentedColormap.from_list(
            "shades", [to_rgba(ORDERED[0], 0.0), *map(to_rgba, ORDERED)]
        )
        ax.hexbin(
            x, y, gridsize=BINS, extent=(0.0, 1.0, 0.0, TALL), cmap=shades, norm=PowerNorm(0.5, vmin=0.0),
            linewidths=0.0,
        )  # fmt: skip
        line = ax.xaxis.label.get_color()
        around = CORNERS[[0, 1, 2, 0]]
        ax.plot(around[:, 0], around[:, 1], color=line, linewidth=1.0)
        center = CORNERS.mean(axis=0)
        for a, b in ((0, 1), (1, 2), (2, 0)):
            middle = (CORNERS[a] + CORNERS[b]) / 2
            ax.plot(*zip(center, middle, strict=True), color=GREY, linewidth=0.9, linestyle=(0, (4, 2)))
        self._name_corners(ax, line)
        ax.set_xlim(-0.08, 1.08)
        ax.set_ylim(-0.14, TALL + 0.14)
        ax.set_aspect("equal")
        ax.set_axis_off()
        between = "\n" if len(self.learner) + len(self.other) > LONG else " "
        names = f"{self.learner}{between}against {self.other}"
        ax.set_title(f"{names}\n{self.score}, {self.posterior.n} {self.over}")

    @property
    def caption(self) -> str:
        """What the figure shows, in full sentences."""
        found = self.posterior
        return (
            f"Posterior of {self.learner} compared with {self.other} by {self.score}, from {found.n} "
            f"{self.over}. The {len(found.samples)} draws are darker where they are denser (by the square "
            "root of their number). The nearer a draw is to a corner, the more probable this outcome is on "
            f"{self.over} like these. The dashed lines divide the draws by the most probable outcome. Shares "
            f"of draws: better {found.p_better:.3f}, practically equal (by at most {found.rope:g} "
            f"{self.unit}) {found.p_equal:.3f}, worse {found.p_worse:.3f}."
        )

    def _name_corners(self, ax: "Axes", color: object) -> None:
        """Write each outcome with its probability at its corner."""
        found = self.posterior
        for (x, y), words, p in zip(
            CORNERS,
            ("worse", f"practically equal (\u00b1{found.rope:g} {self.unit})", "better"),
            (found.p_worse, found.p_equal, found.p_better),
            strict=True,
        ):
            above = y > 0
            ax.text(
                x, y + (0.03 if above else -0.03), f"{words}: {p:.3f}", color=color,
                ha="center", va="bottom" if above else "top",
            )  # fmt: skip
