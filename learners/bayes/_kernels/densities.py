"""Kernels of densities that put one normal bump on each value of a grid."""

import math

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel

FARTHEST = 19.0  # standard deviations: the mass beyond is below 1e-80
LONGEST_TABLE = 2**16
ROUNDING = 1e-17  # share of a sum that float64 cannot hold


@kernel
def bump_sums(
    queries: NDArray[np.float64], points: NDArray[np.float64], weights: NDArray[np.float64], step: float
) -> NDArray[np.float64]:
    """Add, at each query, the weight of each point times the height of its bump there."""
    # Queries and points are whole numbers, the points ascending. The bump is the mass of a normal in an
    # interval of width 1, which is `step` standard deviations. 1000 queries, 10,000 points, 3,800 of them
    # near each: 0.9 ms, against 0.5 s for numpy's matrix.
    out = np.zeros(queries.size)
    reach = FARTHEST / step + 1.0
    bumps = _bump_heights(step, int(min(reach, LONGEST_TABLE)))
    negligible = ROUNDING / weights.sum()
    for i in range(queries.size):
        start = np.searchsorted(points, queries[i])
        total = 0.0
        for direction in (1, -1):  # from the query outward, where the bumps decrease
            k = start if direction == 1 else start - 1
            while 0 <= k < points.size:
                distance = abs(points[k] - queries[i])
                if distance >= reach:
                    break
                table = distance < bumps.size
                height = bumps[np.intp(distance)] if table else _mass(distance * step, step)
                if height < total * negligible:
                    break
                total += weights[k] * height
                k += direction
        out[i] = total
    return out


@kernel
def _bump_heights(step: float, size: int) -> NDArray[np.float64]:
    """Mass of the standard normal in intervals of width `step` centered 0, 1, 2, ... steps away."""
    out = np.empty(size)
    for d in range(size):
        out[d] = _mass(d * step, step)
    return out


@kernel
def _mass(distance: float, step: float) -> float:
    """Mass of the standard normal around `distance`, in the tail where no digits cancel."""
    near, far = (distance - 0.5 * step) / math.sqrt(2.0), (distance + 0.5 * step) / math.sqrt(2.0)
    return 0.5 * (math.erfc(near) - math.erfc(far))
