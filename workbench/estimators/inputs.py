"""The form of the rows for third-party estimators, decided in this module only.

Our learners take a DataFrame whose dtypes declare the attributes. Other estimators get one of four forms,
which depends on the estimators that read the rows first: the first step of a pipeline, or the estimator
inside a meta-estimator, to any depth.

categories
    A DataFrame: nominal columns are categorical with the declared values, numbers float64.
table
    The DataFrame as it was given, before its values were declared.
one_hot
    A float64 array: a 0/1 column for each declared value (missing: all 0), numbers unchanged.
codes
    A float64 array: the position of each value among the declared ones (missing: NaN), numbers unchanged.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from generators.tables.columns import Column
from workbench.base.errors import WorkbenchError, nearest
from workbench.base.text import count_of

__all__ = [
    "INPUTS",
    "FittedInput",
    "check_input",
    "converting",
    "input_identity",
    "input_of",
    "is_mixed",
    "is_ours",
    "keeps_rows",
    "readers",
]

INPUTS = ("categories", "table", "one_hot", "codes")
#: Other words for them.
ALIASES = {"dataframe": "table", "onehot": "one_hot"}
#: Of several readers of the same rows, the first of these forms that one of them needs is given to all.
PRECEDENCE = ("table", "one_hot", "codes", "categories")
#: Parameters that hold estimators which do not read the attributes.
NO_READERS = frozenset({"final_estimator", "init", "meta_classifier"})
#: Meta-estimators of scikit-learn that turn a table into an array before they pass it on.
TAKE_ARRAYS = frozenset(
    {
        "AdaBoostClassifier",
        "BaggingClassifier",
        "OneVsOneClassifier",
        "RFE",
        "RFECV",
        "SelectFromModel",
        "SelfTrainingClassifier",
        "SequentialFeatureSelector",
    }
)
#: Transformers of scikit-learn that read the class.
READ_CLASSES = frozenset({"LabelBinarizer", "LabelEncoder", "MultiLabelBinarizer"})
#: Ensembles of scikit-learn that hand the rows on to members of several kinds.
ENSEMBLES = frozenset({"VotingClassifier", "StackingClassifier"})
#: Transformers of scikit-learn that read tables although their tags do not say so.
READ_TABLES = frozenset({"ColumnTransformer", "FunctionTransformer"})
#: Parameters by which an estimator asks for categorical columns, unless they are None or False.
ASK_FOR_CATEGORIES = ("categorical_features", "enable_categorical", "cat_features")


def is_ours(estimator: Any) -> bool:
    """Return whether an estimator, or a class that it derives from, is of this project."""
    return any(
        kind.__module__.partition(".")[0] in ("learners", "workbench") for kind in type(estimator).__mro__
    )


def check_input(word: Any, what: str) -> str:
    """Return the form that a word names, or raise WorkbenchError."""
    form = ALIASES.get(word, word) if isinstance(word, str) else word
    if form not in INPUTS:
        raise WorkbenchError(f"{what} has the input {word!r}; {nearest(word, INPUTS)}")
    return str(form)


def input_of(estimator: Any) -> str:
    """Return the form that suits the estimators that read the rows."""
    forms = _forms(estimator)
    return next(form for form in PRECEDENCE if form in forms)


def _forms(estimator: Any) -> set[str]:
    return {_form(*reader) for reader in readers(estimator)}


def input_identity(estimator: Any, given: str | None) -> dict[str, str]:
    """Return the input in a learner's identity: nothing if its class implies it."""
    if given is not None:
        usual = "own" if is_ours(estimator) else input_of(estimator)
        if given == usual and _is_obvious(estimator, given):
            return {}
        return {"input": given}
    inner = estimator.of if hasattr(estimator, "study_key") else estimator
    if inner is None or is_ours(inner):
        return {}
    form = input_of(inner)
    return {} if _is_obvious(inner, form) else {"input": form}


def _is_obvious(estimator: Any, form: str) -> bool:
    """Return whether the class of an estimator implies a form, without looking inside."""
    return not isinstance(estimator, Pipeline) and form == (
        "categories" if is_ours(estimator) or _reads_categories(estimator) else "one_hot"
    )


def readers(estimator: Any, through_array: bool = False, apart: bool = True) -> Iterator[tuple[Any, bool]]:
    """Yield the estimators that read the rows first, and whether their wrappers pass arrays on."""
    # apart: an ensemble whose members read different forms counts as one, as `mixed_ensembles` says
    searches = hasattr(estimator, "param_grid") or hasattr(estimator, "param_distributions")
    apart = apart and not searches
    through_array = through_array or _is_of_sklearn(estimator, TAKE_ARRAYS)
    if isinstance(estimator, Pipeline):
        inner = _first_steps(estimator)
    elif is_ours(estimator) or _is_of_sklearn(estimator, READ_TABLES) or (apart and is_mixed(estimator)):
        inner = []
    else:
        inner = list(_wrapped(estimator))
    if not inner:
        yield estimator, through_array
    for one in inner:
        yield from readers(one, through_array, apart)


def is_mixed(estimator: Any) -> bool:
    """Return whether it is an ensemble whose members read different forms, and can each get its own."""
    if not _is_of_sklearn(estimator, ENSEMBLES) or getattr(estimator, "passthrough", False):
        return False
    return len({input_of(member) for member in _wrapped(estimator)}) > 1


def converting(estimator: Any) -> Iterator[Any]:
    """Yield the estimators inside that convert the rows: members, and what ours wrap."""
    for reader, through_array in readers(estimator):
        if hasattr(reader, "study_key") and reader.of is not None:
            yield reader.of
        elif is_mixed(reader) and not through_array:
            yield from _wrapped(reader)


def keeps_rows(estimator: Any) -> bool:
    """Return whether the output of an estimator is known to keep the index of the rows."""
    return type(estimator).__module__.partition(".")[0] == "sklearn"


def _first_steps(pipeline: Pipeline) -> list[Any]:
    """Return the step that reads the rows first."""
    # an imputer that passes text on hands an array to the next step, which matters if that is no encoder
    steps = [step for _, step in pipeline.steps if step is not None and not isinstance(step, str)]
    passing = [step for step in steps if _passes_values(step)]
    rest = [step for step in steps if not _passes_values(step)]
    if passing and steps[0] is passing[0] and rest and input_of(rest[0]) != "table":
        return passing[:1]
    return rest[:1] or steps[:1]


def _wrapped(estimator: Any) -> Iterator[Any]:
    """Yield the estimators among the parameters of a meta-estimator."""
    if not hasattr(estimator, "get_params"):
        return
    for name, value in estimator.get_params(deep=False).items():
        if name in NO_READERS and not getattr(estimator, "passthrough", False):
            continue
        members = list(value.values()) if isinstance(value, Mapping) else value
        members = members if isinstance(members, list | tuple) else [members]
        for member in members:
            one = member[1] if isinstance(member, tuple) and len(member) >= 2 else member
            is_estimator = hasattr(one, "fit") and hasattr(one, "get_params") and not isinstance(one, type)
            if is_estimator and not _is_of_sklearn(one, READ_CLASSES):
                yield one


def _passes_values(step: Any) -> bool:
    """Return whether a step of a pipeline leaves values unchanged, so that the next step reads them."""
    return _is_of_sklearn(step, {"SimpleImputer"}) and step.strategy in ("most_frequent", "constant")


def _is_of_sklearn(estimator: Any, names: Collection[str]) -> bool:
    kind = type(estimator)
    return kind.__name__ in names and kind.__module__.partition(".")[0] == "sklearn"


def _form(reader: Any, through_array: bool) -> str:
    form = _own_form(reader)
    if not through_array or form != "categories":
        return form
    # Columns that are named by their place must keep it.
    named = getattr(reader, "categorical_features", None)
    if type(reader).__module__.startswith("catboost."):
        named = reader.get_params().get("cat_features")
    are_named = isinstance(named, list | tuple | np.ndarray)
    return "codes" if are_named else "one_hot"


def _own_form(reader: Any) -> str:
    kind = type(reader)
    if _is_of_sklearn(reader, {"CategoricalNB"}):  # its tags ask for categories, and it reads codes alone
        return "codes"
    if is_mixed(reader):
        return "categories"
    is_transformer = hasattr(reader, "transform") and not hasattr(reader, "predict")
    if is_transformer:
        foreign = kind.__module__.partition(".")[0] != "sklearn"
        reads = foreign or _is_of_sklearn(reader, READ_TABLES) or _reads_categories(reader)
        return "table" if reads else "one_hot"
    if is_ours(reader) or _reads_categories(reader) or _asks_for_categories(reader):
        return "categories"
    return "one_hot"


def _reads_categories(estimator: Any) -> bool:
    try:
        tags = get_tags(estimator).input_tags
    except Exception:  # tags of a wrapper without its inner estimator, or of another library
        return False
    return bool(tags.categorical or tags.string)


def _asks_for_categories(estimator: Any) -> bool:
    if type(estimator).__module__.partition(".")[0] == "lightgbm":
        return True
    values = [getattr(estimator, name, None) for name in ASK_FOR_CATEGORIES]
    return any(value is not None and value is not False for value in values)


@dataclass(frozen=True, eq=False)
class FittedInput:
    """A form of input, with the values that the training rows declare."""

    form: str  # one of `INPUTS`
    columns: tuple[Column, ...]  # with declared, else occurring values
    given: pd.DataFrame | None = None  # all rows before their values were declared, with the index of rows
    why: str = ""  # it is another form than the estimator asks for; mostly empty

    @classmethod
    def of(
        cls, X: pd.DataFrame, estimator: Any, form: str | None = None, given: pd.DataFrame | None = None
    ) -> "FittedInput":
        """Fit to training rows. Without a form, use the one that suits the estimator."""
        columns = tuple(Column.of(name, X[name]) for name in X)
        why = ""
        if form is None:
            form = input_of(estimator)
            if form == "table" and given is not None and len(_forms(estimator)) > 1:
                why = "which some members may not be able to read: choose another form for all by input="
            largest = max((column.arity for column in columns), default=0)
            bound = min(_bounds(estimator), default=largest)
            if form == "categories" and largest > bound:
                form, why = "one_hot", f"as a column has {largest} values and max_bins is {bound}"
        return cls(form, columns, given, why)

    def rows(self, X: pd.DataFrame) -> pd.DataFrame | NDArray[np.float64]:
        """Return rows in this form."""
        if self.form == "table" and self.given is not None:
            return self.given.iloc[X.index].copy(deep=False)
        if self.form in ("categories", "table"):
            # A separate view: changes that an estimator makes to its rows must not affect the next one.
            view = X.copy(deep=False)
            for column in self.columns if self.form == "categories" else ():
                cells = X[column.name]
                if (plain := _plain(cells, column)) is not cells:
                    view[column.name] = plain
            return view
        blocks = [self._block(X[column.name], column) for column in self.columns]
        return np.hstack(blocks) if blocks else np.empty((len(X), 0))

    def _block(self, cells: pd.Series, column: Column) -> NDArray[np.float64]:
        """Return the array columns of a column."""
        if column.values is None:
            return _numbers(cells)[:, None]
        codes = column.positions(cells)[:, None]
        if self.form == "one_hot":
            return (codes == np.arange(len(column.values))).astype(np.float64)
        return np.where(codes < 0, np.nan, codes.astype(np.float64))

    @property
    def arities(self) -> list[int]:
        """Number of values of each column, 0 for numbers."""
        return [0 if column.values is None else len(column.values) for column in self.columns]

    def describe(self) -> str:
        """Describe in a few words the rows that the estimator gets."""
        columns = count_of(len(self.columns), "column")
        nominal = sum(column.arity > 0 for column in self.columns)
        why = f", {self.why}" if self.why else ""
        if self.form == "table":
            return f"the table as given, {columns}{why}"
        if not nominal:
            return f"{'a table' if self.form == 'categories' else 'an array'} of {columns}, all numeric"
        if self.form == "categories":
            return f"a table of {columns}, {nominal} of them categorical"
        if self.form == "codes":
            return f"an array of {columns}, {nominal} of them codes"
        width = sum(arity or 1 for arity in self.arities)
        return f"one-hot, {count_of(width, 'column')} from {len(self.columns)}{why}"


def _bounds(estimator: Any) -> Iterable[int]:
    """Yield the largest numbers of categories of readers that declare one."""
    for reader, _ in readers(estimator):
        bound = getattr(reader, "max_bins", None)
        if isinstance(bound, int) and getattr(reader, "categorical_features", None) == "from_dtype":
            yield bound


def _plain(cells: pd.Series, column: Column) -> Any:
    """Return cells as float64, or categorical with NaN if missing, as many estimators reject pandas.NA."""
    if column.values is None:
        return cells if cells.dtype == np.float64 else _numbers(cells)
    if isinstance(cells.dtype, pd.CategoricalDtype) and not _has_na(cells.cat.categories):
        return cells
    plain = Column.of_values(column.name, column.values.astype(object)) if _has_na(column.values) else column
    return plain.labels(column.positions(cells))


def _has_na(values: pd.Index) -> bool:
    return getattr(values.dtype, "na_value", None) is pd.NA


def _numbers(cells: pd.Series) -> NDArray[np.float64]:
    return cells.to_numpy(dtype=np.float64, na_value=np.nan)
