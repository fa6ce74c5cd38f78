"""What it costs to tell rules: as a list, as a set, or with exceptions; in bits."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from learners.code_lengths.theory import TheoryComplexity, choice_bits, decision_bits, order_bits
from learners.rules.sets.condition import ABOVE, AT_MOST, EQUAL, NOT_EQUAL
from learners.rules.sets.ripple_down import RippleDownRules
from learners.rules.sets.ruleset import RuleSet
from learners.tables.attributes import Schema

__all__ = ["RuleLanguage", "list_theory", "ripple_down_theory", "set_theory"]


@dataclass(frozen=True, eq=False)
class RuleLanguage:
    """What conditions may ask and rules may conclude; known before rules are told.

    Parameters
    ----------
    schema : Schema
        The attributes and their values.
    n_cuts : ndarray of int64, shape (n_numeric,)
        Gaps between the distinct training numbers of each numeric attribute.
    n_classes : int
        Number of classes.
    negates : bool, default False
        Whether conditions may ask for any value but one.

    Notes
    -----
    Of each rule it is told, before each condition and after the last one, whether there is another; of each
    condition the attribute, and of a nominal one the value, all being as likely, and, where that may be,
    whether it is negated; of a numeric one the gap of the threshold, all being as likely, and the side; then
    the class of the rule. The conditions of a rule have no order: what their order takes is given back.
    """

    schema: Schema
    n_cuts: NDArray[np.int64]
    n_classes: int
    negates: bool = False

    def tell(
        self, rules: RuleSet, classes: ArrayLike, *, n_ends: int, more: float, order: float = 0.0
    ) -> TheoryComplexity:
        """Tell rules, and how they follow each other.

        Parameters
        ----------
        rules : RuleSet
            The rules.
        classes : array-like of int
            The classes that are told, that of a default among them.
        n_ends : int
            Number of rules of which it is told that their conditions end.
        more : float
            Bits that tell how the rules follow each other.
        order : float, default 0
            Bits of an order of the rules that does not count.

        Returns
        -------
        TheoryComplexity
        """
        conclusions = np.bincount(np.asarray(classes, np.int64), minlength=self.n_classes)
        unordered = sum(order_bits(Counter(rule.conditions).values()) for rule in rules.rules)
        return TheoryComplexity(
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


def list_theory(rules: RuleSet, default: int, language: RuleLanguage) -> TheoryComplexity:
    """Tell rules that are tried one after the other.

    Parameters
    ----------
    rules : RuleSet
        In their order, which counts.
    default : int
        Class code where no rule fires.
    language : RuleLanguage

    Returns
    -------
    TheoryComplexity

    Notes
    -----
    Before each rule and after the last one it is told whether there is another; last comes the class of the
    default.

    Examples
    --------
    >>> import pandas as pd
    >>> from learners.rules.sets.condition import Condition
    >>> from learners.rules.sets.ruleset import Rule
    >>> schema = Schema.fit(pd.DataFrame({"sky": ["sun", "rain"], "wind": [3.5, 1.0]}))
    >>> rules = RuleSet.of([Rule((Condition(EQUAL, 0, 1),), 0)], schema.arities)
    >>> told = list_theory(rules, 1, RuleLanguage(schema, np.array([1]), n_classes=2))
    >>> [round(2**bits, 6) for bits in (told.shape, told.attributes, told.values, told.classes)]
    [36.0, 2.0, 2.0, 6.0]
    """
    classes = np.append(rules.conclusions, default)
    return language.tell(rules, classes, n_ends=len(rules), more=decision_bits([len(rules), 1]))


def set_theory(rules: RuleSet, language: RuleLanguage) -> TheoryComplexity:
    """Tell rules that are asked all at once, without a default.

    Parameters
    ----------
    rules : RuleSet
        Their order does not count, so what it takes is given back.
    language : RuleLanguage

    Returns
    -------
    TheoryComplexity
        Its total is at least 0: every order of the rules is told in as many bits, so that giving these back
        adds up the probabilities of messages that mean the same.

    Examples
    --------
    >>> import pandas as pd
    >>> from learners.rules.sets.condition import Condition
    >>> from learners.rules.sets.ruleset import Rule
    >>> schema = Schema.fit(pd.DataFrame({"sky": ["sun", "rain"]}))
    >>> rules = [Rule((Condition(EQUAL, 0, code),), code) for code in (0, 1)]
    >>> told = set_theory(RuleSet.of(rules, schema.arities), RuleLanguage(schema, np.array([]), n_classes=2))
    >>> [round(2**bits, 6) for bits in (told.shape, told.values, told.classes, told.order)]
    [360.0, 4.0, 6.0, 0.5]
    """
    same = Counter((rule.conclusion, frozenset(Counter(rule.conditions).items())) for rule in rules.rules)
    return language.tell(
        rules,
        rules.conclusions,
        n_ends=len(rules),
        more=decision_bits([len(rules), 1]),
        order=order_bits(same.values()),
    )


def ripple_down_theory(rules: RippleDownRules, language: RuleLanguage) -> TheoryComplexity:
    """Tell rules with exceptions.

    Parameters
    ----------
    rules : RippleDownRules
    language : RuleLanguage

    Returns
    -------
    TheoryComplexity

    Notes
    -----
    Of the default only the class is told. Of each rule, the default included, it is told whether it has
    exceptions; of each but the default whether another rule follows where it fails.

    Examples
    --------
    The default has no exceptions, 1/2, and is the first of two classes, 1/2.

    >>> import pandas as pd
    >>> from learners.rules.sets.ruleset import Rule
    >>> schema = Schema.fit(pd.DataFrame({"sky": ["sun", "rain"]}))
    >>> rules = RippleDownRules.of([Rule((), 0)], [-1], [-1], schema.arities)
    >>> ripple_down_theory(rules, RuleLanguage(schema, np.array([]), n_classes=2)).total
    2.0
    """
    has_exceptions, has_other = rules.exceptions >= 0, rules.otherwise[1:] >= 0
    more = decision_bits(np.bincount(has_exceptions, minlength=2), np.bincount(has_other, minlength=2))
    return language.tell(rules.rules, rules.rules.conclusions, n_ends=len(rules.rules) - 1, more=more)
