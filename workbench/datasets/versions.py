"""Derived data sets: parts, and versions that the papers seem to have used."""

import pandas as pd

from generators.tables.columns import Column, class_codes, declared_codes, labels_of_codes

__all__ = [
    "by_class",
    "float_glass",
    "heart_of_1996",
    "missing_as_value",
    "numbers_as_names",
    "three_kinds_of_glass",
    "without_best_attribute",
]

Table = tuple[pd.DataFrame, pd.Series]

FLOAT = ("build wind float", "vehic wind float")
NON_FLOAT = ("build wind non-float",)
NO_WINDOW = ("containers", "tableware", "headlamps")
BEST_ATTRIBUTE = "physician-fee-freeze"
#: How a missing value is written where it counts as one more value.
UNKNOWN = "?"
#: The classes that Weka's file declares of the Cleveland patients; the last three do not occur.
DECLARED_IN_1996 = ("<50", ">50_1", ">50_2", ">50_3", ">50_4")


def float_glass(X: pd.DataFrame, y: pd.Series) -> Table:
    """Keep the window glass: float-processed (buildings or vehicles) against the rest."""
    return _joined(X, y, {"float": FLOAT, "non-float": NON_FLOAT})


def three_kinds_of_glass(X: pd.DataFrame, y: pd.Series) -> Table:
    """Join the classes: window glass float-processed or not, and glass of no window."""
    return _joined(X, y, {"float": FLOAT, "non-float": NON_FLOAT, "no window": NO_WINDOW})


def without_best_attribute(X: pd.DataFrame, y: pd.Series) -> Table:
    """Drop the vote that nearly determines the party."""
    return X.drop(columns=BEST_ATTRIBUTE), y


def missing_as_value(X: pd.DataFrame, y: pd.Series) -> Table:
    """Make missing a value of each nominal column with missing values."""
    lacking = {
        name: column.cat.add_categories(UNKNOWN).fillna(UNKNOWN)
        for name, column in X.items()
        if isinstance(column.dtype, pd.CategoricalDtype) and column.isna().any()
    }
    return X.assign(**lacking), y


def numbers_as_names(X: pd.DataFrame, y: pd.Series) -> Table:
    """Make every numeric column nominal, with a value for each number that occurs."""
    return X.assign(**{name: _named(X[name]) for name in X.select_dtypes("number")}), y


def heart_of_1996(X: pd.DataFrame, y: pd.Series) -> Table:
    """Declare five classes, of which two occur, and take the number of colored vessels as nominal."""
    classes = Column.of_states(y.name, DECLARED_IN_1996).read(y)
    return X.assign(ca=_named(X["ca"])), pd.Series(classes, name=y.name)


def by_class(X: pd.DataFrame, y: pd.Series) -> Table:
    """Sort the rows by class, and keep their order otherwise."""
    order = declared_codes(y).argsort(kind="stable")
    return X.iloc[order].reset_index(drop=True), y.iloc[order].reset_index(drop=True)


def _joined(X: pd.DataFrame, y: pd.Series, groups: dict[str, tuple[str, ...]]) -> Table:
    """Keep the rows of some classes, and give these new names."""
    names = {old: new for new, olds in groups.items() for old in olds}
    kept = y.isin(list(names)).to_numpy()
    classes = Column.of_states(y.name, list(groups)).read(y[kept].astype(object).map(names))
    return X[kept].reset_index(drop=True), pd.Series(classes, name=y.name)


def _named(numbers: pd.Series) -> pd.Series:
    """Write numbers as text, in ascending order. Missing values stay missing."""
    values = sorted(numbers.dropna().unique())
    names = [f"{value:g}" for value in values]
    return labels_of_codes(class_codes(numbers, values), names, name=numbers.name, index=numbers.index)
