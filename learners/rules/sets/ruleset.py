"""Rules, and sets of rules as columns that a kernel can read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from learners.rules._kernels.firing import RuleColumns, class_support, first_firing, rule_fires
from learners.rules.sets.condition import Condition
from learners.shown_text import label_text
from learners.tables.attributes import CodedTable, Schema

__all__ = ["LearnedRule", "RuleSet"]


@dataclass(frozen=True)
class LearnedRule:
    """A conjunction of conditions and the class that it concludes."""

    conditions: tuple[Condition, ...]  # none means that the rule always fires
    conclusion: int
    covered: float = 0.0  # weight of the training rows on which it fires
    right: float = 0.0  # and of those with its class
    quality: float = np.nan  # its learner's measure of it: a gain, a chance, a confidence


@dataclass(frozen=True)
class RuleSet:
    """Rules as columns, ordered (a list) or not (a set)."""

    rules: tuple[LearnedRule, ...]
    starts: NDArray[np.int64]  # first condition of each rule in the columns
    operators: NDArray[np.int8]
    rows: NDArray[np.int64]  # of the codes or of the values
    states: NDArray[np.int64]  # required code, as `missing` -1 with a number
    missing: NDArray[np.int64]
    thresholds: NDArray[np.float64]  # NaN with a nominal value
    conclusions: NDArray[np.int64]

    @classmethod
    def of(cls, rules: Sequence[LearnedRule], arities: NDArray[np.int64]) -> Self:
        """Arrange rules as columns."""
        conditions = [condition for rule in rules for condition in rule.conditions]
        numeric = [condition.is_numeric for condition in conditions]
        value = np.array([condition.value for condition in conditions], dtype=np.float64)
        row = np.array([condition.row for condition in conditions], dtype=np.int64)
        is_number = np.array(numeric, dtype=bool)
        missing = np.full(len(conditions), -1, dtype=np.int64)
        missing[~is_number] = arities[row[~is_number]]
        return cls(
            rules=tuple(rules),
            starts=np.cumsum([0, *(len(rule.conditions) for rule in rules)], dtype=np.int64),
            operators=np.array([condition.operator for condition in conditions], dtype=np.int8),
            rows=row,
            states=np.where(is_number, -1.0, value).astype(np.int64),
            missing=missing,
            thresholds=np.where(is_number, value, np.nan),
            conclusions=np.array([rule.conclusion for rule in rules], dtype=np.int64),
        )

    def __len__(self) -> int:
        return len(self.rules)

    def fires(self, table: CodedTable) -> NDArray[np.bool_]:
        """Return which rules fire on which rows."""
        out = np.zeros((len(self), table.n_samples), dtype=bool)
        rule_fires(table.codes, table.values, self.columns, out)
        return out.T

    def first_firing(self, table: CodedTable) -> NDArray[np.int64]:
        """Return the first rule that fires on each row, -1 where none does, as an ordered list does."""
        out = np.full(table.n_samples, -1, dtype=np.int64)
        first_firing(table.codes, table.values, self.columns, out)
        return out

    def support(
        self, table: CodedTable, strength: NDArray[np.float64], n_classes: int
    ) -> NDArray[np.float64]:
        """Add up, class by class, the strength of the rules that fire."""
        out = np.zeros((n_classes, table.n_samples))
        class_support(table.codes, table.values, self.columns, self.conclusions, strength, out)
        return out.T

    def text(self, schema: Schema, classes: NDArray[Any]) -> list[str]:
        """Write each rule as one line, ``if a = x and b > 3 then c``."""
        return [
            f"if {_conjunction(rule, schema)} then {label_text(label)}"
            for rule, label in zip(self.rules, classes[self.conclusions], strict=True)
        ]

    def frame(self, schema: Schema, classes: NDArray[Any], *, quality: str) -> pd.DataFrame:
        """Return the rules as a readable table."""
        return pd.DataFrame(
            {
                "rule": [_conjunction(rule, schema) for rule in self.rules],
                "class": classes[self.conclusions],
                "covered": np.array([rule.covered for rule in self.rules], dtype=float),
                "right": np.array([rule.right for rule in self.rules], dtype=float),
                quality: np.array([rule.quality for rule in self.rules], dtype=float),
            }
        )

    @property
    def columns(self) -> RuleColumns:
        """The conditions as the kernels read them."""
        return RuleColumns(self.starts, self.operators, self.rows, self.states, self.missing, self.thresholds)


def _conjunction(rule: LearnedRule, schema: Schema) -> str:
    return " and ".join(condition.text(schema) for condition in rule.conditions) or "true"
