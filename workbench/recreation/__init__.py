"""Hold a study against what a paper prints: every printed cell, ours, the difference, and a verdict."""

from workbench.recreation.printed import Printed
from workbench.recreation.recreation import Recreation

__all__ = ["Printed", "Recreation"]
