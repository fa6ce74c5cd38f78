"""Gaines's Induct without exceptions: for each class a set of rules that are unlikely by chance."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.facts import LearnerFacts
from learners.rules._shared.unordered import UnorderedRulesClassifier
from learners.rules.growing.covering import RemainingRows, cover_class
from learners.rules.growing.growth_rows import GrowthTable
from learners.rules.growing.induct_growth import InductGrowth, check_chance
from learners.rules.sets.ruleset import LearnedRule

__all__ = ["InductDNFClassifier"]


class InductDNFClassifier(UnorderedRulesClassifier):
    """Induct rule learner without exceptions: for each class, rules that are unlikely by chance.

    It assumes that each class is a union of conjunctions of tests: an attribute has a value, a number is at
    most or above a threshold. A rule grows by the condition that lowers its r-value most. The r-value is the
    probability that the same number of randomly drawn rows contain as many rows of the class. A rule is
    complete when no condition lowers the r-value. The rows of the class that the rule covers are then
    removed, and the next rule is searched among the remaining rows. A missing value fails a test. The rules
    of all classes are applied together, so a row can get no class, one or several.

    Parameters
    ----------
    statistic : {"binomial", "hypergeometric"}, default "binomial"
        Whether rows are drawn with or without replacement.
    limit : float, default 1.0
        Upper limit of the r-value of rules. At 1.0, any rule is accepted in which the class is more frequent
        than among the remaining rows.
    categorical_features : "from_dtype", mask, names or indices
        Which columns are nominal.
    arities : sequence of int or None, optional
        Number of values of each column of integer codes.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    rules_ : RuleSet
        The rules, class by class. `rules_table` shows them.
    class_prior_ : ndarray of float64, shape (n_classes,)
        Class frequencies of all training rows, with Laplace's correction (n_c + 1) / (n + n_classes).
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    InductRDRClassifier : Rules with exceptions, which predict exactly one class.
    FOILClassifier : Unordered rules chosen by information gain.

    Notes
    -----
    If k of the n remaining rows have the class, and z of the s rows that the rule covers, the r-value is the
    probability that s random rows include z or more rows of the class. Thresholds lie midway between two
    values where the class changes. In ties, the first attribute and its first value are taken.

    `predict_proba` returns the Laplace-corrected class frequencies of the training rows that get the same set
    of classes, and `class_prior_` if there are no such rows. `predict` depends on the rules that fire. If the
    set does not have exactly one class, the prediction may therefore differ from the most probable class
    (which one of scikit-learn's checks does not allow). One condition takes time O(rows x attributes). `fit`
    to the adult data (48,842 rows, 14 columns) takes 0.3 s.

    References
    ----------
    .. [1] B. R. Gaines, "An ounce of knowledge is worth a ton of data", Sixth International Workshop on
       Machine Learning, 1989.
    .. [2] J. G. Cleary, S. Legg, I. H. Witten, "An MDL estimate of the significance of rules", 1996,
       where it is called Induct-DNF.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"sky": ["sun", "sun", "rain", "rain"] * 5, "wind": [1.0, 9.0, 1.0, 9.0] * 5})
    >>> y = ["go", "stay", "stay", "stay"] * 5
    >>> print(InductDNFClassifier().fit(X, y).export_text())
    if sky = sun and wind <= 5 then go  (5 of 5)
    if sky = rain then stay  (10 of 10)
    if wind > 5 then stay  (10 of 10)
    """

    workbench_identity = "learners.rules.induct_dnf:InductDNFClassifier"
    facts = LearnerFacts(
        key="induct_dnf",
        authors="Gaines",
        title="An ounce of knowledge is worth a ton of data",
        year=1989,
        numbers="taken",
        missing="fails tests",
        weights="any",
        also=("predict_set", "export_text", "rules_table", "theory_complexity"),
    )
    _quality = "r_value"

    def __init__(
        self,
        statistic: str = "binomial",
        limit: float = 1.0,
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.statistic = statistic
        self.limit = limit
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "InductDNFClassifier":
        """Learn the rules of each class.

        `X` has the training rows, `y` their class labels, and `sample_weight` optional weights of the rows.

        Raises
        ------
        ValueError
            If a parameter is out of range.
        """
        statistic, limit = check_chance(self.statistic, self.limit)
        training = self._read_training(X, y, sample_weight)
        table = GrowthTable.of(training)
        growth = InductGrowth.of(table, self._schema, statistic, limit)
        rules = [rule for target in self._declared_order.tolist() for rule in _rules_of(growth, target)]
        self._keep_rules(rules, table, training.n_classes)
        return self


def _rules_of(growth: InductGrowth, target: int) -> list[LearnedRule]:
    """Learn rules for one class until all of its rows are covered or no rule is found."""

    def next_rule(left: RemainingRows) -> tuple[LearnedRule, NDArray[np.int32]] | None:
        grown = growth.grow(left.rows, left.of_class, left.counts())
        if grown is None:
            return None
        return LearnedRule(grown.conditions, target, quality=math.exp(grown.log_chance)), grown.rows

    return cover_class(growth.table, target, next_rule)
