"""Forecasts of a tree for new rows."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners.tables.attributes import CodedTable, Schema
from learners.trees._kernels.forecast import forecast_rows
from learners.trees.nodes.node_table import Nodes, NodeTable

__all__ = [
    "TreeForecast",
    "asked_nodes",
    "forecast_tree",
    "leaf_frequencies",
    "share_of_parent",
    "forecast_without_values",
    "smoothed_leaves",
]


class TreeForecast(NamedTuple):
    """The class probabilities of some rows, and whether a test on the row's path needed a missing value."""

    y_prob: NDArray[np.float64]
    met_missing: NDArray[np.bool_]


def forecast_tree(
    tree: NodeTable, of_leaf: NDArray[np.float64], schema: Schema, coded: CodedTable
) -> TreeForecast:
    """Send rows down a tree."""
    # a row whose tested value is missing takes every branch, weighted by its share of the training rows
    nodes = asked_nodes(tree, schema)
    share = share_of_parent(tree.weight, tree.parent)
    out = TreeForecast(np.empty((coded.n_samples, of_leaf.shape[1])), np.empty(coded.n_samples, dtype=bool))
    forecast_rows(nodes, tree.threshold, share, coded.codes, coded.values, of_leaf, *out)
    return out


def asked_nodes(nodes: Nodes, schema: Schema) -> NDArray[np.int32]:
    """Collect the fields of each node that a forecast reads."""
    column = np.full(len(schema.attributes) + 1, -1)  # the last for nodes without a test
    column[list(schema.nominal)] = np.arange(len(schema.nominal))
    column[list(schema.numeric)] = np.arange(len(schema.numeric))
    parts = nodes.kind, column[nodes.attribute], nodes.first_child, nodes.n_children
    return np.column_stack(parts).astype(np.int32)


def share_of_parent(weight: NDArray[np.float64], parent: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return each node's share of its parent's weight, or 0 if the parent has none."""
    above = weight[parent]
    return np.divide(weight, above, out=np.zeros(weight.size), where=above > 0)


def leaf_frequencies(tree: NodeTable, *, of_empty: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the class frequencies of the training rows at each node."""
    weight = tree.weight[:, None]
    return np.divide(tree.class_weight, weight, out=of_empty.copy(), where=weight > 0)


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
