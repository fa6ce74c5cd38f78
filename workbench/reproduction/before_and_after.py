"""Compare the verdicts of two studies of one paper, on the cells that are judged in both."""

import pandas as pd

from workbench.base.errors import WorkbenchError
from workbench.reproduction.counts import ALL, like_for_like
from workbench.reproduction.judging.finding import JUDGED
from workbench.reproduction.printed.table import DRAWN

__all__ = ["COLUMNS", "before_and_after", "matched"]

TIMES = ("before", "after")
#: What makes two cells the same: not the keys of the studies, which may change.
SAME = ["table", "statistic", "printed_as"]
COLUMNS = ("table", "learner", "cells", *(f"{word}_{time}" for word in (*JUDGED, "median") for time in TIMES))


def before_and_after(before: pd.DataFrame, after: pd.DataFrame) -> pd.DataFrame:
    """Count verdicts before and after, by table and learner; see `Reproduction.compared_with`."""
    met = matched(before, after)
    # a row for each cell and each of its one or two learners
    learners = [[name for name in names[1:] if name] for names in met["printed_as"]]
    named = met.assign(learner=learners).explode("learner")
    rows = [(ALL, *row) for row in _rows(met, named, of_scores=False)]
    for table in dict.fromkeys(met["table"]):
        own, own_named = met[met["table"] == table], named[named["table"] == table]
        rows += [(table, *row) for row in _rows(own, own_named, of_scores=own["statistic"].iloc[0] in DRAWN)]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def matched(before: pd.DataFrame, after: pd.DataFrame) -> pd.DataFrame:
    """Return the cells that the totals count and both studies judge, with both verdicts and differences."""
    met = pd.merge(
        _judged(before)[[*SAME, "verdict", "difference"]],
        _judged(after),
        on=SAME,
        suffixes=("_before", "_after"),
    )
    if met.empty:
        raise WorkbenchError(
            "no cell is judged in both studies: compare studies of one paper, with the same printed tables"
        )
    return met


def _judged(cells: pd.DataFrame) -> pd.DataFrame:
    counted = like_for_like(cells)
    return counted[counted["verdict"].isin(JUDGED)]


def _rows(met: pd.DataFrame, named: pd.DataFrame, *, of_scores: bool) -> list[tuple[object, ...]]:
    """Return the counts of all learners and of each."""
    parts = {ALL: met, **dict(list(named.groupby("learner", sort=False)))}
    return [(learner, *_counts(own, of_scores=of_scores)) for learner, own in parts.items()]


def _counts(met: pd.DataFrame, *, of_scores: bool) -> list[float]:
    counts = [int((met[f"verdict_{time}"] == word).sum()) for word in JUDGED for time in TIMES]
    medians = [
        float(met[f"difference_{time}"].abs().median()) if of_scores else float("nan") for time in TIMES
    ]
    return [len(met), *counts, *medians]
