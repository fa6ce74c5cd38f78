"""Repeated-measures analysis of variance: learner by size, truths as subjects."""

from dataclasses import dataclass

import pandas as pd

from workbench.analyses._shared.paired_scores import PairedScores
from workbench.comparisons import RepeatedMeasuresAnova, rm_anova

__all__ = ["Variance"]


@dataclass(frozen=True, eq=False)
class Variance:
    """The repeated-measures analysis of variance of one experiment: learner by size.

    Parameters
    ----------
    experiment : PairedScores
        The scores of one source.
    anova : RepeatedMeasuresAnova
        The analysis of variance, with truths as subjects.
    table : DataFrame
        Index effect: learner, size and learner:size, or only learner if there is one size. Columns as in
        `RepeatedMeasuresAnova.table`.

    Examples
    --------
    >>> import numpy as np
    >>> from workbench.base.score_key import ScoreKey
    >>> values = np.array([[[0.1], [0.2]], [[0.3], [0.5]], [[0.2], [0.3]]])
    >>> score = ScoreKey("ir_b", "marginal", "exact", "none")
    >>> experiment = PairedScores("tan", score, ("nb", "tan"), (50,), (0, 1, 2), values)
    >>> Variance.of(experiment).table[["df", "df_error", "F", "p"]].round(3)
             df  df_error     F      p
    effect
    learner   1         2  16.0  0.057
    """

    experiment: PairedScores
    anova: RepeatedMeasuresAnova
    table: pd.DataFrame

    @classmethod
    def of(cls, experiment: PairedScores) -> "Variance":
        """Compute the analysis of variance of an experiment.

        Parameters
        ----------
        experiment : PairedScores
            The scores of one source.

        Returns
        -------
        Variance

        Raises
        ------
        WorkbenchError
            If the experiment has only one replicate.
        """
        experiment.check_blocks()
        several = len(experiment.sizes) > 1
        values = experiment.values if several else experiment.values[:, :, 0]
        anova = rm_anova(values, factors=("learner", "size") if several else ("learner",))
        return cls(experiment, anova, anova.table())
