"""Draw what the training rows predict for the code length of a test row."""

from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from workbench.report.notes import GREY, SERIES, figure_style, half_width, save_figure

#: Learners in the figure, from the simplest on.
KINDS = {
    "one attribute": ("one_r", "stump"),
    "trees by shortest message": ("mml_tree", "mml_graph"),
    "trees by gain": ("c50", "c45", "c45_unpruned"),
    "rules": ("c45rules", "induct_rdr", "foil", "induct_dnf"),
}
#: Bits per test row; both panels have one scale.
LIMITS = ((-1.7, 0.1), (-0.2, 4.2))


def draw(points: pd.DataFrame, path: Path) -> None:
    """Draw predicted less found code lengths: a line per learner, a dot per data set, mean and interval."""
    panels = {"without": "training code alone", "whole": "training code and theory, I(T)"}
    with figure_style({"axes.grid": False}):
        figure = Figure(figsize=(9.0, 4.9), layout="constrained")
        axes = figure.subplots(1, 2, sharey=True, width_ratios=[np.ptp(ends) for ends in LIMITS])
        for ax, limits, (column, title) in zip(axes, LIMITS, panels.items(), strict=True):
            for place, learner, color in _places():
                own = points[points["learner"] == learner]
                _draw_learner(ax, place, own[column] - own["found"], color)
            ax.axvline(0.0, color="black", linewidth=0.8, zorder=1)
            ax.set(title=title, xlim=limits, xlabel="predicted less found [bits/row]")
        axes[0].set_yticks([place for place, _, _ in _places()], [name for _, name, _ in _places()])
        axes[0].invert_yaxis()
        named = [Line2D([], [], color=c, marker="o", label=k) for k, c in zip(KINDS, SERIES, strict=False)]
        named.append(Line2D([], [], color=GREY, marker="|", linestyle="none", label="a data set"))
        figure.legend(handles=named, loc="outside lower center", ncols=5)
        save_figure(figure, path, dpi=150)


def _draw_learner(ax: Axes, place: float, less: pd.Series, color: str) -> None:
    """Draw one learner: its data sets, and their mean with the 95% interval of Student's t."""
    ax.plot(less, np.full(len(less), place), "|", color=GREY, markersize=9)
    style = {"color": color, "markersize": 5, "elinewidth": 2.0, "zorder": 3}
    ax.errorbar(less.mean(), place, xerr=half_width(less), fmt="o", **style)


def _places() -> list[tuple[float, str, str]]:
    """Return height, name and color of every learner, families apart."""
    found, place = [], 0.0
    for members, color in zip(KINDS.values(), SERIES, strict=False):
        for learner in members:
            found.append((place, learner, color))
            place += 1.0
        place += 0.5
    return found
