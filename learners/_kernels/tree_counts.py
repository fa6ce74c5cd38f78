"""Counts of candidate tests: the rows of one node, grouped by the values of one attribute.

A kernel that looks for tests goes through the attributes of a node in chunks: `next_chunk` says how many
fit into the table, `count_chunk` counts their narrow ones in one pass over the rows, and `group` gives
the groups of each attribute, from the table or by sorting: codes in ascending order, and for each group
its pairs of class and weight. What the groups are worth is the criterion's business (`tree_gain`).

A table where clearing it costs less than sorting the rows would; else a counting sort; else, for few rows
among many codes, a sort of the rows. The alternative, lists of rows sorted once and split along with the
nodes, has to split a list for every attribute and level and to copy rows with missing values in all of them:
on adult 16 ms for its 6 numbers, where all of growth takes 45 ms and the sorts some 10 ms of that.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = [
    "CELLS_A_ROW",
    "CELLS_FREE",
    "SKIPPED",
    "SORTED",
    "TABLE",
    "count_chunk",
    "group",
    "next_chunk",
    "number_classes",
]

# Cells of the table, 8 bytes each: it shall stay in the cache next to the processor.
TABLE = 1 << 15
# A table may have this many cells for each row of the node, and some more.
CELLS_A_ROW = 4
CELLS_FREE = 64
# As many rows are sorted by insertion.
FEW_KEYS = 48
SORTED = -1  # instead of a place in the table: the attribute is grouped by sorting
SKIPPED = -2  # the attribute was tested above


@njit(cache=True, nogil=True)
def number_classes(y: NDArray[np.int32], local: NDArray[np.int64]) -> int:
    """Give numbers to the classes that a node shows, -1 to others; return how many there are."""
    local[:] = -1
    for c in y:
        local[c] = 0
    k = 0
    for c in range(local.size):
        if local[c] == 0:
            local[c] = k
            k += 1
    return k


@njit(cache=True, nogil=True)
def next_chunk(
    sizes: NDArray[np.int64],
    tested: NDArray[np.bool_],
    first: int,
    n: int,
    k: int,
    offset: NDArray[np.int64],
) -> int:
    """Lay out the table for attributes from `first` on, for n rows of k classes; return where it is full.

    `offset` tells where the cells of an attribute begin: a row of k classes for each code, and one for
    missing values.
    """
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


@njit(cache=True, nogil=True)
def count_chunk(
    codes: NDArray[Any],
    sizes: NDArray[np.int64],
    y: NDArray[np.int32],
    weight: NDArray[np.float64],
    first: int,
    last: int,
    local: NDArray[np.int64],
    k: int,
    offset: NDArray[np.int64],
    picked: NDArray[np.int64],
    table: NDArray[np.float64],
) -> None:
    """Count code and class of the attributes first .. last - 1 that have a place in the table.

    1,000,000 rows of 30 attributes with 5 values: 0.1 s.
    """
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


@njit(cache=True, nogil=True)
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
    """Group the rows of a node by attribute `a`, which has `size` codes; return the number of groups.

    Group g has the code `code[g]` and the pairs from stop[g - 1] (0 for the first) to stop[g] - 1: a class,
    by its local number, and its weight. No class comes twice in a group. `missing` gets the weight of the
    rows without a value, by class. `key` is room to work in, CELLS_A_ROW * n_rows + CELLS_FREE long.
    """
    missing[:k] = 0.0
    if offset >= 0:
        return _groups_of_table(table, offset, size, k, code, stop, pair_class, pair_weight, missing)
    if size <= CELLS_A_ROW * y.size:
        return _groups_by_counting(
            codes, size, y, weight, a, local, key, code, stop, pair_class, pair_weight, missing
        )
    return _groups_by_sorting(
        codes, size, y, weight, a, local, key, code, stop, pair_class, pair_weight, missing
    )


@njit(cache=True, nogil=True)
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
            if n_pairs < pair_class.size:  # written in any case, and overwritten if it is zero: no guessing
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


@njit(cache=True, nogil=True)
def _groups_by_counting(
    codes: NDArray[Any],
    size: int,
    y: NDArray[np.int32],
    weight: NDArray[np.float64],
    a: int,
    local: NDArray[np.int64],
    place: NDArray[np.int64],
    code: NDArray[np.int64],
    stop: NDArray[np.int64],
    pair_class: NDArray[np.int64],
    pair_weight: NDArray[np.float64],
    missing: NDArray[np.float64],
) -> int:
    """Group by a counting sort."""
    place[: size + 1] = 0
    for i in range(y.size):
        place[np.int64(codes[i, a])] += 1
    n_groups = 0
    used = 0
    for v in range(size):
        n = place[v]
        place[v] = used
        used += n
        if n:
            code[n_groups] = v
            stop[n_groups] = used
            n_groups += 1
    for i in range(y.size):
        value = np.int64(codes[i, a])
        c = local[y[i]]
        if value == size:
            missing[c] += weight[i]
        else:
            pair_class[place[value]] = c
            pair_weight[place[value]] = weight[i]
            place[value] += 1
    _merge(n_groups, stop, pair_class, pair_weight)
    return n_groups


@njit(cache=True, nogil=True)
def _groups_by_sorting(
    codes: NDArray[Any],
    size: int,
    y: NDArray[np.int32],
    weight: NDArray[np.float64],
    a: int,
    local: NDArray[np.int64],
    key: NDArray[np.int64],
    code: NDArray[np.int64],
    stop: NDArray[np.int64],
    pair_class: NDArray[np.int64],
    pair_weight: NDArray[np.float64],
    missing: NDArray[np.float64],
) -> int:
    """Group by a sort of few rows among many codes."""
    n = 0
    for i in range(y.size):
        v = np.int64(codes[i, a])
        if v == size:
            missing[local[y[i]]] += weight[i]
        else:
            key[n] = (v << 32) | i
            n += 1
    _sort_keys(key, n, size)
    n_groups = 0
    for j in range(n):
        v = key[j] >> 32
        i = key[j] & 0xFFFFFFFF
        pair_class[j] = local[y[i]]
        pair_weight[j] = weight[i]
        if n_groups == 0 or code[n_groups - 1] != v:
            code[n_groups] = v
            n_groups += 1
        stop[n_groups - 1] = j + 1
    _merge(n_groups, stop, pair_class, pair_weight)
    return n_groups


@njit(cache=True, nogil=True)
def _merge(
    n_groups: int, stop: NDArray[np.int64], pair_class: NDArray[np.int64], pair_weight: NDArray[np.float64]
) -> None:
    """Make one pair of all pairs of a class in a group, which were single rows so far."""
    n_pairs = 0
    begin = 0
    for g in range(n_groups):
        first = n_pairs
        for p in range(begin, stop[g]):
            q = first
            while q < n_pairs and pair_class[q] != pair_class[p]:
                q += 1
            if q < n_pairs:
                pair_weight[q] += pair_weight[p]
            else:
                pair_class[q], pair_weight[q] = pair_class[p], pair_weight[p]
                n_pairs += 1
        begin = stop[g]
        stop[g] = n_pairs


@njit(cache=True, nogil=True)
def _sort_keys(key: NDArray[np.int64], n: int, size: int) -> None:
    """Sort n keys by their codes, which stand from bit 32 on, by insertion or a byte at a time.

    The second half of `key` is room to work in. numpy's sort takes as long, and 2 s to compile.
    """
    if n <= FEW_KEYS:
        for j in range(1, n):
            one = key[j]
            at = j
            while at and key[at - 1] > one:
                key[at] = key[at - 1]
                at -= 1
            key[at] = one
        return
    count = np.empty(257, np.int64)
    shift = 32
    while size >> (shift - 32):
        count[:] = 0
        for j in range(n):
            key[n + j] = key[j]
            count[((key[j] >> shift) & 0xFF) + 1] += 1
        for b in range(256):
            count[b + 1] += count[b]
        for j in range(n, 2 * n):
            b = (key[j] >> shift) & 0xFF
            key[count[b]] = key[j]
            count[b] += 1
        shift += 8
