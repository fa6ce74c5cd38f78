"""Hold a study against what a paper prints: every printed cell, ours, the difference, and a verdict."""

from workbench.reproduction.printed import Printed
from workbench.reproduction.reproduction import Recreation

__all__ = ["Printed", "Recreation"]
