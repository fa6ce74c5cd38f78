"""Sums and products of a row without one of its entries: those before it with those after it.

Nothing is subtracted or divided, so nothing cancels. Forms for one entry and for each give the same bits.
"""

import numpy as np
from numpy.typing import NDArray

from learners.compiled import kernel

__all__ = ["product_without", "products_without_each", "sum_without", "sums_without_each"]


@kernel
def sum_without(rows: NDArray[np.float64], r: int, t: int) -> float:
    """Add up all entries of row `r` but entry `t`."""
    before = 0.0
    for i in range(t):
        before += rows[r, i]
    after = 0.0
    for i in range(rows.shape[1] - 1, t, -1):
        after += rows[r, i]
    return before + after


@kernel
def sums_without_each(rows: NDArray[np.float64], r: int, out: NDArray[np.float64]) -> None:
    """Fill `out` with `sum_without` of row `r` and each of its entries."""
    after = 0.0
    for i in range(out.size - 1, -1, -1):
        out[i] = after
        after += rows[r, i]
    before = 0.0
    for i in range(out.size):
        out[i] = before + out[i]
        before += rows[r, i]


@kernel
def product_without(factors: NDArray[np.float64], t: int) -> float:
    """Multiply all factors but factor `t`."""
    before = 1.0
    for i in range(t):
        before *= factors[i]
    after = 1.0
    for i in range(factors.size - 1, t, -1):
        after *= factors[i]
    return before * after


@kernel
def products_without_each(factors: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """Fill `out` with `product_without` of each factor."""
    after = 1.0
    for i in range(factors.size - 1, -1, -1):
        out[i] = after
        after *= factors[i]
    before = 1.0
    for i in range(factors.size):
        out[i] = before * out[i]
        before *= factors[i]
