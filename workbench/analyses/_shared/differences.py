"""Paired differences of learners at each size, tested together."""

from dataclasses import dataclass

import pandas as pd

from workbench.analyses._shared.experiment import Experiment
from workbench.comparisons import (
    LEVEL,
    PairedDifferences,
    bonferroni,
    detectable_difference,
    paired_differences,
)

__all__ = ["Differences"]


@dataclass(frozen=True, eq=False)
class Differences:
    """Every pair of learners at every size, on the same truths.

    Parameters
    ----------
    experiment : Experiment
    paired : PairedDifferences
        Learner minus other; Holm over all pairs and sizes; simultaneous 95% intervals.
    table : DataFrame
        One row per pair and size: learner, other, n_train, difference, low, high, sd, t, df, p, p_holm,
        p_bonferroni (p times the number of rows: below 5% where `low` .. `high` leaves zero out), d_z,
        detectable: the smallest true difference that a test of this pair alone, at 5%, detects with 80%
        power; detectable_together: the same for a test at 5% over the number of rows.

    Examples
    --------
    >>> import numpy as np
    >>> from workbench.base.score_key import ScoreKey
    >>> values = np.array([[[0.1], [0.2]], [[0.3], [0.5]], [[0.2], [0.3]]])
    >>> score = ScoreKey("ir_b", "marginal", "exact", "none")
    >>> experiment = Experiment("tan", score, ("nb", "tan"), (50,), (0, 1, 2), values)
    >>> Differences.of(experiment).table[["learner", "other", "n_train", "difference", "p_holm"]].round(3)
      learner other  n_train  difference  p_holm
    0      nb   tan       50      -0.133   0.057
    """

    experiment: Experiment
    paired: PairedDifferences
    table: pd.DataFrame

    @classmethod
    def of(cls, experiment: Experiment) -> "Differences":
        """Compute the differences of an experiment.

        Parameters
        ----------
        experiment : Experiment

        Returns
        -------
        Differences

        Raises
        ------
        WorkbenchError
            If there is only one replicate.
        """
        experiment.check_replicates()
        paired = paired_differences(
            experiment.values, learners=experiment.learners, settings=experiment.sizes
        )
        table = paired.table().rename(columns={"setting": "n_train"})
        table["p_bonferroni"] = bonferroni(table["p"])
        spread, n = table["sd"].to_numpy(), len(experiment.replicates)
        table["detectable"] = detectable_difference(spread, n)
        table["detectable_together"] = detectable_difference(spread, n, alpha=LEVEL / len(table))
        first = ["learner", "other", "n_train", "difference", "low", "high", "sd", "t", "df", "p", "p_holm"]
        last = ["p_bonferroni", "d_z", "detectable", "detectable_together"]
        return cls(experiment, paired, table[[*first, *last]])
