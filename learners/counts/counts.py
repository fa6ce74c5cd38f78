"""Extensible counts of training rows: later rows may have new values, and counts can be merged."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.counts._kernels.counts import add_class_value_counts, add_pair_counts
from learners.counts.slots import check_pair_room, count_pairs, slot_offsets

__all__ = [
    "ClassCounts",
    "Counts",
    "PairCounts",
    "ValueCounts",
    "moved_slots",
    "spread_counts",
]


class Counts(Protocol):
    """Counts of a learner. Every method returns a new object and does not change the old one."""

    @property
    def by_class(self) -> NDArray[np.float64]: ...  # noqa: D102

    def plus(self, table: TrainingTable) -> Self:
        """Count further rows."""
        ...

    def widened(self, moves: Sequence[NDArray[np.intp]], arities: NDArray[np.int64]) -> Self:
        """Make room for new values."""
        ...

    def merged(self, other: Self) -> Self:
        """Add the counts of other rows."""
        ...

    def emptied(self) -> Self:
        """Return counts of no rows."""
        ...


@dataclass(frozen=True)
class ClassCounts:
    """Weight of the training rows by class."""

    by_class: NDArray[np.float64]

    @classmethod
    def of(cls, table: TrainingTable) -> Self:
        """Count the rows of one table."""
        return cls(np.zeros(table.n_classes)).plus(table)

    def plus(self, table: TrainingTable) -> Self:
        """Count further rows."""
        return type(self)(add_class_counts(self.by_class, table))

    def widened(self, moves: Sequence[NDArray[np.intp]], arities: NDArray[np.int64]) -> Self:
        """Return the same counts: values are not counted."""
        return self

    def merged(self, other: Self) -> Self:
        """Add the counts of other rows, exact for whole weights."""
        return type(self)(self.by_class + other.by_class)

    def emptied(self) -> Self:
        """Return counts of no rows."""
        return type(self)(np.zeros_like(self.by_class))


@dataclass(frozen=True)
class ValueCounts:
    """Weight of the training rows by value and class. Adding rows makes a new object."""

    # Rows are added to the running sums one by one, so however a table is split into batches, the counts are
    # the same to the last bit, even with real weights.

    arities: NDArray[np.int64]
    # (n_slots, n_classes): a slot for each value of each attribute, and one for missing after them
    by_slot: NDArray[np.float64]
    by_class: NDArray[np.float64]

    @classmethod
    def of(cls, table: TrainingTable) -> Self:
        """Count the rows of one table."""
        n_slots = int((table.arities + 1).sum())
        none = cls(table.arities, np.zeros((n_slots, table.n_classes)), np.zeros(table.n_classes))
        return none.plus(table)

    @property
    def offsets(self) -> NDArray[np.int64]:
        """First slot of each attribute. The last entry is the number of slots."""
        return slot_offsets(self.arities)

    def plus(self, table: TrainingTable) -> Self:
        """Count further rows with the given arities (see `widened`)."""
        by_slot = self.by_slot.copy()
        weight = table.kernel_weight
        add_class_value_counts(table.codes, table.y, weight, self.offsets, by_slot)
        return type(self)(self.arities, by_slot, add_class_counts(self.by_class, table))

    def widened(self, moves: Sequence[NDArray[np.intp]], arities: NDArray[np.int64]) -> Self:
        """Make room for new values."""
        slots, n_slots = moved_slots(moves, arities), int((arities + 1).sum())
        return type(self)(arities, spread_counts(self.by_slot, slots, n_slots), self.by_class)

    def merged(self, other: Self) -> Self:
        """Add the counts of other rows with the same arities and classes, exact for whole weights."""
        check_same_size(self, other)
        return type(self)(self.arities, self.by_slot + other.by_slot, self.by_class + other.by_class)

    def emptied(self) -> Self:
        """Return counts of no rows, over the same values."""
        return replace(self, by_slot=np.zeros_like(self.by_slot), by_class=np.zeros_like(self.by_class))


@dataclass(frozen=True)
class PairCounts:
    """Weight of the training rows by pair of values and class. Adding rows makes a new object."""

    # The counts of any split into batches are the same to the last bit: whole weights are counted as fast as
    # in one table, since their order does not matter, others row by row.

    arities: NDArray[np.int64]
    offsets: NDArray[np.int64]  # first slot of each attribute, then the number of slots
    by_pair: NDArray[np.float64]  # (n_slots, n_slots, width), zeros past the classes
    by_class: NDArray[np.float64]
    whole: bool = True  # whether all rows had whole weights, so that every sum is exact

    @classmethod
    def of(cls, table: TrainingTable, *, block: int = 1) -> Self:
        """Count the rows of one table. The class axis is rounded up to a multiple of `block`."""
        offsets = slot_offsets(table.arities)
        pairs = count_pairs(table, offsets, block=block)
        return cls(table.arities, offsets, pairs, table.class_counts(), _is_whole(table))

    @property
    def values(self) -> ValueCounts:
        """The counts of single values, copied."""
        return ValueCounts(self.arities, self.by_pair.diagonal().T.copy(), self.by_class)

    def plus(self, table: TrainingTable) -> Self:
        """Count further rows with the given arities (see `widened`)."""
        whole = self.whole and _is_whole(table)
        n_features, n_samples = table.codes.shape
        if whole and n_samples * n_features**2 > self.by_pair.size:
            by_pair = count_pairs(table, self.offsets, block=self.by_pair.shape[2])
            by_pair += self.by_pair
        else:  # in the order of the rows, touching only their cells
            by_pair = self.by_pair.copy()
            weight = table.kernel_weight
            add_pair_counts(table.codes, table.y, weight, self.offsets, by_pair)
        by_class = add_class_counts(self.by_class, table)
        return replace(self, by_pair=by_pair, by_class=by_class, whole=whole)

    def widened(self, moves: Sequence[NDArray[np.intp]], arities: NDArray[np.int64]) -> Self:
        """Make room for new values, as `ValueCounts.widened`, within the memory limit."""
        offsets = slot_offsets(arities)
        check_pair_room(offsets, self.by_pair.shape[2])
        by_pair = spread_counts(self.by_pair, moved_slots(moves, arities), int(offsets[-1]), n_axes=2)
        return type(self)(arities, offsets, by_pair, self.by_class, self.whole)

    def merged(self, other: Self) -> Self:
        """Add the counts of other rows with the same arities and classes, exact for whole weights."""
        check_same_size(self, other)
        by_pair, by_class = self.by_pair + other.by_pair, self.by_class + other.by_class
        return replace(self, by_pair=by_pair, by_class=by_class, whole=self.whole and other.whole)

    def emptied(self) -> Self:
        """Return counts of no rows, over the same values."""
        none = np.zeros_like(self.by_pair)
        return replace(self, by_pair=none, by_class=np.zeros_like(self.by_class), whole=True)


def check_same_size(one: ValueCounts | PairCounts, other: ValueCounts | PairCounts) -> None:
    """Raise an error for counts over different values or classes."""
    if not np.array_equal(one.arities, other.arities) or one.by_class.size != other.by_class.size:
        raise ValueError(
            f"The counts have arities {one.arities.tolist()} and {other.arities.tolist()}, and "
            f"{one.by_class.size} and {other.by_class.size} classes. Widen them to the same values."
        )


def add_class_counts(by_class: NDArray[np.float64], table: TrainingTable) -> NDArray[np.float64]:
    """Add the rows of a table to the weight of each class, one after the other."""
    if table.weight is None:
        return by_class + np.bincount(table.y, minlength=by_class.size)
    out = by_class.copy()
    np.add.at(out, table.y, table.weight)
    return out


def moved_slots(moves: Sequence[NDArray[np.intp]], arities: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the new slot of each earlier slot, from the new code of each earlier code."""
    firsts = slot_offsets(arities)[:-1].tolist()
    parts = [
        first + np.append(move, arity)
        for first, move, arity in zip(firsts, moves, arities.tolist(), strict=True)
    ]
    return np.concatenate([np.empty(0, dtype=np.intp), *parts])


def spread_counts(
    counts: NDArray[np.float64], slots: NDArray[np.intp], n_slots: int, *, n_axes: int = 1
) -> NDArray[np.float64]:
    """Spread counts over a table with more slots, zeros elsewhere."""
    out = np.zeros((n_slots,) * n_axes + counts.shape[n_axes:])
    out[np.ix_(*[slots] * n_axes)] = counts
    return out


def _is_whole(table: TrainingTable) -> bool:
    return table.weight is None or bool((table.weight == np.floor(table.weight)).all())
