"""Kernels of tables that back off: P(value | class, l parents) leans on P(value | class, l - 1 parents).

Attribute j has the parents `parents[j, :k]`, -1 past its last, and a table for each *level* l, the number of
parents that it uses. The table of level l starts at `starts[j, l]` of a flat array, -1 where the attribute
has fewer parents, and is laid out as (l parents in order, value, class); `contexts[j, l]` is the same for
tables laid out as (l parents in order, class).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.bayes._kernels.one_dependence import SMALLEST_PROBABILITY
from learners.compiled import kernel

#: Products of probabilities are rescaled below this, so that they cannot underflow.
SMALL = 1e-100
#: Concentrations are sought between these bounds, by halving their ratio this many times.
LEAST, MOST, HALVINGS = 0.05, 5000.0, 14
#: Pseudo-count of an attribute's values, in all, at the level without a class.
UNIFORM = 1.0


@kernel
def count_levels(
    codes: NDArray[Any],
    y: NDArray[np.intp],
    weight: NDArray[np.float64],
    arities: NDArray[np.int64],
    parents: NDArray[np.int64],
    starts: NDArray[np.int64],
    n_classes: int,
    out: NDArray[np.float64],
) -> None:
    """Add each row to the levels in which it is complete; `weight` of length 0 means ones."""
    context = np.empty(y.size, np.int64)
    for j in range(arities.size):
        context[:] = 0
        for level in range(starts.shape[1]):
            if starts[j, level] < 0:
                break
            if level > 0:
                p = parents[j, level - 1]
                for i in range(y.size):
                    known = context[i] >= 0 and codes[p, i] < arities[p]
                    context[i] = context[i] * arities[p] + codes[p, i] if known else -1
            for i in range(y.size):
                if context[i] >= 0 and codes[j, i] < arities[j]:
                    cell = (context[i] * arities[j] + codes[j, i]) * n_classes + y[i]
                    out[starts[j, level] + cell] += weight[i] if weight.size else 1.0


@kernel
def marginals(by_class: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """P(value) from the (value, class) counts, and what it is for a row that is left out with that value.

    A value of a single row would be unknown without it: there the second is 0.
    """
    counts = by_class.sum(axis=1)
    total, pseudo = counts.sum(), UNIFORM / counts.size
    kept = (counts + pseudo) / (total + UNIFORM)
    left_out = np.zeros(counts.size)
    for v in range(counts.size):
        if counts[v] > 1.0:
            left_out[v] = (counts[v] - 1.0 + pseudo) / (total - 1.0 + UNIFORM)
    return kept, left_out


@kernel
def fit_level(
    counts: NDArray[np.float64],
    below: NDArray[np.float64],
    below_left_out: NDArray[np.float64],
    n_wider: int,
    concentration: float,
    totals: NDArray[np.float64],
    out: NDArray[np.float64],
    left_out: NDArray[np.float64],
) -> float:
    """Fill in one level from its counts (context, value, class), and return its concentration.

    `below` and `below_left_out` are the level under it, whose contexts each split into `n_wider` of this one;
    `left_out` is the probability that the table without one row assigns to this row. A concentration of 0 is
    chosen: the one with which the left-out rows are most probable.
    """
    n_contexts, arity, n_classes = counts.shape
    for v in range(n_contexts):
        for c in range(n_classes):
            totals[v, c] = counts[v, :, c].sum()
    m = concentration
    if m == 0.0:
        m = _most_probable_concentration(counts, totals, below_left_out, n_wider)
    for v in range(n_contexts):
        for x in range(arity):
            for c in range(n_classes):
                n, total = counts[v, x, c], totals[v, c]
                out[v, x, c] = (n + m * below[v // n_wider, x, c]) / (total + m)
                gone = min(n, 1.0)
                rest = n - gone + m * below_left_out[v // n_wider, x, c]
                left_out[v, x, c] = rest / (total - gone + m)
    return m


@kernel
def _most_probable_concentration(
    counts: NDArray[np.float64],
    totals: NDArray[np.float64],
    below_left_out: NDArray[np.float64],
    n_wider: int,
) -> float:
    """Maximize the log probability of the left-out rows over the concentration, by halving.

    Its derivative is the sum over the cells of n (q / (n - 1 + m q) - 1 / (N - 1 + m)), with q the level
    below.
    """
    n_contexts, arity, n_classes = counts.shape
    n_cells = 0
    cells = np.empty((counts.size, 4))
    for v in range(n_contexts):
        for x in range(arity):
            for c in range(n_classes):
                n, q = counts[v, x, c], below_left_out[v // n_wider, x, c]
                if n > 0.0 and q > 0.0:
                    gone = min(n, 1.0)
                    cells[n_cells] = n, n - gone, totals[v, c] - gone, q
                    n_cells += 1
    low, high = np.log(LEAST), np.log(MOST)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        m = np.exp(middle)
        slope = 0.0
        for i in range(n_cells):
            n, rest, total, q = cells[i]
            slope += n * (q / (rest + m * q) - 1.0 / (total + m))
        if slope > 0.0:
            low = middle
        else:
            high = middle
    return np.exp(0.5 * (low + high))


@kernel
def multiply_levels(
    codes: NDArray[Any],
    arities: NDArray[np.int64],
    order: NDArray[np.int64],
    parents: NDArray[np.int64],
    starts: NDArray[np.int64],
    shown: NDArray[np.bool_],
    offsets: NDArray[np.int64],
    tables: NDArray[np.float64],
    prior: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Fill in the posterior of each row from the attributes in `order`.

    Each attribute uses its level with the most parents such that all are known. A missing value, or one that
    is not `shown` in training, does not count.
    """
    n_classes, n_levels = prior.size, starts.shape[1]
    for i in range(codes.shape[1]):
        for c in range(n_classes):
            out[i, c] = prior[c]
        for j in order:
            x = codes[j, i]
            if x >= arities[j] or not shown[offsets[j] + x]:
                continue
            context = 0
            cell = starts[j, 0] + x * n_classes
            for level in range(1, n_levels):
                p = parents[j, level - 1]
                if p < 0 or codes[p, i] >= arities[p]:
                    break
                context = context * arities[p] + codes[p, i]
                cell = starts[j, level] + (context * arities[j] + x) * n_classes
            largest = 0.0
            for c in range(n_classes):
                out[i, c] *= tables[cell + c]
                largest = max(largest, out[i, c])
            if largest < SMALL:
                for c in range(n_classes):
                    out[i, c] /= largest
        total = 0.0
        for c in range(n_classes):
            total += out[i, c]
        for c in range(n_classes):
            out[i, c] = max(out[i, c] / total, SMALLEST_PROBABILITY)


@kernel
def leave_out_each(
    codes: NDArray[Any],
    y: NDArray[np.intp],
    weight: NDArray[np.float64],
    arities: NDArray[np.int64],
    order: NDArray[np.int64],
    parents: NDArray[np.int64],
    starts: NDArray[np.int64],
    contexts: NDArray[np.int64],
    offsets: NDArray[np.int64],
    marginal_counts: NDArray[np.float64],
    counts: NDArray[np.float64],
    totals: NDArray[np.float64],
    concentrations: NDArray[np.float64],
    class_counts: NDArray[np.float64],
    class_alpha: float,
    losses: NDArray[np.float64],
    level_kept: int,
    n_kept: int,
    forecasts: NDArray[np.float64],
) -> None:
    """Forecast each row by the tables of all others, for every number of levels and of attributes.

    `losses[level, n]` is the log loss in bits, summed by weight, with the first n attributes of `order` and
    at most `level` parents each; `forecasts` receives the posteriors with `level_kept` and `n_kept`, unless
    it has no rows. Structure, cuts and concentrations are those of all rows. Of a row of weight w, min(w, 1)
    is left out.
    """
    n_classes, n_levels = class_counts.size, losses.shape[0]
    row = np.empty((n_levels, n_classes))
    q = np.empty(n_classes)
    known = np.empty(arities.size)  # weight of the rows that have the attribute
    for j in range(arities.size):
        known[j] = marginal_counts[offsets[j] : offsets[j + 1]].sum()
    for i in range(y.size):
        w = weight[i] if weight.size else 1.0
        gone = min(w, 1.0)
        for c in range(n_classes):
            row[:, c] = class_counts[c] + class_alpha - (gone if c == y[i] else 0.0)
        _normalize(row)
        for level in range(n_levels):
            losses[level, 0] -= w * np.log2(row[level, y[i]])
        if forecasts.shape[0] and n_kept == 0:
            forecasts[i] = row[level_kept]
        for position in range(order.size):
            j = order[position]
            x, arity = codes[j, i], arities[j]
            shown = x < arity and marginal_counts[offsets[j] + x] > gone
            if shown:
                base = marginal_counts[offsets[j] + x] - gone + UNIFORM / arity
                q[:] = base / (known[j] - gone + UNIFORM)
                context, deeper = 0, True
                for level in range(n_levels):
                    if level > 0 and deeper:
                        p = parents[j, level - 1]
                        deeper = p >= 0 and codes[p, i] < arities[p]
                        if deeper:
                            context = context * arities[p] + codes[p, i]
                    if deeper:
                        cell = starts[j, level] + (context * arity + x) * n_classes
                        above = contexts[j, level] + context * n_classes
                        m = concentrations[j, level]
                        for c in range(n_classes):
                            own = gone if c == y[i] else 0.0
                            q[c] = (counts[cell + c] - own + m * q[c]) / (totals[above + c] - own + m)
                    for c in range(n_classes):
                        row[level, c] *= q[c]
                _normalize(row)
            for level in range(n_levels):
                losses[level, position + 1] -= w * np.log2(row[level, y[i]])
            if forecasts.shape[0] and n_kept == position + 1:
                forecasts[i] = row[level_kept]


@kernel
def _normalize(rows: NDArray[np.float64]) -> None:
    """Divide each row by its sum; no class gets 0."""
    for k in range(rows.shape[0]):
        total = 0.0
        for c in range(rows.shape[1]):
            total += rows[k, c]
        for c in range(rows.shape[1]):
            rows[k, c] = max(rows[k, c] / total, SMALLEST_PROBABILITY)
