"""Mean ranks of learners on one axis, with bars over those that do not differ significantly."""

from typing import TYPE_CHECKING, Self

from workbench.analyses import Ranks
from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_name
from workbench.base.text import p_words
from workbench.comparisons import FriedmanTest
from workbench.figures._shared.base import Display
from workbench.figures._shared.style import SERIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["CriticalDifferenceDisplay"]

FRAME, ROW = 1.4, 0.21  # inches: everything above and below the rows; one row
LEVEL = 0.55  # rows from one bar to the next
LONG = 16  # letters of a name that leaves little room for the axis
LINE, FINEST, CROWD = 0.9, 0.4, 20  # points of a line; the least; learners from which on lines are finer
BEYOND = 0.012  # overhang of a bar beyond its learners, as a share of the axis


class CriticalDifferenceDisplay(Display):
    """Mean ranks of learners, with bars over learners that do not differ significantly by Nemenyi's test.

    Look for learners without a common bar. Their mean ranks differ by at least the critical difference. A
    line at the bottom shows the length of this difference.

    Parameters
    ----------
    test : FriedmanTest
        The ranks and their test.
    score : str
        The score by which learners are ranked, in words.
    over : str
        What learners are ranked on, in the plural, such as "data sets".
    at : str
        The setting in words, such as "at 500 rows".

    Examples
    --------
    >>> from workbench.comparisons import friedman
    >>> scores = [[0.9, 0.7, 0.6], [0.8, 0.6, 0.7], [0.9, 0.5, 0.6], [0.6, 0.4, 0.5]]
    >>> test = friedman(scores, learners=["TAN", "NB", "prior"])
    >>> display = CriticalDifferenceDisplay(test, score="accuracy", over="data sets")
    >>> display.caption.split(". ")[0]
    'Mean ranks of 3 learners by accuracy over 4 data sets'
    """

    key = "critical_difference"
    title = "Critical differences of ranks"

    def __init__(
        self, test: FriedmanTest, *, score: str = "score", over: str = "data sets", at: str = ""
    ) -> None:
        self.test = test
        self.score = score
        self.over = over
        self.at = at

    @classmethod
    def from_ranks(cls, ranks: Ranks, *, n_train: int | None = None) -> Self:
        """Make the figure from the ranks of a study at one size.

        Parameters
        ----------
        ranks : Ranks
            The ranks of the study.
        n_train : int, optional
            The training size. Optional if there is only one, and not used on data sets.

        Returns
        -------
        CriticalDifferenceDisplay

        Raises
        ------
        WorkbenchError
            If there is no such size, or if there are several sizes and none is named.
        """
        size = next(iter(ranks.tests)) if n_train is None and len(ranks.tests) == 1 else n_train
        if size not in ranks.tests:
            raise WorkbenchError(f"n_train is {n_train!r}: name one of {', '.join(map(str, ranks.tests))}")
        at = "" if size is None else f"at {size} rows"
        return cls(ranks.tests[size], score=ranks.score.name, over=ranks.over, at=at)

    @property
    def height(self) -> float:
        """Height in inches, with a row for each learner and each level of bars."""
        return FRAME + ROW * self._bottom

    def draw(self, ax: "Axes") -> None:
        """Draw the figure on given axes."""
        table, line = self.test.table(), ax.xaxis.label.get_color()
        n_ranks, top = len(table), self._first_row
        wide = max(n_ranks, 1 + self.test.critical_difference)
        left = 1 - 0.03 * (wide - 1)
        fine = max(FINEST, LINE * min(1.0, CROWD / n_ranks))
        for i, rank in enumerate(table["rank"]):
            ax.plot([rank, rank, left], [0.0, top + i, top + i], color=line, linewidth=fine)
        for (low, high), level in zip(self._spans, self._levels, strict=True):
            reach, y = BEYOND * (wide - 1), LEVEL * (level + 1)
            ax.plot(
                [low - reach, high + reach], [y, y], color=SERIES[0], linewidth=3.6, solid_capstyle="butt"
            )
        self._draw_ruler(ax, line)
        ax.set_yticks(
            [top + i for i in range(n_ranks)],
            [
                f"{learner_name(key)}  {rank:.2f}"
                for key, rank in zip(table["learner"], table["rank"], strict=True)
            ],
        )
        ax.set_ylim(self._bottom, 0.0)
        ax.set_xlim(left, wide + 0.03 * (wide - 1))
        self._draw_axis(ax)

    @property
    def caption(self) -> str:
        """What the figure shows, in full sentences."""
        test = self.test
        at = f" {self.at}" if self.at else ""
        bars = (
            f"Bars join learners that do not differ significantly by Nemenyi's test at {test.alpha:.0%}: "
            f"their mean ranks differ by less than the critical difference of {test.critical_difference:.2f}."
            if test.groups
            else f"All differ by more than the critical difference of {test.critical_difference:.2f} "
            f"(Nemenyi's test at {test.alpha:.0%})."
        )
        return (
            f"Mean ranks of {len(test.learners)} learners by {self.score} over {test.n_datasets} {self.over}"
            f"{at}. {test.direction.capitalize()} {self.score} is better, and rank 1 is the best. {bars} "
            f"Test of equal ranks: Friedman's chi-squared {test.chi2:.2f}, {p_words(test.p)}, and Iman and "
            f"Davenport's F {test.F:.2f}, {p_words(test.p_F)}."
        )

    @property
    def _spans(self) -> list[tuple[float, float]]:
        """The ranks at both ends of each bar."""
        rank = dict(zip(self.test.learners, self.test.ranks, strict=True))
        return [(rank[group[0]], rank[group[-1]]) for group in self.test.groups]

    @property
    def _levels(self) -> list[int]:
        """The level of each bar, such that none touches another."""
        gap = 0.04 * len(self.test.learners)
        ends: list[float] = []
        levels = []
        for low, high in self._spans:
            level = next((i for i, end in enumerate(ends) if end + gap < low), len(ends))
            ends[level : level + 1] = [high]
            levels.append(level)
        return levels

    @property
    def _first_row(self) -> float:
        """The row of the first learner, below the bars."""
        return LEVEL * (max(self._levels, default=-1) + 1) + 1.0

    @property
    def _bottom(self) -> float:
        return self._first_row + len(self.test.learners) + 1.5

    def _draw_ruler(self, ax: "Axes", color: object) -> None:
        """Draw the critical difference below the learners, where there are no lines."""
        y, end = self._bottom - 0.4, 1 + self.test.critical_difference
        ax.plot([1, end], [y, y], color=SERIES[1], linewidth=1.6, marker="|", markersize=7)
        words = f"critical difference {self.test.critical_difference:.2f}"
        ax.text(1, y - 0.45, words, ha="left", va="bottom", color=color)

    def _draw_axis(self, ax: "Axes") -> None:
        """Put the axis of ranks on top."""
        from workbench.figures._shared.rank_ticks import RankTicks

        n_ranks = len(self.test.learners)
        ax.xaxis.set_ticks_position("top")
        ax.xaxis.set_label_position("top")
        ax.xaxis.set_major_locator(RankTicks(n_ranks))
        ax.set_xticks(range(1, n_ranks + 1), minor=True)
        for side in ("left", "bottom", "right"):
            ax.spines[side].set_visible(False)
        ax.spines["top"].set_visible(True)
        ax.spines["top"].set_bounds(1, n_ranks)
        ax.tick_params(axis="y", length=0)
        ax.grid(visible=False)
        ax.set_xlabel("mean rank, 1 is best")
        lines = [
            f"{self.score}, {self.test.direction} is better",
            f"{self.test.n_datasets} {self.over}",
            self.at,
        ]
        # With long names the axis is short, so the title extends to the left.
        long = max(len(learner_name(key)) for key in self.test.learners) > LONG
        ax.set_title("\n".join(filter(None, lines)), loc="right" if long else "left")
