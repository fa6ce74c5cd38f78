"""What a paper leaves open, each turned alone: which cells are then judged otherwise, and how far ours is."""

from collections.abc import Sequence

import pandas as pd

from workbench.reproduction.tails import AGREE, DIFFER

__all__ = ["COLUMNS", "compared", "over_tables"]

COLUMNS = ("switch", "learner", "table", "cells", "moved_in", "moved_out", "before", "after", "measured")


def compared(
    switch: str, learner: str, before: pd.DataFrame, after: pd.DataFrame
) -> Sequence[tuple[object, ...]]:
    """Compare the verdicts of cells before and after a switch."""
    rows = []
    told = before["verdict"].isin([AGREE, DIFFER]) & after["verdict"].isin([AGREE, DIFFER])
    for table, own in before[told].groupby("table", sort=False):
        turned = after.loc[own.index]
        moved_in = int(((own["verdict"] == DIFFER) & (turned["verdict"] == AGREE)).sum())
        moved_out = int(((own["verdict"] == AGREE) & (turned["verdict"] == DIFFER)).sum())
        spread = own["sd"].where(own["sd"] > 0)
        distances = [(one["difference"].abs() / spread).mean() for one in (own, turned)]
        measured = int(spread.notna().sum())
        rows.append((switch, learner, table, len(own), moved_in, moved_out, *distances, measured))
    return rows


def over_tables(sensitivity: pd.DataFrame) -> pd.DataFrame:
    """Sum up what each switch moves over all tables."""
    sums = sensitivity.assign(
        before=(sensitivity["before"] * sensitivity["measured"]).fillna(0.0),
        after=(sensitivity["after"] * sensitivity["measured"]).fillna(0.0),
    )
    found = sums.drop(columns="table").groupby(["switch", "learner"], sort=False).sum().reset_index()
    n = found["measured"].where(found["measured"] > 0)
    return found.assign(before=found["before"] / n, after=found["after"] / n)
