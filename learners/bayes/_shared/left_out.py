"""Leave-one-out accuracy of tree-augmented networks, from counts alone: nothing is fitted again."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.bayes._kernels.left_out import LeftOutCounts, child_totals, left_out_hits
from learners.counts.slots import N0, tree_order

__all__ = ["LeftOutAccuracy"]


@dataclass(frozen=True, eq=False)
class LeftOutAccuracy:
    """Ask any tree over the same rows for its leave-one-out accuracy.

    Each row is forecast by the network that the other rows would teach: its own part is taken
    out of the class counts, of every table that it fills, and of the marginals of Friedman's
    smoothing; a value that only this row shows then counts as missing with that smoothing, as it
    would after a fit. Missing values are summed out exactly. A tie between classes goes to the
    one declared first. Of a row of weight w, min(w, 1) is left out and the hit counts w, and
    identical rows count as one of their whole weight: so a weight equals repeated rows.

    Attributes
    ----------
    codes : ndarray of unsigned integers, shape (n_features, n_rows)
        Codes of the rows; the arity itself where missing.
    y : ndarray of intp, shape (n_rows,)
        Class codes.
    weight : ndarray of float64, shape (n_rows,)
        Weights; of length 0 where all are 1.
    class_order : ndarray of intp, shape (n_classes,)
        The classes as they were declared.
    counts : LeftOutCounts
        Counts of all rows.
    """

    codes: NDArray[Any]
    y: NDArray[np.intp]
    weight: NDArray[np.float64]
    class_order: NDArray[np.intp]
    counts: LeftOutCounts

    @classmethod
    def of(
        cls,
        table: TrainingTable,
        pairs: NDArray[np.float64],
        offsets: NDArray[np.int64],
        *,
        alpha: float | None,
        class_alpha: float,
        class_order: NDArray[np.intp],
    ) -> "LeftOutAccuracy":
        """Prepare the counts."""
        arities = table.arities
        pseudo = np.full(arities.size, N0) if alpha is None else alpha * arities
        marginal = pairs.diagonal().sum(axis=0)  # by slot
        marginal[offsets[1:] - 1] = 0.0  # the slots for missing
        totals = child_totals(pairs, pseudo, offsets, arities)
        counts = LeftOutCounts(
            pairs,
            totals,
            1.0 / totals,
            table.class_counts() + class_alpha,
            marginal,
            np.add.reduceat(marginal, offsets[:-1]),
            N0 if alpha is None else 0.0,
            0.0 if alpha is None else alpha,
            offsets,
            arities,
        )
        return cls(*_distinct_rows(table), class_order, counts)

    def __call__(self, parents: NDArray[np.int64]) -> float:
        """Return the share of the rows, by weight, whose class is found."""
        order = tree_order(parents)
        hits = left_out_hits(self.codes, self.y, self.weight, self.class_order, parents, order, self.counts)
        return float(hits / (self.weight.sum() if self.weight.size else self.y.size))


def _distinct_rows(table: TrainingTable) -> tuple[NDArray[Any], NDArray[np.intp], NDArray[np.float64]]:
    """Return codes, classes and weights; where there are weights, each distinct row once."""
    if table.weight is None:
        return table.codes, table.y, np.empty(0)
    both = np.vstack([table.codes.astype(np.int64), table.y])
    distinct, inverse = np.unique(both, axis=1, return_inverse=True)
    weight = np.bincount(inverse.ravel(), weights=table.weight)
    codes = np.ascontiguousarray(distinct[:-1]).astype(table.codes.dtype)
    y: NDArray[np.intp] = distinct[-1].astype(np.intp)
    return codes, y, weight.astype(np.float64)
