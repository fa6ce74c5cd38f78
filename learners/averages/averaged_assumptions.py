"""Averaged assumptions: naive Bayes, all trees and all networks, weighted by their posterior probability."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import logsumexp
from sklearn.utils.validation import check_is_fitted

from generators.tables.caller import user_level
from learners.averages._shared.assumptions import ASSUMPTIONS, explanation
from learners.averages._shared.mixture import Member, ModelMixture
from learners.averages._shared.network_average import NetworkAverage, why_too_large
from learners.base import TrainingTable
from learners.bayes._kernels.rooted_trees import posterior_of_joints
from learners.bayes._shared.left_out_columns import log_joint_without, too_costly_holes
from learners.bayes._shared.naive_bayes_average import NaiveBayesAverage
from learners.bayes._shared.tree_average import TreeAverage, check_tree_columns
from learners.counts.counts import PairCounts, ValueCounts
from learners.counts.optional_counting import OptionalCountingLearner
from learners.facts import LearnerFacts
from learners.networks.search.order_law import DagLaw, KDependenceLaw, OrderLaw
from learners.options import check_number

__all__ = ["AssumptionsLeftOutWarning", "AveragedAssumptionsClassifier"]

#: Sets of variables times completions of rows with missing values: about a minute.
MOST_SUMS = 300 * 2**20
#: Time of weighing networks anew, for rows without some columns, in such sums.
SUMS_A_CHOICE = 2**19


class AssumptionsLeftOutWarning(UserWarning):
    """Warning that an assumption is left out of the average, because the data set is too large for it.

    Examples
    --------
    >>> issubclass(AssumptionsLeftOutWarning, UserWarning)
    True
    """


class AveragedAssumptionsClassifier(OptionalCountingLearner):
    """Bayesian average over naive Bayes, all trees of attributes, and all networks.

    One of several assumptions about the attributes and the class is true, and it is unknown which one: naive
    Bayes, a tree among the attributes, or any directed acyclic graph. Each assumption is averaged exactly
    over all its structures, then weighted by its posterior probability, which `explain` describes. Each row
    of a probability table has a Dirichlet(alpha) prior. Missing values are summed out exactly at prediction,
    within a limit. Numeric columns are discretized as part of learning.

    Parameters
    ----------
    assumptions : sequence of {"naive_bayes", "tan", "kdb", "dag"}, default ("naive_bayes", "tan", "dag")
        "naive_bayes" makes attributes independent given the class. "tan" joins the attributes in a rooted
        tree, and all trees are equally probable. With "kdb", the attributes have an order, and each attribute
        has two preceding attributes as parents, the second attribute one and the first none. "dag" is any
        directed acyclic graph of attributes and class, in which the class may have parents (see Notes).
    weights : mapping of str to float, or sequence of float, optional
        Prior probability of each assumption, 0 or more, up to a common factor. By default all assumptions are
        equally probable.
    alpha : float, default 1.0
        Pseudo-count of each value and each class, above 0.
    max_parents : int, default 3
        Maximum number of parents of a variable with "dag".
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
    assumption_posteriors_ : Series of float
        Posterior probability of each assumption. The sum is 1.
    log_evidences_ : Series of float
        Log of P(classes, columns of the training rows) under each assumption, in nats.
    log_evidence_ : float
        Log of P(classes, columns of the training rows) under the average, in nats, with the prior weights of
        the assumptions that are not left out.
    left_out_ : dict of str to str
        Assumptions that are not averaged, with the reason: the data set is too large, or the weight is 0.
    arc_posteriors_ : DataFrame of shape (n_features + 1, n_features + 1)
        Posterior probability of each arc, by name, with parents as rows and children as columns, the class
        last. Posteriors are averaged over the assumptions, on first access. A column with one value or
        interval in all training rows is a probable parent. An arc from such a column has no effect and means
        that the child has no parent.
    cut_points_ : dict of ndarray
        Cut points of each numeric column. Without numeric columns, this attribute does not exist.
    n_features_in_ : int
        Number of columns seen in `fit`.
    MAX_COMPLETIONS : int
        Maximum number of completions of a row with missing values, as in `AveragedTANClassifier`.

    See Also
    --------
    AveragedTANClassifier : The average over all trees only.
    CaMMLClassifier : One network, or an average over networks, by message length.

    Notes
    -----
    The posterior of an assumption is its weight times its evidence, normalized. For all assumptions, the
    evidence refers to the same rows and columns, including the class. A forecast is the sum of P(class, row |
    training rows, assumption) times the posterior of the assumption, and is then normalized. Conditional
    forecasts are never averaged. With "dag" and "kdb", all orders of the variables are equally probable. With
    "dag", a variable with p predecessors has 0 to min(`max_parents`, p) parents. All these numbers are
    equally probable, and so are all parent sets of the same size [2]_ [3]_.

    "dag" and "kdb" take at most 13 attributes. With more attributes they are left out, with an
    `AssumptionsLeftOutWarning`. "naive_bayes" and "tan" need only counts. If only these two are averaged, the
    learner has `partial_fit` and `merged`.

    The marginal likelihood of naive Bayes is exact even if training rows have missing values. The other
    assumptions score an arc on the rows in which its variables are known, so the evidence and the
    probabilities of these assumptions are approximate. If numeric columns are cut, the classes of the same
    rows determine the cut points, and the evidence has no penalty for this choice.

    Forecasts by "dag" take most of the time, and each further attribute multiplies their time by more than
    2.2. The time of a row with missing values is multiplied by its number of completions. On one thread, with
    5 values and 5 classes, 1000 distinct rows take 0.03 s with 7 attributes and 4 s with 13. Without "dag"
    and "kdb", the time grows with the cube of the number of attributes, as for `AveragedTANClassifier`: these
    rows take 0.01 s with 15, 0.03 s with 30 and 8 s with 200 attributes. With 15% of the values missing, 20
    rows with 13 attributes take 6 s. Rows that would take more than about a minute are refused. `fit` to 500
    rows takes 7 ms with 7 attributes and 0.1 s with 13. Without "dag" and "kdb" it takes 5 ms with 15
    attributes, 0.01 s with 30 and 0.35 s with 200. `fit` to 5000 rows takes twice as long with these two, and
    the same time without them.

    References
    ----------
    .. [1] J. A. Hoeting, D. Madigan, A. E. Raftery, C. T. Volinsky, "Bayesian model averaging: a tutorial",
       Statistical Science 14, 1999, equations 1 to 3.
    .. [2] G. F. Cooper, E. Herskovits, "A Bayesian method for the induction of probabilistic networks from
       data", Machine Learning 9, 1992, theorem 1.
    .. [3] M. Koivisto, K. Sood, "Exact Bayesian structure discovery in Bayesian networks", JMLR 5, 2004.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 100)
    >>> first = y ^ (rng.random(100) < 0.2)
    >>> X = np.column_stack([first, first ^ (rng.random(100) < 0.1), rng.integers(0, 2, 100)])
    >>> average = AveragedAssumptionsClassifier().fit(X, y)
    >>> average.assumption_posteriors_.round(3).to_dict()
    {'naive_bayes': 0.0, 'tan': 0.302, 'dag': 0.698}
    >>> average.predict_proba(X[:1]).round(3)
    array([[0.157, 0.843]])
    """

    workbench_identity = "learners.averaged_assumptions:AveragedAssumptionsClassifier"
    facts = LearnerFacts(
        key="averaged_assumptions",
        authors="Hoeting, Madigan, Raftery, Volinsky",
        title="Bayesian model averaging: a tutorial",
        year=1999,
        numbers="intervals",
        missing="summed out",
        weights="any",
        limit="2 GiB for the counts of all pairs of values, and 930 columns (networks only up to 13)",
        also=("explain", "arc_posteriors_"),
    )

    MAX_COMPLETIONS = 1000
    _made = "assumption_posteriors_"

    def __init__(
        self,
        assumptions: Sequence[str] = ("naive_bayes", "tan", "dag"),
        weights: Mapping[str, float] | Sequence[float] | None = None,
        alpha: float = 1.0,
        max_parents: int = 3,
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.assumptions = assumptions
        self.weights = weights
        self.alpha = alpha
        self.max_parents = max_parents
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Compute the evidence of each assumption over all its structures, and the assumptions' posteriors.

        `X` has the training rows, `y` their class labels, and `sample_weight` optional weights of the rows.

        Raises
        ------
        ValueError
            If the counts would take more than 2 GiB, a parameter is out of range, or the data set is too
            large for every assumption.
        """
        table = self._read_all(X, y, sample_weight)
        weights = self._set_aside()
        laws: dict[str, OrderLaw] = {"dag": DagLaw(self.max_parents), "kdb": KDependenceLaw(2)}
        networks = {
            name: NetworkAverage.of(table, law, self.alpha) for name, law in laws.items() if name in weights
        }
        self._learn(self._count(table), weights, networks)
        if self._why_all_rows() is None:
            self._keep_rows(table)
        return self

    @property
    def arc_posteriors_(self) -> pd.DataFrame:
        """Posterior probability of each arc, by name, with parents as rows and children as columns.

        A column with one value in all training rows is a probable parent without effect (see
        `AveragedTANClassifier`).
        """
        check_is_fitted(self)
        names, _ = self._variables()
        posteriors = self.assumption_posteriors_
        arcs = sum(share * self._members[name].arc_posteriors for name, share in posteriors.items())
        return pd.DataFrame(arcs, pd.Index(names, name="from"), pd.Index(names, name="to"))

    def explain(self) -> str:
        """Describe the posterior probability of each assumption in a text.

        Log evidence is in bits. An assumption whose log evidence is 10 bits lower than that of another
        assumption is 1024 times less probable, if both were equally probable a priori. The text states that
        the data do not decide between the most probable assumption and any other that is at least a third as
        probable.

        If a column has one value in all training rows, it can be the parent of all other columns without
        effect. "tan" then includes naive Bayes, and keeps some probability if naive Bayes is true, however
        many rows there are. Drop such columns first.

        Returns
        -------
        str
            A few lines.

        Raises
        ------
        NotFittedError
            If the learner is not fitted.

        Examples
        --------
        >>> import numpy as np
        >>> i = np.arange(60)
        >>> X = np.column_stack([i % 4 > 1, i % 4 == 1, i % 3]).astype(int)
        >>> print(AveragedAssumptionsClassifier(["naive_bayes", "dag"]).fit(X, i % 2).explain())
        Most probable by the data: a network, with probability over 0.99.
          <0.01  naive Bayes: attributes are independent given the class (log evidence 21.3 bits less)
          >0.99  a network: attributes and class, each with up to 3 parents (log evidence -245.4 bits)
        From 60 rows, with equal prior probabilities.
        """
        self._require_fit()
        table = pd.DataFrame(
            {
                "posterior": self.assumption_posteriors_,
                "log_evidence": self.log_evidences_,
                "beforehand": self._beforehand,
            }
        )
        return explanation(
            table,
            self.left_out_,
            self._n_rows,
            max_parents=self.max_parents,
            has_missing_values=self._has_missing_values,
            has_cut_points=any(map(len, getattr(self, "cut_points_", {}).values())),
        )

    def log_joint(self, X: Any) -> NDArray[np.float64]:
        """Return the joint log-probability of each row with each class.

        This is the predictive distribution of one further row, averaged over assumptions, structures and
        tables. Its probabilities sum to 1 over all possible rows and classes. `predict_proba` normalizes them
        for each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Columns as in `fit`. Missing values are summed out. Columns that are left out of a row's forecast
            are ignored.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Natural logarithms, in the order of `classes_`.

        Raises
        ------
        ValueError
            If summing over the missing values of these rows by networks would take more than about a minute.

        Examples
        --------
        >>> import numpy as np
        >>> average = AveragedAssumptionsClassifier().fit([[0, 0], [1, 1]], ["a", "b"])
        >>> float(np.exp(average.log_joint([[0, 0], [0, 1], [1, 0], [1, 1]])).sum().round(12))
        1.0
        """
        self._require_fit()
        codes = self._code(X).codes
        # naive Bayes alone needs no completions
        most = self.MAX_COMPLETIONS if set(self._members) != {"naive_bayes"} else np.inf
        holes = codes >= self.arities_[:, np.newaxis]
        left_out = too_costly_holes(holes, self.arities_, most)
        self._check_work(codes, holes, left_out)
        mixture = ModelMixture(tuple(self._members.values()), self._log_shares)
        return log_joint_without(mixture, codes, left_out)

    def _check_work(self, codes: NDArray[Any], holes: NDArray[np.bool_], left_out: NDArray[np.bool_]) -> None:
        """Raise an error for rows whose missing values networks would sum over for too long."""
        names = [f'"{name}"' for name in self._members if not ASSUMPTIONS[name].from_counts]
        some = holes.any(axis=0)
        if not names or not some.any():
            return
        rows = np.where(holes | left_out, self.arities_[:, np.newaxis], codes)[:, some]
        _, first = np.unique(np.vstack([rows, left_out[:, some]]), axis=1, return_index=True)
        filled = (holes & ~left_out)[:, some][:, first]
        n_ways = np.exp(np.log(np.maximum(self.arities_, 1)) @ filled).sum()
        n_sets = 2.0 ** (self.arities_.size + 1)
        # networks are weighed anew for each choice of columns
        n_choices = np.unique(left_out[:, some], axis=1).shape[1] - 1
        if n_ways * n_sets * len(names) + n_choices * SUMS_A_CHOICE > MOST_SUMS:
            words = " and ".join(names)
            raise ValueError(
                f"{int(some.sum()):,} of the rows miss values that can be filled in {n_ways:,.0f} ways in "
                f"all, which take {words} too long. Forecast fewer rows at a time, fill in or drop columns, "
                f"or leave {words} out of assumptions."
            )

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        return posterior_of_joints(self.log_joint(X))

    # -- parameters ----------------------------------------------------------------------------

    def _check_parameters(self) -> pd.Series:
        """Return the weights by assumption."""
        names = _checked_names(self.assumptions)
        check_number("alpha", self.alpha, above=0)  # 0 would make unseen values impossible
        DagLaw(self.max_parents)
        return pd.Series(_checked_weights(self.weights, names), pd.Index(names, name="assumption"))

    def _why_all_rows(self) -> tuple[str, str] | None:
        given = self.assumptions if isinstance(self.assumptions, Sequence) else ()
        names = [name for name in ("dag", "kdb") if name in given]
        if not names:
            return None
        return f'"{names[0]}" counts sets of values over all rows', 'assumptions=("naive_bayes", "tan")'

    # -- learning ------------------------------------------------------------------------------

    def _count(self, table: TrainingTable) -> PairCounts | ValueCounts:
        if "tan" not in self.assumptions:
            return ValueCounts.of(table)
        check_tree_columns(table.arities.size, self)
        return PairCounts.of(table)

    def _make_tables(self, counts: PairCounts | ValueCounts) -> None:
        own = replace(counts, by_pair=counts.by_pair.copy()) if isinstance(counts, PairCounts) else counts
        self._learn(own, self._set_aside(), {})

    def _learn(
        self, counts: PairCounts | ValueCounts, weights: pd.Series, networks: Mapping[str, NetworkAverage]
    ) -> None:
        """Compute the posterior of the assumptions from the counts, which are changed."""
        values = counts.values if isinstance(counts, PairCounts) else counts
        self._n_rows = float(values.by_class.sum())
        self._has_missing_values = bool(values.by_slot[values.offsets[1:] - 1].any())
        made: dict[str, Member] = dict(networks)
        if "naive_bayes" in weights:
            made["naive_bayes"] = NaiveBayesAverage.of(values, float(self.alpha))
        if "tan" in weights and isinstance(counts, PairCounts):
            made["tan"] = TreeAverage.of(counts, float(self.alpha))
        self._members = {name: made[name] for name in weights.index}
        found = [member.log_evidence for member in self._members.values()]
        self._beforehand = weights / weights.sum()
        self.log_evidences_ = pd.Series(found, weights.index, name="log_evidence")
        log_joints = np.log(self._beforehand.to_numpy()) + found
        self.log_evidence_ = float(logsumexp(log_joints))
        self._log_shares = log_joints - self.log_evidence_
        self.assumption_posteriors_ = pd.Series(np.exp(self._log_shares), weights.index, name="posterior")

    def _set_aside(self) -> pd.Series:
        """Return the weights of the assumptions that are averaged, and record and warn why others are not."""
        weights = self._check_parameters()
        self.left_out_ = dict.fromkeys(weights.index[weights == 0], "its weight is 0")
        why = why_too_large(self.arities_.size, len(self.classes_))
        too_large = [name for name in weights.index[weights > 0] if not ASSUMPTIONS[name].from_counts]
        if why is None or not too_large:
            return weights[weights > 0]
        self.left_out_ |= dict.fromkeys(too_large, why)
        words = " and ".join(f'"{name}"' for name in too_large)
        if len(self.left_out_) == len(weights):
            raise ValueError(
                f'No assumption is left: the table is too large for {words} ({why}). Add "naive_bayes" or '
                '"tan" to assumptions, or select columns.'
            )
        warnings.warn(
            f"The table is too large for {words} ({why}), so the average is over the other assumptions. "
            f"Select columns, or leave {words} out of assumptions.",
            AssumptionsLeftOutWarning,
            stacklevel=user_level(),
        )
        return weights.drop(list(self.left_out_))


def _checked_names(assumptions: Any) -> list[str]:
    """Return the names of the assumptions, each once."""
    is_list = isinstance(assumptions, Sequence) and not isinstance(assumptions, str)
    names = list(assumptions) if is_list else []
    if names and len(set(map(str, names))) == len(names) and set(map(str, names)) <= set(ASSUMPTIONS):
        return [str(name) for name in names]
    raise ValueError(
        f"assumptions must be a list of {', '.join(ASSUMPTIONS)}, each at most once, but was {assumptions!r}."
    )


def _checked_weights(weights: Any, names: list[str]) -> NDArray[np.float64]:
    """Return the weight of each assumption."""
    if weights is None:
        return np.ones(len(names))
    given: ArrayLike = weights
    if isinstance(weights, Mapping):
        _check_named(weights, names)
        given = [weights[name] for name in names]
    try:
        found = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.shape != (len(names),) or not (np.isfinite(found) & (found >= 0)).all() or not found.any():
        raise ValueError(
            f"weights must have a number of at least 0 for each of {', '.join(names)}, not all 0, but was "
            f"{weights!r}."
        )
    return found


def _check_named(weights: Mapping[Any, Any], names: list[str]) -> None:
    """Raise an error for a mapping without one of the assumptions, or with another key."""
    lacking = [name for name in names if name not in weights]
    unknown = [repr(name) for name in weights if name not in names]
    if lacking:
        what = f"lacks {', '.join(lacking)}"
    elif unknown:
        what = f"has {', '.join(unknown)}, which is not in assumptions"
    else:
        return
    raise ValueError(f"weights {what}: expected a number for each of {', '.join(names)}, 0 to leave one out.")
