"""A study compared with a paper's published values."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from workbench.reproduction.ablations import ablated_learners, ablated_scores
from workbench.reproduction.before_and_after import before_and_after
from workbench.reproduction.counts import ALL, counts_of, totals_of
from workbench.reproduction.data_set_facts import DataSetFacts
from workbench.reproduction.judging.finding import JUDGED
from workbench.reproduction.judging.judge import all_judged
from workbench.reproduction.printed.printed import Printed
from workbench.reproduction.printed.table import COMPARING
from workbench.reproduction.units import Units

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["Reproduction", "ranks_of"]


@dataclass(frozen=True, eq=False)
class Reproduction:
    """Every published value with ours, the difference and a verdict.

    Parameters
    ----------
    paper : str
    cells : DataFrame
        One row per printed cell: table, statistic, dataset, learner and other (keys of the study; empty where
        there is none), printed, low, high (ends of the range printed so), ours, sd (of the draws), difference
        (ours minus the published value), tail (two-sided share of the draws that are at least as far out as
        the published value; 1 for a difference within its rounding), verdict ("agree" where that is at least
        5%, else "near" where the difference is below the table's threshold, else "differ"; or "unknown"), why
        (it is unknown), n (our units), doubt (about the published value), by_chance (the probability of
        "near" or "differ" for a perfect reproduction), mean_difference (of tests: ours, larger meaning
        better), printed_as (the paper's names of data set, learner and other). Of tests printed is 1 where
        `learner` wins and 0 where nobody does, ours the share of tests in which it wins less the share in
        which it loses, and tail the share with the printed outcome.
    counts : DataFrame
        Index table; columns cells, agree, near, differ, unknown, expected_by_chance (to be near or differ),
        median_difference (of judged cells without their signs, in the printed unit; NaN for tests and sizes),
        datasets, datasets_differ (with at least one cell that differs). A table of tests is two: pairs
        printed as significant, and pairs not printed.
    ranks : DataFrame
        Of tables of means, differences and contrasts: table, dataset, spearman (ranks of learners, ours
        against printed), n (learners).
    signs : DataFrame
        Index table; columns printed (significant differences), same_sign (as our mean difference), share.
    sensitivity : DataFrame
        One row per ablation and table: ablation, learner ("all" for another score), table, cells, moved_in
        (differ before and agree or are near after), moved_out, before, after (mean distance of the published
        value from ours, in sd of the draws before), measured (cells that it is the mean of). Empty without
        ablations.
    unjudged : tuple of str
        Why ablations of the score could not be judged, one sentence each.
    printed : Printed
    results : StudyResults
    ablations : StudyResults or None

    Notes
    -----
    A published value rests on a few splits, ours on many, of the same data set: the question is not whether
    they are equal but whether as few splits of our process would be as far off. So the published value is
    compared with draws of the same statistic over as many units, see
    `workbench.reproduction.judging.draws.Draws`. It stands for all numbers that are printed so: where it is
    coarse compared with the spread of the splits, fewer than 5% differ by chance (simulated with accuracies
    on 60 rows, 25 splits and two decimals: 1.4%).

    That is a test of chance: it measures the power of the two studies, and not how close their numbers are.
    With many splits a difference of 0.001 is found. So a cell that the test calls different and that is off
    by less than a threshold fixed in advance is "near".

    Which ablation fits a paper best is an inference from that paper, not a reason to prefer it.
    """

    paper: str
    cells: pd.DataFrame = field(repr=False)
    counts: pd.DataFrame = field(repr=False)
    ranks: pd.DataFrame = field(repr=False)
    signs: pd.DataFrame = field(repr=False)
    sensitivity: pd.DataFrame = field(repr=False)
    unjudged: tuple[str, ...]
    printed: Printed = field(repr=False)
    results: "StudyResults" = field(repr=False)
    ablations: "StudyResults | None" = field(repr=False)

    @classmethod
    def of(
        cls,
        results: "StudyResults",
        printed: Printed,
        ablations: "StudyResults | None" = None,
        *,
        seed: int = 0,
    ) -> "Reproduction":
        """Compare a study with what a paper prints.

        Parameters
        ----------
        results : StudyResults
            Of a study on data sets.
        printed : Printed
        ablations : StudyResults, optional
            Of a study whose learners are those of `results` with one setting changed: the key of each is the
            learner's, two underscores, and what is changed. Its unchanged learners are used for scores that
            `results` does not have.
        seed : int
            Of the draws.

        Returns
        -------
        Reproduction

        Raises
        ------
        WorkbenchError
            If a study is of truths, `results` has no such data set, learner or score, or `ablations` has no
            such score, no variants of the study's learners, or other splits.
        """
        units, facts = Units(results), DataSetFacts(results)
        for table in printed.tables:
            learners = [key for key in pd.unique(table.cells[["learner", "other"]].to_numpy().ravel()) if key]
            units.check(list(table.cells["dataset"].unique()), learners, f"table {table.name!r}")
            units.check_scores(table)
        cells = all_judged(printed.tables, units, facts, units, seed)
        others = [] if ablations is None else [Units(ablations)]
        for one in others:
            for table in printed.tables:
                one.check_scores(table, "the ablations lack")
        frames = [ablated_learners(printed, units, one, facts, seed) for one in others]
        scores, unjudged = ablated_scores(printed, [units, *others], facts, seed)
        return cls(
            printed.paper,
            cells,
            counts_of(cells),
            ranks_of(cells),
            signs_of(cells),
            pd.concat([own for own in (*frames, scores) if len(own)] or [scores], ignore_index=True),
            unjudged,
            printed,
            results,
            ablations,
        )

    @property
    def totals(self) -> pd.DataFrame:
        """Counts of what could have gone wrong.

        Index total: "score cells" (means, half widths, correlations, differences, contrasts), "tests printed
        as significant", "all" (both). Columns as in `counts`, with judged (cells that are not unknown) and
        without a median. Facts of data sets and pairs that are not printed are free: they are in `counts`
        alone.
        """
        return totals_of(self.cells)

    @property
    def total(self) -> pd.Series:
        """The row "all" of `totals`, with agree_share, near_share and differ_share of the judged cells."""
        row = self.totals.loc[ALL]
        judged = row["judged"] or float("nan")
        return pd.concat([row, pd.Series({f"{word}_share": row[word] / judged for word in JUDGED})])

    def compared_with(self, before: "Reproduction") -> pd.DataFrame:
        """Compare the verdicts with those of an earlier study, cell by cell.

        Parameters
        ----------
        before : Reproduction
            Of the same paper. Its keys of data sets and learners may be others: cells are the same if they
            have the same table, statistic and printed names.

        Returns
        -------
        DataFrame
            One row per table and learner: table ("all" for all), learner (as printed; "all" for all; a pair
            is counted for both), cells (judged in both, of those that `totals` counts), agree_before,
            agree_after, near_before, near_after, differ_before, differ_after, median_before, median_after
            (difference without its sign; NaN for tests and for all tables).

        Raises
        ------
        WorkbenchError
            If no cell is judged in both.
        """
        return before_and_after(before.cells, self.cells)


def ranks_of(cells: pd.DataFrame) -> pd.DataFrame:
    """Correlate our ranks of learners with the published ones, on each data set."""
    levels = cells[cells["statistic"].isin(["mean", *COMPARING]) & cells["ours"].notna()]
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
    """Return one row per learner; for differences their sums, which are ordered like the levels."""
    columns = ["ours", "printed"]
    if own["statistic"].iloc[0] != "difference":
        return own.set_index("learner")[columns]
    first = own.groupby("learner")[columns].sum()
    second = own.groupby("other")[columns].sum()
    return first.sub(second, fill_value=0.0).round(9)


def signs_of(cells: pd.DataFrame) -> pd.DataFrame:
    """Count the published significant differences with the same sign in ours."""
    tests = cells[(cells["statistic"] == "significance") & (cells["printed"] == 1)]
    by_table = tests["mean_difference"].groupby(tests["table"], sort=False)
    same = by_table.agg(lambda own: int((own > 0).sum())).astype("int64")
    found = pd.DataFrame({"printed": by_table.count(), "same_sign": same})
    return found.assign(share=found["same_sign"] / found["printed"])
