"""The rivals: classifiers of scikit-learn and scikit-bayes as they come, calibrated, and tuned.

Study files name the functions, such as "experiments.studies.real_tables.baselines:forest", from the root of
the repository. All use one core. Nothing looks at more than the training rows, and none of them fails for
want of rows:

* a table whose training rows have one class, and a row whose forecast is not finite, get the shares of the
  classes in the training rows;
* classes of one row stay among the rows that are learned from wherever rows are held out, as far as this is
  possible; with fewer than two classes of two rows and more nothing is held out, so that an estimator is
  neither calibrated nor tuned, and boosting does not stop early;
* boosting takes a nominal column of more than 255 values, scikit-learn's limit, as numbers, and leaves out a
  column without a value; where holding out rows would leave a column without one, it does not stop early.
"""

import warnings
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import Tags

#: Trees of a forest, and of those that are tried in a search.
TREES, TREES_TRIED = 300, 100
#: Values of a nominal column that boosting can take as such.
MOST_VALUES = 255
#: Rows from which on scikit-learn's guide advises isotonic calibration; it overfits fewer.
ROWS_FOR_ISOTONIC = 1000
#: Rows that a search looks at; the estimator that it settles on learns from all.
ROWS_SEARCHED = 3000
#: Rows that scikit-bayes forecasts at a time, as it holds an array of rows by classes by members.
ROWS_AT_ONCE = 2000


class Careful(ClassifierMixin, BaseEstimator):
    """What the rivals share: class shares where nothing can be learned, and no warnings."""

    random_state: int | None = None

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from the training rows."""
        self.classes_, codes = np.unique(np.asarray(y), return_inverse=True)
        self.shares_ = np.bincount(codes) / len(codes)
        self.fitted_ = None
        if len(self.classes_) > 1:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of few rows of a class, and of steps that ran out
                self.fitted_ = self._fitted(X, codes, np.random.default_rng(self.random_state))
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Forecast the classes."""
        found = np.tile(self.shares_, (len(X), 1))
        if self.fitted_ is None:
            return found
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            own = np.zeros_like(found)
            own[:, self.fitted_.classes_] = self._forecast(X)
        total = own.sum(axis=1)
        finite = np.isfinite(total) & (total > 0)
        found[finite] = own[finite] / total[finite, None]
        return found

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable classes."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    @abstractmethod
    def _fitted(self, X: Any, codes: NDArray[np.intp], rng: np.random.Generator) -> Any:
        """Return an estimator that has learned the class codes."""

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        return self.fitted_.predict_proba(X)


class Plain(Careful):
    """An estimator as it is, which is given what it reads."""

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def _fitted(self, X: Any, codes: NDArray[np.intp], rng: np.random.Generator) -> Any:
        return clone(self.estimator).fit(X, codes)


class Boosting(Careful):
    """Histogram boosting, which holds out rows itself where scikit-learn refuses to draw them by class."""

    def __init__(self, estimator: Any, random_state: int | None = None) -> None:
        self.estimator, self.random_state = estimator, random_state

    def _fitted(self, X: Any, codes: NDArray[np.intp], rng: np.random.Generator) -> Any:
        made, X = clone(self.estimator), pd.DataFrame(X)  # an array where a column has too many values
        self.empty_ = [name for name in X if X[name].isna().all()]
        X = few_values(X).drop(columns=self.empty_)
        if not X.shape[1]:
            return DummyClassifier(strategy="prior").fit(X, codes)
        stops = made.early_stopping is True or (made.early_stopping == "auto" and len(codes) > 10_000)
        try:
            return self._stopped(made, X, codes, rng) if stops else made.fit(X, codes)
        except ValueError:
            return made.set_params(early_stopping=False).fit(X, codes)

    def _stopped(self, made: Any, X: Any, codes: NDArray[np.intp], rng: np.random.Generator) -> Any:
        n_held = int(np.ceil(made.validation_fraction * len(codes)))
        counts = np.bincount(codes)
        if counts.min() > 1 and n_held >= len(counts):
            return made.fit(X, codes)
        held = spared(codes, n_held, rng)
        if not held.any():
            return made.set_params(early_stopping=False).fit(X, codes)
        return made.fit(rows(X, ~held), codes[~held], X_val=rows(X, held), y_val=codes[held])

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        return self.fitted_.predict_proba(few_values(pd.DataFrame(X)).drop(columns=self.empty_))


class Calibrated(Careful):
    """An estimator that learns from all rows, calibrated by its forecasts of rows that were left out."""

    def __init__(
        self, estimator: Any, method: str = "by_rows", folds: int = 3, random_state: int | None = None
    ) -> None:
        self.estimator, self.method, self.folds, self.random_state = estimator, method, folds, random_state

    def _fitted(self, X: Any, codes: NDArray[np.intp], rng: np.random.Generator) -> Any:
        if not can_hold_out(codes):
            return clone(self.estimator).fit(X, codes)
        method = self.method
        if method == "by_rows":
            method = "isotonic" if len(codes) >= ROWS_FOR_ISOTONIC else "sigmoid"
        parts = list(dealt(codes, self.folds, rng))
        return CalibratedClassifierCV(
            clone(self.estimator), method=method, cv=parts, ensemble=False
        ).fit(X, codes)  # fmt: skip


class Tuned(Careful):
    """An estimator with the options of least log loss, after the cut-off of 2002, in cross-validation."""

    def __init__(
        self,
        estimator: Any,
        grid: Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Sequence[Any]]],
        in_the_end: Mapping[str, Any] | None = None,  # options of the one that learns from all rows
        folds: int = 3,
        most_rows: int = ROWS_SEARCHED,
        random_state: int | None = None,
    ) -> None:
        self.estimator, self.grid, self.in_the_end = estimator, grid, in_the_end
        self.folds, self.most_rows, self.random_state = folds, most_rows, random_state

    def _fitted(self, X: Any, codes: NDArray[np.intp], rng: np.random.Generator) -> Any:
        last = clone(self.estimator).set_params(**(self.in_the_end or {}))
        self.chosen_: dict[str, Any] = {}
        if not can_hold_out(codes):
            return last.fit(X, codes)
        _, seen = next(dealt(codes, int(np.ceil(len(codes) / self.most_rows)), rng))
        n_classes = np.unique(codes[seen]).size
        search = GridSearchCV(
            clone(self.estimator), self.grid, refit=False, error_score="raise",
            cv=list(dealt(codes[seen], self.folds, rng)),
            scoring=partial(log_likelihood, least=0.5 / (len(seen) + 0.5 * n_classes)),
        )  # fmt: skip
        self.chosen_ = search.fit(rows(X, seen), codes[seen]).best_params_
        return last.set_params(**self.chosen_).fit(X, codes)


class OnTables(Careful):
    """What those share that must know which columns are nominal: they read a table of categories."""

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.allow_nan = True
        return tags

    def _learn_columns(self, X: pd.DataFrame) -> None:
        self.nominal_ = [i for i, kind in enumerate(X.dtypes) if isinstance(kind, pd.CategoricalDtype)]
        self.numeric_ = [i for i in range(X.shape[1]) if i not in self.nominal_]
        self.values_ = {i: X.iloc[:, i].cat.categories for i in self.nominal_}

    def _coded(self, X: pd.DataFrame) -> NDArray[np.float64]:
        """Return an array of codes, from 1 and 0 if missing, and of numbers, in the order of the columns."""
        found = np.empty(X.shape)
        for i in self.nominal_:
            found[:, i] = self.values_[i].get_indexer(X.iloc[:, i]) + 1
        found[:, self.numeric_] = X.iloc[:, self.numeric_].to_numpy(dtype=np.float64, na_value=np.nan)
        return found


class CutCategoricalNB(OnTables):
    """Categorical naive Bayes on columns cut into intervals of about equal numbers; missing is a value."""

    def __init__(self, alpha: float = 1.0, n_bins: int = 10) -> None:
        self.alpha, self.n_bins = alpha, n_bins

    def _fitted(self, X: Any, codes: NDArray[np.intp], rng: np.random.Generator) -> Any:
        self._learn_columns(X)
        coded = self._coded(X)
        shares = np.linspace(0, 1, self.n_bins + 1)[1:-1]
        self.cuts_ = {}
        for i in self.numeric_:
            there = coded[~np.isnan(coded[:, i]), i]
            cuts = np.unique(np.quantile(there, shares)) if there.size else np.empty(0)
            self.cuts_[i] = cuts[cuts > there.min()] if there.size else cuts
        sizes = [
            len(self.values_[i]) + 1 if i in self.values_ else len(self.cuts_[i]) + 2
            for i in range(X.shape[1])
        ]
        return CategoricalNB(alpha=self.alpha, min_categories=sizes).fit(self._cut(coded), codes)

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        return self.fitted_.predict_proba(self._cut(self._coded(X)))

    def _cut(self, coded: NDArray[np.float64]) -> NDArray[np.intp]:
        found = np.zeros(coded.shape, dtype=np.intp)
        found[:, self.nominal_] = coded[:, self.nominal_]
        for i in self.numeric_:
            there = ~np.isnan(coded[:, i])
            found[there, i] = 1 + np.searchsorted(self.cuts_[i], coded[there, i], side="right")
        return found


class ScikitBayesAnDE(OnTables):
    """Averaged dependence estimators of scikit-bayes, numbers as it takes them; medians if missing."""

    def __init__(self, n_dependence: int = 1) -> None:
        self.n_dependence = n_dependence

    def _fitted(self, X: Any, codes: NDArray[np.intp], rng: np.random.Generator) -> Any:
        from skbn import AnDE

        self._learn_columns(X)
        coded = self._coded(X)
        self.medians_ = np.nan_to_num(np.nanmedian(coded, axis=0))
        made = AnDE(
            self.n_dependence,
            categorical_features=self.nominal_ or None,
            gaussian_features=self.numeric_ or None,
        )
        return made.fit(self._filled(coded), codes)

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        filled = self._filled(self._coded(X))
        parts = [filled[at : at + ROWS_AT_ONCE] for at in range(0, len(filled), ROWS_AT_ONCE)]
        return np.concatenate([self.fitted_.predict_proba(part) for part in parts])

    def _filled(self, coded: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.where(np.isnan(coded), self.medians_, coded)


def forest(min_samples_leaf: int = 1) -> RandomForestClassifier:
    """Make a random forest of 300 trees, else as it comes."""
    return RandomForestClassifier(TREES, min_samples_leaf=min_samples_leaf, n_jobs=1)


def extra_trees(min_samples_leaf: int = 1) -> ExtraTreesClassifier:
    """Make extremely randomized trees, 300 of them, else as they come."""
    return ExtraTreesClassifier(TREES, min_samples_leaf=min_samples_leaf, n_jobs=1)


def boosting(early_stopping: bool | str = "auto") -> Boosting:
    """Make histogram boosting with nominal columns as such."""
    return Boosting(HistGradientBoostingClassifier(early_stopping=early_stopping))


def logistic(C: float = 1.0) -> Plain:
    """Make logistic regression on 0 and 1 for nominal values, and scaled numbers, means where missing."""
    last = LogisticRegression(C=C, max_iter=2000)
    return Plain(make_pipeline(SimpleImputer(keep_empty_features=True), StandardScaler(), last))


def gaussian_nb() -> Plain:
    """Make naive Bayes with normal columns, nominal values as 0 and 1, means where missing."""
    return Plain(make_pipeline(SimpleImputer(keep_empty_features=True), GaussianNB()))


def categorical_nb() -> CutCategoricalNB:
    """Make naive Bayes of scikit-learn on columns cut into ten intervals."""
    return CutCategoricalNB()


def scikit_bayes(n_dependence: int = 1) -> ScikitBayesAnDE:
    """Make AnDE of scikit-bayes."""
    return ScikitBayesAnDE(n_dependence)


def calibrated(of: str, method: str = "by_rows", min_samples_leaf: int = 1) -> Calibrated:
    """Calibrate one of the above by its name."""
    options = {"min_samples_leaf": min_samples_leaf} if of in ("forest", "extra_trees") else {}
    return Calibrated(MADE[of](**options), method)


def tuned(of: str) -> Tuned:
    """Tune one of the above by its name."""
    if of == "logistic":
        return Tuned(logistic(), {"estimator__logisticregression__C": [0.01, 0.1, 1.0, 10.0]})
    if of == "boosting":
        stopped = HistGradientBoostingClassifier(early_stopping=True, max_iter=500)
        grid = [{f"estimator__{name}": own for name, own in part.items()} for part in BOOSTED]
        return Tuned(Boosting(stopped), grid)
    trees = MADE[of]().set_params(n_estimators=TREES_TRIED)
    return Tuned(trees, GROWN, {"n_estimators": TREES})


#: What is tried of forests and extra trees, and of boosting.
GROWN = {"max_features": ["sqrt", 0.5], "min_samples_leaf": [1, 2, 5]}
SHAPES = {"learning_rate": [0.03, 0.1], "max_leaf_nodes": [4, 16]}
BOOSTED = [
    {**SHAPES, "min_samples_leaf": [20], "l2_regularization": [0.0]},
    {**SHAPES, "min_samples_leaf": [5], "l2_regularization": [10.0]},
]
MADE: dict[str, Any] = {
    "forest": forest,
    "extra_trees": extra_trees,
    "boosting": boosting,
    "logistic": logistic,
    "gaussian_nb": gaussian_nb,
    "categorical_nb": categorical_nb,
    "scikit_bayes": scikit_bayes,
}


def dealt(
    codes: NDArray[np.intp], n_folds: int, rng: np.random.Generator
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Yield stratified folds: rows sorted by class are dealt in turn, so that rare classes need no rule."""
    shuffled = rng.permutation(len(codes))
    fold = np.empty(len(codes), dtype=np.intp)
    fold[shuffled[np.argsort(codes[shuffled], kind="stable")]] = np.arange(len(codes)) % n_folds
    for k in range(n_folds):
        yield np.flatnonzero(fold != k), np.flatnonzero(fold == k)


def can_hold_out(codes: NDArray[np.intp]) -> bool:
    """Return whether two classes at least remain whatever fold is left out."""
    return bool((np.bincount(codes) > 1).sum() > 1)


def spared(codes: NDArray[np.intp], n: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Choose n rows or fewer such that a row of each class is left."""
    held, left = np.zeros(len(codes), dtype=bool), np.bincount(codes)
    for row in rng.permutation(len(codes)):
        if held.sum() < n and left[codes[row]] > 1:
            held[row] = True
            left[codes[row]] -= 1
    return held


def log_likelihood(estimator: Any, X: Any, codes: NDArray[np.intp], *, least: float) -> float:
    """Score forecasts of held-out rows; a class that was not learned has the least probability."""
    given = np.zeros((len(codes), codes.max() + 1))
    known = estimator.classes_ <= codes.max()
    given[:, estimator.classes_[known]] = estimator.predict_proba(X)[:, known]
    return float(np.log(np.maximum(given[np.arange(len(codes)), codes], least)).mean())


def few_values(X: pd.DataFrame) -> pd.DataFrame:
    """Write nominal columns of more values than boosting takes as numbers."""
    wide = [
        name for name, kind in X.dtypes.items()
        if isinstance(kind, pd.CategoricalDtype) and len(kind.categories) > MOST_VALUES
    ]  # fmt: skip
    return X.assign(**{name: X[name].cat.codes.where(X[name].notna()).astype("float64") for name in wide})


def rows(X: Any, at: NDArray[Any]) -> Any:
    """Return rows of a table or of an array, by places or by a mask."""
    return X.iloc[at] if isinstance(X, pd.DataFrame) else X[at]
