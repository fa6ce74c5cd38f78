"""Forecasts of rows with too many missing values to sum over."""

import warnings
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from generators.tables.caller import user_level

__all__ = ["ColumnsLeftOutWarning", "RowAverage", "log_joint_within", "log_joint_without", "too_costly_holes"]


class ColumnsLeftOutWarning(UserWarning):
    """Warning that forecasts leave out columns of rows with too many missing values to sum over."""


class RowAverage(Protocol):
    """A joint forecast of coded rows and classes, also for some of the columns."""

    def log_joint(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        """Return the log of P(row, class), of shape (n_rows, n_classes). Missing values are summed out."""
        ...

    def over(self, columns: NDArray[np.intp]) -> "RowAverage":
        """Return the forecast of only these columns."""
        ...


def log_joint_within(
    average: RowAverage, codes: NDArray[Any], arities: NDArray[np.int64], max_completions: float
) -> NDArray[np.float64]:
    """Return the log joint of rows, without columns of those with more completions, and warn."""
    holes = codes >= arities[:, np.newaxis]
    return log_joint_without(average, codes, too_costly_holes(holes, arities, max_completions))


def log_joint_without(
    average: RowAverage, codes: NDArray[Any], left_out: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return the log joint of rows, each without these columns."""
    if not left_out.any():
        return average.log_joint(codes)
    patterns, pattern = np.unique(left_out, axis=1, return_inverse=True)
    parts, places = [], []
    for number, gone in enumerate(patterns.T):
        rows, kept = np.flatnonzero(pattern.ravel() == number), np.flatnonzero(~gone)
        parts.append((average.over(kept) if gone.any() else average).log_joint(codes[np.ix_(kept, rows)]))
        places.append(rows)
    return np.concatenate(parts)[np.argsort(np.concatenate(places))]


def too_costly_holes(
    holes: NDArray[np.bool_], arities: NDArray[np.int64], max_completions: float
) -> NDArray[np.bool_]:
    """Return which missing columns each row has to do without, and warn."""
    cost = np.log(np.maximum(arities, 1))
    total = cost @ holes
    limit = np.log(max_completions) + 1e-9  # sums of logs are rounded
    out = np.zeros_like(holes)
    for j in np.argsort(-cost, kind="stable"):
        out[j] = holes[j] & (total > limit)
        total -= cost[j] * out[j]
    n_rows = int(out.any(axis=0).sum())
    if n_rows:
        warnings.warn(
            f"{n_rows:,} of {out.shape[1]:,} rows can be completed in more than {max_completions:,} "
            "ways, so their forecasts leave out missing columns, beginning with the column of most values. "
            "For exact forecasts, fill in missing values or drop columns.",
            ColumnsLeftOutWarning,
            stacklevel=user_level(),
        )
    return out
