"""Statistics of learner comparisons: arrays of scores in, frozen dataclasses out.

A new comparison is one file here and one line below.
"""

from workbench.comparisons._shared.base import LEVEL
from workbench.comparisons._shared.bayesian import RopePosterior as RopePosterior
from workbench.comparisons._shared.multiplicity import bonferroni as bonferroni
from workbench.comparisons._shared.multiplicity import holm as holm
from workbench.comparisons.bayesian_correlated import CorrelatedPosterior as CorrelatedPosterior
from workbench.comparisons.bayesian_correlated import bayesian_correlated_t as bayesian_correlated_t
from workbench.comparisons.bayesian_signed_rank import SignedRankPosterior as SignedRankPosterior
from workbench.comparisons.bayesian_signed_rank import bayesian_signed_rank as bayesian_signed_rank
from workbench.comparisons.best import BestProbabilities as BestProbabilities
from workbench.comparisons.best import probability_best as probability_best
from workbench.comparisons.bias_variance import DecomposedLoss as DecomposedLoss
from workbench.comparisons.bias_variance import MeanDecomposition as MeanDecomposition
from workbench.comparisons.bias_variance import decompose_brier as decompose_brier
from workbench.comparisons.bias_variance import decompose_kl as decompose_kl
from workbench.comparisons.bradley_terry import Strengths as Strengths
from workbench.comparisons.bradley_terry import bradley_terry as bradley_terry
from workbench.comparisons.corrected import CorrectedTest as CorrectedTest
from workbench.comparisons.corrected import corrected_t as corrected_t
from workbench.comparisons.crossovers import Crossover as Crossover
from workbench.comparisons.crossovers import SignChanges as SignChanges
from workbench.comparisons.crossovers import find_crossovers as find_crossovers
from workbench.comparisons.five_by_two import FiveByTwoTest as FiveByTwoTest
from workbench.comparisons.five_by_two import five_by_two_t as five_by_two_t
from workbench.comparisons.friedman import FriedmanTest as FriedmanTest
from workbench.comparisons.friedman import RankDifference as RankDifference
from workbench.comparisons.friedman import friedman as friedman
from workbench.comparisons.intervals import MeanIntervals as MeanIntervals
from workbench.comparisons.intervals import mean_intervals as mean_intervals
from workbench.comparisons.metric_correlations import MetricCorrelation as MetricCorrelation
from workbench.comparisons.metric_correlations import MetricCorrelations as MetricCorrelations
from workbench.comparisons.metric_correlations import metric_correlations as metric_correlations
from workbench.comparisons.pair_tests import CombinedF as CombinedF
from workbench.comparisons.pair_tests import CorrectedT as CorrectedT
from workbench.comparisons.pair_tests import PairedT as PairedT
from workbench.comparisons.pair_tests import PairTest as PairTest
from workbench.comparisons.paired import PairedDifference as PairedDifference
from workbench.comparisons.paired import PairedDifferences as PairedDifferences
from workbench.comparisons.paired import paired_differences as paired_differences
from workbench.comparisons.power import detectable_difference as detectable_difference
from workbench.comparisons.probability_within import probability_within as probability_within
from workbench.comparisons.rank_intervals import RankIntervals as RankIntervals
from workbench.comparisons.rank_intervals import rank_intervals as rank_intervals
from workbench.comparisons.repeated_measures import Effect as Effect
from workbench.comparisons.repeated_measures import RepeatedMeasuresAnova as RepeatedMeasuresAnova
from workbench.comparisons.repeated_measures import rm_anova as rm_anova
from workbench.comparisons.required_sample_size import FARTHEST_SIZES
from workbench.comparisons.required_sample_size import RequiredSampleSize as RequiredSampleSize
from workbench.comparisons.required_sample_size import required_sample_size as required_sample_size
from workbench.comparisons.strata import StratifiedMean as StratifiedMean
from workbench.comparisons.strata import stratified_mean as stratified_mean

__all__ = [
    "LEVEL",
    "FARTHEST_SIZES",
    *[
        name
        for name, member in list(globals().items())
        if getattr(member, "__module__", "").startswith("workbench.comparisons.")
    ],
]
