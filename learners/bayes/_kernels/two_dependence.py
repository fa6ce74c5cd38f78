"""Kernels of the learner in which pairs of attributes are parents of all others.

Tables go by *pair slot*: the pair of attributes i < j has one slot for each two values, u * r_j + v,
and a last one that stays empty, in the order (0, 1), (0, 2), (1, 2), (0, 3), ... of `pair_values`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.bayes._kernels.one_dependence import (
    LANES,
    SAFE_PRODUCT,
    add_product,
    add_product_of_two,
    exponentiate_row,
    normalize_row,
    smallest_entry,
)

PAIR_BLOCK = 2  # the class axis of the tables is padded to a multiple
ROW_BLOCK = 256  # rows processed together for each pair


@kernel
def pair_values(
    pairs: NDArray[np.float64],
    pair_offsets: NDArray[np.int64],
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
    n_classes: int,
) -> NDArray[np.float64]:
    """Return rows of (pair slot, class) from (slot, slot, class) counts, with first slots `pair_offsets`."""
    # a pair's last slot has the rows in which either attribute is missing
    out = np.zeros((pair_offsets[-1], n_classes))
    at = 0
    for j in range(arities.size):
        for i in range(j):
            first = pair_offsets[at]
            missing = first + arities[i] * arities[j]
            for c in range(n_classes):
                for s in range(offsets[j], offsets[j + 1]):
                    out[missing, c] += pairs[s, s, c]
            for u in range(arities[i]):
                for v in range(arities[j]):
                    for c in range(n_classes):
                        n = pairs[offsets[i] + u, offsets[j] + v, c]
                        out[first + u * arities[j] + v, c] = n
                        out[missing, c] -= n
            at += 1
    return out


@kernel
def add_triple_counts(
    codes: NDArray[Any],
    y: NDArray[np.intp],
    weight: NDArray[np.float64],
    pair_offsets: NDArray[np.int64],
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
    out: NDArray[np.float64],
) -> None:
    """Add the rows with both attributes of a pair known to `out`, the counts of (pair slot, slot, class)."""
    # `weight` of length 0 means ones; the last axis of `out` may be longer than the classes. 50,000 x 14 of 8
    # values: 33 ms, against 130 ms for a `numpy.bincount` of each triple.
    n_features, n_samples = codes.shape
    n_slots, width = out.shape[1], out.shape[2]
    flat = out.reshape(-1)
    slots = np.empty((n_samples, n_features), np.int32)  # a row's slots, contiguous
    for j in range(n_features):
        for i in range(n_samples):
            slots[i, j] = (offsets[j] + codes[j, i]) * width
    at = 0
    for j in range(n_features):
        for k in range(j):
            for i in range(n_samples):
                u, v = np.int64(codes[k, i]), np.int64(codes[j, i])
                if u < arities[k] and v < arities[j]:
                    cell = (pair_offsets[at] + u * arities[j] + v) * n_slots * width + y[i]
                    w = weight[i] if weight.size else 1.0
                    for m in range(n_features):
                        flat[np.uint64(cell + slots[i, m])] += w
            at += 1


@kernel
def two_dependence_tables(
    counts: NDArray[np.float64],
    values: NDArray[np.float64],
    joint: NDArray[np.float64],
    pseudo: NDArray[np.float64],
    pseudo_totals: NDArray[np.float64],
    min_frequency: float,
    pair_offsets: NDArray[np.int64],
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Tables [pair slot, slot of child, class], in place of the counts."""
    # P(child | class, values of the pair), 1 where the child is missing. The slots of the pair's first
    # attribute hold `joint`, P(class, values of the pair), or 0 where `values` has fewer than `min_frequency`
    # rows of it; those of the second hold 1.
    at = 0
    for j in range(arities.size):
        for i in range(j):
            for s in range(pair_offsets[at], pair_offsets[at + 1] - 1):
                enough = values[s].sum() >= min_frequency
                for m in range(arities.size):
                    if m not in (i, j):
                        _child_rows(counts[s], offsets[m], arities[m], pseudo, pseudo_totals[m])
                counts[s, offsets[j] : offsets[j + 1]] = 1.0
                counts[s, offsets[i] : offsets[i + 1]] = 0.0
                if enough:
                    for t in range(offsets[i], offsets[i + 1]):
                        counts[s, t, : joint.shape[1]] = joint[s]
            at += 1
    return counts


@kernel
def _child_rows(
    table: NDArray[np.float64], first: int, arity: int, pseudo: NDArray[np.float64], pseudo_total: float
) -> None:
    """Turn the counts of one child into probabilities."""
    for c in range(table.shape[1]):
        total = pseudo_total + table[first : first + arity, c].sum()
        for s in range(first, first + arity):
            table[s, c] = (table[s, c] + pseudo[s]) / total
        table[first + arity, c] = 1.0


@kernel
def average_two_dependence(
    codes: NDArray[Any],
    tables: NDArray[np.float64],
    pair_offsets: NDArray[np.int64],
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
    out: NDArray[np.float64],
    alone: NDArray[np.bool_],
) -> None:
    """Fill in the posterior of each row, and mark those without any parent pair, which stay undefined."""
    # blocks of rows are processed by pair, so that a pair's tables stay in the cache
    n_features, n_samples = codes.shape
    n_classes, width, n_slots = out.shape[1], tables.shape[2], tables.shape[1]
    flat = tables.reshape(-1)
    block = max(1, min(ROW_BLOCK, n_samples))
    total = np.empty((block, width))
    slots = np.empty((block, n_features), np.uint64)  # unsigned: no check for negative indices
    leaders = np.empty(pair_offsets.size, np.uint64)
    for begin in range(0, n_samples, block):
        end = min(begin + block, n_samples)
        n = end - begin
        for j in range(n_features):
            for i in range(begin, end):
                slots[i - begin, j] = (offsets[j] + codes[j, i]) * width
        total[:n] = 0.0
        alone[begin:end] = True
        place = (pair_offsets, arities, n_slots * width)
        _add_pairs(codes[:, begin:end], slots[:n], flat, place, total, alone[begin:end])
        for i in range(begin, end):
            for c in range(n_classes):
                out[i, c] = total[i - begin, c]
            if not alone[i]:
                if smallest_entry(out, i) < SAFE_PRODUCT:
                    own = slots[i - begin]
                    found = _leading_pairs(
                        codes, i, flat, own, pair_offsets, arities, n_slots * width, leaders
                    )
                    _average_in_logs(own, leaders[:found], flat, out[i])
                normalize_row(out, i)


@kernel
def _add_pairs(
    codes: NDArray[Any],
    slots: NDArray[np.uint64],
    flat: NDArray[np.float64],
    place: tuple[NDArray[np.int64], NDArray[np.int64], int],
    total: NDArray[np.float64],
    alone: NDArray[np.bool_],
) -> None:
    """Add the products of each row's parent pairs to `total`, and mark the rows that have one."""
    pair_offsets, arities, stride = place
    width = total.shape[1]
    whole = width - width % LANES
    at = 0
    for j in range(arities.size):
        for k in range(j):
            for i in range(codes.shape[1]):
                u, v = np.int64(codes[k, i]), np.int64(codes[j, i])
                if u < arities[k] and v < arities[j]:
                    first = np.uint64((pair_offsets[at] + u * arities[j] + v) * stride)
                    if flat[first + slots[i, k]] > 0.0:
                        alone[i] = False
                        for c in range(0, whole, LANES):
                            add_product(flat, first, slots[i], total[i], np.uint64(c))
                        if whole < width:
                            add_product_of_two(flat, first, slots[i], total[i], np.uint64(whole))
            at += 1


@kernel
def _leading_pairs(
    codes: NDArray[Any],
    row: int,
    flat: NDArray[np.float64],
    slots: NDArray[np.uint64],
    pair_offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
    stride: int,
    out: NDArray[np.uint64],
) -> int:
    """List where the tables of the row's parent pairs start, and return their number."""
    found = 0
    at = 0
    for j in range(arities.size):
        v = np.int64(codes[j, row])
        for i in range(j):
            u = np.int64(codes[i, row])
            if u < arities[i] and v < arities[j]:
                first = np.uint64((pair_offsets[at] + u * arities[j] + v) * stride)
                if flat[first + slots[i]] > 0.0:
                    out[found] = first
                    found += 1
            at += 1
    return found


@kernel
def _average_in_logs(
    slots: NDArray[np.uint64],
    leaders: NDArray[np.uint64],
    flat: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    terms = np.empty(leaders.size)
    for c in range(out.size):
        for a in range(leaders.size):
            terms[a] = 0.0
            for slot in slots:
                terms[a] += np.log(flat[leaders[a] + slot + np.uint64(c)])
        largest = terms[0]
        for a in range(1, terms.size):
            largest = max(largest, terms[a])
        out[c] = largest + np.log(np.exp(terms - largest).sum())
    exponentiate_row(out)
