"""Naive Bayes with its tables integrated out: joint forecasts of rows and classes, and the evidence."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from learners.bayes._kernels import rooted_trees
from learners.bayes._kernels.factors import class_factors
from learners.counts.class_distribution import ClassDistribution
from learners.counts.counts import ValueCounts

__all__ = ["NaiveBayesAverage"]


@dataclass(frozen=True, eq=False)
class NaiveBayesAverage:
    """The average over all tables of naive Bayes, whose rows have Dirichlet(alpha) priors."""

    class_prior: NDArray[np.float64]  # P(class | training rows)
    arities: NDArray[np.int64]
    firsts: NDArray[np.int64]  # row of `log_factors` of each attribute's first value
    log_factors: NDArray[np.float64]  # log P(value | class, training rows) by slot; 0 for missing
    log_evidence: float  # log P(classes, columns of the training rows), nats

    @classmethod
    def of(
        cls, values: ValueCounts, alpha: float, *, known_classes: NDArray[np.float64] | None = None
    ) -> Self:
        """Learn from counts, with `known_classes` the class distribution if it is known."""
        offsets, arities, by_slot = values.offsets, values.arities, values.by_slot
        factors = class_factors(by_slot, np.full(len(by_slot), alpha), offsets, arities)
        of_columns = rooted_trees.log_evidence_of_columns(by_slot, offsets, arities, alpha)
        classes = ClassDistribution.of(values.by_class, alpha, known=known_classes)
        log_evidence = float(classes.log_evidence + of_columns)
        return cls(classes.probabilities, arities, offsets[:-1], np.log(factors), log_evidence)

    @property
    def log_prior(self) -> NDArray[np.float64]:
        """Log of P(class | training rows)."""
        with np.errstate(divide="ignore"):  # a known class distribution may have zeros
            return np.log(self.class_prior)

    @property
    def arc_posteriors(self) -> NDArray[np.float64]:
        """Probability of each arc [from, to], the class last."""
        arcs = np.zeros((self.arities.size + 1,) * 2)
        arcs[-1, :-1] = 1.0
        return arcs

    def over(self, columns: NDArray[np.intp]) -> Self:
        """Return the average over some of the attributes, with the evidence of all attributes."""
        return replace(self, arities=self.arities[columns], firsts=self.firsts[columns])

    def log_joint(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        """Return the log of P(row, class), of shape (n_rows, n_classes). Missing values are left out."""
        out = np.tile(self.log_prior, (codes.shape[1], 1))
        for first, column in zip(self.firsts, codes, strict=True):
            out += self.log_factors[first + column]
        return out
