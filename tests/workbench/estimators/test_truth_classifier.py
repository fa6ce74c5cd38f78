"""The truth entered as a learner."""

import numpy as np
import pytest

from generators import Network
from workbench.base.errors import WorkbenchError
from workbench.estimators.truth_classifier import TruthClassifier
from workbench.metrics._shared.checks import align


@pytest.fixture
def unsorted() -> Network:
    """Return a truth whose classes are not declared in sorted order."""
    cpts = ([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]], [0.6, 0.3, 0.1])
    return Network(("x", "y"), (("u", "v"), ("much", "a little", "none")), ((1,), ()), cpts, 1)


def test_columns_are_those_of_the_sorted_classes(unsorted):
    X, y = unsorted.sample(50, random_state=1)
    learner = TruthClassifier(unsorted).fit(X, y)
    assert learner.classes_.tolist() == ["a little", "much", "none"]
    posterior = unsorted.posterior(X)
    y_prob = learner.predict_proba(X)
    np.testing.assert_array_equal(y_prob, posterior[:, [1, 0, 2]])
    np.testing.assert_array_equal(align(y_prob, learner.classes_, unsorted.classes), posterior)
    best = np.asarray(unsorted.classes)[posterior.argmax(axis=1)]
    assert (learner.predict(X) == best).all()
    assert len(set(best)) == 2


def test_without_a_truth_it_says_so():
    with pytest.raises(WorkbenchError, match="TruthClassifier has no truth"):
        TruthClassifier().fit([[0]], [0])
