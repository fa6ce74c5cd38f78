"""The optimal learner that knows several laws, but not which one drew the truth."""

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
from learners.tables.attributes import CodedTable
from workbench.base.errors import WorkbenchError
from workbench.optimal.law_table import LawTable, check_columns, read_law, seed_of, warn_of_undeclared
from workbench.optimal.optima import Optimum, optimum_of, why_unfit, why_unmixed
from workbench.optimal.sampled_forecast import SampledForecast

__all__ = ["OptimalMixtureClassifier"]

#: A law whose log posterior is below this, by three standard errors, adds nothing that is worth an error.
NEGLIGIBLE = -30.0


class OptimalMixtureClassifier(ProbabilisticClassifier):
    """Classifier that is optimal on average if several laws are possible, of which one unknown law applies.

    It averages the joint forecasts of the laws. The weight of a law is its posterior probability given the
    training rows, which is proportional to its prior weight times its evidence. The loss relative to
    `OptimalClassifier` is the cost of not knowing the kind of truth.

    Parameters
    ----------
    laws : sequence of laws or mappings, optional
        The laws, or the results of their method `to_document`. Leave them out in a study: they are the laws
        of its sources.
    weights : sequence of float, optional
        Prior probabilities of the laws, up to a common factor. By default they are equal. In a study each
        source has the same prior probability.
    ignored : sequence of str or None, default=()
        Columns that are known to be independent of the class, and that all laws ignore. None in a study:
        these are the columns that the law of each truth adds.
    random_state : int, Generator or None, default None
        Seed of the Gibbs sampler, which is used for mixtures.
    categorical_features, arities
        As in `OptimalClassifier`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    posterior_of_laws_ : Series of float
        Posterior probability of each law given the training rows. The index has the laws in words.
    about_ : dict of str to float
        As in `OptimalClassifier`, for the sampled laws that have positive weight. "r_hat" is the largest one.
    left_out_ : dict of str to str
        Laws, in words, that cannot have generated the rows or have no optimum for them, with the reason. The
        other laws share their probability.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    OptimalClassifier : is optimal if the law of the truth is known.

    Notes
    -----
    The numbers of attributes and values are taken as known, so they carry no information about the law.
    Missing values carry information if some of the laws have no optimum for rows with missing values. Those
    laws are left out.

    References
    ----------
    .. [1] J. A. Hoeting, D. Madigan, A. E. Raftery, C. T. Volinsky, "Bayesian model averaging: a tutorial",
       Statistical Science 14, 1999, equations 1 to 3.

    Examples
    --------
    >>> from generators import NaiveBayesLaw, random_naive_bayes
    >>> laws = [NaiveBayesLaw(0.3), NaiveBayesLaw(3.0)]
    >>> truth = random_naive_bayes(n_attributes=5, concentration=0.3, random_state=1)
    >>> mix = OptimalMixtureClassifier(laws).fit(*truth.sample(20, random_state=2))
    >>> mix.posterior_of_laws_.round(3).to_dict()
    {'naive Bayes, Dirichlet(0.3) rows': 1.0, 'naive Bayes, Dirichlet(3) rows': 0.0}
    """

    workbench_identity = "workbench.optimal:OptimalMixClassifier"
    facts = LearnerFacts(
        key="optimal_mixture",
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
        ignored: Sequence[str] | None = (),
        random_state: int | np.random.Generator | None = None,
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.laws = laws
        self.weights = weights
        self.ignored = ignored
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "OptimalMixtureClassifier":
        """Condition every law on the training rows, and compute the posterior probabilities of the laws.

        The parameters are those of `ProbabilisticClassifier.fit`.
        """
        weights = self.checked_weights()
        table = self._read_training(X, y, sample_weight)
        warn_of_undeclared(self._schema, self.arities, y)
        seed = seed_of(self.random_state)
        self.left_out_: dict[str, str] = {}
        tables = self._fitting([law for law, weight in weights.items() if weight > 0], table)
        if not tables:
            reasons = "; ".join(f"{words}: {why}" for words, why in self.left_out_.items())
            raise WorkbenchError(f"none of the laws has an optimum for this table: {reasons}")
        optima = {law: optimum_of(own.law, own.training(table), seed) for law, own in tables.items()}
        evidence = {law: made.evidence() for law, made in optima.items()}
        self._log_weights = np.array([np.log(weights[law]) + value for law, (value, _) in evidence.items()])
        self._errors = np.array([error for _, error in evidence.values()])
        self._log_shares = log_softmax(self._log_weights)
        shares = np.exp(self._log_shares)
        self.posterior_of_laws_ = pd.Series(shares, [law.words for law in optima], name="posterior")
        self._members = [(tables[law], made) for law, made in optima.items()]
        self.about_ = self._about()
        return self

    def _about(self) -> dict[str, float]:
        """Return the diagnostics of the sampled laws with weight."""
        largest = self._log_shares + 3 * self._errors
        members = zip(largest, self._members, strict=True)
        found = [made.about for share, (_, made) in members if made.about and share > NEGLIGIBLE]
        return {name: max(one[name] for one in found) for name in (found[0] if found else ())}

    def checked_weights(self) -> dict[Law, float]:
        """Return the weight of each law, with those of equal laws added."""
        if self.laws is None or isinstance(self.laws, Law | Mapping | str) or not len(self.laws):
            raise WorkbenchError(
                f"laws is {self.laws!r}: give the laws that the truth may have been drawn from, such as "
                "[NaiveBayesLaw(), TANLaw()]"
            )
        laws = [read_law(law) for law in self.laws]
        for law in laws:
            if law.ignored:
                raise WorkbenchError(
                    f"the law {law.words!r} adds attributes, but all laws must be for the same columns: "
                    "give the law without these attributes, and name the irrelevant columns in `ignored`"
                )
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
        """Return the laws that can have drawn the table, and note why others cannot."""
        ignored = self._checked_ignored()
        found: dict[Law, LawTable] = {}
        for law in laws:
            own = LawTable.without(ignored, law, self._schema, self._declared_order)
            why = why_unmixed(own.law) or why_unfit(own.law, own.training(table))
            if why is None:
                found[law] = own
            else:
                self.left_out_[law.words] = why
        return found

    def _checked_ignored(self) -> set[str]:
        if isinstance(self.ignored, str):
            raise WorkbenchError(f"ignored is {self.ignored!r}: give a list of column names")
        ignored = set(self.ignored or ())
        check_columns("ignored names the column", ignored, self._schema)
        return ignored

    def log_joint(self, X: Any) -> NDArray[np.float64]:
        """Return the log of P(row, class | training rows) in nats, of shape (n_samples, n_classes)."""
        check_is_fitted(self)
        coded = self._code(X)
        parts = [
            log_share + made.log_joint(seen.rows(coded))
            for log_share, (seen, made) in zip(self._log_shares, self._members, strict=True)
        ]
        return np.asarray(np.logaddexp.reduce(parts))

    def sampled_forecast(self, X: Any) -> SampledForecast | None:
        """Return the forecast with the data for its Monte Carlo error, if laws with weight are sampled.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows to forecast.

        Returns
        -------
        SampledForecast or None
            The forecast, with classes in the order of `classes_`. None if no law with weight is sampled.
        """
        check_is_fitted(self)
        if not self.about_:
            return None
        coded = self._code(X)
        by_chain = [_log_chains(made, seen.rows(coded)) for seen, made in self._members]
        means = [np.logaddexp.reduce(logs, axis=0) - np.log(len(logs)) for logs in by_chain]
        weighed = [share + logs for share, logs in zip(self._log_shares, by_chain, strict=True)]
        together = np.logaddexp.reduce([*np.broadcast_arrays(*weighed)])
        pairs = [
            (self._forecast_with(means, i, -error), self._forecast_with(means, i, error))
            for i, error in enumerate(self._errors.tolist())
            if error
        ]
        return SampledForecast(np.exp(together - together.max(axis=(0, 2), keepdims=True)), pairs)

    def _forecast_with(
        self, means: Sequence[NDArray[np.float64]], i: int, shift: float
    ) -> NDArray[np.float64]:
        """Return the forecast if the log evidence of a law were larger by an amount."""
        logs = self._log_weights.copy()
        logs[i] += shift
        parts = [share + mean for share, mean in zip(log_softmax(logs), means, strict=True)]
        return posterior_of_joints(np.asarray(np.logaddexp.reduce(parts)))

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        return posterior_of_joints(self.log_joint(X))


def _log_chains(made: Optimum, rows: CodedTable) -> NDArray[np.float64]:
    """Return the log of P(row, class | training rows) by chain, of which an exact optimum has one."""
    if made.chains is None:
        return made.log_joint(rows)[np.newaxis]
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(made.chains(rows)))
