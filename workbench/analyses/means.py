"""Means of learners by size, with simultaneous intervals."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from workbench.analyses._shared.paired_scores import PairedScores
from workbench.comparisons import mean_intervals

__all__ = ["Means"]


@dataclass(frozen=True, eq=False)
class Means:
    """The mean score of each learner over truths at each size.

    Parameters
    ----------
    experiment : PairedScores
        The scores of one source.
    table : DataFrame
        One row per learner and size: learner, n_train, mean, low, high, n, n_infinite, role. The role is
        "compared", "alongside" (a learner that is not compared) or "truth".
    n_intervals : int
        Number of simultaneous intervals, which are those of the compared learners. Each interval has the
        level 1 - 0.05 / n_intervals (Bonferroni). The intervals of other learners have the same level.

    Examples
    --------
    >>> import numpy as np
    >>> from workbench.base.score_key import ScoreKey
    >>> values = np.array([[[0.1], [0.2]], [[0.3], [0.4]], [[0.2], [0.3]]])
    >>> score = ScoreKey("ir_b", "marginal", "exact", "none")
    >>> experiment = PairedScores("tan", score, ("nb", "tan"), (50,), (0, 1, 2), values)
    >>> Means.of(experiment).table[["learner", "n_train", "mean", "low", "high", "n"]].round(3)
      learner  n_train  mean    low   high  n
    0      nb       50   0.2 -0.158  0.558  3
    1     tan       50   0.3 -0.058  0.658  3
    """

    experiment: PairedScores
    table: pd.DataFrame
    n_intervals: int

    @classmethod
    def of(cls, experiment: PairedScores) -> "Means":
        """Compute the means of an experiment.

        Parameters
        ----------
        experiment : PairedScores
            The scores of one source.

        Returns
        -------
        Means
            The means. Intervals are NaN for one replicate or an infinite mean.
        """
        n_intervals = len(experiment.learners) * len(experiment.sizes)
        columns = {key: experiment.values[:, i] for i, key in enumerate(experiment.learners)}
        rows = []
        for key, values in {**columns, **experiment.alongside}.items():
            role = "compared" if key in columns else "truth" if key == experiment.truth else "alongside"
            rows += [
                {"learner": key, "n_train": size, **_mean(values[:, i], n_intervals), "role": role}
                for i, size in enumerate(experiment.sizes)
            ]
        return cls(experiment, pd.DataFrame(rows), n_intervals)


def _mean(values: np.ndarray, n_intervals: int) -> dict[str, float | int]:
    """Return mean and interval of one column of scores, which may be missing or infinite."""
    known = values[~np.isnan(values)]
    n_infinite = int(np.isinf(known).sum())
    mean = float(known.mean()) if len(known) else float("nan")
    low = high = float("nan")
    if len(known) > 1 and not n_infinite:
        interval = mean_intervals(known[:, None], n_intervals=n_intervals)
        low, high = float(interval.low[0]), float(interval.high[0])
    return {"mean": mean, "low": low, "high": high, "n": len(known), "n_infinite": n_infinite}
