"""A tree or graph of shortest message as text, with the bits that its tests save."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from learners.code_lengths.tree import MessageParts
from learners.trees.node_table import CUT, NodeTable
from learners.trees.text import Names, number_text

__all__ = ["INDENT", "branch_label", "leaf_label", "message_names", "parts_text", "tree_message_text"]

INDENT = "|   "
MISSING = "missing"


def tree_message_text(tree: NodeTable, saved: NDArray[np.float64], parts: MessageParts, names: Names) -> str:
    """Write the parts of a message, then the tree that it tells.

    Parameters
    ----------
    tree : NodeTable
        The tree.
    saved : ndarray of float64, shape (n_nodes,)
        Bits that each test saves.
    parts : MessageParts
        The message.
    names : Names
        What columns, values and classes are called.

    Returns
    -------
    str
        Lines without a line feed at the end.
    """
    return "\n".join([parts_text(parts), *_tree_lines(tree, saved, names)])


def _tree_lines(tree: NodeTable, saved: NDArray[np.float64], names: Names) -> Iterator[str]:
    stack = [(0, "", 0)]
    while stack:
        node, label, indent = stack.pop()
        before = INDENT * indent + label
        if tree.is_leaf[node]:
            yield before + leaf_label(tree.class_weight[node], int(tree.label[node]), names)
            continue
        yield f"{before}{names.attributes[tree.attribute[node]]} saves {saved[node]:.2f} bits"
        is_cut, attribute, threshold = tree.kind[node] == CUT, int(tree.attribute[node]), tree.threshold[node]
        for branch, child in reversed(list(enumerate(tree.children(node)))):
            told = branch_label(is_cut, attribute, float(threshold), branch, names)
            stack.append((child, f"{told}: ", indent + 1))


def parts_text(parts: MessageParts) -> str:
    """Write the length of a message and its parts; those of joins and alpha only where there are any."""
    shown = {
        "structure": parts.structure,
        "attributes": parts.attributes,
        "cuts": parts.cuts,
        "joins": parts.joins,
        "categories": parts.categories,
        "alpha": parts.alpha,
    }
    always = ("structure", "attributes", "cuts", "categories")
    told = [f"{name} {bits:.2f}" for name, bits in shown.items() if bits > 0 or name in always]
    return f"{parts.total:.2f} bits: {', '.join(told)}"


def branch_label(is_cut: bool, attribute: int, threshold: float, branch: int, names: Names) -> str:
    """Write what a branch takes, such as ``sunny`` or ``<= 75``."""
    if not is_cut:
        return str(names.values[attribute][branch])
    has_missing = bool(names.values[attribute])
    if threshold == -np.inf:
        return "known" if branch else MISSING
    also = f" or {MISSING}" if has_missing and not branch else ""
    return f"{'>' if branch else '<='} {number_text(threshold)}{also}"


def leaf_label(class_weight: NDArray[np.float64], label: int, names: Names) -> str:
    """Write a leaf's class, with the weight of its rows and of those of other classes."""
    weight = float(class_weight.sum())
    wrong = weight - float(class_weight[label])
    errors = f"/{wrong:.4g}" if wrong > 1e-6 else ""
    return f"{names.classes[label]} ({weight:.6g}{errors})"


def message_names(names: Names, has_missing: NDArray[np.bool_]) -> Names:
    """Add the name of missing values to the columns where they count as a value."""
    values = [
        (*states, MISSING) if missing else tuple(states)
        for states, missing in zip(names.values, has_missing.tolist(), strict=True)
    ]
    return Names(names.attributes, values, names.classes)
