"""The Platt map, row by row: temperature and biases take a gradient step on each row's log loss."""

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from workbench.prequential._kernels.smallest import SMALLEST

__all__ = ["follow_platt"]


@kernel
def follow_platt(
    q: NDArray[np.float64],
    outcomes: NDArray[np.intp],
    theta: NDArray[np.float64],
    squares: NDArray[np.float64],
    rate: float,
    out: NDArray[np.float64],
) -> None:
    """Recalibrate each row into `out`, then step, unless the outcome is below 0. `theta`: slope, biases."""
    # 48 842 x 2: 3 ms against 0.5 s
    n_classes = q.shape[1]
    logs, gradient = np.zeros(n_classes), np.empty(n_classes + 1)
    for i in range(len(q)):
        most = -np.inf
        for c in range(n_classes):
            if q[i, c] > 0.0:
                logs[c] = np.log(q[i, c])
                out[i, c] = theta[0] * logs[c] + theta[c + 1]
                most = max(most, out[i, c])
        total = 0.0
        for c in range(n_classes):
            out[i, c] = max(np.exp(out[i, c] - most), SMALLEST) if q[i, c] > 0.0 else 0.0
            total += out[i, c]
        for c in range(n_classes):
            out[i, c] /= total
        t = outcomes[i]
        if t < 0 or q[i, t] == 0.0:
            continue
        gradient[0] = -logs[t]
        for c in range(n_classes):
            gradient[c + 1] = out[i, c] - (1.0 if c == t else 0.0)
            if q[i, c] > 0.0:
                gradient[0] += out[i, c] * logs[c]
        for j in range(n_classes + 1):
            squares[j] += gradient[j] ** 2
            theta[j] -= rate * gradient[j] / np.sqrt(squares[j])
        theta[0] = max(theta[0], 0.0)
