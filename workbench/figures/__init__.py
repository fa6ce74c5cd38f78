"""Figures of results: matplotlib displays that draw what an analysis has computed.

A new figure is one file here and one line below.
"""

import inspect

from workbench.figures.base import Display
from workbench.figures.exact_against_sampled import ExactAgainstSampledDisplay as ExactAgainstSampledDisplay
from workbench.figures.experiment_display import ExperimentDisplay
from workbench.figures.interaction import InteractionDisplay as InteractionDisplay
from workbench.figures.paired_differences import PairedDifferencesDisplay as PairedDifferencesDisplay
from workbench.figures.reward_by_size import RewardBySizeDisplay as RewardBySizeDisplay

_ALL: dict[str, type[Display]] = {
    member.key: member
    for member in list(globals().values())
    if isinstance(member, type) and issubclass(member, Display) and not inspect.isabstract(member)
}
#: Figures of a study's results, for `Results.plot` and the report.
FIGURES: dict[str, type[ExperimentDisplay]] = {
    key: member for key, member in _ALL.items() if issubclass(member, ExperimentDisplay)
}
#: Figures of forecasts and of comparisons, made from arrays.
ARRAY_FIGURES: dict[str, type[Display]] = {key: member for key, member in _ALL.items() if key not in FIGURES}

__all__ = [
    "FIGURES",
    "ARRAY_FIGURES",
    "Display",
    "ExperimentDisplay",
    *[member.__name__ for member in _ALL.values()],
]
