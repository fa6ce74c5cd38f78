"""Counting kernels: one pass over compact codes for each table.

Tables are laid out by *slot*: attribute j has the slots offsets[j] .. offsets[j] + arity, one per
value and a last one for missing, so that counting needs no branch.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.tables._kernels.copying import copy_to


@kernel
def class_value_counts(
    codes: NDArray[Any],
    y: NDArray[np.intp],
    weight: NDArray[np.float64],
    offsets: NDArray[np.int64],
    n_classes: int,
) -> NDArray[np.float64]:
    """Count (slot, class). `weight` of length 0 means ones."""
    # 5000 x 7: 17 us, against 1.1 ms for a one-hot matrix product
    out = np.zeros((offsets[codes.shape[0]], n_classes))
    add_class_value_counts(codes, y, weight, offsets, out)
    return out


@kernel
def add_class_value_counts(
    codes: NDArray[Any],
    y: NDArray[np.intp],
    weight: NDArray[np.float64],
    offsets: NDArray[np.int64],
    out: NDArray[np.float64],
) -> None:
    """Add to counts of (slot, class), row by row, so that two calls give the same as one."""
    n_features, n_samples = codes.shape
    n_classes = out.shape[1]
    if weight.size:
        for j in range(n_features):
            for i in range(n_samples):
                out[offsets[j] + codes[j, i], y[i]] += weight[i]
        return
    whole = np.zeros(out.size, np.int32)  # adding to integers is twice as fast
    for j in range(n_features):
        column = codes[j]
        first = offsets[j] * n_classes
        for i in range(n_samples):
            whole[np.uint64(first + column[i] * n_classes + y[i])] += 1
    flat = out.reshape(-1)
    for s in range(whole.size):
        flat[s] += whole[s]


@kernel
def pair_counts(
    codes: NDArray[Any],
    y: NDArray[np.intp],
    weight: NDArray[np.float64],
    offsets: NDArray[np.int64],
    n_classes: int,
    width: int,
) -> NDArray[np.float64]:
    """Count (slot, slot, class) for all pairs of attributes, both halves filled."""
    # the diagonal blocks hold (value, value, class) once on their diagonal; the last axis has `width`
    # entries, zeros past the classes; 5000 x 7: 0.25 ms
    n_features, n_samples = codes.shape
    n_slots = offsets[n_features]
    out = np.zeros((n_slots, n_slots, width))
    widest = 0
    for j in range(n_features):
        for i in range(n_samples):
            s = offsets[j] + codes[j, i]
            out[s, s, y[i]] += weight[i] if weight.size else 1.0
        widest = max(widest, offsets[j + 1] - offsets[j])
    block = np.empty(widest * widest * n_classes)
    whole = np.empty(block.size, np.int32)  # adding to integers is twice as fast
    left = np.empty(n_samples, np.int32)
    for j in range(n_features):
        rows = offsets[j + 1] - offsets[j]
        for i in range(n_samples):
            left[i] = codes[j, i] * n_classes + y[i]
        stride = rows * n_classes
        for m in range(j + 1, n_features):
            columns = offsets[m + 1] - offsets[m]
            _count_block(codes[m], left, weight, stride, stride * columns, whole, block)
            at = 0
            for v in range(columns):
                for u in range(rows):
                    for c in range(n_classes):
                        out[offsets[j] + u, offsets[m] + v, c] = block[at]
                        out[offsets[m] + v, offsets[j] + u, c] = block[at]
                        at += 1
    return out


@kernel
def add_pair_counts(
    codes: NDArray[Any],
    y: NDArray[np.intp],
    weight: NDArray[np.float64],
    offsets: NDArray[np.int64],
    out: NDArray[np.float64],
) -> None:
    """Add to counts of (slot, slot, class), row by row, so that two calls give the same as one."""
    # it touches only the cells of the rows, so a small batch is cheap even if the table is large
    n_features, n_samples = codes.shape
    for j in range(n_features):
        for i in range(n_samples):
            s = offsets[j] + codes[j, i]
            out[s, s, y[i]] += weight[i] if weight.size else 1.0
        for m in range(j + 1, n_features):
            for i in range(n_samples):
                w = weight[i] if weight.size else 1.0
                s, t = offsets[j] + codes[j, i], offsets[m] + codes[m, i]
                out[s, t, y[i]] += w
                out[t, s, y[i]] += w


@kernel
def _count_block(
    column: NDArray[Any],
    left: NDArray[np.int32],
    weight: NDArray[np.float64],
    stride: int,
    size: int,
    whole: NDArray[np.int32],
    block: NDArray[np.float64],
) -> None:
    if weight.size:
        block[:size] = 0.0
        for i in range(left.size):
            block[np.uint64(column[i] * stride + left[i])] += weight[i]
    else:
        whole[:size] = 0
        for i in range(left.size):
            whole[np.uint64(column[i] * stride + left[i])] += 1
        copy_to(block, whole[:size])
