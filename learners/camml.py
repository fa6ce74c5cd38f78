"""CaMML: the Bayesian network over attributes and class whose message is shortest."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.attributes import code_dtype
from learners.base import ProbabilisticClassifier, TrainingTable
from learners.class_blanket import ClassBlanket
from learners.code_lengths.multinomial import mml_estimate
from learners.family_counting import count_family
from learners.structure_search import SearchProblem, search_named

__all__ = ["CaMMLClassifier"]


class CaMMLClassifier(ProbabilisticClassifier):
    """Learn the network with the shortest message, and ask it for the class.

    Any directed acyclic graph over the attributes and the class may have made the rows; the class is a
    variable like the others. The message tells the arcs, the tables and the rows; the shortest one is
    found exactly. Missing values are summed out exactly at prediction; in training a row counts for each
    family that it fills. Numeric columns are cut into intervals with the learner.

    Parameters
    ----------
    search : {"auto", "exact"}, default "auto"
        How to look for the network: both go through all graphs, by dynamic programming over sets of
        variables, which at most 20 variables (the class included) allow.
    arc_probability : float or "joint", default "joint"
        Probability of an arc, strictly between 0 and 1, or "joint": the one of (a + 1/2) / (M + 1),
        a = 0 .. M, M the number of pairs, with the shortest message, the smallest of equals.
    averaging : {"none"}, default "none"
        Predict from the one network; averages over networks are not available yet.
    constant : {"exact", "rounded"}, default "exact"
        Nats for each free parameter: (1/2) ln(pi e / 6), or 0.17649 as the CaMML program has it.
    max_parents : int or None, default None
        Most parents of a variable; None sets no limit.
    categorical_features : "from_dtype", mask, names or indices
        Which columns are nominal.
    arities : sequence of int or None, optional
        Number of values of each column of integer codes.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    arities_ : ndarray of int64, shape (n_features,)
        Number of values of each attribute.
    network_ : Network
        Attributes in column order, then the class; probabilities (n + 1/2) / (N + r/2).
    parents_ : tuple of tuple of int
        Parents of each variable; n_features is the class.
    message_length_ : float
        Length of the whole message, in bits.
    arc_probability_ : float
        The probability at which the arcs were told.
    cut_points_ : dict of ndarray
        Cuts of each numeric column; absent where there is none.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    learn_network : The same for a table without a class.

    References
    ----------
    .. [1] Wallace, C. S. & Korb, K. B. 1999, "Learning linear causal models by MML sampling", in Causal
       Models and Intelligent Data Management.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 200)
    >>> clear, vague = y ^ (rng.random(200) < 0.1), y ^ (rng.random(200) < 0.2)
    >>> X = np.column_stack([clear, vague, rng.integers(0, 2, 200)])
    >>> camml = CaMMLClassifier().fit(X, y)
    >>> camml.parents_, round(camml.message_length_, 2)
    (((3,), (3,), (), ()), 665.76)
    >>> camml.predict_proba([[0, 0, 0]]).round(3)
    array([[0.958, 0.042]])
    """

    def __init__(
        self,
        search: str = "auto",
        arc_probability: float | str = "joint",
        averaging: str = "none",
        constant: str = "exact",
        max_parents: int | None = None,
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.search = search
        self.arc_probability = arc_probability
        self.averaging = averaging
        self.constant = constant
        self.max_parents = max_parents
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any) -> "CaMMLClassifier":
        """Find the network, and fill its tables.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_samples, n_features)
            Attributes; the dtype declares which are nominal.
        y : array-like of shape (n_samples,)
            Class labels.

        Returns
        -------
        CaMMLClassifier
            The learner itself.
        """
        if self.averaging != "none":
            raise ValueError(
                f'averaging must be "none", for averages are not available yet, but was {self.averaging!r}.'
            )
        find = search_named(self.search)
        codes, arities = _with_class(self._read_training(X, y))
        problem = SearchProblem.of(codes, arities, constant=self.constant, max_parents=self.max_parents)
        found = find(problem, arc_probability=self.arc_probability)
        self.parents_ = found.parents
        self.message_length_ = found.length / math.log(2)
        self.arc_probability_ = found.arc_probability
        counts = (count_family(codes, arities, v, others) for v, others in enumerate(found.parents))
        cpts = tuple(mml_estimate(n) for n in counts)
        self.network_ = self._name_network(found.parents, cpts)
        self._blanket = ClassBlanket.of(found.parents, cpts)
        return self

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        codes = self._code(X).codes
        probabilities, complete = self._blanket.posterior(codes)
        if not complete.all():
            holed = codes[:, ~complete].T.astype(np.int64)
            probabilities[~complete] = self.network_.posterior(np.where(holed < self.arities_, holed, -1))
        return probabilities


def _with_class(table: TrainingTable) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Put the class below the attributes, as one more variable."""
    arities = np.append(table.arities, table.n_classes)
    codes = np.empty((arities.size, table.y.size), dtype=code_dtype(arities))
    codes[:-1] = table.codes
    codes[-1] = table.y
    # a hole is the arity in both, whatever the dtype
    return codes, arities
