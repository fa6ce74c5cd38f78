"""C4.5rules, release 8."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from learners.base import TheoryClassifier, TrainingTable
from learners.code_lengths.theory import TheoryLength
from learners.facts import LearnerFacts
from learners.options import check_number
from learners.rules.sets.path_rules import rules_of_paths
from learners.rules.sets.rule_choice import Coverage, RuleBits, choose_rules
from learners.rules.sets.rule_list import RuleList, make_rule_list
from learners.rules.sets.ruleset import LearnedRule, RuleSet
from learners.rules.sets.theory import RuleLanguage, list_theory
from learners.shown_text import ShownText, label_text
from learners.tables.attributes import CodedTable
from learners.trees._shared.tree_classifier import check_confidence
from learners.trees._shared.unpruned_c45 import grow_c45_tree
from learners.trees.growing.training_rows import TreeRows, rank_rows, warn_of_close_numbers
from learners.trees.pruning.error_based import c45_bound

__all__ = ["C45RulesClassifier"]

LEAST_CONFIDENCE = 0.3  # of a rule that fires


class C45RulesClassifier(TheoryClassifier):
    """C4.5rules: ordered rules derived from the paths of an unpruned C4.5 tree.

    It assumes that each class has a few regions, which may overlap, each defined by few attributes. The first
    rule that fires determines the prediction. A missing value fails every condition on its attribute. A row
    for which no rule fires gets the default class.

    Parameters
    ----------
    confidence : float, default 0.25
        Confidence of the bound on the errors of a rule, between 0 and 1. Smaller values make rules more
        general.
    min_weight : float, default 2
        Minimum weight of training rows that at least two branches of a test of the tree must have.
    random_state : int, Generator or None, default 0
        Seed of the random sets of rules from which the search starts if a class has more than 10 rules. None
        draws new sets in each `fit`.
    categorical_features : {"from_dtype"} or mask, names or indices, default "from_dtype"
        Nominal columns. By default determined by dtype.
    arities : sequence of int or None, optional
        Number of values of each column of integer codes. None infers the number from the data.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted, including declared classes without rows.
    rules_ : RuleSet
        The rules, in the order in which they are tried. `rules_table` shows them.
    default_class_ : object
        The class that is predicted if no rule fires.
    class_prior_ : ndarray of shape (n_classes,)
        Class frequencies of the training rows.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    C45Classifier : The decision tree of C4.5.
    FOILClassifier : Unordered rules.

    Notes
    -----
    Each path of the tree is generalized to a rule. The rules of each class are chosen by minimum description
    length. Then the rules are ordered, a default class is chosen, and harmful rules are dropped. Two rules of
    one class are equal if all their conditions are equal. The original program ignores on which side of a
    threshold a condition is when it compares rules.

    The original program reports a rule's confidence, but no class distribution. Here `predict_proba` returns
    the class frequencies of the training rows for which the rule is the first to fire, or of all rows that it
    covers if it is the first for no row. For the default, it returns the class frequencies of the rows that
    no rule covers, or of all rows if every row is covered. Probabilities can be 0. `predict` and
    `predict_set` return the class of the rule, as the program does. This is not the most probable class if
    most of these training rows have another class.

    As in the original program, no cut is made between numbers at most 1e-5 apart, whatever the scale of their
    column. For instance, a column with the values 1e-7 and 2e-7 is never tested. If all gaps of a column are
    so small, `fit` warns. Rescale such columns.

    References
    ----------
    .. [1] Quinlan, J. R., "C4.5: Programs for Machine Learning", Morgan Kaufmann 1993, chapter 5.
    .. [2] Quinlan, J. R., "MDL and categorical theories (continued)", ICML 1995.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"sky": list("ssrrssrr") * 3, "wind": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0] * 3})
    >>> learner = C45RulesClassifier().fit(X, list("aabbaacc") * 3)
    >>> print(learner.export_text().expandtabs(4))
    Rule 3:
            sky = s
        ->  class a  [89.1%]
    <BLANKLINE>
    Rule 1:
            sky = r
            wind <= 5
        ->  class b  [79.4%]
    <BLANKLINE>
    Rule 2:
            sky = r
            wind > 5
        ->  class c  [79.4%]
    <BLANKLINE>
    Default class: a
    >>> learner.rules_table()[["number", "rule", "class", "used", "wrong"]]
       number                  rule class  used  wrong
    0       3               sky = s     a  12.0    0.0
    1       1  sky = r and wind <= 5     b   6.0    0.0
    2       2   sky = r and wind > 5     c   6.0    0.0
    """

    workbench_identity = "learners.rules.c45_rules:C45RulesClassifier"
    facts = LearnerFacts(
        key="c45rules",
        authors="Quinlan",
        title="C4.5: Programs for Machine Learning",
        year=1993,
        numbers="taken",
        missing="fails tests",
        weights="any",
        also=("predict_set", "export_text", "rules_table", "theory_complexity"),
    )
    _takes_numbers = True

    def __init__(
        self,
        confidence: float = 0.25,
        min_weight: float = 2,
        random_state: Any = 0,
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.confidence = confidence
        self.min_weight = min_weight
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "C45RulesClassifier":
        """Grow the tree, derive rules from its paths, and choose and order the rules.

        `X` has the training rows, `y` their class labels, and `sample_weight` optional weights of the rows.

        Raises
        ------
        ValueError
            If a parameter is out of range.

        Warns
        -----
        CloseNumbersWarning
            If all neighboring numbers of a column are at most 1e-5 apart.
        """
        bound = c45_bound(check_confidence(self.confidence, below=1.0))
        least = check_number("min_weight", self.min_weight, above=0)
        rng = _generator(self.random_state)
        table = self._read_training(X, y, sample_weight)
        rows = rank_rows(table, self._schema, class_order=self._declared_order)
        self._n_cuts = rows.n_cuts[list(self._schema.numeric)]
        warn_of_close_numbers(rows, self._schema)
        coded = CodedTable(table.codes, table.values, table.y.size)
        tree = grow_c45_tree(rows, min_weight=least)
        rules = rules_of_paths(tree, rows, bound, self._schema)
        chosen = self._choose(rules, rows, coded, rng)
        found = make_rule_list(
            [rules[r] for r in chosen], [r + 1 for r in chosen], coded, table.arities, rows.y, rows.weight,
            rows.n_classes,
        )  # fmt: skip
        self._keep(rules, found, table, coded)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of the first rule that fires on each row, or the default class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Columns as in `fit`.

        Returns
        -------
        ndarray of shape (n_samples,)
            Class labels.
        """
        check_is_fitted(self)
        return self.classes_[self._conclusions[self._first_rules(X)]]

    def predict_set(self, X: Any) -> NDArray[np.bool_]:
        """Return the class of `predict` as a set of one class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Columns as in `fit`.

        Returns
        -------
        ndarray of bool, shape (n_samples, n_classes)
            Columns in the order of `classes_`.
        """
        check_is_fitted(self)
        answers = self._conclusions[self._first_rules(X)]
        return np.asarray(answers[:, None] == np.arange(len(self.classes_)))

    def export_text(self) -> ShownText:
        """Return the rules as text in the layout of C4.5rules.

        Returns
        -------
        str
            The expected accuracy of a rule is in brackets. Rules that were dropped in the last step are
            listed at the end.
        """
        check_is_fitted(self)
        blocks = [
            f"Rule {number}:\n"
            + "".join(f"    \t{condition.text(self._schema)}\n" for condition in rule.conditions)
            + f"\t->  class {label_text(self.classes_[rule.conclusion])}  [{100 * rule.quality:.1f}%]"
            for number, rule in self._printed
        ]
        dropped = [f"Drop rule {number}" for number in self._dropped]
        return ShownText(
            "\n\n".join([*blocks, f"Default class: {label_text(self.default_class_)}", *dropped])
        )

    def rules_table(self) -> pd.DataFrame:
        """Return the rules as a table.

        Returns
        -------
        DataFrame
            Rules in the order in which they are tried. The columns are `number` (as in `export_text`),
            `rule`, `class`, `covered` and `right` (weights of all and of correctly classified training rows
            that the rule covers), and `confidence` (expected accuracy). `used` and `wrong` are the weights of
            all and of misclassified rows for which the rule is the first to fire. `better` is the weight of
            those rows that the rule classifies correctly and the rest of the list would misclassify, `worse`
            the weight of the opposite case.
        """
        check_is_fitted(self)
        frame = self.rules_.frame(self._schema, self.classes_, quality="confidence")
        frame.insert(0, "number", self._numbers)
        for j, name in enumerate(("used", "wrong", "better", "worse")):
            frame[name] = self._worth[:, j]
        return frame

    def _theory(self) -> TheoryLength:
        language = RuleLanguage(self._schema, self._n_cuts, len(self.classes_))
        return list_theory(self.rules_, int(self._conclusions[-1]), language)

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        return self._frequencies[self._first_rules(X)]

    def _first_rules(self, X: Any) -> NDArray[np.int64]:
        """Return the first rule that fires on each row, or -1, the last entry, for the default."""
        return self.rules_.first_firing(self._code(X))

    def _keep(
        self, rules: list[LearnedRule], found: RuleList, table: TrainingTable, coded: CodedTable
    ) -> None:
        """Set the fitted attributes, and reorder the classes of the rules as in `classes_`."""
        order = self._declared_order
        kept = [replace(rule, conclusion=int(order[rule.conclusion])) for rule in found.rules]
        self.rules_ = RuleSet.of(kept, table.arities)
        self.default_class_ = self.classes_[order[found.default]]
        self.class_prior_ = table.class_counts() / table.class_counts().sum()
        self._numbers, self._worth, self._dropped = found.number, found.worth, found.dropped
        self._conclusions = np.append(self.rules_.conclusions, order[found.default])
        self._printed = [
            (number, replace(rules[number - 1], conclusion=int(order[rules[number - 1].conclusion])))
            for number in found.before
        ]
        first = self.rules_.first_firing(coded)
        n_rules, n_classes = len(kept), table.n_classes
        place = np.where(first < 0, n_rules, first) * n_classes + table.y
        counts = np.bincount(place, weights=table.weight, minlength=(n_rules + 1) * n_classes)
        by_rule = counts.reshape(-1, n_classes).astype(np.float64)
        for r in np.flatnonzero(by_rule[:-1].sum(axis=1) == 0):  # others are always before it
            fires = RuleSet.of([kept[r]], table.arities).fires(coded)[:, 0]
            weight = None if table.weight is None else table.weight[fires]
            by_rule[r] = np.bincount(table.y[fires], weights=weight, minlength=n_classes)
        if not by_rule[-1].any():
            by_rule[-1] = self.class_prior_
        self._frequencies = by_rule / by_rule.sum(axis=1, keepdims=True)

    def _choose(
        self, rules: list[LearnedRule], rows: TreeRows, coded: CodedTable, rng: np.random.Generator
    ) -> list[int]:
        """Choose rules class by class. Rules with too little confidence count as never firing."""
        arities = self.arities_
        bits = RuleBits.of(coded, rows.weight, arities)
        chosen: list[int] = []
        for target in range(rows.n_classes):
            of_class = [r for r, rule in enumerate(rules) if rule.conclusion == target]
            of_class = [r for r in of_class if rules[r].quality >= LEAST_CONFIDENCE]
            coverage = Coverage.of([rules[r] for r in of_class], coded, arities)
            lengths = np.array([bits.rule(rules[r].conditions) for r in of_class])
            found = choose_rules(lengths, coverage, rows.y == target, rows.weight, rng)
            chosen += [r for r, is_in in zip(of_class, found, strict=True) if is_in]
        return sorted(chosen)


def _generator(random_state: Any) -> np.random.Generator:
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        raise ValueError(
            "random_state must be None, a whole number of at least 0 or a numpy Generator, but was "
            f"{random_state!r}."
        ) from None
