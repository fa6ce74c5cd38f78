"""Rows of a node, sorted by branch, as pruning needs them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.tables._kernels.copying import copy_to
from learners.trees._kernels.split import branch_of

__all__ = ["hand_down", "longer", "sort_by_branch", "sort_by_leaf", "spread_missing"]


@kernel
def sort_by_leaf(
    codes: NDArray[Any],
    sizes: NDArray[np.int64],
    is_number: NDArray[np.bool_],
    attribute: NDArray[np.int32],
    cut: NDArray[np.int64],
    first_child: NDArray[np.int32],
    rank: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Order the rows by the rank of their leaves, so that the rows of each node are contiguous."""
    n = codes.shape[0]
    leaf = np.empty(n, np.int64)
    place = np.zeros(rank.size + 1, np.int64)
    for i in range(n):
        node = np.int64(0)
        while attribute[node] >= 0:
            a = attribute[node]
            branch = branch_of(np.int64(codes[i, a]), sizes[a], is_number[a], cut[node])
            node = np.int64(first_child[node]) + max(branch, 0)
        leaf[i] = rank[node]
        place[leaf[i] + 1] += 1
    for j in range(rank.size):
        place[j + 1] += place[j]
    order = np.empty(n, np.int64)
    for i in range(n):
        order[place[leaf[i]]] = i
        place[leaf[i]] += 1
    return order


@kernel
def sort_by_branch(
    row: NDArray[np.int64],
    weight: NDArray[np.float64],
    lo: int,
    hi: int,
    test: tuple[NDArray[Any], int, bool, int, int],
    place: NDArray[np.int64],
    known: NDArray[np.float64],
    held: NDArray[np.int64],
    held_weight: NDArray[np.float64],
) -> None:
    """Sort a range of rows by branch, missing values last, and add the weights to `known`."""
    # `place` receives the start of each branch, of the missing values, and the end
    column, size, is_number, cut, m = test
    place[: m + 2] = 0
    last = np.int64(0)
    in_order = True
    for i in range(lo, hi):
        branch = branch_of(np.int64(column[row[i]]), size, is_number, cut)
        if branch < 0:
            branch = m
        else:
            known[branch] += weight[i]
        place[branch + 1] += 1
        in_order &= branch >= last
        last = branch
    place[0] = lo
    for b in range(m + 1):
        place[b + 1] += place[b]
    if in_order:
        return
    for i in range(lo, hi):
        branch = branch_of(np.int64(column[row[i]]), size, is_number, cut)
        if branch < 0:
            branch = m
        held[place[branch] - lo] = row[i]
        held_weight[place[branch] - lo] = weight[i]
        place[branch] += 1
    for b in range(m, -1, -1):
        place[b + 1] = place[b]
    place[0] = lo
    copy_to(row[lo:], held[: hi - lo])
    copy_to(weight[lo:], held_weight[: hi - lo])


@kernel
def hand_down(
    row: NDArray[np.int64],
    row_weight: NDArray[np.float64],
    extra: NDArray[np.int64],
    extra_weight: NDArray[np.float64],
    place: NDArray[np.int64],
    branch: int,
    m: int,
    share: float,
    top: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64], int]:
    """Push a branch's extra rows, and its share of those that miss the value, onto the stack at `top`."""
    of_extra = place[m + 2 :]
    n = of_extra[branch + 1] - of_extra[branch] + place[m + 1] - place[m] + of_extra[m + 1] - of_extra[m]
    extra, extra_weight = longer(extra, top + n), longer(extra_weight, top + n)
    for i in range(of_extra[branch], of_extra[branch + 1]):
        extra[top], extra_weight[top] = extra[i], extra_weight[i]
        top += 1
    for i in range(place[m], place[m + 1]):
        extra[top], extra_weight[top] = row[i], share * row_weight[i]
        top += 1
    for i in range(of_extra[m], of_extra[m + 1]):
        extra[top], extra_weight[top] = extra[i], share * extra_weight[i]
        top += 1
    return extra, extra_weight, top


@kernel
def spread_missing(
    row: NDArray[np.int64],
    weight: NDArray[np.float64],
    place: NDArray[np.int64],
    known: NDArray[np.float64],
    m: int,
    held: NDArray[np.int64],
    held_weight: NDArray[np.float64],
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Append copies of the rows that miss a value, the last ones, to the rows of each branch."""
    first = place[m]
    n = place[m + 1] - first
    held[:n], held_weight[:n] = row[first : first + n], weight[first : first + n]
    branches = np.flatnonzero(known[:m] > 0.0)
    total = known[:m].sum()
    row, weight = longer(row, first + n * branches.size), longer(weight, first + n * branches.size)
    for j in range(branches.size - 1, -1, -1):
        branch = branches[j]
        share = known[branch] / total
        to = place[branch + 1] + (j + 1) * n
        for i in range(n):
            row[to - n + i], weight[to - n + i] = held[i], share * held_weight[i]
        for i in range(place[branch + 1] - 1, place[branch] - 1, -1):
            row[i + j * n], weight[i + j * n] = row[i], weight[i]
    return row, weight


@kernel
def longer(array: NDArray[Any], size: int) -> NDArray[Any]:
    """Return the array, or a copy with room for twice `size` entries."""
    if size <= array.size:
        return array
    out = np.empty(2 * size, array.dtype)
    copy_to(out, array)
    return out
