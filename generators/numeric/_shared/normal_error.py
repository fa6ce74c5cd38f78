"""The error of the best guess which of several normal distributions a number comes from."""

import math

import numpy as np
from numpy.typing import NDArray

from generators.base.probabilities import logs

__all__ = ["error_of_normals"]


def error_of_normals(
    prior: NDArray[np.float64], means: NDArray[np.float64], deviations: NDArray[np.float64]
) -> float:
    """Return how often the most probable class is not the class.

    Between the points where two classes are equally probable one class is the most probable throughout, so
    the error is a sum of normal probabilities.
    """
    from scipy.special import ndtr

    log_scale = logs(prior) - np.log(deviations)
    crossings = _crossings(log_scale, means, 1 / deviations**2)
    if not crossings:
        return float(1 - prior.max())
    edges = np.array([-np.inf, *crossings, np.inf])
    inner = (edges[1:-2] + edges[2:-1]) / 2
    inside = np.array([crossings[0] - 1, *inner, crossings[-1] + 1])
    log_density = log_scale - ((inside[:, np.newaxis] - means) / deviations) ** 2 / 2
    mass = prior * np.diff(ndtr((edges[:, np.newaxis] - means) / deviations), axis=0)
    return float(1 - mass[np.arange(len(mass)), log_density.argmax(axis=1)].sum())


def _crossings(
    log_scale: NDArray[np.float64], means: NDArray[np.float64], precisions: NDArray[np.float64]
) -> list[float]:
    """Return where two classes are equally probable, in order."""
    found: set[float] = set()
    possible = np.flatnonzero(np.isfinite(log_scale))
    for place, a in enumerate(possible):
        for b in possible[:place]:
            square = (precisions[b] - precisions[a]) / 2
            slope = precisions[a] * means[a] - precisions[b] * means[b]
            level = (precisions[b] * means[b] ** 2 - precisions[a] * means[a] ** 2) / 2
            found.update(_roots(square, slope, level + log_scale[a] - log_scale[b]))
    return sorted(found)


def _roots(square: float, slope: float, level: float) -> list[float]:
    """Return the finite real roots of a polynomial of degree two at most."""
    if square == 0:
        return [-level / slope] if slope else []
    discriminant = slope**2 - 4 * square * level
    if discriminant < 0:
        return []
    # the larger sum first, so that nothing cancels
    q = -(slope + math.copysign(math.sqrt(discriminant), slope)) / 2
    return [root for root in (q / square, level / q if q else 0.0) if math.isfinite(root)]
