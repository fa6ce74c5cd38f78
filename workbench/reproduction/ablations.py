"""Judge ablations of what a paper leaves open: learners with one setting changed, tables of another score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import pandas as pd

from workbench.base.errors import WorkbenchError, nearest
from workbench.base.score_key import ScoreKey
from workbench.reproduction.data_set_facts import DataSetFacts
from workbench.reproduction.judging.finding import DIFFER, JUDGED
from workbench.reproduction.judging.judge import all_judged
from workbench.reproduction.printed.printed import Printed
from workbench.reproduction.printed.table import PrintedTable, ScoreAblation
from workbench.reproduction.units import PrintedColumn, Units

__all__ = [
    "ALL",
    "COLUMNS",
    "SharedRows",
    "Ablated",
    "compared",
    "ablated_learners",
    "over_tables",
    "ablated_scores",
]

#: Between the key of a learner and the setting that its variant changes.
SEPARATOR = "__"
#: In place of the learner, for an ablation of the score.
ALL = "all"
NONE_SHARED = "the study and that of the ablations share no part of the data set"
COLUMNS = ("ablation", "learner", "table", "cells", "moved_in", "moved_out", "before", "after", "measured")

Row = tuple[object, ...]


def ablated_learners(
    printed: Printed, units: Units, others: Units, facts: DataSetFacts, seed: int
) -> pd.DataFrame:
    """Judge each learner's cells without and with each ablation, on the rows that both studies share."""
    shared = SharedRows(units, others)
    for source in dict.fromkeys(chain(*(table.cells["dataset"] for table in printed.tables if table.score))):
        shared.check(source)
    rows: list[Row] = []
    before: dict[str, pd.DataFrame] = {}
    variants = _variants(others.learners, units.learners, needless=bool(printed.ablations))
    for variant, learner in variants.items():
        kept = tuple(part for part in (_part(one, learner) for one in printed.tables) if len(part.cells))
        if kept:
            if learner not in before:
                before[learner] = all_judged(kept, shared, facts, units, seed)
            after = all_judged(kept, Ablated(shared, {learner: variant}), facts, units, seed)
            rows += compared(variant, learner, before[learner], after)
    return pd.DataFrame(rows, columns=list(COLUMNS))


def ablated_scores(
    printed: Printed, studies: Sequence[Units], facts: DataSetFacts, seed: int
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Judge the tables of each ablation of the score with their own score and with the other."""
    rows: list[Row] = []
    unjudged: list[str] = []
    for ablation in printed.ablations:
        tables = tuple(table for table in printed.tables if table.name in ablation.tables)
        found: list[Row] = []
        for units in studies:
            if not found and _has_scores(ablation, tables, units):
                before = all_judged(tables, units, facts, units, seed)
                ablated = tuple(map(ablation.applied_to, tables))
                found += compared(ablation.name, ALL, before, all_judged(ablated, units, facts, units, seed))
        rows += found
        if not found:
            words = ", ".join(f"{key} {word}" for key, word in ablation.score.items())
            unjudged.append(
                f"The ablation {ablation.name!r} is not judged, since none of the studies has its score "
                f"({words}) for the unchanged learners of its tables: add score and learners to the study "
                "of ablations, and run it again."
            )
    return pd.DataFrame(rows, columns=list(COLUMNS)), tuple(unjudged)


def _has_scores(ablation: ScoreAblation, tables: Sequence[PrintedTable], units: Units) -> bool:
    """Return whether a study has both scores of all tables of an ablation, for any learners."""
    try:
        for table in tables:
            for one in (table, ablation.applied_to(table)):
                units.check_scores(one)
    except WorkbenchError:
        return False
    return True


def _variants(keys: list[str], learners: list[str], *, needless: bool) -> dict[str, str]:
    """Return the learner of each variant; there may be none if the study is for other scores."""
    found = {key: key.split(SEPARATOR)[0] for key in keys if SEPARATOR in key}
    for key in keys:
        if key not in found and key not in learners:
            raise WorkbenchError(
                f"the study of the ablations has {key!r}, which is neither a learner of the study nor an "
                f"ablation of one: expected a learner's key, two underscores, and what is changed; "
                f"{nearest(key, learners)}"
            )
    for key, learner in found.items():
        if learner not in learners:
            raise WorkbenchError(
                f"the ablation {key!r} changes the learner {learner!r}, which the study does not have; "
                f"{nearest(learner, learners)}"
            )
    if not found and not needless:
        raise WorkbenchError(
            f"the ablations have no key such as {'c45' + SEPARATOR + 'unpruned'!r}: expected a learner's "
            "key, two underscores, and what is changed"
        )
    return found


def _part(table: PrintedTable, learner: str) -> PrintedTable:
    """Return a learner's cells of a table; none if it is of sizes."""
    own = (table.cells["learner"] == learner) | (table.cells["other"] == learner)
    return replace(table, cells=table.cells[own])


@dataclass(frozen=True, eq=False)
class SharedRows:
    """A study (`units`) on the test rows that it shares with another, for comparison with variants."""

    units: Units
    ablations: Units
    _places: dict[str, pd.Index] = field(default_factory=dict, repr=False)

    def check(self, source: str) -> None:
        """Raise WorkbenchError if the two studies split a data set differently."""
        two = [units.digests(source).index for units in (self.units, self.ablations)]
        if len(two[0].intersection(two[1])) and not len(self.places(source)):
            raise WorkbenchError(
                f"the study of the ablations splits {source!r} otherwise than the study, so nothing can be "
                "compared: run it with the study's seed, design and data sets"
            )

    def column(self, source: str, learner: str, score: ScoreKey) -> PrintedColumn:
        """Return the scores of a learner on the shared rows of a data set, as `Units.column` does."""
        return self.of_shared(source, self.units.column(source, learner, score))

    def of_shared(self, source: str, found: PrintedColumn) -> PrintedColumn:
        """Return the scores on test rows that both studies share."""
        if found.why:
            return found
        values = found.values[found.values.index.intersection(self.places(source))]
        return PrintedColumn(values, "" if len(values) else NONE_SHARED)

    def places(self, source: str) -> pd.Index:
        """Return the places of a data set that have the same test rows in both studies."""
        if source not in self._places:
            two = [units.digests(source) for units in (self.units, self.ablations)]
            met = pd.concat(two, axis=1, keys=["study", "ablations"])
            self._places[source] = met.index[met["study"] == met["ablations"]]
        return self._places[source]


@dataclass(frozen=True, eq=False)
class Ablated:
    """A study in which learners are replaced by variants with one setting changed."""

    shared: SharedRows  # the study, and the one that has the variant
    variants: Mapping[str, str]  # the key in the other, by the key in the one

    def column(self, source: str, learner: str, score: ScoreKey) -> PrintedColumn:
        """Return the scores of one learner on the shared rows of one data set, as `Units.column` does."""
        if learner not in self.variants:
            return self.shared.column(source, learner, score)
        found = self.shared.ablations.column(source, self.variants[learner], score)
        return self.shared.of_shared(source, found)


def compared(
    ablation: str, learner: str, before: pd.DataFrame, after: pd.DataFrame
) -> Sequence[tuple[object, ...]]:
    """Compare the verdicts of cells before and after an ablation."""
    rows = []
    judged = before["verdict"].isin(JUDGED) & after["verdict"].isin(JUDGED)
    for table, own in before[judged].groupby("table", sort=False):
        ablated = after.loc[own.index]
        differed, differs = own["verdict"] == DIFFER, ablated["verdict"] == DIFFER
        moved_in, moved_out = int((differed & ~differs).sum()), int((~differed & differs).sum())
        spread = own["sd"].where(own["sd"] > 0)
        distances = [(one["difference"].abs() / spread).mean() for one in (own, ablated)]
        measured = int(spread.notna().sum())
        rows.append((ablation, learner, table, len(own), moved_in, moved_out, *distances, measured))
    return rows


def over_tables(sensitivity: pd.DataFrame) -> pd.DataFrame:
    """Sum the cells that each ablation moves over all tables."""
    sums = sensitivity.assign(
        before=(sensitivity["before"] * sensitivity["measured"]).fillna(0.0),
        after=(sensitivity["after"] * sensitivity["measured"]).fillna(0.0),
    )
    found = sums.drop(columns="table").groupby(["ablation", "learner"], sort=False).sum().reset_index()
    n = found["measured"].where(found["measured"] > 0)
    return found.assign(before=found["before"] / n, after=found["after"] / n)
