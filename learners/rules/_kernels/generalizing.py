"""Drop the conditions of rules that do not help them: the first step from a tree to C4.5rules.

Paths of thousands of conditions take time in proportion to their length, see `rule_failures`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.compiled import kernel
from learners.rules._kernels.failures import NONE, ONE_VALUE, count_failures, lift, tally
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
    order: NDArray[np.int32],
    code_starts: NDArray[np.int64],
    code_offset: NDArray[np.int64],
    is_number: NDArray[np.bool_],
    y: NDArray[np.int32],
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
    """Return which conditions of each rule stay, the weight of its rows and wrong rows, and its error rate.

    `codes` has a line per attribute; order[a] has the rows by the code of attribute a: those of code v from
    code_starts[code_offset[a] + v] on, the rows that miss it last. Rule r has conditions[starts[r] : starts[r
    + 1]], numbers of nodes that are entered: the node's parent tests `attribute` at `cut`, and the node is
    its `branch`. 48,842 rows, 8,000 paths: 2 s; 10,000 rows, 5,000 paths of 2,500 conditions: 4 s.
    """
    n, longest = y.size, (starts[1:] - starts[:-1]).max()
    n_failed, of_failed = np.zeros(n, np.int32), np.zeros(n, np.int32)
    before, group = np.empty(longest, np.int64), np.empty(longest, np.int64)
    top, which, side = np.empty(longest, np.int64), np.empty(longest, np.int64), np.empty(longest, np.int64)
    total, wrong = np.empty(longest + 1), np.empty(longest + 1)
    only = np.empty(longest + 1, np.int64)
    for r in range(conclusions.size):
        lo, m = starts[r], starts[r + 1] - starts[r]
        n_groups = _group(
            conditions[lo : lo + m], attribute, branch, is_number, which, side, before, group, top
        )
        bounds = _bounds(conditions[lo : lo + m], side, group, branch, cut)
        n_failed[:] = 0
        of_failed[:] = 0
        for g in range(n_groups):
            a, wider = which[g], _bound(bounds, before[top[g]])
            count_failures(codes[a], sizes[a], side[g], bounds[top[g]], 1, g + 1, n_failed, of_failed)
            count_failures(codes[a], sizes[a], side[g], wider, 1, g + 1, n_failed, of_failed)
        tally(n_failed, of_failed, y, weight, conclusions[r], n_groups, total, wrong, only)
        stays = kept[lo : lo + m]
        stays[:] = True
        error = default_error[conclusions[r]]
        for _ in range(m):
            p = _to_drop(top, before, n_groups, total, wrong, error, cf, z, tail)
            if p < 0:
                break
            stays[p] = False
            g, all_seen = group[p], False
            a = which[g]
            at = code_starts[code_offset[a] : code_offset[a + 1]]
            # without the tightest bound, rows between the next two fail the group once, no longer twice
            for q in (p, before[p]):
                if q >= 0 and (q == p or p == top[g]):
                    all_seen |= lift(
                        codes[a], sizes[a], order[a], at, side[g], bounds[q], _bound(bounds, before[q]),
                        g + 1, y, weight, conclusions[r], n_failed, of_failed, total, wrong, only,
                    )  # fmt: skip
            if p == top[g]:
                top[g] = before[p]
            else:
                before[top[g]] = before[p]
            if all_seen:
                tally(n_failed, of_failed, y, weight, conclusions[r], n_groups, total, wrong, only)
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
    """Group the conditions of a path; return the number of groups.

    Group g tests the attribute `which` on a `side`; `top` is its last condition, and `before` the one of the
    same group before each condition, -1 for the first.
    """
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
def _bounds(
    path: NDArray[np.int64],
    side: NDArray[np.int64],
    group: NDArray[np.int64],
    branch: NDArray[np.int64],
    cut: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return the code that each condition of a path requires or uses as bound."""
    out = np.empty(path.size, np.int64)
    for p in range(path.size):
        out[p] = branch[path[p]] if side[group[p]] == ONE_VALUE else cut[path[p]]
    return out


@kernel
def _bound(bounds: NDArray[np.int64], p: int) -> Any:
    return bounds[p] if p >= 0 else np.int64(NONE)


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
    """Return the condition without which the rule has the fewest expected errors, -1 if all help.

    The last of ties. A bound that is not the tightest of its group never helps.
    """
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
