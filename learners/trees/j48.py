"""J48, Weka's version of C4.5."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.facts import LearnerFacts, Variant
from learners.options import check_flag, check_number
from learners.trees._shared.tree_classifier import TreeClassifier, check_confidence
from learners.trees.display.text import WEKA_LAYOUT
from learners.trees.growing.gain_ratio import GainRatio, GainRules
from learners.trees.growing.growth import grow_tree
from learners.trees.growing.training_rows import GAP, warn_of_close_numbers
from learners.trees.nodes.forecast import leaf_frequencies
from learners.trees.nodes.node_table import NodeTable
from learners.trees.pruning.error_based import collapsed, prune_tree, weka_bound

__all__ = ["J48Classifier"]

TIE = 1e-6  # Weka treats numbers that differ by less as equal


class J48Classifier(TreeClassifier):
    """J48 decision tree: Weka's version of C4.5, used in comparisons of 2002 and later.

    It assumes what C4.5 assumes: that the class depends on few attributes at a time, and on numbers through
    thresholds. J48 differs from C4.5 in the bound on the errors of a leaf, in never using a test without
    information gain, and in the forecasts at leaves without rows.

    Parameters
    ----------
    prune : bool, default True
        Whether the tree is pruned by expected errors (False is Weka's -U).
    confidence : float, default 0.25
        Confidence level of the upper bound on the errors of a leaf, above 0 and at most 0.5. Smaller values
        prune more (-C).
    min_weight : float, default 2
        Minimum weight of training rows that at least two branches of a test must have (-M).
    raising : bool, default True
        Whether pruning may replace a node by its largest branch (False is -S).
    collapse : bool, default True
        Whether a subtree that saves no training errors becomes a leaf before pruning (False is -O).
    laplace : bool, default False
        Whether a leaf forecasts (n_c + 1) / (n + n_classes) instead of n_c / n (-A).
    missing_sets : {"empty", "predicted"}, default "empty"
        Result of `predict_set` for a row with a missing value that the tree tests on its path: "empty" is no
        class, and "predicted" is the class of `predict`.
    categorical_features : {"from_dtype"} or mask, names or indices, default "from_dtype"
        Nominal columns. By default determined by dtype.
    arities : sequence of int or None, optional
        Number of values of each column of integer codes. None infers the number from the data.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted, including declared classes without rows.
    tree_ : NodeTable
        The tree. Its `errors` are training errors.
    n_leaves_, n_nodes_ : int
        Number of leaves and number of all nodes ("size of the tree"), including empty leaves.
    estimated_error_ : float
        Expected error rate on new rows.
    class_prior_ : ndarray of shape (n_classes,)
        Class frequencies of the training rows.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    C45Classifier : C4.5 as in Quinlan's program.

    Notes
    -----
    As in the original program, no cut is made between numbers at most 1e-5 apart, whatever the scale of their
    column. For instance, a column with the values 1e-7 and 2e-7 is never tested. If all gaps of a column are
    so small, `fit` warns. Rescale such columns.

    References
    ----------
    .. [1] Witten, I. H., and Frank, E., "Data Mining: Practical Machine Learning Tools and Techniques",
       Morgan Kaufmann 2005, sections 6.1 and 10.4.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"sky": list("ssrrssrr"), "wind": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]})
    >>> learner = J48Classifier().fit(X, list("aabbaacc"))
    >>> print(learner.export_text())
    sky = r
    |   wind <= 5: b (2.0)
    |   wind > 5: c (2.0)
    sky = s: a (4.0)
    >>> J48Classifier(laplace=True).fit(X, list("aabbaacc")).predict_proba(X.tail(1)).tolist()
    [[0.2, 0.2, 0.6]]
    """

    workbench_identity = "learners.trees.j48:J48Classifier"
    facts = LearnerFacts(
        key="j48",
        authors="Witten, Frank",
        title="Data Mining: Practical Machine Learning Tools and Techniques",
        year=2005,
        numbers="taken",
        missing="all branches",
        weights="any",
        also=("predict_set", "export_text", "plot", "theory_complexity"),
        variants={
            "j48_unpruned": Variant({"prune": False}),
        },
    )
    _layout = WEKA_LAYOUT

    def __init__(
        self,
        prune: bool = True,
        confidence: float = 0.25,
        min_weight: float = 2,
        raising: bool = True,
        collapse: bool = True,
        laplace: bool = False,
        missing_sets: str = "empty",
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.prune = prune
        self.confidence = confidence
        self.min_weight = min_weight
        self.raising = raising
        self.collapse = collapse
        self.laplace = laplace
        self.missing_sets = missing_sets
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "J48Classifier":
        """Grow and prune the tree.

        `X` has the training rows, `y` their class labels, and `sample_weight` optional weights of the rows.

        Raises
        ------
        ValueError
            If a parameter is invalid.

        Warns
        -----
        CloseNumbersWarning
            If all neighboring numbers of a column are at most 1e-5 apart.
        """
        self._check_sets()
        for name in ("prune", "raising", "collapse", "laplace"):
            check_flag(name, getattr(self, name))
        bound = weka_bound(check_confidence(self.confidence, at_most=0.5))
        least = check_number("min_weight", self.min_weight, above=0)
        rows = self._read_rows(X, y, sample_weight)
        warn_of_close_numbers(rows, self._schema)
        rules = GainRules(min_weight=least, gap=GAP, tie=TIE)
        tree = grow_tree(rows, GainRatio(rules, least_info=TIE, least_ratio=TIE), min_split=2 * least)
        if self.collapse:
            tree = collapsed(tree)
        if self.prune:
            tree = prune_tree(tree, rows, bound, raising=self.raising)
        tree = _labeled(tree).in_class_order(self._declared_order)
        self._keep_tree(tree, self._leaf_forecasts(tree), bound)
        return self

    def _leaf_forecasts(self, tree: NodeTable) -> NDArray[np.float64]:
        """Return the class frequencies at each node, or its parent's at a node without rows."""
        if self.laplace:
            n_classes = tree.class_weight.shape[1]
            shown = (tree.class_weight + 1) / (tree.weight[:, None] + n_classes)
        else:
            shown = leaf_frequencies(tree, of_empty=np.zeros_like(tree.class_weight))
        empty = tree.weight <= 0
        shown[empty] = shown[tree.parent[empty]]
        return shown


def _labeled(tree: NodeTable) -> NodeTable:
    """Label every node with its first largest class, or its parent's label, and count training errors."""
    label = tree.class_weight.argmax(axis=1).astype(np.int32)
    empty = tree.weight <= 0
    label[empty] = label[tree.parent[empty]]
    named = replace(tree, label=label)
    return replace(named, errors=named.sums_below(named.wrong))
