"""Densities of rows of numbers under linear-Gaussian trees, missing numbers integrated out."""

import math

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel

__all__ = ["tree_log_densities"]

HALF_LN_2PI = 0.5 * math.log(2 * math.pi)


@kernel
def tree_log_densities(
    rows: NDArray[np.float64],
    parents: NDArray[np.int64],
    order: NDArray[np.int64],
    intercepts: NDArray[np.float64],
    slopes: NDArray[np.float64],
    variances: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Fill in the log-density (nats) of each row in each class, missing numbers (NaN) integrated out."""
    # `rows` is (n_rows, n_attributes); `parents` has -1 for none, `order` parents before children;
    # intercepts, slopes (0 of a root) and variances are (n_classes, n_attributes), given the parent. From the
    # leaves up, what is known below a missing x is exp(-q x^2 / 2 + l x), up to a constant. With x normal
    # about m, variance v, that integrates to
    #     (1 + q v)^(-1/2) exp((-q m^2 / 2 + l m + l^2 v / 2) / (1 + q v)),
    # which is of the same form in the parent of x, as m is linear in it.
    n_rows, n = rows.shape
    square, linear = np.empty(n), np.empty(n)
    scales = np.log(variances) * 0.5 + HALF_LN_2PI
    for r in range(n_rows):
        row = rows[r]
        for c in range(out.shape[1]):
            total = 0.0
            square[:] = 0.0
            linear[:] = 0.0
            for place in range(n - 1, -1, -1):
                i = order[place]
                parent, x, slope, variance = parents[i], row[i], slopes[c, i], variances[c, i]
                mean = intercepts[c, i]
                above = parent >= 0 and np.isnan(row[parent])  # then the mean is linear in it
                if parent >= 0 and not above:
                    mean += slope * row[parent]
                if np.isnan(x):
                    curve, pull = square[i], linear[i]
                    if curve == 0.0 and pull == 0.0:
                        continue  # nothing below it is known
                    whole = 1 + curve * variance
                    total += (pull - 0.5 * curve * mean) * mean / whole + 0.5 * pull * pull * variance / whole
                    total -= 0.5 * math.log(whole)
                    if above:
                        square[parent] += curve * slope * slope / whole
                        linear[parent] += (pull - curve * mean) * slope / whole
                else:
                    apart = x - mean
                    total -= 0.5 * apart * apart / variance + scales[c, i]
                    if above:
                        square[parent] += slope * slope / variance
                        linear[parent] += slope * apart / variance
            out[r, c] = total
