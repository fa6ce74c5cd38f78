"""Nominal attributes that depend only on the class, next to attributes with other models."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.counts.class_prior import class_prior
from learners.counts.counts import ValueCounts

__all__ = ["ClassValues"]


@dataclass(frozen=True, eq=False)
class ClassValues:
    """The class and nominal attributes of naive Bayes: ``(n_xc + 1) / (n_c + r)``, one pseudo-count each."""

    counts: ValueCounts
    prior: NDArray[np.float64]  # (n_c + 1) / (n + n_classes)
    factors: list[NDArray[np.float64]]  # P(value | class) of each attribute, (arity, n_classes)

    @classmethod
    def of(cls, table: TrainingTable) -> "ClassValues":
        """Count the rows of a table."""
        counts = ValueCounts.of(table)
        factors = []
        for first, arity in zip(counts.offsets, counts.arities.tolist(), strict=False):
            own = counts.by_slot[first : first + arity] + 1
            factors.append(own / own.sum(axis=0))
        return cls(counts, class_prior(counts.by_class, alpha=1.0), factors)

    def posterior(
        self, codes: NDArray[np.integer], log_densities: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the class distribution, from codes and from log densities of the rows in each class."""
        out = log_densities + np.log(self.prior)
        for own, factors in zip(codes, self.factors, strict=True):
            out += np.vstack([np.log(factors), np.zeros(self.prior.size)])[own]  # missing: factor 1
        out = np.exp(out - out.max(axis=1, keepdims=True))
        return np.asarray(out / out.sum(axis=1, keepdims=True))

    def tables(self) -> list[NDArray[np.float64]]:
        """Return the tables of the naive Bayes network of these attributes and the class, last."""
        return [*(factors.T for factors in self.factors), self.prior]
