"""The trees of a searched graph, combined into one table of nodes."""

import numpy as np
from numpy.typing import NDArray

from learners.trees._kernels.order import breadth_first
from learners.trees.mml.costed_graph import MessageGraph
from learners.trees.nodes.node_graph import JUMP, NodeGraph

__all__ = ["finished_graph"]


def finished_graph(graph: MessageGraph, class_order: NDArray[np.intp]) -> NodeGraph:
    """Combine the trees, each after all that lead to it."""
    parts = []
    offset, root = 0, {}
    for number in graph.order:
        region = graph.at(number)
        tree = region.found.tree
        n_children = np.where(region.is_joined, 0, tree.n_children).astype(np.int32)
        order, first_child = breadth_first(tree.first_child, n_children, 0)
        parts.append((region, order, np.where(first_child >= 0, first_child + offset, -1)))
        root[number] = offset
        offset += order.size
    return _table(parts, root, class_order)


def _table(parts: list, root: dict[int, int], class_order: NDArray[np.intp]) -> NodeGraph:
    columns: list[list[NDArray]] = [[] for _ in range(8)]
    for region, order, first_child in parts:
        tree, joined = region.found.tree, region.is_joined[order]
        to = np.array([root[region.joined[node]] if node in region.joined else -1 for node in order.tolist()])
        merged = np.zeros(order.size)
        merged[0] = -region.found.as_leaf[0]
        for column, values in zip(
            columns,
            (
                np.where(joined, JUMP, tree.kind[order]),
                np.where(joined, -1, tree.attribute[order]),
                np.where(joined, np.nan, tree.threshold[order]),
                np.where(joined, to, first_child),
                np.where(joined, 1, tree.n_children[order]),
                tree.class_weight[order],
                tree.label[order],
                np.where(joined, 0.0, region.found.saved[order]),
            ),
            strict=True,
        ):
            column.append(values)
    kind, attribute, threshold, first, n, weight, label, saved = (np.concatenate(c) for c in columns)
    class_weight = np.empty_like(weight)
    class_weight[:, class_order] = weight
    return NodeGraph(
        kind.astype(np.int8),
        attribute.astype(np.int32),
        threshold,
        first.astype(np.int32),
        n.astype(np.int32),
        class_weight,
        class_order[label].astype(np.int32),
        saved,
        _merged(parts, root, saved.size),
    )


def _merged(parts: list, root: dict[int, int], n_nodes: int) -> NDArray[np.float64]:
    """Return the bits that each join saves before its own cost: classes of its ends, less one leaf's."""
    out = np.zeros(n_nodes)
    for region, _, _ in parts:
        for node, to in region.joined.items():
            out[root[to]] += region.found.category[node]
    for (region, _, _), at in list(zip(parts, root.values(), strict=True))[1:]:
        out[at] -= region.found.as_leaf[0]
    return out
