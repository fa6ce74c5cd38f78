"""The loss of learners relative to the truth as bars: irreducible loss and regret."""

import textwrap
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Self

import numpy as np

from workbench.analyses import PairedScores, Regret
from workbench.analyses._shared.subjects import truths_of
from workbench.base.errors import WorkbenchError, check_known
from workbench.base.names import learner_name
from workbench.base.score_key import ScoreKey
from workbench.figures._shared.base import HEIGHT, WIDTH
from workbench.figures._shared.study_display import StudyDisplay
from workbench.figures._shared.style import GREY, MUTED, SERIES, legend_below

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from workbench.store.results import StudyResults

__all__ = ["RegretDisplay"]

#: The parts of a bar: what they are, and their colors.
PARTS = {
    "irreducible": ("irreducible", GREY),
    "structure_regret": ("structure regret", SERIES[5]),
    "learner_regret": ("learner regret", SERIES[1]),
    "regret": ("regret", SERIES[3]),  # where only other truths have the mix
}
UNSPLIT = "no optimum: not split"
BELOW_ZERO = ("learner_regret", "regret")  # parts whose outlines are in the legend
HATCH = "////"
MOST_COLUMNS = 4  # panels side by side
WIDE, AROUND = 8.0, 1.0  # inches: three and more panels side by side; everything to the sides of the panels
APART, ABOVE = 0.28, 0.5  # inches: between panels side by side; between panels, for ticks, without the title
FRAME, ROW, LINE = 1.2, 0.19, 0.17  # inches: everything above and below the panels; a bar; a line of a title
BAR, GAP = 0.72, 0.35  # of a row: the thickness of a bar; between the groups of two sizes
TALLEST = 9.0  # inches: higher figures of a report are drawn source by source, to fit a printed page
VISIBLE = 0.004  # of the axis: shorter parts are too short for an outline
LETTERS = 13  # letters of a title that an inch has room for


class RegretDisplay(StudyDisplay):
    """Loss of each learner relative to the truth, as a bar with its components, by size and kind of truth.

    Look at the last component of a bar, which a better learner could avoid, and at its line. The regret is
    significant only if the line stays to the right of the grey component. The grey component is the same for
    all learners of a panel and size.

    Parameters
    ----------
    regret : Regret
        The losses to show.
    source : str, optional
        The only source to show. The axis has the limits for all sources. By default all sources are shown.

    Raises
    ------
    WorkbenchError
        If there is no such source.
    """

    key = "regret"
    draws = ("truths",)
    title = "Distance from the optimum"

    def __init__(self, regret: Regret, *, source: str | None = None) -> None:
        known = [one.source for one in regret.experiments]
        check_known("source", () if source is None else (source,), known)
        self.regret = regret
        self.source = source
        self._sources = known if source is None else [source]

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
        return cls(Regret.of_results(results, score=score, learners=learners, source=source))

    @classmethod
    def reported(cls, results: "StudyResults", experiments: Sequence[PairedScores]) -> "Iterator[Self | str]":
        """Return one display, or one display per source if a single display would be longer than a page.

        The study needs the optimum among its learners.
        """
        if not results.study.with_role("optimal"):
            return
        try:
            regret = Regret.of_results(results, score=experiments[0].score if experiments else None)
        except WorkbenchError as error:
            yield f"The distance from the optimum is not shown: {error}."
            return
        yield from cls.pages(regret)

    @classmethod
    def pages(cls, regret: Regret) -> Iterator[Self]:
        """Return one display, or one per source if a single display would be longer than a page."""
        whole = cls(regret)
        if whole.height <= TALLEST or len(regret.experiments) == 1:
            yield whole
        else:
            yield from (cls(regret, source=one.source) for one in regret.experiments)

    @property
    def width(self) -> float:
        """Width in inches, which is twice that of other figures for three or more kinds."""
        return WIDTH if self._columns < 3 else WIDE

    @property
    def height(self) -> float:
        """Height in inches, with a bar for each learner and size, and a row of panels for every few kinds."""
        n_rows = self._n_rows
        return max(HEIGHT, FRAME + n_rows * ROW * self._places["end"] + (n_rows - 1) * self._between)

    def draw(self, ax: "Axes") -> None:
        """Draw the figure on given axes, in panels if there are several kinds."""
        titles = [textwrap.fill(truths_of(one), self._letters) for one in self._sources]
        if len(self._sources) == 1:
            self._panel(ax, self._sources[0], titles[0], named=True, labeled=True)
        else:
            ax.set_axis_off()
            columns = self._columns
            for i, source in enumerate(self._sources):
                panel = ax.inset_axes(self._box(i))
                first, last = i % columns == 0, i // columns == self._n_rows - 1
                self._panel(panel, source, titles[i], named=first, labeled=last)
        self._legend(ax)

    def _box(self, i: int) -> tuple[float, float, float, float]:
        """Return the place of a panel, as shares of the axes: left, bottom, width, height."""
        columns, n_rows = self._columns, self._n_rows
        width, high = self.width - AROUND, ROW * self._places["end"]
        whole = n_rows * high + (n_rows - 1) * self._between
        wide = (width - (columns - 1) * APART) / columns
        top = whole - (i // columns) * (high + self._between)
        return (i % columns) * (wide + APART) / width, (top - high) / whole, wide / width, high / whole

    def _panel(self, ax: "Axes", source: str, title: str, *, named: bool, labeled: bool) -> None:
        """Draw the bars of a kind, name learners and sizes, and label the axis."""
        from matplotlib.ticker import MaxNLocator

        places, (low, high) = self._places, self._limits
        ax.set_xlim(low, high)
        ax.set_ylim(places["end"] - 0.5, -0.5)
        ax.axvline(0, color=GREY, linewidth=0.8)
        for row in self._table[self._table["source"] == source].to_dict("records"):
            self._bar(ax, places[f"{row['n_train']} {row['learner']}"], row)
        for size in self._sizes[1:]:
            ax.axhline(places[str(size)] - 0.5 - GAP / 2, color=MUTED, linewidth=0.8)
        heads = {places[str(size)]: f"{size} rows" for size in self._sizes}
        names = {places[f"{size} {key}"]: learner_name(key) for size in self._sizes for key in self._learners}
        rows = dict(sorted((heads | names).items()))
        ax.set_yticks(list(rows), list(rows.values()) if named else [""] * len(rows))
        for y, label, tick in zip(rows, ax.get_yticklabels(), ax.yaxis.get_major_ticks(), strict=True):
            if y in heads:
                label.set_fontweight("bold")
                tick.tick1line.set_visible(False)
        ax.xaxis.set_major_locator(MaxNLocator(4))
        ax.grid(visible=True, axis="x")
        ax.grid(visible=False, axis="y")
        if labeled:
            first = self.regret.experiments[0]
            ax.set_xlabel(f"{first.unit} lost ({first.score.name})")
        ax.set_title(title)

    def _bar(self, ax: "Axes", y: float, row: Mapping[Hashable, float]) -> None:
        """Draw the parts of a learner's distance one after the other, and the interval of its regret."""
        # the bar ends where the learner is: a part below 0, an outline, shortens it
        from matplotlib import rcParams

        start, span = 0.0, float(np.diff(self._limits)[0])
        if np.isnan(row["regret"]):
            ax.barh(y, row["to_truth"], BAR, color="none", edgecolor=GREY, hatch=HATCH, linewidth=0.8)
            return
        parts = _widths(row)
        end = sum(parts.values())
        for part, wide in parts.items():
            color, solid = PARTS[part][1], min(start + wide, end) - start
            if solid > 0:
                ax.barh(y, solid, BAR, left=start, color=color, linewidth=0)
            elif wide < -VISIBLE * span:
                ax.barh(y, wide, BAR, left=start, color="none", edgecolor=color, linewidth=1.0, zorder=3)
            start += wide
        if not np.isnan(row["low"]):
            shift = end - row["regret"]
            ax.hlines(y, row["low"] + shift, row["high"] + shift, color=rcParams["text.color"], linewidth=1.1,
                      zorder=4)  # fmt: skip

    def _legend(self, ax: "Axes") -> None:
        """Name the parts that occur."""
        from matplotlib.patches import Rectangle

        split = self._table["regret"].notna()
        drawn = {part for row in self._table[split].to_dict("records") for part in _widths(row)}
        for part, (words, color) in PARTS.items():
            if part in drawn:
                ax.add_patch(Rectangle((0, 0), 0, 0, color=color, linewidth=0, label=words))
        if not split.all():
            ax.add_patch(
                Rectangle((0, 0), 0, 0, label=UNSPLIT, fill=False, edgecolor=GREY, hatch=HATCH, linewidth=0.8)
            )
        for words, color in (PARTS[part] for part in BELOW_ZERO if self._has_outline(part)):
            label = f"{words}, below 0"
            ax.add_patch(Rectangle((0, 0), 0, 0, label=label, fill=False, edgecolor=color, linewidth=1.0))
        legend_below(ax, side="right" if len(self._sources) == 1 else "center")

    @property
    def caption(self) -> str:
        """What the figure shows, in full sentences."""
        first = self.regret.experiments[0]
        table = self._table
        n = (
            f"{table['n'].min()}"
            if table["n"].nunique() == 1
            else f"{table['n'].min()} to {table['n'].max()}"
        )
        from_truth = table["to_truth"].notna().any()
        words = [
            f"Mean {first.score.words} lost to the {'truth' if from_truth else 'optimum'}, over {n} truths "
            "of each kind, the same for all learners."
        ]
        if table["irreducible"].notna().any():
            words.append(
                "Grey: the irreducible part, which the optimum with the same training rows also loses."
            )
        if table["structure_regret"].notna().any():
            words.append("Blue: the cost of not knowing the kind of truth.")
        if table["regret"].notna().any():
            words.append(
                "Lines: 95% intervals of the regret, the distance to the optimum, simultaneous for each kind "
                "(Bonferroni), drawn at the end of the bar."
            )
        if any(map(self._has_outline, PARTS)):
            words.append("Outlines: parts below 0, by which a bar gets shorter.")
        if (table["n_mix"].between(1, table["n"] - 1)).any():
            words.append(
                "Where only some truths have a score of the optimum of the mixture, blue is a mean over "
                "these truths."
            )
        return " ".join(words)

    def _has_outline(self, part: str) -> bool:
        """Whether a part is so far below 0 anywhere that its outline is drawn."""
        span = float(np.diff(self._limits)[0])
        return any(_widths(row).get(part, 0.0) < -VISIBLE * span for row in self._table.to_dict("records"))

    @property
    def _table(self) -> "pd.DataFrame":
        """The rows that are drawn."""
        table = self.regret.table
        return table[table["source"].isin(self._sources)]

    @property
    def _sizes(self) -> list[int]:
        return sorted({int(size) for size in self._table["n_train"]})

    @property
    def _learners(self) -> list[str]:
        return list(dict.fromkeys(self._table["learner"]))

    @property
    def _columns(self) -> int:
        """Number of panels side by side, such that rows are as even as possible."""
        n = len(self._sources)
        return -(-n // -(-n // MOST_COLUMNS))

    @property
    def _n_rows(self) -> int:
        return -(-len(self._sources) // self._columns)

    @property
    def _letters(self) -> int:
        """Number of letters of a title that fit above a panel."""
        return int(LETTERS * ((self.width - AROUND) / self._columns - APART))

    @property
    def _between(self) -> float:
        """Inches between rows of panels: tick labels, and the lines of a title."""
        lines = max(len(textwrap.wrap(truths_of(one), self._letters)) for one in self._sources)
        return ABOVE + LINE * lines

    @property
    def _places(self) -> dict[str, float]:
        """Return the rows of the sizes, "50", and of their learners, "50 nb", and the end of all."""
        places, y = {}, 0.0
        for size in self._sizes:
            places[str(size)] = y
            for i, learner in enumerate(self._learners):
                places[f"{size} {learner}"] = y + 1 + i
            y += 1 + len(self._learners) + GAP
        return {**places, "end": y - GAP}

    @property
    def _limits(self) -> tuple[float, float]:
        """Return the ends of the axis, which contains every bar and line of all sources."""
        table = self.regret.table
        before = table["irreducible"].fillna(0.0)
        ends = [before + table[name] for name in ("low", "high", "regret")]
        ends += [before, before + table["structure_regret"], table["to_truth"]]
        values = np.concatenate([[0.0], *(end.to_numpy(dtype=np.float64) for end in ends)])
        low, high = float(np.nanmin(values)), float(np.nanmax(values))
        room = 0.04 * (high - low) or 1.0
        return low - room * (low < 0), high + room


def _widths(row: Mapping[Hashable, float]) -> dict[str, float]:
    """Return the known parts of a bar, which end where the regret does."""
    names = (
        ("irreducible", "regret")
        if np.isnan(row["learner_regret"])
        else ("irreducible", "structure_regret", "learner_regret")
    )
    parts = {name: float(row[name]) for name in names if not np.isnan(row[name])}
    if "learner_regret" in parts:
        # The learner's own is a mean over fewer truths where some lack the mix, and would end elsewhere.
        parts["learner_regret"] = float(row["regret"]) - parts.get("structure_regret", 0.0)
    return parts
