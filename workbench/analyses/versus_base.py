"""Learners against one base learner: wins, ties and losses, in the form of Weka's tester."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from workbench.analyses._shared.experiment import Experiment, experiments_of
from workbench.base.errors import WorkbenchError, check_known
from workbench.base.score_key import ScoreKey
from workbench.comparisons import LEVEL, holm, paired_differences
from workbench.study.metric_facts import MetricFacts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.store.results import StudyResults

__all__ = ["VersusBase"]

WIN, TIE, LOSS = "v", "", "*"


@dataclass(frozen=True, eq=False)
class VersusBase:
    """Each learner's score against a base learner's, and whether the difference is significant.

    Parameters
    ----------
    score : ScoreKey
    base : str
    table : DataFrame
        One row per source, size and learner: source, n_train, learner, mean, difference (to the base),
        p_holm, mark: "v" better than the base, "*" worse, "" no significant difference. For the base itself
        the difference is 0 and p_holm NaN.
    counts : DataFrame
        Index learner; columns win, tie, loss: numbers of sources and sizes.
    metric : MetricFacts
        What the metric says of itself: its unit and direction.

    Notes
    -----
    Paired t tests over the truths of a source, at 5%; Holm's correction over all learners and sizes of the
    source.

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
    metric: MetricFacts
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        results: "StudyResults",
        base: str,
        *,
        score: ScoreKey | str | None = None,
        learners: "Sequence[str] | None" = None,
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

        Returns
        -------
        VersusBase

        Raises
        ------
        WorkbenchError
            If there is no such learner or score, none to compare the base with, the base has infinite scores,
            or a source has one replicate.
        """
        check_known("learner", [base], results.study.learner_keys)
        tables, notes = [], []
        for experiment in experiments_of(results, score=score, learners=learners, at_least=1):
            whole = _with_base(experiment, base)
            notes += [note for note in whole.notes if note not in notes]
            tables.append(_against(whole, base))
        table = pd.concat(tables, ignore_index=True)
        counts = table[table["learner"] != base].groupby("learner", sort=False)["mark"].value_counts()
        wide = counts.unstack(fill_value=0).reindex(columns=[WIN, TIE, LOSS], fill_value=0)
        wide.columns = pd.Index(["win", "tie", "loss"])
        return cls(experiment.score, base, table, wide, experiment.metric, tuple(notes))


def _with_base(experiment: Experiment, base: str) -> Experiment:
    """Return the learners with the base first, even if it is not one of them."""
    from dataclasses import replace

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


def _against(experiment: Experiment, base: str) -> pd.DataFrame:
    if len(experiment.learners) < 2:
        raise WorkbenchError(f"no learner on {experiment.source} to compare with {base}: add one")
    experiment.check_replicates()
    paired = paired_differences(experiment.values, learners=experiment.learners, settings=experiment.sizes)
    others = [learner for learner in experiment.learners if learner != base]
    pairs = [(learner, size) for size in experiment.sizes for learner in others]
    p_holm = dict(zip(pairs, holm([paired.between(a, base, size).p for a, size in pairs]), strict=True))
    means = experiment.values.mean(axis=0)
    rows = []
    for j, size in enumerate(experiment.sizes):
        for i, learner in enumerate(experiment.learners):
            gap = means[i, j] - means[experiment.learners.index(base), j]
            p = float(p_holm.get((learner, size), np.nan))
            better = experiment.sign * gap > 0
            mark = TIE if not p < LEVEL else WIN if better else LOSS
            rows.append((experiment.source, size, learner, means[i, j], gap, p, mark))
    names = ["source", "n_train", "learner", "mean", "difference", "p_holm", "mark"]
    return pd.DataFrame(rows, columns=names)
