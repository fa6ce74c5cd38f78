"""Designs: the cells of a study, in rounds.

A new design is one file here and one line below.
"""

import inspect

from workbench.designs._shared.base import Blocks, Design, StudyOutline
from workbench.designs._shared.resampling import Resampling
from workbench.designs.crossover_search import CrossoverSearch as CrossoverSearch
from workbench.designs.five_by_two import FiveByTwo as FiveByTwo
from workbench.designs.fresh_samples import FreshSamples as FreshSamples
from workbench.designs.half_splits import HalfSplits as HalfSplits
from workbench.designs.random_splits import RandomSplits as RandomSplits
from workbench.designs.repeated_folds import RepeatedFolds as RepeatedFolds
from workbench.designs.scikit_splits import ScikitSplits as ScikitSplits
from workbench.designs.sizes_by_source import SizesBySource as SizesBySource

#: The classes of designs by their keys in study files.
DESIGNS: dict[str, type[Design]] = {
    member.key: member
    for member in list(globals().values())
    if isinstance(member, type) and issubclass(member, Design) and not inspect.isabstract(member)
}

__all__ = [
    "DESIGNS",
    "Blocks",
    "Design",
    "StudyOutline",
    "Resampling",
    *[member.__name__ for member in DESIGNS.values()],
]
