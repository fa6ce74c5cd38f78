"""A fair fit: each learner gets the same rows in a form that it can read, seeds, and the same checks."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.estimators.foreign import adapt
from workbench.estimators.known_code import is_known_code
from workbench.metrics._shared.checks import align, align_sets, check_forecast

__all__ = ["FairFit", "aligned_forecast", "is_seed", "seeded"]


def is_seed(name: str) -> bool:
    """Return whether a parameter of a learner, or of one inside it, is its seed."""
    return name.rpartition("__")[2] == "random_state"


def seeded(learner: Any, seed_of: Callable[[str], int], *, anew: bool = False) -> Any:
    """Set all open seeds of a learner and of those inside it, by their names."""
    # Nested estimators need seeds as well, or two runs would differ.
    seeds = {
        name: seed_of(name)
        for name, value in learner.get_params(deep=True).items()
        if is_seed(name) and (value is None or anew)
    }
    return learner.set_params(**seeds) if seeds else learner


class FairFit:
    """A learner that is fitted and predicts in the same way as all others."""

    # `given` has all rows of a data set before their values were declared, for the input "table"

    def __init__(
        self,
        learner: Any,
        classes: tuple[Any, ...],
        *,
        input: str | None = None,
        given: pd.DataFrame | None = None,
    ) -> None:
        self.learner = adapt(learner, input, given)
        self.classes = classes
        self._keeps_rows = is_known_code(self.learner)

    def fit(self, X: Any, y: Any, sample_weight: NDArray[np.float64] | None = None) -> "FairFit":
        """Fit to rows. Weights go to the learner inside its wrappers."""
        X, y = self._lent(X), self._lent(y)
        if sample_weight is None:
            self.learner.fit(X, y)
        else:
            self.learner.fit(X, y, sample_weight=sample_weight)
        return self

    @property
    def refused(self) -> str:
        """The reason why the learner rejected training rows of a single class. Empty if it did not."""
        return str(vars(self.learner).get("refused_", ""))

    def forecast(self, X: Any, *, checks: bool = True) -> NDArray[np.float64]:
        """Return probabilities of shape (n_samples, n_classes), in the order of the declared classes."""
        y_prob = aligned_forecast(self.learner, self._lent(X), self.classes)
        return check_forecast(y_prob, name="predict_proba") if checks else y_prob

    def forecast_sets(self, X: Any) -> NDArray[np.bool_] | None:
        """Return the predicted sets, (n_samples, n_classes), of a learner that has them."""
        if not hasattr(self.learner, "predict_set"):
            return None
        y_set = align_sets(self.learner.predict_set(self._lent(X)), self.learner.classes_, self.classes)
        return _of_all_rows(y_set, X, "predict_set")

    def _lent(self, rows: Any) -> Any:
        return rows if self._keeps_rows else rows.copy()  # anybody's code may change its rows


def aligned_forecast(learner: Any, X: Any, classes: tuple[Any, ...]) -> NDArray[np.float64]:
    """Return a fitted learner's probabilities for all rows, with a column for each declared class."""
    y_prob = align(learner.predict_proba(X), learner.classes_, classes)
    return _of_all_rows(y_prob, X, "predict_proba")


def _of_all_rows(answer: NDArray[Any], X: Any, name: str) -> NDArray[Any]:
    if len(answer) != len(X):
        raise ValueError(f"{name} returned {len(answer)} rows for {len(X)} given rows: expected as many")
    return answer
