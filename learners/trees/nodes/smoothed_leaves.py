"""Class probabilities at leaves with a pseudo-count for each class."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["forecast_without_values", "smoothed_leaves"]


def smoothed_leaves(
    class_weight: NDArray[np.float64], parent: NDArray[np.int32], alpha: float
) -> NDArray[np.float64]:
    """Return the probabilities (n_m + alpha) / (n + K alpha) at each node."""
    counts = class_weight.copy()
    empty = np.flatnonzero((class_weight.sum(axis=1) <= 0) & (parent >= 0))
    counts[empty] = class_weight[parent[empty]]
    counts += alpha
    return counts / counts.sum(axis=1, keepdims=True)


def forecast_without_values(
    weight: NDArray[np.float64], is_leaf: NDArray[np.bool_], of_leaf: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Mix the leaves by the weight of their training rows."""
    mixed = np.where(is_leaf, weight, 0.0) @ of_leaf
    return mixed / mixed.sum()
