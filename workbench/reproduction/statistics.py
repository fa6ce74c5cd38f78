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
    """Give the means of draws.

    Parameters
    ----------
    weights : ndarray of shape (n_draws, n_units)
        How often each draw has each unit.
    x : ndarray of shape (n_units, n_cells)

    Returns
    -------
    ndarray of shape (n_draws, n_cells)

    Examples
    --------
    >>> means(np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 2.0]]), np.array([[1.0], [2.0], [4.0]])).ravel().tolist()
    [1.5, 4.0]
    """
    center = x.mean(axis=0)
    return center + weights @ (x - center) / weights.sum(axis=1, keepdims=True)


def half_widths(weights: Array, x: Array) -> Array:
    """Give 1.96 standard deviations, with n - 1 in the denominator, of draws of at least two units.

    Parameters
    ----------
    weights : ndarray of shape (n_draws, n_units)
    x : ndarray of shape (n_units, n_cells)

    Returns
    -------
    ndarray of shape (n_draws, n_cells)

    Examples
    --------
    >>> half_widths(np.array([[1.0, 1.0, 0.0]]), np.array([[1.0], [3.0], [9.0]])).round(4).tolist()
    [[2.7719]]
    """
    (products,), n = _products(weights, [(x, x)])
    return WIDTH * np.sqrt(np.maximum(0.0, products) / (n - 1))


def correlations(weights: Array, x: Array, y: Array) -> Array:
    """Give Pearson's correlations of draws.

    Parameters
    ----------
    weights : ndarray of shape (n_draws, n_units)
    x, y : ndarray of shape (n_units, n_cells)

    Returns
    -------
    ndarray of shape (n_draws, n_cells)
        NaN where one of the two is constant.

    Examples
    --------
    >>> x, y = np.array([[1.0], [2.0], [3.0]]), np.array([[2.0], [4.0], [6.0]])
    >>> correlations(np.array([[1.0, 1.0, 1.0], [3.0, 0.0, 0.0]]), x, y).round(9).tolist()
    [[1.0], [nan]]
    """
    (xx, yy, xy), _ = _products(weights, [(x, x), (y, y), (x, y)])
    constant = (xx <= ROUNDING * _spread(x)) | (yy <= ROUNDING * _spread(y))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(constant, np.nan, np.clip(xy / np.sqrt(xx * yy), -1, 1))


def _products(weights: Array, pairs: Sequence[tuple[Array, Array]]) -> tuple[list[Array], Array]:
    """Give the sums of products of deviations from the means of each draw, and the number of units in it."""
    pairs = [(x - x.mean(axis=0), y - y.mean(axis=0)) for x, y in pairs]
    columns = [column for x, y in pairs for column in (x, y, x * y)]
    # One product of matrices reads the weights, which are the largest, once.
    sums = np.split(weights @ np.hstack(columns), len(columns), axis=1)
    n = weights.sum(axis=1, keepdims=True)
    return [xy - x * y / n for x, y, xy in zip(sums[::3], sums[1::3], sums[2::3], strict=True)], n


def _spread(x: Array) -> Array:
    """Give what counts as the whole size of a column: its squares about 0, added up."""
    return (x**2).sum(axis=0)
