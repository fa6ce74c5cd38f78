"""Scores, or differences from a learner, against a parameter of the sources."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Self

from workbench.analyses import PairedScores, Trend
from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_name
from workbench.base.score_key import ScoreKey
from workbench.figures._shared.study_display import StudyDisplay
from workbench.figures._shared.style import GREY, legend_below, looks

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from workbench.store.results import StudyResults

__all__ = ["TrendDisplay"]


class TrendDisplay(StudyDisplay):
    """Mean scores with 95% intervals at each value of a parameter, with one line for each learner.

    Look for lines that diverge. If the line of one learner falls less than the other lines, this learner
    gains on the other learners as the parameter grows.

    Parameters
    ----------
    trend : Trend
        The means and slopes to show.
    n_train : int, optional
        The number of training rows. By default the largest.
    base : str, optional
        Key of a learner. If given, differences from this learner are drawn instead of scores.

    Raises
    ------
    WorkbenchError
        If there is no such size, or there are no differences from this learner.

    Examples
    --------
    >>> from workbench import Source, compare
    >>> noise = {f"noise {level}": Source("x", "tan", {"n_attributes": 3, "label_noise": level},
    ...          seeds="shared") for level in (0.0, 0.2)}
    >>> results = compare(["nb", "tan"], on=noise, sizes=30, n_test=50)
    >>> results.plot("trend", parameter="label_noise", base="nb").ax_.get_xlabel()
    'label_noise'
    """

    key = "trend"
    draws = ("truths",)
    title = "Scores against a parameter"

    def __init__(self, trend: Trend, *, n_train: int | None = None, base: str | None = None) -> None:
        sizes = sorted(set(trend.means["n_train"]))
        if n_train not in (None, *sizes):
            raise WorkbenchError(f"n_train is {n_train!r}: expected one of {', '.join(map(str, sizes))}")
        self.trend, self.n_train, self.base = trend, n_train or sizes[-1], base
        self.learners = list(dict.fromkeys(trend.means["learner"]))
        if [base] == self.learners:
            raise WorkbenchError(
                f"{base} is the only learner, so there are no differences from it: leave out base="
            )
        if base not in (None, *self.learners):
            compared, why = ", ".join(self.learners), "".join(f" ({note})" for note in trend.notes)
            raise WorkbenchError(
                f"there are no differences from {base!r}: name one of the compared learners, {compared}{why}"
            )

    @classmethod
    def from_results(
        cls,
        results: "StudyResults",
        *,
        source: str | None = None,
        score: ScoreKey | str | None = None,
        learners: Sequence[str] | None = None,
        parameter: str | None = None,
        n_train: int | None = None,
        base: str | None = None,
    ) -> Self:
        """Make the figure from the sources that differ in a parameter."""
        if parameter is None:
            raise WorkbenchError(
                'parameter is None: name a parameter by which the sources differ, such as "label_noise"'
            )
        if source is not None:
            raise WorkbenchError(
                f"source is {source!r}, but a trend is over several sources: name them with sources="
            )
        return cls(Trend.of(results, parameter, score=score, learners=learners), n_train=n_train, base=base)

    @classmethod
    def reported(cls, results: "StudyResults", experiments: Sequence[PairedScores]) -> "Iterator[Self | str]":
        """Return nothing. A report has no parameter for this figure."""
        yield from ()

    def draw(self, ax: "Axes") -> None:
        """Draw the figure on given axes."""
        every = looks(self.learners)
        if self.base is not None:
            ax.axhline(0.0, color=GREY, linewidth=0.9)
        for learner in self.learners:
            if learner == self.base:
                continue
            sign, rows = self._rows(self.trend.means, learner)
            look = every[learner]
            ax.errorbar(
                rows["level"], sign * rows["mean"], rows["half_width"], color=look.color, marker=look.marker,
                linestyle=look.line, linewidth=1.2, markersize=4.5, elinewidth=0.8, capsize=2,
                label=learner_name(learner),
            )  # fmt: skip
        metric = self.trend.score.name
        what = (
            self.trend.score.words if self.base is None else f"lead over {learner_name(self.base)}, {metric}"
        )
        ax.set_xlabel(self.trend.parameter)
        ax.set_ylabel(f"{what} [{self.trend.unit}]")
        ax.set_title(f"{self.n_train} training rows")
        legend_below(ax)

    def _rows(self, table: "pd.DataFrame", learner: str) -> "tuple[int, pd.DataFrame]":
        """Return the rows of a learner, or of its difference from the base, with that sign."""
        own = table[table["n_train"] == self.n_train]
        if self.base is None:
            return 1, own[(own["learner"] == learner) & (own["other"] == "")]
        forward = own[(own["learner"] == learner) & (own["other"] == self.base)]
        if len(forward):
            return 1, forward
        return -1, own[(own["learner"] == self.base) & (own["other"] == learner)]

    @property
    def caption(self) -> str:
        """What the figure shows, in full sentences."""
        by, pairing = self.trend.parameter, self.trend.pairing
        truths = f"the same {pairing}" if pairing else "other truths"
        words = self.trend.score.words
        what = words if self.base is None else f"difference from {learner_name(self.base)} in {words}"
        drawn = [learner for learner in self.learners if learner != self.base]
        n = sorted({int(n) for learner in drawn for n in self._rows(self.trend.table, learner)[1]["n"]})
        of = " to ".join(map(str, dict.fromkeys((n[0], n[-1]))))
        slopes = "; ".join(map(self._slope, drawn))
        notes = f" Note: {'; '.join(self.trend.notes)}." if self.trend.notes else ""
        return (
            f"Mean {what} by {by} at {self.n_train} training rows, over {of} truths, {truths} at each level. "
            "Bars: 95% intervals of single means. Slopes of straight lines per unit of "
            f"{by}, with 95% intervals: {slopes}.{notes}"
        )

    def _slope(self, learner: str) -> str:
        """Return the slope of a learner's line, with its interval if it has one."""
        sign, rows = self._rows(self.trend.table, learner)
        name = learner_name(learner)
        slope, *ends = (sign * rows[["slope", "low", "high"]]).to_numpy()[0]
        if math.isnan(ends[0]):
            return f"{name} (no test)" if math.isnan(slope) else f"{name} {slope:.3g} (no test)"
        return f"{name} {slope:.3g} ({min(ends):.3g} to {max(ends):.3g})"
