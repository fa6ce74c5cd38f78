"""A candidate member of a pool, with its held-out forecasts."""

import time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.tables.columns import class_codes
from learners.averages._shared.folds import Fold
from learners.counts.class_prior import class_prior
from workbench.estimators.early_stopped import Rows

if TYPE_CHECKING:
    from workbench.estimators.pooled.members import PoolMember

__all__ = ["Candidate", "Training", "logs_of"]

#: So many models of folds are as good as one of all rows.
FEWEST_MODELS = 3
#: Seconds of a fit to all rows by those of a fold, about.
ALL_ROWS = 1.3


class Training(NamedTuple):
    """Training rows, and the folds that all members share."""

    X: pd.DataFrame
    y: NDArray[np.intp]
    classes: NDArray[Any]
    weight: NDArray[np.float64] | None
    folds: list[Fold]

    def seen(self, fold: Fold) -> Rows:
        """Return the rows outside a fold."""
        return Rows(self.X.iloc[fold.seen], self.classes[self.y[fold.seen]], fold.seen_weight)

    def all(self) -> Rows:
        """Return all rows."""
        return Rows(self.X, self.classes[self.y], self.weight)

    def counts(self, fold: Fold | None = None) -> NDArray[np.float64]:
        """Count the rows of each class, by weight, in total or outside a fold."""
        y, weight = (self.y, self.weight) if fold is None else (self.y[fold.seen], fold.seen_weight)
        return np.bincount(y, weights=weight, minlength=len(self.classes)).astype(np.float64)


class Candidate:
    """A member, its models of folds, and the logs of their forecasts."""

    def __init__(self, member: "PoolMember") -> None:
        self.member = member
        self.models: list[PoolMember] = []  # that forecast, once it is done
        self.held_out: list[dict[str, NDArray[np.float64]]] = []  # by fold, then by name of the forecast
        self.ready: set[str] | None = None  # names of the forecasts that the models make of new rows
        self.lost = False  # the race
        self.seconds = 0.0
        self.fold_seconds = 0.0

    @staticmethod
    def _held_out(
        forecasts: dict[str, NDArray[np.float64]], model: "PoolMember", training: Training, fold: Fold
    ) -> dict[str, NDArray[np.float64]]:
        counts = training.counts(fold)
        return {
            name: _smoothed(_aligned(y_prob, model, training.classes), counts)
            for name, y_prob in forecasts.items()
        }

    @property
    def names(self) -> list[str]:
        """Names of the forecasts."""
        return list(self.held_out[0]) if self.held_out else []

    def left(self, training: Training) -> int:
        """Return the number of folds that are still to be forecast."""
        return len(training.folds) - len(self.held_out)

    def seconds_left(self, training: Training) -> float:
        """Return the estimated remaining seconds."""
        if self.lost:
            return 0.0
        needs_all = self.ready is None and not self._has_enough(len(training.folds))
        return self.fold_seconds * (self.left(training) + ALL_ROWS * needs_all)

    def forecast_fold(self, training: Training) -> None:
        """Forecast the next fold, or all folds if the member forecasts its training rows itself."""
        began = time.monotonic()
        if self.member.forecasts_left_out:
            model = self.member.fresh().fit(training.all())
            found = model.left_out()
            for fold in training.folds:
                part = {name: y_prob[fold.rows] for name, y_prob in found.items()}
                self.held_out.append(self._held_out(part, model, training, fold))
            self.models = [model]
        else:
            fold = training.folds[len(self.held_out)]
            model = self.member.fresh().fit(training.seen(fold))
            found = model.forecasts(training.X.iloc[fold.rows])
            self.held_out.append(self._held_out(found, model, training, fold))
            if self.member.averages_folds:
                self.models.append(model)
        if not self.left(training) and self._has_enough(len(self.models)):
            self.ready = set(self.names)
        self.fold_seconds = time.monotonic() - began
        self.seconds += self.fold_seconds

    def _has_enough(self, n_models: int) -> bool:
        """Whether the models of so many folds forecast new rows, without a fit to all rows."""
        return self.member.forecasts_left_out or (self.member.averages_folds and n_models >= FEWEST_MODELS)

    def fit_all(self, training: Training, names: set[str]) -> None:
        """Fit all rows, for these forecasts."""
        began = time.monotonic()
        model = self.member.fresh()
        model.restrict(names)
        self.models = [model.fit(training.all())]
        self.ready = names
        self.seconds += time.monotonic() - began


def logs_of(
    models: list["PoolMember"], X: pd.DataFrame, classes: NDArray[Any], counts: NDArray[np.float64]
) -> dict[str, NDArray[np.float64]]:
    """Return the logs of the mean forecasts of a member's models, by name of the forecast."""
    means: dict[str, NDArray[np.float64]] = {}
    for model in models:
        for name, y_prob in model.forecasts(X).items():
            share = _aligned(y_prob, model, classes) / len(models)
            means[name] = means[name] + share if name in means else share
    return {name: _smoothed(y_prob, counts) for name, y_prob in means.items()}


def _aligned(y_prob: NDArray[np.float64], model: "PoolMember", classes: NDArray[Any]) -> NDArray[np.float64]:
    """Return forecasts of all classes, in their order."""
    out = np.zeros((len(y_prob), len(classes)))
    out[:, class_codes(model.classes_, classes)] = y_prob
    return out


def _smoothed(y_prob: NDArray[np.float64], counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logs of forecasts, mixed with class frequencies with the weight of one row."""
    # no forecast is 0 then, which would decide the product alone; what is no forecast becomes the frequencies
    prior = class_prior(counts)
    known = np.where(np.isfinite(y_prob).all(axis=1, keepdims=True), y_prob, prior)
    share = 1.0 / (counts.sum() + 1.0)
    return np.log((1.0 - share) * known + share * prior)
