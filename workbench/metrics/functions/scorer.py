"""Metrics as scikit-learn scorers, for cross_val_score, GridSearchCV and similar tools."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.base.text import shown
from workbench.metrics._shared.base import Metric
from workbench.metrics._shared.checks import (
    Classes,
    Numbers,
    Sets,
    align,
    align_sets,
    check_choice,
    check_integer,
    check_prior,
    in_double,
)
from workbench.metrics.functions.inputs import as_sets, class_prior, clip_probabilities

__all__ = ["Scorer", "make_scorer"]

#: Names of priors; others are given as probabilities.
PRIORS = ("test", "uniform")
CUTOFFS = ("none", "2002", "2001")
Cutoff = Literal["none", "2002", "2001"]


@dataclass(frozen=True, repr=False)
class Scorer:
    """Scorer for scikit-learn, called as ``scorer(estimator, X, y)``. Larger is better.

    It is made by `make_scorer`, and has the arguments of `make_scorer` as attributes.
    """

    workbench_identity = "workbench.metrics.scorer:Scorer"
    metric: Metric
    prior: str | tuple[float, ...] | None = None
    classes: tuple[Any, ...] | None = None
    cutoff: Cutoff = "none"
    n_train: int | None = None

    def __call__(self, estimator: Any, X: Any, y: ArrayLike) -> float:
        """Return the score of a fitted classifier."""
        labels = np.asarray(y)
        classes = self._classes(estimator, labels)
        if self.metric.needs == {"theory"}:
            value = self.metric(estimator)
        elif "theory" in self.metric.needs:
            value = self.metric(estimator, labels, self._sets(estimator, X, classes), classes=classes)
        elif "sets" in self.metric.needs:
            value = self.metric(labels, self._sets(estimator, X, classes), classes=classes)
        else:
            y_prob = self._probabilities(estimator, X, classes)
            value = self.metric(labels, y_prob, prior=self._prior_of(labels, classes), classes=classes)
        return value if self.metric.direction == "higher" else 0.0 - value

    def __repr__(self) -> str:
        chosen = ", ".join(f"{name}={value!r}" for name, value in self.metric.options.items())
        metric = f"{type(self.metric).__name__}({chosen})" if chosen else self.metric.name
        defaults = {field.name: field.default for field in fields(self)[1:]}
        options = {name: (getattr(self, name), default) for name, default in defaults.items()}
        given = [f"{name}={value!r}" for name, (value, default) in options.items() if value != default]
        return f"make_scorer({', '.join([metric, *given])})"

    def _classes(self, estimator: Any, labels: NDArray[Any]) -> NDArray[Any]:
        if self.classes is not None:
            return np.asarray(self.classes)
        if not hasattr(estimator, "classes_"):
            raise ValueError(f"{type(estimator).__name__} has no classes_: give a fitted classifier")
        return np.union1d(np.asarray(estimator.classes_), labels)

    def _probabilities(self, estimator: Any, X: Any, classes: NDArray[Any]) -> Numbers:
        if not hasattr(estimator, "predict_proba"):
            raise ValueError(
                f"{self.metric.name} scores probabilities, but {type(estimator).__name__} has no "
                "predict_proba: wrap it in sklearn.calibration.CalibratedClassifierCV(...)"
            )
        y_prob = in_double(np.asarray(estimator.predict_proba(X)))
        aligned = align(y_prob, estimator.classes_, classes.tolist())
        if self.cutoff == "none" or self.n_train is None:
            return aligned
        return clip_probabilities(aligned, n_train=self.n_train, rule=self.cutoff)

    def _sets(self, estimator: Any, X: Any, classes: NDArray[Any]) -> Sets:
        if hasattr(estimator, "predict_set"):
            return align_sets(estimator.predict_set(X), estimator.classes_, classes.tolist())
        return as_sets(np.asarray(estimator.predict(X)).tolist(), classes=classes)

    def _prior_of(self, labels: NDArray[Any], classes: NDArray[Any]) -> Numbers | None:
        if "prior" not in self.metric.needs:
            return None
        if self.prior == "test":
            return class_prior(labels, classes=classes)
        if self.prior == "uniform":
            return np.full(len(classes), 1.0 / len(classes))
        prior = np.asarray(self.prior)
        if len(prior) != len(classes):
            raise ValueError(
                f"prior has {len(prior)} entries, but there are {len(classes)} classes here, "
                f"{classes.tolist()}: name the classes of the prior, make_scorer(..., classes=[...])"
            )
        return prior


def make_scorer(
    metric: Metric,
    *,
    prior: str | ArrayLike | None = None,
    classes: Classes = None,
    cutoff: Cutoff = "none",
    n_train: int | None = None,
) -> Scorer:
    """Make a scorer for scikit-learn's `scoring=` from a metric. Larger scores are always better.

    The sign of losses is changed. Columns of probabilities are aligned by the estimator's `classes_`. Labels
    that are missing in training get probability 0. A metric of sets uses the method `predict_set`, or
    `predict` if there is no `predict_set`. `whole_message` needs the training rows: pass them to the scorer.

    Parameters
    ----------
    metric : Metric
        A metric such as `ir_b`, `log_loss` or `significance`. `kl_divergence` is not possible, as it needs
        the truth.
    prior : "test", "uniform" or array-like of shape (n_classes,), optional
        The prior, for metrics that compare with one. "test" is the class frequencies of the scored rows, with
        pseudo-counts of 0.5. "uniform" is equal probabilities. A training prior must be given as
        probabilities, because a scorer has no access to the training rows.
    classes : array-like of shape (n_classes,), optional
        All classes, in the order of `prior`. By default the sorted classes of the estimator and of the scored
        rows. Give them if a class may be missing in some of the folds.
    cutoff : {"none", "2002", "2001"}
        How probabilities are clipped: see `clip_probabilities`. Without a cut-off, the score is infinite if
        the true class has probability 0, as in most leaves of a tree.
    n_train : int, optional
        Number of training samples, which is needed only for the cut-off. A scorer cannot find it out. In
        k-fold cross-validation it is ``n_samples * (k - 1) // k``.

    Returns
    -------
    Scorer
        The scorer, called as ``scorer(estimator, X, y)``. It can be pickled.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from learners import NaiveBayesClassifier
    >>> from workbench.metrics import ir_b, log_loss, make_scorer
    >>> make_scorer(ir_b, prior="test")
    make_scorer(ir_b, prior='test')
    >>> make_scorer(ir_b, prior="test", cutoff="2002", n_train=120)
    make_scorer(ir_b, prior='test', cutoff='2002', n_train=120)
    >>> X, y = load_iris(return_X_y=True)
    >>> scores = cross_val_score(NaiveBayesClassifier(), X, y, scoring=make_scorer(log_loss))
    >>> (scores < 0).all()  # of a loss the negative, so that larger is better
    np.True_
    """
    if not isinstance(metric, Metric):
        raise ValueError(f"metric is {shown(metric)}: expected one of workbench.metrics, such as ir_b")
    if "truth" in metric.needs:
        raise ValueError(
            f"{metric.name} compares with the truth, which scorers do not have: use another metric"
        )
    named = None if classes is None else tuple(np.asarray(classes).tolist())
    known = _known_prior(metric, prior, named)
    _check_cutoff(metric, cutoff, n_train)
    return Scorer(metric, known, named, cutoff, n_train)


def _known_prior(
    metric: Metric, prior: str | ArrayLike | None, classes: tuple[Any, ...] | None
) -> str | tuple[float, ...] | None:
    """Check a prior, also for metrics that need none, and return it in a form that can be stored."""
    how = (
        "give prior='test', prior='uniform', or the training prior as an array, "
        "workbench.metrics.class_prior(y_train, classes=...)"
    )
    if prior is None:
        if "prior" in metric.needs:
            raise ValueError(f"{metric.name} compares the forecast with a prior, but got prior=None: {how}")
        return None
    if isinstance(prior, str):
        if prior not in PRIORS:
            why = ", which a scorer does not have" if prior == "training" else ""
            raise ValueError(f"prior is {shown(prior)}{why}: {how}")
        return prior
    n_entries = np.asarray(prior).size
    if classes is not None and len(classes) != n_entries:
        raise ValueError(
            f"prior has {n_entries} entries, but classes= names {len(classes)}: give one entry for each class"
        )
    return tuple(check_prior(prior, n_entries, metric=metric.name, classes=classes).tolist())


def _check_cutoff(metric: Metric, cutoff: object, n_train: object) -> None:
    check_choice(cutoff, CUTOFFS, name="cutoff")
    if (cutoff == "none") != (n_train is None):
        raise ValueError(
            f"cutoff is {shown(cutoff)} and n_train {shown(n_train)}: give both, or neither (n_train is the "
            "number of training samples, which a scorer cannot find out)"
        )
    if cutoff != "none":
        check_integer(n_train, least=1, name="n_train", meaning="the number of training samples")
        if {"sets", "theory"} & metric.needs:
            what = "sets" if "sets" in metric.needs else "theories"
            raise ValueError(
                f"{metric.name} scores {what}, which have no probabilities to clip: leave out cutoff="
            )
