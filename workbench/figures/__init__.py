"""Figures of results: matplotlib displays that draw what an analysis has computed.

A new figure is one file here and one line below.
"""

import inspect

from workbench.figures.base import Display
from workbench.figures.exact_against_sampled import ExactAgainstSampledDisplay as ExactAgainstSampledDisplay
from workbench.figures.interaction import InteractionDisplay as InteractionDisplay
from workbench.figures.paired_differences import PairedDifferencesDisplay as PairedDifferencesDisplay
from workbench.figures.reward_by_size import RewardBySizeDisplay as RewardBySizeDisplay

FIGURES: dict[str, type[Display]] = {
    member.key: member
    for member in list(globals().values())
    if isinstance(member, type) and issubclass(member, Display) and not inspect.isabstract(member)
}

__all__ = ["FIGURES", "Display", *[member.__name__ for member in FIGURES.values()]]
