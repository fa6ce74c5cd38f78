"""The axis of training sizes that several figures share, with learners side by side."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["SizesAxis"]

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
        ax.set_xticks(self.places, [f"{size}" for size in self.sizes])
        ax.set_xticks([], minor=True)
        margin = self.half_width + 0.12 * self.gap
        ax.set_xlim(self.places[0] - margin, self.places[-1] + margin)
        ax.set_xlabel("training rows")
