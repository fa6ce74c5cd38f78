"""The base classes of all learners: input of tables and classes, output of probabilities."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import assert_all_finite
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from generators.networks.network import Network
from generators.tables.cells import repeated_name
from learners.code_lengths.theory import TheoryLength
from learners.options import check_choice
from learners.tables.attributes import CodedTable, Schema
from learners.tables.class_labels import code_among, code_classes
from learners.tables.discretize import interval_labels, mdlp_cut_points

__all__ = [
    "ProbabilisticClassifier",
    "TrainingTable",
    "code_among",
    "code_classes",
    "SingleSetClassifier",
    "TheoryClassifier",
]


class TrainingTable(NamedTuple):
    """Training rows as arrays."""

    codes: NDArray[Any]  # (n_nominal, n_samples); the arity is missing
    values: NDArray[np.float64]  # (n_numeric, n_samples); NaN is missing
    arities: NDArray[np.int64]
    y: NDArray[np.intp]
    n_classes: int  # declared ones without rows included
    weight: NDArray[np.float64] | None  # None when all are 1

    @property
    def kernel_weight(self) -> NDArray[np.float64]:
        """Weights in the form of kernels: of length 0 if all are 1."""
        return np.empty(0) if self.weight is None else self.weight

    def rows(self, part: slice) -> "TrainingTable":
        """Return some of the rows, as views."""
        weight = None if self.weight is None else self.weight[part]
        return self._replace(
            codes=self.codes[:, part], values=self.values[:, part], y=self.y[part], weight=weight
        )

    def class_counts(self) -> NDArray[np.float64]:
        """Count the rows of each class, by weight."""
        return np.bincount(self.y, weights=self.weight, minlength=self.n_classes).astype(np.float64)


class Batch(NamedTuple):
    """Rows to be added to those of earlier calls, coded by all values seen so far."""

    table: TrainingTable
    # the present code of each earlier code, by attribute; None if none has new values
    moves: list[NDArray[np.intp]] | None


class ProbabilisticClassifier(ClassifierMixin, BaseEstimator):
    """Base class of the learners, which implements scikit-learn's interface for coded rows."""

    # A learner has the parameters `categorical_features` and `arities`, calls `_read_training` in `fit` and
    # implements `_forecast`. Numeric columns reach it as intervals (Fayyad and Irani's cuts, fitted with the
    # learner) unless it sets `_takes_numbers`.

    categorical_features: Any
    arities: Any
    _takes_numbers = False
    _given_cuts: Mapping[Any, NDArray[np.float64]] | None = None  # of all numeric columns, from an average

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fit the classifier to training rows.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_samples, n_features)
            Nominal and numeric columns, as declared by dtypes. Missing values are None, NaN, or the code -1.
        y : array-like of shape (n_samples,)
            Class labels. A categorical dtype may declare classes without rows.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each row. A whole weight is equivalent to repeating the row.

        Returns
        -------
        learner
            The fitted learner.
        """
        raise TypeError(f"{type(self).__name__} cannot learn. Override fit.")

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the class probabilities of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Columns as in `fit`. Values that were not declared and did not occur in `fit` are treated as
            missing.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Probabilities in the order of `classes_`. Each row sums to one.
        """
        self._require_fit()
        return self._forecast_rows(X)

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the natural logarithm of `predict_proba`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Columns as in `fit`.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Logarithms in nats, minus infinity for a class of probability 0.
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the most probable class of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Columns as in `fit`.

        Returns
        -------
        ndarray of shape (n_samples,)
            Class labels. Ties go to the class declared first.
        """
        forecast = self.predict_proba(X)
        best = self._declared_order[forecast[:, self._declared_order].argmax(axis=1)]
        return self.classes_[best]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        return tags

    def _require_fit(self) -> None:
        if not hasattr(self, "classes_"):  # the full check takes as long as a small forecast
            check_is_fitted(self)

    def _forecast_rows(self, X: Any) -> NDArray[np.float64]:
        """Forecast all rows. A subclass may distribute them over threads."""
        return self._forecast(X)

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        raise TypeError(f"{type(self).__name__} makes no forecasts. Override _forecast.")

    # -- reading -----------------------------------------------------------------------------

    def _read_training(self, X: Any, y: Any, sample_weight: Any = None) -> TrainingTable:
        """Check and code the training rows, and set the attributes required by scikit-learn."""
        self._require_classes(y)
        X = self._check_table(X, reset=True)
        self.classes_, codes_y, self._declared_order = code_classes(y)
        self._class_name = getattr(y, "name", None)
        X, codes_y, weight = _weighted_rows(X, codes_y, sample_weight)
        self._schema, coded = Schema.fit_code(
            X,
            categorical_features=self.categorical_features,
            arities=self.arities,
        )
        return self._first_table(coded, codes_y, weight)

    def _read_batch(self, X: Any, y: Any, classes: Any, sample_weight: Any) -> Batch:
        """Check and code rows that start training or continue an earlier call."""
        # Refused rows do not change the learner. The first rows determine which columns are nominal, and the
        # cuts of numeric ones; later rows may have new values.
        self._require_classes(y)
        begins = not hasattr(self, "_schema")
        X = self._check_table(X, reset=begins)
        known, order = self._declared_classes(y, classes, begins)
        codes_y = code_among(y, known)
        X, codes_y, weight = _weighted_rows(X, codes_y, sample_weight)
        if begins:
            self._schema, coded = Schema.fit_code(
                X,
                categorical_features=self.categorical_features,
                arities=self.arities,
            )
            self.classes_, self._declared_order, self._class_name = known, order, getattr(y, "name", None)
            return Batch(self._first_table(coded, codes_y, weight), None)
        return self._further_batch(X, codes_y, weight)

    def _further_batch(self, X: Any, y: NDArray[np.intp], weight: NDArray[np.float64] | None) -> Batch:
        before = self._schema
        schema, coded = before.widen_code(X, arities=self.arities)
        self._set_schema(schema)
        if self._cuts_numbers:
            coded = self._with_intervals(coded)
        table = TrainingTable(coded.codes, coded.values, self.arities_, y, len(self.classes_), weight)
        return Batch(table, None if schema is before else self._moves_of_codes(before.moves_to(schema)))

    def _set_schema(self, schema: Schema) -> None:
        """Switch to a schema that declares further values."""
        self._schema = schema
        self.arities_ = self._arities_with_intervals() if self._cuts_numbers else schema.arities

    def _moves_of_codes(self, moves: Sequence[NDArray[np.intp]]) -> list[NDArray[np.intp]]:
        """Return the moves of the codes of counted attributes. Intervals do not move."""
        if not self._cuts_numbers:
            return [moves[j] for j in self._schema.nominal]
        return [m if m.size else np.arange(n) for m, n in zip(moves, self.arities_, strict=True)]

    def _first_table(
        self, coded: CodedTable, y: NDArray[np.intp], weight: NDArray[np.float64] | None
    ) -> TrainingTable:
        self.arities_ = self._schema.arities
        self.__dict__.pop("cut_points_", None)  # of an earlier fit
        if self._cuts_numbers:
            self._fit_cuts(coded, y, weight)
            coded = self._with_intervals(coded)
        return TrainingTable(coded.codes, coded.values, self.arities_, y, len(self.classes_), weight)

    def _require_classes(self, y: Any) -> None:
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None."
            )

    def _declared_classes(self, y: Any, classes: Any, begins: bool) -> tuple[NDArray[Any], NDArray[np.intp]]:
        """Return the sorted classes of all batches, and their order for ties."""
        declared = isinstance(getattr(y, "dtype", None), pd.CategoricalDtype)
        if not begins and classes is None:
            return self.classes_, self._declared_order
        if classes is None and not declared:
            raise ValueError(
                "classes must be passed on the first call to partial_fit: give the classes of all batches, "
                "or a y whose categorical dtype declares them."
            )
        found, _, order = code_classes(y if classes is None else np.asarray(classes))
        if not begins:
            if not np.array_equal(found, self.classes_):
                raise ValueError(
                    f"classes was {self.classes_.tolist()!r} in the first call to partial_fit, but now is "
                    f"{found.tolist()!r}. Give the same classes again, or None."
                )
            return self.classes_, self._declared_order
        if declared and np.array_equal(code_classes(y)[0], found):
            order = code_classes(y)[2]  # the order of the dtype
        return found, order

    def _code(self, X: Any) -> CodedTable:
        """Code rows to be forecast."""
        coded = self._schema.code(self._check_table(X, reset=False))
        return self._with_intervals(coded) if self._cuts_numbers else coded

    @property
    def _cuts_numbers(self) -> bool:
        """Whether the learner cuts numeric columns of this table into intervals."""
        return bool(self._schema.numeric) and not self._takes_numbers

    def _check_table(self, X: Any, *, reset: bool) -> Any:
        """Run the scikit-learn checks, unless a quick check shows that they would pass."""
        if isinstance(X, pd.DataFrame):
            if reset and not X.columns.is_unique:
                name = repeated_name(X.columns)
                raise ValueError(f"X has two columns named {name!r}. Give every column a unique name.")
            if reset and min(X.shape) > 0 and X.columns.inferred_type == "string":
                self._columns, self.n_features_in_ = X.columns, X.shape[1]
                self.feature_names_in_ = np.asarray(X.columns, dtype=object)
                return X
            known = None if reset else getattr(self, "_columns", None)
            if known is not None and len(X) and (X.columns is known or X.columns.equals(known)):
                return X
            validate_data(self, X, reset=reset, skip_check_array=True)
            if min(X.shape) == 0:
                raise ValueError(
                    f"Found array with {len(X)} sample(s) (shape={X.shape}) while a minimum of 1 is required."
                )
            self._columns = X.columns if reset else self._columns
            return X
        if self._is_plain_codes(X, reset):
            if reset:
                self.n_features_in_ = X.shape[1]
            return X
        self._columns = None if reset else self._columns
        return validate_data(self, X, reset=reset, dtype=None, ensure_all_finite="allow-nan")

    def _is_plain_codes(self, X: Any, reset: bool) -> bool:
        """Whether X is an integer array that needs no further check."""
        if type(X) is not np.ndarray or X.ndim != 2 or X.dtype.kind not in "iu" or min(X.shape) == 0:
            return False
        if reset:
            self._columns = None
            if hasattr(self, "feature_names_in_"):
                del self.feature_names_in_
            return True
        return X.shape[1] == self.n_features_in_ and self._columns is None

    # -- numeric columns as intervals ----------------------------------------------------------

    def _fit_cuts(self, coded: CodedTable, y: NDArray[np.intp], weight: NDArray[np.float64] | None) -> None:
        names = [self._schema.attributes[j].name for j in self._schema.numeric]
        if self._given_cuts is not None:
            self.cut_points_ = {name: self._given_cuts[name] for name in names}
        else:
            cuts = (self._cuts_of(x, y, weight) for x in coded.values)
            self.cut_points_ = dict(zip(names, cuts, strict=True))
        self.arities_ = self._arities_with_intervals()

    def _cuts_of(
        self, x: NDArray[np.float64], y: NDArray[np.intp], weight: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        """Return the cuts of one numeric attribute. A number equal to a cut goes below it."""
        return mdlp_cut_points(x, y, len(self.classes_), sample_weight=weight)

    def _arities_with_intervals(self) -> NDArray[np.int64]:
        return self._schema.arities_with_intervals(list(self.cut_points_.values()))

    def _with_intervals(self, coded: CodedTable) -> CodedTable:
        codes = self._schema.codes_with_intervals(coded, list(self.cut_points_.values()))
        return CodedTable(codes, coded.values[:0], coded.n_samples)

    def _name_network(
        self, parents: Sequence[tuple[int, ...]], cpts: Sequence[NDArray[np.float64]]
    ) -> Network:
        """Make a network of the attributes in column order, then the class."""
        names, states = self._variables()
        return Network(names, states, tuple(parents), tuple(cpts), class_index=len(names) - 1)

    def _variables(self) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]:
        """Return names and values of the attributes in column order, then of the class."""
        states = [
            tuple(interval_labels(self.cut_points_[a.name])) if a.is_numeric else a.states
            for a in self._schema.attributes
        ]
        return self._variable_names(), (*states, tuple(self.classes_.tolist()))

    def _variable_names(self) -> tuple[str, ...]:
        """Return the names of the attributes in column order, then of the class."""
        names = [f"x{name}" if isinstance(name, int) else str(name) for name in self._schema.names]
        class_name = self._class_name if isinstance(self._class_name, str) else "y"
        while class_name in names:
            class_name += "_"
        return (*names, class_name)


def _weighted_rows(X: Any, y: NDArray[np.intp], sample_weight: Any) -> tuple[Any, Any, Any]:
    """Check that rows, classes and weights match, and return those with positive weight."""
    if X.shape[0] != y.size:
        check_consistent_length(X, y)
    if sample_weight is None:
        return X, y, None
    weight = _check_weights(sample_weight, y.size)
    keep = weight > 0  # rows of weight zero must not declare values either
    if keep.all():
        return X, y, weight
    return (X[keep] if not isinstance(X, pd.DataFrame) else X.loc[keep]), y[keep], weight[keep]


def _check_weights(sample_weight: Any, n_samples: int) -> NDArray[np.float64]:
    weight = np.asarray(sample_weight, dtype=np.float64)
    if weight.ndim == 0:
        weight = np.full(n_samples, float(weight))
    if weight.shape != (n_samples,):
        raise ValueError(f"sample_weight has shape {weight.shape}: expected {n_samples}, one for each row.")
    assert_all_finite(weight, input_name="sample_weight")
    if (weight < 0).any():
        raise ValueError(f"sample_weight must not be negative, but was {weight.min():g} in one row.")
    if not weight.any():
        raise ValueError("sample_weight is zero in every row. Give at least one row a positive weight.")
    with np.errstate(over="ignore"):
        is_too_large = weight.sum() == np.inf
    if is_too_large:
        raise ValueError(
            "The sum of sample_weight is too large for a number. Divide the weights by their mean."
        )
    return weight


SETS = ("empty", "predicted")


class TheoryClassifier(ProbabilisticClassifier):
    """Base class of learners whose model is a theory: a tree, a graph, one attribute, or rules."""

    def theory_complexity(self) -> TheoryLength:
        """Compute the description length of the theory: I(T) of Cleary, Legg and Witten.

        The code describes the tests or conditions, their attributes and cuts, and the class at each leaf or
        rule. Class frequencies are not encoded, since a theory only names classes. Training rows are not
        encoded either. A default class is part of the theory. In a graph, the part below joined branches is
        encoded once.

        Returns
        -------
        TheoryLength
            Bits of each part of the code, and their `total`. A smaller `total` means a simpler theory. The
            codes are described in `learners.trees.nodes.theory`, `learners.rules.sets.theory` and
            `learners.rules._shared.split_theory`.

        Raises
        ------
        NotFittedError
            If the learner is not fitted.
        ValueError
            If the model consists of several voting trees.

        Examples
        --------
        A test, two leaves: 12 ways; one of two attributes; one of 19 gaps; two classes: 6 ways.

        >>> import pandas as pd
        >>> from learners import C45Classifier
        >>> X = pd.DataFrame({"sky": ["sun", "rain"] * 10, "wind": range(20)}).astype({"wind": float})
        >>> theory = C45Classifier().fit(X, X["wind"] > 8).theory_complexity()
        >>> [round(2**bits) for bits in (theory.shape, theory.attributes, theory.values, theory.classes)]
        [12, 2, 19, 6]
        >>> round(theory.total, 3)
        11.418
        """
        check_is_fitted(self)
        return self._theory()

    def _theory(self) -> TheoryLength:
        raise TypeError(f"{type(self).__name__} encodes nothing. Override _theory.")


class SingleSetClassifier(TheoryClassifier):
    """Base class of learners that predict one class for each row, with the parameter `missing_sets`."""

    # with "empty" a row that lacks a needed value gets no class, with "predicted" that of `predict`

    missing_sets: str

    def _check_sets(self) -> None:
        check_choice("missing_sets", self.missing_sets, SETS)

    def _sets(self, best: NDArray[np.integer[Any]], missed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return sets of class codes, by `missing_sets` empty for rows with a needed value missing."""
        sets = best[:, None] == np.arange(len(self.classes_))
        if self.missing_sets == "empty":
            sets[missed] = False
        return sets
