"""The picture of a plan: a learning curve for each learner, by twins and by extrapolation."""

from typing import TYPE_CHECKING

import numpy as np

from workbench.figures._shared.base import Display
from workbench.figures._shared.style import GREY, legend_below_all, looks, named_artists
from workbench.planning.findings import PlanFindings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["PlanDisplay"]

#: Longest title of a panel, and how far apart labels are, as a share of an axis.
LONGEST, ROOM = 28, 0.25
#: Inches of a panel with what is around it, and most panels in a line.
PANEL, COLUMNS = (2.5, 2.1), 3


class PlanDisplay(Display):
    """Draw what each learner loses now on fewer rows, and what it may lose with more."""

    key = "plan"
    title = "Learning curves, measured and expected"

    def __init__(self, plan: PlanFindings) -> None:
        self.plan = plan
        self.looks = looks(plan.learners)

    @property
    def columns(self) -> int:
        """Panels in a line."""
        return min(COLUMNS, len(self.plan.learners))

    @property
    def lines(self) -> int:
        """Lines of panels."""
        return -(-len(self.plan.learners) // self.columns)

    @property
    def width(self) -> float:
        """Width in inches."""
        return max(PANEL[0] * self.columns, 5.0) + 0.3

    @property
    def height(self) -> float:
        """Height in inches, with the legend."""
        return PANEL[1] * self.lines + 0.5

    @property
    def caption(self) -> str:
        """What is shown, and what to look for."""
        return (
            "Log loss in bits a row, lower is better. Points: measured by cross-validation, on fewer rows "
            "too, with twice the standard error. Bold line: expected by twins, with the interval that "
            "nominally holds 80%. Dashed: the power law of the points. Where it ends far "
            "from the bold line, the two ways disagree. Dotted: the class frequencies alone."
        )

    def draw(self, ax: "Axes") -> None:
        """Draw all panels in the place of axes."""
        self._draw(ax)

    def _draw(self, ax: "Axes") -> "list[Axes]":
        ax.set_axis_off()
        panels = []
        low, high = self._range()
        wide, tall = 1 / self.columns, 1 / self.lines
        for i, key in enumerate(self.plan.learners):
            left, top = (i % self.columns) * wide, 1 - (i // self.columns) * tall
            panel = ax.inset_axes((left + 0.17 * wide, top - 0.76 * tall, 0.8 * wide, 0.66 * tall))
            panel.set_title(_short(key), fontsize=9)
            panel.tick_params(labelsize=7)
            self._curve(panel, i)
            panel.set_ylim(low, high)
            if i % self.columns == 0:
                panel.set_ylabel("log loss [bits]", fontsize=8)
            if i + self.columns >= len(self.plan.learners):
                panel.set_xlabel("rows", fontsize=8)
            panels.append(panel)
        return panels

    def _curve(self, panel: "Axes", i: int) -> None:
        plan, look = self.plan, self.looks[self.plan.learners[i]]
        present = plan.present
        panel.errorbar(
            present.sizes, present.by_size[i], yerr=2 * present.errors[i], color=look.color, marker="o",
            markersize=3.5, linestyle="none", elinewidth=0.9, label="measured",
        )  # fmt: skip
        sizes = np.array([present.n_train, *plan.sizes])
        middle = np.array([present.mean[i], *plan.expected[i]])
        panel.plot(sizes, middle, color=look.color, linewidth=2.2, label="expected by twins")
        panel.fill_between(
            plan.sizes,
            plan.low[i],
            plan.high[i],
            color=look.color,
            alpha=0.18,
            linewidth=0,
            label="nominal 80%",
        )
        fitted = np.geomspace(present.sizes[1], plan.sizes[-1], 60)
        moved = np.maximum(present.mean[i] - plan.laws[i].gain(present.n_train, fitted), 0.0)
        panel.plot(
            fitted, moved, color=look.color, linestyle=(0, (4, 2)), linewidth=1.1, label="extrapolated"
        )
        panel.axhline(plan.prior_loss, color=GREY, linestyle=":", linewidth=1, label="class frequencies")
        panel.axvline(plan.n_rows, color=GREY, linewidth=0.7, alpha=0.6)
        _label_sizes(panel, [present.sizes[0], plan.sizes[-1], plan.n_rows, *plan.rows[:-1]])

    def _range(self) -> tuple[float, float]:
        """Return the limits of the losses that all panels share: all points and curves are inside."""
        plan = self.plan
        shown = [plan.present.by_size, plan.high, plan.low, plan.extrapolated_loss]
        known = np.concatenate([np.ravel(own) for own in shown])
        top = max(plan.prior_loss, float(np.nanmax(known)))
        bottom = min(plan.prior_loss, float(np.nanmin(known)))
        return max(0.0, bottom - 0.05 * (top - bottom)), top + 0.05 * (top - bottom)

    def _fill(self, figure: "Figure") -> "Axes":
        figure.set_size_inches(self.width, self.height)
        ax = figure.add_subplot()
        first = self._draw(ax)[0]
        legend_below_all(figure, named_artists(first))
        return ax


def _short(key: str) -> str:
    """Return the last part of the name of a class of another package."""
    name = key.rpartition(":")[2]
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}\N{HORIZONTAL ELLIPSIS}"


def _label_sizes(panel: "Axes", sizes: list[int]) -> None:
    """Label sizes, the ends first, where there is room for them."""
    from matplotlib.ticker import NullLocator

    panel.set_xscale("log", base=2)
    panel.xaxis.set_minor_locator(NullLocator())
    whole = np.log(sizes[1] / sizes[0])
    shown: list[int] = []
    for n in sizes:
        if len(shown) < 2 or min(abs(np.log(n / other)) for other in shown) > ROOM * whole:
            shown.append(n)
    panel.set_xticks(shown, [f"{n:,}" for n in shown])
