"""Third-party estimators as learners of a study, with labels and rows in a form that they can read."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from generators.tables.columns import class_codes
from workbench.base.text import error_line
from workbench.estimators.inputs import FittedInput, is_mixed, is_ours, keeps_rows, readers
from workbench.estimators.rivals import readied
from workbench.metrics._shared.checks import ROW_SUM_TOLERANCE, in_class_order, in_double, numbers

__all__ = ["ForeignClassifier", "Wrapping", "adapt", "as_frame", "clone_with_table"]

#: How far the sum of a row of probabilities may be from one and still count as rounded.
#: GaussianNB's log densities of columns that are constant in a class are about 1e9, with errors of 1e-7.
ROUNDED = 1e-6
#: What a mistake in a learner's code raises, and no refusal of training rows.
MISTAKES = (AttributeError, ImportError, LookupError, NameError)


def adapt(estimator: Any, input: str | None = None, given: pd.DataFrame | None = None) -> Any:
    """Prepare an estimator for data frames of declared categories: ours as it is, others wrapped."""
    # for the input "table", `given` has all rows of a data set before their values were declared
    adapted = estimator if input is None and is_ours(estimator) else ForeignClassifier(estimator, input)
    if hasattr(adapted, "given"):
        adapted.given = given
    return adapted


def clone_with_table(adapted: Any) -> Any:
    """Clone an estimator that has the given table in `given`, without a copy of the table."""
    parameters = {name: clone(part, safe=False) for name, part in adapted.get_params(deep=False).items()}
    cloned = type(adapted)(**parameters)
    cloned.given = adapted.given
    return cloned


class ForeignClassifier(ClassifierMixin, BaseEstimator):
    """Any classifier, with its rows converted to a form that it can read."""

    # Where an estimator refuses training rows of a single class, this class gets probability 1, as does the
    # predicted one without predict_proba. The estimator itself is fitted, no clone, unless it holds rivals.
    workbench_identity = "workbench.foreign:ForeignClassifier"

    #: All rows of a data set before their values were declared.
    given: pd.DataFrame | None = None
    __sklearn_clone__ = clone_with_table

    def __init__(self, estimator: Any, input: str | None = None) -> None:
        self.estimator = estimator
        self.input = input

    def fit(self, X: pd.DataFrame, y: pd.Series, **options: Any) -> "ForeignClassifier":
        """Fit the estimator. Options are passed to its `fit`."""
        labels = np.asarray(y)
        present = np.unique(labels)
        self.input_ = FittedInput.of(X, self.estimator, self.input, self.given)
        self.refused_ = ""  # why it cannot learn from rows of one class
        try:
            self._fit(self.input_.rows(X), labels, options)
            if len(present) == 1:
                self._check_one_class(X.iloc[:1], present)
        except Exception as error:
            said = error_line(error).removeprefix("ValueError: ")
            if len(present) == 1 and not isinstance(error, MISTAKES):
                self.refused_, self.classes_ = said, present
            elif isinstance(error, ValueError) and self.input_.why:
                raise ValueError(f"{said} (given {self.input_.describe()})") from error
            else:
                raise
            return self
        self.classes_ = np.asarray(getattr(self.estimator_, "classes_", present))
        if self.classes_.ndim != 1:
            raise ValueError(
                f"classes_ of the learner is {self.classes_.tolist()!r}: expected a list of its classes"
            )
        return self

    def _fit(self, rows: Any, labels: NDArray[Any], options: dict[str, Any]) -> None:
        if self.input_.form == "codes":
            _declare_arities(self.estimator, self.input_)
        if self.input is None:
            _let_members_convert(self.estimator, self.given)
        self.estimator_ = readied(self.estimator)
        self.estimator_.fit(rows, labels, **options)

    def _check_one_class(self, X: pd.DataFrame, present: NDArray[Any]) -> None:
        """Raise unless the prediction for a row has a number for each class that the estimator names."""
        if hasattr(self.estimator_, "predict_proba"):
            answer = numbers(self.estimator_.predict_proba(self.input_.rows(X)), name="predict_proba")
            n_classes = len(getattr(self.estimator_, "classes_", present))
            if answer.shape != (1, n_classes) or not np.isfinite(answer).all():
                raise ValueError(
                    f"it predicts {answer.tolist()} for a row, but its classes_ have length {n_classes}"
                )

    def predict_proba(self, X: pd.DataFrame) -> NDArray[np.float64]:
        """Return probabilities of shape (n_samples, n_classes), in the order of `classes_`."""
        if self.refused_:
            return np.ones((len(X), 1))
        if hasattr(self.estimator_, "predict_proba"):
            answer = self.estimator_.predict_proba(self.input_.rows(X))
            if not hasattr(self.estimator_, "classes_") and not _names(answer, self.classes_):
                raise ValueError(
                    f"{type(self.estimator).__name__} has no classes_, so its columns cannot be assigned: "
                    "set self.classes_ in fit to the classes in the order of the columns of predict_proba"
                )
            named = in_class_order(answer, self.classes_, name="predict_proba")
            return _to_one(in_double(numbers(named, name="predict_proba")))
        return _certain(self.estimator_.predict(self.input_.rows(X)), self.classes_)

    def predict(self, X: pd.DataFrame) -> NDArray[Any]:
        """Return the most probable class of each row."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    @available_if(lambda adapted: hasattr(adapted.estimator, "predict_set"))
    def predict_set(self, X: pd.DataFrame) -> NDArray[np.bool_]:
        """Return the predicted sets of shape (n_samples, n_classes), if the estimator has them."""
        if self.refused_:
            return np.ones((len(X), 1), dtype=np.bool_)
        return np.asarray(self.estimator_.predict_set(self.input_.rows(X)))

    @available_if(lambda self: hasattr(self.estimator, "theory_complexity"))
    def theory_complexity(self) -> Any:
        """Return the code length of the estimator's theory, with `total` in bits."""
        if self.refused_:
            raise ValueError(
                f"it refused training rows of a single class ({self.refused_}): a theory needs rows of two "
                "classes"
            )
        return self.estimator_.theory_complexity()


class Wrapping(ClassifierMixin, BaseEstimator):
    """The base class of wrappers of a learner, fitted as `fitted_`, or of a program."""

    fitted_: Any

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict class probabilities for each row."""
        check_is_fitted(self)
        return self.fitted_.predict_proba(as_frame(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]

    def _fit(self, learner: ForeignClassifier, X: pd.DataFrame, y: NDArray[Any], **options: Any) -> None:
        self.fitted_ = learner.fit(X, pd.Series(y, index=X.index), **options)
        self.classes_, self.refused_ = self.fitted_.classes_, self.fitted_.refused_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        return tags


def as_frame(X: Any) -> pd.DataFrame:
    """Return rows as a table."""
    return X if isinstance(X, pd.DataFrame) else pd.DataFrame(np.asarray(X))


def _names(answer: Any, classes: NDArray[Any]) -> bool:
    """Return whether the columns of an answer are named by the classes."""
    return set(getattr(answer, "columns", ())) == set(classes.tolist())


def _certain(predicted: Any, classes: NDArray[Any]) -> NDArray[np.float64]:
    """Assign probability 1 to the predicted class of each row."""
    labels = np.asarray(predicted)
    if labels.ndim != 1:
        raise ValueError(f"predict has shape {labels.shape}: expected one class for each row")
    codes = class_codes(labels, classes)
    if (codes < 0).any():
        strange = labels[codes < 0].tolist()[0]
        raise ValueError(f"predict returned {strange!r}, which is none of the classes {classes.tolist()}")
    return np.eye(len(classes))[codes]


def _to_one(y_prob: NDArray[np.float64]) -> NDArray[np.float64]:
    """Normalize rows whose sum differs from one by rounding, but by more than scoring allows."""
    totals = y_prob.sum(axis=-1, keepdims=True)
    missed = np.abs(totals - 1.0)
    rounded = (missed > ROW_SUM_TOLERANCE) & (missed <= ROUNDED)
    return np.divide(y_prob, totals, out=y_prob.copy(), where=rounded) if rounded.any() else y_prob


def _let_members_convert(estimator: Any, given: pd.DataFrame | None) -> None:
    """Set mixed ensembles so that their members convert the rows, and give ours inside the table."""
    handed = given if keeps_rows(estimator) else None  # the index of other rows may not refer to it
    for reader, through_array in readers(estimator):
        if is_mixed(reader) and not through_array:
            members = [(name, _own_input(one, handed)) for name, one in reader.estimators]
            reader.set_params(estimators=members)
        elif is_ours(reader):
            adapt(reader, given=handed)


def _own_input(member: Any, given: pd.DataFrame | None) -> Any:
    """Wrap a member of an ensemble so that it converts the rows. "drop" and None stay."""
    return member if member is None or isinstance(member, str) else adapt(member, given=given)


def _declare_arities(estimator: Any, given: FittedInput) -> None:
    """Set the number of declared values of each column in CategoricalNB, and reject numeric columns."""
    names = [name for name in estimator.get_params() if name.rpartition("__")[2] == "min_categories"]
    numeric = [column.name for column, arity in zip(given.columns, given.arities, strict=True) if not arity]
    if names and numeric:
        raise ValueError(
            f"CategoricalNB takes no numbers, and the columns {', '.join(map(repr, numeric[:5]))} are "
            "numeric: discretize them in a pipeline that begins with make_column_transformer("
            f"(KBinsDiscretizer(encode='ordinal'), {numeric[:5]!r}), remainder=OrdinalEncoder()), or leave "
            "them out"
        )
    unset = {name: given.arities for name in names if estimator.get_params()[name] is None}
    if unset:
        estimator.set_params(**unset)
