"""Analyses: results of a study in, a frozen table out. They compute; the figures draw what they give."""

from workbench.analyses._shared.differences import Differences
from workbench.analyses._shared.experiment import Experiment, experiments_of
from workbench.analyses.best_map import BestMap
from workbench.analyses.bias_variance import BiasVariance, bias_variance
from workbench.analyses.correlations import Correlations
from workbench.analyses.crossovers import Crossovers
from workbench.analyses.deviations import Deviations
from workbench.analyses.means import Means
from workbench.analyses.posterior import Posterior
from workbench.analyses.ranks import Ranks
from workbench.analyses.recalibration import RecalibrationGain
from workbench.analyses.resampled import Resampled, resampled_of
from workbench.analyses.sample_complexity import SampleComplexity
from workbench.analyses.sampling import Sampling
from workbench.analyses.times import Times
from workbench.analyses.variance import Variance
from workbench.analyses.verdict import Verdict, answer_of
from workbench.analyses.versus_base import VersusBase

__all__ = [
    "Experiment",
    "experiments_of",
    "Means",
    "Deviations",
    "Differences",
    "Variance",
    "Verdict",
    "answer_of",
    "Resampled",
    "resampled_of",
    "Sampling",
    "RecalibrationGain",
    "Times",
    "VersusBase",
    "Ranks",
    "Posterior",
    "Correlations",
    "Crossovers",
    "BestMap",
    "SampleComplexity",
    "BiasVariance",
    "bias_variance",
]
