"""The truth as a learner, which is optimal."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from learners.facts import LearnerFacts
from workbench.base.errors import WorkbenchError

__all__ = ["TruthClassifier"]


class TruthClassifier(ClassifierMixin, BaseEstimator):
    """The truth itself as a learner."""

    # assumes nothing and learns nothing: forecasts the posterior; in a study each cell gets the truth of its
    # replicate, like every learner with a parameter `truth` that is None
    workbench_identity = "workbench.truth_classifier:TruthClassifier"
    algorithm_version = 1
    facts = LearnerFacts(
        key="truth",
        authors="Hope, Korb",
        title="A Bayesian metric for evaluating machine learning algorithms",
        year=2004,
        numbers="nominal only",
        missing="summed out",
        weights="no",
    )

    def __init__(self, truth: Any = None) -> None:
        self.truth = truth

    def fit(self, X: Any, y: Any = None) -> "TruthClassifier":
        """Look up the truth's classes, ignoring the rows."""
        if self.truth is None:
            raise WorkbenchError("TruthClassifier has no truth: pass one, TruthClassifier(truth)")
        states = np.asarray(self.truth.classes)
        self._columns = np.argsort(states, kind="stable")
        self.classes_ = states[self._columns]
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the truth's posterior, of shape (n_samples, n_classes), in the order of `classes_`."""
        check_is_fitted(self)
        return self.truth.posterior(X)[:, self._columns]

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]
