"""C5.0's local pruning: C4.5's, with light branches judged together and a stop where a branch is regrown."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from learners._kernels.tree_pruning import ALLOWANCE, SLACK, add_counts, expected_errors
from learners._kernels.tree_rows import deeper, hand_down, longer, sort_by_branch, spread_missing

__all__ = ["FRAME", "prune_until_regrown"]

# A branch that gets less weight than this is not looked at.
LEAST_BRANCH = 0.05
# A branch takes its node's place only if it has this share of the rows; with less than the other share of
# them, what is below it is grown anew.
LEAST_SHARE, REGROWN_BELOW = 0.1, 0.95
# What is known of a node that is being worked on: its number, its rows (a range of `row` and one of `extra`),
# the branch that is next (-1 before the rows were looked at), where its entries of `place` begin, and whether
# branches may be regrown.
NODE, LO, HI, X_LO, X_HI, BRANCH, PLACE, REGROW = range(8)
FRAME = 8


@njit(cache=True, nogil=True)
def prune_until_regrown(
    codes: NDArray[Any],
    sizes: NDArray[np.int64],
    is_number: NDArray[np.bool_],
    y: NDArray[np.int32],
    kind: NDArray[np.int8],
    attribute: NDArray[np.int32],
    threshold: NDArray[np.float64],
    cut: NDArray[np.int64],
    first_child: NDArray[np.int32],
    n_children: NDArray[np.int32],
    class_weight: NDArray[np.float64],
    label: NDArray[np.int32],
    errors: NDArray[np.float64],
    cf: float,
    z: float,
    tail: float,
    min_weight: float,
    row: NDArray[np.int64],
    row_weight: NDArray[np.float64],
    extra: NDArray[np.int64],
    extra_weight: NDArray[np.float64],
    place: NDArray[np.int64],
    known: NDArray[np.float64],
    frame: NDArray[np.int64],
    as_leaf: NDArray[np.float64],
    depth: int,
) -> tuple[
    NDArray[np.int64],
    NDArray[np.float64],
    NDArray[np.int64],
    NDArray[np.float64],
    NDArray[np.int64],
    NDArray[np.float64],
    int,
]:
    """Prune from the leaves up, in place, until a node needs new branches or all is done.

    Returns the arrays that may have been enlarged, from `extra` on, and the depth of the node whose branches
    have to be grown anew (its test is that of its largest branch by then), or -1 if the tree is done. Call
    it again with the nodes enlarged.
    """
    held, held_weight, counts = np.empty(y.size, np.int64), np.empty(y.size), np.empty(class_weight.shape[1])
    pool = np.empty(class_weight.shape[1])
    room, room_weight, waiting = np.empty(y.size, np.int64), np.empty(y.size), np.empty((64, 3), np.int64)
    fork, fork_known = np.empty(n_children.max() + 3, np.int64), np.empty(n_children.max() + 1)
    while depth >= 0:
        node, lo, hi, x_lo, x_hi, branch, p, may_regrow = frame[depth]
        m = np.int64(n_children[node])
        n_places = 2 * m + 4
        if branch < 0:  # look at the rows
            branch = 0
            counts[:] = 0.0
            add_counts(row, row_weight, lo, hi, y, counts)
            add_counts(extra, extra_weight, x_lo, x_hi, y, counts)
            as_leaf[depth] = expected_errors(counts, cf, z, tail)
            class_weight[node] = counts
            label[node] = counts.argmax()
            if m:
                place, known = longer(place, p + n_places), longer(known, p + n_places)
                known[p : p + m] = 0.0
                a = attribute[node]
                test = codes[:, a], sizes[a], is_number[a], cut[node], m
                sort_by_branch(row, row_weight, lo, hi, test, place[p:], known[p:], held, held_weight)
                sort_by_branch(
                    extra, extra_weight, x_lo, x_hi, test, place[p + m + 2 :], known[p:], held, held_weight
                )
                total = known[p : p + m].sum()
                for b in range(m):  # with its part of the rows that miss the value
                    known[p + m + b] = known[p + b] / total * counts.sum() if total > 0.0 else 0.0
        while branch < m and known[p + m + branch] < LEAST_BRANCH - SLACK:
            branch += 1
        frame[depth, BRANCH] = branch + 1
        if branch < m:  # go down
            share = known[p + branch] / known[p : p + m].sum()
            extra, extra_weight, top = hand_down(
                row, row_weight, extra, extra_weight, place[p:], branch, m, share, x_hi
            )
            depth += 1
            frame, as_leaf = deeper(frame, depth + 1), longer(as_leaf, depth + 1)
            lower, upper = place[p + branch], place[p + branch + 1]
            frame[depth] = first_child[node] + branch, lower, upper, x_hi, top, -1, p + n_places, may_regrow
            continue
        errors[node] = as_leaf[depth]
        if m:
            as_tree, child = _of_branches(
                class_weight, errors, attribute, is_number, n_children, node, first_child[node],
                known[p + m : p + 2 * m], min_weight, cf, z, tail, pool,
            )  # fmt: skip
            bound, as_branch = as_tree + ALLOWANCE + SLACK, np.inf
            if child >= 0:
                size = hi - lo + x_hi - x_lo
                room, room_weight = longer(room, size), longer(room_weight, size)
                room[: hi - lo], room_weight[: hi - lo] = row[lo:hi], row_weight[lo:hi]
                room[hi - lo : size], room_weight[hi - lo : size] = extra[x_lo:x_hi], extra_weight[x_lo:x_hi]
                as_branch, room, room_weight, waiting = _expected_below(
                    codes, sizes, is_number, y, attribute, cut, first_child, n_children, child, size, bound,
                    min_weight, cf, z, tail, room, room_weight, waiting, fork, fork_known, held, held_weight,
                    counts, pool,
                )  # fmt: skip
            if as_leaf[depth] <= min(bound, as_branch + ALLOWANCE + SLACK):
                kind[node], attribute[node], threshold[node] = 0, -1, np.nan
                first_child[node], n_children[node] = -1, 0
            elif as_branch <= bound:
                few = class_weight[child].sum() < REGROWN_BELOW * class_weight[node].sum()
                kind[node], attribute[node], threshold[node] = kind[child], attribute[child], threshold[child]
                cut[node], label[node] = cut[child], label[child]
                first_child[node], n_children[node] = first_child[child], n_children[child]
                frame[depth, BRANCH] = -1
                frame[depth, REGROW] = 0
                if may_regrow and few:
                    return extra, extra_weight, place, known, frame, as_leaf, depth
                continue
            else:
                errors[node] = as_tree
        depth -= 1
    return extra, extra_weight, place, known, frame, as_leaf, depth


@njit(cache=True, nogil=True)
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
    """Return the expected errors of the branches, light ones pooled, and which may come up, or -1."""
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


@njit(cache=True, nogil=True)
def _expected_below(
    codes: NDArray[Any],
    sizes: NDArray[np.int64],
    is_number: NDArray[np.bool_],
    y: NDArray[np.int32],
    attribute: NDArray[np.int32],
    cut: NDArray[np.int64],
    first_child: NDArray[np.int32],
    n_children: NDArray[np.int32],
    root: int,
    size: int,
    bound: float,
    min_weight: float,
    cf: float,
    z: float,
    tail: float,
    row: NDArray[np.int64],
    weight: NDArray[np.float64],
    waiting: NDArray[np.int64],
    place: NDArray[np.int64],
    known: NDArray[np.float64],
    held: NDArray[np.int64],
    held_weight: NDArray[np.float64],
    counts: NDArray[np.float64],
    pool: NDArray[np.float64],
) -> tuple[float, NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Add up what a subtree is expected to do wrong with the first `size` rows, or stop above the bound.

    `row` is a stack of the rows of the nodes that wait, the node on top with its rows last.
    """
    total = 0.0
    waiting[0] = root, 0, size
    n_waiting = 1
    while n_waiting:
        n_waiting -= 1
        node, lo, hi = waiting[n_waiting]
        m = np.int64(n_children[node])
        if m == 0:
            counts[:] = 0.0
            add_counts(row, weight, lo, hi, y, counts)
            total += expected_errors(counts, cf, z, tail)
            if total > bound:
                return np.inf, row, weight, waiting
            continue
        a = attribute[node]
        known[:m] = 0.0
        test = codes[:, a], sizes[a], is_number[a], cut[node], m
        sort_by_branch(row, weight, lo, hi, test, place, known, held, held_weight)
        waiting = deeper(waiting, n_waiting + m)
        n_missing = place[m + 1] - place[m]
        of_known = known[:m].sum()
        ratio = 1.0
        if n_missing and of_known > 0.0:
            ratio = 1.0 + weight[place[m] : place[m + 1]].sum() / of_known
            row, weight = spread_missing(row, weight, place, known, m, held, held_weight)
        pool[:] = 0.0
        shift = 0
        for branch in range(m):
            if known[branch] <= 0.0:
                continue
            start, stop = place[branch] + shift, place[branch + 1] + shift + n_missing
            of_branch = known[branch] * ratio
            if of_branch >= min_weight - SLACK:
                waiting[n_waiting] = first_child[node] + branch, start, stop
                n_waiting += 1
            elif of_branch >= LEAST_BRANCH - SLACK:
                add_counts(row, weight, start, stop, y, pool)
            shift += n_missing
        total += expected_errors(pool, cf, z, tail)
    return total, row, weight, waiting
