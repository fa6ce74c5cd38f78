"""Score every set of attributes once. Every family's cost follows by subtraction.

The length of a family's adaptive code is the score of the parents' cells less that of the cells of parents
and child. So 2^d passes over the rows serve all d 2^(d-1) families.
"""

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.networks._kernels.node_sets import size

__all__ = ["set_scores"]


@kernel
def set_scores(
    codes: NDArray[np.unsignedinteger],
    arities: NDArray[np.int64],
    child_arities: NDArray[np.int64],
    ln_factorials: NDArray[np.float64],
    n_cells: int,
    max_size: int,
    root: int,
    first: int,
    filled: NDArray[np.float64],
    opened: NDArray[np.float64],
) -> None:
    """Fill the two scores of `root` and of every set that adds to it attributes from `first` on."""
    # With N the rows of a cell, and sums over the non-empty cells of set S (bit u of S is attribute u),
    #     filled[S]    = sum ln N!
    #     opened[S, t] = sum ln (N + r - 1)! - ln (r - 1)!,  r = child_arities[t].
    # Depth first: a set refines the cells of the set without its largest member. Rows alone in their cell are
    # dropped on the way down, since they only add constants; so attributes of high arity should come first.
    # Rows and keys are unsigned: checking a signed index for wrapping takes half as long again. codes
    # (n_attributes, n_rows) have no holes; a set opens at most `n_cells` before empty and single ones are
    # dropped; sets above `max_size` are left. 5000 rows: 8 attributes in 1.1 ms (a family at a time by
    # `numpy.bincount`: 26), 16 in 0.6 s.
    n_attributes, n_rows = codes.shape
    rows = np.empty((max_size + 1, n_rows), np.uint32)
    cells = np.empty((max_size + 1, n_rows), np.int32)
    n_kept = np.zeros(max_size + 1, np.int64)
    n_open = np.zeros(max_size + 1, np.int64)
    n_single = np.zeros(max_size + 1, np.int64)
    following = np.zeros(max_size + 1, np.int64)
    members = np.zeros(max_size + 1, np.int64)
    counts = np.zeros(n_cells, np.int32)
    renumbered = np.empty(n_cells, np.int32)
    keys = np.empty(n_rows, np.uint32)

    sums = np.zeros(child_arities.size + 1)

    for i in range(n_rows):
        rows[0, i] = i
        cells[0, i] = 0
    n_kept[0] = n_rows
    n_open[0] = 1
    counts[0] = n_rows
    _score(counts[:1], child_arities, ln_factorials, 0, renumbered, sums)
    for u in range(first):
        if root >> u & 1:
            n_split = n_open[0] * arities[u]
            kept = n_kept[0]
            _count(codes[u], arities[u], rows[0, :kept], cells[0, :kept], keys, counts[:n_split])
            n_open[0], n_single[0] = _score(
                counts[:n_split], child_arities, ln_factorials, n_single[0], renumbered, sums
            )
            n_kept[0] = _keep(rows[0, :kept], keys, renumbered, rows[0], cells[0])
    filled[root] = sums[0]
    for t in range(child_arities.size):
        opened[root, t] = sums[t + 1]

    members[0] = root
    following[0] = first
    deepest = max_size - size(root)
    level = 0 if deepest else -1
    while level >= 0:
        u = following[level]
        if u == n_attributes:
            level -= 1
            continue
        following[level] = u + 1
        subset = members[level] | (1 << u)
        n_split = n_open[level] * arities[u]
        kept = n_kept[level]
        _count(codes[u], arities[u], rows[level, :kept], cells[level, :kept], keys, counts[:n_split])
        opens, single = _score(
            counts[:n_split], child_arities, ln_factorials, n_single[level], renumbered, sums
        )
        filled[subset] = sums[0]
        for t in range(child_arities.size):
            opened[subset, t] = sums[t + 1]
        if level + 1 < deepest and u + 1 < n_attributes:
            n_kept[level + 1] = _keep(rows[level, :kept], keys, renumbered, rows[level + 1], cells[level + 1])
            level += 1
            n_open[level] = opens
            n_single[level] = single
            following[level] = u + 1
            members[level] = subset


@kernel
def _count(
    column: NDArray[np.unsignedinteger],
    arity: int,
    rows: NDArray[np.uint32],
    cells: NDArray[np.int32],
    keys: NDArray[np.uint32],
    counts: NDArray[np.int32],
) -> None:
    counts[:] = 0
    for i in range(rows.size):
        key = np.uint32(cells[i] * arity + column[rows[i]])
        keys[i] = key
        counts[key] += 1


@kernel
def _score(
    counts: NDArray[np.int32],
    child_arities: NDArray[np.int64],
    ln_factorials: NDArray[np.float64],
    n_single: int,
    renumbered: NDArray[np.int32],
    sums: NDArray[np.float64],
) -> tuple[int, int]:
    """Add up a set's scores, number its cells of two rows or more, and count these and single rows."""
    n_open = 0
    sums[:] = 0.0
    for key in range(counts.size):
        count = counts[key]
        if count <= 1:
            n_single += count
            renumbered[key] = -1
        else:
            renumbered[key] = n_open
            n_open += 1
            sums[0] += ln_factorials[count]
            for t in range(child_arities.size):
                sums[t + 1] += ln_factorials[count + child_arities[t] - 1]
    for t in range(child_arities.size):
        r = child_arities[t]
        sums[t + 1] += n_single * np.log(r) - n_open * ln_factorials[r - 1]
    return n_open, n_single


@kernel
def _keep(
    rows: NDArray[np.uint32],
    keys: NDArray[np.uint32],
    renumbered: NDArray[np.int32],
    rows_kept: NDArray[np.uint32],
    cells_kept: NDArray[np.int32],
) -> int:
    """Copy the rows that share their cell, writing before testing to avoid a branch."""
    n_kept = 0
    for i in range(rows.size):
        cell = renumbered[keys[i]]
        rows_kept[n_kept] = rows[i]
        cells_kept[n_kept] = cell
        n_kept += cell >= 0
    return n_kept
