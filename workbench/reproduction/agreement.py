"""What many judged cells say together: counts, ranks of learners, signs of significant differences."""

import numpy as np
import pandas as pd

from workbench.reproduction.tails import AGREE, DIFFER, UNKNOWN

__all__ = ["counts_of", "ranks_of", "signs_of"]


def counts_of(cells: pd.DataFrame) -> pd.DataFrame:
    """Count the verdicts of each table."""
    by_table = cells.groupby(_sorts(cells), sort=False)
    verdicts = {name: by_table["verdict"].agg(lambda own, n=name: int((own == n).sum())) for name in
                (AGREE, DIFFER, UNKNOWN)}  # fmt: skip
    return pd.DataFrame(
        {"cells": by_table.size(), **verdicts, "expected_by_chance": by_table["by_chance"].sum()}
    )


def _sorts(cells: pd.DataFrame) -> pd.Series:
    """Name the table of each cell, and of a test whether it is printed as significant."""
    tested = cells["statistic"] == "significance"
    sort = np.where(cells["printed"] == 1, ": printed as significant", ": not printed")
    return cells["table"].where(~tested, cells["table"] + sort).rename("table")


def ranks_of(cells: pd.DataFrame) -> pd.DataFrame:
    """Correlate the ranks of learners, ours with the printed ones, on each data set."""
    levels = cells[cells["statistic"].isin(["mean", "difference"]) & cells["ours"].notna()]
    rows = []
    for (table, dataset), own in levels.groupby(["table", "dataset"], sort=False):
        both = _levels(own)
        if len(both) > 1:
            ranks = both.rank()
            level = (ranks.nunique() == 1).any()
            r = float("nan") if level else float(np.corrcoef(ranks["ours"], ranks["printed"])[0, 1])
            rows.append((table, dataset, r, len(both)))
    return pd.DataFrame(rows, columns=["table", "dataset", "spearman", "n"])


def _levels(own: pd.DataFrame) -> pd.DataFrame:
    """Return one row a learner; of differences their sums, which are ordered as the levels are."""
    columns = ["ours", "printed"]
    if own["statistic"].iloc[0] == "mean":
        return own.set_index("learner")[columns]
    first = own.groupby("learner")[columns].sum()
    second = own.groupby("other")[columns].sum()
    return first.sub(second, fill_value=0.0).round(9)


def signs_of(cells: pd.DataFrame) -> pd.DataFrame:
    """Count the printed significant differences that have the same sign in ours."""
    tests = cells[(cells["statistic"] == "significance") & (cells["printed"] == 1)]
    by_table = tests["mean_difference"].groupby(tests["table"], sort=False)
    same = by_table.agg(lambda own: int((own > 0).sum())).astype("int64")
    found = pd.DataFrame({"printed": by_table.count(), "same_sign": same})
    return found.assign(share=found["same_sign"] / found["printed"])
