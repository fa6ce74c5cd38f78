"""Keogh and Pazzani's search for a tree by leave-one-out accuracy: a superparent, then its favorite child."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.bayes._kernels.leave_one_out import (
    LeftOutCounts,
    child_totals,
    hits_of_tree,
    left_out_hits,
    multiply_tree_left_out,
    rows_with_holes,
)
from learners.counts.distinct_rows import distinct_rows
from learners.counts.slots import N0, tree_order

__all__ = ["superparent_tree", "LeftOutAccuracy"]

DECIMALS = 12  # scores that differ by less are ties
#: Most memory for products; beyond it every tree is multiplied anew.
MOST_BYTES = 2**30


@dataclass(frozen=True, eq=False)
class SuperParentTree:
    """The attribute parent of each attribute that the search found, -1 for none, and its score."""

    parents: NDArray[np.int64]
    score: float


class TreeScore(Protocol):
    """A scorer of trees that differ little from one another."""

    def __call__(self, parents: NDArray[np.int64], place: int, keep: bool) -> float:
        """Return the score of a tree similar to the last one stored at a place, and store it there."""
        ...


def superparent_tree(score: TreeScore, n_features: int) -> SuperParentTree:
    """Add arcs one at a time while the score rises."""
    # Keogh and Pazzani, "Learning augmented Bayesian classifiers", AISTATS 1999. In each pass every attribute
    # is tried as the superparent, the parent of all orphans (attributes without attribute parent) except
    # itself and the root above it; the best one is kept, even if it lowers the score. Then each single arc
    # from it to one of these orphans is tried, and the best, the favorite child, is added if the score rises;
    # otherwise the search ends. Ties go to the first attribute.
    # At most n_features passes of 2 n_features scores. The trees of a superparent differ from pass to pass in
    # at most three parents, those with one arc more in one: a score by what changes costs O(n_rows).
    parents = np.full(n_features, -1, dtype=np.int64)
    so_far = n_features  # the place of the tree so far; the others are those of superparents
    best = round(float(score(parents, so_far, True)), DECIMALS)
    while True:
        children = [_possible_children(parents, leader) for leader in range(n_features)]
        leaders = [leader for leader in range(n_features) if children[leader]]
        if not leaders:
            return SuperParentTree(parents, best)
        led = [score(_led(parents, children[leader], leader), leader, True) for leader in leaders]
        leader = leaders[_first_best(led)]
        arcs = [_led(parents, [child], leader) for child in children[leader]]
        reached = [score(arc, so_far, False) for arc in arcs]
        favorite = _first_best(reached)
        if round(float(reached[favorite]), DECIMALS) <= best:
            return SuperParentTree(parents, best)
        parents = arcs[favorite]
        best = round(float(score(parents, so_far, True)), DECIMALS)


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


def _first_best(scores: Sequence[float]) -> int:
    return int(np.argmax([round(float(score), DECIMALS) for score in scores]))


@dataclass(frozen=True, eq=False)
class CompleteRows:
    """Complete rows, and the weights of their classes under the stored trees."""

    slots: NDArray[np.int64]  # (n_rows, n_features)
    y: NDArray[np.intp]
    weight: NDArray[np.float64]
    # by place the parents of a tree, and the weights of the classes, (n_rows, n_classes)
    products: dict[int, tuple[NDArray[np.int64], NDArray[np.float64]]] = field(default_factory=dict)

    def hits(
        self,
        parents: NDArray[np.int64],
        place: int,
        keep: bool,
        class_order: NDArray[np.intp],
        counts: LeftOutCounts,
    ) -> float:
        """Return the weight of the rows that a tree classifies correctly."""
        if place not in self.products:
            own = multiply_tree_left_out(self.slots, self.y, self.weight, parents, counts)
            self.products[place] = parents, own
        before, own = self.products[place]
        found = hits_of_tree(
            self.slots, self.y, self.weight, class_order, before, parents, counts, own, keep
        )  # fmt: skip
        if keep:
            self.products[place] = parents, own
        return float(found)


@dataclass(frozen=True, eq=False)
class LeftOutAccuracy:
    """Leave-one-out accuracy of any tree over the same rows."""

    # Each row is forecast by the network learned from the others: its own part is removed from the class
    # counts, every table in which it is complete, and the marginals of Friedman's smoothing, with which a
    # value of this row alone counts as missing, as after a fit. Of a row of weight w, min(w, 1) is left out
    # and a hit counts w, and identical rows are merged: so a weight equals repeated rows.
    complete: CompleteRows  # rows without holes; none if there are too many to keep their products
    codes: NDArray[Any]  # (n_features, n_others): the other rows; the arity itself where missing
    y: NDArray[np.intp]
    weight: NDArray[np.float64]  # of length 0 where all are 1
    total: float  # weight of all rows
    class_order: NDArray[np.intp]  # the classes as they were declared
    counts: LeftOutCounts  # of all rows

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
        apart = rows_with_holes(rows.codes, weight, counts)
        if (arities.size + 1) * apart.size * counts.classes.size * 8 > MOST_BYTES:
            apart[:] = True
        known = ~apart
        slots = np.ascontiguousarray((rows.codes[:, known] + offsets[:-1, np.newaxis]).T)
        complete = CompleteRows(slots, rows.y[known], weight[known] if weight.size else weight)
        return cls(
            complete,
            np.ascontiguousarray(rows.codes[:, apart]),
            rows.y[apart],
            weight[apart] if weight.size else weight,
            float(weight.sum()) if weight.size else float(rows.y.size),
            class_order,
            counts,
        )

    def __call__(self, parents: NDArray[np.int64], place: int = 0, keep: bool = False) -> float:
        """Return the share of the rows, by weight, that are classified correctly."""
        hits = 0.0
        if self.complete.y.size:
            hits += self.complete.hits(parents, place, keep, self.class_order, self.counts)
        if self.y.size:
            order = tree_order(parents)
            hits += left_out_hits(
                self.codes, self.y, self.weight, self.class_order, parents, order, self.counts
            )
        return hits / self.total
