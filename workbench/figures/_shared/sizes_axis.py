"""The axis of training sizes that several figures share, with learners side by side."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["SizesAxis"]

DIGIT = 0.08  # inches: the width of a digit of a label
SHARE = 0.3  # of the space between two sizes that the markers of one size take


class SizesAxis:
    """Positions of ascending sizes on a logarithmic axis, with room for learners side by side."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes = tuple(sizes)
        self.places: NDArray[np.float64] = np.log10(np.asarray(self.sizes, dtype=np.float64))
        self.gap = float(np.diff(self.places).min()) if len(self.sizes) > 1 else 1.0

    @property
    def half_width(self) -> float:
        """Half of the width that the markers of one size take."""
        return SHARE * self.gap / 2

    def dodged(self, i: int, n: int) -> NDArray[np.float64]:
        """Return the positions of the markers of the i-th of n learners."""
        shift = 0.0 if n == 1 else (2 * i / (n - 1) - 1) * self.half_width
        return self.places + shift

    def label(self, ax: "Axes") -> None:
        """Draw and label the ticks of the sizes, and leave room for the markers at both ends."""
        margin = self.half_width + 0.12 * self.gap
        ax.set_xticks(self.places, self._labels(ax, margin))
        ax.set_xticks([], minor=True)
        ax.set_xlim(self.places[0] - margin, self.places[-1] + margin)
        ax.set_xlabel("training rows")

    def _labels(self, ax: "Axes", margin: float) -> list[str]:
        """Return the sizes, without those that have no room next to the size before."""
        inches = ax.get_window_extent().width / ax.get_figure(root=True).dpi  # type: ignore[union-attr]
        scale = inches / (self.places[-1] - self.places[0] + 2 * margin)
        labels, end = [], -math.inf
        for place, size in zip(self.places * scale, self.sizes, strict=True):
            half = DIGIT * len(str(size)) / 2
            labels.append(str(size) if place - half > end else "")
            end = place + half + DIGIT / 2 if labels[-1] else end
        return labels
