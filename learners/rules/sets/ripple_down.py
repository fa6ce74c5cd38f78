"""A tree of rules with exceptions: a rule may have exceptions where it holds, and a successor where not."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from learners.rules._kernels.firing import last_true
from learners.rules.sets.ruleset import LearnedRule, RuleSet
from learners.shown_text import label_text
from learners.tables.attributes import CodedTable, Schema

__all__ = ["RippleDownRules"]


@dataclass(frozen=True)
class RippleDownRules:
    """Rules, with the next rule if a rule holds (`exceptions`) and if it fails, or -1 for none."""

    rules: RuleSet  # the default first; they count the training rows that reached and met them
    exceptions: NDArray[np.int64]
    otherwise: NDArray[np.int64]

    @classmethod
    def of(
        cls, rules: list[LearnedRule], exceptions: list[int], otherwise: list[int], arities: NDArray[np.int64]
    ) -> Self:
        """Lay them out as columns."""
        links = (np.array(links, dtype=np.int64) for links in (exceptions, otherwise))
        return cls(RuleSet.of(rules, arities), *links)

    def last_true(self, table: CodedTable) -> NDArray[np.int64]:
        """Return the last rule that holds on the path of each row, whose class is predicted."""
        out = np.zeros(table.n_samples, dtype=np.int64)
        last_true(table.codes, table.values, self.rules.columns, self.exceptions, self.otherwise, out)
        return out

    def in_order(self) -> list[tuple[int, int, int]]:
        """List the rules in reading order: (rule, the one it is an exception to, depth), exceptions first."""
        found, waiting = [], [(0, -1, 0)]
        while waiting:
            rule, parent, depth = waiting.pop()
            found.append((rule, parent, depth))
            if self.otherwise[rule] >= 0:
                waiting.append((int(self.otherwise[rule]), parent, depth))
            if self.exceptions[rule] >= 0:
                waiting.append((int(self.exceptions[rule]), rule, depth + 1))
        return found

    def text(self, schema: Schema, classes: NDArray[Any]) -> str:
        """Return the rules as text, exceptions indented. The first rule of one depth that holds applies."""
        texts = self.rules.text(schema, classes)
        texts[0] = f"{label_text(classes[self.rules.conclusions[0]])} by default"
        lines = []
        for rule, _, depth in self.in_order():
            counts = f"  ({self.rules.rules[rule].right:g} of {self.rules.rules[rule].covered:g})"
            lines.append("    " * depth + ("except " if depth else "") + texts[rule] + counts)
        return "\n".join(lines)

    def frame(self, schema: Schema, classes: NDArray[Any], *, quality: str) -> pd.DataFrame:
        """Return the rules as a table in this order. `exception_to` is the row that a rule overrules."""
        order = self.in_order()
        table = self.rules.frame(schema, classes, quality=quality).iloc[[rule for rule, _, _ in order]]
        places = {rule: line for line, (rule, _, _) in enumerate(order)} | {-1: -1}
        table.insert(0, "exception_to", [places[parent] for _, parent, _ in order])
        return table.reset_index(drop=True)
