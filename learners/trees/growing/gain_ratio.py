"""Quinlan's choice of a test: the greatest gain ratio among the tests of at least average gain."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from learners.trees._kernels.gain import GainRules, Gains, find_gains
from learners.trees._kernels.gain_double import terms_of_whole_numbers
from learners.trees.growing.growth import ChosenTests, OpenNodes
from learners.trees.growing.training_rows import TreeRows

__all__ = ["GainRatio", "GainRules", "Gains", "find_all_gains"]

EPSILON = 1e-3  # bits per row: the zero of Quinlan's program
MANY_VALUES = 0.3  # a nominal attribute with at least this share of the rows has very many values
LOOKED_UP = 1 << 16  # n log2 n is looked up for whole n below this


@dataclass(frozen=True)
class GainRatio:
    """The search of C4.5 and J48: multiway tests of values, cuts of numbers in two."""

    # Quinlan, "C4.5: Programs for Machine Learning", Morgan Kaufmann 1993, chapters 2 and 3; for cuts
    # Quinlan, "Improved use of continuous attributes in C4.5", JAIR 4, 1996, section 3. The gain of a cut is
    # reduced by log2(number of feasible cuts) / (weight of the node); a cut whose gain is then not above 0 is
    # dropped. Of the tests whose gain is at most 0.001 below the average (over all attributes except nominal
    # ones with very many values, unless all are such), the first with the greatest ratio of gain to split
    # information is taken.
    rules: GainRules
    least_info: float  # bits of split information that a test must exceed
    least_ratio: float  # gain ratio that a test must exceed: C4.5 tests without gain, J48 does not

    def __call__(self, rows: TreeRows, nodes: OpenNodes) -> ChosenTests:
        """Choose a test for each node, or none."""
        gains = find_all_gains(rows, nodes, self.rules)
        gain, split_info = gains.gain.copy(), gains.split_info
        weight = nodes.class_weight.sum(axis=1)
        for a in np.flatnonzero(rows.is_number):
            penalty = np.log2(np.maximum(gains.n_cuts[:, a], 1)) / weight
            corrected = gain[:, a] - penalty
            gain[:, a] = np.where(corrected > self.rules.tie, corrected, -np.inf)
        valid = gain > -EPSILON
        # numeric attributes count in the average gain, and nominal ones with few values
        few = rows.is_number | (rows.sizes < MANY_VALUES * rows.weight.sum())
        counted = valid & (few if few.any() else True)
        n = counted.sum(axis=1)
        average = np.where(n > 0, np.where(counted, gain, 0.0).sum(axis=1) / np.maximum(n, 1), np.inf)
        valid &= (gain >= average[:, None] - EPSILON) & (split_info > self.least_info)
        ratio = np.full(gain.shape, -np.inf)
        np.divide(gain, split_info, out=ratio, where=valid)
        best = ratio.max(axis=1)
        attribute = (ratio >= best[:, None] - self.rules.tie).argmax(axis=1)
        cut = gains.cut[np.arange(len(attribute)), attribute]
        return ChosenTests(np.where(best > self.least_ratio, attribute, -1), cut)


def find_all_gains(rows: TreeRows, nodes: OpenNodes, rules: GainRules) -> Gains:
    """Find the gains of all candidate tests of a batch of nodes."""
    shape = nodes.tested.shape
    out = Gains(
        gain=np.empty(shape),
        split_info=np.zeros(shape),
        n_branches=np.zeros(shape, np.int32),
        cut=np.zeros(shape, np.int64),
        n_cuts=np.zeros(shape, np.int32),
        steps=np.zeros(shape),
    )
    find_gains(
        nodes.codes,
        nodes.y,
        nodes.weight,
        nodes.start,
        nodes.tested,
        rows.n_classes,
        rows.sizes,
        rows.values,
        rows.value_start,
        _terms(),
        rules,
        out,
    )
    return out


@cache
def _terms() -> NDArray[np.float64]:
    return terms_of_whole_numbers(LOOKED_UP)
