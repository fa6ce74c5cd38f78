"""Keogh and Pazzani's search for a tree by leave-one-out accuracy: a superparent, then its favorite child."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.bayes._kernels.left_out import LeftOutCounts, child_totals, left_out_hits
from learners.counts.distinct_rows import distinct_rows
from learners.counts.slots import N0, tree_order

__all__ = ["SuperParentTree", "superparent_tree", "LeftOutAccuracy"]

DECIMALS = 12  # scores that differ by less are ties


@dataclass(frozen=True, eq=False)
class SuperParentTree:
    """The result of the search.

    Attributes
    ----------
    parents : ndarray of int64, shape (n_features,)
        Attribute parent of each attribute, -1 for none.
    score : float
        Its score.
    """

    parents: NDArray[np.int64]
    score: float


def superparent_tree(score: Callable[[NDArray[np.int64]], float], n_features: int) -> SuperParentTree:
    """Add arcs one at a time while the score rises.

    It starts without arcs. In each pass every attribute is tried as the superparent, the parent of all
    orphans (attributes without attribute parent) except itself and the root above it; the best one is kept,
    even if it lowers the score. Then each single arc from it to one of these orphans is tried, and the best,
    the favorite child, is added if the score rises; otherwise the search ends. Ties go to the first
    attribute.

    Notes
    -----
    A pass computes at most 2 n_features scores, and there are at most n_features passes. So if a score costs
    n_rows x n_features, a pass costs O(n_rows x n_features ** 2).

    References
    ----------
    .. [1] E. J. Keogh, M. J. Pazzani, "Learning augmented Bayesian classifiers: a comparison of
       distribution-based and classification-based approaches", AISTATS 1999.
    """
    parents = np.full(n_features, -1, dtype=np.int64)
    best = round(float(score(parents)), DECIMALS)
    while True:
        children = [_possible_children(parents, leader) for leader in range(n_features)]
        leaders = [leader for leader in range(n_features) if children[leader]]
        if not leaders:
            return SuperParentTree(parents, best)
        led = [_led(parents, children[leader], leader) for leader in leaders]
        first, _ = _first_best(score, led)
        arcs = [_led(parents, [child], leaders[first]) for child in children[leaders[first]]]
        favorite, reached = _first_best(score, arcs)
        if reached <= best:
            return SuperParentTree(parents, best)
        parents, best = arcs[favorite], reached


def _possible_children(parents: NDArray[np.int64], leader: int) -> list[int]:
    """Return the orphans that `leader` may become the parent of without a cycle."""
    root = leader
    while parents[root] >= 0:
        root = int(parents[root])
    return [int(j) for j in np.flatnonzero(parents < 0) if j != root]


def _led(parents: NDArray[np.int64], children: list[int], leader: int) -> NDArray[np.int64]:
    changed = parents.copy()
    changed[children] = leader
    return changed


def _first_best(
    score: Callable[[NDArray[np.int64]], float], candidates: Sequence[NDArray[np.int64]]
) -> tuple[int, float]:
    scores = [round(float(score(parents)), DECIMALS) for parents in candidates]
    first = int(np.argmax(scores))
    return first, scores[first]


@dataclass(frozen=True, eq=False)
class LeftOutAccuracy:
    """Leave-one-out accuracy of any tree over the same rows.

    Each row is forecast by the network learned from the other rows: its own part is removed from the class
    counts, from every table in which it is complete, and from the marginals of Friedman's smoothing; a value
    that occurs only in this row then counts as missing with that smoothing, as it would after a fit. Missing
    values are summed out exactly. A tie between classes goes to the one declared first. Of a row of weight w,
    min(w, 1) is left out and a hit counts w, and identical rows count as one row of their total weight: so a
    weight equals repeated rows.

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
        rows = distinct_rows(table)
        weight = rows.kernel_weight
        return cls(rows.codes, rows.y, weight, class_order, counts)

    def __call__(self, parents: NDArray[np.int64]) -> float:
        """Return the share of the rows, by weight, that are classified correctly."""
        order = tree_order(parents)
        hits = left_out_hits(self.codes, self.y, self.weight, self.class_order, parents, order, self.counts)
        return float(hits / (self.weight.sum() if self.weight.size else self.y.size))
