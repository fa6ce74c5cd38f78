"""The best learner for each kind of truth and training size, with its probability."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.analyses._shared.paired_scores import PairedScores, paired_scores
from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.comparisons import probability_best, probability_within

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["WITHIN", "BestMap"]

#: How far from the optimum a mean may be to count as close to it, in the unit of the metric.
WITHIN = 0.01


@dataclass(frozen=True, eq=False)
class BestMap:
    """The probability that each learner has the best mean score, by source and training size.

    Parameters
    ----------
    experiments : tuple of PairedScores
        The scores, with one item for each source.
    probabilities : DataFrame
        One row per source, size and learner: source, n_train, learner, mean, p_best (the probability that
        this learner's mean is the best) and p_within (the probability that its mean is within `within` of the
        optimum's mean, NaN if unknown).
    within : float
        Largest distance from the optimum's mean that counts as close, in the unit of the metric.
    notes : tuple of str
        Sentences on what was left out and why.

    See Also
    --------
    workbench.comparisons.probability_best : defines the probability of the best mean.
    workbench.comparisons.probability_within : defines the probability of being close to the optimum.
    Regret : the loss of learners relative to the optimum.

    Examples
    --------
    >>> import numpy as np
    >>> from workbench.base.score_key import ScoreKey
    >>> values = np.array([[[0.1], [0.2]], [[0.3], [0.5]], [[0.2], [0.3]]])
    >>> score = ScoreKey("ir_b", "marginal", "exact", "none")
    >>> experiment = PairedScores("tan", score, ("nb", "tan"), (50,), (0, 1, 2), values)
    >>> BestMap.of([experiment]).table.round(2).to_dict("records")
    [{'source': 'tan', 'n_train': 50, 'best': 'tan', 'p_best': 0.97, 'p_within': nan, 'second': 'nb',
      'p_second': 0.03, 'n': 3}]
    """

    experiments: tuple[PairedScores, ...]
    probabilities: pd.DataFrame
    within: float = WITHIN
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, experiments: Sequence[PairedScores], *, within: float = WITHIN) -> "BestMap":
        """Compute the probability of the best mean for every source and size.

        Parameters
        ----------
        experiments : sequence of PairedScores
            Scores from `paired_scores`, all by the same score key.
        within : float
            Largest distance from the optimum's mean that counts as close, above 0, in the unit of the metric.

        Returns
        -------
        BestMap

        Raises
        ------
        WorkbenchError
            If a source has only one replicate, or `within` is not a number above 0.
        """
        if not 0 < within < np.inf:
            raise WorkbenchError(f"within is {within!r}: expected a number above 0, such as {WITHIN}")
        rows = []
        for experiment in experiments:
            experiment.check_blocks()
            found = probability_best(experiment.values, direction=experiment.metric.direction)
            close = _close(experiment, within)
            rows += [
                (
                    experiment.source,
                    size,
                    learner,
                    *(float(of[i, j]) for of in (found.mean, found.p_best, close)),
                )
                for j, size in enumerate(experiment.sizes)
                for i, learner in enumerate(experiment.learners)
            ]
        names = ["source", "n_train", "learner", "mean", "p_best", "p_within"]
        notes = dict.fromkeys(note for experiment in experiments for note in experiment.notes)
        notes |= dict.fromkeys(note for experiment in experiments for note in _fewer(experiment))
        return cls(tuple(experiments), pd.DataFrame(rows, columns=names), float(within), tuple(notes))

    @classmethod
    def of_results(
        cls,
        results: "StudyResults",
        *,
        score: ScoreKey | str | None = None,
        learners: Sequence[str] | None = None,
        source: str | None = None,
        within: float = WITHIN,
    ) -> "BestMap":
        """Compute the probability of the best mean from the results of a study.

        Parameters
        ----------
        results : StudyResults
        score, learners, source : optional
            As in `paired_scores`.
        within : float
            As in `of`.

        Returns
        -------
        BestMap

        Raises
        ------
        WorkbenchError
            As for `paired_scores` and `of`.
        """
        return cls.of(
            paired_scores(
                results,
                score=score,
                learners=learners,
                source=source,
                independent=True,
            ),
            within=within,
        )

    @property
    def table(self) -> pd.DataFrame:
        """One row per source and size: source, n_train, best, p_best, p_within, second, p_second, n (truths).

        The columns best and second name the learners with the highest probabilities. p_within is the
        probability that the mean of the best learner is within `within` of the optimum's mean, over the
        truths with scores of the optimum. It is NaN for fewer than two truths, and for scores such as auc,
        for which the optimum is not guaranteed to be the best.
        """
        n = {experiment.source: len(experiment.blocks) for experiment in self.experiments}
        sign = self.experiments[0].sign
        rows = []
        for (source, size), own in self.probabilities.groupby(["source", "n_train"], sort=False):
            # If no other is ever the best, the second is the one with the second mean.
            order = np.lexsort((-sign * own["mean"], -own["p_best"]))[:2]
            first, second = (own.iloc[i] for i in order)
            best = (first["learner"], first["p_best"], first["p_within"])
            rows.append((source, int(size), *best, second["learner"], second["p_best"], n[str(source)]))
        names = ["source", "n_train", "best", "p_best", "p_within", "second", "p_second", "n"]
        return pd.DataFrame(rows, columns=names)

    @property
    def learners(self) -> tuple[str, ...]:
        """All learners that are compared on any source, in the order of the study."""
        return tuple(dict.fromkeys(key for one in self.experiments for key in one.learners))


def _optimum(experiment: PairedScores) -> NDArray[np.float64] | None:
    """Return the scores of the optimum, (n_replicates, n_sizes), or None if no score of it bounds others."""
    if experiment.optimal is None or experiment.metric.has_optimum is False:
        return None
    return experiment.alongside[experiment.optimal]


def _fewer(experiment: PairedScores) -> Iterator[str]:
    """Report where the distance to the optimum is based on only some of the truths."""
    optimum = _optimum(experiment)
    if optimum is None:
        return
    known = int(np.isfinite(optimum).sum(axis=0).min())
    if known < len(experiment.blocks):
        of_all = f"{known} of {len(experiment.blocks)} truths"
        yield f"on {experiment.kind} the distance to the optimum is based on {of_all}, which have its score"


def _close(experiment: PairedScores, within: float) -> NDArray[np.float64]:
    """Return the probability of each learner and size to be close to the optimum, NaN where unknown."""
    found = np.full(experiment.values.shape[1:], np.nan)
    optimum = _optimum(experiment)
    if optimum is None:
        return found
    for j in range(len(experiment.sizes)):
        there = np.isfinite(optimum[:, j])
        if there.sum() > 1:
            values, ceiling = experiment.values[there, :, j : j + 1], optimum[there, j : j + 1]
            direction = experiment.metric.direction
            found[:, [j]] = probability_within(values, ceiling, within=within, direction=direction)
    return found
