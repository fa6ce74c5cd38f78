"""C4.5, release 8."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from learners.facts import LearnerFacts, Variant
from learners.options import check_flag, check_number
from learners.trees._shared.tree_classifier import TreeClassifier, check_confidence
from learners.trees._shared.unpruned_c45 import grow_c45_tree
from learners.trees.display.text import C45_LAYOUT
from learners.trees.growing.training_rows import warn_of_close_numbers
from learners.trees.nodes.forecast import leaf_frequencies
from learners.trees.pruning.error_based import c45_bound, prune_tree

__all__ = ["C45Classifier"]


class C45Classifier(TreeClassifier):
    """C4.5 decision tree of Quinlan: splits by gain ratio, then pruning by estimated errors.

    It assumes that the class depends on few attributes at a time, possibly on different attributes for
    different values of others, and on numbers through thresholds. A test of a nominal attribute has a branch
    for each value. A row with a missing value goes down all branches of a test, with weights in proportion to
    the training rows.

    Parameters
    ----------
    prune : bool, default True
        Whether the tree is pruned. If False, the tree is still collapsed, as in Quinlan's program: a subtree
        that saves no training errors becomes a leaf.
    confidence : float, default 0.25
        Confidence level of the upper bound on the errors of a leaf, between 0 and 1. Smaller values prune
        more.
    min_weight : float, default 2
        Minimum weight of training rows that at least two branches of a test must have.
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
        The tree. Its `errors` are expected errors if the tree was pruned, and training errors otherwise.
    n_leaves_, n_nodes_ : int
        Number of leaves and number of all nodes (the size that C4.5 prints), including empty leaves.
    estimated_error_ : float
        Expected error rate on new rows.
    class_prior_ : ndarray of shape (n_classes,)
        Class frequencies of the training rows: the forecast for a row with all values missing.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    J48Classifier : Weka's version of C4.5.

    Notes
    -----
    Probabilities are the class frequencies at the leaf, including zeros. At a leaf without training rows, the
    most frequent class of its parent node has probability 1.

    As in the original program, no cut is made between numbers at most 1e-5 apart, whatever the scale of their
    column. For instance, a column with the values 1e-7 and 2e-7 is never tested. If all gaps of a column are
    so small, `fit` warns. Rescale such columns.

    Among tests with equal gain ratios, the first attribute is chosen. In the original program, the rounding
    of single precision determines the choice: its tree of the glass data has 45 nodes, ours 59.

    References
    ----------
    .. [1] Quinlan, J. R., "C4.5: Programs for Machine Learning", Morgan Kaufmann 1993.
    .. [2] Quinlan, J. R., "Improved use of continuous attributes in C4.5", JAIR 4, 1996, 77-90.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"sky": list("ssrrssrr"), "wind": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]})
    >>> learner = C45Classifier().fit(X, list("aabbaacc"))
    >>> print(learner.export_text())
    sky = s: a (4.0/1.2)
    sky = r:
    |   wind <= 5 : b (2.0/1.0)
    |   wind > 5 : c (2.0/1.0)
    >>> learner.predict_proba(X.tail(1)).tolist()
    [[0.0, 0.0, 1.0]]
    """

    workbench_identity = "learners.trees.c45:C45Classifier"
    facts = LearnerFacts(
        key="c45",
        authors="Quinlan",
        title="C4.5: Programs for Machine Learning",
        year=1993,
        numbers="taken",
        missing="all branches",
        weights="any",
        also=("predict_set", "export_text", "plot", "theory_complexity"),
        variants={
            "c45_unpruned": Variant({"prune": False}),
        },
    )
    _layout = C45_LAYOUT

    def __init__(
        self,
        prune: bool = True,
        confidence: float = 0.25,
        min_weight: float = 2,
        missing_sets: str = "empty",
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.prune = prune
        self.confidence = confidence
        self.min_weight = min_weight
        self.missing_sets = missing_sets
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "C45Classifier":
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
        prune = check_flag("prune", self.prune)
        bound = c45_bound(check_confidence(self.confidence, below=1.0))
        least = check_number("min_weight", self.min_weight, above=0)
        rows = self._read_rows(X, y, sample_weight)
        warn_of_close_numbers(rows, self._schema)
        tree = grow_c45_tree(rows, min_weight=least)
        if prune:
            tree = prune_tree(tree, rows, bound)
        tree = tree.in_class_order(self._declared_order)
        self._keep_tree(tree, leaf_frequencies(tree, of_empty=np.eye(rows.n_classes)[tree.label]), bound)
        return self
