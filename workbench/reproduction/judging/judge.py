"""Judge the cells of printed tables: our value, its distance from the published one, and a verdict."""

from collections.abc import Sequence
from dataclasses import asdict

import pandas as pd

from workbench.base.errors import WorkbenchError
from workbench.reproduction.data_set_facts import DataSetFacts
from workbench.reproduction.judging.drawn_cells import drawn
from workbench.reproduction.judging.finding import Cell, Judgement, certain
from workbench.reproduction.judging.tested_cells import tested
from workbench.reproduction.printed.table import PrintedTable
from workbench.reproduction.units import HasUnits, Units

__all__ = ["COLUMNS", "all_judged", "judged"]

COLUMNS = ("table", "statistic", "dataset", "learner", "other", "printed", "low", "high", "ours", "sd",
           "difference", "tail", "verdict", "why", "n", "doubt", "by_chance", "mean_difference",
           "printed_as")  # fmt: skip


def all_judged(
    tables: Sequence[PrintedTable], measured: HasUnits, facts: DataSetFacts, units: Units, seed: int
) -> pd.DataFrame:
    """Judge every cell of several tables."""
    found = [judged(table, measured, facts, sign=_sign(table, units), seed=seed) for table in tables]
    return pd.concat([own for own in found if len(own)], ignore_index=True)


def _sign(table: PrintedTable, units: Units) -> float:
    return 1.0 if table.score is None else units.results.metric(table.score.metric).sign


def judged(
    table: PrintedTable, measured: HasUnits, facts: DataSetFacts, *, sign: float, seed: int
) -> pd.DataFrame:
    """Judge every cell of a printed table."""
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


def _size(cell: Cell, table: PrintedTable, facts: DataSetFacts) -> Judgement:
    """Compare a fact of a data set with the published value."""
    if cell["unknown"]:
        return Judgement(why=cell["unknown"])
    try:
        ours = facts.value(cell["dataset"], table.fact)
    except WorkbenchError as error:
        return Judgement(why=str(error))
    return certain(cell, ours * (100.0 if table.scale == "percent" else 1.0), n=1)
