"""Statistics of learner comparisons: arrays of scores in, frozen dataclasses out."""

from workbench.comparisons.base import LEVEL
from workbench.comparisons.corrected import CorrectedTest, corrected_t
from workbench.comparisons.five_by_two import FiveByTwoTest, five_by_two_t
from workbench.comparisons.intervals import MeanIntervals, mean_intervals
from workbench.comparisons.multiplicity import bonferroni, holm
from workbench.comparisons.paired import PairedDifference, PairedDifferences, paired_differences
from workbench.comparisons.power import detectable_difference
from workbench.comparisons.repeated_measures import Effect, RepeatedMeasuresAnova, rm_anova

__all__ = [
    "LEVEL",
    "rm_anova",
    "RepeatedMeasuresAnova",
    "Effect",
    "mean_intervals",
    "MeanIntervals",
    "paired_differences",
    "PairedDifferences",
    "PairedDifference",
    "five_by_two_t",
    "FiveByTwoTest",
    "corrected_t",
    "CorrectedTest",
    "holm",
    "bonferroni",
    "detectable_difference",
]
