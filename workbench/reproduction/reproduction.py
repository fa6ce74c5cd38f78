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
    """Comparison of each value published in a paper with the value of a study, with a verdict.

    Parameters
    ----------
    paper : str
        Authors and year of the paper.
    cells : DataFrame
        One row per printed cell. "Ours" is the value of the study. Columns: table, statistic, dataset,
        learner and other (keys of the study, empty where there is none), printed (the published value), low
        and high (the range of numbers that round to the published value), ours, sd (standard deviation of the
        draws, see the notes), difference (ours minus the published value), tail (two-sided share of the draws
        that are at least as extreme as the published value, 1 for a difference within its rounding), verdict
        ("agree" if tail is at least 5%, otherwise "near" if the difference is below the table's threshold,
        otherwise "differ", and "unknown" if the cell cannot be judged), why (the reason of "unknown"), n
        (number of our splits, replications or halves), doubt (a doubt about the published value), by_chance
        (the probability of "near" or "differ" for a perfect reproduction), mean_difference (for tests: our
        mean difference, positive if `learner` is better), printed_as (the paper's names of data set, learner
        and other). For tests, printed is 1 if `learner` wins and 0 if neither wins, ours is the share of our
        tests that `learner` wins minus the share that it loses, and tail is the share with the printed
        outcome.
    counts : DataFrame
        Verdicts counted by table (the index). Columns: cells, agree, near, differ, unknown,
        expected_by_chance (number of cells that would be near or differ in a perfect reproduction),
        median_difference (median absolute difference of the judged cells, in the printed unit, NaN for tests
        and sizes), datasets, datasets_differ (number of data sets with at least one cell that differs). A
        table of tests has two rows: pairs printed as significant, and pairs not printed.
    ranks : DataFrame
        Rank correlations for tables of means, differences and contrasts. Columns: table, dataset, spearman
        (between our and the printed values of the learners), n (number of learners).
    signs : DataFrame
        Signs of differences printed as significant, by table (the index). Columns: printed (their number),
        same_sign (the number with the sign of our mean difference), share.
    sensitivity : DataFrame
        One row per ablation and table. Columns: ablation, learner ("all" for an ablation of the score),
        table, cells, moved_in (cells that differ without the ablation, and agree or are near with it),
        moved_out (the reverse), before and after (mean distance of the published value from ours, without and
        with the ablation, in standard deviations of the draws without it), measured (the number of cells in
        these means). Empty without ablations.
    unjudged : tuple of str
        Reasons why ablations of the score could not be judged, one sentence each.
    printed : Printed
        The printed tables.
    results : StudyResults
        The results of the study.
    ablations : StudyResults or None
        The results of the study of ablations.

    Notes
    -----
    A published value is computed from a few splits of a data set, and ours from many splits of the same data
    set. The question is not whether both values are equal, but whether as few splits by our process would
    differ from ours as much. The published value is therefore compared with draws of the same statistic from
    as many of our splits, see `workbench.reproduction.judging.draws.Draws`. A published value stands for all
    numbers that round to it. If rounding is coarse compared with the variation between splits, fewer than 5%
    of cells differ by chance (in a simulation with accuracies on 60 rows, 25 splits and two decimals: 1.4%).

    This is a significance test: its result depends on the power of both studies, and not only on how close
    their numbers are. With many splits, even a difference of 0.001 is significant. A cell with a significant
    difference below a threshold that was fixed in advance is therefore called "near".

    The ablation that fits a paper best is an inference from this paper, not a reason to prefer the ablation.
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
        """Compare a study with the printed tables of a paper.

        Parameters
        ----------
        results : StudyResults
            Results of a study on data sets.
        printed : Printed
            The printed tables.
        ablations : StudyResults, optional
            Results of a second study, whose learners are learners of `results` with one setting changed. The
            key of such a learner is the key of the unchanged learner, two underscores, and a name of the
            change. Unchanged learners of the second study are used for scores that `results` does not have.
        seed : int
            Seed of the random draws.

        Returns
        -------
        Reproduction

        Raises
        ------
        WorkbenchError
            If a study is of truths, `results` lacks a printed data set, learner or score, or `ablations`
            lacks a printed score, has no changed learners of the study, or has other splits.
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
        """Verdicts counted over all tables.

        The rows are "score cells" (means, half widths, correlations, differences, contrasts), "tests printed
        as significant", and "all" (both). The columns are those of `counts`, without the median and with
        judged, the number of cells that are not unknown. Facts of data sets and pairs not printed as
        significant are left out, because they hardly ever differ.
        """
        return totals_of(self.cells)

    @property
    def total(self) -> pd.Series:
        """The row "all" of `totals`, with agree_share, near_share, differ_share (of judged cells)."""
        row = self.totals.loc[ALL]
        judged = row["judged"] or float("nan")
        return pd.concat([row, pd.Series({f"{word}_share": row[word] / judged for word in JUDGED})])

    def compared_with(self, before: "Reproduction") -> pd.DataFrame:
        """Compare the verdicts with those of an earlier study, cell by cell.

        Parameters
        ----------
        before : Reproduction
            The earlier reproduction of the same paper. Its keys of data sets and learners may be different:
            cells are matched by table, statistic and printed names.

        Returns
        -------
        DataFrame
            One row per table and learner, with rows "all" for all tables and for all learners. Columns:
            table, learner (the printed name; a pair of learners counts for both), cells (the number of cells
            that are judged in both studies and counted by `totals`), agree_before, agree_after, near_before,
            near_after, differ_before, differ_after, median_before, median_after (median absolute difference,
            NaN for tests and for the rows of all tables).

        Raises
        ------
        WorkbenchError
            If no cell is judged in both studies.
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
