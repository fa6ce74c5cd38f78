"""The rows of a node in groups by one attribute, where its codes are too many for a table."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel

__all__ = ["groups_by_counting", "groups_by_sorting"]

# Up to this many rows are sorted by insertion.
FEW_KEYS = 48


@kernel
def groups_by_counting(
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


@kernel
def groups_by_sorting(
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


@kernel
def _merge(
    n_groups: int, stop: NDArray[np.int64], pair_class: NDArray[np.int64], pair_weight: NDArray[np.float64]
) -> None:
    """Merge the single rows of each class in a group into one pair."""
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


@kernel
def _sort_keys(key: NDArray[np.int64], n: int, size: int) -> None:
    """Sort n keys by their codes, which start at bit 32. The second half of `key` is work space."""
    # by insertion or a byte at a time: numpy's sort is as fast, but takes 2 s to compile
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
