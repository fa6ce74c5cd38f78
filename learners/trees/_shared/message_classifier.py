"""The base of MML trees and graphs: training rows, names and codes."""

from typing import Any

from learners.tables.attributes import CodedTable
from learners.trees._shared.tree_classifier import TreeClassifier
from learners.trees.display.mml_text import message_names
from learners.trees.display.text import TreeNames
from learners.trees.mml.options import MessageTraining, MissingAsValue

__all__ = ["MessageClassifier"]


class MessageClassifier(TreeClassifier):
    """Base of the learners that minimize a message, in which missing values may count as values."""

    _missing_values: MissingAsValue

    def _read_message(self, X: Any, y: Any, sample_weight: Any) -> MessageTraining:
        """Read the training table, and prepare the codes to try."""
        training = MessageTraining.of(
            self._read_training(X, y, sample_weight),
            self._schema,
            self._declared_order,
            alpha=self.alpha,
            cut_code=self.cut_code,
            lookahead=self.lookahead,
            missing=self.missing,
        )
        self._missing_values, self._n_cuts = training.missing_values, training.rows.n_cuts
        return training

    def _names(self) -> TreeNames:
        return message_names(super()._names(), self._missing_values.of_columns(self._schema))

    def _code(self, X: Any) -> CodedTable:
        return self._missing_values.coded(super()._code(X))
