"""Which rules of a class are worth their bits: Quinlan's choice by minimum description length."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from learners.rules._kernels.firing import covered_rows, rules_by_row
from learners.rules._kernels.subset import best_climb, best_of_all
from learners.rules.sets.condition import Condition
from learners.rules.sets.ruleset import LearnedRule, RuleSet
from learners.tables.attributes import CodedTable

__all__ = ["Coverage", "RuleBits", "choose_rules"]

MOST_FOR_ALL = 10  # rules of which all subsets are tried
CLIMBS = 11  # from sets that contain each rule with probability 0, 0.1, ..., 1
LOG2 = float(np.log(2.0))


class Coverage(NamedTuple):
    """Which rows meet which rules."""

    starts: NDArray[np.int64]  # rule r fires on rows[starts[r] : starts[r + 1]]
    rows: NDArray[np.int32]
    row_starts: NDArray[np.int64]  # row i meets row_rules[row_starts[i] : row_starts[i + 1]], in order
    row_rules: NDArray[np.int32]

    @classmethod
    def of(cls, rules: Sequence[LearnedRule], table: CodedTable, arities: NDArray[np.int64]) -> "Coverage":
        """Apply each rule to each row."""
        columns = RuleSet.of(rules, arities).columns
        starts, rows = covered_rows(table.codes, table.values, columns, table.n_samples)
        return cls(starts, rows, *rules_by_row(starts, rows, table.n_samples))


class RuleBits(NamedTuple):
    """The bits that encode a condition."""

    name: float  # to name an attribute
    of_codes: NDArray[np.float64]  # to name a value, by row of `codes`
    of_values: NDArray[np.float64]  # to name a cut and its side, by row of `values`

    @classmethod
    def of(cls, table: CodedTable, weight: NDArray[np.float64], arities: NDArray[np.int64]) -> "RuleBits":
        """Count the values of the training rows."""
        total = weight.sum()
        of_codes = [
            _entropy(np.bincount(row, weights=weight, minlength=int(arity))[: int(arity)] / total)
            for row, arity in zip(table.codes, arities, strict=True)
        ]
        n_distinct = [np.unique(row).size for row in table.values]  # missing is one of them
        of_values = [1.0 + np.log2(n) / 2.0 if n > 1 else 0.0 for n in n_distinct]
        bits = np.array(of_codes + of_values)
        name = _entropy(bits / bits.sum()) if bits.sum() > 0 else 0.0
        return cls(name, np.array(of_codes), np.array(of_values))

    def rule(self, conditions: Sequence[Condition]) -> float:
        """Return the bits of a conjunction: its length and its conditions, in any order."""
        of_one = [self.of_values[c.row] if c.is_numeric else self.of_codes[c.row] for c in conditions]
        m = len(conditions)
        return float(sum(of_one) + m * self.name + np.log2(m) - gammaln(m + 1) / LOG2)


def _entropy(share: NDArray[np.float64]) -> float:
    positive = share[share > 0]
    return float(-(positive * np.log2(positive)).sum())


def choose_rules(
    bits: NDArray[np.float64],
    coverage: Coverage,
    in_class: NDArray[np.bool_],
    weight: NDArray[np.float64],
    rng: np.random.Generator,
) -> NDArray[np.bool_]:
    """Choose the rules of one class that make the shortest message."""
    # Quinlan, "MDL and categorical theories (continued)", ICML 1995, section 3
    n_rules = bits.size
    if n_rules == 0:
        return np.zeros(0, dtype=bool)
    log_factorial = gammaln(np.arange(n_rules + 2) + 1.0) / LOG2
    problem = *coverage, in_class, weight, bits, log_factorial
    if n_rules <= MOST_FOR_ALL:
        return np.asarray(best_of_all(*problem))
    begin = rng.random((CLIMBS, n_rules)) < np.linspace(0.0, 1.0, CLIMBS)[:, None]
    return np.asarray(best_climb(*problem, begin))
