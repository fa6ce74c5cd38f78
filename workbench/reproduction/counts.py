"""Count the verdicts of cells: of each printed table, and in total of what could have gone wrong."""

import numpy as np
import pandas as pd

from workbench.reproduction.judging.finding import AGREE, DIFFER, NEAR, UNKNOWN
from workbench.reproduction.printed.table import DRAWN

__all__ = ["ALL", "SCORES", "TESTS", "counts_of", "like_for_like", "totals_of"]

#: The rows of totals.
SCORES, TESTS, ALL = "score cells", "tests printed as significant", "all"


def counts_of(cells: pd.DataFrame) -> pd.DataFrame:
    """Count the verdicts of each table."""
    found = {name: _tally(own) for name, own in cells.groupby(_sorts(cells), sort=False)}
    return pd.DataFrame.from_dict(found, orient="index").rename_axis("table")


def totals_of(cells: pd.DataFrame) -> pd.DataFrame:
    """Count the verdicts of score cells, of tests printed as significant, and of both."""
    scores = cells["statistic"].isin(DRAWN)
    kinds = {SCORES: cells[scores], TESTS: cells[_significant(cells)], ALL: like_for_like(cells)}
    found = {kind: _tally(own) for kind, own in kinds.items() if len(own) or kind == ALL}
    frame = pd.DataFrame.from_dict(found, orient="index").rename_axis("total")
    # Differences in several units have no common median.
    frame = frame.drop(columns="median_difference")
    frame.insert(1, "judged", frame["cells"] - frame[UNKNOWN])
    return frame


def like_for_like(cells: pd.DataFrame) -> pd.DataFrame:
    """Return the cells that could have gone wrong: scores, and tests printed as significant."""
    # Facts of data sets agree once the data set is the right one; a pair not printed as significant agrees
    # with nearly any study, since five replications seldom find a difference.
    return cells[cells["statistic"].isin(DRAWN) | _significant(cells)]


def _significant(cells: pd.DataFrame) -> pd.Series:
    return (cells["statistic"] == "significance") & (cells["printed"] == 1)


def _tally(cells: pd.DataFrame) -> dict[str, float]:
    verdicts = cells["verdict"]
    drawn = cells["statistic"].isin(DRAWN) & (verdicts != UNKNOWN)
    return {
        "cells": len(cells),
        **{word: int((verdicts == word).sum()) for word in (AGREE, NEAR, DIFFER, UNKNOWN)},
        "expected_by_chance": float(cells["by_chance"].sum()),
        "median_difference": float(cells.loc[drawn, "difference"].abs().median()),
        "datasets": cells["dataset"].nunique(),
        "datasets_differ": cells.loc[verdicts == DIFFER, "dataset"].nunique(),
    }


def _sorts(cells: pd.DataFrame) -> pd.Series:
    """Name the table of each cell, and of a test whether it is printed as significant."""
    tested = cells["statistic"] == "significance"
    sort = np.where(_significant(cells), ": printed as significant", ": not printed")
    return cells["table"].where(~tested, cells["table"] + sort).rename("table")
