"""Settings that a paper leaves open, each turned alone: which cells are then judged otherwise."""

from collections.abc import Sequence

import pandas as pd

from workbench.recreation.tails import AGREE, DIFFER

__all__ = ["COLUMNS", "compared"]

COLUMNS = ("switch", "learner", "table", "cells", "moved_in", "moved_out", "before", "after")


def compared(
    switch: str, learner: str, before: pd.DataFrame, after: pd.DataFrame
) -> Sequence[tuple[object, ...]]:
    """Compare the verdicts of a learner's cells before and after one of its settings is turned.

    Parameters
    ----------
    switch, learner : str
        Key of the variant, and of the learner.
    before, after : DataFrame
        As `Recreation.cells`, the same cells in the same order.

    Returns
    -------
    sequence of tuple
        One a table, with entries `COLUMNS`: cells that are judged both times; how many differ before and
        agree after, and the other way round; the mean distance of the print from ours, in standard
        deviations of the draws before, in both.
    """
    rows = []
    told = before["verdict"].isin([AGREE, DIFFER]) & after["verdict"].isin([AGREE, DIFFER])
    for table, own in before[told].groupby("table", sort=False):
        turned = after.loc[own.index]
        moved_in = (own["verdict"] == DIFFER) & (turned["verdict"] == AGREE)
        moved_out = (own["verdict"] == AGREE) & (turned["verdict"] == DIFFER)
        spread = own["sd"].where(own["sd"] > 0)
        distances = [(one["difference"].abs() / spread).mean() for one in (own, turned)]
        rows.append((switch, learner, table, len(own), int(moved_in.sum()), int(moved_out.sum()), *distances))
    return rows
