"""C5.0, release 2.07: single and boosted trees."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from learners.code_lengths.theory import TheoryLength
from learners.facts import LearnerFacts, Variant
from learners.options import check_choice, check_flag, check_number, is_whole
from learners.shown_text import ShownText
from learners.tables.attributes import CodedTable
from learners.trees._kernels.forecast import add_votes
from learners.trees._shared.boosting import INACCURATE, BoostedTrees, Trial, boost
from learners.trees._shared.tree_classifier import TreeClassifier, check_confidence
from learners.trees.display.c50_text import c50_tree_text
from learners.trees.growing.gain_ratio import GainRules
from learners.trees.growing.threshold_gain import ThresholdGain
from learners.trees.growing.training_rows import TreeRows, rank_rows
from learners.trees.nodes.forecast import TreeForecast, asked_nodes, forecast_tree, leaf_frequencies
from learners.trees.nodes.node_table import NodeTable
from learners.trees.pruning.c50_pruning import (
    LEAST_LEAF,
    MergedLeaves,
    grow_collapsed,
    prune_globally,
    prune_locally,
)
from learners.trees.pruning.error_based import c45_bound

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["C50Classifier"]

PROBABILITIES = ("smoothed", "leaf")
TIE = 1e-9  # bits per row: smaller differences are rounding


class C50Classifier(TreeClassifier):
    """C5.0 decision tree of Quinlan, single or boosted.

    It assumes what C4.5 assumes: that the class depends on few attributes at a time, and on numbers through
    thresholds. With `trials` above 1, several trees vote. Each tree is trained with more weight on the rows
    that the previous trees misclassify.

    Parameters
    ----------
    trials : int, default 1
        Maximum number of trees that vote. Boosting ends earlier if a tree classifies nearly all rows
        correctly, or too many rows wrongly. If fewer than three trees remain, only the first tree is kept.
    confidence : float, default 0.25
        Confidence level of the upper bound on the errors of a leaf, between 0 and 1. Smaller values prune
        more.
    min_weight : float, default 2
        Minimum weight of training rows that at least two branches of a test must have.
    global_pruning : bool, default True
        Whether a second pruning step, after each node was pruned, removes the least useful subtrees as long
        as the tree's errors stay within one standard error.
    probabilities : {"smoothed", "leaf"}, default "smoothed"
        Forecast of a leaf with n rows. "smoothed" is (n f + p) / (n + 1), as in release 2.07, where f are the
        class frequencies at the leaf and p the class frequencies of all rows. "leaf" is f. If several trees
        vote, each tree votes for its most probable class, with that probability as weight. The forecast is
        the share of each class in the votes, so probabilities of 0 and 1 are frequent.
    missing_sets : {"empty", "predicted"}, default "empty"
        Result of `predict_set` for a row with a missing value that one of the trees tests on its path:
        "empty" is no class, and "predicted" is the class of `predict`.
    categorical_features : {"from_dtype"} or mask, names or indices, default "from_dtype"
        Nominal columns. By default determined by dtype.
    arities : sequence of int or None, optional
        Number of values of each column of integer codes. None infers the number from the data.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted, including declared classes without rows.
    trees_ : tuple of NodeTable
        The trees that vote. There is only one tree unless `trials` is above 1 and boosting helped.
    tree_ : NodeTable
        The first tree of `trees_`.
    rejected_trees_ : tuple of NodeTable
        Trees that were learned but do not vote.
    ended_ : str
        ``"very accurate"`` or ``"very inaccurate"`` if boosting ended because the last tree was so. Otherwise
        it is empty.
    n_leaves_ : int
        Number of leaves of the first tree, counted as in the program: empty leaves are not counted, and
        leaves with the same class below one test count once. `n_nodes_` counts all nodes.
    estimated_error_ : float
        Expected error rate of the first tree on new rows.
    class_prior_ : ndarray of shape (n_classes,)
        Class frequencies of the training rows.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    C45Classifier : The predecessor of C5.0.

    Notes
    -----
    C5.0 differs from C4.5 in the minimum gain of a test and the penalty for cuts, in pruning, and in
    boosting. As by default in the command-line program, values are not grouped, attributes are not winnowed,
    rows are not sampled, and misclassification costs are not used. Leaves with the same class below a test of
    three or more values are merged into one leaf. A row with a missing value goes down all branches.

    References
    ----------
    .. [1] Quinlan, J. R., "C5.0", release 2.07, RuleQuest Research.
    .. [2] Quinlan, J. R., "Bagging, boosting, and C4.5", AAAI 1996.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"sky": list("ssrrssrr") * 3, "wind": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0] * 3})
    >>> y = list("aabbaacc") * 3
    >>> learner = C50Classifier().fit(X, y)
    >>> print(learner.export_text())
    sky = s: a (12)
    sky = r:
    :...wind <= 5: b (6)
        wind > 5: c (6)
    >>> learner.predict_proba(X.tail(1)).round(3).tolist()
    [[0.071, 0.036, 0.893]]
    >>> C50Classifier(probabilities="leaf").fit(X, y).predict_proba(X.tail(1)).tolist()
    [[0.0, 0.0, 1.0]]
    """

    workbench_identity = "learners.trees.c50:C50Classifier"
    facts = LearnerFacts(
        key="c50",
        authors="Quinlan",
        title="Bagging, boosting, and C4.5; the program itself, C5.0, is release 2.07",
        year=1996,
        numbers="taken",
        missing="all branches",
        weights="any",
        also=("predict_set", "export_text", "plot", "theory_complexity"),
        variants={
            "c50_boosted": Variant(
                {"trials": 10},
                {"title": "Bagging, boosting, and C4.5", "also": ("predict_set", "export_text", "plot")},
            ),
        },
    )

    def __init__(
        self,
        trials: int = 1,
        confidence: float = 0.25,
        min_weight: float = 2,
        global_pruning: bool = True,
        probabilities: str = "smoothed",
        missing_sets: str = "empty",
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.trials = trials
        self.confidence = confidence
        self.min_weight = min_weight
        self.global_pruning = global_pruning
        self.probabilities = probabilities
        self.missing_sets = missing_sets
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "C50Classifier":
        """Grow and prune the tree, or the sequence of trees.

        `X` has the training rows, `y` their class labels, and `sample_weight` optional weights of the rows.

        Raises
        ------
        ValueError
            If a parameter is out of range.
        """
        self._check_sets()
        if not is_whole(self.trials) or self.trials < 1:
            raise ValueError(f"trials must be a whole number of at least 1, but was {self.trials!r}.")
        check_choice("probabilities", self.probabilities, PROBABILITIES)
        check_flag("global_pruning", self.global_pruning)
        self._bound = c45_bound(check_confidence(self.confidence, below=1.0))
        self._least = check_number("min_weight", self.min_weight, above=0)
        table = self._read_training(X, y, sample_weight)
        rows = rank_rows(table, self._schema, class_order=self._declared_order)
        self._n_cuts = rows.n_cuts
        coded = CodedTable(table.codes, table.values, table.y.size)

        def learn(trial: Trial) -> NodeTable:
            return self._learn_tree(rows, coded, trial)

        def classify(tree: NodeTable) -> NDArray[np.float64]:
            return forecast_tree(tree, _leaf_frequencies(tree), self._schema, coded).y_prob

        self._keep_trees(boost(rows.y, rows.weight, int(self.trials), learn, classify))
        return self

    def _learn_tree(self, rows: TreeRows, coded: CodedTable, trial: Trial) -> NodeTable:
        """Grow and prune the tree of one trial."""
        n_samples = float(rows.weight.sum())
        rules = GainRules(min_weight=self._least, gap=0.0, tie=TIE)
        search = ThresholdGain(rules, n_samples, trial.leaf_ratio)
        used = trial.grown_from
        grown = rows._replace(codes=rows.codes[used], y=rows.y[used], weight=trial.weight[used])
        tree = grow_collapsed(grown, search, min_split=2 * self._least)
        every = rows._replace(weight=trial.weight)
        tree = prune_locally(
            tree, every, search, self._bound, min_weight=self._least, regrow=trial.number == 0
        )
        if not self.global_pruning or tree.n_nodes == 1:
            return tree
        errors = float(tree.wrong[tree.is_leaf].sum())
        asked = np.unique(tree.attribute[~tree.is_leaf])
        if (rows.codes[:, asked] == rows.sizes[asked]).any():  # some rows miss what the tree tests
            y_prob = forecast_tree(tree, _leaf_frequencies(tree), self._schema, coded).y_prob
            errors = float(trial.weight[y_prob.argmax(axis=1) != rows.y].sum())
        return prune_globally(tree, errors=errors, n_samples=n_samples)

    def _keep_trees(self, found: BoostedTrees) -> None:
        """Set the fitted attributes, and reorder the classes of the trees as in `classes_`."""
        order = self._declared_order
        self.trees_ = tuple(tree.in_class_order(order) for tree in found.trees)
        self.rejected_trees_ = tuple(tree.in_class_order(order) for tree in found.rejected)
        self.ended_ = found.ended
        merged = [
            MergedLeaves.of(tree, empty_only=number > 0)
            for number, tree in enumerate(self.trees_ + self.rejected_trees_)
        ]
        self._merged = tuple(merged)
        self._of_leaves = tuple(
            _leaf_figures(tree, leaves) for tree, leaves in zip(self.trees_, merged, strict=False)
        )
        self._asked = tuple(asked_nodes(tree, self._schema) for tree in self.trees_)
        self._keep_tree(self.trees_[0], self._of_leaves[0][:, :-1], self._bound)
        shown = (merged[0].class_weight.sum(axis=1) >= LEAST_LEAF) & self.tree_.is_leaf
        self.n_leaves_ = int(np.unique(merged[0].first[shown]).size)

    def _tree_forecast(self, X: Any) -> TreeForecast:
        coded = self._code(X)
        if len(self.trees_) == 1:
            return self._forecast_one(0, coded)
        votes = np.zeros((coded.n_samples, len(self.classes_)))
        met_missing = np.zeros(coded.n_samples, dtype=bool)
        for number, tree in enumerate(self.trees_):
            reached = np.zeros(coded.n_samples, dtype=bool)
            add_votes(
                self._asked[number], tree.threshold, coded.codes, coded.values,
                *self._vote(self._smoothed(number, self._of_leaves[number])), votes, reached,
            )  # fmt: skip
            rows = np.flatnonzero(~reached)
            if rows.size:
                with_holes = CodedTable(
                    coded.codes.take(rows, axis=1), coded.values.take(rows, axis=1), rows.size
                )
                best, share = self._vote(self._forecast_one(number, with_holes).y_prob)
                votes[rows, best] += share
                met_missing[rows] = True
        return TreeForecast(votes / votes.sum(axis=1, keepdims=True), met_missing)

    def _forecast_one(self, number: int, coded: CodedTable) -> TreeForecast:
        figures, met_missing = forecast_tree(
            self.trees_[number], self._of_leaves[number], self._schema, coded
        )
        return TreeForecast(self._smoothed(number, figures), met_missing)

    def _smoothed(self, number: int, figures: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probabilities that a tree forecasts from the figures of a row or leaf."""
        y_prob, size = figures[:, :-1], figures[:, -1:]
        if self.probabilities == "smoothed":
            tree = self.trees_[number]
            y_prob = (size * y_prob + tree.class_weight[0] / tree.weight[0]) / (size + 1)
        return np.asarray(y_prob / y_prob.sum(axis=1, keepdims=True))

    def _vote(self, y_prob: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return the most probable class and its probability. Ties go to the class declared first."""
        best = self._declared_order[y_prob[:, self._declared_order].argmax(axis=1)]
        return best, y_prob[np.arange(best.size), best]

    def export_text(self) -> ShownText:
        """Return the tree as C5.0 prints it, one line for each branch, or all trees of a sequence.

        Returns
        -------
        str
            Text of the tree. In brackets after a leaf are the weight of its training rows and, if there are
            any, the weight of misclassified rows. Trees that do not vote are included. The last lines report
            why boosting ended.
        """
        check_is_fitted(self)
        parts = [
            c50_tree_text(tree, merged, self._names())
            for tree, merged in zip(self.trees_ + self.rejected_trees_, self._merged, strict=True)
        ]
        if self.trials == 1:
            return ShownText(parts[0])
        blocks = [f"-----  Trial {number}:  -----\n\n{part}" for number, part in enumerate(parts)]
        if self.ended_:
            n_left = len(parts) - (self.ended_ == INACCURATE and len(parts) > 1)
            trials = "1 trial" if n_left == 1 else f"{n_left} trials"
            blocks.append(f"*** boosting reduced to {trials} since last classifier is {self.ended_}")
        if len(self.trees_) == 1:
            blocks.append("*** boosting abandoned (too few classifiers)")
        return ShownText("\n\n".join(blocks))

    def _theory(self) -> TheoryLength:
        if len(self.trees_) > 1:
            raise ValueError(
                f"theory_complexity measures one tree, but {len(self.trees_)} boosted trees vote here, and "
                "votes are not a theory: fit with trials=1."
            )
        return super()._theory()

    def plot(self, ax: "Axes | None" = None, *, trial: int = 0) -> "Axes":
        """Draw one of the trees.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes to draw on. By default a new figure of suitable size.
        trial : int, default 0
            Index of the tree in `trees_`, from 0.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        NotFittedError
            If the learner is not fitted.
        ValueError
            If `trial` is not an index of a tree.
        """
        from learners.trees.display.drawing import plot_tree

        check_is_fitted(self)
        n_trees = len(self.trees_)
        if not is_whole(trial) or not 0 <= trial < n_trees:
            places = "0, as there is one tree" if n_trees == 1 else f"a whole number from 0 to {n_trees - 1}"
            raise ValueError(f"trial, the index of a tree in trees_, must be {places}, but was {trial!r}.")
        return plot_tree(self.trees_[trial], self._names(), ax)


def _leaf_frequencies(tree: NodeTable) -> NDArray[np.float64]:
    """Return the class frequencies at each node, or its parent's at a node without rows."""
    return leaf_frequencies(tree, of_empty=leaf_frequencies(tree, of_empty=tree.class_weight)[tree.parent])


def _leaf_figures(tree: NodeTable, merged: MergedLeaves) -> NDArray[np.float64]:
    """Return class frequencies and, in the last column, the weight of each leaf (its parent's if empty)."""
    class_weight = np.where(tree.is_leaf[:, None], merged.class_weight, tree.class_weight)
    empty = class_weight.sum(axis=1) < LEAST_LEAF
    class_weight[empty] = tree.class_weight[tree.parent[empty]]
    weight = class_weight.sum(axis=1, keepdims=True)
    return np.hstack([class_weight / weight, weight])
