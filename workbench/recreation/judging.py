"""Judge the cells of a printed table: ours, where the print lies among draws of ours, and what that says."""

from dataclasses import asdict

import pandas as pd

from workbench.errors import WorkbenchError
from workbench.recreation.drawn_cells import drawn
from workbench.recreation.finding import Cell, Finding, certain
from workbench.recreation.printed_table import PrintedTable
from workbench.recreation.table_facts import TableFacts
from workbench.recreation.tested_cells import tested
from workbench.recreation.units import Measured

__all__ = ["COLUMNS", "judged"]

COLUMNS = ("table", "statistic", "dataset", "learner", "other", "printed", "low", "high", "ours", "sd",
           "difference", "tail", "verdict", "why", "n", "doubt", "by_chance", "mean_difference")  # fmt: skip


def judged(
    table: PrintedTable, measured: Measured, facts: TableFacts, *, sign: float, seed: int
) -> pd.DataFrame:
    """Judge every cell of a printed table.

    Parameters
    ----------
    table : PrintedTable
    measured : Units or Turned
        Where ours comes from.
    facts : TableFacts
        For numbers of classes, and for sizes.
    sign : float
        1 where larger scores are better, -1 where smaller ones are.
    seed : int
        Of the draws.

    Returns
    -------
    DataFrame
        One row a cell in the order of the table, columns `COLUMNS`.
    """
    cells = table.cells.to_dict("records")
    if table.score is None:
        found = [_size(cell, table, facts) for cell in cells]
    elif table.statistic == "significance":
        found = tested(cells, table.score, measured, sign=sign, seed=seed)
    else:
        found = drawn(cells, table, measured, facts, seed=seed)
    frame = pd.DataFrame([{**cell, **asdict(own)} for cell, own in zip(cells, found, strict=True)])
    frame["difference"] = frame["ours"] - frame["printed"]
    return frame.assign(table=table.name, statistic=table.statistic)[list(COLUMNS)]


def _size(cell: Cell, table: PrintedTable, facts: TableFacts) -> Finding:
    """Hold a fact of a data set against the print."""
    if cell["unknown"]:
        return Finding(why=cell["unknown"])
    try:
        ours = facts.value(cell["dataset"], table.fact)
    except WorkbenchError as error:
        return Finding(why=str(error))
    return certain(cell, ours * (100.0 if table.scale == "percent" else 1.0), n=1)
