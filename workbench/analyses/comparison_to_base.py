"""Learners compared with a base learner: wins, ties and losses, as in Weka's tester."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from workbench.analyses._shared.comparison import Comparison
from workbench.analyses._shared.data_sets_answer import untested
from workbench.analyses._shared.paired_scores import PairedScores, paired_scores
from workbench.base.errors import WorkbenchError, check_known
from workbench.base.score_key import ScoreKey
from workbench.comparisons import PairTest
from workbench.designs import Blocks
from workbench.metrics import Metric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.store.results import StudyResults

__all__ = ["ComparisonToBase"]

WIN, TIE, LOSS = "v", "", "*"
COLUMNS = ["source", "n_train", "learner", "mean", "difference", "p", "p_holm", "mark"]
Row = tuple[str, Any, str, float, float, float, float, str | None]


@dataclass(frozen=True, eq=False)
class ComparisonToBase:
    """Each learner's difference from a base learner, with its significance, as in Weka's tester.

    Parameters
    ----------
    score : ScoreKey
        The key of the score.
    base : str
        Key of the base learner.
    table : DataFrame
        One row per source, size and learner: source, n_train (missing on data sets), learner, mean,
        difference (learner minus base), p, p_holm and mark. Marks are "v" for significantly better than the
        base, "*" for significantly worse, and "" for no significant difference. A mark is missing if there is
        no test. For the base the difference is 0 and p is NaN. The mean of a learner that lacks scores in
        some parts of a data set is NaN.
    counts : DataFrame
        Index learner. Columns win, tie, loss: numbers of settings, where a setting is a source and size, or a
        data set.
    metric : Metric
        The properties of the metric: its unit and direction.
    test : PairTest
        The test that decides on significance. See Notes.
    by : Blocks
        The blocks (truths, or parts of data sets) by which scores are paired.
    corrected : bool
        Whether `p_holm` decides on significance instead of `p`.
    notes : tuple of str
        Sentences on the learners that are in no test, with the reason.

    Notes
    -----
    On truths, the test is the paired t test over the truths of a source, at 5%, with Holm's correction over
    all learners and sizes of the source. On data sets, it is the test of the design: Alpaydin's combined F
    test after `FiveByTwo`, Nadeau and Bengio's corrected t test after most other designs. Here Holm's
    correction is over the comparisons with the base on a data set, which are fewer than the pairs that
    `Comparison` corrects for. A pair that cannot be tested counts as a tie, with p = 1 in the correction.
    Weka's tester uses the corrected t test without Holm's correction. On r repetitions of k folds,
    ``corrected=False`` gives the same marks as Weka.

    Examples
    --------
    >>> from generators import random_tan
    >>> from learners import NaiveBayesClassifier, PriorClassifier
    >>> from workbench import compare
    >>> learners = {"nb": NaiveBayesClassifier(), "prior": PriorClassifier()}
    >>> truths = [random_tan(n_attributes=3, random_state=seed) for seed in range(5)]
    >>> results = compare(learners, on=truths, sizes=(500,), n_test=100)
    >>> ComparisonToBase.of(results, "prior").counts.loc["nb"].to_dict()
    {'win': 1, 'tie': 0, 'loss': 0}
    """

    score: ScoreKey
    base: str
    table: pd.DataFrame
    counts: pd.DataFrame
    metric: Metric
    test: PairTest
    by: Blocks
    corrected: bool = True
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        results: "StudyResults",
        base: str,
        *,
        score: ScoreKey | str | None = None,
        learners: "Sequence[str] | None" = None,
        corrected: bool = True,
    ) -> "ComparisonToBase":
        """Compare all learners with a base learner.

        Parameters
        ----------
        results : StudyResults
        base : str
            Key of the base learner.
        score : ScoreKey or str, optional
            The score, as a key or a part of one (see `Results.choose`).
        learners : sequence of str, optional
            The learners to compare with the base. By default the compared learners of the study.
        corrected : bool
            Whether p values are corrected by Holm's procedure for the number of comparisons.

        Returns
        -------
        ComparisonToBase

        Raises
        ------
        WorkbenchError
            If there is no such learner or score, or if there is no other learner to compare with the base. On
            truths also if the base has infinite scores or a source has one replicate.
        """
        check_known("learner", [base], results.study.learner_keys)
        by = results.design.blocks
        # on truths the base may have scores on more of them than are compared: it joins after these are read
        wanted = learners if by.independent else _wanted(results, base, learners)
        found = paired_scores(results, score=score, learners=wanted, at_least=1)
        if not found:
            raise WorkbenchError("no cell of the study is computed yet: run the study first")
        tests = [Comparison.of(_with_base(one, base)).against(base) for one in found]
        rows = [row for one in tests for row in _rows(one, base, corrected=corrected)]
        table = pd.DataFrame(rows, columns=COLUMNS).astype({"n_train": "Int64"})
        notes = untested(tests) if not by.independent else (note for one in found for note in one.notes)
        first = found[-1]
        return cls(
            first.score, base, table, _counts(table, base), first.metric, first.test, by, corrected,
            tuple(dict.fromkeys(notes)),
        )  # fmt: skip

    @property
    def matrix(self) -> pd.DataFrame:
        """Means and marks. Rows are sources, or sources and sizes. Columns are (learner, "mean" | "mark").

        The base is first and has no marks.
        """
        down = ["source"] if self.table["n_train"].isna().all() else ["source", "n_train"]
        wide = self.table.set_index([*down, "learner"])[["mean", "mark"]].unstack("learner")
        learners = [self.base, *self.counts.index]
        columns = [(key, what) for key in learners for what in ("mean", "mark")]
        wide = wide.swaplevel(axis=1)[[column for column in columns if column != (self.base, "mark")]]
        order = list(dict.fromkeys(self.table[down].itertuples(index=False, name=None)))
        return wide.reindex([place[0] for place in order] if len(down) == 1 else order).rename_axis(
            index=down, columns=["learner", ""]
        )


def _counts(table: pd.DataFrame, base: str) -> pd.DataFrame:
    """Count the marks of every learner but the base."""
    own = table[table["learner"] != base]
    marks = {"win": WIN, "tie": TIE, "loss": LOSS}
    return pd.DataFrame(
        {
            name: (own["mark"] == mark).groupby(own["learner"], sort=False).sum()
            for name, mark in marks.items()
        }
    )


def _wanted(results: "StudyResults", base: str, learners: "Sequence[str] | None") -> list[str]:
    wanted = list(dict.fromkeys([base, *(learners or results.study.compared_learners())]))
    if len(wanted) < 2:
        raise WorkbenchError(f"there is no learner to compare with {base}: name at least one other learner")
    return wanted


def _with_base(scores: PairedScores, base: str) -> PairedScores:
    """Return the learners with the base first, even if it was not named."""
    if base in scores.learners or not scores.by.independent:
        joined = scores
    else:
        values = scores.alongside[base]
        if not np.isfinite(values).all():
            raise WorkbenchError(
                f"{base} lacks finite scores on {scores.source}: choose another base, or a "
                f"score after a cut-off, such as {scores.score._replace(cutoff='2002')}"
            )
        joined = replace(
            scores,
            learners=(base, *scores.learners),
            wanted=tuple(dict.fromkeys((base, *scores.wanted))),
            left_out=tuple(left for left in scores.left_out if left.learner != base),
            values=np.concatenate([values[:, None], scores.values], axis=1),
        )
    if scores.by.independent and len(joined.learners) < 2:
        raise WorkbenchError(
            f"there is no learner to compare with {base} on {scores.source}: name at least one other learner"
        )
    return joined


def _rows(one: Comparison, base: str, *, corrected: bool) -> Iterator[Row]:
    scores, p = one.scores, one.scores.test.decides
    tests = {
        (row["n_train"], row["other"] if row["learner"] == base else row["learner"]): (row, winner)
        for row, winner in zip(
            one.table.to_dict("records"), one.winners(p="p_holm" if corrected else p), strict=True
        )
    }
    lacking = {left.learner for left in scores.left_out if left.n < left.n_planned}
    for size in scores.sizes:
        means = scores.means.xs(size, level="n_train") if scores.by.has_sizes else scores.means
        place = scores.source, size if scores.by.has_sizes else None
        for learner in scores.wanted:
            mean = np.nan if learner in lacking else float(means.loc[learner, "mean"])
            if (size, learner) not in tests:
                own = (0.0, np.nan, np.nan, TIE) if learner == base else (np.nan, np.nan, np.nan, None)
                yield *place, learner, mean, *own
                continue
            row, winner = tests[size, learner]
            gap = row["difference"] if row["learner"] == learner else 0.0 - row["difference"]
            mark = TIE if winner is None else WIN if winner == learner else LOSS
            yield *place, learner, mean, gap, row[p], row["p_holm"], mark
