"""The best learner for each kind of truth and training size, as tiles."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

import numpy as np

from workbench.analyses import BestMap
from workbench.base.names import learner_list, learner_name, source_name
from workbench.base.score_key import ScoreKey
from workbench.figures._shared.base import HEIGHT, WIDTH
from workbench.figures._shared.study_display import StudyDisplay
from workbench.figures._shared.style import MUTED, legend_below, looks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from workbench.store.results import StudyResults

__all__ = ["BestMapDisplay"]

SURE, LIKELY = 0.95, 0.75  # probabilities from which a tile has full and half color
SHADES = {"sure": 0.9, "likely": 0.5, "open": 0.2}  # share of the color of the best, the rest is white
HATCH = "////"
FRAME, ROW = 1.4, 0.55  # inches: everything above and below the tiles; a row of tiles
TILE, AROUND = 0.68, 1.2  # inches: the least width of a tile; everything to the sides of the tiles
SMALLEST, LARGEST = 5.5, 9.0  # font size in tiles, in points
LETTER = 0.7  # width of a letter, as a share of its points
TITLE = 13  # letters of the title that an inch has room for
DARKER = 0.6  # hatch for a color that an earlier learner has, too


class BestMapDisplay(StudyDisplay):
    """Map of the most probable best learner and its probability, with one tile per source and size.

    Look for hatched or faint tiles. There, the study does not decide which learner is best. Each learner has
    the same color in all figures. From the seventh learner on, colors are darker. The name and the number in
    a tile give the same information without colors.

    Parameters
    ----------
    best : BestMap
        The probabilities to show.

    Examples
    --------
    >>> from generators import random_tan
    >>> from learners import NaiveBayesClassifier, TANClassifier
    >>> from workbench import compare
    >>> learners = {"nb": NaiveBayesClassifier(), "tan": TANClassifier()}
    >>> truths = [random_tan(n_attributes=3, random_state=seed) for seed in range(3)]
    >>> results = compare(learners, on=truths, sizes=(50, 500), n_test=100)
    >>> BestMapDisplay.from_results(results).plot().ax_.get_xlabel()
    'training rows'
    """

    key = "best_map"
    draws = ("truths",)
    title = "The best learner"

    def __init__(self, best: BestMap) -> None:
        self.best = best

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
            BestMap.of_results(
                results,
                score=score,
                learners=learners,
                source=source,
            )
        )

    @property
    def width(self) -> float:
        """Width in inches, with a column of tiles for each size."""
        return max(WIDTH, AROUND + TILE * len(self._sizes))

    @property
    def height(self) -> float:
        """Height in inches, with a row of tiles for each source."""
        return max(HEIGHT, FRAME + ROW * len(self.best.experiments))

    def draw(self, ax: "Axes") -> None:
        """Draw the figure on given axes."""
        from matplotlib.patches import Rectangle

        sizes = self._sizes
        sources = [one.source for one in self.best.experiments]
        colors = _colors(self.best.learners)
        # Width of a tile in letters of one point.
        letters = 72 * 0.96 * (self.width - AROUND) / len(sizes) / LETTER
        longest = max(
            5, *(len(part) for key in self.best.table["best"] for part in _halves(learner_name(key)))
        )
        points = float(np.clip(letters / longest, SMALLEST, LARGEST))
        for tile in self.best.table.itertuples():
            x, y = sizes.index(tile.n_train), sources.index(tile.source)
            p = round(tile.p_best, 2)  # as the tile has it
            how = "sure" if p >= SURE else "likely" if p >= LIKELY else "open"
            color = _mixed(colors[tile.best], SHADES[how])
            place, form = (x - 0.48, y - 0.46), (0.96, 0.92)
            ax.add_patch(Rectangle(place, *form, color=color, linewidth=0))
            if how == "open":
                ax.add_patch(Rectangle(place, *form, fill=False, hatch=HATCH, edgecolor=MUTED, linewidth=0))
            percent = "> 99%" if tile.p_best > 0.99 else f"{tile.p_best:.0%}"  # never 100%
            words = f"{_name(learner_name(tile.best), int(letters / points))}\n{percent}"
            # These letters are on tiles and not on the page, so they have a separate id.
            ax.text(x, y, words, fontsize=points, color="white" if _is_dark(color) else "black",
                    ha="center", va="center", gid=f"tile_{x}_{y}")  # fmt: skip
        for key in dict.fromkeys(self.best.table["best"]):
            ax.plot([], [], linestyle="none", marker="s", color=colors[key], label=learner_name(key))
        ax.set_xticks(range(len(sizes)), [str(size) for size in sizes])
        ax.set_yticks(range(len(sources)), list(map(source_name, sources)))
        ax.set_xlim(-0.5, len(sizes) - 0.5)
        ax.set_ylim(len(sources) - 0.5, -0.5)
        ax.grid(visible=False)
        ax.set_xlabel("training rows")
        letters = int(TITLE * (self.width - AROUND))
        ax.set_title(
            textwrap.fill(f"best by {self.best.experiments[0].score.words}, and its probability", letters)
        )
        legend_below(ax, side="right")

    @property
    def _sizes(self) -> list[int]:
        return sorted({size for one in self.best.experiments for size in one.sizes})

    @property
    def caption(self) -> str:
        """What the figure shows, in full sentences."""
        first = self.best.experiments[0]
        counts = {len(one.blocks) for one in self.best.experiments}
        n = f"{min(counts)}" if len(counts) == 1 else f"{min(counts)} to {max(counts)}"
        others = [one for one in self.best.experiments if one.score.rows != first.score.rows]
        apart = (
            f" {', '.join(source_name(one.source) for one in others)}: on {others[0].score.rows} rows."
            if others
            else ""
        )
        return (
            f"The learner that most probably has the best mean {self.best.experiments[0].score.words} among "
            f"{learner_list(self.best.learners)}, and this probability. It is computed by the Bayesian "
            f"bootstrap over {n} truths of each kind, with the width of Student's t. All learners have the "
            f"same truths. Color is full from {SURE:.0%} on, half from {LIKELY:.0%} on, hatched below.{apart}"
        )


def _halves(name: str) -> tuple[str, ...]:
    """Break a name of several words near its middle."""
    ends = [i + 1 for i, letter in enumerate(name) if letter in "_ -" and 0 < i < len(name) - 1]
    if not ends:
        return (name,)
    middle = min(ends, key=lambda end: abs(end - len(name) / 2))
    return name[:middle], name[middle:]


def _name(name: str, room: int) -> str:
    """Write a name that is too long for its tile on two lines, truncated if necessary."""
    parts = (name,) if len(name) <= room else _halves(name)
    return "\n".join(one if len(one) <= room else f"{one[: max(1, room - 1)]}…" for one in parts)


def _colors(learners: Sequence[str]) -> dict[str, str]:
    """Return distinct colors of learners, as far as there are enough."""
    found: dict[str, str] = {}
    for key, look in looks(learners).items():
        darker = look.color in found.values()
        found[key] = _mixed(look.color, DARKER, with_="black") if darker else look.color
    return found


def _mixed(color: str, share: float, *, with_: str = "white") -> str:
    """Mix a color with another, by its share, so that tiles are opaque."""
    from matplotlib.colors import to_hex, to_rgb

    red, green, blue = share * np.array(to_rgb(color)) + (1 - share) * np.array(to_rgb(with_))
    return to_hex((red, green, blue))


def _is_dark(color: str) -> bool:
    """Return whether white letters are easier to read on a color than black ones."""
    from matplotlib.colors import to_rgb

    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear)) < 0.179
