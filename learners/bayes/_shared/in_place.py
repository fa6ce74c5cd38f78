"""The base of learners whose counts are large, so that `fit` turns them into tables in place."""

from abc import abstractmethod
from typing import Any, Self

from learners.counts.counting_learner import CountingLearner

__all__ = ["InPlaceLearner"]


class InPlaceLearner(CountingLearner):
    """Base of the learners that average over parents: `fit` keeps the rows instead of the counts."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Count values that occur together, by class, and set the tables of all parents.

        The arguments are those of `ProbabilisticClassifier.fit`.

        Raises
        ------
        ValueError
            If the tables would take more than 2 GiB, or a parameter is out of range.
        """
        table = self._read_all(X, y, sample_weight)
        self._learn(self._count_rows(table))
        self._keep_rows(table)
        return self

    @abstractmethod
    def _learn(self, counts: Any) -> None:
        """Turn the counts into tables, in place."""
