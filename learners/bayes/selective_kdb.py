"""Selective k-dependence Bayesian classifier: attributes and k chosen by leave-one-out log loss."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from learners.base import ProbabilisticClassifier
from learners.bayes._kernels.spanning_tree import conditional_mutual_information
from learners.bayes._shared.backed_off_families import BackedOffFamilies
from learners.bayes._shared.k_dependence import check_k, closest_parents, fitting_parents
from learners.counts.distinct_rows import distinct_rows
from learners.counts.slots import class_mutual_information, count_pairs, slot_offsets
from learners.facts import LearnerFacts

__all__ = ["SelectiveKDBClassifier"]


class SelectiveKDBClassifier(ProbabilisticClassifier):
    """KDB with the attributes and the number of parents chosen by leave-one-out log loss.

    It assumes that some attributes depend on the class and at most k other attributes, and that the rest are
    irrelevant. The attributes are ordered by mutual information with the class. The parents of an attribute
    are the class and at most `k` preceding attributes, as in `KDBClassifier`. One more pass over the rows
    forecasts each row from the other rows, with the first m attributes and at most k' attribute parents. The
    learner keeps the m and k' with the lowest log loss. Probabilities back off along the parents: an estimate
    from few rows is shrunk toward the estimate without the last parent. Numeric columns are discretized as
    part of learning. There is no `partial_fit`, since the tables need the rows.

    Parameters
    ----------
    k : int, default 3
        Maximum number of attribute parents to choose from.
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
    k_ : int
        The chosen number of parents.
    selected_ : tuple of int
        The chosen attributes, the most informative first.
    parents_ : tuple of tuple of int
        Indices of each attribute's attribute parents, at most `k_`, the parent with the highest conditional
        mutual information first. Attributes that are not chosen have no parents. The class is a parent of all
        chosen attributes.
    left_out_loss_ : DataFrame of shape (k + 1, n_features + 1)
        Mean leave-one-out log loss in bits, with numbers of parents as rows and numbers of attributes as
        columns. The choice is the minimum of this table, in ties the smaller numbers.
    class_prior_ : ndarray of float64, shape (n_classes,)
        Class probabilities: ``(n_c + 1) / (n + n_classes)``, with n_c of the n training rows in the class.
    cut_points_ : dict of ndarray
        Cut points of each numeric column. Without numeric columns, this attribute does not exist.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    KDBClassifier : KDB with all attributes and a fixed k.
    BayesianNetworkEnsembleClassifier : Average of many networks with discriminatively fitted parameters.

    Notes
    -----
    If a value occurs in n of the N rows with the same class and parent values, its probability is (n + m q) /
    (N + m). Here q is the probability without the last parent, and so on down to the marginal of the
    attribute. For each attribute and number of parents, m maximizes the probability of the left-out rows. A
    value that does not occur in training counts as missing. Missing values are not counted. If a parent's
    value is missing, only the parents before it are used. An attribute gets no further parents if its table
    would have more than 2**20 entries.

    The leave-one-out loss uses the order, parents, cuts and m that were learned from all rows. If a row has
    weight w, the weight min(w, 1) is left out. `fit` takes time O(rows x attributes^2) for the parents, and
    O(rows x attributes x k x classes) for the choice.

    References
    ----------
    .. [1] A. M. Martinez, G. I. Webb, S. Chen, N. A. Zaidi, "Scalable learning of Bayesian network
       classifiers", JMLR 17, 2016.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.integers(0, 2, (2000, 5))
    >>> y = X[:, 0] ^ X[:, 1] ^ (rng.random(2000) < 0.1)
    >>> kdb = SelectiveKDBClassifier(k=1).fit(X, y)
    >>> kdb.k_, {0, 1} <= set(kdb.selected_)
    (1, True)
    """

    workbench_identity = "learners.bayes.selective_kdb:SelectiveKDBClassifier"
    facts = LearnerFacts(
        key="selective_kdb",
        authors="Martinez, Webb, Chen, Zaidi",
        title="Scalable learning of Bayesian network classifiers",
        year=2016,
        numbers="intervals",
        missing="backed off",
        weights="any",
        limit="2 GiB for the counts of pairs",
    )

    def __init__(
        self,
        k: int = 3,
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.k = k
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Count pairs of values by class, and choose the parents, their number and the attributes.

        `X` has the training rows, `y` their class labels, and `sample_weight` optional weights of the rows.

        Raises
        ------
        ValueError
            If the counts of pairs would take more than 2 GiB, or a parameter is out of range.
        """
        k = check_k(self.k)
        table = self._read_training(X, y, sample_weight)
        offsets = slot_offsets(table.arities)
        pairs = count_pairs(table, offsets)
        information = class_mutual_information(pairs.diagonal().T, offsets)
        shared = conditional_mutual_information(pairs, offsets, table.arities)
        parents = fitting_parents(closest_parents(information, shared, k), table)
        order = np.argsort(-information, kind="stable")
        families = BackedOffFamilies.of(table, parents)
        losses = families.losses(distinct_rows(table), order) / table.class_counts().sum()
        best_k, n_selected = (int(i) for i in np.unravel_index(losses.argmin(), losses.shape))
        self.left_out_loss_ = pd.DataFrame(losses).rename_axis(index="parents", columns="attributes")
        self.k_, self.selected_ = best_k, tuple(order[:n_selected].tolist())
        chosen = set(self.selected_)
        self.parents_ = tuple(ps[:best_k] if j in chosen else () for j, ps in enumerate(parents))
        self.class_prior_ = families.class_prior
        self._families, self._order = families.up_to(best_k), order[:n_selected]
        return self

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        return self._families.posterior(self._code(X).codes, self._order)
