"""C5.0's choice of a test: the greatest gain ratio among the tests that gain enough."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learners.trees.growing.gain_ratio import MANY_VALUES, GainRules, Gains, find_all_gains
from learners.trees.growing.growth import ChosenTests, OpenNodes
from learners.trees.growing.training_rows import TreeRows

__all__ = ["ThresholdGain"]

LEAST_GAIN = 1e-4  # bits per row
NEAR = 0.999  # share that counts as nearly equal
SMALL, LARGE = 500, 1000  # rows per class: the average gain counts, and the description length counts
DISCOUNT = 0.9  # of the description length
PRESENT = 0.5  # a value of less weight does not count as a leaf


@dataclass(frozen=True)
class ThresholdGain:
    """The search of C5.0: multiway tests of values, cuts of numbers in two."""

    # The gain of a cut is reduced by log2(min(cuts, range / gap at the cut)) / weight. A test must gain 0.999
    # of a threshold: the average gain of the candidates up to 500 rows per class, 0.9 log2(candidates) /
    # weight from 1000 on, a mixture between. Of two tests whose ratio of gain to split information differs by
    # less than a thousandth the one with fewer branches is taken, then the one that gains more. A nominal
    # attribute with very many values is not a candidate, unless all are such. Gains are compared in single
    # precision, as the program does, so that ties are the same.
    rules: GainRules
    n_samples: float  # weight of all training rows before any boosting
    leaf_ratio: float | None = None  # most leaves of a subtree per unit of its weight; None for no bound

    def __call__(self, rows: TreeRows, nodes: OpenNodes) -> ChosenTests:
        """Choose a test for each node, or none."""
        weight = nodes.class_weight.sum(axis=1)
        gains = find_all_gains(rows, nodes, self.rules)
        self._charge_cuts(rows, gains, weight)
        most = np.full(weight.size, np.inf) if self.leaf_ratio is None else np.rint(self.leaf_ratio * weight)
        self._bar_wide(rows, nodes, gains, most)
        gain, info = gains.gain.astype(np.float32), gains.split_info.astype(np.float32)
        few = rows.is_number | (rows.sizes + 1 < MANY_VALUES * self.n_samples)
        candidate = (gain >= np.float32(LEAST_GAIN)) & (few if few.any() else True)
        least = self._least_gain(rows, np.where(candidate, gain, 0.0), candidate, weight)
        enough = candidate & (gain >= NEAR * least[:, None]) & (info > 0)
        forks = np.where(rows.is_number, 3, np.maximum(rows.sizes + 1, 3))  # one for "not applicable"
        attribute = _best_ratios(gain, info, enough, forks)
        closed = (nodes.class_weight.max(axis=1) >= NEAR * weight) | (most < 2)
        attribute[closed] = -1
        return ChosenTests(attribute, gains.cut[np.arange(attribute.size), attribute])

    def _charge_cuts(self, rows: TreeRows, gains: Gains, weight: NDArray[np.float64]) -> None:
        for a in np.flatnonzero(rows.is_number):
            places = np.maximum(np.minimum(gains.n_cuts[:, a], gains.steps[:, a]), 1.0)
            charged = gains.gain[:, a] - np.log2(places) / weight
            gains.gain[:, a] = np.where(charged > 0, charged, -np.inf)

    def _bar_wide(self, rows: TreeRows, nodes: OpenNodes, gains: Gains, most: NDArray[np.float64]) -> None:
        """Exclude nominal tests that would make too many leaves."""
        wide = (gains.gain > -np.inf) & ~rows.is_number & (gains.n_branches > most[:, None] + 1)
        for node, a in zip(*np.nonzero(wide), strict=True):
            here = slice(nodes.start[node], nodes.start[node + 1])
            of_value = np.bincount(nodes.codes[here, a], weights=nodes.weight[here])[: rows.sizes[a]]
            if np.count_nonzero(of_value > PRESENT) > most[node] + 1:
                gains.gain[node, a] = -np.inf

    def _least_gain(
        self,
        rows: TreeRows,
        gain: NDArray[np.float64],
        candidate: NDArray[np.bool_],
        weight: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        n = np.maximum(candidate.sum(axis=1), 1)
        of_length = min(max((self.n_samples // rows.n_classes - SMALL) / (LARGE - SMALL), 0.0), 1.0)
        average, length = gain.sum(axis=1) / n, np.log2(n) / weight
        return (1.0 - of_length) * average + of_length * DISCOUNT * length


def _best_ratios(
    gain: NDArray[np.float32],
    info: NDArray[np.float32],
    enough: NDArray[np.bool_],
    forks: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return the attribute of each node, -1 if none gains enough. Near ties depend on the order."""
    n = len(gain)
    best, best_gain = np.full(n, -LEAST_GAIN), np.zeros(n, np.float32)
    best_forks, attribute = np.full(n, np.iinfo(np.int64).max), np.full(n, -1)
    ratio = np.full(gain.shape, -np.inf)
    np.divide(gain, info, out=ratio, where=enough)
    for a in range(gain.shape[1]):
        simpler = (forks[a] < best_forks) | ((forks[a] == best_forks) & (gain[:, a] > best_gain))
        better = enough[:, a] & ((ratio[:, a] > best) | ((ratio[:, a] > NEAR * best) & simpler))
        best[better], best_gain[better] = ratio[better, a], gain[better, a]
        best_forks[better], attribute[better] = forks[a], a
    return attribute
