"""Boosting of other packages: their keys, and adapters between them and our tables.

`readied` puts a reader around CatBoost, XGBoost, LightGBM and EBM anywhere in an estimator. A reader has
their parameters, and can replace them in pipelines and searches.
"""

import re
import warnings
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils import get_tags

from generators.tables.columns import sorted_classes
from workbench.base.catalogue import Elsewhere
from workbench.estimators.inputs import is_ours

__all__ = [
    "RIVALS",
    "CatBoostReader",
    "NamesReader",
    "XGBoostReader",
    "cloneable",
    "logistic",
    "package_of",
    "readied",
]

#: The value that stands for a missing one in CatBoost's categories, which may not be NaN.
NO_VALUE = ""
#: What LightGBM and XGBoost refuse in the names of columns.
REFUSED = re.compile(r'[\[\]<>",:{}]')
#: Parameters by which somebody says how much CatBoost prints.
TALK = frozenset({"logging_level", "silent", "verbose"})


def logistic(*, C: float = 1.0, max_iter: int = 1000, class_weight: Any = None) -> Pipeline:
    """Make a logistic regression of scaled columns, with medians for missing numbers."""
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    # A column without a number in the training rows stays, as the test rows have it.
    filled = SimpleImputer(strategy="median", keep_empty_features=True)
    return make_pipeline(
        filled, StandardScaler(), LogisticRegression(C=C, max_iter=max_iter, class_weight=class_weight)
    )


#: What people compare our learners with, by key. One thread, as parallelism is across cells.
RIVALS: Mapping[str, Any] = MappingProxyType(
    {
        "catboost": Elsewhere(
            "catboost:CatBoostClassifier",
            {"verbose": False, "allow_writing_files": False, "thread_count": 1},
        ),
        "lightgbm": Elsewhere("lightgbm:LGBMClassifier", {"verbose": -1, "n_jobs": 1}),
        "xgboost": Elsewhere("xgboost:XGBClassifier", {"enable_categorical": True, "n_jobs": 1}),
        "ebm": Elsewhere("interpret.glassbox:ExplainableBoostingClassifier", {"n_jobs": 1}),
        "random_forest": Elsewhere("sklearn.ensemble:RandomForestClassifier"),
        "extra_trees": Elsewhere("sklearn.ensemble:ExtraTreesClassifier"),
        "boosting": Elsewhere("sklearn.ensemble:HistGradientBoostingClassifier"),
        "logistic": logistic,
    }
)


def package_of(estimator: Any) -> str:
    """Return the package of an estimator's class. A derived class belongs to its own package."""
    return type(estimator).__module__.partition(".")[0]


def readied(estimator: Any) -> Any:
    """Return an estimator with readers around all rivals in it, or unchanged if there are none."""
    reader = READERS.get(package_of(estimator))
    if reader is not None and hasattr(estimator, "predict_proba"):
        return reader(estimator)
    found = {name: made for name, part in _parts(estimator) if (made := readied(part)) is not part}
    return clone(cloneable(estimator)).set_params(**found) if found else estimator


def cloneable(estimator: Any) -> Any:
    """Return an estimator that can be cloned: a copy if it has CatBoost with a list of `cat_features`."""
    # CatBoost copies lists, which scikit-learn takes for a constructor that changes them; it keeps tuples.
    listed = [name for name, value in _catboost_lists(estimator)]
    if not listed:
        return estimator
    if package_of(estimator) == "catboost":
        parameters = estimator.get_params()
        return type(estimator)(**{**parameters, "cat_features": tuple(parameters["cat_features"])})
    copied = type(estimator)(**estimator.get_params(deep=False))
    return copied.set_params(**{name: cloneable(part) for name, part in _parts(estimator)})


def _catboost_lists(estimator: Any) -> list[tuple[str, Any]]:
    if package_of(estimator) == "catboost":
        named = estimator.get_params().get("cat_features")
        return [] if named is None or isinstance(named, tuple) else [("cat_features", named)]
    return [found for _, part in _parts(estimator) for found in _catboost_lists(part)]


def _parts(estimator: Any) -> list[tuple[str, Any]]:
    """Return the estimators directly inside one, by parameter, without frozen ones and ours."""
    if is_ours(estimator) or isinstance(estimator, FrozenEstimator) or not hasattr(estimator, "get_params"):
        return []
    return [
        (name, part)
        for name, part in estimator.get_params(deep=True).items()
        if "__" not in name and hasattr(part, "fit") and not isinstance(part, type)
    ]


class Reader(ClassifierMixin, BaseEstimator):
    """An estimator with an adapter for our rows, by its own parameters."""

    workbench_identity = "workbench.rivals:Reader"

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, X: Any, y: Any, **options: Any) -> "Reader":
        """Fit a clone."""
        labels, codes = sorted_classes(np.asarray(y))
        is_coded = self._codes_labels(labels)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module=r"interpret\.")  # what its pictures cannot show
            self.fitted_ = self._fitted(self.rows(X), codes if is_coded else np.asarray(y), options)
        self.classes_ = labels if is_coded else np.asarray(self.fitted_.classes_)
        return self

    def predict_proba(self, X: Any) -> Any:
        """Return the estimator's probabilities."""
        return self.fitted_.predict_proba(self.rows(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row."""
        return self.classes_[np.asarray(self.predict_proba(X)).argmax(axis=1)]

    def _codes_labels(self, labels: NDArray[Any]) -> bool:
        """Return whether labels are given as 0, 1, ... without gaps."""
        return False

    def rows(self, X: Any) -> Any:
        """Return rows as the estimator reads them."""
        return X

    def _fitted(self, X: Any, y: NDArray[Any], options: Mapping[str, Any]) -> Any:
        return clone(self.estimator).fit(X, y, **options)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters of the estimator."""
        parameters: dict[str, Any] = self.estimator.get_params(deep=deep)
        return parameters

    def set_params(self, **parameters: Any) -> "Reader":
        """Set parameters of the estimator."""
        self.estimator.set_params(**parameters)
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("estimator", "fitted_"):
            raise AttributeError(name)
        return getattr(self.__dict__.get("fitted_", self.estimator), name)

    def __sklearn_clone__(self) -> "Reader":
        return type(self)(clone(self.estimator))

    def __sklearn_tags__(self) -> Any:
        return get_tags(self.estimator)


class NamesReader(Reader):
    """LightGBM, which rejects some names of columns."""

    workbench_identity = "workbench.rivals:NamesReader"

    def rows(self, X: Any) -> Any:
        """Return rows with names that it accepts."""
        return _plainly_named(X)


class XGBoostReader(NamesReader):
    """XGBoost, which rejects some names, categories of bools, and labels other than 0, 1 and so on."""

    workbench_identity = "workbench.rivals:XGBoostReader"

    def rows(self, X: Any) -> Any:
        """Return rows with names and categories that it accepts."""
        if not isinstance(X, pd.DataFrame):
            return X
        bools = [i for i, cells in enumerate(_columns(X)) if _has_bools(cells)]
        return _plainly_named(_replaced(X, {i: X.iloc[:, i].cat.rename_categories(str) for i in bools}))

    def _codes_labels(self, labels: NDArray[Any]) -> bool:
        return True


class CatBoostReader(Reader):
    """CatBoost, which needs its categories named, prints and writes by default, and reads no bools."""

    workbench_identity = "workbench.rivals:CatBoostReader"

    def _codes_labels(self, labels: NDArray[Any]) -> bool:
        return labels.dtype.kind == "b"

    def rows(self, X: Any) -> Any:
        """Return rows with categories as text."""
        return self.rows_and_places(X)[0]

    def rows_and_places(self, X: Any) -> tuple[Any, list[int]]:
        """Return rows with categories as text, and the places of the categories."""
        return _catboost_rows(X, self.estimator.get_params().get("cat_features"))

    def _fitted(self, X: Any, y: NDArray[Any], options: Mapping[str, Any]) -> Any:
        parameters = self.estimator.get_params()
        quiet = {} if TALK & parameters.keys() else {"logging_level": "Silent"}
        places = _catboost_rows(X, parameters.pop("cat_features", None))[1]
        made = type(self.estimator)(**{"allow_writing_files": False, **quiet, **parameters})
        return made.fit(X, y, cat_features=places, **options)


def _plainly_named(X: Any) -> Any:
    """Return rows with column names that LightGBM and XGBoost accept, unchanged if they already are."""
    if not isinstance(X, pd.DataFrame):
        return X
    if all(isinstance(name, str) and not REFUSED.search(name) for name in X.columns):
        return X
    return X.set_axis([f"{REFUSED.sub('_', str(name))}_{i}" for i, name in enumerate(X.columns)], axis=1)


def _catboost_rows(X: Any, named: Any = None) -> tuple[Any, list[int]]:
    """Return rows with categories as text, and their places: nominal columns, and `cat_features`."""
    if not isinstance(X, pd.DataFrame):
        return X, []
    given = [] if named is None else list(np.atleast_1d(np.asarray(named, dtype=object)))
    own = [X.columns[one] if isinstance(one, int | np.integer) else one for one in given]
    if lost := [name for name in own if name not in X.columns]:
        raise ValueError(f"cat_features names {lost[0]!r}, which is not a column of {list(X.columns)}")
    places = [i for i, (name, cells) in enumerate(X.items()) if name in own or _is_nominal(cells)]
    return _replaced(X, {i: _text(X.iloc[:, i]) for i in places}), places


def _columns(X: pd.DataFrame) -> Iterator["pd.Series[Any]"]:
    return (X.iloc[:, i] for i in range(X.shape[1]))


def _replaced(X: pd.DataFrame, cells: Mapping[int, "pd.Series[Any]"]) -> pd.DataFrame:
    """Return rows with other cells in some columns, by place."""
    changed = X.copy(deep=False) if cells else X
    for i, column in cells.items():
        changed.isetitem(i, column)
    return changed


def _has_bools(cells: "pd.Series[Any]") -> bool:
    return isinstance(cells.dtype, pd.CategoricalDtype) and cells.cat.categories.dtype.kind == "b"


def _is_nominal(cells: "pd.Series[Any]") -> bool:
    return pd.api.types.is_bool_dtype(cells) or not pd.api.types.is_numeric_dtype(cells)


def _text(cells: "pd.Series[Any]") -> "pd.Series[Any]":
    plain = cells.astype(object)
    return plain.where(cells.notna(), NO_VALUE).map(str).astype(object)


READERS: Mapping[str, type[Reader]] = MappingProxyType(
    {"catboost": CatBoostReader, "interpret": Reader, "lightgbm": NamesReader, "xgboost": XGBoostReader}
)
