"""The rows of a node, grouped by the values of each attribute, for every search for tests.

`count_chunk` counts as many attributes of a node as fit into the table. `group` returns the groups of one of
them, from the table or by sorting. The criteria loop over attributes and groups themselves: a generator takes
230 ns a group, which would make growth on 1,000,000 x 30 half as slow again.

A table is used where clearing it takes less time than sorting the rows. Lists of rows sorted once and split
with the nodes are slower: 16 ms for the 6 numbers of adult, of whose 45 ms of growth the sorts take some 10.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.trees._kernels.sorting import groups_by_counting, groups_by_sorting

__all__ = ["SKIPPED", "count_chunk", "group", "number_classes", "room_for_groups", "weigh_pairs"]

# Cells of the table, 8 bytes each: it should fit into the processor's cache.
TABLE = 1 << 15
# A table may have this many cells per row of the node, plus a constant.
CELLS_A_ROW = 4
CELLS_FREE = 64
SORTED = -1  # instead of a place in the table: the attribute is grouped by sorting
SKIPPED = -2  # the attribute was tested above


@kernel
def room_for_groups(start: NDArray[np.int64], n_classes: int, n_features: int) -> tuple[NDArray[Any], ...]:
    """Return work space for nodes of start[j + 1] - start[j] rows: `local` .. `missing` below, in order."""
    n_largest = 0
    for node in range(start.size - 1):
        n_largest = max(n_largest, start[node + 1] - start[node])
    return (
        np.empty(n_classes, np.int64),
        np.empty(n_features, np.int64),
        np.empty(n_features, np.int64),
        np.empty(TABLE),
        np.empty(CELLS_A_ROW * n_largest + CELLS_FREE, np.int64),
        np.empty(n_largest, np.int64),
        np.empty(n_largest, np.int64),
        np.empty(n_largest, np.int64),
        np.empty(n_largest),
        np.empty(n_classes),
    )


@kernel
def number_classes(y: NDArray[np.int32], local: NDArray[np.int64]) -> int:
    """Assign numbers to the classes that occur in a node, -1 to others, and return how many there are."""
    local[:] = -1
    for c in y:
        local[c] = 0
    k = 0
    for c in range(local.size):
        if local[c] == 0:
            local[c] = k
            k += 1
    return k


@kernel
def count_chunk(
    codes: NDArray[Any],
    sizes: NDArray[np.int64],
    y: NDArray[np.int32],
    weight: NDArray[np.float64],
    closed: NDArray[np.bool_],
    first: int,
    local: NDArray[np.int64],
    k: int,
    offset: NDArray[np.int64],
    picked: NDArray[np.int64],
    table: NDArray[np.float64],
) -> int:
    """Count code and class of the attributes from `first` until the table is full, and return the end."""
    # `offset` receives the start of an attribute's cells: a row of k classes for each code, and one for
    # missing values; those to be sorted have none. 1,000,000 rows of 30 attributes with 5 values: 0.1 s.
    last = _next_chunk(sizes, closed, first, y.size, k, offset)
    n_picked = 0
    used = 0
    for a in range(first, last):
        if offset[a] >= 0:
            picked[n_picked] = a
            n_picked += 1
            used = offset[a] + (sizes[a] + 1) * k
    table[:used] = 0.0
    for i in range(y.size):
        c = local[y[i]]
        w = weight[i]
        for q in range(n_picked):
            a = picked[q]
            table[offset[a] + np.int64(codes[i, a]) * k + c] += w
    return last


@kernel
def _next_chunk(
    sizes: NDArray[np.int64],
    tested: NDArray[np.bool_],
    first: int,
    n: int,
    k: int,
    offset: NDArray[np.int64],
) -> int:
    """Lay out the table for n rows of k classes, and return the first attribute that does not fit."""
    used = 0
    for a in range(first, sizes.size):
        if tested[a]:
            offset[a] = SKIPPED
            continue
        cells = (sizes[a] + 1) * k
        if cells > min(TABLE, CELLS_A_ROW * n + CELLS_FREE):
            offset[a] = SORTED
            continue
        if used + cells > TABLE:
            return a
        offset[a] = used
        used += cells
    return sizes.size


@kernel
def group(
    codes: NDArray[Any],
    size: int,
    y: NDArray[np.int32],
    weight: NDArray[np.float64],
    a: int,
    local: NDArray[np.int64],
    k: int,
    offset: int,
    table: NDArray[np.float64],
    key: NDArray[np.int64],
    code: NDArray[np.int64],
    stop: NDArray[np.int64],
    pair_class: NDArray[np.int64],
    pair_weight: NDArray[np.float64],
    missing: NDArray[np.float64],
) -> int:
    """Group the rows of a node by attribute `a`, which has `size` codes, and return the number of groups."""
    # Group g has the code `code[g]` and the pairs stop[g - 1] (0 for the first) .. stop[g] - 1 of a local
    # class, once each, and its weight. `missing` receives the weight of the rows without a value, by class.
    # `key` is work space of length CELLS_A_ROW * n_rows + CELLS_FREE.
    missing[:k] = 0.0
    if offset >= 0:
        return _groups_of_table(table, offset, size, k, code, stop, pair_class, pair_weight, missing)
    if size <= CELLS_A_ROW * y.size:
        return groups_by_counting(
            codes, size, y, weight, a, local, key, code, stop, pair_class, pair_weight, missing
        )
    return groups_by_sorting(
        codes, size, y, weight, a, local, key, code, stop, pair_class, pair_weight, missing
    )


@kernel
def _groups_of_table(
    table: NDArray[np.float64],
    offset: int,
    size: int,
    k: int,
    code: NDArray[np.int64],
    stop: NDArray[np.int64],
    pair_class: NDArray[np.int64],
    pair_weight: NDArray[np.float64],
    missing: NDArray[np.float64],
) -> int:
    n_groups = 0
    n_pairs = 0
    for v in range(size):
        before = n_pairs
        for c in range(k):
            w = table[offset + v * k + c]
            if n_pairs < pair_class.size:  # always written, overwritten if zero: avoids a branch
                pair_class[n_pairs] = c
                pair_weight[n_pairs] = w
            n_pairs += w > 0.0
        if n_pairs > before:
            code[n_groups] = v
            stop[n_groups] = n_pairs
            n_groups += 1
    for c in range(k):
        missing[c] = table[offset + size * k + c]
    return n_groups


@kernel
def weigh_pairs(
    n_pairs: int,
    pair_class: NDArray[np.int64],
    pair_weight: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Add up the weights of all groups, class by class."""
    out[:] = 0.0
    for p in range(n_pairs):
        out[pair_class[p]] += pair_weight[p]
