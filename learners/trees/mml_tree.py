"""The classification tree with the shortest message (MML)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sklearn.utils.validation import check_is_fitted

from learners.facts import LearnerFacts
from learners.shown_text import ShownText
from learners.trees._shared.message_classifier import MessageClassifier
from learners.trees.display.mml_text import tree_message_text
from learners.trees.mml.growth import grow_message_tree
from learners.trees.mml.options import check_options
from learners.trees.nodes.forecast import forecast_without_values, smoothed_leaves

__all__ = ["MMLTreeClassifier"]


class MMLTreeClassifier(MessageClassifier):
    """MML decision tree (Wallace and Patrick): minimizes the message length of the tree and the classes.

    It assumes that the class depends on few attributes at a time, possibly on different attributes for
    different values of others, and on numbers through thresholds. A tree grows only as long as the message
    becomes shorter: a test takes bits to encode, and saves bits in the encoding of the classes. No validation
    set, confidence level or depth has to be chosen.

    Parameters
    ----------
    alpha : float or "search", default 1
        Pseudo-count of each class at a leaf, above 0. With 1, all class distributions are equally likely a
        priori. Smaller values favor pure leaves. ``"search"`` takes the value of 1, 0.5 and 0.25 that gives
        the shortest message.
    cut_code : {"quantile", "uniform"}, default "quantile"
        Code for cuts. With "quantile", a cut near the median of a node's numbers takes fewer bits (1 bit for
        the median, 3 for the other quartiles, and so on). With "uniform", all cuts take the same number of
        bits.
    lookahead : {1, 2}, default 1
        With 1, a test is evaluated with leaves as its branches. With 2, it is evaluated with the best tests
        on its branches. 2 is needed if two attributes are informative only together, but multiplies the
        number of searches by the number of attributes.
    missing : {"fractional", "value"}, default "fractional"
        With "fractional", a row in which a tested value is missing goes down all branches, with weights that
        sum to the row's weight. With "value", missing is treated as a further value: one more branch of a
        nominal test, or a number below all others. "value" has an effect only for columns with missing values
        in training. In other columns, a row with a missing value always goes down all branches.
    missing_sets : {"empty", "predicted"}, default "empty"
        Result of `predict_set` for a row that goes down several branches: "empty" is no class, and
        "predicted" is the class of `predict`.
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
        Number of leaves and number of all nodes, including empty leaves.
    message_length_ : float
        Length of the message in bits.
    message_parts_ : MessageParts
        Parts of the message length. Their sum is `message_length_`.
    saved_ : ndarray of shape (n_nodes,)
        Bits that each test saves if its branches are leaves. The message length is the length for a single
        leaf minus the sum of these savings. A test that is useful only together with the tests below it may
        have a negative saving.
    alpha_ : float
        Pseudo-count that was used.
    class_prior_ : ndarray of shape (n_classes,)
        Forecast for a row with all values missing: the weighted mean of the leaves' class probabilities.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    MMLGraphClassifier : MML decision graph, in which branches may join.

    Notes
    -----
    The parts of the message are described in `learners.code_lengths.tree`. A child of a test with a branches
    is itself a test with probability 1/a. The root is a leaf with probability 1/A for A attributes. A nominal
    attribute is not tested again below its own test. An attribute with one value in all training rows is not
    counted in A and never tested. With ``alpha="search"``, the message also states which alpha was used.

    Tests are chosen one by one. Then the tree is pruned to the subtree with the shortest message. The
    probability of a class at a leaf is (n_m + alpha) / (n + K alpha), with n_m of the n rows in the class and
    K classes. It is never 0. A leaf without rows has the probabilities of the node above it.

    References
    ----------
    .. [1] Wallace, C. S. and Patrick, J. D., "Coding decision trees", Machine Learning 11, 1993, 7-22.
    .. [2] Quinlan, J. R. and Rivest, R. L., "Inferring decision trees using the minimum description length
       principle", Information and Computation 80, 1989, 227-248.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"sky": list("sr") * 20, "wind": list("lhhl") * 10})
    >>> learner = MMLTreeClassifier().fit(X, ["out" if sky == "s" else "in" for sky in X["sky"]])
    >>> print(learner.export_text())
    12.78 bits: structure 3.00, attributes 1.00, cuts 0.00, categories 8.78
    sky saves 30.58 bits
    |   r: in (20)
    |   s: out (20)
    >>> learner.predict_proba(X.head(1)).round(3).tolist()
    [[0.045, 0.955]]
    """

    workbench_identity = "learners.trees.mml_tree:MMLTreeClassifier"
    facts = LearnerFacts(
        key="mml_tree",
        authors="Wallace, Patrick",
        title="Coding decision trees",
        year=1993,
        numbers="taken",
        missing="all branches",
        weights="any",
        also=("predict_set", "export_text", "plot", "theory_complexity", "message_length_"),
    )

    def __init__(
        self,
        alpha: float | str = 1.0,
        cut_code: str = "quantile",
        lookahead: int = 1,
        missing: str = "fractional",
        missing_sets: str = "empty",
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.alpha = alpha
        self.cut_code = cut_code
        self.lookahead = lookahead
        self.missing = missing
        self.missing_sets = missing_sets
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "MMLTreeClassifier":
        """Grow the tree and prune it.

        `X` has the training rows, `y` their class labels, and `sample_weight` optional weights of the rows.
        """
        self._check_sets()
        check_options(self.alpha, self.cut_code, self.lookahead, self.missing)
        training = self._read_message(X, y, sample_weight)
        code, grown, alpha_bits = training.shortest(grow_message_tree, lambda found: found.parts.total)
        tree = grown.tree.in_class_order(self._declared_order)
        self.tree_, self.alpha_, self.saved_ = tree, code.alpha, grown.saved
        self.n_leaves_, self.n_nodes_ = tree.n_leaves, tree.n_nodes
        self.message_parts_ = replace(grown.parts, alpha=alpha_bits)
        self.message_length_ = self.message_parts_.total
        self._of_leaf = smoothed_leaves(tree.class_weight, tree.parent, code.alpha)
        self.class_prior_ = forecast_without_values(tree.weight, tree.is_leaf, self._of_leaf)
        return self

    def export_text(self) -> ShownText:
        """Return the parts of the message, then the tree with the bits that each test saves, as text.

        Returns
        -------
        str
            The savings of tests are the values of `saved_`. In brackets after a leaf are the weight of its
            training rows and, if there are any, the weight of rows of other classes than its label.
        """
        check_is_fitted(self)
        return ShownText(tree_message_text(self.tree_, self.saved_, self.message_parts_, self._names()))
