"""AnDE against scikit-bayes, where both apply."""

import numpy as np
import pytest
from skbn import AnDE

from learners import AnDEClassifier


@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.parametrize("n_classes", [2, 5])
def test_scikit_bayes_agrees_where_parents_were_seen(n, n_classes) -> None:
    """The same Laplace formulas on complete rows.

    Where no parents were seen together scikit-bayes goes to naive Bayes at once and we to one
    parent first, so the rows asked are those of training.
    """
    rng = np.random.default_rng(n_classes)
    y = rng.integers(0, n_classes, 400)
    X = np.column_stack([(y + rng.integers(0, r, 400)) % r for r in (2, 3, 4, 3)])
    X[:, 3] = np.where(rng.random(400) < 0.5, X[:, 1], X[:, 3])
    peer = AnDE(n_dependence=n, alpha=1.0, categorical_features=[0, 1, 2, 3]).fit(X, y)
    got = AnDEClassifier(n).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(got, peer.predict_proba(X), atol=1e-12)
