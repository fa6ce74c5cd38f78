"""The optimal learner for truths drawn from a known law."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from generators import Law
from learners.base import ProbabilisticClassifier
from learners.bayes._kernels.rooted_trees import posterior_of_joints
from learners.facts import LearnerFacts
from workbench.base.errors import WorkbenchError
from workbench.optimal.law_table import LawTable, read_law, seed_of, warn_of_undeclared
from workbench.optimal.optima import optimum_of
from workbench.optimal.sampled_forecast import SampledForecast

__all__ = ["OptimalClassifier"]


class OptimalClassifier(ProbabilisticClassifier):
    """Classifier that is optimal on average: the posterior predictive distribution under a known law.

    It assumes that the truth (generating model) was drawn from a known law, such as all trees with Dirichlet
    priors. Its probability of a class is averaged over all truths of the law, weighted by their posterior
    probability given the training rows. On average over truths and training rows, this forecast has the best
    expected value of every proper score. So no learner is better on average. On a single truth a learner may
    be better by chance.

    Parameters
    ----------
    law : Law or mapping, optional
        The law, or the result of its method `to_document`, as in a study file: ``law = {kind = "tan"}``.
        Leave it out in a study: each cell gets the law of its truth.
    random_state : int, Generator or None, default None
        Seed of the Gibbs sampler, which is used for mixtures. The optima of all other laws are exact.
    categorical_features : "from_dtype", mask, names or indices
        The nominal columns: "from_dtype" uses the dtypes of a DataFrame.
    arities : sequence of int or None, optional
        Number of values of each column of integer codes. None for other columns.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    law_ : Law
        The law that was used in `fit`.
    about_ : dict of str to float
        Diagnostics of sampled optima: "r_hat", which is near 1 if the Markov chains agree, and "n_kept", the
        number of averaged states. Empty for exact optima.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    OptimalMixtureClassifier : is optimal if several laws are possible.

    Notes
    -----
    The declared values of every column and of the class are part of the known law. So declare them by
    categorical dtypes or `arities`. Rows that are sampled from truths declare them.

    References
    ----------
    .. [1] J. M. Bernardo, A. F. M. Smith, "Bayesian theory", 1994, section 6.1, by which the posterior
       predictive maximizes the expected value of a proper score.

    Examples
    --------
    >>> from generators import NaiveBayesLaw, random_naive_bayes
    >>> from learners import NaiveBayesClassifier
    >>> X, y = random_naive_bayes(n_attributes=3, random_state=1).sample(20, random_state=2)
    >>> best = OptimalClassifier(NaiveBayesLaw()).fit(X, y)
    >>> bool(np.allclose(best.predict_proba(X), NaiveBayesClassifier().fit(X, y).predict_proba(X)))
    True
    """

    workbench_identity = "workbench.optimal:OptimalClassifier"
    facts = LearnerFacts(
        key="optimal",
        authors="Bernardo, Smith",
        title="Bayesian theory",
        year=1994,
        numbers="taken",
        missing="summed out",
        weights="any",
    )
    _takes_numbers = True

    def __init__(
        self,
        law: Law | Mapping[str, Any] | None = None,
        random_state: int | np.random.Generator | None = None,
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.law = law
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "OptimalClassifier":
        """Condition the law on the training rows, that is, compute its posterior.

        The parameters are those of `ProbabilisticClassifier.fit`.
        """
        if self.law is None:
            raise WorkbenchError(
                "OptimalClassifier has no law: pass the law from which the truth was drawn, such as "
                "OptimalClassifier(generators.TANLaw()) or OptimalClassifier(truth.law)"
            )
        self.law_ = read_law(self.law)
        table = self._read_training(X, y, sample_weight)
        warn_of_undeclared(self._schema, self.arities, y)
        self._table = LawTable.of(self.law_, self._schema, self._declared_order)
        self._optimum = optimum_of(self._table.law, self._table.training(table), seed_of(self.random_state))
        self.about_ = dict(self._optimum.about)
        return self

    def log_evidence(self) -> tuple[float, float]:
        """Return log P(rows, classes | law) in nats, and its Monte Carlo standard error (0 if exact)."""
        check_is_fitted(self)
        return self._optimum.evidence()

    def log_joint(self, X: Any) -> NDArray[np.float64]:
        """Return the log of the joint probability P(row, class | training rows, law).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows to forecast.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Log probabilities in nats, in the order of `classes_`. For numeric attributes, the log of a
            density.
        """
        check_is_fitted(self)
        return self._optimum.log_joint(self._table.rows(self._code(X)))

    def sampled_forecast(self, X: Any) -> SampledForecast | None:
        """Return the forecast with the forecasts of each Markov chain, or None if the optimum is exact.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows to forecast.

        Returns
        -------
        SampledForecast or None
            The forecast, with classes in the order of `classes_`.
        """
        check_is_fitted(self)
        chains = self._optimum.chains
        return None if chains is None else SampledForecast(chains(self._table.rows(self._code(X))))

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        return posterior_of_joints(self.log_joint(X))
