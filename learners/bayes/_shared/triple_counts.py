"""Counts of triples of values, to which further rows can be added."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.bayes._kernels.one_dependence import CLASS_BLOCK
from learners.bayes._kernels.two_dependence import PAIR_BLOCK, add_triple_counts
from learners.counts.counts import PairCounts, moved_slots
from learners.counts.slots import LARGEST_TABLE, slot_offsets

__all__ = ["TripleCounts", "pair_arities"]


@dataclass(frozen=True)
class TripleCounts:
    """Weight of the training rows by pair of values, third value and class."""

    # as with `PairCounts`, adding rows makes a new object, exact to the last bit for any split into batches
    pairs: PairCounts  # counts of the pairs by themselves
    pair_offsets: NDArray[np.int64]  # first pair slot of each two attributes, in the order of `pair_arities`
    by_triple: NDArray[np.float64]  # (n_pair_slots, n_slots, width): pair known; 0 past the classes

    @property
    def by_class(self) -> NDArray[np.float64]:
        """Weight of all rows of each class."""
        return self.pairs.by_class

    @classmethod
    def of(cls, table: TrainingTable) -> Self:
        """Count the rows of one table."""
        offsets, pair_offsets = slot_offsets(table.arities), slot_offsets(pair_arities(table.arities))
        width = -(-table.n_classes // PAIR_BLOCK) * PAIR_BLOCK
        check_triple_room(pair_offsets, offsets, width)
        by_triple = np.zeros((int(pair_offsets[-1]), int(offsets[-1]), width))
        _add(table, pair_offsets, offsets, by_triple)
        return cls(PairCounts.of(table, block=CLASS_BLOCK), pair_offsets, by_triple)

    def plus(self, table: TrainingTable) -> Self:
        """Count further rows with the given arities (see `widened`)."""
        by_triple = self.by_triple.copy()  # the kernel adds row by row, also in `of`
        _add(table, self.pair_offsets, self.pairs.offsets, by_triple)
        return type(self)(self.pairs.plus(table), self.pair_offsets, by_triple)

    def widened(self, moves: Sequence[NDArray[np.intp]], arities: NDArray[np.int64]) -> Self:
        """Make room for new values, as `ValueCounts.widened`, within the memory limit."""
        sizes = pair_arities(arities)
        offsets, pair_offsets = slot_offsets(arities), slot_offsets(sizes)
        check_triple_room(pair_offsets, offsets, self.by_triple.shape[2])
        pair_moves = [
            (moves[i][:, np.newaxis] * arities[j] + moves[j]).ravel()
            for j in range(arities.size)
            for i in range(j)
        ]
        by_triple = np.zeros((int(pair_offsets[-1]), int(offsets[-1]), self.by_triple.shape[2]))
        by_triple[np.ix_(moved_slots(pair_moves, sizes), moved_slots(moves, arities))] = self.by_triple
        return type(self)(self.pairs.widened(moves, arities), pair_offsets, by_triple)

    def merged(self, other: Self) -> Self:
        """Add the counts of other rows with the same arities and classes, exact for whole weights."""
        pairs = self.pairs.merged(other.pairs)
        return type(self)(pairs, self.pair_offsets, self.by_triple + other.by_triple)

    def emptied(self) -> Self:
        """Return counts of no rows, over the same values."""
        return type(self)(self.pairs.emptied(), self.pair_offsets, np.zeros_like(self.by_triple))


def pair_arities(arities: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of values of each pair i < j, in the order (0, 1), (0, 2), (1, 2), ..."""
    return np.array([arities[i] * arities[j] for j in range(arities.size) for i in range(j)], dtype=np.int64)


def check_triple_room(pair_offsets: NDArray[np.int64], offsets: NDArray[np.int64], width: int) -> None:
    """Raise an error for attributes whose counts of all triples exceed the memory limit."""
    size = int(pair_offsets[-1]) * int(offsets[-1]) * width
    if size > LARGEST_TABLE:
        n_values = int(offsets[-1]) - offsets.size + 1
        raise ValueError(
            f"The attributes have {n_values:,} values in all, so the tables of all pairs of parents (n = 2) "
            f"would take {size * 8 / 2**30:,.0f} GiB. Set n = 1, leave out attributes, or merge rare values "
            "and cut numeric columns more coarsely."
        )


def _add(
    table: TrainingTable,
    pair_offsets: NDArray[np.int64],
    offsets: NDArray[np.int64],
    out: NDArray[np.float64],
) -> None:
    weight = table.kernel_weight
    add_triple_counts(table.codes, table.y, weight, pair_offsets, offsets, table.arities, out)
