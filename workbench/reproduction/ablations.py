"""Judge what a paper leaves open both ways: learners with a setting turned, tables of another score."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import pandas as pd

from workbench.base.errors import WorkbenchError, nearest
from workbench.reproduction.ablated import Shared, Turned
from workbench.reproduction.judging import all_judged
from workbench.reproduction.printed import Printed
from workbench.reproduction.printed_table import PrintedTable
from workbench.reproduction.score_ablation import ScoreSwitch
from workbench.reproduction.sensitivity import COLUMNS, compared
from workbench.reproduction.table_facts import TableFacts
from workbench.reproduction.units import Units

__all__ = ["ALL", "learners_turned", "scores_turned"]

#: Between the key of a learner and what is turned in its variant.
MARK = "__"
#: What a switch of the score is of, where another is of a learner.
ALL = "all"

Row = tuple[object, ...]


def learners_turned(
    printed: Printed, units: Units, others: Units, facts: TableFacts, seed: int
) -> pd.DataFrame:
    """Judge each learner's cells as it is and with each setting turned, on the rows that both studies met."""
    shared = Shared(units, others)
    for source in dict.fromkeys(chain(*(table.cells["dataset"] for table in printed.tables if table.score))):
        shared.check(source)
    rows: list[Row] = []
    before: dict[str, pd.DataFrame] = {}
    variants = _variants(others.learners, units.learners, needless=bool(printed.switches))
    for variant, learner in variants.items():
        kept = tuple(part for part in (_part(one, learner) for one in printed.tables) if len(part.cells))
        if kept:
            if learner not in before:
                before[learner] = all_judged(kept, shared, facts, units, seed)
            after = all_judged(kept, Turned(shared, learner, variant), facts, units, seed)
            rows += compared(variant, learner, before[learner], after)
    return pd.DataFrame(rows, columns=list(COLUMNS))


def scores_turned(
    printed: Printed, studies: Sequence[Units], facts: TableFacts, seed: int
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Judge the tables of each switch of the score with their own score and with the other."""
    rows: list[Row] = []
    untold: list[str] = []
    for switch in printed.switches:
        tables = tuple(table for table in printed.tables if table.name in switch.tables)
        found: list[Row] = []
        for units in studies:
            if not found and _has_scores(switch, tables, units):
                before = all_judged(tables, units, facts, units, seed)
                turned = tuple(map(switch.turned, tables))
                found += compared(switch.name, ALL, before, all_judged(turned, units, facts, units, seed))
        rows += found
        if not found:
            words = ", ".join(f"{key} {word}" for key, word in switch.score.items())
            untold.append(
                f"The switch {switch.name!r} is not judged, since no study given has the score of it "
                f"({words}) for learners of its tables as they are: add score and learners to the study of "
                "switches, and run that again."
            )
    return pd.DataFrame(rows, columns=list(COLUMNS)), tuple(untold)


def _has_scores(switch: ScoreSwitch, tables: Sequence[PrintedTable], units: Units) -> bool:
    """Return whether a study has both scores of each of a switch's tables, of whichever learners."""
    try:
        for table in tables:
            for one in (table, switch.turned(table)):
                units.check_scores(one)
    except WorkbenchError:
        return False
    return True


def _variants(keys: list[str], learners: list[str], *, needless: bool) -> dict[str, str]:
    """Return the learner of each variant; there may be none where the study serves for other scores."""
    found = {key: key.split(MARK)[0] for key in keys if MARK in key}
    for key, learner in found.items():
        if learner not in learners:
            raise WorkbenchError(
                f"the switch {key!r} is of the learner {learner!r}, which the study has not: "
                f"{nearest(learner, learners)}"
            )
    if not found and not needless:
        raise WorkbenchError(
            f"the switches have no key such as {'c45' + MARK + 'unpruned'!r}: expected a learner's key, two "
            "underscores, and what is turned"
        )
    return found


def _part(table: PrintedTable, learner: str) -> PrintedTable:
    """Return the cells of a table that are of a learner; of sizes none."""
    own = (table.cells["learner"] == learner) | (table.cells["other"] == learner)
    return replace(table, cells=table.cells[own])
