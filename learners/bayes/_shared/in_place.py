"""The base of learners with large counts, which `fit` converts to tables in place."""

from abc import abstractmethod
from typing import Any, Self

from learners.counts.counting_learner import CountingLearner

__all__ = ["InPlaceLearner"]


class InPlaceLearner(CountingLearner):
    """Base class of learners that average over parents. `fit` stores the rows instead of the counts."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Count pairs or triples of values by class, and estimate the probability tables.

        `X` has the training rows, `y` their class labels, and `sample_weight` optional weights of the rows.

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
        """Convert the counts to tables, in place."""
