"""Weighted rows that are equal, as one."""

import numpy as np

from learners.base import TrainingTable

__all__ = ["distinct_rows"]


def distinct_rows(table: TrainingTable) -> TrainingTable:
    """Return each distinct row, without numbers, once with its total weight, if the rows have weights."""
    # what is learned by leaving out rows then depends on the weight of equal rows, not on their writing
    if table.weight is None:
        return table
    both = np.vstack([table.codes.astype(np.int64), table.y])
    distinct, inverse = np.unique(both, axis=1, return_inverse=True)
    weight = np.bincount(inverse.ravel(), weights=table.weight).astype(np.float64)
    codes = np.ascontiguousarray(distinct[:-1]).astype(table.codes.dtype)
    return table._replace(codes=codes, y=distinct[-1].astype(np.intp), weight=weight)
