"""MML trees and graphs as text, with the bits that their tests save."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from learners.code_lengths.tree import MessageParts
from learners.shown_text import number_text
from learners.trees.display.text import TreeNames
from learners.trees.nodes.node_graph import JUMP, NodeGraph
from learners.trees.nodes.node_table import CUT, LEAF, VALUES, Nodes, NodeTable

__all__ = ["message_names", "tree_message_text", "graph_message_text"]

INDENT = "|   "
MISSING = "missing"


def tree_message_text(
    tree: NodeTable, saved: NDArray[np.float64], parts: MessageParts, names: TreeNames
) -> str:
    """Write the parts of a message, then the tree that it encodes."""
    return "\n".join([parts_text(parts), *message_lines(tree, saved, names)])


def message_lines(
    nodes: Nodes,
    saved: NDArray[np.float64],
    names: TreeNames,
    root: int = 0,
    head: str = "",
    joins: Mapping[int, str] = MappingProxyType({}),
) -> Iterator[str]:
    """Write the nodes below a root, one per line, up to leaves and joins."""
    stack = [(root, head, 0)]
    while stack:
        node, label, indent = stack.pop()
        before = INDENT * indent + label
        if nodes.kind[node] == LEAF:
            yield before + _leaf_text(nodes.class_weight[node], int(nodes.label[node]), names)
            continue
        if nodes.kind[node] not in (VALUES, CUT):
            yield f"{before}{joins[int(nodes.first_child[node])]}"
            continue
        attribute, threshold = int(nodes.attribute[node]), float(nodes.threshold[node])
        yield f"{before}{names.attributes[attribute]} saves {saved[node]:.2f} bits"
        for branch, child in reversed(list(enumerate(nodes.children(node)))):
            condition = _branch_text(nodes.kind[node] == CUT, attribute, threshold, branch, names)
            stack.append((child, f"{condition}: ", indent + 1))


def parts_text(parts: MessageParts) -> str:
    """Return the length of a message and its parts as text, with joins and alpha if present."""
    shown = {
        "structure": parts.structure,
        "attributes": parts.attributes,
        "cuts": parts.cuts,
        "joins": parts.joins,
        "categories": parts.categories,
        "alpha": parts.alpha,
    }
    always = ("structure", "attributes", "cuts", "categories")
    listed = [f"{name} {bits:.2f}" for name, bits in shown.items() if bits > 0 or name in always]
    return f"{parts.total:.2f} bits: {', '.join(listed)}"


def message_names(names: TreeNames, has_missing: NDArray[np.bool_]) -> TreeNames:
    """Add the name of missing values to the columns where they count as a value."""
    values = [
        (*states, MISSING) if missing else tuple(states)
        for states, missing in zip(names.values, has_missing.tolist(), strict=True)
    ]
    return TreeNames(names.attributes, values, names.classes)


def _branch_text(is_cut: bool, attribute: int, threshold: float, branch: int, names: TreeNames) -> str:
    """Write what a branch takes, such as ``sunny`` or ``<= 75``."""
    if not is_cut:
        return str(names.values[attribute][branch])
    has_missing = bool(names.values[attribute])
    if threshold == -np.inf:
        return "known" if branch else MISSING
    also = f" or {MISSING}" if has_missing and not branch else ""
    return f"{'>' if branch else '<='} {number_text(threshold)}{also}"


def _leaf_text(class_weight: NDArray[np.float64], label: int, names: TreeNames) -> str:
    """Write a leaf's class, with the weight of its rows and of those of other classes."""
    weight = float(class_weight.sum())
    wrong = weight - float(class_weight[label])
    errors = f"/{wrong:.4g}" if wrong > 1e-6 else ""
    return f"{names.classes[label]} ({weight:.6g}{errors})"


def graph_message_text(graph: NodeGraph, parts: MessageParts, names: TreeNames) -> str:
    """Write the parts of a message, then the graph that it encodes."""
    joins = {node: f"[{place}]" for place, node in enumerate(graph.joins.tolist(), start=1)}
    lines = [parts_text(parts), *message_lines(graph, graph.saved, names, joins=joins)]
    for root, name in joins.items():
        n_branches = int(np.count_nonzero((graph.kind == JUMP) & (graph.first_child == root)))
        head = f"{name} joins {n_branches} branches: "
        lines += message_lines(graph, graph.saved, names, root, head, joins)
    return "\n".join(lines)
