"""C5.0's boosting: later trees give more weight to rows that earlier trees misclassify."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learners.trees.nodes.node_table import NodeTable
from learners.trees.pruning.c50_pruning import LEAST_LEAF

__all__ = ["ACCURATE", "INACCURATE", "BoostedTrees", "Trial", "boost"]

#: Why boosting ended before its last trial.
ACCURATE, INACCURATE = "very accurate", "very inaccurate"
FEW_ERRORS = 0.1  # weight of wrong rows
MANY_ERRORS = 0.49  # share of the rows
FEWEST_TREES = 3  # that vote; if fewer, only the first tree is kept
LEAST_WEIGHT = 1e-3
MORE_LEAVES = 1.1  # than the first tree, per unit of weight
# With many rows, the lightest are left out when the next tree is grown.
MANY_ROWS, LIGHT, NEARLY = 4001, 0.2, 1e-3


@dataclass(frozen=True)
class Trial:
    """The training weights of one tree of the sequence."""

    number: int  # 0 for the first
    weight: NDArray[np.float64]  # of each training row, 0 for dropped ones
    grown_from: NDArray[np.bool_]  # rows that the tree is grown from; it is pruned with all
    leaf_ratio: float | None  # most leaves per unit of weight; None, no bound, in the first trial


@dataclass(frozen=True)
class BoostedTrees:
    """The trees that vote."""

    trees: tuple[NodeTable, ...]  # in the order of the trials; a single one if boosting did not help
    ended: str  # `ACCURATE` or `INACCURATE`; empty if all trials were made
    rejected: tuple[NodeTable, ...]  # trees that were learned but do not vote


def boost(
    y: NDArray[np.int32],
    weight: NDArray[np.float64],
    n_trials: int,
    learn: Callable[[Trial], NodeTable],
    classify: Callable[[NodeTable], NDArray[np.float64]],
) -> BoostedTrees:
    """Learn a sequence of trees, each of which votes for one class, with the probability that it gives it."""
    # With O and M the weights of right and wrong rows and x = (O - M) / 4, right rows get w (O - x) / O, each
    # of the m wrong ones w + x / m; then the weights are scaled to a mean of 1. From the second half on, rows
    # whose class can no longer win are dropped. The sequence ends when M < 0.1, or when the last tree is a
    # leaf or M is 0.49 of the rows (that tree is not used); of fewer than three trees only the first is kept.
    state = _Weights(y, weight, n_trials)
    trees: list[NodeTable] = []
    ended = ""
    for number in range(n_trials):
        trees.append(learn(state.trial(number, trees)))
        if number == n_trials - 1:
            break
        ended = state.update(number, trees[-1], classify(trees[-1]))
        if ended:
            break
    used = len(trees) - (ended == INACCURATE and len(trees) > 1)
    used = used if used >= FEWEST_TREES else 1
    return BoostedTrees(tuple(trees[:used]), ended, tuple(trees[used:]))


class _Weights:
    """Weights and votes per copy of each training row."""

    def __init__(self, y: NDArray[np.int32], times: NDArray[np.float64], n_trials: int) -> None:
        self.y, self.times, self.n_trials = y, times, n_trials
        self.of_copy = np.ones(y.size)
        self.is_in = np.ones(y.size, dtype=bool)
        self.light = np.zeros(y.size, dtype=bool)
        self.least = 1.0
        self.votes: NDArray[np.float64] = np.zeros((y.size, 0))

    def trial(self, number: int, trees: list[NodeTable]) -> Trial:
        weight = np.where(self.is_in, self.of_copy * self.times, 0.0)
        ratio = None
        if number:
            base = np.count_nonzero(trees[0].is_leaf & (trees[0].weight >= LEAST_LEAF))
            ratio = MORE_LEAVES * base / self.times.sum()
        return Trial(number, weight, self.is_in & ~self.light, ratio)

    def update(self, number: int, tree: NodeTable, y_prob: NDArray[np.float64]) -> str:
        """Count the votes of a tree and reweight the rows, or return why boosting ends."""
        predicted = y_prob.argmax(axis=1)
        every = np.arange(self.y.size)
        if not self.votes.size:
            self.votes = np.zeros(y_prob.shape)
        self.votes[every, predicted] += y_prob[every, predicted]
        if number + 1 > self.n_trials / 2:
            lead = self.votes.max(axis=1) - self.votes[every, self.y]
            self.is_in &= lead <= self.n_trials - 1 - number
        weight = np.where(self.is_in, self.of_copy * self.times, 0.0)
        wrong = self.is_in & (predicted != self.y)
        right = self.is_in & ~wrong
        of_right, of_wrong = weight[right].sum(), weight[wrong].sum()
        n_left = self.times[self.is_in].sum()
        if of_wrong < FEW_ERRORS:
            return ACCURATE
        if (number and tree.n_nodes == 1) or of_wrong >= MANY_ERRORS * n_left:
            return INACCURATE
        self._shift(right, wrong, of_right, of_wrong, n_left)
        return ""

    def _shift(
        self,
        right: NDArray[np.bool_],
        wrong: NDArray[np.bool_],
        of_right: float,
        of_wrong: float,
        n_left: float,
    ) -> None:
        """Shift weight to the wrong rows: half of what they lack to have half of the total."""
        moved = 0.25 * (of_right - of_wrong)
        kept, scale = (of_right - moved) / of_right, n_left / (of_right + of_wrong)
        self.of_copy[wrong] = scale * (self.of_copy[wrong] + moved / self.times[wrong].sum())
        self.of_copy[right] = np.maximum(scale * kept * self.of_copy[right], LEAST_WEIGHT)
        self.least *= kept * scale
        few = self.times.sum() < MANY_ROWS or self.least > LIGHT
        self.light = np.zeros_like(self.light) if few else self.of_copy <= self.least + NEARLY
