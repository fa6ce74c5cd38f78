"""Columns of many values, reduced to the frequent ones for members that encode values as columns."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.tables.columns import Column

__all__ = ["FrequentValues"]


class FrequentValues:
    """The most frequent values of each nominal column in given rows. Others become missing."""

    def __init__(self, X: pd.DataFrame, weight: NDArray[np.float64] | None, most: float) -> None:
        self._kept = {
            name: _most_frequent(cells, weight, int(most))
            for name, cells in X.items()
            if isinstance(cells.dtype, pd.CategoricalDtype) and len(cells.cat.categories) > most
        }

    def rows(self, X: pd.DataFrame) -> pd.DataFrame:
        """Return rows with these values."""
        out = X.copy(deep=False) if self._kept else X
        for name, values in self._kept.items():
            out[name] = X[name].cat.set_categories(values)
        return out


def _most_frequent(cells: "pd.Series[Any]", weight: NDArray[np.float64] | None, most: int) -> pd.Index:
    """Return so many values, in their order. Of equally frequent values, take the first."""
    known = cells.cat.categories
    places = Column.of(cells.name, cells).positions(cells).astype(np.intp) + 1
    counts = np.bincount(places, weight, minlength=len(known) + 1)[1:]
    return known[np.sort(np.argsort(-counts, kind="stable")[:most])]
