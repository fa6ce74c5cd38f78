"""Information gain of candidate tests, for all nodes and attributes of a batch: C4.5, J48, C5.0."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.trees._kernels.gain_double import cut_gain, values_gain
from learners.trees._kernels.groups import (
    SKIPPED,
    count_chunk,
    group,
    number_classes,
    room_for_groups,
)

__all__ = ["GainRules", "Gains", "find_gains"]

# Tolerance for weights at a bound after being split and added up again.
SLACK = 1e-6


class GainRules(NamedTuple):
    """Which tests are candidates."""

    min_weight: float  # least weight of at least two branches
    gap: float  # neighboring numbers that differ by no more are not cut apart
    tie: float  # bits per row that a cut must gain more than an earlier one to replace it
    # both sides of a cut must have this share of the known weight over the number of classes, but never more
    # than `cut_most` nor less than `min_weight` (0.1 and 25 in C4.5, J48 and C5.0)
    cut_share: float = 0.1
    cut_most: float = 25.0
    boundaries: bool = False  # whether cuts between two values of one class are counted, not evaluated (C5.0)


class Gains(NamedTuple):
    """Figures of each node and attribute, of shape (n_open, n_features) each."""

    gain: NDArray[np.float64]  # bits per row of the node, before any penalty; -inf without a test
    split_info: NDArray[np.float64]  # entropy in bits of the branches, missing values being one more
    n_branches: NDArray[np.int32]  # branches with rows
    # code of the threshold: the largest number of the training set, in this node or not, that is not above
    # the middle between the two neighbors; 0 for nominal attributes, as the next two
    cut: NDArray[np.int64]
    n_cuts: NDArray[np.int32]  # feasible cuts
    steps: NDArray[np.float64]  # range of the numbers in the node over the gap at the cut


@kernel
def find_gains(
    codes: NDArray[Any],
    y: NDArray[np.int32],
    weight: NDArray[np.float64],
    start: NDArray[np.int64],
    tested: NDArray[np.bool_],
    n_classes: int,
    sizes: NDArray[np.int64],
    values: NDArray[np.float64],
    value_start: NDArray[np.int64],
    terms: NDArray[np.float64],
    rules: GainRules,
    out: Gains,
) -> None:
    """Fill `out`, initially zeros, for nodes with the rows start[j] .. start[j + 1] - 1."""
    out.gain[:] = -np.inf
    n_features = sizes.size
    local, offset, picked, table, key, code, stop, pair_class, pair_weight, missing = room_for_groups(
        start, n_classes, n_features
    )
    room, figures = np.empty((4, max(n_classes, 3))), np.empty(6)
    for node in range(start.size - 1):
        lo, hi = start[node], start[node + 1]
        own_codes, own_y, own_weight = codes[lo:hi], y[lo:hi], weight[lo:hi]
        k = number_classes(own_y, local)
        last = 0
        while last < n_features:
            first = last
            last = count_chunk(
                own_codes, sizes, own_y, own_weight, tested[node], first, local, k, offset, picked, table
            )
            for a in range(first, last):
                if offset[a] == SKIPPED:
                    continue
                n_groups = group(
                    own_codes, sizes[a], own_y, own_weight, a, local, k, offset[a], table, key, code, stop,
                    pair_class, pair_weight, missing,
                )  # fmt: skip
                numbers = values[value_start[a] : value_start[a + 1]]
                pairs = stop[:n_groups], pair_class, pair_weight, missing[:k]
                if numbers.size:
                    known = pair_weight[: stop[n_groups - 1]].sum() if n_groups else 0.0
                    least = max(rules.min_weight, min(rules.cut_share * known / n_classes, rules.cut_most))
                    at = code[:n_groups]
                    found = cut_gain(
                        numbers, at, *pairs, least - SLACK, rules.gap, rules.tie, rules.boundaries, terms,
                        room, figures,
                    )  # fmt: skip
                else:
                    found = values_gain(*pairs, rules.min_weight - SLACK, terms, room, figures)
                if found:
                    out.gain[node, a], out.split_info[node, a] = figures[0], figures[1]
                    out.n_branches[node, a] = figures[2]
                if found and numbers.size:
                    low, high = code[np.int64(figures[3])], code[np.int64(figures[3]) + 1]
                    span = numbers[code[n_groups - 1]] - numbers[code[0]]
                    out.cut[node, a] = _threshold(numbers, low, high)
                    out.n_cuts[node, a] = figures[4]
                    out.steps[node, a] = span / (numbers[high] - numbers[low])


@kernel
def _threshold(numbers: NDArray[np.float64], low: int, high: int) -> int:
    """Return the code of the largest number that is not above the middle between two of them."""
    middle = 0.5 * numbers[low] + 0.5 * numbers[high]
    while high - low > 1:
        between = (low + high) // 2
        if numbers[between] <= middle:
            low = between
        else:
            high = between
    return low
