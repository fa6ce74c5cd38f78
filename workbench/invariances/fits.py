"""Fits of fresh copies of one learner, with equal seeds or others, and how much two forecasts differ."""

import functools
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import rel_entr
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from workbench.base.seeds import integer_seed
from workbench.base.threads import one_inner_thread
from workbench.estimators.foreign import adapt
from workbench.invariances.rows import Rows
from workbench.metrics._shared.checks import align, check_forecast

__all__ = ["ROUNDING", "Difference", "FreshFits", "OutOfTime", "difference", "jensen_shannon"]

#: Probabilities that differ by no more are equal but for rounding.
ROUNDING = 1e-6


class OutOfTime(Exception):
    """The time for all checks is used up."""


@dataclass(frozen=True)
class Difference:
    """How much two forecasts of the same rows differ."""

    bits: float  # Jensen-Shannon divergence, averaged over rows; 0 to 1
    largest: float  # difference of a probability
    moved: float  # share of the rows of which some probability differs by more than rounding


def difference(p: NDArray[np.float64], q: NDArray[np.float64]) -> Difference:
    """Compare two forecasts of the same rows, of shape (n_samples, n_classes)."""
    by_row = np.abs(p - q).max(axis=1)
    return Difference(
        float(jensen_shannon(p, q).mean()), float(by_row.max()), float((by_row > ROUNDING).mean())
    )


def jensen_shannon(p: NDArray[np.float64], q: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the Jensen-Shannon divergence of each row, in bits."""
    middle = (p + q) / 2
    nats = (rel_entr(p, middle) + rel_entr(q, middle)).sum(axis=1) / 2
    return np.maximum(nats, 0.0) / np.log(2.0)


@dataclass(frozen=True, eq=False)
class FreshFits:
    """Fits of fresh copies of a learner."""

    estimator: Any  # cloned for every fit
    seed: int  # decides the value of every `random_state` that is None
    deadline: float = float("inf")  # of `time.monotonic`, from which no fit begins
    input: str | None = None  # what the learner is given; by default what suits it

    def forecast(self, rows: Rows, *, reseed: int = 0) -> NDArray[np.float64]:
        """Fit to rows and forecast the test rows; `reseed` numbers other seeds, 0 are the usual ones."""
        if time.monotonic() >= self.deadline:
            raise OutOfTime
        learner = adapt(self._seeded(reseed), self.input)
        with _quiet():
            # Copies, as a learner may change its rows.
            self._fit(learner, rows.X.copy(), rows.y.copy(), rows.weight)
            y_prob = align(learner.predict_proba(rows.X_test.copy()), learner.classes_, rows.labels)
        if len(y_prob) != len(rows.X_test):
            raise ValueError(
                f"predict_proba returned {len(y_prob)} rows for {len(rows.X_test)}: expected one for each"
            )
        return check_forecast(y_prob, name="predict_proba")

    @property
    def takes_weights(self) -> bool:
        """Whether `fit` has the argument `sample_weight`."""
        return bool(has_fit_parameter(self.estimator, "sample_weight"))

    @property
    def takes_seed(self) -> bool:
        """Whether the learner, or one inside it, has a `random_state`."""
        return any(map(_is_seed, self.estimator.get_params(deep=True)))

    def _seeded(self, reseed: int) -> Any:
        """Clone the learner and set its seeds; those that it was given stay unless others are wanted."""
        learner = clone(self.estimator)
        seeds = {
            name: integer_seed("invariances", self.seed, name, reseed)
            for name, value in learner.get_params(deep=True).items()
            if _is_seed(name) and (value is None or reseed)
        }
        return learner.set_params(**seeds) if seeds else learner

    def _fit(self, learner: Any, X: Any, y: Any, weight: NDArray[np.float64] | None) -> None:
        if weight is None:
            learner.fit(X, y)
        elif type(learner) is type(self.estimator):
            learner.fit(X, y, sample_weight=weight)
        else:  # the wrapper passes nothing but rows and labels on
            inner = learner.estimator
            inner.fit = functools.partial(inner.fit, sample_weight=weight)
            learner.fit(X, y)


def _is_seed(name: str) -> bool:
    return name.rpartition("__")[2] == "random_state"


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence warnings, and put numpy's error state back."""
    with one_inner_thread(), warnings.catch_warnings(), np.errstate():
        warnings.simplefilter("ignore")
        yield
