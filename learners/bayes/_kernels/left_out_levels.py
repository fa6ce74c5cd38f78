"""Kernels that forecast training rows by the tables of `occurring_levels`, each row left out of them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.bayes._kernels.backing_off import ALONE, UNIFORM, split_contexts
from learners.bayes._kernels.occurring_levels import BLOCK, set_logs
from learners.bayes._kernels.one_dependence import LANES, SMALLEST_PROBABILITY

__all__ = ["leave_out_each", "left_out_features"]


@kernel
def _start_left_out(
    codes: NDArray[Any],
    j: int,
    begin: int,
    n: int,
    gone: NDArray[np.float64],
    arity: int,
    shown: NDArray[np.float64],
    n_classes: int,
    counted: NDArray[np.bool_],
    q: NDArray[np.float64],
) -> None:
    """Fill in P(value) of some rows, each left out, with `counted` where others have the value too."""
    # `shown`: weight of the rows with each value of the attribute
    known = shown.sum()
    for i in range(n):
        x = codes[j, begin + i]
        counted[i] = x < arity and shown[x] > ALONE * gone[i]
        if counted[i]:
            base = (shown[x] - gone[i] + UNIFORM / arity) / (known - gone[i] + UNIFORM)
            for c in range(n_classes):
                q[i, c] = base


@kernel
def _lead_left_out(
    codes: NDArray[Any],
    y: NDArray[np.intp],
    j: int,
    level: int,
    begin: int,
    n: int,
    gone: NDArray[np.float64],
    arities: NDArray[np.int64],
    parents: NDArray[np.int64],
    starts: NDArray[np.int64],
    contexts: NDArray[np.int64],
    cell_ids: NDArray[np.int32],
    context_ids: NDArray[np.int32],
    counts: NDArray[np.float64],
    totals: NDArray[np.float64],
    m: float,
    context: NDArray[np.int64],
    q: NDArray[np.float64],
) -> None:
    """Lead P(value | class) of some rows from the level below to this one, each left out."""
    if starts[j, level] < 0:
        return
    split_contexts(codes, arities, parents, j, level, begin, n, context)
    n_classes = counts.shape[1]
    for i in range(n):
        if context[i] < 0:
            continue
        cell = cell_ids[starts[j, level] + context[i] * arities[j] + codes[j, begin + i]]
        above, observed = context_ids[contexts[j, level] + context[i]], y[begin + i]
        if n_classes < 2 * LANES:
            for c in range(n_classes):
                own = gone[i] if c == observed else 0.0
                q[i, c] = (counts[cell, c] - own + m * q[i, c]) / (totals[above, c] - own + m)
            continue
        before = q[i, observed]
        for c in range(n_classes):
            # several at once, where `/` would look for zeros one by one
            q[i, c] = np.divide(counts[cell, c] + m * q[i, c], totals[above, c] + m)
        rest, total = counts[cell, observed] - gone[i], totals[above, observed] - gone[i]
        q[i, observed] = (rest + m * before) / (total + m)


@kernel
def _weights_gone(
    weight: NDArray[np.float64], most_out: float, begin: int, n: int, gone: NDArray[np.float64]
) -> None:
    """Fill in how much of each row is left out."""
    for i in range(n):
        gone[i] = min(weight[begin + i], most_out) if weight.size else 1.0


@kernel
def leave_out_each(
    codes: NDArray[Any],
    y: NDArray[np.intp],
    weight: NDArray[np.float64],
    most_out: float,
    arities: NDArray[np.int64],
    order: NDArray[np.int64],
    parents: NDArray[np.int64],
    starts: NDArray[np.int64],
    contexts: NDArray[np.int64],
    cell_ids: NDArray[np.int32],
    context_ids: NDArray[np.int32],
    offsets: NDArray[np.int64],
    shown: NDArray[np.float64],
    counts: NDArray[np.float64],
    totals: NDArray[np.float64],
    concentrations: NDArray[np.float64],
    class_counts: NDArray[np.float64],
    class_alpha: float,
    losses: NDArray[np.float64],
) -> None:
    """Forecast each training row by the tables of all others, by number of levels and of attributes."""
    # `losses[level, n]`: log loss in bits, summed by weight, with the first n attributes of `order` and up to
    # `level` parents; of one column, only that with all. Structure, cuts and concentrations are those of all
    # rows.
    n_classes, (n_levels, n_columns) = class_counts.size, losses.shape
    rows = np.empty((BLOCK, n_levels, n_classes))
    q, counted = np.empty((BLOCK, n_classes)), np.empty(BLOCK, np.bool_)
    gone, context = np.empty(BLOCK), np.empty(BLOCK, np.int64)
    for begin in range(0, y.size, BLOCK):
        n = min(BLOCK, y.size - begin)
        _weights_gone(weight, most_out, begin, n, gone)
        for i in range(n):
            for c in range(n_classes):
                first = class_counts[c] + class_alpha - (gone[i] if c == y[begin + i] else 0.0)
                for level in range(n_levels):
                    rows[i, level, c] = first
        counted[:n] = True
        _normalize(rows, counted, n)
        if n_columns > 1:
            _add_losses(rows, y, weight, begin, n, losses, 0)
        for position in range(order.size):
            j = order[position]
            own = shown[offsets[j] : offsets[j + 1]]
            _start_left_out(codes, j, begin, n, gone, arities[j], own, n_classes, counted, q)
            for level in range(n_levels):
                _lead_left_out(codes, y, j, level, begin, n, gone, arities, parents, starts, contexts,
                               cell_ids, context_ids, counts, totals, concentrations[j, level], context,
                               q)  # fmt: skip
                for i in range(n):
                    if counted[i]:
                        for c in range(n_classes):
                            rows[i, level, c] *= q[i, c]
            _normalize(rows, counted, n)
            if n_columns > 1:
                _add_losses(rows, y, weight, begin, n, losses, position + 1)
        if n_columns == 1:
            _add_losses(rows, y, weight, begin, n, losses, 0)


@kernel
def _add_losses(
    rows: NDArray[np.float64],
    y: NDArray[np.intp],
    weight: NDArray[np.float64],
    begin: int,
    n: int,
    losses: NDArray[np.float64],
    column: int,
) -> None:
    """Add the log losses of some rows in bits, of each level."""
    for i in range(n):
        w = weight[begin + i] if weight.size else 1.0
        for level in range(len(losses)):
            losses[level, column] -= w * np.log2(rows[i, level, y[begin + i]])


@kernel
def _normalize(rows: NDArray[np.float64], counted: NDArray[np.bool_], n: int) -> None:
    """Divide the probabilities of each row and level by their sum. No class gets 0."""
    for i in range(n):
        if counted[i]:
            for level in range(rows.shape[1]):
                total = 0.0
                for c in range(rows.shape[2]):
                    total += rows[i, level, c]
                for c in range(rows.shape[2]):
                    rows[i, level, c] = max(np.divide(rows[i, level, c], total), SMALLEST_PROBABILITY)


@kernel
def left_out_features(
    codes: NDArray[Any],
    y: NDArray[np.intp],
    weight: NDArray[np.float64],
    most_out: float,
    arities: NDArray[np.int64],
    parents: NDArray[np.int64],
    starts: NDArray[np.int64],
    contexts: NDArray[np.int64],
    cell_ids: NDArray[np.int32],
    context_ids: NDArray[np.int32],
    offsets: NDArray[np.int64],
    shown: NDArray[np.float64],
    counts: NDArray[np.float64],
    totals: NDArray[np.float64],
    concentrations: NDArray[np.float64],
    level: int,
    out: NDArray[np.float32],
) -> None:
    """Fill in log P(value | class, up to `level` parents) of training rows, by the tables of all others."""
    # `out` is (row, attribute, class), less the mean over the classes, or with two classes (row, attribute,
    # 1): second less first. It stays 0 for a value that is missing or, without the row, does not occur.
    n_classes = counts.shape[1]
    q, counted = np.ones((BLOCK, n_classes + -n_classes % LANES)), np.empty(BLOCK, np.bool_)
    gone, context = np.empty(BLOCK), np.empty(BLOCK, np.int64)
    for begin in range(0, y.size, BLOCK):
        n = min(BLOCK, y.size - begin)
        _weights_gone(weight, most_out, begin, n, gone)
        for j in range(arities.size):
            own = shown[offsets[j] : offsets[j + 1]]
            _start_left_out(codes, j, begin, n, gone, arities[j], own, n_classes, counted, q)
            for depth in range(level + 1):
                _lead_left_out(codes, y, j, depth, begin, n, gone, arities, parents, starts, contexts,
                               cell_ids, context_ids, counts, totals, concentrations[j, depth], context,
                               q)  # fmt: skip
            set_logs(q, counted, n, n_classes, out[begin:, j])
