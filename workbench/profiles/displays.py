"""Pictures of a profile: the map, dose-response curves, and habits, in small panels."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

import pandas as pd

from workbench.figures._shared.base import Display
from workbench.figures._shared.style import GREY, legend_below_all, looks
from workbench.profiles.entrants import profiled_name
from workbench.profiles.findings import ProfileFindings
from workbench.profiles.intervals import stratified_means
from workbench.profiles.kinds import ALL, kinds_of, places_of
from workbench.profiles.knobs import KNOBS
from workbench.profiles.words import kind_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


__all__ = ["DISPLAYS", "HabitsDisplay", "MapDisplay", "ProbesDisplay"]

#: Inches of a panel, with what is around it.
PANEL = (2.15, 1.75)
#: Columns of panels.
COLUMNS = 5
#: Training rows of dose-response curves, where these were measured.
USUAL_SIZE = 500
BOLD, THIN = 2.4, 1.1


class _Panels(Display):
    """Small panels of lines, one for each learner; the profiled one is bold and has its interval."""

    columns: ClassVar[int] = COLUMNS
    panel: ClassVar[tuple[float, float]] = PANEL

    def __init__(self, profile: ProfileFindings) -> None:
        self.profile = profile
        self.learners = (profile.learner, *profile.companions)
        self.looks = looks(self.learners)

    @property
    @abstractmethod
    def panels(self) -> "Sequence[tuple[str, Callable[[Axes], None]]]":
        """Title and drawing of each panel."""

    @property
    def width(self) -> float:
        """Width in inches."""
        return self.panel[0] * min(self.columns, len(self.panels)) + 0.4

    @property
    def height(self) -> float:
        """Height in inches, with the legend."""
        return self.panel[1] * -(-len(self.panels) // self.columns) + 0.6

    def draw(self, ax: "Axes") -> None:
        """Draw all panels in the place of axes."""
        ax.set_axis_off()
        panels = self.panels
        columns = min(self.columns, len(panels))
        n_rows = -(-len(panels) // columns)
        for i, (title, paint) in enumerate(panels):
            left, top = (i % columns) / columns, 1 - (i // columns) / n_rows
            box = (left + 0.045, top - 0.80 / n_rows, 0.86 / columns - 0.012, 0.64 / n_rows)
            panel = ax.inset_axes(box)
            panel.set_title(title, fontsize=8.5)
            panel.tick_params(labelsize=7)
            paint(panel)
            if i % columns and panel.get_ylabel() == ax.child_axes[i - 1 - (i - 1) % columns].get_ylabel():
                panel.set_ylabel("")

    def _fill(self, figure: "Figure") -> "Axes":
        figure.set_size_inches(self.width, self.height)
        ax = figure.add_subplot()
        self.draw(ax)
        named = {str(line.get_label()): line for line in ax.child_axes[0].lines}
        legend_below_all(figure, [named[profiled_name(key)] for key in self.learners])
        return ax

    def line(self, panel: "Axes", learner: str, x: Iterable[float], curve: pd.DataFrame) -> None:
        """Draw the curve of a learner, columns mean, low and high."""
        look, own = self.looks[learner], learner == self.profile.learner
        panel.plot(
            list(x), curve["mean"], color=look.color, linestyle=look.line, marker=look.marker,
            linewidth=BOLD if own else THIN, markersize=4 if own else 3, label=profiled_name(learner),
            zorder=3 if own else 2,
        )  # fmt: skip
        if own and curve["low"].notna().any():
            panel.fill_between(
                list(x), curve["low"], curve["high"], color=look.color, alpha=0.18, linewidth=0
            )


class MapDisplay(_Panels):
    """What is lost on each kind of truth, by training size."""

    key = "profile_map"
    title = "Loss on each kind of truth"

    @property
    def caption(self) -> str:
        """What is shown, and what to look for."""
        return (
            f"Regret in bits of {profiled_name(self.profile.learner)} (bold, with simultaneous 95% "
            "intervals) and other learners: their loss relative to the optimum with the same training rows. "
            "Kinds with a star have no known optimum, and the loss is relative to the truth. Where the curve "
            "stays high, an assumption of the learner does not hold."
        )

    @property
    def panels(self) -> "Sequence[tuple[str, Callable[[Axes], None]]]":
        """One panel for each kind, and one for all."""
        return [(self._name(kind), self._painter(kind)) for kind in (ALL, *kinds_of(self.profile.scores))]

    def _name(self, kind: str) -> str:
        scores = self.profile.scores
        star = "" if kind == ALL or scores.has_optimum[places_of(scores, kind)].all() else " *"
        return f"{kind_words(kind)}{star}"

    def _painter(self, kind: str) -> "Callable[[Axes], None]":
        scores = self.profile.scores
        places = places_of(scores, kind)

        def paint(panel: "Axes") -> None:
            for learner in reversed(self.learners):
                found = stratified_means(
                    scores.regret[scores.at(learner)][places].transpose(2, 0, 1),
                    n_intervals=len(scores.sizes) * (1 + len(kinds_of(scores))),
                )
                curve = pd.DataFrame({"mean": found.mean, "low": found.low, "high": found.high})
                self.line(panel, learner, scores.sizes, curve)
            _rows_axis(panel, scores.sizes)
            panel.axhline(0, color=GREY, linewidth=0.8)
            panel.set_ylim(bottom=min(-0.005, -0.02 * panel.get_ylim()[1]))
            panel.set_ylabel("bits lost", fontsize=7)

        return paint


class ProbesDisplay(_Panels):
    """What is lost as one assumption after the other is broken."""

    key = "profile_probes"
    title = "Dose-response curves"

    def __init__(self, profile: ProfileFindings) -> None:
        super().__init__(profile)
        sizes = profile.responses.table["n_train"]
        self.size = USUAL_SIZE if (sizes == USUAL_SIZE).any() else int(sizes.max())

    @property
    def caption(self) -> str:
        """What is shown, and what to look for."""
        return (
            f"Regret in bits with {self.size} training rows over the level of a parameter, from a level "
            "where an assumption holds to one where it fails. "
            f"{profiled_name(self.profile.learner)} is bold, with 95% intervals. The slope of a curve is "
            "the bias."
        )

    @property
    def panels(self) -> "Sequence[tuple[str, Callable[[Axes], None]]]":
        """One panel for each probe."""
        probes = list(dict.fromkeys(self.profile.responses.table["probe"]))
        return [(KNOBS[probe].title, self._painter(probe)) for probe in probes]

    def _painter(self, probe: str) -> "Callable[[Axes], None]":
        table = self.profile.responses.table
        own = table[(table["probe"] == probe) & (table["n_train"] == self.size)]

        def paint(panel: "Axes") -> None:
            levels = sorted(own["level"].unique())
            for learner in reversed(self.learners):
                curve = own[own["learner"] == learner].set_index("level").reindex(levels)
                self.line(panel, learner, range(len(levels)), curve.rename(columns={"regret": "mean"}))
            panel.set_xticks(range(len(levels)), [f"{level:g}" for level in levels])
            panel.axhline(0, color=GREY, linewidth=0.8)
            panel.set_ylim(bottom=min(0.0, panel.get_ylim()[0]))
            panel.set_xlabel(KNOBS[probe].axis, fontsize=7)
            panel.set_ylabel("bits lost", fontsize=7)

        return paint


class HabitsDisplay(_Panels):
    """How sure and how cautious forecasts are, by training size."""

    key = "profile_habits"
    title = "Confidence of the forecasts"
    columns = 2
    panel = (4.2, 2.6)

    @property
    def caption(self) -> str:
        """What is shown, and what to look for."""
        return (
            "Left: mean probability of the predicted class minus its frequency, above 0 is overconfident. "
            "Right: entropy of the forecasts minus that of the optimum, above 0 is more cautious. "
            "Both are over the whole map, with simultaneous 95% intervals."
        )

    @property
    def panels(self) -> "Sequence[tuple[str, Callable[[Axes], None]]]":
        """Confidence and caution."""
        words = {"confidence": ("Confidence", "probability"), "caution": ("Caution", "bits")}
        return [(title, self._painter(name, unit)) for name, (title, unit) in words.items()]

    def _painter(self, name: str, unit: str) -> "Callable[[Axes], None]":
        from workbench.profiles.habits import habits_of

        def paint(panel: "Axes") -> None:
            for learner in reversed(self.learners):
                own = learner == self.profile.learner
                table = self.profile.habits.table if own else habits_of(self.profile.scores, learner).table
                ends = {name: "mean", f"{name}_low": "low", f"{name}_high": "high"}
                self.line(panel, learner, table["n_train"], table.rename(columns=ends))
            _rows_axis(panel, self.profile.scores.sizes)
            panel.axhline(0, color=GREY, linewidth=0.8)
            panel.set_ylabel(unit, fontsize=7)

        return paint


def _rows_axis(panel: "Axes", sizes: Sequence[int]) -> None:
    """Make the axis of training rows logarithmic, with every second size of many named."""
    from matplotlib.ticker import NullLocator

    panel.set_xscale("log")
    named = list(sizes[:: 2 if len(sizes) > 4 else 1])
    panel.set_xticks(named, [f"{size:,}" for size in named])
    panel.xaxis.set_minor_locator(NullLocator())
    panel.set_xlabel("training rows", fontsize=7)


DISPLAYS: dict[str, type[_Panels]] = {"map": MapDisplay, "probes": ProbesDisplay, "habits": HabitsDisplay}
