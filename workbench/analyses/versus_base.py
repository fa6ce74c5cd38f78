"""Learners against one base learner: wins, ties and losses, in the form of Weka's tester."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from workbench.analyses._shared.data_sets_answer import untested
from workbench.analyses._shared.experiment import Experiment, experiments_of
from workbench.analyses._shared.resampled import Resampled, resampled_of
from workbench.base.errors import WorkbenchError, check_known
from workbench.base.score_key import ScoreKey
from workbench.comparisons import LEVEL, holm, paired_differences
from workbench.metrics import Metric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.store.results import StudyResults

__all__ = ["VersusBase"]

WIN, TIE, LOSS = "v", "", "*"
COLUMNS = ["source", "n_train", "learner", "mean", "difference", "p", "p_holm", "mark"]
Row = tuple[str, Any, str, float, float, float, float, str | None]


@dataclass(frozen=True, eq=False)
class VersusBase:
    """Each learner's score against a base learner's, and whether the difference is significant.

    Parameters
    ----------
    score : ScoreKey
    base : str
    table : DataFrame
        One row per source, size and learner: source, n_train (missing on data sets), learner, mean,
        difference (to the base), p, p_holm, mark: "v" better than the base, "*" worse, "" no significant
        difference, missing if there is no test. For the base itself the difference is 0 and p is NaN. The
        mean of a learner that lacks scores in some parts of a data set is NaN.
    counts : DataFrame
        Index learner; columns win, tie, loss: numbers of sources and sizes, or of data sets.
    metric : Metric
        What the metric says of itself: its unit and direction.
    test : {"paired", "five_by_two", "corrected"}
        Which test decides; see Notes.
    corrected : bool
        Whether `p_holm` decides, and not `p`.
    notes : tuple of str
        Which learners are in no test, and why.

    Notes
    -----
    On truths paired t tests over the truths of a source, at 5%; Holm's correction over all learners and sizes
    of the source. On data sets the tests of `Resampled`: Alpaydin's combined F after `FiveByTwo`, Nadeau and
    Bengio's corrected t after other designs; Holm's correction over the comparisons with the base on a data
    set, which are fewer than the pairs that `Resampled` corrects for. A pair that cannot be tested counts as
    a tie, with p = 1 in the family. Weka's tester is the corrected t without Holm's correction: on r
    repetitions of k folds, ``corrected=False`` marks what it marks.

    Examples
    --------
    >>> from generators import random_tan
    >>> from learners import NaiveBayesClassifier, PriorClassifier
    >>> from workbench import compare
    >>> learners = {"nb": NaiveBayesClassifier(), "prior": PriorClassifier()}
    >>> truths = [random_tan(n_attributes=3, random_state=seed) for seed in range(5)]
    >>> results = compare(learners, on=truths, sizes=(500,), n_test=100)
    >>> VersusBase.of(results, "prior").counts.loc["nb"].to_dict()
    {'win': 1, 'tie': 0, 'loss': 0}
    """

    score: ScoreKey
    base: str
    table: pd.DataFrame
    counts: pd.DataFrame
    metric: Metric
    test: str = "paired"
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
    ) -> "VersusBase":
        """Compare all learners with one.

        Parameters
        ----------
        results : StudyResults
        base : str
            Key of a learner.
        score : ScoreKey or str, optional
            As `Results.choose` takes it.
        learners : sequence of str, optional
            The learners to compare with the base; by default those that the study compares.
        corrected : bool
            Whether p values are corrected for the number of comparisons, by Holm's procedure.

        Returns
        -------
        VersusBase

        Raises
        ------
        WorkbenchError
            If there is no such learner or score, or none to compare the base with; on truths also if the base
            has infinite scores or a source has one replicate.
        """
        check_known("learner", [base], results.study.learner_keys)
        if results.on_datasets:
            return cls._on_data_sets(results, base, score, learners, corrected=corrected)
        tables, notes = [], []
        for experiment in experiments_of(results, score=score, learners=learners, at_least=1):
            whole = _with_base(experiment, base)
            notes += [note for note in whole.notes if note not in notes]
            tables.append(_against(whole, base, corrected=corrected))
        table = pd.concat(tables, ignore_index=True)
        return cls(
            experiment.score, base, table, _counts(table, base), experiment.metric, corrected=corrected,
            notes=tuple(notes),
        )  # fmt: skip

    @classmethod
    def _on_data_sets(
        cls,
        results: "StudyResults",
        base: str,
        score: ScoreKey | str | None,
        learners: "Sequence[str] | None",
        *,
        corrected: bool,
    ) -> "VersusBase":
        wanted = list(dict.fromkeys([base, *(learners or results.study.compared_learners())]))
        if len(wanted) < 2:
            raise WorkbenchError(f"no learner to compare with {base}: name one more")
        found = [_only_with(one, base) for one in resampled_of(results, score=score, learners=wanted)]
        if not found:
            raise WorkbenchError("no cell of the study is computed yet: run it first")
        rows = [row for one in found for row in _on_data_set(one, base, corrected=corrected)]
        table = pd.DataFrame(rows, columns=COLUMNS).astype({"n_train": "Int64"})
        first = found[0]
        return cls(
            first.score, base, table, _counts(table, base), first.metric, first.test, corrected,
            tuple(untested(found)),
        )  # fmt: skip

    @property
    def matrix(self) -> pd.DataFrame:
        """Means and marks: sources down, and sizes of truths; (learner, "mean" | "mark") across, base first.

        The base has no marks.
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


def _with_base(experiment: Experiment, base: str) -> Experiment:
    """Return the learners with the base first, even if it is not one of them."""
    if base in experiment.learners:
        return experiment
    values = experiment.alongside[base]
    if not np.isfinite(values).all():
        raise WorkbenchError(
            f"{base} lacks finite scores on {experiment.source}: choose another base, or a "
            f"score after a cut-off, such as {experiment.score._replace(cutoff='2002')}"
        )
    joined = np.concatenate([values[:, None], experiment.values], axis=1)
    return replace(experiment, learners=(base, *experiment.learners), values=joined)


def _against(experiment: Experiment, base: str, *, corrected: bool) -> pd.DataFrame:
    if len(experiment.learners) < 2:
        raise WorkbenchError(f"no learner on {experiment.source} to compare with {base}: add one")
    experiment.check_replicates()
    paired = paired_differences(experiment.values, learners=experiment.learners, settings=experiment.sizes)
    others = [learner for learner in experiment.learners if learner != base]
    pairs = [(learner, size) for size in experiment.sizes for learner in others]
    p_values = {(a, size): paired.between(a, base, size).p for a, size in pairs}
    p_holm = dict(zip(pairs, holm(list(p_values.values())), strict=True))
    means = experiment.values.mean(axis=0)
    rows: list[Row] = []
    for j, size in enumerate(experiment.sizes):
        for i, learner in enumerate(experiment.learners):
            gap = means[i, j] - means[experiment.learners.index(base), j]
            p, by_holm = (float(each.get((learner, size), np.nan)) for each in (p_values, p_holm))
            better = experiment.sign * gap > 0
            mark = TIE if not (by_holm if corrected else p) < LEVEL else WIN if better else LOSS
            rows.append((experiment.source, size, learner, means[i, j], gap, p, by_holm, mark))
    return pd.DataFrame(rows, columns=COLUMNS)


def _only_with(one: Resampled, base: str) -> Resampled:
    """Keep the pairs with the base; Holm's correction is over these alone."""
    own = (one.table["learner"] == base) | (one.table["other"] == base)
    table = one.table[own].reset_index(drop=True)
    return replace(one, table=table.assign(p_holm=holm(table[one.decides].astype("float64").fillna(1.0))))


def _on_data_set(one: Resampled, base: str, *, corrected: bool) -> Iterator[Row]:
    column = "p_holm" if corrected else one.decides
    winners = one.winners(p=column)
    tests = {row["other"]: (row, winner) for row, winner in zip(_rows(one, base), winners, strict=True)}
    lacking = {left.learner for left in one.left_out if left.n < left.n_parts}
    for learner, mean in one.means["mean"].items():
        key, shown = str(learner), np.nan if learner in lacking else float(mean)
        if key in tests:
            row, winner = tests[key]
            mark = TIE if winner is None else WIN if winner == key else LOSS
            yield one.source, None, key, shown, row["gap"], row[one.decides], row["p_holm"], mark
        else:
            gap = 0.0 if key == base else np.nan
            yield one.source, None, key, shown, gap, np.nan, np.nan, TIE if key == base else None


def _rows(one: Resampled, base: str) -> Iterator[dict[Any, Any]]:
    """Return the pairs with the other learner as "other", and its score minus the base's as "gap"."""
    for row in one.table.to_dict("records"):
        first = row["learner"] == base
        yield {
            **row,
            "other": row["other"] if first else row["learner"],
            "gap": -row["difference"] if first else row["difference"],
        }
