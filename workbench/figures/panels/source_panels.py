"""One figure of several sources side by side, with common axes and one legend."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.analyses._shared.subjects import truths_of
from workbench.base.errors import WorkbenchError
from workbench.base.text import capitalized
from workbench.figures._shared.base import LEGEND_LINES, LINE, WIDTH, Display
from workbench.figures._shared.experiment_display import ExperimentDisplay
from workbench.figures._shared.study_display import StudyDisplay
from workbench.figures._shared.style import legend_below_all, named_artists

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from workbench.store.results import StudyResults

__all__ = ["SourcePanels", "of_sources"]

#: Most panels in a line, and how wide each is as a share of a figure of its own.
ACROSS, SHARE = 3, 0.62
#: Share of the common axis kept free beyond what is highest and lowest in one panel.
ROOM = 0.03


class SourcePanels(Display):
    """The same figure for several sources, side by side, in panels that are named after their kinds."""

    def __init__(self, by_kind: Mapping[str, ExperimentDisplay]) -> None:
        self.by_kind = dict(by_kind)
        self.displays = tuple(by_kind.values())
        self.key, self.title = self.displays[0].key, self.displays[0].title  # type: ignore[misc]

    @property
    def width(self) -> float:
        """Width in inches."""
        return max(WIDTH, SHARE * WIDTH * self._across)

    @property
    def height(self) -> float:
        """Height in inches."""
        tallest = max(display.height for display in self.displays)
        return SHARE * tallest * self._down + LEGEND_LINES * LINE

    def draw(self, ax: "Axes") -> None:
        """Reject given axes."""
        raise WorkbenchError("several sources are drawn in a new figure: leave out ax=")

    def _fill(self, figure: "Figure") -> "Axes":
        figure.set_size_inches(self.width, self.height)
        n, across = len(self.displays), self._across
        axes = list(figure.subplots(self._down, across, squeeze=False).ravel())
        for ax, display in zip(axes, self.displays, strict=False):
            display.draw(ax)
        _share_limits(axes[:n])
        for i, ax in enumerate(axes):
            ax.set_visible(i < n)
            words = ax.get_xlabel()
            ax.label_outer()
            if n - across <= i < n:  # with no panel below
                ax.tick_params(labelbottom=True)
                ax.set_xlabel(words)
        named = {str(one.get_label()): one for ax in axes for one in named_artists(ax)}
        for legend in filter(None, (ax.get_legend() for ax in axes)):
            legend.remove()
        lines = legend_below_all(figure, list(named.values()))
        figure.set_size_inches(self.width, self.height + LINE * max(0, lines - LEGEND_LINES))
        return axes[0]

    @property
    def caption(self) -> str:
        """What all panels show, then what only some panels do."""
        sentences = {
            kind: re.split(r"(?<=\.) ", display.caption.replace(kind, "truths"))
            for kind, display in self.by_kind.items()
        }
        shared = [
            one for one in next(iter(sentences.values())) if all(one in own for own in sentences.values())
        ]
        own = {kind: " ".join(one for one in every if one not in shared) for kind, every in sentences.items()}
        return " ".join([*shared, *(f"{capitalized(kind)}: {words}" for kind, words in own.items() if words)])

    @property
    def _across(self) -> int:
        n = len(self.displays)
        return n // 2 if n == 4 else min(ACROSS, n)

    @property
    def _down(self) -> int:
        return -(-len(self.displays) // self._across)


def of_sources(
    kind: type[ExperimentDisplay | StudyDisplay],
    results: "StudyResults",
    sources: Sequence[str],
    **options: Any,
) -> Display:
    """Make the figure of some sources: a panel each, or one figure of a kind that shows all together."""
    only = replace(results, study=results.study.only_sources(sources))
    if issubclass(kind, StudyDisplay):
        return kind.from_results(only, **options)
    found = {truths_of(one): kind.from_results(results, source=one, **options) for one in sources}
    return SourcePanels(found) if len(found) > 1 else next(iter(found.values()))


def _share_limits(axes: "Sequence[Axes]") -> None:
    """Set common limits that contain the limits of all axes, inverted where they were."""
    for name in ("xlim", "ylim"):
        starts, ends = zip(*(getattr(ax, f"get_{name}")() for ax in axes), strict=True)
        upright = starts[0] < ends[0]
        start, end = (min(starts), max(ends)) if upright else (max(starts), min(ends))
        room = ROOM * (end - start) if name == "ylim" and len({*starts, *ends}) > 2 else 0.0
        for ax in axes:
            getattr(ax, f"set_{name}")(start - room, end + room)
