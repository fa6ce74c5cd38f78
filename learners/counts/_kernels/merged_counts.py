"""Counts of all pairs of values in many rows, several attributes merged into one.

A pass over the rows that counts (value of A, value of B, class) costs the same however many values
A and B have, as long as the counters stay in the cache. So adjacent attributes are merged into
one attribute, whose values are all combinations of theirs: 30 attributes of 5 values become 15 of 36
(missing is a value), and 435 pairs become 105. Each counter is then added to all pairs that it covers.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.tables._kernels.copying import copy_to

MANY_ROWS = 1000  # with fewer rows nothing is gained
CACHED_COUNTERS = 32_768  # of 4 bytes: these 128 KB stay in the second cache
ROWS_A_COUNTER = 8  # with fewer rows, adding the counters to all their pairs takes longer than it saves


@kernel
def merged_attributes(offsets: NDArray[np.int64], n_classes: int, n_samples: int) -> NDArray[np.int64]:
    """Return the first attribute of each group of attributes to merge, then the number of attributes."""
    # A group grows as long as the counters of two groups of its size, with the class, fit into the cache and
    # are few relative to the rows.
    largest = min(CACHED_COUNTERS, n_samples // ROWS_A_COUNTER)
    n_features = offsets.size - 1
    groups = np.empty(n_features + 1, np.int64)
    n_groups = 0
    size = 0
    for j in range(n_features):
        values = offsets[j + 1] - offsets[j]
        if j == 0 or (size * values) ** 2 * n_classes > largest:
            groups[n_groups] = j
            n_groups += 1
            size = values
        else:
            size *= values
    groups[n_groups] = n_features
    return groups[: n_groups + 1]


@kernel
def merged_pair_counts(
    codes: NDArray[Any],
    y: NDArray[np.intp],
    offsets: NDArray[np.int64],
    groups: NDArray[np.int64],
    n_classes: int,
    width: int,
) -> NDArray[np.float64]:
    """Count (slot, slot, class), bitwise equal to `pair_counts`, for rows without weights."""
    # Work space: 2 bytes per row and group. 1,000,000 x 30 attributes of 5 values, 5 classes: 44 ms, against
    # 136 ms for `pair_counts`.
    n_slots = offsets[offsets.size - 1]
    out = np.zeros((n_slots, n_slots, width))
    merged = _merge_codes(codes, offsets, groups)
    slots, sizes = _slots_of_codes(offsets, groups)
    whole = np.empty(_product_of_two_largest(sizes) * n_classes, np.int32)
    left = np.empty(y.size, np.int32)
    for g in range(sizes.size):
        copy_to(left, y)
        stride = sizes[g] * n_classes
        _count(merged[g], n_classes, left, whole, stride)
        _spread_within(whole, slots, groups[g], groups[g + 1], sizes[g], n_classes, out)
        for i in range(y.size):
            left[i] += merged[g, i] * n_classes
        for h in range(g + 1, sizes.size):
            _count(merged[h], stride, left, whole, stride * sizes[h])
            _spread_between(whole, slots, groups, sizes, g, h, n_classes, out)
    return out


@kernel
def _product_of_two_largest(sizes: NDArray[np.int64]) -> int:
    """Return the product, or the only size, without a sort, which takes seconds to compile."""
    first, second = 1, 1
    for g in range(sizes.size):
        if sizes[g] > first:
            first, second = sizes[g], first
        elif sizes[g] > second:
            second = sizes[g]
    return first * second


@kernel
def _count(
    column: NDArray[np.uint16], stride: int, left: NDArray[np.int32], whole: NDArray[np.int32], size: int
) -> None:
    for code in range(size):
        whole[code] = 0
    for i in range(left.size):
        whole[np.uint64(column[i] * stride + left[i])] += 1


@kernel
def _merge_codes(
    codes: NDArray[Any], offsets: NDArray[np.int64], groups: NDArray[np.int64]
) -> NDArray[np.uint16]:
    """Code each row's combination of values in each group. The last attribute changes fastest."""
    # two bytes hold every code: merged codes are few, and counts of pairs of 65,536 values exceed any memory
    merged = np.empty((groups.size - 1, codes.shape[1]), np.uint16)
    for g in range(groups.size - 1):
        copy_to(merged[g], codes[groups[g]])
        for j in range(groups[g] + 1, groups[g + 1]):
            radix = offsets[j + 1] - offsets[j]
            column = codes[j]
            for i in range(column.size):
                merged[g, i] = merged[g, i] * radix + column[i]
    return merged


@kernel
def _slots_of_codes(
    offsets: NDArray[np.int64], groups: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the slot of each attribute in each code of its group, and the number of codes of each group."""
    sizes = np.empty(groups.size - 1, np.int64)
    largest = 0
    for g in range(sizes.size):
        sizes[g] = 1
        for j in range(groups[g], groups[g + 1]):
            sizes[g] *= offsets[j + 1] - offsets[j]
        largest = max(largest, sizes[g])
    slots = np.zeros((offsets.size - 1, largest), np.int64)
    for g in range(sizes.size):
        repeats = 1
        for j in range(groups[g + 1] - 1, groups[g] - 1, -1):
            radix = offsets[j + 1] - offsets[j]
            for code in range(sizes[g]):
                slots[j, code] = offsets[j] + code // repeats % radix
            repeats *= radix
    return slots, sizes


@kernel
def _spread_within(
    whole: NDArray[np.int32],
    slots: NDArray[np.int64],
    first: int,
    end: int,
    size: int,
    n_classes: int,
    out: NDArray[np.float64],
) -> None:
    """Add counts of (code of a group, class) to the pairs of its attributes, and to their diagonals."""
    for code in range(size):
        for c in range(n_classes):
            n = whole[code * n_classes + c]
            if n:
                for a in range(first, end):
                    for b in range(first, end):
                        out[slots[a, code], slots[b, code], c] += n


@kernel
def _spread_between(
    whole: NDArray[np.int32],
    slots: NDArray[np.int64],
    groups: NDArray[np.int64],
    sizes: NDArray[np.int64],
    g: int,
    h: int,
    n_classes: int,
    out: NDArray[np.float64],
) -> None:
    """Add counts of (code of group h, code of group g, class) to the pairs across, both halves."""
    at = 0
    for v in range(sizes[h]):
        for u in range(sizes[g]):
            for c in range(n_classes):
                n = whole[at]
                at += 1
                if n:
                    for a in range(groups[g], groups[g + 1]):
                        for b in range(groups[h], groups[h + 1]):
                            s, t = slots[a, u], slots[b, v]
                            out[s, t, c] += n
                            out[t, s, c] += n
