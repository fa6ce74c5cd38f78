"""Statistics of resampled units, all draws and all cells at once."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["correlations", "half_widths", "means"]

Array = NDArray[np.float64]

#: What is printed as the half width of splits is 1.96 standard deviations.
WIDTH = 1.96
# A spread this small, relative to the whole one, is what doubles leave of equal numbers.
ROUNDING = 1e-12


def means(weights: Array, x: Array) -> Array:
    """Return the means of draws."""
    center = x.mean(axis=0)
    return center + weights @ (x - center) / weights.sum(axis=1, keepdims=True)


def half_widths(weights: Array, x: Array) -> Array:
    """Return 1.96 standard deviations, with n - 1 in the denominator, of draws of at least two units."""
    (products,), n = _products(weights, [(x, x)])
    return WIDTH * np.sqrt(np.maximum(0.0, products) / (n - 1))


def correlations(weights: Array, x: Array, y: Array) -> Array:
    """Return Pearson's correlations of draws."""
    (xx, yy, xy), _ = _products(weights, [(x, x), (y, y), (x, y)])
    constant = (xx <= ROUNDING * _spread(x)) | (yy <= ROUNDING * _spread(y))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(constant, np.nan, np.clip(xy / np.sqrt(xx * yy), -1, 1))


def _products(weights: Array, pairs: Sequence[tuple[Array, Array]]) -> tuple[list[Array], Array]:
    """Return sums of products of deviations from the means of each draw, and the number of units in it."""
    pairs = [(x - x.mean(axis=0), y - y.mean(axis=0)) for x, y in pairs]
    columns = [column for x, y in pairs for column in (x, y, x * y)]
    # One product of matrices reads the weights, which are the largest, once.
    sums = np.split(weights @ np.hstack(columns), len(columns), axis=1)
    n = weights.sum(axis=1, keepdims=True)
    return [xy - x * y / n for x, y, xy in zip(sums[::3], sums[1::3], sums[2::3], strict=True)], n


def _spread(x: Array) -> Array:
    """Return what counts as the whole size of a column: its squares about 0, added up."""
    return (x**2).sum(axis=0)
