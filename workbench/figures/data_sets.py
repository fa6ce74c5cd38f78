"""The mean of every learner on every data set."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.analyses import Comparison, comparisons_of
from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_list, learner_name
from workbench.base.score_key import ScoreKey
from workbench.figures._shared.study_display import StudyDisplay
from workbench.figures._shared.style import legend_below, looks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from workbench.analyses import PairedScores
    from workbench.figures._shared.style import Look
    from workbench.store.results import StudyResults

__all__ = ["DataSetsDisplay", "robust_range"]

POINT = (
    "A point is the mean {score} of one learner on one {by.source} over the {by.many} of the design, its "
    "line one standard deviation over the {by.many} to either side"
)
CIRCLE = ", and a circle the best mean of the compared learners"
#: Means farther from the interquartile range than this multiple of it are not drawn to scale.
FENCE = 3.0
#: And what is nearer to the range than this share of it still belongs to it.
BEYOND = 0.5
WIDTH, AROUND = 5.2, 1.4  # inches: width of the figure; its height without the lines of the data sets
LINE, EACH = 0.09, 0.05  # inches of a data set's line, and of each learner on it
SIZE = 4.2  # points, of a marker
DODGE = 0.8  # share of a line over which its learners are spread, to avoid overlap
SPREAD = 1.0  # most of the axis that lines of deviations may take beyond the means, as a share
ROOM = 0.2  # share of the axis reserved for labels of means beyond it
LABEL = 6.0  # points, of the value of a mean beyond the axis


class DataSetsDisplay(StudyDisplay):
    """Mean scores of all learners on all data sets, with their standard deviations over parts.

    Look for rows in which one learner is far from the other learners. Parts (train-test splits) share rows,
    so whether lines overlap hardly shows whether learners differ significantly. `Results.differences` tests
    each pair.

    Parameters
    ----------
    tests : sequence of Comparison
        The tests, one for each data set, all with the same score.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from workbench import compare
    >>> results = compare(["nb", "tan"], on={"iris": load_iris(return_X_y=True, as_frame=True)}, cv=2)
    >>> DataSetsDisplay.from_results(results, score="accuracy").plot().ax_.get_xlabel()
    'accuracy (test rows) [share of samples]'
    """

    key = "data_sets"
    draws = ("data sets",)
    title = "Scores by data set"

    def __init__(self, tests: Sequence[Comparison]) -> None:
        self.tests = tuple(tests)

    @classmethod
    def from_results(
        cls,
        results: "StudyResults",
        *,
        source: str | None = None,
        score: ScoreKey | str | None = None,
        learners: Sequence[str] | None = None,
    ) -> Self:
        """Make the figure from the results of a study on data sets."""
        if results.design.blocks.has_sizes:
            raise WorkbenchError("the study is of truths, not of data sets: draw reward_by_size instead")
        return cls(comparisons_of(results, score=score, learners=learners, source=source))

    @classmethod
    def reported(
        cls, results: "StudyResults", experiments: "Sequence[PairedScores]"
    ) -> "Iterator[Self | str]":
        """Return nothing. Reports on data sets draw the figure by metric, and it does not apply to truths."""
        return iter(())

    @property
    def width(self) -> float:
        """Width in inches."""
        return WIDTH

    @property
    def height(self) -> float:
        """Height in inches, with a line for each data set, which is higher if there are more learners."""
        return AROUND + (LINE + EACH * len(_drawn(self._means))) * len(self.tests)

    def draw(self, ax: "Axes") -> None:
        """Draw the figure on given axes."""
        means = self._means
        means = means[_drawn(means)]
        spread = _statistics(self.tests, "sd")[means.columns].fillna(0.0)
        first = self.tests[0].scores
        bounds = first.metric.bounds
        ends = (means - spread).clip(*bounds), (means + spread).clip(*bounds)
        every = looks(list(first.wanted), list(first.others))
        shifts = (np.arange(len(means.columns)) - (len(means.columns) - 1) / 2) * DODGE / len(means.columns)
        places = dict(zip(means.columns, shifts, strict=True))
        _points(ax, means, ends, {key: look for key, look in every.items() if key in means}, places)
        _circles(ax, self.tests, robust_range(means.to_numpy()), places)
        _rows(ax, list(means.index))
        ax.set_xlabel(f"{first.score.words} [{first.unit}]")
        legend_below(ax)

    @property
    def caption(self) -> str:
        """What the figure shows, and which means are not drawn to scale, not drawn, or grey."""
        circle = CIRCLE if any(one.best for one in self.tests) else ""
        scores = self.tests[0].scores
        point = POINT.format(score=scores.score.words, by=scores.by)
        return " ".join([f"{point}{circle}.", *self.notes])

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on means that are not drawn to scale, not drawn, or grey."""
        means = self._means
        values, drawn = means.to_numpy(), _drawn(means)
        known = values[np.isfinite(values)]
        low, high = robust_range(values)
        notes = []
        if ((known < low) | (known > high)).any():
            notes.append("A marker with an arrow at the edge shows a mean far beyond it, with its value.")
        absent = [str(learner) for learner in means.columns if learner not in drawn]
        if absent:
            notes.append(f"Not drawn, without a finite mean: {learner_list(absent)}.")
        if np.isinf(means[drawn].to_numpy()).any():
            notes.append("Infinite means are not drawn.")
        alongside = [key for key in self.tests[0].scores.others if key in drawn]
        if alongside:
            notes.append(f"Grey, in no test: {learner_list(alongside)}.")
        return tuple(notes)

    @property
    def _means(self) -> pd.DataFrame:
        return _statistics(self.tests, "mean")


def robust_range(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the range of the values without outliers."""
    known = values[np.isfinite(values)]
    if not known.size:
        return 0.0, 1.0
    low, high = np.quantile(known, [0.25, 0.75])
    reach = FENCE * (high - low)
    near = known[(known >= low - reach) & (known <= high + reach)] if reach > 0 else known
    start, end = float(near.min()), float(near.max())
    for value in np.sort(known[known > end]):  # what is just beyond widens the range
        end = float(value) if value - end <= BEYOND * (end - start) else end
    for value in np.sort(known[known < start])[::-1]:
        start = float(value) if start - value <= BEYOND * (end - start) else start
    return start, end


def _statistics(tests: Sequence[Comparison], name: str) -> pd.DataFrame:
    """Return means or standard deviations, data sets down and learners across."""
    rows = [one.scores.means[name].to_numpy() for one in tests]
    learners = list(tests[0].scores.means.index)
    return pd.DataFrame(rows, index=[one.scores.source for one in tests], columns=learners)


def _drawn(means: pd.DataFrame) -> list[str]:
    """List the learners with a finite mean somewhere."""
    return [str(learner) for learner in means.columns if np.isfinite(means[learner]).any()]


def _points(
    ax: "Axes",
    means: pd.DataFrame,
    deviations: tuple[pd.DataFrame, pd.DataFrame],
    looks: "dict[str, Look]",
    places: dict[str, float],
) -> None:
    """Draw means with one deviation to either side, and arrows for means that are far away."""
    low, high = robust_range(means.to_numpy())
    lines = np.arange(len(means))
    ends = [low, high]
    for learner, look in looks.items():
        values = means[learner].to_numpy()
        near = (values >= low) & (values <= high)
        drawn = np.where(near, values, np.nan)
        left, right = (np.where(near, end[learner].to_numpy(), np.nan) for end in deviations)
        ax.hlines(lines + places[learner], left, right, color=look.color, linewidth=0.9, alpha=0.7)
        ax.plot(
            drawn,
            lines + places[learner],
            look.marker,
            color=look.color,
            label=learner_name(learner),
            markersize=SIZE,
        )
        ends += [float(end) for end in (*left, *right) if np.isfinite(end)]
    _far(ax, means[list(looks)], (low, high), (min(ends), max(ends)), places, looks)


def _circles(
    ax: "Axes", tests: Sequence[Comparison], scale: tuple[float, float], places: dict[str, float]
) -> None:
    """Circle the best means, as far as they are drawn to scale."""
    for line, one in enumerate(tests):
        for learner in one.best:
            mean = float(one.scores.means.loc[learner, "mean"])
            if scale[0] <= mean <= scale[1]:
                ax.plot(
                    mean, line + places[learner], "o", markersize=2.1 * SIZE, markerfacecolor="none",
                    markeredgecolor=ax.xaxis.label.get_color(), markeredgewidth=0.8,
                )  # fmt: skip


def _rows(ax: "Axes", names: list[str]) -> None:
    """Name the rows, with lines between them."""
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    ax.grid(visible=True, axis="x")
    ax.grid(visible=False, axis="y")
    for line in range(1, len(names)):
        ax.axhline(line - 0.5, color=ax.xaxis.get_gridlines()[0].get_color(), linewidth=0.6, alpha=0.5)


def _far(
    ax: "Axes",
    means: pd.DataFrame,
    scale: tuple[float, float],
    ends: tuple[float, float],
    places: dict[str, float],
    looks: "dict[str, Look]",
) -> None:
    """Set the ends of the axis, and draw each mean beyond the scale at its edge, with its value."""
    (low, high), finite = scale, means.where(np.isfinite(means))
    span = (high - low) or max(ends[1] - ends[0], 0.0) or 1.0
    sides = ((finite < low, "left", -1), (finite > high, "right", 1))
    rooms = [ROOM if beyond.to_numpy().any() else 0.03 for beyond, _, _ in sides]
    left = max(ends[0], low - SPREAD * span) - rooms[0] * span
    right = min(ends[1], high + SPREAD * span) + rooms[1] * span
    ax.set_xlim(left, right)
    for beyond, side, sign in sides:
        edge = left + 0.05 * span if sign < 0 else right - 0.05 * span
        for line, (_, row) in enumerate(finite.iterrows()):
            far = [str(learner) for learner in means.columns if beyond.iloc[line][learner]]
            heights = _apart([places[learner] for learner in far], len(places))
            for learner, height in zip(far, heights, strict=True):
                _edge_mark(ax, (edge, line + height), side, sign, looks[learner], f"{row[learner]:.3g}")


def _edge_mark(ax: "Axes", at: tuple[float, float], side: str, sign: int, look: "Look", value: str) -> None:
    """Draw a learner's marker with an arrow outward, and the value inward."""
    ax.plot(*at, look.marker, color=look.color, markersize=SIZE)
    ax.annotate(
        "", at, (sign * 7, 0), textcoords="offset points",
        arrowprops={"arrowstyle": "<-", "color": look.color, "linewidth": 0.9, "shrinkA": 0, "shrinkB": 0},
    )  # fmt: skip
    ax.annotate(
        value.replace("-", "\u2212"), at, (-sign * 4, 0), textcoords="offset points",
        ha=side, va="center", fontsize=LABEL,
    )  # fmt: skip


def _apart(heights: Sequence[float], n_learners: int) -> list[float]:
    """Move heights on a line apart, so that labels do not touch."""
    least = 1.1 * LABEL / (72 * (LINE + EACH * n_learners))  # a line is 1 high
    moved = list(np.array(sorted(heights)))
    for i in range(1, len(moved)):
        moved[i] = max(moved[i], moved[i - 1] + least)
    shift = (sum(heights) - sum(moved)) / max(len(moved), 1)
    return [float(height + shift) for height in moved]
