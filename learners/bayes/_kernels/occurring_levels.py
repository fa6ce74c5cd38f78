"""Kernels of tables with backoff, with room only for cells that occur in training.

Levels are those of `backing_off`. A *context* is the values of an attribute's first l parents, and a *cell*
is a context with a value of the attribute. `cell_ids[starts[j, l] + context * arity + value]` is the row of a
cell in tables of (cell, class), -1 where it does not occur, and `context_ids[contexts[j, l] + context]` is
that of a context in tables of (context, class). With three parents of 12 values most cells are empty, and
with few rows nearly all. Rows are numbered level by level, attribute by attribute: those of level l of
attribute j begin at `first_cells[l * n_features + j]`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.bayes._kernels.backing_off import (
    ROW_BLOCK,
    add_cell,
    most_probable_concentration,
    split_contexts,
    spread_marginals,
)
from learners.bayes._kernels.elementwise import take_logs_of_lanes
from learners.bayes._kernels.one_dependence import (
    LANES,
    SMALL_MESSAGE,
    exponentiate_row,
    normalize_row,
)
from learners.tables._kernels.copying import copy_to

#: Rows forecast together, so that what is known of them stays in the cache.
BLOCK = 256

__all__ = [
    "count_cells",
    "fit_levels",
    "level_features",
    "mark_cells",
    "multiply_levels",
    "number_cells",
    "set_logs",
]


@kernel
def mark_cells(
    codes: NDArray[Any],
    arities: NDArray[np.int64],
    parents: NDArray[np.int64],
    starts: NDArray[np.int64],
    cell_ids: NDArray[np.int32],
) -> None:
    """Set the ids of the cells that occur to 0."""
    n_rows = codes.shape[1]
    context = np.empty(ROW_BLOCK, np.int64)
    for j in range(arities.size):
        for begin in range(0, n_rows, ROW_BLOCK):
            n = min(ROW_BLOCK, n_rows - begin)
            for level in range(starts.shape[1]):
                if starts[j, level] < 0:
                    break
                split_contexts(codes, arities, parents, j, level, begin, n, context)
                for i in range(n):
                    if context[i] >= 0:
                        cell_ids[starts[j, level] + context[i] * arities[j] + codes[j, begin + i]] = 0


@kernel
def number_cells(
    arities: NDArray[np.int64],
    parents: NDArray[np.int64],
    starts: NDArray[np.int64],
    contexts: NDArray[np.int64],
    cell_ids: NDArray[np.int32],
    context_ids: NDArray[np.int32],
    first_cells: NDArray[np.int64],
    context_of: NDArray[np.int64],
    below_of: NDArray[np.int64],
) -> int:
    """Give rows to the marked cells and to their contexts, in order, and return the number of contexts."""
    # `below_of`: the row of the cell with a parent less, at level 0 the value
    n_features = arities.size
    n_cells = n_contexts = 0
    for at in range(starts.size):
        level, j = divmod(at, n_features)
        first_cells[at] = n_cells
        if starts[j, level] < 0:
            continue
        arity, n_wider, n_all = arities[j], 1, 1
        for p in parents[j, :level]:
            n_wider = arities[p]
            n_all *= n_wider
        for v in range(n_all):
            before, first = n_cells, starts[j, level] + v * arity
            below = starts[j, level - 1] + v // n_wider * arity
            for x in range(arity):
                if cell_ids[first + x] >= 0:
                    cell_ids[first + x] = n_cells
                    context_of[n_cells] = n_contexts
                    below_of[n_cells] = cell_ids[below + x] if level > 0 else x
                    n_cells += 1
            if n_cells > before:
                context_ids[contexts[j, level] + v] = n_contexts
                n_contexts += 1
    first_cells[starts.size] = n_cells
    return n_contexts


@kernel
def count_cells(
    codes: NDArray[Any],
    y: NDArray[np.intp],
    weight: NDArray[np.float64],
    arities: NDArray[np.int64],
    parents: NDArray[np.int64],
    starts: NDArray[np.int64],
    cell_ids: NDArray[np.int32],
    out: NDArray[np.float64],
) -> None:
    """Add each row to the levels in which it is complete. `weight` of length 0 means ones."""
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
                        cell = cell_ids[starts[j, level] + context[i] * arities[j] + codes[j, row]]
                        out[cell, y[row]] += weight[row] if weight.size else 1.0


@kernel
def fit_levels(
    arities: NDArray[np.int64],
    offsets: NDArray[np.int64],
    first_cells: NDArray[np.int64],
    context_of: NDArray[np.int64],
    below_of: NDArray[np.int64],
    counts: NDArray[np.float64],
    units: NDArray[np.float64],
    shown: NDArray[np.float64],
    totals: NDArray[np.float64],
    concentrations: NDArray[np.float64],
    tables: NDArray[np.float64],
) -> None:
    """Fill in the weight of each value, sums of counts, and tables. Concentrations of 0 are chosen."""
    n_features, n_classes = arities.size, counts.shape[1]
    left_out = np.empty_like(counts)  # the probability that the table without a row assigns to it
    for cell in range(len(counts)):
        for c in range(n_classes):
            totals[context_of[cell], c] += counts[cell, c]
    for at in range(first_cells.size - 1):
        level, j = divmod(at, n_features)
        first, last = first_cells[at], first_cells[at + 1]
        if level > 0:
            _fit_cells(counts, units, totals, tables, left_out, below_of, context_of, first, last,
                       concentrations[j, level:], tables, left_out)  # fmt: skip
            continue
        by_class = np.zeros((arities[j], n_classes))
        for cell in range(first, last):
            copy_to(by_class[below_of[cell]], counts[cell])
        for x in range(arities[j]):
            shown[offsets[j] + x] = by_class[x].sum()
        below, below_left_out = spread_marginals(by_class, units)
        _fit_cells(counts, units, totals, below[0], below_left_out[0], below_of, context_of, first, last,
                   concentrations[j], tables, left_out)  # fmt: skip


@kernel
def _fit_cells(
    counts: NDArray[np.float64],
    units: NDArray[np.float64],
    totals: NDArray[np.float64],
    below: NDArray[np.float64],
    below_left_out: NDArray[np.float64],
    below_of: NDArray[np.int64],
    context_of: NDArray[np.int64],
    first: int,
    last: int,
    concentration: NDArray[np.float64],
    tables: NDArray[np.float64],
    left_out: NDArray[np.float64],
) -> None:
    """Fill in the tables of one level of an attribute, and its concentration where it is 0."""
    n_classes = counts.shape[1]
    if concentration[0] == 0.0:
        notes, n_notes = np.empty((4, (last - first) * n_classes)), 0
        for cell in range(first, last):
            for c in range(n_classes):
                if counts[cell, c] > 0.0:
                    q, total = below_left_out[below_of[cell], c], totals[context_of[cell], c]
                    gone = min(counts[cell, c], units[c])
                    n_notes = add_cell(notes, n_notes, counts[cell, c], gone, total, q)
        concentration[0] = most_probable_concentration(notes[:, :n_notes])
    m = concentration[0]
    for cell in range(first, last):
        under, context = below_of[cell], context_of[cell]
        for c in range(n_classes):
            n, total = counts[cell, c], totals[context, c]
            gone = min(n, units[c])
            tables[cell, c] = np.divide(n + m * below[under, c], total + m)
            left_out[cell, c] = np.divide(n - gone + m * below_left_out[under, c], total - gone + m)


@kernel
def _probabilities(
    codes: NDArray[Any],
    j: int,
    begin: int,
    n: int,
    arities: NDArray[np.int64],
    parents: NDArray[np.int64],
    starts: NDArray[np.int64],
    contexts: NDArray[np.int64],
    cell_ids: NDArray[np.int32],
    context_ids: NDArray[np.int32],
    totals: NDArray[np.float64],
    concentrations: NDArray[np.float64],
    tables: NDArray[np.float64],
    counted: NDArray[np.bool_],
    out: NDArray[np.float64],
) -> None:
    """Fill in P(value | class, parents) of some rows, by all parents up to a missing one."""
    # `counted`: whether the row has a value, and it occurs. A table says all as far as the cell occurs; from
    # there on the context may, with other values.
    n_classes = tables.shape[1]
    context, cell = np.empty(n, np.int64), np.empty(n, np.int64)
    for level in range(starts.shape[1]):
        if starts[j, level] < 0:
            break
        split_contexts(codes, arities, parents, j, level, begin, n, context)
        m = concentrations[j, level]
        for i in range(n):
            if level == 0:
                cell[i] = cell_ids[starts[j, 0] + codes[j, begin + i]] if context[i] >= 0 else -1
                counted[i] = cell[i] >= 0
                context[i] = 0 if counted[i] else -1
            elif context[i] >= 0:
                if cell[i] >= 0:
                    at = cell_ids[starts[j, level] + context[i] * arities[j] + codes[j, begin + i]]
                    if at >= 0:
                        cell[i] = at
                        continue
                    for c in range(n_classes):
                        out[i, c] = tables[cell[i], c]
                    cell[i] = -1
                known = context_ids[contexts[j, level] + context[i]]
                if known < 0:
                    context[i] = -1  # nor do those that it splits into
                    continue
                for c in range(n_classes):
                    out[i, c] = np.divide(m * out[i, c], totals[known, c] + m)
    for i in range(n):
        if cell[i] >= 0:
            for c in range(n_classes):
                out[i, c] = tables[cell[i], c]


@kernel
def multiply_levels(
    codes: NDArray[Any],
    arities: NDArray[np.int64],
    order: NDArray[np.int64],
    parents: NDArray[np.int64],
    starts: NDArray[np.int64],
    contexts: NDArray[np.int64],
    cell_ids: NDArray[np.int32],
    context_ids: NDArray[np.int32],
    totals: NDArray[np.float64],
    concentrations: NDArray[np.float64],
    tables: NDArray[np.float64],
    prior: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Fill in the posterior of each row from the attributes in `order`."""
    # Each attribute uses its level with the most parents such that all are known. A missing value, or one
    # that does not occur in training, does not count. Products that get small go on in logs.
    n_classes = prior.size
    q, counted = np.empty((BLOCK, n_classes)), np.empty(BLOCK, np.bool_)
    logs, in_logs = np.empty((BLOCK, n_classes)), np.empty(BLOCK, np.bool_)
    for begin in range(0, len(out), BLOCK):
        n = min(BLOCK, len(out) - begin)
        products = out[begin : begin + n]
        for i in range(n):
            for c in range(n_classes):
                products[i, c] = prior[c]
        logs[:], in_logs[:] = 0.0, False
        for j in order:
            _probabilities(codes, j, begin, n, arities, parents, starts, contexts, cell_ids, context_ids,
                           totals, concentrations, tables, counted, q)  # fmt: skip
            for i in range(n):
                if counted[i]:
                    smallest = 1.0
                    for c in range(n_classes):
                        products[i, c] *= q[i, c]
                        smallest = min(smallest, products[i, c])
                    if smallest < SMALL_MESSAGE:
                        in_logs[i] = True
                        for c in range(n_classes):
                            logs[i, c] += np.log(products[i, c])
                            products[i, c] = 1.0
        for i in range(n):
            if in_logs[i]:
                for c in range(n_classes):
                    products[i, c] = logs[i, c] + np.log(products[i, c])
                exponentiate_row(products[i])
            normalize_row(products, i)


@kernel
def level_features(
    codes: NDArray[Any],
    arities: NDArray[np.int64],
    parents: NDArray[np.int64],
    starts: NDArray[np.int64],
    contexts: NDArray[np.int64],
    cell_ids: NDArray[np.int32],
    context_ids: NDArray[np.int32],
    totals: NDArray[np.float64],
    concentrations: NDArray[np.float64],
    tables: NDArray[np.float64],
    out: NDArray[np.float32],
) -> None:
    """Fill in log P(value | class, parents) of further rows, as `left_out_features`."""
    n_classes = tables.shape[1]
    q, counted = np.ones((BLOCK, n_classes + -n_classes % LANES)), np.empty(BLOCK, np.bool_)
    for begin in range(0, len(out), BLOCK):
        n = min(BLOCK, len(out) - begin)
        for j in range(arities.size):
            _probabilities(codes, j, begin, n, arities, parents, starts, contexts, cell_ids, context_ids,
                           totals, concentrations, tables, counted, q)  # fmt: skip
            set_logs(q, counted, n, n_classes, out[begin:, j])


@kernel
def set_logs(
    q: NDArray[np.float64], counted: NDArray[np.bool_], n: int, n_classes: int, out: NDArray[np.float32]
) -> None:
    """Fill in the logs of each row's probabilities less their mean, or of two classes the difference."""
    flat = q.reshape(-1)
    for i in range(n):
        if not counted[i]:
            continue
        if n_classes == 2:
            out[i, 0] = np.log(q[i, 1] / q[i, 0])
            continue
        for c in range(n_classes, q.shape[1]):
            q[i, c] = 1.0
        for lane in range(i * q.shape[1], (i + 1) * q.shape[1], LANES):
            take_logs_of_lanes(flat, np.uint64(lane))
        total = 0.0
        for c in range(n_classes):
            total += q[i, c]
        mean = total / n_classes
        for c in range(n_classes):
            out[i, c] = q[i, c] - mean
