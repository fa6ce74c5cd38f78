"""A tree as text, as C5.0 prints it."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from learners.shown_text import number_text
from learners.trees.display.text import TreeNames
from learners.trees.nodes.node_table import CUT, NodeTable
from learners.trees.pruning.c50_pruning import LEAST_LEAF, MergedLeaves

__all__ = ["c50_tree_text"]

WIDTH = 80  # a subtree with longer lines is printed below the tree
FIRST, GOES_ON, ENDS = ":...", ":   ", "    "


def c50_tree_text(tree: NodeTable, merged: MergedLeaves, names: TreeNames) -> str:
    """Return a tree as text, one line per branch, simplest first, with weight and errors of leaves."""
    writer = _Writer(tree, merged, names, _heights(tree))
    if tree.n_nodes == 1:
        return writer.leaf(0).strip()
    blocks, below = [], [0]
    for number, root in enumerate(below):  # grows during the loop
        head = [f"SubTree [S{number}]", ""] if number else []
        blocks.append("\n".join(head + list(writer.lines(root, below))))
    return "\n\n".join(blocks)


def _heights(tree: NodeTable) -> list[int]:
    height, parent = [1] * tree.n_nodes, tree.parent.tolist()
    for node in range(tree.n_nodes - 1, 0, -1):
        height[parent[node]] = max(height[parent[node]], height[node] + 1)
    return height


@dataclass(frozen=True)
class _Writer:
    tree: NodeTable
    merged: MergedLeaves
    names: TreeNames
    height: list[int]

    def lines(self, root: int, below: list[int]) -> Iterator[str]:
        """Yield the lines of a subtree, and add subtrees that are too wide to `below`."""
        stack = self._opened(root, "")
        while stack:
            node, first, prefix, under = stack.pop()
            text = (prefix[:-4] + FIRST if first and prefix else prefix) + self.branch(node)
            if self.tree.is_leaf[node]:
                yield f"{text}:{self.leaf(node)}"
            elif len(under) + self._width(node) > WIDTH:
                below.append(node)
                yield f"{text}: [S{len(below) - 1}]"
            else:
                yield f"{text}:"
                stack += self._opened(node, under)

    def _opened(self, node: int, prefix: str) -> list[tuple[int, bool, str, str]]:
        """Return branches in reverse: node, whether it is the first, its prefix and that of its subtree."""
        order = self._in_order(node)
        entries = [
            (child, place == 0, prefix, prefix + (ENDS if place == len(order) - 1 else GOES_ON))
            for place, child in enumerate(order)
        ]
        return entries[::-1]

    def _in_order(self, node: int) -> list[int]:
        """Return the branches: empty leaves from the last to the first, then the others by their heights."""
        every = [child for child in self.tree.children(node) if self.merged.first[child] == child]
        empty = [child for child in every if self._is_empty(child)]
        return empty[::-1] + sorted(
            (child for child in every if not self._is_empty(child)), key=lambda child: self.height[child]
        )

    def _is_empty(self, node: int) -> bool:
        return bool(self.tree.is_leaf[node]) and not self.merged.class_weight[node].any()

    def branch(self, node: int) -> str:
        """Write the condition of the branch that leads to a node."""
        tree, above = self.tree, int(self.tree.parent[node])
        attribute, first = int(tree.attribute[above]), int(tree.first_child[above])
        name = self.names.attributes[attribute]
        if tree.kind[above] == CUT:
            return f"{name} {'<=' if node == first else '>'} {number_text(tree.threshold[above])}"
        end = first + int(tree.n_children[above])
        merged = np.flatnonzero(self.merged.first[first:end] == node).tolist()
        values = [self.names.values[attribute][b] for b in merged]
        return f"{name} = {values[0]}" if len(values) == 1 else f"{name} in {{{','.join(values)}}}"

    def leaf(self, node: int) -> str:
        """Write the class of a leaf and the weights of its rows."""
        class_weight = self.merged.class_weight[node]
        weight = float(class_weight.sum())
        wrong = weight - float(class_weight[self.tree.label[node]])
        errors = f"/{wrong:.1f}".removesuffix(".0") if weight >= LEAST_LEAF and wrong >= 0.05 else ""
        return f" {self.names.classes[self.tree.label[node]]} ({f'{weight:.1f}'.removesuffix('.0')}{errors})"

    def _width(self, node: int) -> int:
        """Estimate the longest line of a node's branches as the program does: a number takes 4 characters."""
        attribute, longest = int(self.tree.attribute[node]), 0
        for branch, child in enumerate(self.tree.children(node)):
            value = 4 if self.tree.kind[node] == CUT else len(self.names.values[attribute][branch]) + 1
            leaf = len(self.names.classes[self.tree.label[child]]) + 6 if self.tree.is_leaf[child] else 0
            longest = max(longest, value + leaf)
        return len(self.names.attributes[attribute]) + 4 + longest
