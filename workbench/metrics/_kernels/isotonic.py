"""Isotonic regression of hits on the rank of their forecast."""

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel

__all__ = ["fill_chances"]


@kernel
def fill_chances(
    order: NDArray[np.int64],
    steps: NDArray[np.int64],
    happened: NDArray[np.bool_],
    fold: NDArray[np.int64],
    held_out: int,
    toward: float,
    out: NDArray[np.float64],
) -> None:
    """Fit chances to the bets outside a fold and fill in those of the bets inside.

    `order` sorts the bets by forecast. Equal forecasts are at steps[g] .. steps[g + 1] of it and share their
    middle rank. A held-out fold of -1 fits to all bets and fills all. A block of n bets, once more bets than
    hits would fall, has the chance (hits + toward) / (n + 1) at the mean rank of its bets. Between blocks the
    chance is linear.
    """
    centers, chances = _blocks(order, steps, happened, fold, held_out, toward)
    block = 0  # the first whose center is not below
    for g in range(steps.size - 1):
        rank = (steps[g] + steps[g + 1] - 1) / 2
        while block < centers.size and centers[block] < rank:
            block += 1
        if block == 0:
            chance = chances[0]
        elif block == centers.size:
            chance = chances[block - 1]
        else:
            part = (rank - centers[block - 1]) / (centers[block] - centers[block - 1])
            chance = chances[block - 1] + part * (chances[block] - chances[block - 1])
        for place in range(steps[g], steps[g + 1]):
            bet = order[place]
            if held_out < 0 or fold[bet] == held_out:
                out[bet] = chance


@kernel
def _blocks(
    order: NDArray[np.int64],
    steps: NDArray[np.int64],
    happened: NDArray[np.bool_],
    fold: NDArray[np.int64],
    held_out: int,
    toward: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean rank and the chance of each block of the bets outside the fold."""
    n = np.empty(steps.size - 1)
    hits = np.empty(steps.size - 1)
    ranks = np.empty(steps.size - 1)
    top = -1
    for g in range(steps.size - 1):
        size = won = 0
        for place in range(steps[g], steps[g + 1]):
            bet = order[place]
            if fold[bet] != held_out:
                size += 1
                won += happened[bet]
        if size == 0:
            continue
        top += 1
        n[top], hits[top], ranks[top] = size, won, size * (steps[g] + steps[g + 1] - 1) / 2
        while top > 0 and hits[top - 1] * n[top] >= hits[top] * n[top - 1]:
            n[top - 1] += n[top]
            hits[top - 1] += hits[top]
            ranks[top - 1] += ranks[top]
            top -= 1
    n, hits = n[: top + 1], hits[: top + 1]
    return ranks[: top + 1] / n, (hits + toward) / (n + 1.0)
