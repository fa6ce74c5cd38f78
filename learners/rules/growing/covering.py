"""Covering: rules for one class, one after the other, each for the rows that those before it leave."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from learners.rules.growing.growth_rows import GrowthTable
from learners.rules.growing.remaining_rows import RemainingRows
from learners.rules.sets.ruleset import Rule

__all__ = ["FindRule", "cover_class"]

#: A learner's search: the next rule for what is left, with the rows that it covers, or None.
FindRule = Callable[[RemainingRows], tuple[Rule, NDArray[np.int32]] | None]


def cover_class(table: GrowthTable, target: int, find: FindRule) -> list[Rule]:
    """Find rules for a class until there is none; rows of the class that a rule covers are taken out."""
    left, rules = RemainingRows.of(table, target), []
    while (found := find(left)) is not None:
        rule, covered = found
        rules.append(rule)
        left = left.without(covered[left.of_class[covered]])
    return rules
