"""The classification graph with the shortest message (MML)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from learners.code_lengths.theory import TheoryLength
from learners.facts import LearnerFacts
from learners.options import check_choice, is_whole
from learners.shown_text import ShownText
from learners.trees._shared.message_classifier import MessageClassifier
from learners.trees.display.mml_text import graph_message_text
from learners.trees.mml.costed_graph import JoinCode
from learners.trees.mml.finished_graph import finished_graph
from learners.trees.mml.graph_search import search_graph
from learners.trees.mml.options import check_options
from learners.trees.nodes.forecast import TreeForecast, forecast_without_values, smoothed_leaves
from learners.trees.nodes.node_table import LEAF
from learners.trees.nodes.theory import graph_theory

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["MMLGraphClassifier"]

JOIN_CODES = {"complete": True, "pattern": False}


class MMLGraphClassifier(MessageClassifier):
    """MML decision graph (Oliver, and Tan and Dowe): a decision tree whose branches may join.

    It assumes what a decision tree assumes, and that different branches may need the same further tests. If
    the class is (A and B) or (C and D), a tree must test C and D at every place where A or B has failed. A
    graph joins these places, and tests C and D only once with all their rows.

    Parameters
    ----------
    joins : bool or "oliver", default True
        Whether branches may join. With True, any number of branches may join at one node, as in Tan and
        Dowe's graphs. With ``"oliver"``, two branches may join, as in Oliver's graphs. With False, the graph
        is the tree of `MMLTreeClassifier`.
    join_code : {"complete", "pattern"}, default "complete"
        With "complete", the message encodes everything that a receiver must know about joins. With "pattern",
        it encodes only the joining pattern and not which leaves join, as in Tan and Dowe's paper. "pattern"
        makes more joins.
    beam : int, default 50
        Number of pairs of nodes that are tried without finding a shorter message before the search ends.
    alpha : float or "search", default 1
        Pseudo-count of each class at a leaf, above 0. ``"search"`` takes the value of 1, 0.5 and 0.25 that
        gives the shortest message.
    cut_code : {"quantile", "uniform"}, default "quantile"
        Code for cuts. With "quantile", a cut near the median of a node's numbers takes fewer bits. With
        "uniform", all cuts take the same number of bits.
    lookahead : {1, 2}, default 1
        With 1, a test is evaluated with leaves as its branches. With 2, it is evaluated with the best tests
        on its branches.
    missing : {"fractional", "value"}, default "fractional"
        With "fractional", a row in which a tested value is missing goes down all branches, with weights that
        sum to the row's weight. With "value", missing is treated as a further value.
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
    graph_ : NodeGraph
        The graph, with the bits that each test and each join saves. The message length is the length for a
        single leaf, minus the saved bits, plus the bits for encoding joins.
    n_joins_ : int
        Number of nodes where branches join.
    n_leaves_, n_nodes_ : int
        Number of leaves and number of all nodes (tests and leaves).
    message_length_ : float
        Length of the message in bits.
    message_parts_ : MessageParts
        Parts of the message length. Their sum is `message_length_`.
    tree_length_ : float
        Length in bits of the message of the tree with which the search starts, never less than
        `message_length_`.
    alpha_ : float
        Pseudo-count that was used.
    class_prior_ : ndarray of shape (n_classes,)
        Forecast for a row with all values missing: the weighted mean of the leaves' class probabilities.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    MMLTreeClassifier : MML decision tree, without joins.

    Notes
    -----
    The graph is cut at its joins into trees, which are encoded in rounds (see `learners.code_lengths.graph`).
    The first tree is the tree of the root, in which the end of a branch that joins others counts as a leaf
    without rows. Then the message encodes which of these ends join. The trees below the joins follow, each
    encoded like the tree of the root. A graph without joins is encoded as a tree. One bit distinguishes
    graphs from trees, and only graphs with joins are charged for it.

    Below a join, a nominal attribute that was tested above may be tested again, unless all branches that lead
    to the join had the same value.

    The search begins with the tree of `MMLTreeClassifier` and joins nodes as long as the whole message
    becomes shorter, so the message of the graph is never longer than that of the tree. Tan and Dowe's search
    starts from a single leaf, and joins leaves for which a test of the same attribute saves bits. Here whole
    subtrees are joined, since joins of leaves seldom shorten the message at first.

    References
    ----------
    .. [1] Oliver, J. J., Dowe, D. L. and Wallace, C. S., "Inferring decision graphs using the minimum message
       length principle", AI 1992, 361-367.
    .. [2] Oliver, J. J., "Decision graphs - an extension of decision trees", AI and Statistics 1993, 343-350.
    .. [3] Tan, P. J. and Dowe, D. L., "MML inference of decision graphs with multi-way joins", AI 2002,
       LNCS 2557, 131-142.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).integers(0, 2, (200, 4))
    >>> y = (X[:, 0] & X[:, 1]) | (X[:, 2] & X[:, 3])
    >>> learner = MMLGraphClassifier().fit(X, y)
    >>> print(learner.export_text())
    43.90 bits: structure 8.83, attributes 7.17, cuts 0.00, joins 5.58, categories 22.31
    x0 saves 41.05 bits
    |   0: [1]
    |   1: x1 saves 32.23 bits
    |   |   0: [1]
    |   |   1: 1 (63)
    [1] joins 2 branches: x2 saves 46.24 bits
    |   0: 0 (70)
    |   1: x3 saves 54.17 bits
    |   |   0: 0 (27)
    |   |   1: 1 (40)
    >>> round(learner.tree_length_ - learner.message_length_, 2)
    7.85
    """

    workbench_identity = "learners.trees.mml_graph:MMLGraphClassifier"
    facts = LearnerFacts(
        key="mml_graph",
        authors="Tan, Dowe",
        title="MML inference of decision graphs with multi-way joins",
        year=2002,
        numbers="taken",
        missing="all branches",
        weights="any",
        also=("predict_set", "export_text", "plot", "theory_complexity", "message_length_"),
    )

    def __init__(
        self,
        joins: bool | str = True,
        join_code: str = "complete",
        beam: int = 50,
        alpha: float | str = 1.0,
        cut_code: str = "quantile",
        lookahead: int = 1,
        missing: str = "fractional",
        missing_sets: str = "empty",
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.joins = joins
        self.join_code = join_code
        self.beam = beam
        self.alpha = alpha
        self.cut_code = cut_code
        self.lookahead = lookahead
        self.missing = missing
        self.missing_sets = missing_sets
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "MMLGraphClassifier":
        """Grow the tree and join its nodes.

        `X` has the training rows, `y` their class labels, and `sample_weight` optional weights of the rows.
        """
        self._check_sets()
        check_options(self.alpha, self.cut_code, self.lookahead, self.missing)
        joins, beam = self._join_code(), self._beam()
        training = self._read_message(X, y, sample_weight)
        code, found, alpha_bits = training.shortest(
            lambda rows, code: search_graph(rows, code, joins, beam=beam), lambda graph: graph.bits
        )
        self.alpha_, self.message_parts_ = code.alpha, replace(found.parts, alpha=alpha_bits)
        self.message_length_ = self.message_parts_.total
        self.tree_length_ = found.tree_bits + alpha_bits
        self.graph_ = graph = finished_graph(found, self._declared_order)
        self.n_joins_, self.n_leaves_, self.n_nodes_ = graph.joins.size, graph.n_leaves, graph.n_nodes
        self._of_leaf = smoothed_leaves(graph.class_weight, graph.parent, code.alpha)
        self.class_prior_ = forecast_without_values(graph.weight, graph.kind == LEAF, self._of_leaf)
        return self

    def export_text(self) -> ShownText:
        """Return the parts of the message, then the graph with the bits that each test saves, as text.

        Returns
        -------
        str
            A branch that joins others shows the name of the join, such as [1]. The part of the graph below
            the join is listed under that name. Savings are computed with leaves as the branches of a test. In
            brackets after a leaf are the weight of its training rows and, if there are any, the weight of
            rows of other classes than its label.
        """
        check_is_fitted(self)
        return ShownText(graph_message_text(self.graph_, self.message_parts_, self._names()))

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the graph: tests with their branches below, and leaves as bars of class probabilities.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes to draw on. By default a new figure of suitable size.

        Returns
        -------
        matplotlib Axes
        """
        from learners.trees.display.graph_drawing import plot_graph

        check_is_fitted(self)
        return plot_graph(self.graph_, self._of_leaf, self._names(), ax)

    def _theory(self) -> TheoryLength:
        # a node where branches join is encoded once; without joins the graph is encoded as a tree
        return graph_theory(self.graph_, self._n_cuts, may_join=bool(self.joins))

    def _join_code(self) -> JoinCode:
        in_pairs = isinstance(self.joins, str) and self.joins == "oliver"
        if not in_pairs and not isinstance(self.joins, bool | np.bool_):
            raise ValueError(f'joins must be True, False or "oliver", but was {self.joins!r}.')
        complete = JOIN_CODES[check_choice("join_code", self.join_code, JOIN_CODES)]
        return JoinCode(complete=complete, pairs_only=in_pairs)

    def _beam(self) -> int:
        if not is_whole(self.beam) or self.beam < 1:
            raise ValueError(f"beam must be a whole number of at least 1, but was {self.beam!r}.")
        return int(self.beam) if self.joins else 0

    def _tree_forecast(self, X: Any) -> TreeForecast:
        return self.graph_.forecast(self._of_leaf, self._schema, self._code(X))
