"""The base of learners of unordered rules: sets of classes, and predictions from these sets."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from learners.base import TheoryClassifier
from learners.code_lengths.theory import TheoryLength
from learners.rules.growing.growth_rows import GrowthTable
from learners.rules.sets.ruleset import LearnedRule, RuleSet
from learners.rules.sets.theory import RuleLanguage, set_theory
from learners.shown_text import ShownText

__all__ = ["UnorderedRulesClassifier", "SetFrequencies"]


class UnorderedRulesClassifier(TheoryClassifier):
    """Base class of learners of unordered rules: a row gets each class with a firing rule."""

    _takes_numbers = True
    _quality = "quality"
    _negates = False

    def predict_set(self, X: Any) -> NDArray[np.bool_]:
        """Predict the set of classes that have a rule that fires.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Columns as in `fit`.

        Returns
        -------
        ndarray of bool, shape (n_samples, n_classes)
            Columns in the order of `classes_`. A row may get no class or several.
        """
        check_is_fitted(self)
        return self._support(self._code(X)) > 0

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict one class for each row.

        Each rule that fires votes for its class with the weight of the training rows of this class that it
        covers. The class with the most votes is predicted. If no rule fires, the most frequent class of the
        training rows is predicted. The predicted class need not be the most probable class of
        `predict_proba`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Columns as in `fit`.

        Returns
        -------
        ndarray of shape (n_samples,)
            Class labels. Ties go to the class declared first.
        """
        check_is_fitted(self)
        support = self._support(self._code(X))
        none = ~support.any(axis=1)
        support[none] = self._class_counts
        best = self._declared_order[support[:, self._declared_order].argmax(axis=1)]
        return self.classes_[best]

    def export_text(self) -> ShownText:
        """Return the rules as text, one per line, with the weights of rows classified correctly and covered.

        Returns
        -------
        str
        """
        check_is_fitted(self)
        lines = self.rules_.text(self._schema, self.classes_)
        counts = [f"  ({rule.right:g} of {rule.covered:g})" for rule in self.rules_.rules]
        return ShownText("\n".join(map("".join, zip(lines, counts, strict=True))) or "no rules")

    def rules_table(self) -> pd.DataFrame:
        """Return the rules as a table.

        Returns
        -------
        DataFrame
            One row per rule: its conditions as text, its class, the weight of the training rows that it
            covers, the weight of the rows that it classifies correctly, and its quality.
        """
        check_is_fitted(self)
        return self.rules_.frame(self._schema, self.classes_, quality=self._quality)

    def _theory(self) -> TheoryLength:
        language = RuleLanguage(self._schema, self._n_cuts, len(self.classes_), self._negates)
        return set_theory(self.rules_, language)

    def _keep_rules(self, rules: Sequence[LearnedRule], table: GrowthTable, n_classes: int) -> None:
        """Count the rows that rules cover (`covered`, `right`) and the classes by prediction set."""
        weight = table.weight if table.weight.size else None
        fires = RuleSet.of(rules, table.arities).fires(table.coded)
        each = np.ones(table.y.size) if weight is None else weight
        counted = []
        for rule, rows in zip(rules, fires.T, strict=True):
            right = float(each[rows & (table.y == rule.conclusion)].sum())
            counted.append(replace(rule, covered=float(each[rows].sum()), right=right))
        self.rules_, self._n_cuts = RuleSet.of(counted, table.arities), table.n_cuts
        self._class_counts = np.bincount(table.y, weights=weight, minlength=n_classes).astype(np.float64)
        self._frequencies = SetFrequencies.of(self._support(table.coded) > 0, table.y, weight)
        self.class_prior_ = self._frequencies.frequencies[-1]

    def _support(self, coded: Any) -> NDArray[np.float64]:
        """Add up the correctly classified training rows of the firing rules, class by class."""
        strength = np.array([rule.right for rule in self.rules_.rules], dtype=np.float64)
        return self.rules_.support(coded, strength, len(self.classes_))

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        return self._frequencies.forecast(self._support(self._code(X)) > 0)


WORD = 64  # classes that fit into one key


@dataclass(frozen=True)
class SetFrequencies:
    """Class probabilities by prediction set."""

    places: dict[bytes, int]  # line of `frequencies` for each set that training rows got
    frequencies: NDArray[np.float64]  # Laplace frequencies of the classes; those of all rows last

    @classmethod
    def of(cls, y_set: NDArray[np.bool_], y: NDArray[np.intp], weight: NDArray[np.float64] | None) -> Self:
        """Count the classes of the training rows set by set."""
        n_classes = y_set.shape[1]
        firsts, ids = _distinct_sets(y_set)
        counts = np.bincount(ids * n_classes + y, weights=weight, minlength=firsts.size * n_classes)
        by_set = counts.reshape(-1, n_classes).astype(np.float64)
        by_set = np.vstack([by_set, by_set.sum(axis=0)]) + 1.0
        places = {y_set[first].tobytes(): k for k, first in enumerate(firsts)}
        return cls(places, by_set / by_set.sum(axis=1, keepdims=True))

    def forecast(self, y_set: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the class frequencies of training rows with the same set, or of all rows if none has it."""
        firsts, ids = _distinct_sets(y_set)
        unknown = len(self.places)
        lines = np.array(
            [self.places.get(y_set[first].tobytes(), unknown) for first in firsts], dtype=np.intp
        )
        return self.frequencies[lines[ids]]


def _distinct_sets(y_set: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the first row of each distinct set, and for each row the number of its set, by hashing."""
    ids = np.zeros(len(y_set), dtype=np.intp)
    for first in range(0, y_set.shape[1], WORD):
        part = y_set[:, first : first + WORD]
        words = part @ (np.uint64(1) << np.arange(part.shape[1], dtype=np.uint64))
        here, words_here = pd.factorize(words)
        ids = pd.factorize(ids * len(words_here) + here)[0]
    n_sets = int(ids.max()) + 1 if ids.size else 0
    firsts = np.zeros(n_sets, dtype=np.intp)
    firsts[ids[::-1]] = np.arange(len(ids) - 1, -1, -1)
    return firsts, ids
