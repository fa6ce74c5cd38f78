"""Scores, or leads over a learner, against a parameter of the sources."""

from typing import TYPE_CHECKING

from workbench.analyses import Trend
from workbench.base.errors import WorkbenchError, check_known
from workbench.figures._shared.base import Display
from workbench.figures._shared.style import GREY, legend_below, looks

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["TrendDisplay"]


class TrendDisplay(Display):
    """Draw means with 95% intervals at each level of a parameter, one line for each learner.

    Look for lines that part: a learner whose line falls less gains on the others as the parameter grows.

    Parameters
    ----------
    trend : Trend
    n_train : int, optional
        The size; may be left out if there is only one.
    base : str, optional
        Draw the leads over this learner instead of scores.

    Raises
    ------
    WorkbenchError
        If there is no such size or learner, or several sizes and none is named.

    Examples
    --------
    >>> from workbench import Source, compare
    >>> noise = {f"noise {level}": Source("x", "tan", {"n_attributes": 3, "label_noise": level},
    ...          seeds="shared") for level in (0.0, 0.2)}
    >>> found = Trend.of(compare(["nb", "tan"], on=noise, sizes=30, n_test=50), "label_noise")
    >>> TrendDisplay(found, base="nb").plot().ax_.get_xlabel()
    'label_noise'
    """

    key = "trend"
    title = "Scores against a parameter"

    def __init__(self, trend: Trend, *, n_train: int | None = None, base: str | None = None) -> None:
        sizes = sorted(set(trend.means["n_train"]))
        if (n_train is None and len(sizes) > 1) or n_train not in (None, *sizes):
            raise WorkbenchError(f"n_train is {n_train!r}: expected one of {', '.join(map(str, sizes))}")
        self.trend, self.n_train, self.base = trend, n_train or sizes[0], base
        self.learners = list(dict.fromkeys(trend.means["learner"]))
        if base is not None:
            check_known("learner", [base], self.learners)

    def draw(self, ax: "Axes") -> None:
        """Draw on axes."""
        own = self.trend.means[self.trend.means["n_train"] == self.n_train]
        every = looks(self.learners)
        if self.base is not None:
            ax.axhline(0.0, color=GREY, linewidth=0.9)
        for learner in self.learners:
            if learner == self.base:
                continue
            sign, rows = self._rows(own, learner)
            look = every[learner]
            ax.errorbar(
                rows["level"], sign * rows["mean"], rows["half_width"], color=look.color, marker=look.marker,
                linestyle=look.line, linewidth=1.2, markersize=4.5, elinewidth=0.8, capsize=2, label=learner,
            )  # fmt: skip
        what = (
            self.trend.score.words
            if self.base is None
            else f"lead over {self.base}, {self.trend.score.metric}"
        )
        ax.set_xlabel(self.trend.parameter)
        ax.set_ylabel(f"{what} [{self.trend.unit}]")
        ax.set_title(f"{self.n_train} training rows")
        legend_below(ax)

    def _rows(self, own: "pd.DataFrame", learner: str) -> "tuple[int, pd.DataFrame]":
        """Return the means of a learner, or of its lead over the base, with the sign of that difference."""
        if self.base is None:
            return 1, own[(own["learner"] == learner) & (own["other"] == "")]
        forward = own[(own["learner"] == learner) & (own["other"] == self.base)]
        if len(forward):
            return 1, forward
        return -1, own[(own["learner"] == self.base) & (own["other"] == learner)]

    @property
    def caption(self) -> str:
        """What is shown."""
        truths = "the same truths at each level" if self.trend.is_shared else "other truths at each level"
        what = "scores" if self.base is None else f"leads over {self.base}"
        slopes = self.trend.table[self.trend.table["n_train"] == self.n_train]
        own = slopes[slopes["other"] == ""] if self.base is None else slopes[slopes["other"] != ""]
        if self.base is not None:
            own = own[(own["learner"] == self.base) | (own["other"] == self.base)]
        signs = [-1 if row.learner == self.base else 1 for row in own.itertuples()]
        names = [row.other if row.learner == self.base else row.learner for row in own.itertuples()]
        listed = [
            f"{name} {sign * row.slope:.3g} ({min(sign * row.low, sign * row.high):.3g} to "
            f"{max(sign * row.low, sign * row.high):.3g})"
            for name, sign, row in zip(names, signs, own.itertuples(), strict=True)
        ]
        return (
            f"Mean {what} by {self.trend.parameter}, {truths}; bars: 95% intervals of single means. Slopes "
            f"per unit of {self.trend.parameter}, with 95% intervals: {'; '.join(listed)}."
        )
