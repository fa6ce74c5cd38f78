"""Fits of fresh copies of one learner, with equal seeds or others, and how much two forecasts differ."""

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
from workbench.estimators.fair_fit import FairFit, is_seed, seeded
from workbench.invariances.rows import TrialRows

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

    def forecast(self, rows: TrialRows, *, reseed: int = 0) -> NDArray[np.float64]:
        """Fit to rows and forecast the test rows; `reseed` numbers other seeds, 0 are the usual ones."""
        if time.monotonic() >= self.deadline:
            raise OutOfTime
        learner = seeded(
            clone(self.estimator),
            lambda name: integer_seed("invariances", self.seed, name, reseed),
            anew=bool(reseed),  # seeds that it was given stay, unless others are wanted
        )
        with _quiet():
            fit = FairFit(learner, rows.labels, input=self.input).fit(rows.X, rows.y, rows.weight)
            return fit.forecast(rows.X_test)

    @property
    def takes_weights(self) -> bool:
        """Whether `fit` has the argument `sample_weight`."""
        return bool(has_fit_parameter(self.estimator, "sample_weight"))

    @property
    def takes_seed(self) -> bool:
        """Whether the learner, or one inside it, has a `random_state`."""
        return any(map(is_seed, self.estimator.get_params(deep=True)))


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence warnings, and put numpy's error state back."""
    with one_inner_thread(), warnings.catch_warnings(), np.errstate():
        warnings.simplefilter("ignore")
        yield
