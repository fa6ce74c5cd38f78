"""Fit the pooled classifier without its parts, and with CatBoost, to the development tables.

Run from the root of the repository, after `run_learners.py development`:

    python -m experiments.studies.pooled.run_ablations
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier

from experiments.studies.pooled.run_learners import score_side
from workbench import PooledClassifier
from workbench.estimators.pooled import pooling

MEMBERS = ("logistic", "bn_ensemble", "random_forest", "boosting")


def with_weights(change: Callable[..., NDArray[np.float64]]) -> PooledClassifier:
    """Return a pool with other weights; fits are in processes of their own, so nothing else has them."""
    usual = pooling.pool_weights

    def changed(logs: Any, y: Any, weight: Any, beforehand: Any) -> NDArray[np.float64]:
        return change(logs, usual(logs, y, weight, beforehand))

    class Changed(PooledClassifier):
        def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
            pooling.pool_weights = changed
            return super().fit(X, y, sample_weight)

    return Changed(racing=False)


def equal() -> PooledClassifier:
    """Return a pool of equal weights."""
    return with_weights(lambda logs, weights: np.full(len(logs), 1.0 / len(logs)))


def without_temperature() -> PooledClassifier:
    """Return a pool whose weights have the sum 1."""
    return with_weights(lambda logs, weights: weights / weights.sum())


ABLATIONS = {
    **{f"without {one}": ("pooled", {"learners": [m for m in MEMBERS if m != one]}) for one in MEMBERS},
    "logistic and networks": ("pooled", {"learners": ["logistic", "bn_ensemble"]}),
    # A forest with a temperature, and leaves of as many rows as suit rows that its trees did not draw.
    "forests alone": (
        "pooled",
        {"learners": {f"leaf {n}": RandomForestClassifier(300, min_samples_leaf=n) for n in (1, 3, 8)}},
    ),
    # CatBoost as in a pool: the mean of models of folds, with a temperature; then beside the others.
    "CatBoost alone": ("pooled", {"learners": ["catboost"]}),
    "with CatBoost": ("pooled", {"learners": [*MEMBERS, "catboost"]}),
    # The next two have no race, so they are compared with this one.
    "racing off": ("pooled", {"racing": False}),
    "equal weights": (equal, {}),
    "without temperature": (without_temperature, {}),
}

if __name__ == "__main__":
    score_side("development", ABLATIONS, "ablations")
