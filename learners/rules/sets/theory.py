"""The cost of coding rules: as a list, as a set, or with exceptions, in bits."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from learners.code_lengths.theory import TheoryLength, choice_bits, decision_bits, order_bits
from learners.rules.sets.condition import ABOVE, AT_MOST, EQUAL, NOT_EQUAL
from learners.rules.sets.ripple_down import RippleDownRules
from learners.rules.sets.ruleset import RuleSet
from learners.tables.attributes import Schema

__all__ = ["RuleLanguage", "list_theory", "ripple_down_theory", "set_theory"]


@dataclass(frozen=True, eq=False)
class RuleLanguage:
    """Possible conditions and conclusions, known before rules are encoded."""

    # For each rule the code states, before each condition and after the last one, whether there is another;
    # for each condition the attribute, and for a nominal one the value, all being equally likely, and, if
    # allowed, whether it is negated; for a numeric one the gap of the threshold, all being equally likely,
    # and the side; then the class of the rule. Conditions have no order: its bits are subtracted.
    schema: Schema
    n_cuts: NDArray[np.int64]  # gaps between the distinct training numbers of each numeric attribute
    n_classes: int
    negates: bool = False

    def complexity(
        self, rules: RuleSet, classes: ArrayLike, *, n_ends: int, more: float, order: float = 0.0
    ) -> TheoryLength:
        """Return the complexity of rules, and of how they follow each other."""
        conclusions = np.bincount(np.asarray(classes, np.int64), minlength=self.n_classes)
        unordered = sum(order_bits(Counter(rule.conditions).values()) for rule in rules.rules)
        return TheoryLength(
            shape=more + decision_bits([rules.operators.size, n_ends]),
            attributes=decision_bits(self._attribute_counts(rules)),
            values=self._value_bits(rules),
            classes=decision_bits(conclusions),
            order=0.0 - unordered - order,
        )

    def _attribute_counts(self, rules: RuleSet) -> NDArray[np.int64]:
        is_number = rules.operators >= AT_MOST
        counts = np.zeros(len(self.schema.attributes), np.int64)
        numeric, nominal = list(self.schema.numeric), list(self.schema.nominal)
        counts[numeric] = np.bincount(rules.rows[is_number], minlength=len(numeric))
        counts[nominal] = np.bincount(rules.rows[~is_number], minlength=len(nominal))
        return counts

    def _value_bits(self, rules: RuleSet) -> float:
        is_number = rules.operators >= AT_MOST
        times = np.bincount(rules.operators, minlength=4)
        bits = choice_bits(self.n_cuts[rules.rows[is_number]]) + decision_bits(times[[AT_MOST, ABOVE]])
        bits += choice_bits(self.schema.arities[rules.rows[~is_number]])
        return bits + decision_bits(times[[EQUAL, NOT_EQUAL]]) if self.negates else bits


def list_theory(rules: RuleSet, default: int, language: RuleLanguage) -> TheoryLength:
    """Return the complexity of rules that are tried one after the other."""
    # the code states before each rule and after the last whether there is another, then the default
    classes = np.append(rules.conclusions, default)
    return language.complexity(rules, classes, n_ends=len(rules), more=decision_bits([len(rules), 1]))


def set_theory(rules: RuleSet, language: RuleLanguage) -> TheoryLength:
    """Return the complexity of rules that are applied together, without a default."""
    same = Counter((rule.conclusion, frozenset(Counter(rule.conditions).items())) for rule in rules.rules)
    return language.complexity(
        rules,
        rules.conclusions,
        n_ends=len(rules),
        more=decision_bits([len(rules), 1]),
        order=order_bits(same.values()),
    )


def ripple_down_theory(rules: RippleDownRules, language: RuleLanguage) -> TheoryLength:
    """Return the complexity of rules with exceptions."""
    # The default is encoded by its class alone. The code states for each rule, the default included, whether
    # it has exceptions, and for each but the default whether another rule follows where it fails.
    has_exceptions, has_other = rules.exceptions >= 0, rules.otherwise[1:] >= 0
    more = decision_bits(np.bincount(has_exceptions, minlength=2), np.bincount(has_other, minlength=2))
    return language.complexity(rules.rules, rules.rules.conclusions, n_ends=len(rules.rules) - 1, more=more)
