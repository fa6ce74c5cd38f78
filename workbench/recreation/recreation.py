"""A study held against what a paper prints."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from workbench.errors import WorkbenchError, nearest
from workbench.recreation.agreement import counts_of, ranks_of, signs_of
from workbench.recreation.judging import judged
from workbench.recreation.printed import Printed
from workbench.recreation.printed_table import PrintedTable
from workbench.recreation.sensitivity import COLUMNS, compared
from workbench.recreation.table_facts import TableFacts
from workbench.recreation.turned import Shared, Turned
from workbench.recreation.units import Units

if TYPE_CHECKING:
    from workbench.results import Results

__all__ = ["Recreation"]

#: Between the key of a learner and what is turned in its variant.
MARK = "__"


@dataclass(frozen=True, eq=False)
class Recreation:
    """Every printed cell with ours, the difference and a verdict.

    Parameters
    ----------
    paper : str
    cells : DataFrame
        One row a printed cell: table, statistic, dataset, learner and other (keys of the study; empty where
        there is none), printed, low, high (ends of what is printed so), ours, sd (of the draws), difference
        (ours minus the print), tail (two-sided share of the draws that are at least as far out as the
        print), verdict ("agree" where that is at least 5%, "differ", or "unknown"), why (it is unknown), n
        (our units), doubt (about the print), by_chance (how likely "differ" is though all is re-created),
        mean_difference (of tests: ours, larger meaning better). Of tests printed is 1 where `learner` wins
        and 0 where nobody does, ours the share of tests in which it wins less the share in which it loses,
        and tail the share with the printed outcome.
    counts : DataFrame
        Index table; columns cells, agree, differ, unknown, expected_by_chance.
    ranks : DataFrame
        Of tables of means and differences: table, dataset, spearman (ranks of learners, ours against
        printed), n (learners).
    signs : DataFrame
        Index table; columns printed (significant differences), same_sign (as our mean difference), share.
    sensitivity : DataFrame
        One row a switch and table: switch, learner, table, cells, moved_in (differ before and agree after),
        moved_out, before, after (mean distance of the print from ours, in sd of the draws before). Empty
        without switches.
    printed : Printed
    results : Results
    switches : Results or None

    Notes
    -----
    A printed number is that of a few splits, ours of many, and both are of the same table: the question is
    not whether they are equal but whether another such few splits of our process would land as far out. So
    the print is looked up among draws of the same statistic of as many units, see
    `workbench.recreation.predictive.Draws`. A print stands for all numbers that are printed so: where it is
    coarse beside the spread of the splits, fewer than 5% differ by chance (simulated with accuracies on 60
    rows, 25 splits and two decimals: 1.4%).

    Which setting of a switch fits a paper best is an inference from that paper, and no reason to prefer it.
    """

    paper: str
    cells: pd.DataFrame = field(repr=False)
    counts: pd.DataFrame = field(repr=False)
    ranks: pd.DataFrame = field(repr=False)
    signs: pd.DataFrame = field(repr=False)
    sensitivity: pd.DataFrame = field(repr=False)
    printed: Printed = field(repr=False)
    results: "Results" = field(repr=False)
    switches: "Results | None" = field(repr=False)

    @classmethod
    def of(
        cls, results: "Results", printed: Printed, switches: "Results | None" = None, *, seed: int = 0
    ) -> "Recreation":
        """Hold a study against what a paper prints.

        Parameters
        ----------
        results : Results
            Of a study on tables.
        printed : Printed
        switches : Results, optional
            Of a study whose learners are those of `results` with one setting turned: the key of each is the
            learner's, two underscores, and what is turned.
        seed : int
            Of the draws.

        Returns
        -------
        Recreation

        Raises
        ------
        WorkbenchError
            If a study is of truths, `results` has no such data set, learner or score, or `switches` has no
            such score or no variants of the study's learners.
        """
        units, facts = Units(results), TableFacts(results)
        for table in printed.tables:
            _check(table, units)
        cells = _judged(printed.tables, units, facts, units, seed)
        turned = pd.DataFrame(_sensitivity(printed, units, facts, switches, seed), columns=list(COLUMNS))
        return cls(
            printed.paper,
            cells,
            counts_of(cells),
            ranks_of(cells),
            signs_of(cells),
            turned,
            printed,
            results,
            switches,
        )

    def report(self, path: str | Path) -> Path:
        """Write the page of the re-creation: counts, orders, signs, every cell, switches, settings.

        Parameters
        ----------
        path : str or Path
            Ends in .html (one file that needs no network), .md or .tex (with the figures in a folder beside
            it). A .md file that has the marks of `workbench.marks` keeps what stands around them.

        Returns
        -------
        Path

        Raises
        ------
        WorkbenchError
            If the ending is another, or the file cannot be written.
        """
        from workbench.report.recreation_content import write_recreation

        return write_recreation(self, path)


def _check(table: PrintedTable, units: Units) -> None:
    """Check that the study has what a table is of."""
    learners = [key for key in pd.unique(table.cells[["learner", "other"]].to_numpy().ravel()) if key]
    units.check(list(table.cells["dataset"].unique()), learners, f"table {table.name!r}")
    _check_scores(table, units, "the study lacks")


def _check_scores(table: PrintedTable, units: Units, lack: str) -> None:
    for score in (table.score, table.other_score):
        if score is not None:
            try:
                units.results.choose(score.metric, prior=score.prior, rows=score.rows, cutoff=score.cutoff)
            except WorkbenchError as error:
                raise WorkbenchError(f"table {table.name!r} needs a score that {lack}: {error}") from error


def _judged(
    tables: tuple[PrintedTable, ...],
    measured: Units | Shared | Turned,
    facts: TableFacts,
    units: Units,
    seed: int,
) -> pd.DataFrame:
    found = [judged(table, measured, facts, sign=_sign(table, units), seed=seed) for table in tables]
    return pd.concat([own for own in found if len(own)], ignore_index=True)


def _sign(table: PrintedTable, units: Units) -> float:
    return 1.0 if table.score is None else units.results.metric(table.score.metric).sign


def _sensitivity(
    printed: Printed, units: Units, facts: TableFacts, switches: "Results | None", seed: int
) -> Iterator[tuple[object, ...]]:
    """Judge each learner's cells as it is and with each setting turned, on the rows that both studies met."""
    if switches is None:
        return
    others = Units(switches)
    for table in printed.tables:
        _check_scores(table, others, "the switches lack")
    shared = Shared(units, others)
    before: dict[str, pd.DataFrame] = {}
    for variant, learner in _variants(others.learners, units.learners).items():
        tables = [_part(table, learner) for table in printed.tables if table.statistic != "size"]
        kept = tuple(table for table in tables if len(table.cells))
        if kept:
            if learner not in before:
                before[learner] = _judged(kept, shared, facts, units, seed)
            after = _judged(kept, Turned(shared, learner, variant), facts, units, seed)
            yield from compared(variant, learner, before[learner], after)


def _variants(keys: list[str], learners: list[str]) -> dict[str, str]:
    """Give the learner of each variant."""
    found = {key: key.split(MARK)[0] for key in keys if MARK in key}
    for key, learner in found.items():
        if learner not in learners:
            raise WorkbenchError(
                f"the switch {key!r} is of the learner {learner!r}, which the study has not: "
                f"{nearest(learner, learners)}"
            )
    if not found:
        raise WorkbenchError(
            f"the switches have no key such as {'c45' + MARK + 'unpruned'!r}: expected a learner's key, two "
            "underscores, and what is turned"
        )
    return found


def _part(table: PrintedTable, learner: str) -> PrintedTable:
    """Give the cells of a table that are of a learner."""
    own = (table.cells["learner"] == learner) | (table.cells["other"] == learner)
    return replace(table, cells=table.cells[own])
