"""How much each attribute tells about the class."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

__all__ = ["class_mutual_information"]

DECIMALS = 12  # attributes that differ by less tell the same but for rounding


def class_mutual_information(values: NDArray[np.float64], offsets: NDArray[np.int64]) -> NDArray[np.float64]:
    """I(X_j; class) of the training frequencies, each over the rows that show the attribute."""
    told = [_information(values[first : end - 1]) for first, end in pairwise(offsets)]
    return np.array(told).round(DECIMALS)


def _information(counts: NDArray[np.float64]) -> float:
    rows = counts.sum()
    if rows <= 0:
        return 0.0
    independent = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / rows
    shown = counts > 0
    return max(0.0, float((counts[shown] * np.log(counts[shown] / independent[shown])).sum() / rows))
