"""Columns of a table as groups of values: twins draw groups, and then values that were observed."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.tables.cells import kind_of
from generators.tables.columns import codes_as_met, looked_up, sorted_classes
from learners.networks.network_table import equal_frequency_cut_points
from learners.tables.discretize import interval_codes
from workbench.datasets.dataset import Dataset
from workbench.planning.fits import Indices

__all__ = ["GroupedColumns"]

#: Intervals of numbers, as many as `learn_network` cuts; most groups of other values, whose rarest share one.
INTERVALS, MOST_VALUES = 5, 12


@dataclass(frozen=True, eq=False)
class GroupedColumns:
    """The cells of a table as groups: values, or intervals of numbers with about equally many rows each."""

    dataset: Dataset
    # (n_attributes + 1, n_rows): -1 where missing; the last is the class, among those with rows
    codes: Indices
    arities: NDArray[np.int64]  # (n_attributes + 1,): groups, each of which has a cell

    @classmethod
    def of(cls, dataset: Dataset) -> "GroupedColumns":
        """Group the cells of a table."""
        columns = [_groups(dataset.X[name]) for name in dataset.X]
        # A class that was declared and has no row is in no twin, as nothing is known of it.
        columns.append(sorted_classes(dataset.codes)[1])
        arities = [own.max() + 1 for own in columns]
        return cls(dataset, np.array(columns, dtype=np.intp), np.array(arities, dtype=np.int64))

    def drawn(self, codes: Indices, rng: np.random.Generator) -> tuple[pd.DataFrame, Indices]:
        """Turn drawn groups into rows: a cell gets the value of a random observed cell of its group."""
        # the holes are those of a random observed row of the same class
        y = codes[-1]
        donors = self._pick(-1, y, rng)
        cells = {}
        for j, name in enumerate(self.dataset.X):
            picked = self._pick(j, codes[j], rng)
            holes = self.codes[j, donors] < 0
            picked[holes] = -1
            column = self.dataset.X[name]
            # A column of whole numbers has no holes, and stays one.
            values = column.array.take(picked, allow_fill=bool(holes.any()))
            cells[name] = pd.Series(values, dtype=column.dtype)
        return pd.DataFrame(cells), np.unique(self.dataset.codes)[y].astype(np.intp)

    def _pick(self, j: int, groups: Indices, rng: np.random.Generator) -> Indices:
        """Return a random row for each group, among those that have it in column j."""
        rows, starts, counts = self._members[j]
        place = (rng.random(len(groups)) * counts[groups]).astype(np.intp)
        return rows[starts[groups] + place]

    @cached_property
    def _members(self) -> list[tuple[Indices, Indices, Indices]]:
        """For each column, its rows ordered by group, where each group begins, and how many it has."""
        members = []
        for own, arity in zip(self.codes, self.arities.tolist(), strict=True):
            rows = np.argsort(own, kind="stable")[int((own < 0).sum()) :]
            counts = np.bincount(own[own >= 0], minlength=arity)
            members.append((rows, np.cumsum(counts) - counts, counts))
        return members


def _groups(column: pd.Series) -> Indices:
    """Return the group of each cell of a column, -1 where it is missing; every group has a cell."""
    if kind_of(column.dtype) == "numbers":
        numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
        found = interval_codes(numbers, equal_frequency_cut_points(numbers, INTERVALS)).astype(np.intp)
        found[np.isnan(numbers)] = -1
    else:
        found = codes_as_met(column)[0]
    counts = np.bincount(found[found >= 0])
    by_count = np.argsort(-counts, kind="stable")
    groups = np.empty(len(counts), dtype=np.intp)
    groups[by_count] = np.minimum(np.arange(len(counts)), MOST_VALUES - 1)
    return looked_up(groups, found)
