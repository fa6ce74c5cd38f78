"""The histogram map, row by row."""

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from workbench.prequential._kernels.smallest import SMALLEST

__all__ = ["follow_histogram"]


@kernel
def follow_histogram(
    q: NDArray[np.float64],
    outcomes: NDArray[np.intp],
    n_forecasts: NDArray[np.float64],
    n_hits: NDArray[np.float64],
    width: float,
    strength: float,
    out: NDArray[np.float64],
) -> None:
    """Write each recalibrated row into `out`, then count it, unless the outcome is below 0."""
    # 48 842 x 2: 2 ms against 0.6 s
    n_classes, n_bins = n_forecasts.shape
    bins = np.empty(n_classes, np.intp)
    for i in range(len(q)):
        total = 0.0
        for c in range(n_classes):
            rest = 0.0  # the sum of the others, as 1 - q cancels
            for d in range(n_classes):
                if d != c:
                    rest += q[i, d]
            if q[i, c] <= 0.0:
                place = 0.0
            elif rest <= 0.0:
                place = n_bins - 1.0
            else:
                place = np.floor((np.log2(q[i, c]) - np.log2(rest)) / width + n_bins / 2)
            b = int(min(max(place, 0.0), n_bins - 1.0))
            bins[c] = b
            mended = (strength * q[i, c] + n_hits[c, b]) / (strength + n_forecasts[c, b])
            if q[i, c] > 0.0:
                mended = max(mended, SMALLEST)
            out[i, c] = mended
            total += mended
        for c in range(n_classes):
            out[i, c] /= total
        if outcomes[i] >= 0:
            for c in range(n_classes):
                n_forecasts[c, bins[c]] += 1.0
            n_hits[outcomes[i], bins[outcomes[i]]] += 1.0
