"""Metrics as scorers of scikit-learn: for cross_val_score, GridSearchCV and their like."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics.as_sets import as_sets
from workbench.metrics.base import Metric
from workbench.metrics.class_prior import class_prior

__all__ = ["Scorer", "make_scorer"]

#: What a prior can be called; any other is given as its probabilities.
PRIORS = ("test", "uniform")


@dataclass(frozen=True, repr=False)
class Scorer:
    """A metric as scikit-learn calls it: ``scorer(estimator, X, y)``, larger is better.

    Made by `make_scorer`.

    Parameters
    ----------
    metric : Metric
    prior : "test", "uniform", tuple of float or None
    classes : tuple or None
    """

    metric: Metric
    prior: str | tuple[float, ...] | None = None
    classes: tuple[Any, ...] | None = field(default=None)

    def __call__(self, estimator: Any, X: Any, y: ArrayLike) -> float:
        """Score a fitted classifier.

        Parameters
        ----------
        estimator : classifier
            Fitted; its `classes_` say what the columns of its answers are.
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels. One that the estimator does not know has probability 0.

        Returns
        -------
        float
            Of a metric where smaller is better, the negative.

        Raises
        ------
        ValueError
            If the estimator has no `predict_proba` (or `predict`, for a metric of sets), or the prior has not
            one entry for each class.
        """
        labels = np.asarray(y)
        classes = self._classes(estimator, labels)
        if "sets" in self.metric.needs:
            value = self.metric(labels, self._sets(estimator, X, classes), classes=classes)
        else:
            y_prob = self._probabilities(estimator, X, classes)
            value = self.metric(labels, y_prob, prior=self._prior_of(labels, classes), classes=classes)
        return value if self.metric.direction == "higher" else 0.0 - value

    def __repr__(self) -> str:
        options = {"prior": self.prior, "classes": self.classes}
        given = [f"{name}={value!r}" for name, value in options.items() if value is not None]
        return f"make_scorer({', '.join([self.metric.name, *given])})"

    def _classes(self, estimator: Any, labels: NDArray[Any]) -> NDArray[Any]:
        if self.classes is not None:
            return np.asarray(self.classes)
        if not hasattr(estimator, "classes_"):
            raise ValueError(
                f"{type(estimator).__name__} has no classes_, so that nobody knows what its columns are: "
                "give a fitted classifier"
            )
        return np.union1d(np.asarray(estimator.classes_), labels)

    def _probabilities(self, estimator: Any, X: Any, classes: NDArray[Any]) -> NDArray[np.float64]:
        from workbench.foreign import align, in_double

        if not hasattr(estimator, "predict_proba"):
            raise ValueError(
                f"{self.metric.name} scores probabilities and {type(estimator).__name__} has no "
                "predict_proba: calibrate it, sklearn.calibration.CalibratedClassifierCV(...)"
            )
        y_prob = in_double(np.asarray(estimator.predict_proba(X)))
        return align(y_prob, estimator.classes_, classes.tolist())

    def _sets(self, estimator: Any, X: Any, classes: NDArray[Any]) -> NDArray[np.bool_]:
        from workbench.foreign import align_sets

        if hasattr(estimator, "predict_set"):
            return align_sets(estimator.predict_set(X), estimator.classes_, classes.tolist())
        return as_sets(np.asarray(estimator.predict(X)).tolist(), classes=classes)

    def _prior_of(self, labels: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.float64] | None:
        if "prior" not in self.metric.needs:
            return None
        if self.prior == "test":
            return class_prior(labels, classes=classes)
        if self.prior == "uniform":
            return np.full(len(classes), 1.0 / len(classes))
        prior = np.asarray(self.prior)
        if len(prior) != len(classes):
            raise ValueError(
                f"prior has {len(prior)} entries and there are {len(classes)} classes here, "
                f"{classes.tolist()}: name those of the prior in their order, make_scorer(..., classes=[...])"
            )
        return prior


def make_scorer(
    metric: Metric,
    *,
    prior: str | ArrayLike | None = None,
    classes: Sequence[object] | ArrayLike | None = None,
) -> Scorer:
    """Make a scorer for scikit-learn's `scoring=`; larger is always better.

    A loss comes with its sign turned. Columns of probabilities are aligned by the estimator's `classes_`, and
    a label that training did not show has probability 0. A metric of sets asks `predict_set`, or `predict`
    where there is none.

    Parameters
    ----------
    metric : Metric
        Such as `ir_b`, `log_loss` or `significance`; not `kl_divergence`, which needs the truth.
    prior : "test", "uniform" or array-like of shape (n_classes,), optional
        For metrics that need one: the class frequencies of the rows that are scored, with counts that start
        at 0.5; equal probabilities; or probabilities, which is how a training prior is given, as a scorer
        does not see the training rows.
    classes : array-like of shape (n_classes,), optional
        All classes, in the order of `prior`; by default those that the estimator or the rows know, sorted.
        Name them where parts of the rows may lack one.

    Returns
    -------
    Scorer
        Called as ``scorer(estimator, X, y)``; it can be pickled.

    Raises
    ------
    ValueError
        If the metric needs the truth, or a prior that is not given or not known by its name.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from learners import NaiveBayesClassifier
    >>> from workbench.metrics import ir_b, log_loss, make_scorer
    >>> make_scorer(ir_b, prior="test")
    make_scorer(ir_b, prior='test')
    >>> X, y = load_iris(return_X_y=True)
    >>> scores = cross_val_score(NaiveBayesClassifier(), X, y, scoring=make_scorer(log_loss))
    >>> (scores < 0).all()  # of a loss the negative, so that larger is better
    np.True_
    """
    if not isinstance(metric, Metric):
        raise ValueError(f"metric is {metric!r}: expected one of workbench.metrics, such as ir_b")
    if "truth" in metric.needs:
        raise ValueError(f"{metric.name} compares with the truth, which no scorer sees: take another metric")
    if "prior" in metric.needs:
        _check_named(metric, prior)
    known = None if prior is None or isinstance(prior, str) else tuple(np.asarray(prior, float).tolist())
    named = None if classes is None else tuple(np.asarray(classes).tolist())
    return Scorer(metric, prior if isinstance(prior, str) else known, named)


def _check_named(metric: Metric, prior: object) -> None:
    how = (
        "give prior='test', prior='uniform', or the training prior as an array, "
        "workbench.metrics.class_prior(y_train, classes=...)"
    )
    if prior is None:
        raise ValueError(f"{metric.name} compares the forecast with a prior and got prior=None: {how}")
    if isinstance(prior, str) and prior not in PRIORS:
        why = ", which a scorer does not see" if prior == "training" else ""
        raise ValueError(f"prior is {prior!r}{why}: {how}")
