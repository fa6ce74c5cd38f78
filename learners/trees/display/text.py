"""A tree as text, as C4.5 and Weka print theirs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from learners.shown_text import number_text
from learners.trees.nodes.node_table import CUT, NodeTable

__all__ = ["C45_LAYOUT", "WEKA_LAYOUT", "TreeNames", "TextLayout", "tree_text"]

INDENT = "|   "


@dataclass(frozen=True)
class TreeNames:
    """The names of attributes, of their values by code (ignored for a numeric column), and of the classes."""

    attributes: Sequence[str]
    values: Sequence[Sequence[str]]
    classes: Sequence[str]


@dataclass(frozen=True)
class TextLayout:
    """How a program prints a tree."""

    leaves_first: bool  # whether branches that lead to leaves come before the others
    colon: bool  # whether a line ends with a colon although a subtree follows
    digits: int  # decimals of weights
    trimmed: bool  # whether zeros at the end of weights are dropped
    width: int | None  # a subtree with longer lines is printed below the tree, as in C4.5


C45_LAYOUT = TextLayout(leaves_first=True, colon=True, digits=1, trimmed=False, width=80)
WEKA_LAYOUT = TextLayout(leaves_first=False, colon=False, digits=2, trimmed=True, width=None)


def tree_text(tree: NodeTable, names: TreeNames, layout: TextLayout) -> str:
    """Return a tree as text, one line per branch, with the weight and nonzero `errors` of leaves."""
    if tree.n_nodes == 1:
        return _leaf_text(tree, names, layout, 0).strip()
    blocks = []
    below = [0]
    for number, root in enumerate(below):  # grows during the loop
        head = [f"Subtree [S{number}]", ""] if number else []
        blocks.append("\n".join(head + list(_lines(tree, names, layout, root, below))))
    return "\n\n".join(blocks)


def branch_text(tree: NodeTable, names: TreeNames, node: int, branch: int) -> str:
    """Write the condition of a branch, such as ``outlook = sunny`` or ``humidity <= 75``."""
    attribute = int(tree.attribute[node])
    if tree.kind[node] == CUT:
        sign = "<=" if branch == 0 else ">"
        return f"{names.attributes[attribute]} {sign} {number_text(tree.threshold[node])}"
    return f"{names.attributes[attribute]} = {names.values[attribute][branch]}"


def _lines(
    tree: NodeTable, names: TreeNames, layout: TextLayout, root: int, below: list[int]
) -> Iterator[str]:
    """Yield the lines of a subtree, and add subtrees that are too wide to `below`."""
    stack = [(child, 0) for child in reversed(_in_order(tree, layout, root))]
    while stack:
        node, indent = stack.pop()
        above = int(tree.parent[node])
        text = INDENT * indent + branch_text(tree, names, above, node - int(tree.first_child[above]))
        if layout.colon and tree.kind[above] == CUT:
            text += " "
        if tree.is_leaf[node]:
            yield f"{text}:{_leaf_text(tree, names, layout, node)}"
        elif layout.width is not None and _width(tree, names, node, indent + 1) > layout.width:
            below.append(node)
            yield f"{text}:[S{len(below) - 1}]"
        else:
            yield text + ":" * layout.colon
            stack += [(child, indent + 1) for child in reversed(_in_order(tree, layout, node))]


def _in_order(tree: NodeTable, layout: TextLayout, node: int) -> list[int]:
    children = list(tree.children(node))
    if layout.leaves_first:
        children.sort(key=lambda child: not tree.is_leaf[child])
    return children


def _leaf_text(tree: NodeTable, names: TreeNames, layout: TextLayout, leaf: int) -> str:
    weight, errors = (_weight_text(float(x), layout) for x in (tree.weight[leaf], tree.errors[leaf]))
    wrong = f"/{errors}" if tree.errors[leaf] > 1e-6 else ""
    return f" {names.classes[tree.label[leaf]]} ({weight}{wrong})"


def _weight_text(weight: float, layout: TextLayout) -> str:
    return repr(round(weight, layout.digits)) if layout.trimmed else f"{weight:.{layout.digits}f}"


def _width(tree: NodeTable, names: TreeNames, node: int, indent: int) -> int:
    """Estimate the longest line of a node's branches as C4.5 does: a number takes 4 characters."""
    attribute = int(tree.attribute[node])
    longest = 0
    for branch, child in enumerate(tree.children(node)):
        value = 4 if tree.kind[node] == CUT else len(names.values[attribute][branch])
        leaf = len(names.classes[tree.label[child]]) + 6 if tree.is_leaf[child] else 0
        longest = max(longest, value + 1 + leaf)
    return len(INDENT) * indent + len(names.attributes[attribute]) + 4 + longest
