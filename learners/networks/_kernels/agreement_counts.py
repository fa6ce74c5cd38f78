"""Count, for every set of nodes, the training rows that agree with a requested row on the set.

Several lanes are counted side by side. A lane is a row together with one candidate class.
"""

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.networks._kernels.node_sets import spread

__all__ = ["agreements", "count", "n_lanes", "tally"]

WIDTH = 8  # lanes are a multiple of it, as many numbers as fill the widest registers


@kernel
def n_lanes(n_classes: int) -> int:
    """Return the number of lanes: as many rows as fit into 16 lanes, or one row."""
    return -(-max(n_classes, 2 * WIDTH) // WIDTH) * WIDTH


@kernel
def agreements(
    row: NDArray[np.unsignedinteger],
    codes: NDArray[np.unsignedinteger],
    class_place: int,
    mask: NDArray[np.uint16],
) -> None:
    """Set bit u of mask[i] where training row i agrees with the row on the u-th node other than the class."""
    mask[:] = 0
    for u in range(row.size):
        if u != class_place:
            value = row[u]
            bit = np.uint16(1 << (u - (u > class_place)))
            column = codes[u]
            for i in range(mask.size):
                mask[i] |= bit if column[i] == value else np.uint16(0)


@kernel
def tally(
    mask: NDArray[np.uint16],
    classes: NDArray[np.unsignedinteger],
    weights: NDArray[np.float64],
    tallies: NDArray[np.float64],
) -> None:
    """Add up row weights over supersets of their masks, by class. Rows without a class go last."""
    tallies[:] = 0.0
    for i in range(mask.size):
        tallies[mask[i], classes[i]] += weights[i]
    half, width = tallies.shape
    bit = 1
    while bit < half:
        for start in range(0, half, 2 * bit):
            for short in range(start, start + bit):
                for c in range(width):
                    tallies[short, c] += tallies[short + bit, c]
        bit *= 2


@kernel
def count(tallies: NDArray[np.float64], first: int, class_place: int, counts: NDArray[np.float64]) -> None:
    """Write one row's counts into its lanes: of one class for sets with the class, of all rows for others."""
    half, width = tallies.shape
    for short in range(half):
        without = spread(short, class_place)
        total = 0.0
        for c in range(width):
            total += tallies[short, c]
        for c in range(width - 1):
            counts[without, first + c] = total
            counts[without | (1 << class_place), first + c] = tallies[short, c]
