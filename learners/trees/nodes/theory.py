"""The cost of coding the decisions of a tree or a graph, without the rows, in bits."""

import numpy as np
from numpy.typing import NDArray

from learners.code_lengths.theory import TheoryLength, choice_bits, decision_bits
from learners.trees.nodes.node_graph import JUMP, NodeGraph
from learners.trees.nodes.node_table import CUT, LEAF, NodeTable

__all__ = ["graph_theory", "tree_theory"]


def tree_theory(tree: NodeTable, n_cuts: NDArray[np.int64]) -> TheoryLength:
    """Return the complexity of a tree."""
    # For each node, from the root down, the code states whether it is a test or a leaf; for each test the
    # attribute; for a test of a number the gap in which it cuts, all gaps being equally likely; for each
    # leaf, empty ones included, the class. So three kinds of decisions are learned.
    return _node_theory(tree, n_cuts, 0.0)


def graph_theory(graph: NodeGraph, n_cuts: NDArray[np.int64], *, may_join: bool) -> TheoryLength:
    """Return the complexity of a graph. Joins belong to its `shape`."""
    # As `tree_theory`, but a node where branches join is encoded once, and each branch states, depth first,
    # whether it leads to such a node (one more kind of decision) and, if so, to which: one of the j already
    # met, or a new one, which is encoded there: j + 1 equally likely alternatives.
    return _node_theory(graph, n_cuts, _join_bits(graph) if may_join else 0.0)


def _node_theory(nodes: NodeTable | NodeGraph, n_cuts: NDArray[np.int64], joins: float) -> TheoryLength:
    is_leaf = nodes.kind == LEAF
    is_test = ~is_leaf & (nodes.kind != JUMP)
    asked = nodes.attribute[is_test]
    return TheoryLength(
        shape=joins + decision_bits([np.count_nonzero(is_test), np.count_nonzero(is_leaf)]),
        attributes=decision_bits(np.bincount(asked, minlength=n_cuts.size)),
        values=choice_bits(n_cuts[nodes.attribute[nodes.kind == CUT]]),
        classes=decision_bits(np.bincount(nodes.label[is_leaf], minlength=nodes.class_weight.shape[1])),
    )


def _join_bits(graph: NodeGraph) -> float:
    """Return the bits that state for each branch whether it joins others, and where."""
    waiting, met, alternatives = [0], set[int](), []
    while waiting:
        node = waiting.pop()
        if graph.kind[node] == JUMP:
            alternatives.append(len(met) + 1)
            while graph.kind[node] == JUMP:
                node = int(graph.first_child[node])
            if node in met:
                continue
            met.add(node)
        waiting += reversed(graph.children(node))
    n_branches = int(graph.n_children[graph.kind != JUMP].sum())
    return decision_bits([n_branches - len(alternatives), len(alternatives)]) + choice_bits(alternatives)
