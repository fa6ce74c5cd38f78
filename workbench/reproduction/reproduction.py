"""A study held against what a paper prints."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from workbench.reproduction.ablations import learners_turned, scores_turned
from workbench.reproduction.agreement import counts_of, ranks_of, signs_of
from workbench.reproduction.judging import all_judged
from workbench.reproduction.printed import Printed
from workbench.reproduction.printed_table import PrintedTable
from workbench.reproduction.table_facts import TableFacts
from workbench.reproduction.units import Units

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["Recreation"]


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
        print; 1 for a difference within the rounding of what is printed), verdict ("agree" where that is at
        least 5%, "differ", or "unknown"), why (it is unknown), n (our units), doubt (about the print),
        by_chance (how likely "differ" is though all is re-created), mean_difference (of tests: ours, larger
        meaning better). Of tests printed is 1 where `learner` wins and 0 where nobody does, ours the share of
        tests in which it wins less the share in which it loses, and tail the share with the printed outcome.
    counts : DataFrame
        Index table; columns cells, agree, differ, unknown, expected_by_chance. A table of tests is two:
        pairs printed as significant, and pairs not printed.
    ranks : DataFrame
        Of tables of means and differences: table, dataset, spearman (ranks of learners, ours against
        printed), n (learners).
    signs : DataFrame
        Index table; columns printed (significant differences), same_sign (as our mean difference), share.
    sensitivity : DataFrame
        One row a switch and table: switch, learner ("all" for another score), table, cells, moved_in (differ
        before and agree after), moved_out, before, after (mean distance of the print from ours, in sd of the
        draws before), measured (cells that it is the mean of). Empty without switches.
    untold : tuple of str
        Which switches of the score no study given can tell of, one sentence each.
    printed : Printed
    results : StudyResults
    switches : StudyResults or None

    Notes
    -----
    A printed number is that of a few splits, ours of many, and both are of the same table: the question is
    not whether they are equal but whether another such few splits of our process would land as far out. So
    the print is looked up among draws of the same statistic of as many units, see
    `workbench.reproduction.predictive.Draws`. A print stands for all numbers that are printed so: where it is
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
    untold: tuple[str, ...]
    printed: Printed = field(repr=False)
    results: "StudyResults" = field(repr=False)
    switches: "StudyResults | None" = field(repr=False)

    @classmethod
    def of(
        cls,
        results: "StudyResults",
        printed: Printed,
        switches: "StudyResults | None" = None,
        *,
        seed: int = 0,
    ) -> "Recreation":
        """Hold a study against what a paper prints.

        Parameters
        ----------
        results : StudyResults
            Of a study on tables.
        printed : Printed
        switches : StudyResults, optional
            Of a study whose learners are those of `results` with one setting turned: the key of each is the
            learner's, two underscores, and what is turned. Plain learners of it serve for other scores that
            `results` has not.
        seed : int
            Of the draws.

        Returns
        -------
        Recreation

        Raises
        ------
        WorkbenchError
            If a study is of truths, `results` has no such data set, learner or score, or `switches` has no
            such score, no variants of the study's learners, or other splits.
        """
        units, facts = Units(results), TableFacts(results)
        for table in printed.tables:
            _check(table, units)
        cells = all_judged(printed.tables, units, facts, units, seed)
        others = [] if switches is None else [Units(switches)]
        for one in others:
            for table in printed.tables:
                one.check_scores(table, "the switches lack")
        frames = [learners_turned(printed, units, one, facts, seed) for one in others]
        scores, untold = scores_turned(printed, [units, *others], facts, seed)
        return cls(
            printed.paper,
            cells,
            counts_of(cells),
            ranks_of(cells),
            signs_of(cells),
            pd.concat([own for own in (*frames, scores) if len(own)] or [scores], ignore_index=True),
            untold,
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
            it). A .md file that has the marks of `workbench.report.renderers.markdown` keeps what stands
            around them.

        Returns
        -------
        Path

        Raises
        ------
        WorkbenchError
            If the ending is another, or the file cannot be written.
        """
        from workbench.reproduction.page.content import write_recreation

        return write_recreation(self, path)


def _check(table: PrintedTable, units: Units) -> None:
    """Check that the study has what a table is of."""
    learners = [key for key in pd.unique(table.cells[["learner", "other"]].to_numpy().ravel()) if key]
    units.check(list(table.cells["dataset"].unique()), learners, f"table {table.name!r}")
    units.check_scores(table)
