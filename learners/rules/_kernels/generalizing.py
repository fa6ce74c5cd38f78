"""Drop the conditions of rules that do not help them: the first step from a tree to C4.5rules.

Paths with much in common are cheap one after the other: what a condition excludes is kept for the next path.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.rules._kernels.failures import ONE_VALUE, collect_failures, fill_failing, weigh
from learners.trees._kernels.expected import added_errors

__all__ = ["fill_paths", "generalize_paths"]


@kernel
def fill_paths(
    parent: NDArray[np.int32], leaves: NDArray[np.int64], starts: NDArray[np.int64], out: NDArray[np.int64]
) -> None:
    """Write the nodes that are entered on the way to each leaf to out[starts[r] : starts[r + 1]]."""
    for r in range(leaves.size):
        node = leaves[r]
        for j in range(starts[r + 1] - 1, starts[r] - 1, -1):
            out[j] = node
            node = np.int64(parent[node])


@kernel
def generalize_paths(
    codes: NDArray[Any],
    sizes: NDArray[np.int64],
    is_number: NDArray[np.bool_],
    every: NDArray[np.uint64],
    others: NDArray[np.uint64],
    weight: NDArray[np.float64],
    attribute: NDArray[np.int64],
    cut: NDArray[np.int64],
    branch: NDArray[np.int64],
    starts: NDArray[np.int64],
    conditions: NDArray[np.int64],
    conclusions: NDArray[np.int64],
    default_error: NDArray[np.float64],
    cf: float,
    z: float,
    tail: float,
    kept: NDArray[np.bool_],
    counts: NDArray[np.float64],
) -> None:
    """Find which conditions of each rule stay, the weight of its rows and wrong rows, and its error rate."""
    # `codes` has a line per attribute; `every` is the set of all rows, `others` has those of other classes
    # than each; `weight` of length 0 means ones. Rule r has conditions[starts[r] : starts[r + 1]], nodes that
    # are entered: `branch` of a test of `attribute` at `cut`. 48,842 rows, 4,000 paths: 0.2 s.
    longest = (starts[1:] - starts[:-1]).max()
    failing = np.empty((longest, every.size), np.uint64)
    fails, once, more = np.zeros(64 * every.size, np.bool_), np.empty_like(every), np.empty_like(every)
    before, group = np.empty(longest, np.int64), np.empty(longest, np.int64)
    top, which, side = np.empty(longest, np.int64), np.empty(longest, np.int64), np.empty(longest, np.int64)
    total, wrong = np.empty(longest + 1), np.empty(longest + 1)
    last = conditions[:0]
    for r in range(conclusions.size):
        path = conditions[starts[r] : starts[r + 1]]
        n_groups = _group(path, attribute, branch, is_number, which, side, before, group, top)
        for p in range(path.size):
            c, kept[starts[r] + p] = path[p], True
            if p >= last.size or last[p] != c:
                its_side, a = side[group[p]], attribute[c]
                bound = branch[c] if its_side == ONE_VALUE else cut[c]
                fill_failing(codes[a], sizes[a], its_side, bound, fails, failing[p])
        last = path
        error, mistaken = default_error[conclusions[r]], others[conclusions[r]]
        while True:
            collect_failures(failing, top, before, n_groups, once, more)
            total[0], wrong[0] = weigh(every, once, mistaken, weight)
            for g in range(n_groups):
                if top[g] >= 0:
                    total[g + 1], wrong[g + 1] = weigh(failing[top[g]], more, mistaken, weight)
            p = _to_drop(top, before, n_groups, total, wrong, error, cf, z, tail)
            if p < 0:
                break
            kept[starts[r] + p] = False
            if p == top[group[p]]:
                top[group[p]] = before[p]
            else:
                before[top[group[p]]] = before[p]
        counts[r, 0], counts[r, 1] = total[0], wrong[0]
        counts[r, 2] = _rate(total[0], wrong[0], error, cf, z, tail)


@kernel
def _group(
    path: NDArray[np.int64],
    attribute: NDArray[np.int64],
    branch: NDArray[np.int64],
    is_number: NDArray[np.bool_],
    which: NDArray[np.int64],
    side: NDArray[np.int64],
    before: NDArray[np.int64],
    group: NDArray[np.int64],
    top: NDArray[np.int64],
) -> int:
    """Group the conditions of a path, and return the number of groups."""
    # Group g tests the attribute `which` on a `side`; `top` is its last condition, `before` the one of the
    # same group before each condition, -1 for the first.
    n_groups = 0
    for p in range(path.size):
        c = path[p]
        its_side = branch[c] if is_number[attribute[c]] else np.int64(ONE_VALUE)
        g = 0
        while g < n_groups and (which[g] != attribute[c] or side[g] != its_side):
            g += 1
        if g == n_groups:
            which[g], side[g], top[g] = attribute[c], its_side, -1
            n_groups += 1
        before[p], group[p], top[g] = top[g], g, p
    return n_groups


@kernel
def _rate(total: float, wrong: float, default_error: float, cf: float, z: float, tail: float) -> float:
    if total <= 0.0:
        return default_error
    return (wrong + added_errors(total, wrong, cf, z, tail)) / total


@kernel
def _to_drop(
    top: NDArray[np.int64],
    before: NDArray[np.int64],
    n_groups: int,
    total: NDArray[np.float64],
    wrong: NDArray[np.float64],
    default_error: float,
    cf: float,
    z: float,
    tail: float,
) -> int:
    """Return the condition without which the rule has the fewest expected errors, -1 if all help."""
    # the last of ties; a bound that is not the tightest of its group never helps
    base = _rate(total[0], wrong[0], default_error, cf, z, tail)
    observed = wrong[0] / total[0] if total[0] > 0.0 else 0.0
    best, best_rate, slack, alters = -1, np.inf, -1, False
    for g in range(n_groups):
        if top[g] < 0:
            continue
        n, e = total[0] + total[g + 1], wrong[0] + wrong[g + 1]
        rate = _rate(n, e, default_error, cf, z, tail)
        if rate < best_rate or (rate == best_rate and top[g] > best):
            best, best_rate = int(top[g]), rate
        alters |= rate <= base or (e / n if n > 0.0 else 0.0) <= observed
        slack = max(slack, int(before[top[g]]))
    if slack >= 0 and (base < best_rate or (base == best_rate and slack > best)):
        return slack
    return best if alters or slack >= 0 else -1
