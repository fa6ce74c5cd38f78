"""Kernels that convert counts to probability tables, laid out for prediction."""

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel


@kernel
def class_factors(
    counts: NDArray[np.float64],
    pseudo: NDArray[np.float64],
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return P(value | class) for each slot from the (slot, class) counts, 1 in the slot for missing."""
    out = np.empty(counts.shape)
    out[:] = 1.0
    for j in range(arities.size):
        first, last = offsets[j], offsets[j] + arities[j]
        for c in range(counts.shape[1]):
            total = 0.0
            for s in range(first, last):
                total += counts[s, c] + pseudo[s]
            for s in range(first, last):
                out[s, c] = (counts[s, c] + pseudo[s]) / total
    return out


@kernel
def marginal_pseudo_counts(
    counts: NDArray[np.float64], n0: float, offsets: NDArray[np.int64], arities: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Friedman's pseudo-counts from the (slot, class) counts: n0 times the training marginal."""
    # the slot for missing gets 1; an attribute missing in all rows gets the uniform distribution as marginal
    out = np.ones(counts.shape[0])
    for j in range(arities.size):
        total = 0.0
        for s in range(offsets[j], offsets[j] + arities[j]):
            out[s] = counts[s].sum()
            total += out[s]
        for s in range(offsets[j], offsets[j] + arities[j]):
            out[s] = n0 * out[s] / total if total > 0.0 else n0 / arities[j]
    return out


@kernel
def tree_tables(
    pairs: NDArray[np.float64],
    parents: NDArray[np.int64],
    pseudo: NDArray[np.float64],
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return P(child | parent, class) as [slot of child, code of parent, class], with code 0 for a root."""
    n_slots, _, n_classes = pairs.shape
    most = np.int64(1)
    for j in range(arities.size):
        most = max(most, arities[j])
    out = np.empty((n_slots, most, n_classes))
    out[:] = 1.0
    for j in range(arities.size):
        p = parents[j]
        for u in range(arities[p] if p >= 0 else 1):
            for c in range(n_classes):
                total = 0.0
                for v in range(arities[j]):
                    s = offsets[j] + v
                    n = pairs[offsets[p] + u, s, c] if p >= 0 else pairs[s, s, c]
                    out[s, u, c] = n + pseudo[s]
                    total += out[s, u, c]
                for v in range(arities[j]):
                    out[offsets[j] + v, u, c] /= total
    return out


@kernel
def joint_with_class(
    counts: NDArray[np.float64],
    n_rows: float,
    pseudo: NDArray[np.float64],
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
) -> NDArray[np.float64]:
    """P(class, value) for each slot from the (slot, class) counts, over the rows with the attribute known."""
    # `pseudo` is each attribute's pseudo-count per cell; the slot for missing gets 0
    n_classes = counts.shape[1]
    out = np.zeros(counts.shape)
    for i in range(arities.size):
        missing = offsets[i] + arities[i]
        known = n_rows
        for c in range(n_classes):
            known -= counts[missing, c]
        total = known + pseudo[i] * n_classes * arities[i]
        for s in range(offsets[i], missing):
            for c in range(n_classes):
                out[s, c] = (counts[s, c] + pseudo[i]) / total
    return out


@kernel
def one_dependence_tables(
    pairs: NDArray[np.float64],
    joint: NDArray[np.float64],
    pseudo: NDArray[np.float64],
    pseudo_totals: NDArray[np.float64],
    min_frequency: float,
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
) -> NDArray[np.float64]:
    """AODE's tables [slot of parent, slot of child, class], in place of the counts."""
    # Off the diagonal P(child | class, parent value), 1 where the child is missing; on it `joint`, P(class,
    # parent value), or 0 where the value is in fewer than `min_frequency` rows. `pseudo` goes by slot,
    # `pseudo_totals` holds its sum over each attribute's values.
    n_features, n_classes = arities.size, joint.shape[1]
    for i in range(n_features):
        missing = offsets[i] + arities[i]
        for s in range(offsets[i], missing):
            frequency = 0.0
            for c in range(n_classes):
                frequency += pairs[s, s, c]
            for j in range(n_features):
                if j != i:
                    _child_rows(pairs[s], offsets[j], arities[j], pseudo, pseudo_totals[j])
            for c in range(n_classes):
                pairs[s, s, c] = joint[s, c] if frequency >= min_frequency else 0.0
        for c in range(n_classes):
            pairs[missing, missing, c] = 0.0
    return pairs


@kernel
def _child_rows(
    table: NDArray[np.float64], first: int, arity: int, pseudo: NDArray[np.float64], pseudo_total: float
) -> None:
    for c in range(table.shape[1]):
        total = pseudo_total
        for s in range(first, first + arity):
            total += table[s, c]
        for s in range(first, first + arity):
            table[s, c] = (table[s, c] + pseudo[s]) / total
        table[first + arity, c] = 1.0
