"""Growth in single precision in C4.5's order: a node with its whole subtree, then the next.

Rows that miss the tested value have their weight multiplied by each branch's share, and divided by it
afterwards. So the weights in a branch, and the order in which they are summed, depend on everything done
before, and nodes cannot be grown in batches.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners.compiled import kernel
from learners.trees._kernels.gain_single import (
    EPSILON,
    NONE,
    Columns,
    Room,
    judge_cuts,
    judge_values,
    room_for_gains,
)
from learners.trees._kernels.rows import longer
from learners.trees._kernels.single_rows import OrderedRows, bring_forward, weigh

__all__ = ["SingleNodes", "grow_in_single_precision"]

# A node on the path: its number, its places, where the rows with a known value begin, where those of its
# branch end, and that branch (-1 before the node is examined).
NODE, LO, HI, KNOWN, STOP, BRANCH = range(6)
FRAME = 6
# Its weights: its errors as a leaf, the rows with a known value, and the share of them in its branch.
AS_LEAF, KNOWN_WEIGHT, SHARE = range(3)
FIGURES = 3
NO_LIMIT = np.float32(1e6)  # average gain if no attribute counts


class SingleNodes(NamedTuple):
    """The nodes of a tree, including those below a node that became a leaf again.

    Attributes
    ----------
    attribute, cut, first_child, n_children, label : ndarray of int64, shape (n_nodes,)
        As in a `NodeTable`; `cut` is the largest code of the low side.
    class_weight : ndarray of float32, shape (n_nodes * n_classes,)
    errors : ndarray of float32, shape (n_nodes,)
        On the training rows, added up from the leaves.
    """

    attribute: NDArray[np.int64]
    cut: NDArray[np.int64]
    first_child: NDArray[np.int64]
    n_children: NDArray[np.int64]
    label: NDArray[np.int64]
    class_weight: NDArray[np.float32]
    errors: NDArray[np.float32]


@kernel
def grow_in_single_precision(rows: OrderedRows, columns: Columns, n_classes: int) -> tuple[SingleNodes, int]:
    """Grow the tree, and make a leaf of every node whose branches save no errors.

    Return the nodes, in arrays that may be longer, and their number. Places and weights of `rows` change.
    """
    room = room_for_gains(columns, rows.y.size, n_classes)
    tested = np.zeros(columns.sizes.size, np.bool_)
    nodes, n_nodes = _with_leaves(_no_nodes(), 0, 1, 0, n_classes), 1
    frame, figures = np.zeros(64 * FRAME, np.int64), np.zeros(64 * FIGURES, np.float32)
    frame[HI], frame[BRANCH] = rows.y.size, -1
    depth = 0
    while depth >= 0:
        here, figure = frame[depth * FRAME : (depth + 1) * FRAME], figures[depth * FIGURES :]
        node = here[NODE]
        if here[BRANCH] < 0:
            if not _found_test(rows, here, figure, columns, tested, room, nodes, n_classes):
                depth -= 1
                continue
            nodes = _with_leaves(nodes, n_nodes, nodes.n_children[node], nodes.label[node], n_classes)
            nodes.first_child[node] = n_nodes
            n_nodes += nodes.n_children[node]
        else:
            nodes.errors[node] += nodes.errors[nodes.first_child[node] + here[BRANCH]]
        if not _next_branch(rows, here, figure, columns, nodes):
            _finish(node, figure[AS_LEAF], tested, nodes)
            depth -= 1
            continue
        depth += 1
        frame, figures = longer(frame, (depth + 1) * FRAME), longer(figures, (depth + 1) * FIGURES)
        above, below = (depth - 1) * FRAME, depth * FRAME
        frame[below + NODE] = nodes.first_child[node] + frame[above + BRANCH]
        frame[below + LO], frame[below + HI] = frame[above + LO], frame[above + STOP]
        frame[below + BRANCH] = -1
    return nodes, n_nodes


@kernel
def _found_test(
    rows: OrderedRows,
    here: NDArray[np.int64],
    figure: NDArray[np.float32],
    columns: Columns,
    tested: NDArray[np.bool_],
    room: Room,
    nodes: SingleNodes,
    n_classes: int,
) -> bool:
    """Weigh a node and choose its test, if any; rows that miss the value move to its front."""
    node, lo, hi = here[NODE], here[LO], here[HI]
    whole = weigh(rows, lo, hi)
    counts = nodes.class_weight[node * n_classes : (node + 1) * n_classes]
    for i in range(lo, hi):
        counts[rows.y[rows.row[i]]] += rows.weight[i]
    label = np.argmax(counts)
    as_leaf = np.float32(whole - counts[label])
    nodes.label[node], nodes.errors[node] = label, as_leaf
    if counts[label] == whole or whole < 2.0 * columns.min_weight:
        return False
    a = _best_test(rows, lo, hi, columns, tested, room)
    if a < 0:
        return False
    is_number = columns.is_number[a]
    tested[a] = not is_number
    nodes.attribute[node], nodes.cut[node] = a, room.cut[a]
    nodes.n_children[node] = 2 if is_number else columns.sizes[a]
    nodes.errors[node] = np.float32(0.0)
    here[KNOWN] = bring_forward(rows, lo, hi, (a, columns.sizes[a], is_number, room.cut[a]), -1)
    figure[AS_LEAF], figure[KNOWN_WEIGHT] = as_leaf, whole - weigh(rows, lo, here[KNOWN])
    return True


@kernel
def _best_test(
    rows: OrderedRows, lo: int, hi: int, columns: Columns, tested: NDArray[np.bool_], room: Room
) -> int:
    """Return the attribute of the best gain ratio among those of at least average gain, or -1.

    Each numeric attribute examined reorders the rows of the range.
    """
    total, n = np.float32(0.0), 0
    gain, info = room.gain, room.info
    for a in range(columns.sizes.size):
        gain[a], info[a] = NONE, np.float32(0.0)
        if columns.is_number[a]:
            judge_cuts(rows, lo, hi, a, columns, room)
        elif not tested[a]:
            judge_values(rows, lo, hi, a, columns, room)
        if gain[a] > -EPSILON and columns.counted[a]:
            total += gain[a]
            n += 1
    average = np.float32(total / np.float32(n)) if n else NO_LIMIT
    best, best_ratio = -1, NONE
    for a in range(columns.sizes.size):
        if gain[a] > -EPSILON and gain[a] >= average - EPSILON and info[a] > EPSILON:
            ratio = np.float32(gain[a] / info[a])
            if ratio > best_ratio:
                best, best_ratio = a, ratio
    return best


@kernel
def _next_branch(
    rows: OrderedRows,
    here: NDArray[np.int64],
    figure: NDArray[np.float32],
    columns: Columns,
    nodes: SingleNodes,
) -> bool:
    """Leave a branch and enter the next one with rows; rows that miss the value enter with its share."""
    node, lo, known = here[NODE], here[LO], here[KNOWN]
    a = nodes.attribute[node]
    test = a, columns.sizes[a], columns.is_number[a], nodes.cut[node]
    if here[BRANCH] >= 0:
        bring_forward(rows, lo, here[STOP], test, -1)
        for i in range(lo, known):
            rows.weight[i] = rows.weight[i] / figure[SHARE]
    for branch in range(here[BRANCH] + 1, nodes.n_children[node]):
        stop = bring_forward(rows, known, here[HI], test, branch)
        share = np.float32(weigh(rows, known, stop) / figure[KNOWN_WEIGHT])
        if share > 0.0:
            for i in range(lo, known):
                rows.weight[i] = rows.weight[i] * share
            here[STOP], here[BRANCH], figure[SHARE] = stop, branch, share
            return True
    return False


@kernel
def _finish(node: int, as_leaf: np.float32, tested: NDArray[np.bool_], nodes: SingleNodes) -> None:
    """Leave a node; make it a leaf if its branches save no errors."""
    tested[nodes.attribute[node]] = False
    if nodes.errors[node] >= as_leaf - EPSILON:
        nodes.attribute[node], nodes.first_child[node], nodes.n_children[node] = -1, -1, 0


@kernel
def _no_nodes() -> SingleNodes:
    none = np.empty(0, np.int64)
    return SingleNodes(none, none, none, none, none, np.empty(0, np.float32), np.empty(0, np.float32))


@kernel
def _with_leaves(nodes: SingleNodes, n_nodes: int, n: int, label: int, n_classes: int) -> SingleNodes:
    """Append leaves without rows, in arrays that may be longer than requested."""
    end = n_nodes + n
    more = SingleNodes(
        longer(nodes.attribute, end),
        longer(nodes.cut, end),
        longer(nodes.first_child, end),
        longer(nodes.n_children, end),
        longer(nodes.label, end),
        longer(nodes.class_weight, end * n_classes),
        longer(nodes.errors, end),
    )
    more.attribute[n_nodes:end] = -1
    more.cut[n_nodes:end] = 0
    more.first_child[n_nodes:end] = -1
    more.n_children[n_nodes:end] = 0
    more.label[n_nodes:end] = label
    more.class_weight[n_nodes * n_classes : end * n_classes] = np.float32(0.0)
    more.errors[n_nodes:end] = np.float32(0.0)
    return more
