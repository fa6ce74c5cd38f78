"""The ensemble of Bayesian network classifiers, a default for all kinds of tables."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from learners.averages._shared.ensemble_member import KINDS, EnsembleMember, Recipe
from learners.averages._shared.folds import Fold, folds
from learners.averages._shared.pool import pool_weights, sharpened, temperature
from learners.base import ProbabilisticClassifier, TrainingTable
from learners.bayes._shared.backed_off_tables import check_seed
from learners.counts.threads import check_threads, in_threads
from learners.facts import LearnerFacts
from learners.options import check_flag, is_whole
from learners.tables.attributes import CodedTable
from learners.tables.random_cuts import Spread

__all__ = ["BayesianNetworkEnsembleClassifier"]

#: Folds are forecast until they hold so many rows.
ENOUGH_ROWS = 5_000
#: Of the order of attributes in all members but the first.
NOISE = 0.5
#: A forecast with less weight in the pool is dropped.
LEAST_WEIGHT = 0.01


class BayesianNetworkEnsembleClassifier(ProbabilisticClassifier):
    """Ensemble of discriminatively fitted Bayesian networks over random discretizations.

    It assumes that naive Bayes or a k-dependence network is right about which values matter, but that its
    parameters forecast better when they are fitted to the class. The learner is a default for all types of
    data sets: it accepts nominal and numeric columns, missing values and weights, and has no parameters that
    need tuning. Each member cuts the numeric columns at random points that ignore the class, and fits two
    kinds of models to the resulting codes. "logistic" is penalized logistic regression on the values (the
    parameters of naive Bayes, fitted to the class). "finish" adds the log probabilities of each attribute
    under a k-dependence network with backoff. Each kind is fitted with three penalties. The forecasts of each
    kind and penalty are averaged over the members. The averages are pooled with the weights under which
    held-out rows are most probable. One temperature then sharpens or flattens the pooled forecasts. The
    learner needs all rows in one `fit`, so there is no `partial_fit`.

    Parameters
    ----------
    n_members : int, default 10
        Number of random discretizations. Without numeric columns, members differ only in the order of the
        network.
    k : int, default 3
        Maximum number of attribute parents of an attribute in the networks. Each network uses the number from
        0 to k that forecasts left-out rows best.
    kinds : sequence of {"logistic", "finish"}, default both
        Kinds of models that each member fits.
    calibrated : bool, default True
        Whether a temperature is fitted to the pooled forecasts.
    n_folds : int, default 5
        Number of folds that determine the weights of the models. With 0 all models have equal weight, and
        there is no temperature.
    random_state : int, default 0
        Seed of cuts, orders, and rows drawn from large tables.
    n_jobs : int, default 1
        Number of threads that fit and forecast members. -1 uses one thread for each processor. Forecasts do
        not depend on `n_jobs`.
    categorical_features : "from_dtype", mask, names or indices
        Which columns are nominal.
    arities : sequence of int or None, optional
        Number of values of each column of integer codes.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    weights_ : Series of float
        Weight of each kind and penalty in the pool. The sum is 1.
    temperature_ : float
        Power to which the pooled probabilities are raised. Above 1, probabilities become more extreme.
    held_out_loss_ : Series of float
        Mean log loss of the held-out rows in bits, for each kind and penalty, and for the pooled forecasts
        before the temperature ("pool"). The value for "pool" is slightly optimistic, since the same rows
        determine the weights.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    SelectiveKDBClassifier : One network, with attributes and parents chosen by left-out rows.
    AveragedAssumptionsClassifier : Exact average over structures, for tables of few columns.

    Notes
    -----
    Weights and temperature come from stratified cross-validation within the training rows: for each fold, the
    structure, the tables and the logistic models are learned from the other folds. The cuts come from all
    training rows, which is valid because they do not depend on the classes. In large data sets, only as many
    folds are forecast as contain 5,000 rows, and the logistic models use at most 20,000 rows, which are drawn
    anew for each member.

    Random cuts make up to 12 intervals of about equal frequency. Both ends of a column are cut further, into
    ever smaller intervals, so that an effect of only the most extreme numbers can be learned.

    Rows are assumed to be independent. If rows were copied, for instance to balance classes, some rows are
    held out while their copies are used for training, and forecasts become overconfident. Balance classes by
    weights instead: a row is either used for training or held out as a whole, whatever its weight. Penalties
    are not scaled with the weights, so multiplying all weights by a constant changes forecasts slightly.

    A logistic model gives each value a score, its coefficient. The penalty is on squared scores: of each
    value, or in a numeric column, of the difference between neighboring intervals. The coefficients of the
    network's log probabilities are penalized by their squared distance to 1. If these coefficients are 1 and
    all scores are 0, the model's forecast equals the network's forecast. For a training row, the log
    probabilities come from counts of the other rows, but structure and concentrations come from all rows. A
    missing value has its own score in the logistic models, and is not counted in the network.

    References
    ----------
    .. [1] H. Zhang, F. Petitjean, W. Buntine, "Bayesian network classifiers using ensembles and smoothing",
       Knowledge and Information Systems 62, 2020.
    .. [2] N. A. Zaidi, G. I. Webb, M. J. Carman, F. Petitjean, W. Buntine, M. Hynes, H. De Sterck, "Efficient
       parameter learning of Bayesian network classifiers", Machine Learning 106, 2017.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> ensemble = BayesianNetworkEnsembleClassifier(n_members=3).fit(X[::2], y[::2])
    >>> ensemble.score(X[1::2], y[1::2]) > 0.9
    True
    """

    workbench_identity = "learners.averages.bayesian_network_ensemble:BayesianNetworkEnsembleClassifier"
    algorithm_version = 2  # since 2 parents are chosen by information less what chance brings
    facts = LearnerFacts(
        key="bn_ensemble",
        authors="Zhang, Petitjean, Buntine",
        title="Bayesian network classifiers using ensembles and smoothing",
        year=2020,
        numbers="random intervals",
        missing="own score",
        weights="whole rows",
        limit="2 GiB for the counts of all pairs of values",
    )

    _takes_numbers = True  # the cuts are each member's own

    def __init__(
        self,
        n_members: int = 10,
        k: int = 3,
        kinds: Sequence[str] = KINDS,
        calibrated: bool = True,
        n_folds: int = 5,
        random_state: int = 0,
        n_jobs: int = 1,
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.n_members = n_members
        self.k = k
        self.kinds = kinds
        self.calibrated = calibrated
        self.n_folds = n_folds
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the members, and determine the weight of each kind and penalty by held-out rows.

        `X` has the training rows, `y` their class labels, and `sample_weight` optional weights of the rows.

        Raises
        ------
        ValueError
            If the counts of pairs would take more than 2 GiB, or a parameter is out of range.
        """
        kinds = self._check_parameters()
        table = self._read_training(X, y, sample_weight)
        if table.n_classes == 1:
            kinds = ()
        self._recipes = self._drawn_recipes(table, kinds)
        held = list(folds(table, int(self.n_folds), ENOUGH_ROWS)) if self.n_folds else []
        fit_one = partial(self._fit_member, table=table, held=held)
        fitted = self._each(fit_one, range(len(self._recipes)))
        self._members = [member for member, _ in fitted]
        self._pool([forecasts for _, forecasts in fitted], table, held)
        return self

    def _fit_member(
        self, number: int, *, table: TrainingTable, held: Sequence[Fold]
    ) -> tuple[EnsembleMember, list[dict[str, NDArray[np.float64]]]]:
        """Fit a member to all rows and to the training part of each fold, and forecast the held-out rows."""
        cuts, recipe = self._recipes[number]
        codes = self._coded(number, CodedTable(table.codes, table.values, table.y.size))
        arities = self._schema.arities_with_intervals(cuts)
        cut = table._replace(codes=codes, values=table.values[:0], arities=arities)
        ordered = np.isin(np.arange(arities.size), self._schema.numeric)
        forecasts = []
        for fold in held:
            member = EnsembleMember.of(fold.seen_of(cut), ordered, recipe)
            forecasts.append(member.forecasts(cut.codes[:, fold.rows], set(member.models)))
        return EnsembleMember.of(cut, ordered, recipe), forecasts

    def _pool(
        self,
        forecasts: Sequence[Sequence[dict[str, NDArray[np.float64]]]],
        table: TrainingTable,
        held: Sequence[Fold],
    ) -> None:
        """Set weights and temperature from the held-out rows."""
        keys = list(dict.fromkeys(key for member in self._members for key in member.models))
        self.temperature_ = 1.0
        if not held or not keys:  # no folds, one row, or one class
            self.weights_ = pd.Series(1.0 / max(len(keys), 1), keys, dtype=np.float64, name="weight")
            self.held_out_loss_ = pd.Series(np.nan, [*keys, "pool"], name="bits")
            return
        y = np.concatenate([table.y[fold.rows] for fold in held])
        weight = np.concatenate([fold.weight for fold in held])
        means = {}
        for key in keys:
            own = [np.concatenate([part[key] for part in parts]) for parts in forecasts if key in parts[0]]
            means[key] = np.mean(own, axis=0)
        rows = np.arange(y.size)
        likelihoods = np.array([mean[rows, y] for mean in means.values()])
        shares = pool_weights(likelihoods, weight)
        shares[shares < LEAST_WEIGHT] = 0.0
        shares /= shares.sum()
        pooled = np.tensordot(shares, np.array(list(means.values())), 1)
        if self.calibrated:
            self.temperature_ = temperature(pooled, y, weight)
        losses = -np.log2(np.vstack([likelihoods, pooled[rows, y]])) @ weight / weight.sum()
        self.weights_ = pd.Series(shares, keys, name="weight")
        self.held_out_loss_ = pd.Series(losses, [*keys, "pool"], name="bits")

    def forecasts_by_kind(self, X: Any) -> dict[str, NDArray[np.float64]]:
        """Return the forecasts of each kind and penalty, before they are pooled.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Columns as in `fit`.

        Returns
        -------
        dict of str to ndarray of shape (n_samples, n_classes)
            Mean class probabilities over the members, by kind and penalty as in `weights_`. Empty if the
            training rows have one class.

        Raises
        ------
        NotFittedError
            If the learner is not fitted.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> X, y = load_iris(return_X_y=True)
        >>> ensemble = BayesianNetworkEnsembleClassifier(2, kinds=["logistic"]).fit(X, y)
        >>> list(ensemble.forecasts_by_kind(X[:1]))
        ['logistic 30', 'logistic 3', 'logistic 0.3']
        """
        self._require_fit()
        coded = self._schema.code(self._check_table(X, reset=False))
        return self._sums(coded, pd.Series(1.0, self.weights_.index))

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        coded = self._schema.code(self._check_table(X, reset=False))
        if self.weights_.empty:
            return np.ones((coded.n_samples, 1))
        pooled = np.sum(list(self._sums(coded, self.weights_[self.weights_ > 0]).values()), axis=0)
        if self.temperature_ != 1.0:
            return sharpened(pooled, self.temperature_)
        return pooled / pooled.sum(axis=1, keepdims=True)

    def _sums(self, coded: CodedTable, shares: "pd.Series[float]") -> dict[str, NDArray[np.float64]]:
        """Return the mean forecast of each kind and penalty, times its share."""
        having = {key: sum(key in member.models for member in self._members) for key in shares.index}

        def part(number: int) -> dict[str, NDArray[np.float64]]:
            found = self._members[number].forecasts(self._coded(number, coded), set(having))
            return {key: shares[key] / having[key] * y_prob for key, y_prob in found.items()}

        parts = self._each(part, range(len(self._members)))
        return {key: np.sum([part[key] for part in parts if key in part], axis=0) for key in having}

    # -- members -------------------------------------------------------------------------------

    def _drawn_recipes(
        self, table: TrainingTable, kinds: tuple[str, ...]
    ) -> list[tuple[list[NDArray[np.float64]], Recipe]]:
        """Draw cuts and seed of each member."""
        # without numbers only the networks differ, so that there is one model of the values alone
        seeds = np.random.SeedSequence(self.random_state).spawn(self.n_members)
        spreads = [Spread.of(x, table.weight) for x in table.values]
        out = []
        for number, seed in enumerate(seeds):
            rng = np.random.default_rng(seed)
            cuts = [spread.draw_cuts(rng, tails=True) for spread in spreads]
            own = kinds if number == 0 or len(table.values) else tuple(k for k in kinds if k == "finish")
            recipe = Recipe(own, int(self.k), NOISE if number else 0.0, int(rng.integers(2**31)))
            if own or number == 0:
                out.append((cuts, recipe))
        return out

    def _coded(self, number: int, coded: CodedTable) -> NDArray[Any]:
        return self._schema.codes_with_intervals(coded, self._recipes[number][0])

    def _each(self, function: Any, numbers: Any) -> list[Any]:
        """Call a function with each number, in threads."""
        return in_threads(function, numbers, check_threads(self.n_jobs))

    def _check_parameters(self) -> tuple[str, ...]:
        """Return the kinds of models, in their order."""
        for name, least in (("n_members", 1), ("k", 0), ("n_folds", 0)):
            value = getattr(self, name)
            if not is_whole(value) or value < least:
                raise ValueError(f"{name} must be a whole number of at least {least}, but was {value!r}.")
        if self.n_folds == 1:
            raise ValueError("n_folds must be 0, for no folds, or at least 2, but was 1.")
        check_threads(self.n_jobs)
        check_flag("calibrated", self.calibrated)
        check_seed(self.random_state)
        listed = isinstance(self.kinds, Sequence) and not isinstance(self.kinds, str)
        given = set(self.kinds) if listed else set()
        if not given or not given <= set(KINDS):
            raise ValueError(f"kinds must be a list of {', '.join(KINDS)}, but was {self.kinds!r}.")
        return tuple(kind for kind in KINDS if kind in given)
