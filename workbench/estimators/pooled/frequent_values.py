"""Columns of many values, of which members that make columns of them see the frequent ones."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

__all__ = ["FrequentValues"]


class FrequentValues:
    """The most frequent values of each nominal column, in some rows; others become missing."""

    def __init__(self, X: pd.DataFrame, most: int) -> None:
        self._dtypes: Mapping[Any, pd.CategoricalDtype] = {
            name: pd.CategoricalDtype(_most_frequent(cells, most), cells.cat.ordered)
            for name, cells in X.items()
            if isinstance(cells.dtype, pd.CategoricalDtype) and len(cells.cat.categories) > most
        }

    def rows(self, X: pd.DataFrame) -> pd.DataFrame:
        """Return rows with these values."""
        return X.astype(dict(self._dtypes)) if self._dtypes else X


def _most_frequent(cells: "pd.Series[Any]", most: int) -> pd.Index:
    """Return so many values, in their order; of equally frequent ones the first."""
    counts = cells.value_counts(sort=False).reindex(cells.cat.categories)
    kept = counts.sort_values(ascending=False, kind="stable").index[:most]
    return cells.cat.categories[cells.cat.categories.isin(kept)]
