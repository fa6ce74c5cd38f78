"""Analyses turn the results of a study into frozen tables, which figures draw.

A new analysis is one file here and one line below.
"""

from workbench.analyses._shared.comparison import Comparison as Comparison
from workbench.analyses._shared.comparison import Standing as Standing
from workbench.analyses._shared.comparison import comparisons_of as comparisons_of
from workbench.analyses._shared.paired_scores import LeftOut as LeftOut
from workbench.analyses._shared.paired_scores import PairedScores as PairedScores
from workbench.analyses._shared.paired_scores import paired_scores as paired_scores
from workbench.analyses.best_map import BestMap as BestMap
from workbench.analyses.bias_variance import BiasVariance as BiasVariance
from workbench.analyses.bias_variance import bias_variance as bias_variance
from workbench.analyses.comparison_to_base import ComparisonToBase as ComparisonToBase
from workbench.analyses.correlations import Correlations as Correlations
from workbench.analyses.crossovers import Crossovers as Crossovers
from workbench.analyses.deviations import Deviations as Deviations
from workbench.analyses.learner_ranking import LearnerRanking as LearnerRanking
from workbench.analyses.means import Means as Means
from workbench.analyses.posterior import Posterior as Posterior
from workbench.analyses.ranks import Ranks as Ranks
from workbench.analyses.recalibration import RecalibrationGain as RecalibrationGain
from workbench.analyses.regret import Regret as Regret
from workbench.analyses.sample_complexity import SampleComplexity as SampleComplexity
from workbench.analyses.sampling import Sampling as Sampling
from workbench.analyses.times import Times as Times
from workbench.analyses.trend import Trend as Trend
from workbench.analyses.variance import Variance as Variance
from workbench.analyses.verdict import Verdict as Verdict
from workbench.analyses.verdict import answer_of as answer_of

__all__ = [
    name
    for name, member in globals().items()
    if getattr(member, "__module__", "").startswith("workbench.analyses.")
]
