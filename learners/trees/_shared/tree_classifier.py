"""The base of tree learners: forecasts, sets, text and drawing of a grown tree."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from learners.base import SingleSetClassifier
from learners.code_lengths.theory import TheoryLength
from learners.options import check_number
from learners.shown_text import ShownText, label_text
from learners.trees.display.text import TextLayout, TreeNames, tree_text
from learners.trees.growing.training_rows import TreeRows, rank_rows
from learners.trees.nodes.forecast import TreeForecast, forecast_tree
from learners.trees.nodes.node_table import NodeTable
from learners.trees.nodes.theory import tree_theory
from learners.trees.pruning.error_based import ErrorBound

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["TreeClassifier", "check_confidence"]


class TreeClassifier(SingleSetClassifier):
    """Base class of learners of one tree, which have `missing_sets` and call `_keep_tree` in `fit`."""

    _takes_numbers = True
    _layout: TextLayout
    _n_cuts: NDArray[np.int64]  # the `TreeRows.n_cuts` of the training rows

    def predict_set(self, X: Any) -> NDArray[np.bool_]:
        """Predict a set of one class, or the empty set, for each row.

        With ``missing_sets="empty"``, a row with a missing value that the tree tests on its path gets the
        empty set, since the row reaches no leaf with certainty. With ``"predicted"``, the row gets the class
        of `predict`.

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
        forecast = self._tree_forecast(X)
        order = self._declared_order
        best = order[forecast.y_prob[:, order].argmax(axis=1)]
        return self._sets(best, forecast.met_missing)

    def export_text(self) -> ShownText:
        """Return the tree as text, one line for each branch, in the layout of the original program.

        Returns
        -------
        str
            Text of the tree. In brackets after a leaf are the weight of its training rows and, if there are
            any, its errors.
        """
        check_is_fitted(self)
        return ShownText(tree_text(self.tree_, self._names(), self._layout))

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the tree.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes to draw on. By default a new figure of suitable size.

        Returns
        -------
        matplotlib Axes
        """
        from learners.trees.display.drawing import plot_tree

        check_is_fitted(self)
        return plot_tree(self.tree_, self._names(), ax)

    def _theory(self) -> TheoryLength:
        return tree_theory(self.tree_, self._n_cuts)

    def _read_rows(self, X: Any, y: Any, sample_weight: Any) -> TreeRows:
        """Read the training table, numbers as ranks, classes in declared order."""
        table = self._read_training(X, y, sample_weight)
        rows = rank_rows(table, self._schema, class_order=self._declared_order)
        self._n_cuts = rows.n_cuts
        return rows

    def _keep_tree(self, tree: NodeTable, of_leaf: NDArray[np.float64], bound: ErrorBound) -> None:
        """Set the fitted attributes. The classes of the tree are in the order of `classes_`."""
        self.tree_, self._of_leaf = tree, of_leaf
        self.n_leaves_, self.n_nodes_ = tree.n_leaves, tree.n_nodes
        leaves = tree.is_leaf
        expected = tree.wrong[leaves] + bound.added(tree.weight[leaves], tree.wrong[leaves])
        self.estimated_error_ = float(expected.sum() / tree.weight[0])
        self.class_prior_ = tree.class_weight[0] / tree.weight[0]

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        return self._tree_forecast(X).y_prob

    def _tree_forecast(self, X: Any) -> TreeForecast:
        return forecast_tree(self.tree_, self._of_leaf, self._schema, self._code(X))

    def _names(self) -> TreeNames:
        attributes = [
            f"x{name}" if isinstance(name, int) else label_text(name) for name in self._schema.names
        ]
        values: list[Sequence[str]] = [[label_text(v) for v in a.states] for a in self._schema.attributes]
        return TreeNames(attributes, values, [label_text(c) for c in self.classes_.tolist()])


def check_confidence(value: Any, *, below: float | None = None, at_most: float | None = None) -> float:
    """Return the parameter `confidence` as a float, or raise an error if it is out of range."""
    confidence = check_number("confidence", value, above=0)
    if (below is not None and confidence >= below) or (at_most is not None and confidence > at_most):
        bound = f"below {below:g}" if below is not None else f"at most {at_most:g}"
        raise ValueError(f"confidence must be above 0 and {bound}, but was {value!r}.")
    return confidence
