"""Means over truths of several places, each counted alike, with intervals."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

__all__ = ["StratifiedMeans", "stratified_means"]

LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class StratifiedMeans:
    """Means of places' means; NaN where a place has fewer than two truths."""

    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    n: NDArray[np.int64]


def stratified_means(values: NDArray[np.float64], *, n_intervals: int = 1) -> StratifiedMeans:
    """Average over truths, then places, (..., n_places, n_truths), as `stratified_mean`; NaN: not tried."""
    known = np.isfinite(values)
    n = known.sum(axis=-1)
    few = np.maximum(n, 2)
    mean = np.where(known, values, 0.0).sum(axis=-1) / np.maximum(n, 1)
    apart = np.where(known, values - mean[..., None], 0.0)
    part = (apart**2).sum(axis=-1) / (few * (few - 1))
    n_places = values.shape[-2]
    error = np.sqrt(part.sum(axis=-1)) / n_places
    with np.errstate(invalid="ignore", divide="ignore"):
        freedom = (part.sum(axis=-1) ** 2) / (part**2 / (few - 1)).sum(axis=-1)
    freedom = np.where(error > 0, freedom, (few - 1).sum(axis=-1))
    reach = stdtrit(freedom, 1 - (1 - LEVEL) / (2 * n_intervals)) * error
    whole = (n >= 1).all(axis=-1)
    center = np.where(whole, mean.mean(axis=-1), np.nan)
    reach = np.where((n >= 2).all(axis=-1), reach, np.nan)
    return StratifiedMeans(center, center - reach, center + reach, n.sum(axis=-1))
