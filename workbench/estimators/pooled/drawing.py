"""The figure of a pool: weights and held-out losses of its forecasts."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_pool"]

USED, UNUSED = "#0072B2", "#BBBBBB"  # distinct for the colour-blind
HEIGHT, ROOM = 0.3, 1.2  # inches of a row, and of title and axis


def draw_pool(
    weights: "pd.Series[float]", losses: "pd.Series[float]", n_rows: int, ax: "Axes | None" = None
) -> "Axes":
    """Draw losses as points, and weights as numbers at their right."""
    from matplotlib.figure import Figure

    order = losses.drop("pool").sort_values(na_position="last").index[::-1]
    names = [*order, "pool"]
    if ax is None:
        ax = Figure(figsize=(6.4, ROOM + HEIGHT * len(names)), layout="constrained").subplots()
    places = np.arange(len(names))
    shown = losses[names]
    colors = [USED if name == "pool" or weights[name] > 0 else UNUSED for name in names]
    ax.scatter(shown, places, c=colors, zorder=3)
    ax.axvline(losses["pool"], color=USED, lw=1, ls=":", zorder=1)
    ax.set_yticks(places, names)
    texts = [f"{weights[name]:.2f}" if weights[name] else "0" for name in order] + ["", "weight"]
    for place, text in enumerate(texts):
        ax.annotate(
            text, (1.02, place), xycoords=("axes fraction", "data"), va="center", annotation_clip=False
        )
    ax.set_xlabel(f"log loss of {n_rows:,} held-out rows, bits per row")
    ax.grid(axis="x", alpha=0.3)
    ax.set_ylim(-0.7, len(names) - 0.3)
    return ax
