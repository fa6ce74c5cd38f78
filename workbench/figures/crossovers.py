"""The leader of each pair of learners by size, and the sizes at which they change their order."""

from itertools import pairwise
from typing import TYPE_CHECKING, Self

import numpy as np

from workbench.analyses import Crossovers, PairedScores
from workbench.base.names import learner_name
from workbench.figures._shared.base import HEIGHT
from workbench.figures._shared.experiment_display import ExperimentDisplay, not_compared
from workbench.figures._shared.sizes_axis import SizesAxis
from workbench.figures._shared.style import Look, legend_below, looks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from workbench.comparisons import SignChanges
    from workbench.store.results import StudyResults

__all__ = ["CrossoversDisplay"]

FRAME, ROW, LINE = 1.5, 0.3, 0.16  # inches: everything above and below the rows; a row; its second line
LONG = 24  # letters of a pair that need two lines
THICK = 0.42  # of a row
FAINT = 0.3  # opacity where the leader is not decided
MOST_NAMES = 6  # of sizes on the axis


class CrossoversDisplay(ExperimentDisplay):
    """The better learner of each pair at each size, as one bar per pair in the colors of the learners.

    Look for bars of two colors. There, the better learner depends on the number of training rows. The marker
    is the crossover, and the line is its interval. On faint sections of a bar the learners do not differ
    significantly.

    Parameters
    ----------
    crossovers : Crossovers
        The crossovers to show.

    Examples
    --------
    >>> from generators import random_tan
    >>> from learners import NaiveBayesClassifier, TANClassifier
    >>> from workbench import compare
    >>> learners = {"nb": NaiveBayesClassifier(), "tan": TANClassifier()}
    >>> truths = [random_tan(n_attributes=3, random_state=seed) for seed in range(3)]
    >>> display = compare(learners, on=truths, sizes=(50, 500), n_test=100).plot("crossovers")
    >>> display.ax_.get_xlabel()
    'training rows'
    """

    key = "crossovers"
    title = "Crossovers"

    def __init__(self, crossovers: Crossovers) -> None:
        self.crossovers = crossovers

    @classmethod
    def of(cls, experiment: PairedScores, results: "StudyResults") -> Self:
        """Make the figure from an experiment."""
        return cls(Crossovers.of(experiment))

    @property
    def height(self) -> float:
        """Height in inches, with room for the bar and the names of each pair."""
        names = self._names()
        return max(HEIGHT, FRAME + ROW * len(names) + LINE * sum("\n" in name for name in names))

    def draw(self, ax: "Axes") -> None:
        """Draw the figure on given axes."""
        experiment = self.crossovers.experiment
        look = looks(experiment.learners)
        axis = SizesAxis(experiment.sizes)
        axis.label(ax)
        low, high = ax.get_xlim()
        for row, (pair, found) in enumerate(self.crossovers.pairs.items()):
            self._stretches(ax, row, axis, found, (look[pair[0]], look[pair[1]]), (low, high))
            self._marks(ax, row, found, (low, high))
        for key, own in look.items():
            ax.plot([], [], linestyle="none", marker="s", color=own.color, label=learner_name(key))
        _name_sizes(ax, axis)
        names = self._names()
        ax.set_yticks(range(len(names)), names)
        ax.set_ylim(len(names) - 0.4, -0.6)
        ax.grid(visible=False)
        ax.set_ylabel(f"leader by {experiment.score.name} [{experiment.unit}]")
        ax.set_title(experiment.kind)
        legend_below(ax, side="right")

    @property
    def caption(self) -> str:
        """What the figure shows, in full sentences."""
        experiment = self.crossovers.experiment
        n_sizes = len(experiment.sizes)
        sizes = "sizes" if n_sizes > 1 else "size"
        words = [
            f"The learner of each pair with the better mean {experiment.score.words}, on the same "
            f"{len(experiment.blocks)} truths at {n_sizes} {sizes}, interpolated linearly in log size. "
            "Faint: no significant difference (Holm's correction over the sizes). Circles: sizes at which "
            "the leader changes, with 95% intervals (bootstrap over truths). A circle is open where the "
            "leader on one side is not significant."
        ]
        changing = [
            sentence
            for sentence, found in zip(self.crossovers.sentences, self.crossovers.pairs.values(), strict=True)
            if found.crossovers
        ]
        return " ".join([*words, *not_compared(experiment), *changing])

    def _names(self) -> list[str]:
        pairs = [(learner_name(a), learner_name(b)) for a, b in self.crossovers.pairs]
        between = "\n" if max(len(a) + len(b) for a, b in pairs) > LONG else " "
        return [f"{a},{between}{b}" for a, b in pairs]

    @staticmethod
    def _stretches(
        ax: "Axes",
        row: int,
        axis: SizesAxis,
        found: "SignChanges",
        pair: tuple[Look, Look],
        limits: tuple[float, float],
    ) -> None:
        """Draw the bar of one pair: each size determines it up to the midpoints to its neighbors."""
        middles = (axis.places[1:] + axis.places[:-1]) / 2
        edges = np.concatenate([[limits[0]], middles, [limits[1]]])
        turns = [(float(np.log10(one.size)), one.after) for one in found.crossovers]
        for j, (start, end) in enumerate(pairwise(edges)):
            cuts = [start, *[x for x, _ in turns if start < x < end], end]
            for left, right in pairwise(cuts):
                sign = _sign_at((left + right) / 2, turns, found)
                look = pair[0] if sign > 0 else pair[1]
                ax.barh(
                    row, right - left, left=left, height=THICK, color=look.color, linewidth=0,
                    alpha=1.0 if found.decided[j] and sign == found.signs[j] else FAINT,
                )  # fmt: skip

    @staticmethod
    def _marks(ax: "Axes", row: int, found: "SignChanges", limits: tuple[float, float]) -> None:
        color = ax.xaxis.label.get_color()
        for one in found.crossovers:
            ends = [
                np.log10(end) if 0 < end < np.inf else limits[int(end > 0)] for end in (one.low, one.high)
            ]
            ax.plot(ends, [row, row], color=color, linewidth=1.4, solid_capstyle="butt")
            ax.plot(
                [np.log10(one.size)], [row], marker="o", color=color,
                markerfacecolor=color if one.decided else "white",
            )  # fmt: skip


def _sign_at(x: float, turns: list[tuple[float, int]], found: "SignChanges") -> int:
    """Return the leader at a place: the last to take over, otherwise the initial leader."""
    before = [after for place, after in turns if place <= x]
    if before:
        return before[-1]
    if turns:
        return -turns[0][1]
    decided = [sign for sign, sure in zip(found.signs, found.decided, strict=True) if sure]
    return (decided or [sign for sign in found.signs if sign] or [1])[0]


def _name_sizes(ax: "Axes", axis: SizesAxis) -> None:
    """Label as many sizes as fit without overlap. The others have only a tick."""
    low, high = ax.get_xlim()
    least = (high - low) / MOST_NAMES
    shown: list[float] = []
    for place in axis.places:
        if not shown or place - shown[-1] >= least:
            shown.append(float(place))
    names = {float(p): str(size) for p, size in zip(axis.places, axis.sizes, strict=True)}
    ax.set_xticks(axis.places, [names[float(p)] if float(p) in shown else "" for p in axis.places])
