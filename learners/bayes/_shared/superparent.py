"""Keogh and Pazzani's search for a tree: a superparent, then its favorite child."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["SuperParentTree", "superparent_tree"]

DECIMALS = 12  # scores that differ by less are equal but for rounding


@dataclass(frozen=True, eq=False)
class SuperParentTree:
    """What the search found.

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

    It starts without arcs. In each pass every attribute is tried as the superparent, which leads
    all orphans (attributes without attribute parent) but itself and the root above it; the best
    one is kept in mind, even if it lowers the score. Then each single arc from it to one of these
    orphans is tried, and the best, the favorite child, is added if the score rises; else the
    search is over. Ties: the first attribute.

    Notes
    -----
    A pass asks for at most 2 n_features scores, and there are at most n_features passes. So with
    a score that costs n_rows x n_features, a pass costs O(n_rows x n_features ** 2).

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
    """Return the orphans that the leader may lead without a cycle."""
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
