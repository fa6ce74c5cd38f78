"""Squared distances of forecasts from the frequency of their cell, where cells may divide ties."""

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel

__all__ = ["signed_squares"]


@kernel
def signed_squares(
    values: NDArray[np.float64], n: NDArray[np.int64], hits: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[float, float]:
    """Add up (frequency of the cell - probability)^2 / (size of the cell - 1) over bets.

    `values` are probabilities in order, each of `n` bets with so many `hits`. `ends` are the ranks at which
    cells end. If a cell takes some bets of a value, the hits among them are as in a draw without replacement,
    and the expectation over draws is taken. It returns the sums over bets whose probability is above the
    frequency of their cell, and over those whose probability is below.
    """
    above = below = 0.0
    first = 0  # the value that the cell starts in
    begun = 0  # how many of its bets earlier cells have
    start = 0
    for end in ends:
        last, left = first, begun + end - start
        while left > n[last]:
            left -= n[last]
            last += 1
        # bets first .. last, of the last `left` in all, those of earlier cells included
        taken_first = (left if last == first else n[first]) - begun
        sure, one = _hits_drawn(taken_first, hits[first], n[first])
        more, other = _hits_drawn(left if last > first else 0, hits[last], n[last])
        sure += more + _hits_between(hits, first, last)
        for i in range(one.size):
            for j in range(other.size):
                chance = one[i] * other[j]
                if chance > 0.0:
                    frequency = (sure + i + j) / (end - start)
                    over, under = _squares(values, n, first, last, taken_first, left, frequency)
                    above += chance * over / (end - start - 1)
                    below += chance * under / (end - start - 1)
        first, begun, start = last, left, end
        if begun == n[last]:
            first, begun = last + 1, 0
    return above, below


@kernel
def _hits_between(hits: NDArray[np.int64], first: int, last: int) -> int:
    """Count the hits of the values between the first and the last of a cell, which are all in it."""
    total = 0
    for g in range(first + 1, last):
        total += hits[g]
    return total


@kernel
def _squares(
    values: NDArray[np.float64],
    n: NDArray[np.int64],
    first: int,
    last: int,
    taken_first: int,
    taken_last: int,
    frequency: float,
) -> tuple[float, float]:
    """Add up the squared distances to the frequency from above and from below, in one cell."""
    over = under = 0.0
    for g in range(first, last + 1):
        size = taken_first if g == first else (taken_last if g == last else n[g])
        gap = values[g] - frequency
        if gap > 0.0:
            over += size * gap * gap
        else:
            under += size * gap * gap
    return over, under


@kernel
def _hits_drawn(size: int, hits: int, of: int) -> tuple[int, NDArray[np.float64]]:
    """Return the least number of hits among `size` bets drawn from `of` bets, and the chance of each number.

    The hypergeometric distribution, by ratios of neighbours from its mode on, so that nothing overflows.
    """
    least, most = max(0, size - (of - hits)), min(size, hits)
    chance = np.empty(most - least + 1)
    mode = min(max((size + 1) * (hits + 1) // (of + 2), least), most)
    chance[mode - least] = 1.0
    for h in range(mode, most):
        odds = (hits - h) * (size - h) / ((h + 1.0) * (of - hits - size + h + 1))
        chance[h + 1 - least] = chance[h - least] * odds
    for h in range(mode, least, -1):
        odds = h * (of - hits - size + h) / ((hits - h + 1.0) * (size - h + 1))
        chance[h - 1 - least] = chance[h - least] * odds
    return least, chance / chance.sum()
