"""Tables of averages over parents with backoff: to one parent less, and then to only the class.

Laid out as those of `one_dependence` and `two_dependence`, whose kernels forecast by them.
"""

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.bayes._kernels.backing_off import fit_level, spread_marginals


@kernel
def backed_off_values(
    values: NDArray[np.float64], offsets: NDArray[np.int64], arities: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """P(value | class) for each slot from the (slot, class) counts, and that of a row that is left out."""
    # the slot for missing is 1; a value of a single row has the probability 0 in the second
    out, left_out = np.ones(values.shape), np.ones(values.shape)
    n_classes = values.shape[1]
    for j in range(arities.size):
        own = slice(offsets[j], offsets[j] + arities[j])
        shape = (1, arities[j], n_classes)
        counts = values[own].copy().reshape(shape)
        below, below_left_out = spread_marginals(counts[0], np.ones(n_classes))
        fit_level(
            counts, below, below_left_out, 1, 0.0, np.empty((1, n_classes)),
            out[own].reshape(shape), left_out[own].reshape(shape),
        )  # fmt: skip
    return out, left_out


@kernel
def back_off_one_parent(
    pairs: NDArray[np.float64],
    factors: NDArray[np.float64],
    factors_left_out: NDArray[np.float64],
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
    left_out: NDArray[np.float64],
) -> None:
    """P(child | class, parent value), in place of the counts [slot of parent, slot of child, class]."""
    # The slot for missing of a child is 1. `left_out`, if not empty, receives that of a left-out row.
    n_classes = factors.shape[1]
    for i in range(arities.size):
        parent = slice(offsets[i], offsets[i] + arities[i])
        for j in range(arities.size):
            if i == j:
                continue
            child = slice(offsets[j], offsets[j] + arities[j])
            shape = (1, arities[j], n_classes)
            below, below_left_out = factors[child].reshape(shape), factors_left_out[child].reshape(shape)
            counts = pairs[parent, child, :n_classes].copy()
            found, gone = np.empty(counts.shape), np.empty(counts.shape)
            totals = np.empty((arities[i], n_classes))
            fit_level(counts, below, below_left_out, arities[i], 0.0, totals, found, gone)
            pairs[parent, child, :n_classes] = found
            pairs[parent, offsets[j] + arities[j]] = 1.0
            if left_out.shape[0]:
                left_out[parent, child, :n_classes] = gone


@kernel
def set_parents(
    tables: NDArray[np.float64],
    enough: NDArray[np.bool_],
    joint: NDArray[np.float64],
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
) -> None:
    """Put P(class, parent value) on the diagonal, 0 where a value has not `enough` rows to be a parent."""
    n_classes = joint.shape[1]
    for i in range(arities.size):
        missing = offsets[i] + arities[i]
        for s in range(offsets[i], missing):
            for c in range(n_classes):
                tables[s, s, c] = joint[s, c] if enough[s] else 0.0
        tables[missing, missing, :n_classes] = 0.0


@kernel
def joint_of_pairs(
    prior: NDArray[np.float64],
    factors: NDArray[np.float64],
    one_parent: NDArray[np.float64],
    pair_offsets: NDArray[np.int64],
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
) -> NDArray[np.float64]:
    """P(class, values of the pair): the mean of both orders in which the values may follow the class."""
    n_classes = prior.size
    out = np.zeros((pair_offsets[-1], n_classes))
    at = 0
    for j in range(arities.size):
        for i in range(j):
            for u in range(arities[i]):
                for v in range(arities[j]):
                    s, first, second = pair_offsets[at] + u * arities[j] + v, offsets[i] + u, offsets[j] + v
                    for c in range(n_classes):
                        up = factors[first, c] * one_parent[first, second, c]
                        down = factors[second, c] * one_parent[second, first, c]
                        out[s, c] = prior[c] * 0.5 * (up + down)
            at += 1
    return out


@kernel
def back_off_two_parents(
    counts: NDArray[np.float64],
    one_parent: NDArray[np.float64],
    one_parent_left_out: NDArray[np.float64],
    enough: NDArray[np.bool_],
    joint: NDArray[np.float64],
    pair_offsets: NDArray[np.int64],
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
) -> None:
    """P(child | class, values of the pair) in place of the (pair slot, slot, class) counts."""
    # Backs off to the mean of what each parent says alone. Missing is 1. The slots of the pair's first
    # attribute hold `joint`, or 0 where the values have not `enough` rows together; those of the second 1.
    n_classes = joint.shape[1]
    at = 0
    for j in range(arities.size):
        for i in range(j):
            pair = slice(pair_offsets[at], pair_offsets[at + 1] - 1)
            for m in range(arities.size):
                if m in (i, j):
                    continue
                child = slice(offsets[m], offsets[m] + arities[m])
                below = _mean_of_both(one_parent, i, j, m, offsets, arities, n_classes)
                below_left_out = _mean_of_both(one_parent_left_out, i, j, m, offsets, arities, n_classes)
                own = counts[pair, child, :n_classes].copy()
                found, gone = np.empty(own.shape), np.empty(own.shape)
                totals = np.empty((own.shape[0], n_classes))
                fit_level(own, below, below_left_out, 1, 0.0, totals, found, gone)
                counts[pair, child, :n_classes] = found
                counts[pair, offsets[m] + arities[m]] = 1.0
            counts[pair, offsets[j] : offsets[j + 1]] = 1.0
            counts[pair, offsets[i] : offsets[i + 1]] = 0.0
            for s in range(pair_offsets[at], pair_offsets[at + 1] - 1):
                if enough[s]:
                    for t in range(offsets[i], offsets[i + 1]):
                        counts[s, t, :n_classes] = joint[s]
            at += 1


@kernel
def _mean_of_both(
    one_parent: NDArray[np.float64],
    i: int,
    j: int,
    m: int,
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
    n_classes: int,
) -> NDArray[np.float64]:
    """Average P(m | class, i) and P(m | class, j), laid out as (values of i and j, value of m, class)."""
    out = np.empty((arities[i] * arities[j], arities[m], n_classes))
    for u in range(arities[i]):
        for v in range(arities[j]):
            for x in range(arities[m]):
                s = offsets[m] + x
                for c in range(n_classes):
                    both = one_parent[offsets[i] + u, s, c] + one_parent[offsets[j] + v, s, c]
                    out[u * arities[j] + v, x, c] = 0.5 * both
    return out
