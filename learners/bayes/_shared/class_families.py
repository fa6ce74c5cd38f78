"""Tables of a network in which the class leads every attribute, counted and laid out for prediction."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.bayes._kernels.class_families import class_family_counts, multiply_class_families

__all__ = ["ClassFamilies", "count_cells"]


@dataclass(frozen=True, eq=False)
class ClassFamilies:
    """P(attribute | its attribute parents, class) for all attributes, in one flat array.

    Attributes
    ----------
    arities : ndarray of int64, shape (n_features,)
        Number of values of each attribute.
    shapes : tuple of tuple of int
        Of each family: parents in order, child, class.
    tables : ndarray of float64
        The families one after the other.
    starts, members, strides, ends : ndarray of int64
        Where a family starts, its attributes with their steps, and where these end.
    """

    arities: NDArray[np.int64]
    shapes: tuple[tuple[int, ...], ...]
    tables: NDArray[np.float64]
    starts: NDArray[np.int64]
    members: NDArray[np.int64]
    strides: NDArray[np.int64]
    ends: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        table: TrainingTable,
        parents: Sequence[tuple[int, ...]],
        pseudo: Sequence[NDArray[np.float64]],
    ) -> "ClassFamilies":
        """Count the families, and smooth them."""
        shapes = tuple(_shape(table, j, others) for j, others in enumerate(parents))
        sizes = [math.prod(shape) for shape in shapes]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        members = [u for j, others in enumerate(parents) for u in (*others, j)]
        strides = [math.prod(shape[m + 1 :]) for shape in shapes for m in range(len(shape) - 1)]
        ends = np.cumsum([len(shape) - 1 for shape in shapes])
        layout = [np.array(part, dtype=np.int64) for part in (starts[:-1], members, strides, ends)]
        counts = np.zeros(starts[-1])
        weight = np.empty(0) if table.weight is None else table.weight
        class_family_counts(table.codes, table.y, weight, table.arities, *layout, counts)
        for first, shape, extra in zip(starts, shapes, pseudo, strict=False):
            family = counts[first : first + math.prod(shape)].reshape(shape)
            family += extra[:, np.newaxis]
            family /= family.sum(axis=-2, keepdims=True)
        return cls(table.arities, shapes, counts, *layout)

    def cpts(self) -> list[NDArray[np.float64]]:
        """Return the table of each attribute, with axes class, parents in order, child."""
        split = np.split(self.tables, self.starts[1:])
        families = (flat.reshape(shape) for flat, shape in zip(split, self.shapes, strict=True))
        return [np.moveaxis(family, -1, 0) for family in families]

    def posterior(
        self, codes: NDArray[Any], prior: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return the class posterior of each row without a hole."""
        out = np.empty((codes.shape[1], prior.size))
        complete = np.empty(codes.shape[1], dtype=np.bool_)
        multiply_class_families(
            codes, self.arities, prior, self.tables, self.starts, self.members, self.strides, self.ends,
            out, complete,
        )  # fmt: skip
        return out, complete


def count_cells(table: TrainingTable, parents: Sequence[tuple[int, ...]]) -> list[int]:
    """Return the number of entries of each attribute's table, before it is made."""
    return [math.prod(_shape(table, j, others)) for j, others in enumerate(parents)]


def _shape(table: TrainingTable, j: int, parents: tuple[int, ...]) -> tuple[int, ...]:
    return (*(int(table.arities[u]) for u in (*parents, j)), table.n_classes)
