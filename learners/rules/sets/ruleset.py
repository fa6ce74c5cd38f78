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

__all__ = ["Rule", "RuleSet"]


@dataclass(frozen=True)
class Rule:
    """A conjunction of conditions and the class that it concludes.

    Attributes
    ----------
    conditions : tuple of Condition
        All must hold; none means that the rule always fires.
    conclusion : int
        Class code.
    covered, right : float
        Weight of the training rows on which it fires, and of those among them with its class.
    quality : float
        Its learner's measure of it: a gain, a chance, a confidence.
    """

    conditions: tuple[Condition, ...]
    conclusion: int
    covered: float = 0.0
    right: float = 0.0
    quality: float = np.nan


@dataclass(frozen=True)
class RuleSet:
    """Rules as columns, ordered (a list) or not (a set).

    Attributes
    ----------
    rules : tuple of Rule
        In the order in which they were learned or are to be tried.
    starts : ndarray of int64, shape (n_rules + 1,)
        Place of the first condition of each rule in the columns.
    operators : ndarray of int8, shape (n_conditions,)
        Operator of each condition, see `Condition`.
    rows : ndarray of int64, shape (n_conditions,)
        Row of the codes or of the values that it tests.
    states, missing : ndarray of int64, shape (n_conditions,)
        Required code, and code of a missing value; -1 with a number.
    thresholds : ndarray of float64, shape (n_conditions,)
        Threshold; NaN with a nominal value.
    conclusions : ndarray of int64, shape (n_rules,)
        Class codes.

    Examples
    --------
    >>> table = CodedTable(np.array([[0, 1, 2]], dtype=np.uint8), np.array([[1.0, 5.0, np.nan]]), 3)
    >>> rules = RuleSet.of([Rule((Condition(0, 0, 1),), 0), Rule((Condition(2, 0, 5.0),), 1)], np.array([2]))
    >>> rules.fires(table)
    array([[False,  True],
           [ True,  True],
           [False, False]])
    >>> rules.first_firing(table)
    array([ 1,  0, -1])
    """

    rules: tuple[Rule, ...]
    starts: NDArray[np.int64]
    operators: NDArray[np.int8]
    rows: NDArray[np.int64]
    states: NDArray[np.int64]
    missing: NDArray[np.int64]
    thresholds: NDArray[np.float64]
    conclusions: NDArray[np.int64]

    @classmethod
    def of(cls, rules: Sequence[Rule], arities: NDArray[np.int64]) -> Self:
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


def _conjunction(rule: Rule, schema: Schema) -> str:
    return " and ".join(condition.text(schema) for condition in rule.conditions) or "true"
