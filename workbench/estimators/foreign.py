"""Third-party estimators: plain labels, one-hot attributes.

Our learners take a DataFrame whose dtypes declare the attributes. Others get, by the first rule that applies:

* the DataFrame as it is, if they declare that they read categories (the scikit-learn tag
  `input_tags.categorical`
  or `input_tags.string`) or are a Pipeline, whose first step is then free to encode;
* else a float64 array: each nominal attribute one-hot over its declared values (missing: all zeros),
  numbers as they are.
"""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if

from workbench.metrics._shared.checks import ROW_SUM_TOLERANCE, in_double

__all__ = ["ForeignClassifier", "adapt"]

#: How far the sum of a row of probabilities may be from one and still count as rounded.
#: GaussianNB's log densities of columns that are constant in a class are about 1e9, with errors of 1e-7.
ROUNDED = 1e-6


def adapt(estimator: Any) -> Any:
    """Make an estimator ready for data frames of declared categories.

    Parameters
    ----------
    estimator : classifier
        Unfitted.

    Returns
    -------
    classifier
        Ours unchanged, any other wrapped in `ForeignClassifier`.

    Examples
    --------
    >>> from sklearn.naive_bayes import BernoulliNB
    >>> adapt(BernoulliNB())
    ForeignClassifier(estimator=BernoulliNB())
    """
    ours = any(
        kind.__module__.partition(".")[0] in ("learners", "workbench") for kind in type(estimator).__mro__
    )
    return estimator if ours else ForeignClassifier(estimator)


def _has_predict_set(adapted: "ForeignClassifier") -> bool:
    return hasattr(adapted.estimator, "predict_set")


class ForeignClassifier(ClassifierMixin, BaseEstimator):
    """Any classifier, with inputs converted as the module describes.

    Training rows of a single class are not passed to the estimator, as many refuse them: the class gets
    probability 1. For an estimator without `predict_proba`, the predicted class gets probability 1.
    `predict_set` and `theory_complexity` are available if the estimator has them.

    Parameters
    ----------
    estimator : classifier
        It is fitted itself, not cloned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes of the training rows.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X = pd.DataFrame({"a": pd.Categorical(["u", "v", "u"])})
    >>> y = pd.Series(pd.Categorical(["n", "p", "n"], categories=["n", "p", "q"]))
    >>> ForeignClassifier(DecisionTreeClassifier()).fit(X, y).predict_proba(X)
    array([[1., 0.],
           [0., 1.],
           [1., 0.]])
    """

    workbench_identity = "workbench.foreign:ForeignClassifier"

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, X: pd.DataFrame, y: pd.Series) -> "ForeignClassifier":
        """Fit the estimator."""
        labels = np.asarray(y)
        present = np.unique(labels)
        self._values = None if _reads_tables(self.estimator) else {name: _values(X[name]) for name in X}
        if len(present) == 1:
            self.classes_ = present
            return self
        self.estimator.fit(self._input(X), labels)
        self.classes_ = np.asarray(getattr(self.estimator, "classes_", present))
        return self

    def predict_proba(self, X: pd.DataFrame) -> NDArray[np.float64]:
        """Return probabilities of shape (n_samples, n_classes), in the order of `classes_`."""
        if len(self.classes_) == 1:
            return np.ones((len(X), 1))
        if hasattr(self.estimator, "predict_proba"):
            return _to_one(in_double(np.asarray(self.estimator.predict_proba(self._input(X)))))
        predicted = np.asarray(self.estimator.predict(self._input(X)))
        return (predicted[:, None] == self.classes_[None, :]).astype(np.float64)

    def predict(self, X: pd.DataFrame) -> NDArray[Any]:
        """Return the most probable class of each row."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    @available_if(_has_predict_set)
    def predict_set(self, X: pd.DataFrame) -> NDArray[np.bool_]:
        """Return the predicted sets of shape (n_samples, n_classes), if the estimator has them."""
        if len(self.classes_) == 1:
            return np.ones((len(X), 1), dtype=np.bool_)
        return np.asarray(self.estimator.predict_set(self._input(X)))

    @available_if(lambda self: hasattr(self.estimator, "theory_complexity"))
    def theory_complexity(self) -> Any:
        """Return the estimator's description of its theory, with `total` in bits."""
        if len(self.classes_) == 1:
            raise ValueError(
                "the training rows have a single class and were not used: a theory needs rows of two classes"
            )
        return self.estimator.theory_complexity()

    def _input(self, X: pd.DataFrame) -> pd.DataFrame | NDArray[np.float64]:
        if self._values is None:
            # A separate view: changes that an estimator makes to its rows must not affect the next one.
            return X.copy(deep=False)
        blocks = [_encode(X[name], values) for name, values in self._values.items()]
        return np.hstack(blocks) if blocks else np.empty((len(X), 0))


def _to_one(y_prob: NDArray[np.float64]) -> NDArray[np.float64]:
    """Normalize rows whose sum differs from one by rounding, but by more than scoring allows."""
    totals = y_prob.sum(axis=-1, keepdims=True)
    missed = np.abs(totals - 1.0)
    rounded = (missed > ROW_SUM_TOLERANCE) & (missed <= ROUNDED)
    return np.divide(y_prob, totals, out=y_prob.copy(), where=rounded) if rounded.any() else y_prob


def _reads_tables(estimator: Any) -> bool:
    if isinstance(estimator, Pipeline):
        return True
    tags = get_tags(estimator).input_tags
    return bool(tags.categorical or tags.string)


def _values(column: pd.Series) -> pd.Index | None:
    """Return the declared (else the occurring) values of a nominal column, or None for numbers."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.cat.categories
    if pd.api.types.is_numeric_dtype(column.dtype) and not pd.api.types.is_bool_dtype(column.dtype):
        return None
    return pd.Index(column.dropna().unique())


def _encode(column: pd.Series, values: pd.Index | None) -> NDArray[np.float64]:
    if values is None:
        return column.to_numpy(dtype=np.float64, na_value=np.nan)[:, None]
    same = isinstance(column.dtype, pd.CategoricalDtype) and column.cat.categories is values
    codes = column.cat.codes.to_numpy() if same else values.get_indexer(pd.Index(column))
    return (codes[:, None] == np.arange(len(values))).astype(np.float64)
