"""Power laws of loss by size: how the losses of subsamples would go on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["PowerLaw", "power_law"]

#: Powers that are tried: with smaller ones a curve hardly falls, with larger ones it ends at once.
POWERS = np.geomspace(0.05, 3.0, 206)
#: Fewest sizes, as a law has three numbers.
LEAST_SIZES = 3


@dataclass(frozen=True)
class PowerLaw:
    """Loss in bits that falls towards a floor: ``floor + scale * n ** -power``, neither negative."""

    floor: float
    scale: float
    power: float

    def at(self, n: ArrayLike) -> NDArray[np.float64]:
        """Return the loss at sizes."""
        return self.floor + self.scale * np.asarray(n, dtype=np.float64) ** -self.power

    def gain(self, before: float, n: ArrayLike) -> NDArray[np.float64]:
        """Return the bits that are saved at sizes, compared with a smaller one."""
        return self.at(before) - self.at(n)


def power_law(sizes: Sequence[int], losses: ArrayLike) -> PowerLaw:
    """Fit a power law by least squares to three losses or more, level if they do not fall; NaN to fewer."""
    from scipy.optimize import nnls

    n, y = np.asarray(sizes, dtype=np.float64), np.asarray(losses, dtype=np.float64)
    n, y = n[~np.isnan(y)], y[~np.isnan(y)]
    if len(n) < LEAST_SIZES:
        return PowerLaw(np.nan, np.nan, np.nan)
    found = []
    for power in POWERS:
        # Relative sizes keep both columns of about the same length.
        (floor, scale), error = nnls(np.column_stack([np.ones(len(n)), (n / n[-1]) ** -power]), y)
        found.append((error, floor, scale * n[-1] ** power, power))
    _, floor, scale, power = min(found)
    return PowerLaw(float(floor), float(scale), float(power))
