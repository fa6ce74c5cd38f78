"""Statistics of learner comparisons: arrays of scores in, frozen dataclasses out."""

from workbench.comparisons._shared.base import LEVEL
from workbench.comparisons._shared.bayesian import RopePosterior
from workbench.comparisons._shared.multiplicity import bonferroni, holm
from workbench.comparisons.bayesian_correlated import CorrelatedPosterior, bayesian_correlated_t
from workbench.comparisons.bayesian_signed_rank import SignedRankPosterior, bayesian_signed_rank
from workbench.comparisons.best import BestProbabilities, probability_best
from workbench.comparisons.bias_variance import (
    DecomposedLoss,
    MeanDecomposition,
    decompose_brier,
    decompose_kl,
)
from workbench.comparisons.corrected import CorrectedTest, corrected_t
from workbench.comparisons.crossovers import Crossover, SignChanges, find_crossovers
from workbench.comparisons.five_by_two import FiveByTwoTest, five_by_two_t
from workbench.comparisons.friedman import FriedmanTest, RankDifference, friedman
from workbench.comparisons.intervals import MeanIntervals, mean_intervals
from workbench.comparisons.metric_correlations import (
    MetricCorrelation,
    MetricCorrelations,
    metric_correlations,
)
from workbench.comparisons.paired import PairedDifference, PairedDifferences, paired_differences
from workbench.comparisons.power import detectable_difference
from workbench.comparisons.repeated_measures import Effect, RepeatedMeasuresAnova, rm_anova
from workbench.comparisons.size_needed import FARTHEST_SIZES, SizeNeeded, size_needed
from workbench.comparisons.strata import StratifiedMean, stratified_mean

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
    "friedman",
    "FriedmanTest",
    "RankDifference",
    "bayesian_correlated_t",
    "CorrelatedPosterior",
    "bayesian_signed_rank",
    "SignedRankPosterior",
    "RopePosterior",
    "metric_correlations",
    "MetricCorrelations",
    "MetricCorrelation",
    "stratified_mean",
    "StratifiedMean",
    "probability_best",
    "BestProbabilities",
    "find_crossovers",
    "SignChanges",
    "Crossover",
    "size_needed",
    "SizeNeeded",
    "FARTHEST_SIZES",
    "decompose_kl",
    "decompose_brier",
    "DecomposedLoss",
    "MeanDecomposition",
    "holm",
    "bonferroni",
    "detectable_difference",
]
