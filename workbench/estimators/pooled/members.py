"""Members of a pool: classifiers with one or several named forecasts."""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import has_fit_parameter

from learners import BayesianNetworkEnsembleClassifier
from workbench.base.errors import WorkbenchError
from workbench.estimators.build import inner_learner
from workbench.estimators.early_stopped import EarlyStoppedClassifier, Rows, early_stopped
from workbench.estimators.fair_fit import seeded
from workbench.estimators.foreign import adapt
from workbench.estimators.inputs import FittedInput
from workbench.estimators.pooled.frequent_values import FrequentValues

__all__ = ["DEFAULT", "PoolMember", "members_of"]

#: The members where nobody named others, the quickest first.
DEFAULT = ("logistic", "bn_ensemble", "random_forest", "boosting")
#: Values of C of the logistic regressions, the strongest penalty first.
PENALTIES = (0.01, 0.1, 1.0)
#: Values of a nominal column that become columns, and those that scikit-learn's boosting takes.
MOST_COLUMNS, MOST_CATEGORIES = 100, 250


class PoolMember:
    """A classifier in a pool."""

    #: Whether it forecasts as the mean of the models of folds, each of which left rows out to stop by.
    averages_folds = False
    #: Whether it forecasts its training rows itself, each by what did not see it, so that it needs no folds.
    forecasts_left_out = False
    #: Values of a nominal column that it is shown, the most frequent ones.
    most_values: float = np.inf
    #: The weight of its forecasts together, before held-out rows are seen.
    beforehand = 0.0

    def __init__(self, name: str, estimator: Any) -> None:
        self.name = name
        self.estimator = estimator
        self.classes_: NDArray[Any]

    def fresh(self) -> Self:
        """Return the same member, unfitted."""
        return type(self)(self.name, clone(self.estimator))

    def fit(self, rows: Rows) -> Self:
        """Fit to rows."""
        self._values = FrequentValues(rows.X, rows.weight, self.most_values)
        self._fit(rows._replace(X=self._values.rows(rows.X)))
        return self

    def forecasts(self, X: pd.DataFrame) -> dict[str, NDArray[np.float64]]:
        """Return class probabilities, in the order of `classes_`, by name of the forecast."""
        return self._forecasts(self._values.rows(X))

    def _fit(self, rows: Rows) -> None:
        learner = adapt(self.estimator)
        given = {} if rows.weight is None else {str(self.weight_parameter): rows.weight}
        learner.fit(rows.X, pd.Series(rows.y, index=rows.X.index), **given)
        self.estimator, self.classes_ = learner, np.asarray(learner.classes_)

    def _forecasts(self, X: pd.DataFrame) -> dict[str, NDArray[np.float64]]:
        return {self.name: self.estimator.predict_proba(X)}

    def left_out(self) -> dict[str, NDArray[np.float64]]:
        """Return forecasts of the training rows by a member that needs no folds. NaN where there is none."""
        raise NotImplementedError

    def restrict(self, names: set[str]) -> None:
        """Fit only the parts that these forecasts need."""

    @property
    def weight_parameter(self) -> str | None:
        """The parameter of `fit` for weights of rows. None if it takes none."""
        learner, before = self.estimator, ""
        if isinstance(learner, Pipeline):
            name, learner = learner.steps[-1]
            before = f"{name}__"
        return f"{before}sample_weight" if has_fit_parameter(learner, "sample_weight") else None


class Networks(PoolMember):
    """The ensemble of Bayesian networks: a forecast for each of its kinds and penalties."""

    beforehand = 1.0

    def _fit(self, rows: Rows) -> None:
        self.estimator.set_params(n_folds=0)  # the pool has its own
        self.estimator.fit(rows.X, rows.y, sample_weight=rows.weight)
        self.classes_ = self.estimator.classes_

    def _forecasts(self, X: pd.DataFrame) -> dict[str, NDArray[np.float64]]:
        found = self.estimator.forecasts_by_kind(X)
        return {f"{self.name} {kind}": y_prob for kind, y_prob in found.items()}

    def restrict(self, names: set[str]) -> None:
        """Fit only the kinds that have a forecast among these."""
        own = {name.removeprefix(f"{self.name} ").split()[0] for name in names}
        kinds = [one for one in self.estimator.kinds if one in own]
        self.estimator.set_params(kinds=kinds or self.estimator.kinds)


class Boosting(PoolMember):
    """Boosting with early stopping on a fifth of its rows."""

    averages_folds = True

    def __init__(self, name: str, estimator: Any) -> None:
        super().__init__(name, estimator)
        if isinstance(estimator.of, HistGradientBoostingClassifier):
            self.most_values = MOST_CATEGORIES

    def _fit(self, rows: Rows) -> None:
        with warnings.catch_warnings():  # held-out rows show what more rounds would change
            warnings.filterwarnings("ignore", ".*boosting still improved", ConvergenceWarning)
            super()._fit(rows)

    def restrict(self, names: set[str]) -> None:
        """Refit to all rows in the end, as no other model of the pool uses the held-out rows."""
        self.estimator.set_params(refit=True)


class Forest(PoolMember):
    """A forest, whose trees forecast their out-of-bag rows."""

    forecasts_left_out = True
    most_values = MOST_COLUMNS

    def _fit(self, rows: Rows) -> None:
        self._input = FittedInput.of(rows.X, self.estimator)
        self.estimator.set_params(oob_score=True)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Some inputs do not have OOB scores")
            self.estimator.fit(self._input.rows(rows.X), rows.y, sample_weight=rows.weight)
        self.classes_ = self.estimator.classes_

    def _forecasts(self, X: pd.DataFrame) -> dict[str, NDArray[np.float64]]:
        return {self.name: self.estimator.predict_proba(self._input.rows(X))}

    def left_out(self) -> dict[str, NDArray[np.float64]]:
        """Return the mean of the trees that did not draw a row, NaN if all did."""
        y_prob = self.estimator.oob_decision_function_
        return {self.name: np.where(y_prob.any(axis=1, keepdims=True), y_prob, np.nan)}


class Logistic(PoolMember):
    """Logistic regression on scaled columns, with several penalties."""

    most_values = MOST_COLUMNS

    def _fit(self, rows: Rows) -> None:
        # with each penalty, beginning where the one before ended
        self._input = FittedInput.of(rows.X, self.estimator)
        X = self._input.rows(rows.X)
        with np.errstate(invalid="ignore"):  # a column may have no number
            self._scaler = StandardScaler().fit(X, sample_weight=rows.weight)
        self._gaps = np.isnan(X).any(axis=0)
        scaled = self._scaler.transform(X)
        self._range = np.nan_to_num([_least(scaled), -_least(-scaled)])
        design = self._design(X)
        self._models: dict[float, LogisticRegression] = {}
        for C in PENALTIES:
            model = clone(self.estimator).set_params(C=C, warm_start=True)
            for before in list(self._models.values())[-1:]:
                model.coef_, model.intercept_ = before.coef_.copy(), before.intercept_.copy()
                model.classes_ = before.classes_
            self._models[C] = model.fit(design, rows.y, sample_weight=rows.weight)
        self.classes_ = self._models[C].classes_

    def _forecasts(self, X: pd.DataFrame) -> dict[str, NDArray[np.float64]]:
        design = self._design(self._input.rows(X))
        return {f"{self.name} {C:g}": model.predict_proba(design) for C, model in self._models.items()}

    def _design(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scale numbers, clipped to the training range, with the mean and a flag where they are missing."""
        scaled = np.clip(self._scaler.transform(X), *self._range)
        return np.hstack([np.nan_to_num(scaled), np.isnan(X[:, self._gaps])])


def members_of(learners: Any, random_state: int, n_jobs: int) -> list[PoolMember]:
    """Return the members that a pool names."""
    listed = DEFAULT if isinstance(learners, str) and learners == "default" else learners
    if isinstance(listed, str) or not isinstance(listed, Sequence | Mapping):
        raise WorkbenchError(
            f'learners is {learners!r}: expected "default", or a list of learners, each a key such as '
            '"boosting" or an unfitted classifier'
        )
    found: dict[str, PoolMember] = {}
    for name, one in _named(listed):
        own = name
        while own in found or own == "pool":  # as held_out_ calls all together
            own += "'"
        found[own] = _member(own, one, random_state, n_jobs)
    if not found:
        raise WorkbenchError("learners is empty: a pool needs at least one learner")
    _check_names(found)
    return list(found.values())


def _check_names(members: Mapping[str, PoolMember]) -> None:
    """Reject a name that a forecast of another member may have."""
    for name, member in members.items():
        alike = [other for other in members if other.startswith(f"{name} ")]
        if alike and isinstance(member, Networks | Logistic):
            raise WorkbenchError(
                f"learners has {name!r} and {alike[0]!r}, but {name!r} has several forecasts with names "
                f"that begin with {name!r}: give {alike[0]!r} another name"
            )


def _named(listed: Any) -> Iterator[tuple[str, Any]]:
    """Yield names and learners."""
    if isinstance(listed, Mapping):
        yield from ((str(name), one) for name, one in listed.items())
        return
    for one in listed:
        if isinstance(one, tuple) and len(one) == 2:
            yield str(one[0]), one[1]
        elif isinstance(one, str):
            yield one, one
        elif isinstance(one, Mapping):
            yield str(one.get("key", one.get("learner"))), {k: v for k, v in one.items() if k != "key"}
        else:
            yield type(one).__name__, one


def _member(name: str, one: Any, random_state: int, n_jobs: int) -> PoolMember:
    """Make a member of a key, a table or a classifier."""
    if isinstance(one, Mapping) and set(one) == {"learner"}:
        one = one["learner"]
    ours = isinstance(one, str) and one in SUITED
    estimator = SUITED[one]() if ours else inner_learner(one, name)
    if estimator is None:
        raise WorkbenchError(
            f"learner {name!r} of the pool is None: expected a key or an unfitted classifier"
        )
    if ours and not isinstance(estimator, LogisticRegression):  # regressions have no use for threads
        own = [name for name in estimator.get_params() if name.split("__")[-1] in ("n_jobs", "thread_count")]
        estimator.set_params(**dict.fromkeys(own, n_jobs))
    kind = Logistic if ours and isinstance(estimator, LogisticRegression) else _kind_of(estimator)
    return kind(name, seeded(estimator, lambda _: random_state, anew=ours))


def _kind_of(estimator: Any) -> type[PoolMember]:
    if isinstance(estimator, BayesianNetworkEnsembleClassifier):
        return Networks
    if isinstance(estimator, EarlyStoppedClassifier) and not estimator.refit:
        return Boosting
    if isinstance(estimator, RandomForestClassifier | ExtraTreesClassifier) and estimator.bootstrap:
        return Forest
    return PoolMember


def _boosting() -> EarlyStoppedClassifier:
    # small trees that each see some columns: as good as larger ones in half the time
    booster = HistGradientBoostingClassifier(
        learning_rate=0.15,
        max_iter=1000,
        max_leaf_nodes=8,
        max_features=0.7,
        l2_regularization=3.0,
        tol=1e-4,  # where classes are separable, the loss falls for ever
    )
    return EarlyStoppedClassifier(booster, patience=15, refit=False)


#: What keys stand for in a pool: boosting stops early, forests draw rows, regressions converge.
SUITED: Mapping[str, Callable[[], Any]] = MappingProxyType(
    {
        "bn_ensemble": BayesianNetworkEnsembleClassifier,
        "boosting": _boosting,
        "catboost": lambda: early_stopped("catboost", refit=False),
        "lightgbm": lambda: early_stopped("lightgbm", refit=False),
        "xgboost": lambda: early_stopped("xgboost", refit=False),
        "logistic": lambda: LogisticRegression(max_iter=300, tol=1e-3),
        "random_forest": lambda: RandomForestClassifier(300),
        "extra_trees": lambda: ExtraTreesClassifier(300, min_samples_leaf=2, bootstrap=True),
    }
)


def _least(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the least number of each column, NaN where there is none."""
    return np.fmin.reduce(X, axis=0)
