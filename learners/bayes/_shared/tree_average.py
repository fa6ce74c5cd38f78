"""The average over all rooted trees of attributes, and forecasts that sum missing values out."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from learners.bayes._kernels import rooted_trees
from learners.bayes._shared.naive_bayes_average import NaiveBayesAverage
from learners.counts.counts import PairCounts
from learners.tables.completions import Completions

__all__ = ["MOST_COLUMNS", "TreeAverage", "check_tree_columns"]

MOST_COLUMNS = 930  # a third of their cube is the largest table of `learners.counts`, 2 GiB
BLOCK = 2**16  # completions of rows with holes that are held at a time


class _Trees(NamedTuple):
    """All rooted trees over some attributes, eliminated: see `scaled_elimination`."""

    log_weights: NDArray[np.float64]
    weights: NDArray[np.float64]
    shares: NDArray[np.float64]
    steps: NDArray[np.float64]
    roots: NDArray[np.float64]
    log_total: float

    @classmethod
    def of(cls, log_weights: NDArray[np.float64]) -> Self:
        """Sum over the trees whose arcs [child, parent] have these log weights."""
        return cls(log_weights, *rooted_trees.scaled_elimination(log_weights))

    def over(self, columns: NDArray[np.intp]) -> "_Trees":
        """Return the trees over some of the attributes."""
        return _Trees.of(self.log_weights[np.ix_(columns, columns)])

    def arc_probabilities(self) -> NDArray[np.float64]:
        """Return the probability of each arc [child, parent]."""
        return rooted_trees.arc_probabilities(self.weights, self.shares, self.steps, self.roots)

    @property
    def log_mean_weight(self) -> float:
        """Mean weight of a tree, as a logarithm in nats."""
        d = len(self.roots)
        return self.log_total - (d - 1) * np.log(d) if d else 0.0


@dataclass(frozen=True, eq=False)
class TreeAverage:
    """The average over all rooted trees and their tables, whose rows have Dirichlet(alpha) priors."""

    naive: NaiveBayesAverage  # forecast and evidence without the trees, by which theirs are multiplied
    lifts: NDArray[np.float64]  # see `lift_tables`
    trees: _Trees  # weights of the trees given the training rows
    log_evidence: float  # log P(classes, columns of the training rows), nats

    @classmethod
    def of(
        cls, counts: PairCounts, alpha: float, *, known_classes: NDArray[np.float64] | None = None
    ) -> Self:
        """Convert the counts to the lifts of all arcs, in place."""
        offsets, arities, pairs = counts.offsets, counts.arities, counts.by_pair
        naive = NaiveBayesAverage.of(counts.values, alpha, known_classes=known_classes)
        trees = _Trees.of(rooted_trees.log_bayes_factors(pairs, offsets, arities, alpha))
        lifts = rooted_trees.lift_tables(pairs, np.exp(naive.log_factors), offsets, arities, alpha)
        return cls(naive, lifts, trees, float(naive.log_evidence + trees.log_mean_weight))

    @property
    def arc_posteriors(self) -> NDArray[np.float64]:
        """Probability of each arc [from, to], the class last."""
        arcs = self.naive.arc_posteriors
        arcs[:-1, :-1] = self.trees.arc_probabilities().T
        return arcs

    def over(self, columns: NDArray[np.intp]) -> Self:
        """Return the average over some of the attributes, with the evidence of all attributes."""
        return replace(self, naive=self.naive.over(columns), trees=self.trees.over(columns))

    def log_joint(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        """Return the log of P(row, class), of shape (n_rows, n_classes), summed over missing values."""
        holes = codes >= self.naive.arities[:, np.newaxis]
        if not holes.any():
            return self._log_joint(codes)
        out = np.full((codes.shape[1], self.naive.class_prior.size), -np.inf)
        # an attribute without values has one way
        for completed, rows in Completions(codes, np.maximum(self.naive.arities, 1)).blocks(BLOCK):
            np.logaddexp.at(out, rows, self._log_joint(completed))
        return out

    def _log_joint(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        """Return the log joint of complete rows."""
        naive = self.naive
        return rooted_trees.tree_log_joints(
            codes, naive.firsts, naive.log_prior, naive.log_factors, self.lifts, *self.trees
        )


def check_tree_columns(n_columns: int, learner: object) -> None:
    """Raise an error for more columns than can be eliminated."""
    if n_columns > MOST_COLUMNS:
        raise ValueError(
            f"X has {n_columns:,} columns, but {type(learner).__name__} takes at most {MOST_COLUMNS}. Leave "
            "out columns, or use AODEClassifier."
        )
