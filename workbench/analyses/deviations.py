"""Deviations of learners from their average, by size and within truths: the interaction."""

from dataclasses import dataclass

import pandas as pd

from workbench.analyses._shared.paired_scores import PairedScores
from workbench.comparisons import mean_intervals

__all__ = ["Deviations"]


@dataclass(frozen=True, eq=False)
class Deviations:
    """Mean difference of each learner from the average of the compared learners on the same truth.

    Effects that are common to all learners on a truth cancel, so the intervals are narrower than intervals of
    the means. They show whether a learner is better than average, not how good it is.

    Parameters
    ----------
    experiment : PairedScores
        The scores of one source.
    table : DataFrame
        One row per learner and size: learner, n_train, deviation, low, high (the ends of the interval).
    n_intervals : int
        Number of simultaneous 95% intervals (Bonferroni).

    Examples
    --------
    >>> import numpy as np
    >>> from workbench.base.score_key import ScoreKey
    >>> values = np.array([[[0.1], [0.2]], [[0.3], [0.5]], [[0.2], [0.3]]])
    >>> score = ScoreKey("ir_b", "marginal", "exact", "none")
    >>> experiment = PairedScores("tan", score, ("nb", "tan"), (50,), (0, 1, 2), values)
    >>> Deviations.of(experiment).table["deviation"].round(4).tolist()
    [-0.0667, 0.0667]
    """

    experiment: PairedScores
    table: pd.DataFrame
    n_intervals: int

    @classmethod
    def of(cls, experiment: PairedScores) -> "Deviations":
        """Compute the deviations from the average in an experiment.

        Parameters
        ----------
        experiment : PairedScores
            The scores of one source.

        Returns
        -------
        Deviations

        Raises
        ------
        WorkbenchError
            If the experiment has only one replicate.
        """
        experiment.check_blocks()
        values = experiment.values - experiment.values.mean(axis=1, keepdims=True)
        intervals = mean_intervals(values)
        rows = [
            {
                "learner": learner,
                "n_train": size,
                "deviation": float(intervals.mean[i, j]),
                "low": float(intervals.low[i, j]),
                "high": float(intervals.high[i, j]),
            }
            for i, learner in enumerate(experiment.learners)
            for j, size in enumerate(experiment.sizes)
        ]
        return cls(experiment, pd.DataFrame(rows), intervals.n_intervals)
