"""Kernels of networks in which the class is a parent of every attribute: one flat table for all families.

Family j starts at `starts[j]` and is laid out as (parents in order, child, class). Its attributes and their
steps in the table are in `members` and `strides` up to `ends[j]`. They start where those of the previous
family end.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.bayes._kernels.one_dependence import SAFE_PRODUCT, exponentiate_row, normalize_row

HOLE = -(2**40)  # makes the cell of a row with a hole negative, whatever else is added


@kernel
def class_family_counts(
    codes: NDArray[Any],
    y: NDArray[np.intp],
    weight: NDArray[np.float64],
    arities: NDArray[np.int64],
    starts: NDArray[np.int64],
    members: NDArray[np.int64],
    strides: NDArray[np.int64],
    ends: NDArray[np.int64],
    out: NDArray[np.float64],
) -> None:
    """Add each row to the families in which it is complete. `weight` of length 0 means ones."""
    # 50,000 x 14, two parents: 0.4 ms, against 2.1 ms for a `numpy.bincount` of each family
    cells = np.empty(y.size, np.int64)
    begin = 0
    for j in range(starts.size):
        for i in range(y.size):
            cells[i] = starts[j] + y[i]
        for m in range(begin, ends[j]):
            column, arity, stride = codes[members[m]], arities[members[m]], strides[m]
            for i in range(y.size):
                cells[i] += column[i] * stride if column[i] < arity else HOLE
        begin = ends[j]
        for i in range(y.size):
            if cells[i] >= 0:
                out[cells[i]] += weight[i] if weight.size else 1.0


@kernel
def multiply_class_families(
    codes: NDArray[Any],
    arities: NDArray[np.int64],
    prior: NDArray[np.float64],
    tables: NDArray[np.float64],
    starts: NDArray[np.int64],
    members: NDArray[np.int64],
    strides: NDArray[np.int64],
    ends: NDArray[np.int64],
    out: NDArray[np.float64],
    complete: NDArray[np.bool_],
) -> None:
    """Fill in the posterior of each complete row, and mark these rows. The others stay undefined."""
    # 1000 x 14 x 2 classes, two parents: 85 us
    n_classes = prior.size
    cells = np.empty(starts.size, np.int64)
    for i in range(codes.shape[1]):
        complete[i] = True
        for j in range(starts.size):
            complete[i] = complete[i] and codes[j, i] < arities[j]
        if not complete[i]:
            continue
        begin = 0
        for j in range(starts.size):
            cells[j] = starts[j]
            for m in range(begin, ends[j]):
                cells[j] += codes[members[m], i] * strides[m]
            begin = ends[j]
        smallest = 1.0
        for c in range(n_classes):
            product = prior[c]
            for j in range(starts.size):
                product *= tables[cells[j] + c]
            out[i, c] = product
            smallest = min(smallest, product)
        if smallest < SAFE_PRODUCT:
            for c in range(n_classes):
                out[i, c] = np.log(prior[c])
                for j in range(starts.size):
                    out[i, c] += np.log(tables[cells[j] + c])
            exponentiate_row(out[i])
        normalize_row(out, i)
