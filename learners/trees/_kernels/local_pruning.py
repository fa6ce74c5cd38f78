"""C5.0's local pruning: C4.5's, but with light branches pooled and a pause where a branch is regrown."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.trees._kernels.expected import (
    ALLOWANCE,
    LEAST_BRANCH,
    SLACK,
    PrunedNodes,
    expected_below,
    expected_errors,
    make_leaf,
    take_place,
)
from learners.trees._kernels.frames import (
    BRANCH,
    FRAME,
    NODE,
    PLACE,
    REGROW,
    count_rows,
    gather_rows,
    go_down,
    sort_rows,
    top_frame,
)
from learners.trees._kernels.rows import longer

__all__ = ["PruningState", "begin_state", "prune_until_regrown"]

# A branch replaces its node only if it has this share of the rows; with less than the second share, its
# subtree is regrown.
LEAST_SHARE, REGROWN_BELOW = 0.1, 0.95


class PruningState(NamedTuple):
    """The state kept between two calls: the rows of the nodes with their weights, as in `frames`."""

    row: NDArray[np.int64]
    row_weight: NDArray[np.float64]
    extra: NDArray[np.int64]
    extra_weight: NDArray[np.float64]
    place: NDArray[np.int64]  # where branches begin among the rows
    known: NDArray[np.float64]  # weights of the branches
    frame: NDArray[np.int64]  # the nodes on the path to the present one
    as_leaf: NDArray[np.float64]  # their expected errors as leaves
    depth: int  # of the node to regrow, whose test is that of its largest branch; -1 when the tree is done


def begin_state(weight: NDArray[np.float64], regrow: bool) -> PruningState:
    """Begin at the root with all rows. `regrow` is whether branches may be regrown."""
    no_rows, no_weight = np.empty(0, np.int64), np.empty(0)
    frame = top_frame(weight.size, regrow)
    return PruningState(
        np.arange(weight.size), weight.copy(), no_rows, no_weight, no_rows, no_weight, frame, np.empty(64), 0
    )


@kernel
def prune_until_regrown(
    table: tuple[NDArray[Any], NDArray[np.int64], NDArray[np.bool_], NDArray[np.int32]],
    nodes: PrunedNodes,
    bound: tuple[float, float, float],
    min_weight: float,
    state: PruningState,
) -> PruningState:
    """Prune from the leaves up, in place, until a node needs new branches or the tree is done."""
    # `table` and `bound` as for `prune_nodes`
    codes, sizes, is_number, y = table
    attribute, cut, first_child, n_children, class_weight, label, errors, source = nodes
    row, row_weight, extra, extra_weight, place, known, frame, as_leaf, depth = state
    held, held_weight, counts = np.empty(y.size, np.int64), np.empty(y.size), np.empty(class_weight.shape[1])
    room, room_weight, waiting = np.empty(y.size, np.int64), np.empty(y.size), np.empty(192, np.int64)
    forks = np.empty(n_children.max() + 3, np.int64), np.empty(n_children.max() + 1)
    below = attribute, cut, first_child, n_children, np.full(n_children.size, -1), class_weight, errors
    while depth >= 0:
        f = depth * FRAME
        node, branch, p = frame[f + NODE], frame[f + BRANCH], frame[f + PLACE]
        m = np.int64(n_children[node])
        if branch < 0:  # count the rows
            branch = 0
            count_rows(frame, f, row, row_weight, extra, extra_weight, y, counts)
            as_leaf[depth] = expected_errors(counts, *bound)
            class_weight[node], label[node] = counts, counts.argmax()
            if m:
                a = attribute[node]
                place, known = sort_rows(
                    frame, f, (codes[:, a], sizes[a], is_number[a], cut[node], m), row, row_weight, extra,
                    extra_weight, place, known, held, held_weight,
                )  # fmt: skip
                total = known[p : p + m].sum()
                for b in range(m):  # with its share of the rows that miss the value
                    known[p + m + b] = known[p + b] / total * counts.sum() if total > 0.0 else 0.0
        while branch < m and known[p + m + branch] < LEAST_BRANCH - SLACK:
            branch += 1
        frame[f + BRANCH] = branch + 1
        if branch < m:
            child, share = np.int64(first_child[node]) + branch, known[p + branch] / known[p : p + m].sum()
            frame, extra, extra_weight = go_down(
                frame, f, child, branch, m, share, row, row_weight, extra, extra_weight, place
            )
            depth += 1
            as_leaf = longer(as_leaf, depth + 1)
            continue
        errors[node] = as_leaf[depth]
        if m:
            as_tree, child = _of_branches(
                class_weight, errors, attribute, is_number, n_children, node, first_child[node],
                known[p + m : p + 2 * m], min_weight, *bound, counts,
            )  # fmt: skip
            most, as_branch = as_tree + ALLOWANCE + SLACK, np.inf
            if child >= 0:
                room, room_weight, size = gather_rows(
                    frame, f, row, row_weight, extra, extra_weight, room, room_weight
                )
                as_branch, room, room_weight, waiting = expected_below(
                    table, below, (*forks, held, held_weight, counts), child, size, most, min_weight, *bound,
                    room, room_weight, waiting,
                )  # fmt: skip
            if as_leaf[depth] <= min(most, as_branch + ALLOWANCE + SLACK):
                make_leaf(node, attribute, first_child, n_children, source)
            elif as_branch <= most:
                regrows = class_weight[child].sum() < REGROWN_BELOW * class_weight[node].sum()
                regrows &= frame[f + REGROW] > 0
                take_place(node, child, attribute, cut, first_child, n_children, label, source)
                frame[f + BRANCH], frame[f + REGROW] = -1, 0
                if regrows:
                    break
                continue
            else:
                errors[node] = as_tree
        depth -= 1
    return PruningState(row, row_weight, extra, extra_weight, place, known, frame, as_leaf, depth)


@kernel
def _of_branches(
    class_weight: NDArray[np.float64],
    errors: NDArray[np.float64],
    attribute: NDArray[np.int32],
    is_number: NDArray[np.bool_],
    n_children: NDArray[np.int32],
    node: int,
    first: int,
    weight: NDArray[np.float64],
    min_weight: float,
    cf: float,
    z: float,
    tail: float,
    pool: NDArray[np.float64],
) -> tuple[float, int]:
    """Return the expected errors of the branches, light ones pooled, and the branch to raise, or -1."""
    total = 0.0
    pool[:] = 0.0
    best = -1
    most = LEAST_SHARE * class_weight[node].sum() - 2.0 * SLACK
    a = attribute[node]
    for b in range(weight.size):
        child = first + b
        if weight[b] < LEAST_BRANCH - SLACK:
            continue
        if weight[b] < min_weight - SLACK:
            pool += class_weight[child]
        else:
            total += errors[child]
        if n_children[child] and not (is_number[a] and attribute[child] == a) and weight[b] > most + SLACK:
            best = child
            most = weight[b]
    return total + expected_errors(pool, cf, z, tail), best
