"""Figures of this study: mean losses, and bias and variance, a panel for each kind of truth."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workbench.analyses import PairedScores
from workbench.report.notes import SizesAxis, half_width, legend_below_all, looks, named_artists

PARTS = ("bias_corrected", "variance_corrected")
PARTS_AT = (50, 400, 3000)
#: Learners in the figures, one of each kind of assumption; the tables have all.
DRAWN = ("nb", "averaged_assumptions", "aode", "a2de", "camml", "camml_average_k2", "mml_tree", "c45")
INK = "#333333"
SHADES = ("#1f4e85", "#4f81b8", "#8fb3d9")  # dark to light with more rows


def panels(kinds: Sequence[str], label: str) -> tuple[Figure, dict[str, Axes]]:
    """Make a figure with a panel for each kind."""
    figure = Figure(figsize=(10.5, 10.0), layout="constrained")
    axes = figure.subplots(3, 3)
    for ax in axes[:, 0]:
        ax.set_ylabel(label)
    for ax, kind in zip(axes.flat, kinds, strict=True):
        ax.set_title(kind.replace("_", " "))
    return figure, dict(zip(kinds, axes.flat, strict=True))


def draw_losses(kinds: Sequence[PairedScores]) -> Figure:
    """Draw mean losses of the learners drawn by size, a panel for each kind."""
    figure, axes = panels([kind.source for kind in kinds], "KL to the truth [bits]")
    for kind in kinds:
        ax, axis = axes[kind.source], SizesAxis(kind.sizes)
        for learner, look in looks(DRAWN, ["prior"]).items():
            own = (
                kind.alongside
                if learner == "prior"
                else {learner: kind.values[:, kind.learners.index(learner)]}
            )
            ax.plot(axis.places, own[learner].mean(axis=0), color=look.color, marker=look.marker,
                    markersize=4, linestyle=look.line, linewidth=1.2, label=learner)  # fmt: skip
        ax.set_yscale("log")
        ax.yaxis.set_major_formatter(lambda y, _: f"{y:g}")
        axis.label(ax)
        if kind not in kinds[-3:]:
            ax.set_xlabel("")
    legend_below_all(figure, named_artists(axes[kinds[0].source]))
    return figure


def draw_parts(parts: pd.DataFrame) -> Figure:
    """Draw mean bias and variance at three sizes, stacked; lines: intervals of the bias and of the loss."""
    sources = list(dict.fromkeys(parts["source"]))
    figure, axes = panels(sources, "part of the KL to the truth [bits]")
    for source, ax in axes.items():
        own = parts[parts["source"] == source]
        means = own.groupby(["n_train", "learner"])[[*PARTS, "loss"]].mean()
        for k, (n, color) in enumerate(zip(PARTS_AT, SHADES, strict=True)):
            bias, variance, loss = (
                means.loc[n].loc[list(DRAWN), part].to_numpy() for part in (*PARTS, "loss")
            )
            x = np.arange(len(DRAWN)) + 0.27 * (k - 1)
            ax.bar(x, bias, 0.25, color=color, label=f"bias, {n} rows")
            ax.bar(
                x, variance, 0.25, bottom=np.maximum(bias, 0), color="white", edgecolor=color, hatch="////",
                linewidth=0.8, label=f"variance, {n} rows",
            )  # fmt: skip
            at = own[own["n_train"] == n]
            for part, heights in ((PARTS[0], bias), ("loss", loss)):
                reach = [half_width(at.loc[at["learner"] == key, part]) for key in DRAWN]
                ax.errorbar(x, heights, yerr=reach, fmt="none", ecolor=INK, elinewidth=0.7)
        ax.set_ylim(bottom=0)
        names = DRAWN if source in sources[-3:] else [""] * len(DRAWN)
        ax.set_xticks(range(len(DRAWN)), names, rotation=60, ha="right", rotation_mode="anchor")
    legend_below_all(figure, named_artists(next(iter(axes.values()))))
    return figure
