"""Designs: which cells a study has, in rounds.

A new design is one file here and one line below.
"""

import inspect

from workbench.designs.base import Design, Plan
from workbench.designs.fresh_samples import FreshSamples as FreshSamples

DESIGNS: dict[str, type[Design]] = {
    member.key: member
    for member in list(globals().values())
    if isinstance(member, type) and issubclass(member, Design) and not inspect.isabstract(member)
}

__all__ = ["DESIGNS", "Design", "Plan", *[member.__name__ for member in DESIGNS.values()]]
