"""Class probabilities at leaves with a pseudo-count for each class."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["forecast_without_values", "smoothed_leaves"]


def smoothed_leaves(
    class_weight: NDArray[np.float64], parent: NDArray[np.int32], alpha: float
) -> NDArray[np.float64]:
    """Give the probabilities (n_m + alpha) / (n + K alpha) at each node.

    Parameters
    ----------
    class_weight : ndarray of float64, shape (n_nodes, n_classes)
        Weight of the training rows of each class.
    parent : ndarray of int32, shape (n_nodes,)
        A node above each, -1 for the root: its rows count where no row comes to the node itself.
    alpha : float
        Pseudo-count of each class.

    Returns
    -------
    ndarray of float64, shape (n_nodes, n_classes)
        Above 0; each row sums to one.

    Examples
    --------
    >>> smoothed_leaves(np.array([[2.0, 0.0], [2.0, 0.0], [0.0, 0.0]]), np.array([-1, 0, 0]), 1.0).tolist()
    [[0.75, 0.25], [0.75, 0.25], [0.75, 0.25]]
    """
    counts = class_weight.copy()
    empty = np.flatnonzero((class_weight.sum(axis=1) <= 0) & (parent >= 0))
    counts[empty] = class_weight[parent[empty]]
    counts += alpha
    return counts / counts.sum(axis=1, keepdims=True)


def forecast_without_values(
    weight: NDArray[np.float64], is_leaf: NDArray[np.bool_], of_leaf: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Mix the leaves by the weight of their training rows.

    Parameters
    ----------
    weight : ndarray of float64, shape (n_nodes,)
        Weight of the training rows of each node.
    is_leaf : ndarray of bool, shape (n_nodes,)
        Which nodes are leaves.
    of_leaf : ndarray of float64, shape (n_nodes, n_classes)
        Class probabilities at each leaf.

    Returns
    -------
    ndarray of float64, shape (n_classes,)
        Sums to one.
    """
    mixed = np.where(is_leaf, weight, 0.0) @ of_leaf
    return mixed / mixed.sum()
