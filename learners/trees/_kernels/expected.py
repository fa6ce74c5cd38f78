"""Expected errors of leaves, and of branches that replace their nodes: the criterion of pruning."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
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

# Expected errors by which a simpler tree may exceed the tree that it replaces.
ALLOWANCE = 0.1
# Fractions of rows do not add up exactly.
SLACK = 1e-6
# Where light branches are pooled, branches of less weight than this are ignored.
LEAST_BRANCH = 0.05


class PrunedNodes(NamedTuple):
    """The nodes of a tree while the pruning kernels change them, as in a `NodeTable` unless noted."""

    attribute: NDArray[np.int32]
    cut: NDArray[np.int64]  # largest code of the low side
    first_child: NDArray[np.int32]
    n_children: NDArray[np.int32]
    class_weight: NDArray[np.float64]
    label: NDArray[np.int32]
    errors: NDArray[np.float64]
    source: NDArray[np.int64]  # the original node of the test; -1 in a leaf


@kernel
def added_errors(weight: float, errors: float, cf: float, z: float, tail: float) -> float:
    """Return the expected errors of a leaf beyond its training errors, with C4.5's or Weka's (z, tail)."""
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
    """Return the expected errors of a leaf with these rows, or 0 without rows."""
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
    """Turn a node into a leaf."""
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
    """Replace a node by one of its children."""
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
    """Add up the expected errors of the leaves below a node for the first `size` rows of `row`."""
    # `row` is a stack of the rows of pending nodes, those of the top node last. Branches lighter than
    # `min_weight` are judged as one leaf. The sum is infinite once it exceeds the bound; the search goes no
    # deeper where the rows are the node's own (as many as `n_rows`, -1 if unknown, and of equal weight).
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
    """Return whether a range of rows has the class weights of a node."""
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
