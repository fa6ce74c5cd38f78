"""Boosting with early stopping on held-out rows, refitted to all rows.

Python and study files use `early_stopped`, which makes an `EarlyStoppedClassifier` around boosting.
"""

import warnings
from collections.abc import Callable, Mapping
from numbers import Real
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from generators.base.draw import as_generator
from learners.facts import LearnerFacts
from learners.tables.class_labels import code_classes
from workbench.base.checks import as_integer
from workbench.base.errors import WorkbenchError
from workbench.base.text import article
from workbench.estimators.build import inner_learner
from workbench.estimators.foreign import ForeignClassifier, Wrapping, as_frame
from workbench.estimators.inputs import FittedInput
from workbench.estimators.rivals import CatBoostReader, NamesReader, XGBoostReader, package_of

__all__ = ["EarlyStoppedClassifier", "Rows", "check_early_stopped", "early_stopped"]

#: What a key alone stands for: as many rounds at most as CatBoost has by default, and not 100.
MOST_ROUNDS, CEILINGS = 1000, {"lightgbm": "n_estimators", "xgboost": "n_estimators", "boosting": "max_iter"}


class Rows(NamedTuple):
    """Rows, their classes and their weights."""

    X: Any
    y: NDArray[Any]
    weight: NDArray[np.float64] | None  # None where all are 1


class Stopped(NamedTuple):
    """The result of boosting."""

    settings: dict[str, Any]  # parameters for all rows, the number of rounds first
    model: Any  # fitted to the first part, and forecasting with that number


def early_stopped(
    of: Any = None,
    *,
    fraction: float = 0.2,
    patience: int = 50,
    refit: bool = True,
    random_state: Any = None,
) -> "EarlyStoppedClassifier":
    """Choose the number of boosting rounds on held-out rows, and refit to all rows.

    `of` is an unfitted CatBoostClassifier, LGBMClassifier, XGBClassifier or HistGradientBoostingClassifier,
    a table as in study files, whose number of rounds is the maximum, or a key, with at most 1000 rounds:
    `{key = "stopped", learner = "early_stopped", of = {learner = "lightgbm", n_estimators = 2000}}`.
    A `fraction` of the rows of each class is held out. Boosting ends when their loss has not improved in
    `patience` rounds. `random_state` selects them. `refit=False` keeps that fit, in half the time.
    """
    _check(fraction, patience)
    if isinstance(of, str) and of in CEILINGS:
        of = {"learner": of, CEILINGS[of]: MOST_ROUNDS}
    return EarlyStoppedClassifier(
        inner_learner(of), fraction=fraction, patience=patience, refit=refit, random_state=random_state
    )


class EarlyStoppedClassifier(Wrapping):
    """Boosting with a number of rounds chosen on held-out rows."""

    # Prechelt, "Early stopping - but when?", in Neural networks: tricks of the trade, 1998.
    # All rows are fitted in the end, by default: other learners of a comparison learn from them, too, and a
    # class may have few. Every class keeps a row in the part that is fitted first, so that only the rows that
    # are held out may lack classes. Where none can be held out, the learner is fitted as it is, and n_rounds_
    # is None.
    #: The name in study files, where `of` can be a key.
    study_key = "early_stopped"
    workbench_identity = "workbench.early_stopped:EarlyStoppedClassifier"
    facts = LearnerFacts(
        key="early_stopped",
        authors="Prechelt",
        title="Early stopping - but when?",
        year=1998,
        numbers="as inside",
        missing="as inside",
        weights="taken",
    )

    def __init__(
        self,
        of: Any = None,
        fraction: float = 0.2,
        patience: int = 50,
        refit: bool = True,
        random_state: Any = None,
    ) -> None:
        self.of = of
        self.fraction = fraction
        self.patience = patience
        self.refit = refit
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "EarlyStoppedClassifier":
        """Choose the number of rounds, then fit to all rows."""
        _check(self.fraction, self.patience)
        search, usual = _search_of(self.of)
        table, labels = as_frame(X), np.asarray(y)
        weight = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        if weight is not None and weight.shape != labels.shape:
            raise WorkbenchError(
                f"sample_weight has shape {weight.shape}, but there are {len(labels)} rows: give one per row"
            )
        classes, codes, _ = code_classes(labels)
        held = self._held_out(codes)
        learner, self.n_rounds_ = clone(self.of), None
        if held.any():
            form = FittedInput.of(table[~held], self.of)
            parts = [
                Rows(form.rows(table[own]), codes[own], None if weight is None else weight[own])
                for own in (~held, held)
            ]
            settings, model = search(learner, *parts, int(self.patience))
            name, self.n_rounds_ = next(iter(settings.items()))
            self._check_ceiling(name, self.of.get_params().get(name) or usual)
            if not self.refit:
                self.fitted_, self.classes_, self.refused_ = _First(form, model), classes, ""
                return self
            learner = clone(self.of).set_params(**settings)
        self._fit(ForeignClassifier(learner), table, labels, **_weights(weight))
        return self

    def _check_ceiling(self, name: str, most: int) -> None:
        """Warn if boosting used its maximal number of rounds and might still improve."""
        if self.n_rounds_ == most:
            warnings.warn(
                f"early_stopped({type(self.of).__name__}): boosting still improved in the last of its {most} "
                f"rounds: raise {name}",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _held_out(self, codes: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Choose rows of each class, but never all of a class, and none if there is a single class."""
        rng = as_generator(self.random_state)
        held = np.zeros(len(codes), dtype=np.bool_)
        classes = np.unique(codes)
        for code in classes if len(classes) > 1 else ():
            own = rng.permutation(np.flatnonzero(codes == code))
            held[own[: min(round(self.fraction * len(own)), len(own) - 1)]] = True
        return held


def check_early_stopped(learner: Any) -> None:
    """Raise WorkbenchError if a learner, or one inside it, cannot be stopped early."""
    for part in (learner, *learner.get_params(deep=True).values()):
        if isinstance(part, EarlyStoppedClassifier):
            _search_of(part.of)


class _First:
    """Boosting fitted to the other rows, which have every class."""

    def __init__(self, form: FittedInput, model: Any) -> None:
        self._form, self._model = form, model

    def predict_proba(self, X: pd.DataFrame) -> NDArray[np.float64]:
        """Predict class probabilities with the best number of rounds."""
        return np.asarray(self._model.predict_proba(self._form.rows(X)), dtype=np.float64)


# ---- how each finds the rounds


def _of_catboost(of: Any, first: Rows, held: Rows, patience: int) -> Stopped:
    from catboost import Pool

    reader = CatBoostReader(of)
    rows, places = reader.rows_and_places(held.X)
    evaluated = Pool(rows, label=held.y, cat_features=places, weight=held.weight)
    weights = _weights(first.weight)
    stop = {"use_best_model": True, "early_stopping_rounds": patience}
    reader.fit(first.X, first.y, eval_set=evaluated, **stop, **weights)
    given, found = of.get_params(), reader.fitted_
    names = ("iterations", "n_estimators", "num_boost_round", "num_trees")
    rounds = {next((name for name in names if name in given), names[0]): max(1, found.tree_count_)}
    # CatBoost chooses a larger learning rate for fewer rounds: the number is right for that of the search.
    own_rate = {"learning_rate", "eta"} & given.keys()
    return Stopped(rounds if own_rate else {**rounds, "learning_rate": found.learning_rate_}, reader)


def _of_lightgbm(of: Any, first: Rows, held: Rows, patience: int) -> Stopped:
    from lightgbm import early_stopping

    reader = NamesReader(of)
    stop = early_stopping(patience, verbose=False)
    own = {} if held.weight is None else {"eval_sample_weight": [held.weight]}
    evaluated = {"eval_X": (reader.rows(held.X),), "eval_y": (held.y,), **own}
    reader.fit(first.X, first.y, callbacks=[stop], **evaluated, **_weights(first.weight))
    return Stopped({"n_estimators": max(1, reader.fitted_.best_iteration_)}, reader)


def _of_xgboost(of: Any, first: Rows, held: Rows, patience: int) -> Stopped:
    reader = XGBoostReader(of.set_params(early_stopping_rounds=patience))
    own = {} if held.weight is None else {"sample_weight_eval_set": [held.weight]}
    evaluated = {"eval_set": [(reader.rows(held.X), held.y)], "verbose": False, **own}
    reader.fit(first.X, first.y, **evaluated, **_weights(first.weight))
    rounds = reader.fitted_.best_iteration + 1
    return Stopped({"n_estimators": rounds, "early_stopping_rounds": None}, reader)


def _of_sklearn(of: Any, first: Rows, held: Rows, patience: int) -> Stopped:
    of.set_params(early_stopping=True, n_iter_no_change=patience, validation_fraction=None)
    own = {} if held.weight is None else {"sample_weight_val": held.weight}
    of.fit(_with_numbers(first.X), first.y, X_val=held.X, y_val=held.y, **own, **_weights(first.weight))
    rounds = max(1, int(np.argmax(of.validation_score_)))
    of._predictors = of._predictors[:rounds]  # forecasting round by round would take many times as long
    return Stopped({"max_iter": rounds, "early_stopping": False}, of)


def _with_numbers(X: Any) -> Any:
    """Set columns without any number to 0, as scikit-learn's boosting finds no bins for them."""
    if isinstance(X, pd.DataFrame):
        empty = [column for column in X.select_dtypes("number") if X[column].isna().all()]
        X = X.copy(deep=False)
        X[empty] = 0.0
        return X
    return np.where(np.isnan(X).all(axis=0), 0.0, X)


def _weights(weight: NDArray[np.float64] | None) -> dict[str, Any]:
    return {} if weight is None else {"sample_weight": weight}


#: By package: the class, what finds its rounds, and how many it makes at most by default.
SEARCHES: Mapping[str, tuple[str, Callable[..., Stopped], int]] = MappingProxyType(
    {
        "catboost": ("CatBoostClassifier", _of_catboost, 1000),
        "lightgbm": ("LGBMClassifier", _of_lightgbm, 100),
        "xgboost": ("XGBClassifier", _of_xgboost, 100),
        "sklearn": ("HistGradientBoostingClassifier", _of_sklearn, 100),
    }
)


def _search_of(of: Any) -> tuple[Callable[..., Stopped], int]:
    """Return the function that finds the number of rounds, and the default maximum, or raise."""
    name, search, usual = SEARCHES.get(package_of(of), ("", None, 0))
    if search is None or type(of).__name__ != name:
        *kinds, last = (kind for kind, *_ in SEARCHES.values())
        what = "no learner" if of is None else article(type(of).__name__)
        raise WorkbenchError(
            f"early_stopped got {what}: expected an unfitted {', '.join(kinds)} or {last}, or a key for one "
            "of these. Put preprocessing before it, make_pipeline(prep, early_stopped(booster))"
        )
    return search, usual


def _check(fraction: Any, patience: Any) -> None:
    if isinstance(fraction, bool) or not isinstance(fraction, Real) or not 0 < float(fraction) < 1:
        raise WorkbenchError(f"fraction is {fraction!r}: expected a number between 0 and 1")
    number = as_integer(patience)
    if number is None or number < 1:
        raise WorkbenchError(f"patience is {patience!r}: expected a whole number of at least 1")
