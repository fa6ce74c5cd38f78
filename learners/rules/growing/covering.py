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
    """Find rules for a class until there is none; rows of the class that a rule covers are taken out.

    Parameters
    ----------
    table : GrowthTable
    target : int
        Class code.
    find : callable
        Each rule that it gives must cover a row of the class, or the search would not end.

    Returns
    -------
    list of Rule
        In the order in which they were found.

    Examples
    --------
    >>> from learners.base import TrainingTable
    >>> from learners.rules.sets.condition import Condition
    >>> codes, y = np.array([[0, 0, 1, 1]], dtype=np.uint8), np.array([0, 0, 0, 1])
    >>> rows = GrowthTable.of(TrainingTable(codes, np.empty((0, 4)), np.array([2]), y, 2, None))
    >>> def find_value(left):
    ...     covered = left.rows[rows.codes[0][left.rows] == 0]
    ...     return (Rule((Condition(0, 0, 0),), 0), covered) if covered.size else None
    >>> len(cover_class(rows, 0, find_value))
    1
    """
    left, rules = RemainingRows.of(table, target), []
    while (found := find(left)) is not None:
        rule, covered = found
        rules.append(rule)
        left = left.without(covered[left.of_class[covered]])
    return rules
