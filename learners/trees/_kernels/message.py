"""Message lengths of candidate tests, for all nodes and attributes of a batch, and of pruned trees."""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.trees._kernels.groups import (
    SKIPPED,
    count_chunk,
    group,
    number_classes,
    room_for_groups,
    weigh_pairs,
)
from learners.trees._kernels.leaf_code import CategoryCode, class_bits, sum_bits

__all__ = [
    "SplitMessages",
    "cut_name_bits",
    "find_messages",
    "shortest_subtrees",
]

TIE = 1e-9  # bits: smaller differences are rounding


class SplitMessages(NamedTuple):
    """Figures of each node and attribute, of shape (n_open, n_features) each."""

    bits: NDArray[np.float64]  # cut, structure of children as leaves, their classes; inf without a test
    bound: NDArray[np.float64]  # lower bound over all subtrees with this root, less its structure and name
    cut: NDArray[np.int64]  # largest code of the low side; 0 for nominal attributes
    cut_bits: NDArray[np.float64]  # bits that encode the cut; 0 for nominal attributes


@kernel
def find_messages(
    codes: NDArray[Any],
    y: NDArray[np.int32],
    weight: NDArray[np.float64],
    start: NDArray[np.int64],
    closed: NDArray[np.bool_],
    n_classes: int,
    sizes: NDArray[np.int64],
    values: NDArray[np.float64],
    value_start: NDArray[np.int64],
    code_of: CategoryCode,
    uniform: bool,
    out: SplitMessages,
) -> None:
    """Fill `out`, initially zeros, for nodes with the rows start[j] .. start[j + 1] - 1."""
    out.bits[:] = np.inf
    out.bound[:] = np.inf
    n_features = sizes.size
    local, offset, picked, table, key, code, stop, pair_class, pair_weight, missing = room_for_groups(
        start, n_classes, n_features
    )
    room, group_weight, figures = np.empty((2, n_classes)), np.empty(code.size), np.empty(4)
    alpha, spread, of_class, of_sum = code_of
    for node in range(start.size - 1):
        lo, hi = start[node], start[node + 1]
        own_codes, own_y, own_weight = codes[lo:hi], y[lo:hi], weight[lo:hi]
        k = number_classes(own_y, local)
        last = 0
        while last < n_features:
            first = last
            last = count_chunk(
                own_codes, sizes, own_y, own_weight, closed[node], first, local, k, offset, picked, table
            )
            for a in range(first, last):
                if offset[a] == SKIPPED:
                    continue
                n_groups = group(
                    own_codes, sizes[a], own_y, own_weight, a, local, k, offset[a], table, key, code, stop,
                    pair_class, pair_weight, missing,
                )  # fmt: skip
                numbers = values[value_start[a] : value_start[a + 1]]
                if n_groups < 2:
                    continue
                known = _group_weights(n_groups, stop, pair_weight, group_weight)
                if numbers.size:
                    _best_cut(
                        numbers, n_groups, code, stop, pair_class, pair_weight, missing, k, group_weight,
                        known, alpha, spread, of_class, of_sum, uniform, room, figures,
                    )  # fmt: skip
                else:
                    _all_values(
                        n_groups, sizes[a], stop, pair_class, pair_weight, missing, k, group_weight, known,
                        alpha, spread, of_class, of_sum, room[0], figures,
                    )  # fmt: skip
                out.bits[node, a], out.bound[node, a] = figures[0], figures[1]
                out.cut[node, a], out.cut_bits[node, a] = np.int64(figures[2]), figures[3]


@kernel
def _group_weights(
    n_groups: int, stop: NDArray[np.int64], pair_weight: NDArray[np.float64], out: NDArray[np.float64]
) -> float:
    """Fill in the weight of each group, and return the total."""
    known = 0.0
    begin = 0
    for g in range(n_groups):
        out[g] = 0.0
        for p in range(begin, stop[g]):
            out[g] += pair_weight[p]
        known += out[g]
        begin = stop[g]
    return known


@kernel
def _all_values(
    n_groups: int,
    size: int,
    stop: NDArray[np.int64],
    pair_class: NDArray[np.int64],
    pair_weight: NDArray[np.float64],
    missing: NDArray[np.float64],
    k: int,
    group_weight: NDArray[np.float64],
    known: float,
    alpha: float,
    spread: float,
    of_class: NDArray[np.float64],
    of_sum: NDArray[np.float64],
    one: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Measure the test with one branch per value. Rows without a value go down all branches by weight."""
    unknown = missing[:k].sum()
    one[:k] = 0.0
    structure = size * (math.log2(size) - math.log2(size - 1.0))
    bits = structure
    bound = structure
    begin = 0
    for g in range(n_groups):
        share = group_weight[g] / known
        for p in range(begin, stop[g]):
            one[pair_class[p]] += pair_weight[p]
        n = group_weight[g]
        if unknown > 0.0:
            n = 0.0
            for c in range(k):
                one[c] += share * missing[c]
                n += one[c]
            for c in range(k):
                if one[c] > 0.0:
                    term = class_bits(one[c], alpha, of_class)
                    bits += term
                    bound += term + sum_bits(one[c], spread, of_sum)
                one[c] = 0.0
        else:
            for p in range(begin, stop[g]):
                c = pair_class[p]
                if one[c] > 0.0:
                    term = class_bits(one[c], alpha, of_class)
                    bits += term
                    bound += term + sum_bits(one[c], spread, of_sum)
                one[c] = 0.0
        bits += sum_bits(n, spread, of_sum)
        begin = stop[g]
    out[0] = bits
    out[1] = bound
    out[2] = 0.0
    out[3] = 0.0


@kernel
def _best_cut(
    numbers: NDArray[np.float64],
    n_groups: int,
    code: NDArray[np.int64],
    stop: NDArray[np.int64],
    pair_class: NDArray[np.int64],
    pair_weight: NDArray[np.float64],
    missing: NDArray[np.float64],
    k: int,
    group_weight: NDArray[np.float64],
    known: float,
    alpha: float,
    spread: float,
    of_class: NDArray[np.float64],
    of_sum: NDArray[np.float64],
    uniform: bool,
    room: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Find the cut with the shortest message, the first in ties."""
    total, left = room[0], room[1]
    left[:k] = 0.0
    weigh_pairs(stop[n_groups - 1], pair_class, pair_weight, total[:k])
    unknown = missing[:k].sum()
    bound = 2.0  # two leaves of a test with two branches
    for c in range(k):
        whole = total[c] + missing[c]
        bound += class_bits(whole, alpha, of_class) + sum_bits(whole, spread, of_sum)
    best, best_bits, best_name = -1, np.inf, 0.0
    name = math.log2(n_groups - 1.0) if uniform else 1.0
    low = 0.0
    begin = 0
    for g in range(n_groups - 1):
        for p in range(begin, stop[g]):
            left[pair_class[p]] += pair_weight[p]
        low += group_weight[g]
        begin = stop[g]
        share = low / known
        bits = 2.0 + sum_bits(low + share * unknown, spread, of_sum)
        bits += sum_bits(known - low + (1.0 - share) * unknown, spread, of_sum)
        for c in range(k):
            bits += class_bits(left[c] + share * missing[c], alpha, of_class)
            bits += class_bits(total[c] - left[c] + (1.0 - share) * missing[c], alpha, of_class)
        if bits + name >= best_bits - TIE:
            continue  # the shortest name cannot help
        its_name = name
        if not uniform:
            before = low - group_weight[g] if g else -low
            its_name = cut_name_bits(before, low, low + group_weight[g + 1], known, g == n_groups - 2)
        if bits + its_name < best_bits - TIE:
            best, best_bits, best_name = g, bits + its_name, its_name
    lower = numbers[code[best]]
    upper = numbers[code[best + 1]]
    middle = lower if lower == -np.inf else 0.5 * lower + 0.5 * upper
    cut = np.searchsorted(numbers, middle, side="right") - 1
    out[0] = best_bits
    out[1] = bound + name
    out[2] = min(max(cut, code[best]), code[best + 1] - 1)  # in case rounding moved it outside
    out[3] = best_name


@kernel
def cut_name_bits(before: float, low: float, after: float, known: float, is_last: bool) -> float:
    """Return the bits of the shortest name of the cut with weight `low` below it, out of `known`."""
    # `before` and `after` are the weights below its neighbors; `before` is -low without such a neighbor
    lower = (before + low) / (2.0 * known)
    upper = np.nextafter(1.0, 0.0) if is_last else (low + after) / (2.0 * known)
    size = 2.0
    bits = 1.0
    while math.floor(lower * size) + 1.0 > upper * size:
        size *= 2.0
        bits += 2.0
    return bits


@kernel
def shortest_subtrees(
    first_child: NDArray[np.int32],
    n_children: NDArray[np.int32],
    leaf_bits: NDArray[np.float64],
    test_bits: NDArray[np.float64],
    out: NDArray[np.float64],
    is_leaf: NDArray[np.bool_],
) -> None:
    """Fill in the shortest message of each subtree, and whether it is that of a leaf (also in ties)."""
    # `leaf_bits` is the cost of a node as a leaf, `test_bits` that of its test without the subtrees
    for node in range(out.size - 1, -1, -1):
        out[node] = leaf_bits[node]
        is_leaf[node] = True
        if n_children[node]:
            bits = test_bits[node]
            for child in range(first_child[node], first_child[node] + n_children[node]):
                bits += out[child]
            if bits < leaf_bits[node] - TIE:
                out[node] = bits
                is_leaf[node] = False
