"""Growing one rule as Induct does: adding the condition that lowers the chance most, until none does."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from learners.options import check_choice, check_number
from learners.rules._kernels.chance import BINOMIAL, HYPERGEOMETRIC, log_factorials
from learners.rules._kernels.induct import LOG_CHANCE, OPERATOR, RIGHT, ROW, TOTAL, VALUE, best_condition
from learners.rules.growing.growth_rows import GrowthTable, SideCounts
from learners.rules.sets.condition import Condition
from learners.tables.attributes import Schema

__all__ = ["GrownRule", "InductGrowth", "check_chance", "STATISTICS"]


@dataclass(frozen=True)
class GrownRule:
    """A rule and its worth on the rows where it was sought."""

    conditions: tuple[Condition, ...]  # at least one
    rows: NDArray[np.int32]  # that it covers
    right: float  # weight of the class among them
    covered: float  # weight of all of them
    log_chance: float  # natural logarithm of the chance that a random rule does as well


@dataclass(frozen=True)
class InductGrowth:
    """How rules are grown on a table."""

    table: GrowthTable
    columns: NDArray[np.int64]  # the row of a nominal attribute, -1 - row of a numeric one
    statistic: int  # one of `STATISTICS`
    log_limit: float  # rules whose logarithm of the chance is not below it are refused
    factorials: NDArray[np.float64]  # ln i! for whole weights; of length 0 for others

    @classmethod
    def of(cls, table: GrowthTable, schema: Schema, statistic: int, limit: float) -> Self:
        """Prepare the growth of rules with a chance below `limit`."""
        columns = np.empty(len(schema.attributes), dtype=np.int64)
        columns[list(schema.nominal)] = np.arange(len(schema.nominal))
        columns[list(schema.numeric)] = -1 - np.arange(len(schema.numeric))
        factorials = np.empty(0) if table.weight.size else log_factorials(table.y.size)
        return cls(table, columns, statistic, math.log(limit), factorials)

    def grow(
        self, rows: NDArray[np.int32], of_class: NDArray[np.bool_], counts: SideCounts | None = None
    ) -> GrownRule | None:
        """Grow the rule for a class that is least likely by chance."""
        node = self.table.weigh(rows, of_class)
        start, covered = (node.right, node.total), (node.right, node.total)
        conditions: list[Condition] = []
        most = 0.0
        while node.n_wrong and node.right > 0:
            counts = self.table.count(rows, of_class) if conditions or counts is None else counts
            found = self._best(counts, start, most)
            if found[OPERATOR] < 0:
                break
            conditions.append(Condition(int(found[OPERATOR]), int(found[ROW]), float(found[VALUE])))
            rows = self.table.that_meet(rows, conditions[-1])
            node = self.table.weigh(rows, of_class)
            covered, most = (float(found[RIGHT]), float(found[TOTAL])), float(found[LOG_CHANCE])
        if not conditions or most >= self.log_limit:
            return None
        return GrownRule(tuple(conditions), rows, *covered, most)

    def _best(self, counts: SideCounts, node: tuple[float, float], most: float) -> NDArray[np.float64]:
        return best_condition(
            self.columns,
            counts.nominal,
            self.table.offsets,
            counts.starts,
            counts.ranks,
            counts.numeric,
            self.table.levels,
            self.table.level_starts,
            node,
            most,
            self.statistic,
            self.factorials,
        )


def check_chance(statistic: Any, limit: Any) -> tuple[int, float]:
    """Return the distribution by its number, and the limit, or raise an error if they are invalid."""
    number = STATISTICS[check_choice("statistic", statistic, STATISTICS)]
    limit = check_number("limit", limit, above=0)
    if limit > 1:
        raise ValueError(f"limit must be a probability, above 0 and at most 1, but was {limit!r}.")
    return number, limit


#: Names of the two distributions that the rows drawn by chance may follow.
STATISTICS: Mapping[str, int] = MappingProxyType({"binomial": BINOMIAL, "hypergeometric": HYPERGEOMETRIC})
