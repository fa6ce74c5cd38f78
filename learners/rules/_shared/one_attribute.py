"""The base of learners that use a single attribute: forecasts, sets, text and table."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from learners.base import SingleSetClassifier, TrainingTable
from learners.code_lengths.theory import TheoryLength
from learners.rules._shared.attribute_split import AttributeSplit
from learners.rules._shared.split_theory import SplitCode, SplitLanguage, value_theory
from learners.shown_text import ShownText, label_text

__all__ = ["OneAttributeClassifier"]


class OneAttributeClassifier(SingleSetClassifier):
    """Base class of learners that forecast the class frequencies of one group of rows."""

    # a learner has the parameter `missing_sets`, and calls `_check_sets` and `_keep_split` in `fit`
    _takes_numbers = True

    def predict_set(self, X: Any) -> NDArray[np.bool_]:
        """Predict a set of one class, or the empty set, for each row.

        With ``missing_sets="empty"``, a row in which the attribute is missing gets the empty set, even if it
        was also missing in training rows. With ``"predicted"``, the row gets the class of `predict`.

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
        groups = self._groups(X)
        missed = (groups == len(self._of_group) - 1) & (self.split_ is not None)
        return self._sets(self._answers()[groups], missed)

    def export_text(self) -> ShownText:
        """Return each branch as text: its class, the weight of correctly classified rows, and of all rows.

        Returns
        -------
        str
        """
        table = self.rules_table()
        lines = [
            f"    {rule} -> {label_text(label)}  ({right:g} of {covered:g})"
            for rule, label, covered, right in table.itertuples(index=False, name=None)
        ]
        head = "no attribute" if self.attribute_ is None else label_text(self.attribute_)
        return ShownText("\n".join([head, *lines]))

    def rules_table(self) -> pd.DataFrame:
        """Return the branches as a table.

        Returns
        -------
        DataFrame
            One row for each branch with training rows: its description, its class, the weight of its training
            rows, and the weight of those rows that have this class.
        """
        check_is_fitted(self)
        by_group = self._counts[None] if self.split_ is None else self.split_.by_group
        labels = ("any",) if self.split_ is None else (*self.split_.labels, "missing")
        shown = np.flatnonzero(by_group.any(axis=1))
        order = self._declared_order
        best = order[by_group[:, order].argmax(axis=1)]
        return pd.DataFrame(
            {
                "rule": [labels[k] for k in shown],
                "class": self.classes_[best[shown]],
                "covered": by_group[shown].sum(axis=1),
                "right": by_group[shown].max(axis=1),
            }
        )

    def _theory(self) -> TheoryLength:
        language = SplitLanguage(self.n_features_in_, self._n_cuts, len(self.classes_))
        if self.split_ is None:
            return language.constant_complexity()
        return self._split_code()(self.split_, self._answers(), language)

    def _split_code(self) -> SplitCode:
        return value_theory

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # one attribute is rarely enough
        return tags

    def _keep_split(self, split: AttributeSplit | None, table: TrainingTable) -> None:
        """Set the fitted attributes. A group without rows gets the class frequencies of all rows."""
        self.split_ = split
        self.attribute_ = None if split is None else split.name(self._schema)
        self._n_cuts = 0 if split is None else split.n_cuts(table)
        self._counts = table.class_counts()
        self.class_prior_ = self._counts / self._counts.sum()
        by_group = self._counts[None] if split is None else split.by_group
        empty = ~by_group.any(axis=1, keepdims=True)
        filled = np.where(empty, self._counts, by_group)
        self._of_group = filled / filled.sum(axis=1, keepdims=True)

    def _answers(self) -> NDArray[np.intp]:
        """Return the class of each group, that of rows without a value last."""
        order = self._declared_order
        return order[self._of_group[:, order].argmax(axis=1)]

    def _groups(self, X: Any) -> NDArray[np.intp]:
        coded = self._code(X)
        return np.zeros(coded.n_samples, np.intp) if self.split_ is None else self.split_.groups(coded)

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        return self._of_group[self._groups(X)]
