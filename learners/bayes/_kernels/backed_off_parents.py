"""Tables of averages over parents that back off: to one parent less, and from there to the class alone.

Laid out as those of `one_dependence` and `two_dependence`, whose kernels forecast by them.
"""

import numpy as np
from numpy.typing import NDArray

from learners.bayes._kernels.backing_off import fit_level, marginals
from learners.compiled import kernel


@kernel
def backed_off_values(
    values: NDArray[np.float64], offsets: NDArray[np.int64], arities: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """P(value | class) for each slot from the (slot, class) counts, and that of a row that is left out.

    The slot for missing is 1, and a value that does not occur has the probability 0 in the second.
    """
    out, left_out = np.ones(values.shape), np.ones(values.shape)
    n_classes = values.shape[1]
    for j in range(arities.size):
        own = slice(offsets[j], offsets[j] + arities[j])
        shape = (1, arities[j], n_classes)
        counts = np.ascontiguousarray(values[own]).reshape(shape)
        kept, gone = marginals(counts[0])
        below, below_left_out = np.empty(shape), np.empty(shape)
        for c in range(n_classes):
            below[0, :, c], below_left_out[0, :, c] = kept, gone
        found, found_left_out = np.empty(shape), np.empty(shape)
        fit_level(counts, below, below_left_out, 1, 0.0, np.empty((1, n_classes)), found, found_left_out)
        out[own], left_out[own] = found[0], found_left_out[0]
    return out, left_out


@kernel
def back_off_one_parent(
    pairs: NDArray[np.float64],
    factors: NDArray[np.float64],
    factors_left_out: NDArray[np.float64],
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """P(child | class, parent value) as [slot of parent, slot of child, class], and that of left-out rows.

    The slot for missing of a child is 1.
    """
    n_classes = factors.shape[1]
    out, left_out = np.ones(pairs.shape), np.ones(pairs.shape)
    for i in range(arities.size):
        for j in range(arities.size):
            if i == j:
                continue
            parent = slice(offsets[i], offsets[i] + arities[i])
            child = slice(offsets[j], offsets[j] + arities[j])
            counts = pairs[parent, child, :n_classes].copy()
            below = factors[child].copy().reshape(1, arities[j], n_classes)
            below_left_out = factors_left_out[child].copy().reshape(1, arities[j], n_classes)
            found, gone = np.empty(counts.shape), np.empty(counts.shape)
            totals = np.empty((arities[i], n_classes))
            fit_level(counts, below, below_left_out, arities[i], 0.0, totals, found, gone)
            out[parent, child, :n_classes] = found
            left_out[parent, child, :n_classes] = gone
    return out, left_out


@kernel
def set_parents(
    tables: NDArray[np.float64],
    values: NDArray[np.float64],
    joint: NDArray[np.float64],
    min_frequency: float,
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
) -> None:
    """Put P(class, parent value) on the diagonal, 0 where the value has fewer than `min_frequency` rows."""
    n_classes = joint.shape[1]
    for i in range(arities.size):
        missing = offsets[i] + arities[i]
        for s in range(offsets[i], missing):
            enough = values[s].sum() >= min_frequency
            for c in range(n_classes):
                tables[s, s, c] = joint[s, c] if enough else 0.0
        tables[missing, missing, :n_classes] = 0.0


@kernel
def back_off_two_parents(
    counts: NDArray[np.float64],
    one_parent: NDArray[np.float64],
    one_parent_left_out: NDArray[np.float64],
    pair_offsets: NDArray[np.int64],
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
    n_classes: int,
) -> None:
    """P(child | class, values of the pair) in place of the (pair slot, slot, class) counts.

    It backs off to the mean of what each of the two parents says alone. The slot for missing is 1.
    """
    at = 0
    for j in range(arities.size):
        for i in range(j):
            pair = slice(pair_offsets[at], pair_offsets[at + 1] - 1)
            for m in range(arities.size):
                if m in (i, j):
                    continue
                child = slice(offsets[m], offsets[m] + arities[m])
                below = np.empty((arities[i] * arities[j], arities[m], n_classes))
                below_left_out = np.empty(below.shape)
                for u in range(arities[i]):
                    first = offsets[i] + u
                    for v in range(arities[j]):
                        second, context = offsets[j] + v, u * arities[j] + v
                        for x in range(arities[m]):
                            s = offsets[m] + x
                            for c in range(n_classes):
                                both = one_parent[first, s, c] + one_parent[second, s, c]
                                below[context, x, c] = 0.5 * both
                                both = one_parent_left_out[first, s, c] + one_parent_left_out[second, s, c]
                                below_left_out[context, x, c] = 0.5 * both
                own = counts[pair, child, :n_classes].copy()
                found, gone = np.empty(own.shape), np.empty(own.shape)
                totals = np.empty((own.shape[0], n_classes))
                fit_level(own, below, below_left_out, 1, 0.0, totals, found, gone)
                counts[pair, child, :n_classes] = found
                counts[pair, offsets[m] + arities[m]] = 1.0
            at += 1
