"""What leaves, and branches in the place of their nodes, are expected to do wrong: the measure of pruning."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners.compiled import kernel
from learners.trees._kernels.rows import longer, sort_by_branch, spread_missing

__all__ = [
    "ALLOWANCE",
    "LEAST_BRANCH",
    "SLACK",
    "PrunedNodes",
    "added_errors",
    "expected_below",
    "expected_errors",
    "make_leaf",
    "take_place",
]

# Errors that a simpler tree may be expected to make on top of those of the tree that it replaces.
ALLOWANCE = 0.1
# Parts of rows do not add up exactly.
SLACK = 1e-6
# Where light branches are pooled, one of less weight than this is not looked at.
LEAST_BRANCH = 0.05


class PrunedNodes(NamedTuple):
    """The nodes of a tree on their way, as the kernels of pruning change them.

    Attributes
    ----------
    attribute, first_child, n_children, class_weight, label, errors
        As in a `NodeTable`.
    cut : ndarray of int64, shape (n_nodes,)
        Largest code of the low side of a cut.
    source : ndarray of int64, shape (n_nodes,)
        The node that had the test of each node at first; -1 in a leaf.
    """

    attribute: NDArray[np.int32]
    cut: NDArray[np.int64]
    first_child: NDArray[np.int32]
    n_children: NDArray[np.int32]
    class_weight: NDArray[np.float64]
    label: NDArray[np.int32]
    errors: NDArray[np.float64]
    source: NDArray[np.int64]


@kernel
def added_errors(weight: float, errors: float, cf: float, z: float, tail: float) -> float:
    """Return what a leaf is expected to do wrong beyond its errors; (z, tail) are C4.5's or Weka's."""
    if errors >= 0.9999:
        return _added_to_one_or_more(weight, errors, z, tail)
    none = weight * (1.0 - cf ** (1.0 / weight))
    if errors < SLACK:
        return none
    return none + errors * (_added_to_one_or_more(weight, 1.0, z, tail) - none)


@kernel
def _added_to_one_or_more(weight: float, errors: float, z: float, tail: float) -> float:
    if errors + 0.5 >= weight:
        return tail * (weight - errors) if tail < 1.0 else max(weight - errors, 0.0)
    e = errors + 0.5
    z2 = z * z
    rate = (e + z2 / 2.0 + np.sqrt(z2 * (e * (1.0 - e / weight) + z2 / 4.0))) / (weight + z2)
    return weight * rate - errors


@kernel
def expected_errors(counts: NDArray[np.float64], cf: float, z: float, tail: float) -> float:
    """Return the errors that a leaf with these rows is expected to make; none without rows."""
    total = counts.sum()
    if total <= 0.0:
        return 0.0
    wrong = total - counts.max()
    return wrong + added_errors(total, wrong, cf, z, tail)


@kernel
def make_leaf(
    node: int,
    attribute: NDArray[np.int32],
    first_child: NDArray[np.int32],
    n_children: NDArray[np.int32],
    source: NDArray[np.int64],
) -> None:
    """Take the test of a node away."""
    attribute[node], first_child[node], n_children[node], source[node] = -1, -1, 0, -1


@kernel
def take_place(
    node: int,
    child: int,
    attribute: NDArray[np.int32],
    cut: NDArray[np.int64],
    first_child: NDArray[np.int32],
    n_children: NDArray[np.int32],
    label: NDArray[np.int32],
    source: NDArray[np.int64],
) -> None:
    """Put a child in the place of its node."""
    attribute[node], cut[node], source[node] = attribute[child], cut[child], source[child]
    first_child[node], n_children[node], label[node] = first_child[child], n_children[child], label[child]


@kernel
def expected_below(
    table: tuple[NDArray[Any], ...],
    nodes: tuple[NDArray[Any], ...],
    work: tuple[NDArray[Any], ...],
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
) -> tuple[float, NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Add up what the leaves below a node are expected to do wrong with the first `size` rows of `row`.

    `row` is a stack of the rows of the nodes that wait, the node on top with its rows last. Branches lighter
    than `min_weight` are judged as one leaf. Stops with infinity as soon as the sum is above the bound, and
    looks no further where the rows are those that the node already has (as many as `n_rows`, -1 where that
    is not known, and as heavy). Returns the sum, and the three arrays, which may have been enlarged.
    """
    codes, sizes, is_number, y = table
    attribute, cut, first_child, n_children, n_rows, class_weight, errors = nodes
    place, known, held, held_weight, counts = work
    total = 0.0
    waiting[0], waiting[1], waiting[2] = root, 0, size
    top = 3
    while top:
        top -= 3
        node, lo, hi = waiting[top], waiting[top + 1], waiting[top + 2]
        m = np.int64(n_children[node])
        as_before = hi - lo == n_rows[node] and _weigh(weight, lo, hi, class_weight[node])
        if as_before or m == 0:
            if as_before:
                total += errors[node]
            else:
                counts[:] = 0.0
                _add_counts(row, weight, lo, hi, y, counts)
                total += expected_errors(counts, cf, z, tail)
            if total > bound:
                return np.inf, row, weight, waiting
            continue
        a = attribute[node]
        known[:m] = 0.0
        test = codes[:, a], sizes[a], is_number[a], cut[node], m
        sort_by_branch(row, weight, lo, hi, test, place, known, held, held_weight)
        waiting = longer(waiting, top + 3 * m)
        n_missing, of_known, ratio = place[m + 1] - place[m], known[:m].sum(), 1.0
        if n_missing and of_known > 0.0:
            ratio += weight[place[m] : place[m + 1]].sum() / of_known
            row, weight = spread_missing(row, weight, place, known, m, held, held_weight)
        counts[:] = 0.0
        shift = 0
        for branch in range(m):
            if known[branch] <= 0.0:
                continue
            begin = place[branch] + shift
            shift += n_missing
            if known[branch] * ratio >= min_weight - SLACK:
                waiting[top], waiting[top + 1] = first_child[node] + branch, begin
                waiting[top + 2] = place[branch + 1] + shift
                top += 3
            elif known[branch] * ratio >= LEAST_BRANCH - SLACK:
                _add_counts(row, weight, begin, place[branch + 1] + shift, y, counts)
        total += expected_errors(counts, cf, z, tail) if min_weight > 0.0 else 0.0
    return total, row, weight, waiting


@kernel
def _weigh(weight: NDArray[np.float64], lo: int, hi: int, class_weight: NDArray[np.float64]) -> bool:
    """Return whether a range of rows weighs what a node has."""
    total = 0.0
    for i in range(lo, hi):
        total += weight[i]
    own = class_weight.sum()
    return abs(total - own) <= 1e-12 * own


@kernel
def _add_counts(
    row: NDArray[np.int64],
    weight: NDArray[np.float64],
    lo: int,
    hi: int,
    y: NDArray[np.int32],
    out: NDArray[np.float64],
) -> None:
    for i in range(lo, hi):
        out[y[row[i]]] += weight[i]
