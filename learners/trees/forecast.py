"""What a tree says of new rows."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners._kernels.tree_forecast import forecast_rows
from learners.attributes import CodedTable, Schema
from learners.trees.node_table import NodeTable

__all__ = ["TreeForecast", "forecast_tree", "leaf_frequencies"]


class TreeForecast(NamedTuple):
    """The forecasts of some rows.

    Attributes
    ----------
    y_prob : ndarray of float64, shape (n_samples, n_classes)
        Class probabilities.
    met_missing : ndarray of bool, shape (n_samples,)
        Whether a test on the way of the row asked for a value that is missing.
    """

    y_prob: NDArray[np.float64]
    met_missing: NDArray[np.bool_]


def forecast_tree(
    tree: NodeTable, of_leaf: NDArray[np.float64], schema: Schema, coded: CodedTable
) -> TreeForecast:
    """Send rows down a tree.

    A row whose value is missing takes every branch, with the part of its weight that the training rows
    of the branch have in those of the node.

    Parameters
    ----------
    tree : NodeTable
        Its attributes are columns of the schema.
    of_leaf : ndarray of float64, shape (n_nodes, n_classes)
        Class probabilities at each leaf.
    schema : Schema
        Of the training table.
    coded : CodedTable
        The rows.

    Returns
    -------
    TreeForecast
    """
    column = np.empty(len(schema.attributes) + 1, np.int64)  # the last for a leaf, which asks for none
    column[list(schema.nominal)] = np.arange(len(schema.nominal))
    column[list(schema.numeric)] = np.arange(len(schema.numeric))
    column[-1] = -1
    nodes = np.column_stack([tree.kind, column[tree.attribute], tree.first_child, tree.n_children])
    of_parent = tree.weight[tree.parent]
    share = np.divide(tree.weight, of_parent, out=np.zeros(tree.n_nodes), where=of_parent > 0)
    out = TreeForecast(np.empty((coded.n_samples, of_leaf.shape[1])), np.empty(coded.n_samples, dtype=bool))
    forecast_rows(nodes.astype(np.int32), tree.threshold, share, coded.codes, coded.values, of_leaf, *out)
    return out


def leaf_frequencies(tree: NodeTable, *, of_empty: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the class frequencies of the training rows at each node.

    Parameters
    ----------
    tree : NodeTable
        The tree.
    of_empty : ndarray of float64, shape (n_nodes, n_classes)
        What to give where no row came.

    Returns
    -------
    ndarray of float64, shape (n_nodes, n_classes)

    Examples
    --------
    >>> from learners import C45Classifier
    >>> tree = C45Classifier().fit([["dry"], ["wet"]] * 3, [0, 1] * 3).tree_
    >>> leaf_frequencies(tree, of_empty=np.zeros((3, 2))).tolist()
    [[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]]
    """
    weight = tree.weight[:, None]
    return np.divide(tree.class_weight, weight, out=of_empty.copy(), where=weight > 0)
