"""The best learner for each kind of truth and training size, with its probability."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from workbench.analyses._shared.experiment import Experiment, experiments_of
from workbench.base.score_key import ScoreKey
from workbench.comparisons import probability_best

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["BestMap"]


@dataclass(frozen=True, eq=False)
class BestMap:
    """The probability that each learner has the best mean, by source and size.

    Parameters
    ----------
    experiments : tuple of Experiment
        One for each source.
    probabilities : DataFrame
        One row per source, size and learner: source, n_train, learner, mean, p_best.
    notes : tuple of str
        What was left out and why, in sentences.

    See Also
    --------
    workbench.comparisons.probability_best : the definition of the probability.

    Examples
    --------
    >>> import numpy as np
    >>> from workbench.base.score_key import ScoreKey
    >>> values = np.array([[[0.1], [0.2]], [[0.3], [0.5]], [[0.2], [0.3]]])
    >>> score = ScoreKey("ir_b", "marginal", "exact", "none")
    >>> experiment = Experiment("tan", score, ("nb", "tan"), (50,), (0, 1, 2), values)
    >>> BestMap.of([experiment]).table.round(2).to_dict("records")
    [{'source': 'tan', 'n_train': 50, 'best': 'tan', 'p_best': 0.97, 'second': 'nb', 'p_second': 0.03,
      'n': 3}]
    """

    experiments: tuple[Experiment, ...]
    probabilities: pd.DataFrame
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, experiments: Sequence[Experiment]) -> "BestMap":
        """Find the best learner for every source and size.

        Parameters
        ----------
        experiments : sequence of Experiment
            By the same score; from `experiments_of`.

        Returns
        -------
        BestMap

        Raises
        ------
        WorkbenchError
            If a source has only one replicate.
        """
        rows = []
        for experiment in experiments:
            experiment.check_replicates()
            found = probability_best(experiment.values, direction=experiment.metric.direction)
            rows += [
                (experiment.source, size, learner, float(found.mean[i, j]), float(found.p_best[i, j]))
                for j, size in enumerate(experiment.sizes)
                for i, learner in enumerate(experiment.learners)
            ]
        names = ["source", "n_train", "learner", "mean", "p_best"]
        notes = dict.fromkeys(note for experiment in experiments for note in experiment.notes)
        return cls(tuple(experiments), pd.DataFrame(rows, columns=names), tuple(notes))

    @classmethod
    def of_results(
        cls,
        results: "StudyResults",
        *,
        score: ScoreKey | str | None = None,
        learners: Sequence[str] | None = None,
        source: str | None = None,
    ) -> "BestMap":
        """Find the best learners of a study.

        Parameters
        ----------
        results : StudyResults
        score, learners, source : optional
            As in `experiments_of`.

        Returns
        -------
        BestMap

        Raises
        ------
        WorkbenchError
            As `experiments_of`, or if a source has only one replicate.
        """
        return cls.of(
            experiments_of(
                results,
                score=score,
                learners=learners,
                source=source,
            )
        )

    @property
    def table(self) -> pd.DataFrame:
        """One row per source and size: source, n_train, best, p_best, second, p_second, n (truths)."""
        n = {experiment.source: len(experiment.replicates) for experiment in self.experiments}
        sign = self.experiments[0].sign
        rows = []
        for (source, size), own in self.probabilities.groupby(["source", "n_train"], sort=False):
            # If no other is ever the best, the second is the one with the second mean.
            order = np.lexsort((-sign * own["mean"], -own["p_best"]))[:2]
            (best, p_best), (second, p_second) = own[["learner", "p_best"]].to_numpy()[order]
            rows.append((source, int(size), best, p_best, second, p_second, n[str(source)]))
        names = ["source", "n_train", "best", "p_best", "second", "p_second", "n"]
        return pd.DataFrame(rows, columns=names)

    @property
    def learners(self) -> tuple[str, ...]:
        """All learners compared somewhere, in the order of the study."""
        return tuple(dict.fromkeys(key for one in self.experiments for key in one.learners))
