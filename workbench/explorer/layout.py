"""Where the scores of a study stand: sources, units, training sizes, learners."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.designs import Blocks
from workbench.store.results import StudyResults

__all__ = ["STATES", "PageLayout"]

#: What may become of a planned cell besides being done.
STATES = ("failed", "timed_out", "pending")


@dataclass(frozen=True, eq=False)
class PageLayout:
    """The places of a study's cells, by source, unit, size and learner."""

    # means are taken over units: truths, whose training sets are averaged first, or parts of a data set
    sources: tuple[str, ...]
    learners: tuple[str, ...]
    sizes: tuple[int, ...]  # numbers of training rows, ascending; empty if every data set has its own
    units: NDArray[np.int64]  # sorted numbers of all units, source by source: see `_units`
    n_units: tuple[int, ...]  # of each source
    cells: pd.DataFrame  # as `StudyResults.cells` returns them
    by: Blocks

    @classmethod
    def of(cls, results: StudyResults) -> "PageLayout":
        """Read the places of a study."""
        cells, by = results.cells(), results.design.blocks
        sources = tuple(map(str, cells["source"].cat.categories))
        units = np.unique(_units(cells, by))
        n_units = np.bincount(units // PER_SOURCE, minlength=len(sources)).tolist()
        several = cells.groupby("source", observed=True)["n_train"].nunique()
        own = not by.has_sizes and bool((several <= 1).all())
        sizes = () if own else tuple(int(n) for n in np.unique(cells["n_train"]))
        learners = tuple(map(str, cells["learner"].cat.categories))
        return cls(sources, learners, sizes, units, tuple(n_units), cells, by)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Units of all sources, sizes, learners."""
        return len(self.units), max(len(self.sizes), 1), len(self.learners)

    def values(self, scores: pd.DataFrame) -> list[NDArray[np.float64]]:
        """Return the scores of each source, (units, sizes, learners); NaN where a training set lacks one."""
        # the lacking one may be the hardest
        where, n = self._places(scores), int(np.prod(self.shape))
        counts = np.bincount(where, minlength=n)
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.bincount(where, scores["value"].to_numpy(dtype=np.float64), minlength=n) / counts
        means[counts != self._planned] = np.nan
        return np.split(means.reshape(self.shape), np.cumsum(self.n_units)[:-1])

    def states(self) -> NDArray[np.int64]:
        """Count cells, of shape (sources, 1 + len(STATES), sizes, learners): planned, then by state."""
        source = np.repeat(np.arange(len(self.sources)), self.n_units)
        counts = [self._planned]
        for state in STATES:
            own = self.cells[self.cells["state"] == state]
            counts.append(np.bincount(self._places(own), minlength=len(self._planned)))
        found = np.zeros((len(self.sources), len(counts), *self.shape[1:]), dtype=np.int64)
        for i, own in enumerate(counts):
            np.add.at(found[:, i], source, own.reshape(self.shape))
        return found

    def own_sizes(self) -> list[int]:
        """Return the number of training rows of each data set."""
        first = self.cells.groupby("source", observed=False)["n_train"].first()
        return [int(n) for n in first.fillna(0)]

    @functools.cached_property
    def _planned(self) -> NDArray[np.int64]:
        """Number of cells at every place."""
        return np.bincount(self._places(self.cells), minlength=int(np.prod(self.shape)))

    def _places(self, rows: pd.DataFrame) -> NDArray[np.int64]:
        """Return the place of each row, as an index into a flat array of `shape`."""
        unit = np.searchsorted(self.units, _units(rows, self.by))
        size = np.searchsorted(np.array(self.sizes), rows["n_train"]) if self.sizes else 0
        learner = rows["learner"].cat.codes.to_numpy(dtype=np.int64)
        _, n_sizes, n_learners = self.shape
        return np.asarray((unit * n_sizes + size) * n_learners + learner, dtype=np.int64)


#: Numbers of units leave room for so many units of each source, and so many folds of each replicate.
PER_SOURCE, PER_REPLICATE = 1 << 40, 1 << 16


def _units(rows: pd.DataFrame, by: Blocks) -> NDArray[np.int64]:
    """Return a number for the unit of each row, of source, replicate and, where it names a block, fold."""
    columns: Sequence[NDArray[np.int64]] = [
        rows["source"].cat.codes.to_numpy(dtype=np.int64) * PER_SOURCE,
        rows["replicate"].to_numpy(dtype=np.int64) * PER_REPLICATE,
        rows["fold"].to_numpy(dtype=np.int64) * ("fold" in by.key),
    ]
    return np.asarray(sum(columns))
