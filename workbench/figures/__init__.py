"""Figures of results: matplotlib displays that draw what an analysis has computed.

A new figure is one file here and one line below.
"""

import inspect

from workbench.figures._shared.base import Display
from workbench.figures._shared.experiment_display import ExperimentDisplay
from workbench.figures._shared.study_display import StudyDisplay
from workbench.figures.best_map import BestMapDisplay as BestMapDisplay
from workbench.figures.bias_variance import BiasVarianceDisplay as BiasVarianceDisplay
from workbench.figures.critical_difference import CriticalDifferenceDisplay as CriticalDifferenceDisplay
from workbench.figures.crossovers import CrossoversDisplay as CrossoversDisplay
from workbench.figures.cumulative_reward import CumulativeRewardDisplay as CumulativeRewardDisplay
from workbench.figures.data_sets import DataSetsDisplay as DataSetsDisplay
from workbench.figures.decision_curve import DecisionCurveDisplay as DecisionCurveDisplay
from workbench.figures.exact_against_sampled import ExactAgainstSampledDisplay as ExactAgainstSampledDisplay
from workbench.figures.interaction import InteractionDisplay as InteractionDisplay
from workbench.figures.lift import LiftDisplay as LiftDisplay
from workbench.figures.paired_differences import PairedDifferencesDisplay as PairedDifferencesDisplay
from workbench.figures.panels.forecast_panels import ForecastPanels, draw_forecasts
from workbench.figures.posterior_rope import PosteriorRopeDisplay as PosteriorRopeDisplay
from workbench.figures.posterior_simplex import PosteriorSimplexDisplay as PosteriorSimplexDisplay
from workbench.figures.precision_recall import PrecisionRecallDisplay as PrecisionRecallDisplay
from workbench.figures.prequential import PrequentialDisplay as PrequentialDisplay
from workbench.figures.regret import RegretDisplay as RegretDisplay
from workbench.figures.reliability import ReliabilityDisplay as ReliabilityDisplay
from workbench.figures.reward_against_probability import (
    RewardAgainstProbabilityDisplay as RewardAgainstProbabilityDisplay,
)
from workbench.figures.reward_by_size import RewardBySizeDisplay as RewardBySizeDisplay
from workbench.figures.roc import ROCDisplay as ROCDisplay
from workbench.figures.sample_complexity import SampleComplexityDisplay as SampleComplexityDisplay
from workbench.figures.score_against_time import ScoreAgainstTimeDisplay as ScoreAgainstTimeDisplay
from workbench.figures.trend import TrendDisplay as TrendDisplay

_ALL: dict[str, type[Display]] = {
    member.key: member
    for member in list(globals().values())
    if isinstance(member, type) and issubclass(member, Display) and not inspect.isabstract(member)
}
#: Figures of one source of a study by their keys, for `Results.plot` and the report.
FIGURES: dict[str, type[ExperimentDisplay]] = {
    key: member for key, member in _ALL.items() if issubclass(member, ExperimentDisplay)
}
#: Figures of all sources of a study by their keys, for `Results.plot` and the report.
STUDY_FIGURES: dict[str, type[StudyDisplay]] = {
    key: member for key, member in _ALL.items() if issubclass(member, StudyDisplay)
}
#: All figures of results, by the keys that `Results.plot` takes.
RESULT_FIGURES: dict[str, type[ExperimentDisplay] | type[StudyDisplay]] = {**FIGURES, **STUDY_FIGURES}
#: Figures of forecasts and of comparisons by their keys. They are made from arrays.
ARRAY_FIGURES: dict[str, type[Display]] = {
    key: member for key, member in _ALL.items() if key not in RESULT_FIGURES
}

__all__ = [
    "FIGURES",
    "STUDY_FIGURES",
    "RESULT_FIGURES",
    "ARRAY_FIGURES",
    "Display",
    "ExperimentDisplay",
    "StudyDisplay",
    "ForecastPanels",
    "draw_forecasts",
    *[member.__name__ for member in _ALL.values()],
]
