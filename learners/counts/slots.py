"""Counts of values in slots (one per value and one for missing), mutual information and smoothing."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.counts._kernels.counts import pair_counts
from learners.counts._kernels.merged_counts import MANY_ROWS, merged_attributes, merged_pair_counts

__all__ = [
    "LARGEST_TABLE",
    "N0",
    "N0_CLASS_ALPHA",
    "check_pair_room",
    "count_pairs",
    "hide_values",
    "impossible_values",
    "slot_offsets",
    "tree_order",
    "class_mutual_information",
]

LARGEST_TABLE = 2**28  # entries: 2 GiB of float64
N0 = 5.0  # weight of an attribute's marginal in Friedman's smoothing
N0_CLASS_ALPHA = 1.0  # pseudo-count of a class with it


def slot_offsets(arities: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the first slot of each attribute, which has one slot per value and one for missing."""
    offsets = np.zeros(arities.size + 1, dtype=np.int64)
    np.cumsum(arities + 1, out=offsets[1:])
    return offsets


def count_pairs(table: TrainingTable, offsets: NDArray[np.int64], *, block: int = 1) -> NDArray[np.float64]:
    """Count (slot, slot, class) over the training rows, the classes padded to a multiple of `block`."""
    width = -(-table.n_classes // block) * block
    check_pair_room(offsets, width)
    if table.weight is None and table.y.size >= MANY_ROWS:
        groups = merged_attributes(offsets, table.n_classes, table.y.size)
        if groups.size < offsets.size:  # otherwise nothing is gained
            return merged_pair_counts(table.codes, table.y, offsets, groups, table.n_classes, width)
    return pair_counts(table.codes, table.y, table.kernel_weight, offsets, table.n_classes, width)


def check_pair_room(offsets: NDArray[np.int64], width: int) -> None:
    """Raise an error for attributes whose counts of all pairs exceed the memory limit."""
    size = int(offsets[-1]) ** 2 * width
    if size > LARGEST_TABLE:
        raise ValueError(
            f"The attributes have {int(offsets[-1]) - offsets.size + 1:,} values in all, so the counts "
            f"of all pairs would take {size * 8 / 2**30:,.0f} GiB. Merge rare values, or leave out "
            "attributes that are nearly unique."
        )


def impossible_values(pseudo: NDArray[np.float64]) -> NDArray[np.bool_] | None:
    """Return which slots have no pseudo-count, or None if all have one."""
    # with "friedman" these are the declared values absent from training: they are impossible in every class,
    # so they cannot distinguish the classes
    return None if pseudo.all() else pseudo == 0


def hide_values(
    codes: NDArray[np.unsignedinteger],
    hidden: NDArray[np.bool_] | None,
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
) -> NDArray[np.unsignedinteger]:
    """Return the codes with each hidden value as missing."""
    if hidden is None:
        return codes
    return np.where(hidden[offsets[:-1, None] + codes], arities[:, None].astype(codes.dtype), codes)


def tree_order(parents: NDArray[np.int64]) -> NDArray[np.int64]:
    """Order the attributes of a forest so that each comes after its parent."""
    depth = np.zeros(parents.size, dtype=np.int64)
    above = parents
    while (above >= 0).any():
        depth += above >= 0
        above = np.where(above >= 0, parents[above], -1)
    return np.argsort(depth, kind="stable")


DECIMALS = 12  # information that differs by less is a tie


def class_mutual_information(values: NDArray[np.float64], offsets: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return I(X_j, class) of the training frequencies, each over the rows with the attribute known."""
    information = [_information(values[first : end - 1]) for first, end in pairwise(offsets)]
    return np.array(information).round(DECIMALS)


def _information(counts: NDArray[np.float64]) -> float:
    rows = counts.sum()
    if rows <= 0:
        return 0.0
    independent = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / rows
    shown = counts > 0
    return max(0.0, float((counts[shown] * np.log(counts[shown] / independent[shown])).sum() / rows))
