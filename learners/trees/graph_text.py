"""A classification graph as text: what follows a join stands below, under its name."""

import numpy as np

from learners.code_lengths.tree import MessageParts
from learners.trees.message_text import message_lines, parts_text
from learners.trees.node_graph import JUMP, NodeGraph
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
    joins = {node: f"[{place}]" for place, node in enumerate(graph.joins.tolist(), start=1)}
    lines = [parts_text(parts), *message_lines(graph, graph.saved, names, joins=joins)]
    for root, name in joins.items():
        n_branches = int(np.count_nonzero((graph.kind == JUMP) & (graph.first_child == root)))
        head = f"{name} joins {n_branches} branches: "
        lines += message_lines(graph, graph.saved, names, root, head, joins)
    return "\n".join(lines)
