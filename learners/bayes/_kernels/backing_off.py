"""Kernels of tables with backoff: from P(value | class, l parents) to P(value | class, l - 1 parents).

Attribute j has the parents `parents[j, :k]`, -1 past its last, and a table for each *level* l, the number of
parents that it uses. The table of level l starts at `starts[j, l]` of a flat array, -1 where the attribute
has fewer parents, and is laid out as (l parents in order, value, class).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel

#: A concentration is sought between these bounds: the best of so many, then by halving up to the next one.
LEAST, MOST, TRIED, HALVINGS = 0.05, 5000.0, 13, 10
#: Beforehand the logarithm of a concentration is normal. On halves of eleven real tables KDB with two parents
#: loses 1.06 bits a row without this, 0.98 around 5, 0.92 around 20, 0.90 around 50 (Friedman's: 0.94).
USUAL, SPREAD = 50.0, 1.0
#: Pseudo-count of an attribute's values, in all, at the level without a class.
UNIFORM = 1.0
#: More rows than one, where sums of weights are rounded.
ALONE = 1.0 + 1e-9
#: A product of probabilities below this is turned into logs.
SMALL_PRODUCT = 1e-100
#: Rows counted together, so that they stay in the cache.
ROW_BLOCK = 4096


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
    """Add each row to the levels in which it is complete. `weight` of length 0 means ones."""
    # 1,000,000 x 30 of 5 values, two parents: 0.5 s with the tables
    context = np.empty(ROW_BLOCK, np.int64)
    for j in range(arities.size):
        for begin in range(0, y.size, ROW_BLOCK):
            n = min(ROW_BLOCK, y.size - begin)
            for level in range(starts.shape[1]):
                if starts[j, level] < 0:
                    break
                split_contexts(codes, arities, parents, j, level, begin, n, context)
                for i in range(n):
                    if context[i] >= 0:
                        row = begin + i
                        cell = (context[i] * arities[j] + codes[j, row]) * n_classes + y[row]
                        out[starts[j, level] + cell] += weight[row] if weight.size else 1.0


@kernel
def split_contexts(
    codes: NDArray[Any],
    arities: NDArray[np.int64],
    parents: NDArray[np.int64],
    j: int,
    level: int,
    begin: int,
    n: int,
    context: NDArray[np.int64],
) -> None:
    """Map the contexts of some rows from the level below to this one, negative if a value is missing."""
    if level == 0:
        for i in range(n):
            context[i] = 0 if codes[j, begin + i] < arities[j] else -1
        return
    p = parents[j, level - 1]
    for i in range(n):
        u = np.int64(codes[p, begin + i])
        context[i] = context[i] * arities[p] + u if context[i] >= 0 and u < arities[p] else -1


@kernel
def marginals(
    by_class: NDArray[np.float64], units: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """P(value) from (value, class) counts, and for a left-out row with that value: 0 if it is alone."""
    # `units`: the weight of a row of each class, on the average
    counts, n_rows = np.zeros(by_class.shape[0]), np.zeros(by_class.shape[0])
    for v in range(counts.size):
        for c in range(by_class.shape[1]):
            counts[v] += by_class[v, c]
            n_rows[v] += by_class[v, c] / units[c]
    total, pseudo = counts.sum(), UNIFORM / counts.size
    kept = (counts + pseudo) / (total + UNIFORM)
    left_out = np.zeros(counts.size)
    for v in range(counts.size):
        if n_rows[v] > ALONE:
            own = counts[v] / n_rows[v]
            left_out[v] = (counts[v] - own + pseudo) / (total - own + UNIFORM)
    return kept, left_out


@kernel
def back_off(
    counts: NDArray[np.float64],
    arity: int,
    n_classes: int,
    wider: NDArray[np.int64],
    concentrations: NDArray[np.float64],
    out: NDArray[np.float64],
    totals: NDArray[np.float64],
) -> None:
    """Fill in the tables of one attribute, the lowest level first."""
    # `counts` and `out` hold the levels one after the other, each (context, value, class), `totals` sums over
    # the values; contexts of level l split into `wider[l]`. Concentrations of 0 are chosen.
    shape = (1, arity, n_classes)
    by_class = counts[: arity * n_classes].reshape(shape)[0]
    below, below_left_out = spread_marginals(by_class, np.ones(n_classes))
    first, above, n_contexts, n_wider = 0, 0, 1, 1
    for level in range(wider.size + 1):
        if level > 0:
            n_wider = wider[level - 1]
            n_contexts *= n_wider
        shape = (n_contexts, arity, n_classes)
        last, top = first + n_contexts * arity * n_classes, above + n_contexts * n_classes
        own, left_out = out[first:last].reshape(shape), np.empty(shape)
        concentrations[level] = fit_level(
            counts[first:last].reshape(shape), below, below_left_out, n_wider, concentrations[level],
            totals[above:top].reshape((n_contexts, n_classes)), own, left_out,
        )  # fmt: skip
        below, below_left_out, first, above = own, left_out, last, top


@kernel
def spread_marginals(
    by_class: NDArray[np.float64], units: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lay the marginals out as a level below the first, the same for every class."""
    arity, n_classes = by_class.shape
    kept, gone = marginals(by_class, units)
    below, left_out = np.empty((1, arity, n_classes)), np.empty((1, arity, n_classes))
    for v in range(arity):
        for c in range(n_classes):
            below[0, v, c], left_out[0, v, c] = kept[v], gone[v]
    return below, left_out


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
    """Fill in one level from its counts (context, value, class), and return its concentration."""
    # `below`, `below_left_out`: the level under it, whose contexts each split into `n_wider` of this one;
    # `left_out`: the probability that the table without a row assigns to it. Concentration 0 is chosen.
    n_contexts, arity, n_classes = counts.shape
    n_filled = 0
    for v in range(n_contexts):
        for c in range(n_classes):
            totals[v, c] = 0.0
        for x in range(arity):
            for c in range(n_classes):
                totals[v, c] += counts[v, x, c]
                n_filled += counts[v, x, c] > 0.0
    m = concentration
    if m == 0.0:
        m = _most_probable_concentration(counts, totals, below_left_out, n_wider, n_filled)
    for v in range(n_contexts):
        b = v // n_wider
        for x in range(arity):
            for c in range(n_classes):
                n, total = counts[v, x, c], totals[v, c]
                gone = min(n, 1.0)
                out[v, x, c] = (n + m * below[b, x, c]) / (total + m)
                left_out[v, x, c] = (n - gone + m * below_left_out[b, x, c]) / (total - gone + m)
    return m


@kernel
def _most_probable_concentration(
    counts: NDArray[np.float64],
    totals: NDArray[np.float64],
    below_left_out: NDArray[np.float64],
    n_wider: int,
    n_filled: int,
) -> float:
    """Choose the concentration of a level from its counts (context, value, class)."""
    n_contexts, arity, n_classes = counts.shape
    cells = np.empty((4, n_filled))
    n_cells = 0
    for v in range(n_contexts):
        for x in range(arity):
            for c in range(n_classes):
                n, q = counts[v, x, c], below_left_out[v // n_wider, x, c]
                n_cells = add_cell(cells, n_cells, n, min(n, 1.0), totals[v, c], q)
    return most_probable_concentration(cells[:, :n_cells])


@kernel
def add_cell(cells: NDArray[np.float64], n_cells: int, n: float, gone: float, total: float, q: float) -> int:
    """Store (n, n - 1, N - 1, q) of an informative cell, and return the number stored."""
    # n rows of N in the context have the value, which has the probability q one level below; `gone` is the
    # weight of one. A row that is alone in its context, or with its value, says nothing.
    if n > 0.0 and q > 0.0 and total > gone:
        cells[0, n_cells], cells[1, n_cells] = n, n - gone
        cells[2, n_cells], cells[3, n_cells] = total - gone, q
        n_cells += 1
    return n_cells


@kernel
def most_probable_concentration(cells: NDArray[np.float64]) -> float:
    """Maximize the log probability of the left-out rows over the concentration."""
    # Its logarithm is normal beforehand: without that a few rows are enough for a bound. There may be several
    # maxima, so the best of `TRIED` values comes first. From there the derivative leads on, the sum over the
    # cells of n (q / (n - 1 + m q) - 1 / (N - 1 + m)), plus that of the normal density.
    step = np.log(MOST / LEAST) / (TRIED - 1)
    best, largest = 0, -np.inf
    for k in range(TRIED):
        reached = _log_left_out(cells, LEAST * np.exp(k * step))
        if reached >= largest:
            best, largest = k, reached
    low = high = np.log(LEAST) + best * step
    if _slope(cells, np.exp(low)) > 0.0:
        high = min(high + step, np.log(MOST))
    else:
        low = max(low - step, np.log(LEAST))
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if _slope(cells, np.exp(middle)) > 0.0:
            low = middle
        else:
            high = middle
    return np.exp(0.5 * (low + high))


@kernel
def _log_left_out(cells: NDArray[np.float64], m: float) -> float:
    """Return the log-probability of the left-out rows, of cells (n, n - 1, N - 1, q), plus the log prior."""
    n, rest, total, q = cells
    out = -0.5 * (np.log(m / USUAL) / SPREAD) ** 2
    product = 1.0  # of the cells with one row, most of them: one logarithm for many
    for i in range(n.size):
        share = (rest[i] + m * q[i]) / (total[i] + m)
        if n[i] == 1.0:
            product *= share
            if product < SMALL_PRODUCT:
                out += np.log(product)
                product = 1.0
        else:
            out += n[i] * np.log(share)
    return out + np.log(product)


@kernel
def _slope(cells: NDArray[np.float64], m: float) -> float:
    """Its derivative by m."""
    n, rest, total, q = cells
    out = -np.log(m / USUAL) / (SPREAD**2 * m)
    for i in range(n.size):
        out += n[i] * (q[i] * total[i] - rest[i]) / ((rest[i] + m * q[i]) * (total[i] + m))
    return out
