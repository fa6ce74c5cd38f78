"""Designs: which cells a study has, in rounds."""

from workbench.designs.base import Design, Plan
from workbench.designs.fresh_samples import FreshSamples

__all__ = ["Design", "Plan", "FreshSamples"]
