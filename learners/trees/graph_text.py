"""A classification graph as text: what follows a join stands below, under its name."""

from collections.abc import Iterator

import numpy as np

from learners.code_lengths.tree import MessageParts
from learners.trees.message_text import INDENT, branch_label, leaf_label, parts_text
from learners.trees.node_graph import JUMP, NodeGraph
from learners.trees.node_table import CUT, LEAF
from learners.trees.text import Names

__all__ = ["graph_message_text"]


def graph_message_text(graph: NodeGraph, parts: MessageParts, names: Names) -> str:
    """Write the parts of a message, then the graph that it tells.

    Parameters
    ----------
    graph : NodeGraph
        The graph.
    parts : MessageParts
        The message.
    names : Names
        What columns, values and classes are called.

    Returns
    -------
    str
        Lines without a line feed at the end.
    """
    blocks = ["\n".join([parts_text(parts), *_lines(graph, names, 0, "")])]
    for number, root in enumerate(graph.joins.tolist(), start=1):
        n_branches = int(np.count_nonzero((graph.kind == JUMP) & (graph.first_child == root)))
        head = f"[{number}] joins {n_branches} branches: "
        blocks.append("\n".join(_lines(graph, names, root, head)))
    return "\n".join(blocks)


def _lines(graph: NodeGraph, names: Names, root: int, head: str) -> Iterator[str]:
    number = {node: f"[{place}]" for place, node in enumerate(graph.joins.tolist(), start=1)}
    stack = [(root, head, 0)]
    while stack:
        node, label, indent = stack.pop()
        before = INDENT * indent + label
        if graph.kind[node] == LEAF:
            yield before + leaf_label(graph.class_weight[node], int(graph.label[node]), names)
        elif graph.kind[node] == JUMP:
            yield f"{before}{number[int(graph.first_child[node])]}"
        else:
            attribute, threshold = int(graph.attribute[node]), float(graph.threshold[node])
            yield f"{before}{names.attributes[attribute]} saves {graph.saved[node]:.2f} bits"
            for branch, child in reversed(list(enumerate(graph.children(node)))):
                text = branch_label(graph.kind[node] == CUT, attribute, threshold, branch, names)
                stack.append((child, f"{text}: ", indent + 1))
