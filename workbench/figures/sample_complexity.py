"""Training sizes that learners need for shares of the ceiling."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from workbench.analyses import PairedScores, SampleComplexity
from workbench.analyses.sample_complexity import CEILINGS
from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_name, source_name
from workbench.base.score_key import ScoreKey
from workbench.comparisons import FARTHEST_SIZES
from workbench.figures._shared.base import HEIGHT
from workbench.figures._shared.study_display import StudyDisplay
from workbench.figures._shared.style import GREY, MARKERS, MUTED, ORDERED, legend_below

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from workbench.store.results import StudyResults

__all__ = ["SampleComplexityDisplay"]

FRAME, ROW = 1.3, 0.24  # inches: everything above and below the rows; a row
APART = 0.3  # of a row, between the shares of a learner
FEWEST_SIZES = 3  # least number of sizes for a report
MOST_ROWS = 32  # rows of one figure of a report, to fit a printed page
THICK = 4.5  # points: the bar of an answer known to lie between two sizes
ROOM = 1.6  # factor by which the axis extends beyond the largest and smallest sizes


class SampleComplexityDisplay(StudyDisplay):
    """Training size at which each learner of each source reaches a share of the truth's or optimum's score.

    Look at the distance between the markers of a learner. Also look for arrows: they mark shares that are not
    reached with the rows of this study.

    Parameters
    ----------
    complexity : SampleComplexity
        The sizes to show.
    source : str, optional
        The only source to show. By default all sources.
    """

    key = "sample_complexity"
    draws = ("truths",)
    title = "Training rows needed"

    def __init__(self, complexity: SampleComplexity, *, source: str | None = None) -> None:
        self.complexity = complexity if source is None else _part(complexity, source)
        self.source = source

    @classmethod
    def from_results(
        cls,
        results: "StudyResults",
        *,
        source: str | None = None,
        score: ScoreKey | str | None = None,
        learners: Sequence[str] | None = None,
    ) -> Self:
        """Make the figure from the results of a study."""
        return cls(
            SampleComplexity.of_results(
                results,
                score=score,
                learners=learners,
                source=source,
            )
        )

    @classmethod
    def reported(cls, results: "StudyResults", experiments: Sequence[PairedScores]) -> "Iterator[Self | str]":
        """Return one display, or one display per source if a single display would be longer than a page.

        The study needs the truth among its learners, and three sizes. With two sizes every result would be a
        guess.
        """
        asked = [
            one for one in experiments
            if one.truth is not None and len(one.blocks) > 1 and len(one.sizes) >= FEWEST_SIZES
        ]  # fmt: skip
        if not asked:
            return
        try:
            complexity = SampleComplexity.of(asked)
        except WorkbenchError as error:
            yield f"The training rows needed are not drawn: {error}."
            return
        if sum(len(one.learners) for one in asked) <= MOST_ROWS or len(asked) == 1:
            yield cls(complexity)
        else:
            yield from (cls(complexity, source=one.source) for one in asked)

    @property
    def height(self) -> float:
        """Height in inches, with a row for each learner and source, and for the names of several sources."""
        return max(HEIGHT, FRAME + ROW * (max(self._places().values()) + 1))

    def draw(self, ax: "Axes") -> None:
        """Draw the figure on given axes."""
        places = self._places()
        sizes = sorted({size for one in self.complexity.experiments for size in one.sizes})
        low, high = sizes[0] / ROOM, sizes[-1] * ROOM
        ax.set_xscale("log")
        ax.set_xlim(low, high)
        for size in (sizes[0], sizes[-1]):
            ax.axvline(size, color=GREY, linewidth=0.8, linestyle=(0, (4, 2)))
        shares = sorted(set(self.complexity.table["share"]))
        for i, share in enumerate(shares):
            color, marker = ORDERED[-1 - i % len(ORDERED)], MARKERS[i % len(MARKERS)]
            shift = APART * (i / max(1, len(shares) - 1) - 0.5) if len(shares) > 1 else 0.0
            style = {"color": color, "marker": marker, "linestyle": "none"}
            self._draw_share(ax, share, shift, style)
        self._names(ax, places)
        ticks = [size for size in (10**k * m for k in range(9) for m in (1, 2, 5)) if low <= size <= high]
        ticks = ticks if len(ticks) <= 7 else [size for size in ticks if str(size)[0] == "1"]
        ax.set_xticks(ticks, [str(size) for size in ticks])
        ax.set_xticks([], minor=True)
        ax.grid(visible=True, axis="x")
        ax.grid(visible=False, axis="y")
        ax.set_xlabel("training rows needed")
        ax.set_title(f"by {self._score.name}" if self.source is None else self.kind)
        legend_below(ax, side="right")

    def _draw_share(self, ax: "Axes", share: float, shift: float, style: dict[str, Any]) -> None:
        """Draw the sizes needed for one share: markers, arrows, and bars between two sizes."""
        places, (low, high) = self._places(), ax.get_xlim()
        markers, arrows = [], []
        for (source, learner, own), one in self.complexity.needed.items():
            if own != share:
                continue
            y, color = places[source, learner] + shift, style["color"]
            ax.hlines(y, *np.clip((one.low, one.high), low, high), color=color, linewidth=1.3)
            if one.is_interval:
                ax.hlines(y, one.left, one.right, color=color, linewidth=THICK, alpha=0.5)
            elif np.isfinite(one.size):
                markers.append((one.size, y))
            else:
                arrows.append((high, y))
        ax.plot(*np.reshape(markers, (-1, 2)).T, label=f"{share:.0%}", **style)
        ax.plot(*np.reshape(arrows, (-1, 2)).T, **{**style, "marker": ">"}, clip_on=False)

    @property
    def caption(self) -> str:
        """What the figure shows, in full sentences."""
        shares = " and ".join(f"{share:.0%}" for share in sorted(set(self.complexity.table["share"])))
        sizes = sorted({size for one in self.complexity.experiments for size in one.sizes})
        ceiling = CEILINGS[self.complexity.ceiling]
        return (
            f"Training rows with which a learner's mean {self._score.words} reaches {shares} of the way from "
            f"{learner_name(self.complexity.floor)} to {ceiling}, interpolated linearly in log size. "
            "Lines: 95% intervals (bootstrap over truths). "
            f"{self._coarse}Arrows: not reached with {sizes[-1]} rows. Marker at the left dashed line: "
            f"{sizes[0]} rows or fewer."
        )

    @property
    def _coarse(self) -> str:
        """Explain bars and long intervals, if there are any."""
        if not self.complexity.is_coarse:
            return ""
        return (
            f"Between sizes more than {FARTHEST_SIZES:.0f} times apart there is no interpolation: intervals "
            "reach to both sizes, and a bar without a marker means that the size lies between them. "
        )

    @property
    def _score(self) -> "ScoreKey":
        return self.complexity.experiments[0].score

    def _places(self) -> dict[tuple[str, str], int]:
        """Return the row of each source and learner. Several sources have a row for their name."""
        places, row = {}, 0
        several = len(self.complexity.experiments) > 1
        for experiment in self.complexity.experiments:
            row += several
            for learner in experiment.learners:
                places[experiment.source, learner] = row
                row += 1
        return places

    def _names(self, ax: "Axes", places: dict[tuple[str, str], int]) -> None:
        rows = {row: learner_name(learner) for (_, learner), row in places.items()}
        heads = {
            places[one.source, one.learners[0]] - 1: source_name(one.source)
            for one in self.complexity.experiments
        }
        heads.pop(-1, None)  # a single source needs no name
        for row in heads:
            ax.axhline(row - 0.5, color=MUTED, linewidth=0.8)
        named = sorted({**rows, **heads}.items())
        ax.set_yticks([row for row, _ in named], [name for _, name in named])
        for (row, _), label, tick in zip(
            named, ax.get_yticklabels(), ax.yaxis.get_major_ticks(), strict=True
        ):
            if row in heads:
                label.set_fontweight("bold")
                tick.tick1line.set_visible(False)
        ax.set_ylim(max(rows) + 0.7, -0.7)


def _part(complexity: SampleComplexity, source: str) -> SampleComplexity:
    return replace(
        complexity,
        experiments=tuple(one for one in complexity.experiments if one.source == source),
        needed={place: one for place, one in complexity.needed.items() if place[0] == source},
    )
