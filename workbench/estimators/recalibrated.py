"""A learner whose probabilities scikit-learn recalibrates by cross-validation.

Python and study files use `recalibrated`, which makes a `RecalibratedClassifier` around any learner.
"""

from typing import Any

import numpy as np
import pandas as pd
import sklearn
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import StratifiedKFold
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from generators.base.draw import as_generator
from learners.facts import LearnerFacts
from learners.tables.class_labels import code_classes
from workbench.base.checks import as_integer
from workbench.base.errors import WorkbenchError, nearest
from workbench.estimators.build import inner_learner
from workbench.estimators.foreign import ForeignClassifier, Wrapping, adapt, clone_with_table
from workbench.estimators.inputs import is_ours
from workbench.metrics._shared.checks import align

__all__ = ["METHODS", "RecalibratedClassifier", "recalibrated"]

#: The maps that scikit-learn fits: a nondecreasing step function, Platt's sigmoid, one temperature.
METHODS = ("isotonic", "sigmoid", "temperature")


def recalibrated(
    of: Any = None, *, method: str = "isotonic", folds: int = 5, random_state: Any = None
) -> "RecalibratedClassifier":
    """Recalibrate a learner's probabilities by scikit-learn's CalibratedClassifierCV.

    `of` is an unfitted classifier, a key, or a table as in study files. `method` is "isotonic", "sigmoid" or
    "temperature". In a study file: `{key = "nb_isotonic", learner = "recalibrated", of = "nb"}`. The
    calibration map of each of `folds` parts of the training rows is fitted to out-of-fold forecasts.
    `random_state` assigns rows to parts.
    """
    _check(method, folds)
    return RecalibratedClassifier(inner_learner(of), method=method, folds=folds, random_state=random_state)


class RecalibratedClassifier(Wrapping):
    """Any learner with its probabilities recalibrated by CalibratedClassifierCV."""

    # Niculescu-Mizil & Caruana, "Predicting good probabilities with supervised learning", ICML 2005.
    # CalibratedClassifierCV refuses classes with fewer rows than folds: these, and declared ones without
    # rows, keep the probability from the learner fitted to all rows (plain_), the others share the rest; with
    # fewer than two others, the forecast is the learner's own. The mean over folds is 0 only if an isotonic
    # map says so in every fold. It is a mean over learners, so it has no theory_complexity. "sigmoid" maps
    # the decision function where there is one, else the probability itself.
    #: All rows of a data set before their values were declared.
    given: pd.DataFrame | None = None
    __sklearn_clone__ = clone_with_table
    #: The name in study files, where `of` can be a key.
    study_key = "recalibrated"
    # Forecasts depend on CalibratedClassifierCV, so another version of scikit-learn is another learner.
    workbench_identity = "workbench.recalibrated:RecalibratedClassifier"
    algorithm_version = f"scikit-learn {sklearn.__version__}"
    facts = LearnerFacts(
        key="recalibrated",
        authors="Niculescu-Mizil, Caruana",
        title="Predicting good probabilities with supervised learning",
        year=2005,
        numbers="as inside",
        missing="as inside",
        weights="no",
    )

    def __init__(
        self, of: Any = None, method: str = "isotonic", folds: int = 5, random_state: Any = None
    ) -> None:
        self.of = of
        self.method = method
        self.folds = folds
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "RecalibratedClassifier":
        """Fit learners and maps fold by fold."""
        _check(self.method, self.folds)
        if self.of is None:
            raise WorkbenchError(
                'recalibrated has no learner to recalibrate: name one, of = "nb" in a study file or '
                "recalibrated(NaiveBayesClassifier()) in Python"
            )
        learner = _adapted(clone(self.of), X, self.given)
        self.classes_, codes, _ = code_classes(y)
        counts = np.bincount(codes, minlength=len(self.classes_))
        frequent = np.flatnonzero(counts >= self.folds)
        self._columns = frequent if len(frequent) > 1 else frequent[:0]
        self.recalibrated_classes_ = self.classes_[self._columns]
        is_part = len(self._columns) < len(self.classes_)
        self.plain_: Any = clone(learner).fit(X, y) if is_part else None
        self.refused_ = str(getattr(self.plain_, "refused_", ""))
        self.calibrated_: Any = self._calibrate(learner, X, codes) if len(self._columns) else None
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict class probabilities for each row."""
        check_is_fitted(self)
        if self.plain_ is None:
            return self.calibrated_.predict_proba(X)
        y_prob = align(self.plain_.predict_proba(X), self.plain_.classes_, self.classes_.tolist())
        if self.calibrated_ is not None:
            share = y_prob[:, self._columns].sum(axis=1, keepdims=True)
            y_prob[:, self._columns] = share * self.calibrated_.predict_proba(X)
        return y_prob

    def _calibrate(self, learner: Any, X: Any, codes: NDArray[np.intp]) -> CalibratedClassifierCV:
        """Fit scikit-learn's calibration to the rows of the classes that have enough rows."""
        rows = np.isin(codes, self._columns).nonzero()[0]
        seed = int(as_generator(self.random_state).random() * 2**32)
        deal = StratifiedKFold(self.folds, shuffle=True, random_state=seed)
        chosen = X.iloc[rows] if isinstance(X, pd.DataFrame) else np.asarray(X)[rows]
        return CalibratedClassifierCV(learner, method=self.method, cv=deal).fit(chosen, codes[rows])


class _DecidingClassifier(ForeignClassifier):
    """A third-party learner that exposes its decision function, which scikit-learn's calibration prefers."""

    workbench_identity = "workbench.recalibrated:_DecidingClassifier"

    @available_if(lambda self: hasattr(self.estimator, "decision_function"))
    def decision_function(self, X: pd.DataFrame) -> NDArray[np.float64]:
        """Return the learner's decision function."""
        return self.estimator_.decision_function(self.input_.rows(X))


def _adapted(learner: Any, X: Any, given: pd.DataFrame | None) -> Any:
    """Adapt a learner to these rows."""
    if not isinstance(X, pd.DataFrame):
        return learner
    if is_ours(learner):
        return adapt(learner, given=given)
    deciding = _DecidingClassifier(learner)
    deciding.given = given
    return deciding


def _check(method: Any, folds: Any) -> None:
    if method not in METHODS:
        raise WorkbenchError(f"unknown recalibration method {method!r}; {nearest(method, METHODS)}")
    number = as_integer(folds)
    if number is None or number < 2:
        raise WorkbenchError(f"folds is {folds!r}: expected an integer of at least 2")
