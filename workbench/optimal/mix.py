"""The best possible learner that knows several laws, but not which of them drew the truth."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import log_softmax
from sklearn.utils.validation import check_is_fitted

from generators import Law
from learners.base import ProbabilisticClassifier, TrainingTable
from learners.bayes._kernels.rooted_trees import posterior_of_joints
from learners.facts import LearnerFacts
from workbench.base.errors import WorkbenchError
from workbench.optimal.law_table import LawTable, added_by, read_law, seed_of
from workbench.optimal.optima import optimum_of, why_unfit

__all__ = ["OptimalMixClassifier"]

#: A law whose log posterior is below this adds nothing that is worth an error.
NEGLIGIBLE = -30.0


class OptimalMixClassifier(ProbabilisticClassifier):
    """Forecast as no learner can do better on average that knows several laws, but not which one it faces.

    The joint forecast of each law is weighted by the probability of the law given the training rows: its
    weight beforehand times its evidence. What this loses against `OptimalClassifier` is the cost of not
    knowing the kind of truth.

    Parameters
    ----------
    laws : sequence of laws or mappings, optional
        The laws, or what their `to_document` returns. Omitted in a study: the laws of its sources.
    weights : sequence of float, optional
        Their probabilities beforehand, up to a factor; equal by default. In a study each source has the same.
    random_state : int, Generator or None, default None
        Of the Gibbs sampler for mixtures.
    categorical_features, arities
        As for `OptimalClassifier`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    posterior_of_laws_ : Series of float
        Probability of each law given the training rows; index: the laws in words.
    left_out_ : dict of str to str
        Laws in words that cannot make such a table, or have no optimum for it, and why. The others share
        their probability.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    OptimalClassifier : Knows the law that it faces.

    Notes
    -----
    Number of attributes and values are taken as known: they say nothing about the law. Neither do attributes
    that one of the laws adds: it is known which they are, and all laws ignore them.

    References
    ----------
    .. [1] J. A. Hoeting, D. Madigan, A. E. Raftery, C. T. Volinsky, "Bayesian model averaging: a tutorial",
       Statistical Science 14, 1999, equations 1 to 3.

    Examples
    --------
    >>> from generators import NaiveBayesLaw, random_naive_bayes
    >>> laws = [NaiveBayesLaw(0.3), NaiveBayesLaw(3.0)]
    >>> truth = random_naive_bayes(n_attributes=5, concentration=0.3, random_state=1)
    >>> mix = OptimalMixClassifier(laws).fit(*truth.sample(20, random_state=2))
    >>> mix.posterior_of_laws_.round(3).to_dict()
    {'naive Bayes, Dirichlet(0.3) rows': 1.0, 'naive Bayes, Dirichlet(3) rows': 0.0}
    """

    workbench_identity = "workbench.optimal:OptimalMixClassifier"
    facts = LearnerFacts(
        key="optimal_mix",
        authors="Hoeting, Madigan, Raftery, Volinsky",
        title="Bayesian model averaging: a tutorial",
        year=1999,
        numbers="taken",
        missing="summed out",
        weights="any",
    )
    _takes_numbers = True

    def __init__(
        self,
        laws: Sequence[Law | Mapping[str, Any]] | None = None,
        weights: Sequence[float] | None = None,
        random_state: int | np.random.Generator | None = None,
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.laws = laws
        self.weights = weights
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "OptimalMixClassifier":
        """Condition every law on the training rows, and the weights of the laws.

        The arguments are those of `ProbabilisticClassifier.fit`.
        """
        weights = self.checked_weights()
        table = self._read_training(X, y, sample_weight)
        seed = seed_of(self.random_state)
        self.left_out_: dict[str, str] = {}
        tables = self._fitting([law for law, weight in weights.items() if weight > 0], table)
        if not tables:
            reasons = "; ".join(f"{words}: {why}" for words, why in self.left_out_.items())
            raise WorkbenchError(f"none of the laws has an optimum for this table: {reasons}")
        optima = {law: optimum_of(own.law, own.training(table), seed) for law, own in tables.items()}
        self._log_shares = log_softmax(
            [np.log(weights[law]) + made.evidence()[0] for law, made in optima.items()]
        )
        shares = np.exp(self._log_shares)
        self.posterior_of_laws_ = pd.Series(shares, [law.words for law in optima], name="posterior")
        self._members = [(tables[law], made) for law, made in optima.items()]
        return self

    def checked_weights(self) -> dict[Law, float]:
        """Return the weight of each law; those of equal laws are added."""
        if self.laws is None or isinstance(self.laws, Law | Mapping | str) or not len(self.laws):
            raise WorkbenchError(
                f"laws is {self.laws!r}: give the laws that the truth may have been drawn from, such as "
                "[NaiveBayesLaw(), TANLaw()]"
            )
        laws = [read_law(law) for law in self.laws]
        given = np.ones(len(laws)) if self.weights is None else np.asarray(self.weights, dtype=np.float64)
        if given.shape != (len(laws),) or not ((given >= 0) & np.isfinite(given)).all() or not given.any():
            raise WorkbenchError(
                f"weights is {self.weights!r}: give one number of at least 0 for each of the {len(laws)} laws"
            )
        found = dict.fromkeys(laws, 0.0)
        for law, weight in zip(laws, given.tolist(), strict=True):
            found[law] += weight
        return found

    def _fitting(self, laws: Sequence[Law], table: TrainingTable) -> dict[Law, LawTable]:
        """Return the laws that can make the table, and note why others cannot."""
        # evidence is of the same columns, so that those which some law has added are ignored by all
        added = set().union(*map(added_by, laws))
        found: dict[Law, LawTable] = {}
        for law in laws:
            own = LawTable.without(added, law, self._schema, self._declared_order)
            why = why_unfit(own.law, own.training(table))
            if why is None:
                found[law] = own
            else:
                self.left_out_[law.words] = why
        return found

    def log_joint(self, X: Any) -> NDArray[np.float64]:
        """Return the log of P(row, class | training rows), of shape (n_samples, n_classes), nats."""
        check_is_fitted(self)
        coded = self._code(X)
        parts = [
            log_share + made.log_joint(seen.rows(coded))
            for log_share, (seen, made) in zip(self._log_shares, self._members, strict=True)
        ]
        return np.asarray(np.logaddexp.reduce(parts))

    def predict_proba_by_chain(self, X: Any) -> NDArray[np.float64] | None:
        """Return the forecast by chain, where a law with a posterior above 0 is sampled; else None.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_chains, n_samples, n_classes) or None
            As `OptimalClassifier.predict_proba_by_chain`, with the weights of the laws as they are: their own
            Monte Carlo error is not in it.
        """
        check_is_fitted(self)
        coded = self._code(X)
        fixed, varying = [], []
        for log_share, (seen, made) in zip(self._log_shares, self._members, strict=True):
            rows = seen.rows(coded)
            joint = log_share + made.log_joint(rows)
            if made.chains is None or log_share < NEGLIGIBLE:
                fixed.append(joint)
            else:
                by_chain = made.chains(rows)
                with np.errstate(divide="ignore"):
                    varying.append(joint + np.log(by_chain) - np.log(by_chain.mean(axis=0)))
        if not varying:
            return None
        together = np.logaddexp.reduce([*np.broadcast_arrays(*varying, *fixed)])
        return np.asarray(np.exp(together - together.max(axis=(0, 2), keepdims=True)))

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        return posterior_of_joints(self.log_joint(X))
