"""The structure of k-dependence networks: parents by order of information."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.options import is_whole

__all__ = ["MOST_CELLS", "check_k", "closest_parents", "fitting_parents"]

DECIMALS = 12  # information that differs by less is a tie
MOST_CELLS = 2**20  # entries of one attribute's table, where parents end


def check_k(k: Any) -> int:
    """Return the number of parents, or raise an error if it is invalid."""
    if not is_whole(k) or k < 0:
        raise ValueError(f"k must be a whole number of at least 0, but was {k!r}.")
    return int(k)


def closest_parents(
    information: NDArray[np.float64], shared: NDArray[np.float64], k: int
) -> tuple[tuple[int, ...], ...]:
    """Return for each attribute the k earlier attributes with which it shares most information."""
    order = np.argsort(-information, kind="stable")
    shared = np.round(shared, DECIMALS)
    parents: list[tuple[int, ...]] = [()] * order.size
    for position, j in enumerate(order):
        before = order[:position]
        closest = np.argsort(-shared[j, before], kind="stable")[:k]
        parents[j] = tuple(before[closest].tolist())
    return tuple(parents)


def fitting_parents(parents: Sequence[tuple[int, ...]], table: TrainingTable) -> list[tuple[int, ...]]:
    """Shorten the lists of parents, so that no attribute's table exceeds `MOST_CELLS`."""
    out = []
    for j, others in enumerate(parents):
        cells = np.cumprod(
            [int(table.arities[j]) * table.n_classes, *(int(table.arities[u]) for u in others)]
        )
        out.append(others[: int((cells[1:] <= MOST_CELLS).sum())])
    return out
