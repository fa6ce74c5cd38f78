"""The baseline that forecasts the class frequencies of its training rows."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.counts.class_prior import class_prior
from learners.counts.counting_learner import CountingLearner
from learners.counts.counts import ClassCounts
from learners.facts import LearnerFacts
from learners.options import check_number

__all__ = ["PriorClassifier"]


class PriorClassifier(CountingLearner):
    """Baseline classifier that forecasts the class frequencies of the training rows for every row.

    It assumes that no attribute carries information about the class. Its Bayesian information reward against
    the training prior is exactly 0.0.

    Parameters
    ----------
    alpha : float, default 0.5
        Pseudo-count for each class.
    categorical_features, arities
        See `NaiveBayesClassifier`. Here they only determine which data are refused as invalid.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted, including declared classes without rows.
    class_prior_ : ndarray of shape (n_classes,)
        The forecast for every row.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    NaiveBayesClassifier : The same prior with one factor for each attribute.

    References
    ----------
    .. [1] L. R. Hope, K. B. Korb, "A Bayesian metric for evaluating machine learning algorithms", AI 2004,
       whose reward is zero for this forecast.

    Examples
    --------
    >>> PriorClassifier().fit([[0.0], [1.0], [2.0]], ["a", "a", "b"]).predict_proba([[7.0]])
    array([[0.625, 0.375]])
    """

    workbench_identity = "learners.prior:PriorClassifier"
    facts = LearnerFacts(
        key="prior",
        authors="Hope, Korb",
        title="A Bayesian metric for evaluating machine learning algorithms",
        year=2004,
        numbers="not read",
        missing="not read",
        weights="any",
        also=("partial_fit",),
    )
    _takes_numbers = True

    def __init__(
        self,
        alpha: float = 0.5,
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.alpha = alpha
        self.categorical_features = categorical_features
        self.arities = arities

    def _check_parameters(self) -> float:
        return check_number("alpha", self.alpha, at_least=0)

    def _count(self, table: TrainingTable) -> ClassCounts:
        return ClassCounts.of(table)

    def _make_tables(self, counts: ClassCounts) -> None:
        self.class_prior_ = class_prior(counts.by_class, alpha=self._check_parameters())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        n_samples = self._code(X).n_samples
        return np.tile(self.class_prior_, (n_samples, 1))
