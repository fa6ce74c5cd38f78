"""Discriminant analysis of scikit-learn, so that it has an answer for every table.

Study files name the functions, such as "experiments.studies.numbers.rivals:qda", from the root of the
repository. Missing numbers are means; nothing looks at more than the training rows.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from experiments.studies.real_tables.baselines import (
    Careful,
    Plain,
    can_hold_out,
    dealt,
    log_likelihood,
    rows,
)

#: What the search tries: scikit-learn's two ways to regularize the covariances of each class.
SETTINGS = [
    *({"solver": "svd", "reg_param": weight} for weight in (0.0, 0.001, 0.01, 0.1, 0.5)),
    *({"solver": "eigen", "shrinkage": weight} for weight in ("auto", 0.01, 0.1, 0.3)),
]
FOLDS = 3


class Quadratic(Careful):
    """Quadratic discriminant analysis, tuned in three folds; linear if a fold refuses each setting."""

    def __init__(self, random_state: int | None = None) -> None:
        self.random_state = random_state

    def _fitted(self, X: Any, codes: NDArray[np.intp], rng: np.random.Generator) -> Any:
        parts = list(dealt(codes, FOLDS, rng)) if can_hold_out(codes) else []
        found = [(self._likelihood(setting, X, codes, parts), i) for i, setting in enumerate(SETTINGS)]
        for likelihood, i in sorted(found, key=lambda one: -one[0]):
            try:
                if likelihood > -np.inf:
                    return _quadratic(SETTINGS[i]).fit(X, codes)
            except (ValueError, np.linalg.LinAlgError):
                continue
        return lda()._fitted(X, codes, rng)

    def _likelihood(self, setting: Any, X: Any, codes: NDArray[np.intp], parts: list[Any]) -> float:
        least = 0.5 / (len(codes) + 0.5 * np.unique(codes).size)
        total = 0.0
        for seen, held in parts:
            try:
                learned = _quadratic(setting).fit(rows(X, seen), codes[seen])
                total += log_likelihood(learned, rows(X, held), codes[held], least=least)
            except (ValueError, np.linalg.LinAlgError):
                return -np.inf
        return total


def _quadratic(setting: Any) -> Any:
    return _before(QuadraticDiscriminantAnalysis(**setting))


def _before(last: Any) -> Any:
    """Put what fills and scales columns before an estimator."""
    return make_pipeline(SimpleImputer(keep_empty_features=True), StandardScaler(), last)


def lda() -> Plain:
    """Make linear discriminant analysis with Ledoit and Wolf's covariances."""
    return Plain(_before(LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto")))


def qda() -> Quadratic:
    """Make quadratic discriminant analysis with the regularization of least log loss in three folds."""
    return Quadratic()
