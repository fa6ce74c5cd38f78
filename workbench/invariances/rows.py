"""Generated rows on which a learner is fitted and asked, of nominal or numeric attributes."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.numeric.gaussian_naive_bayes import random_gaussian_naive_bayes
from generators.structures.naive_bayes import random_naive_bayes
from generators.structures.tan import random_tan
from generators.tables.columns import Column, declared_codes, labels_of_codes
from workbench.base.seeds import generator_for

__all__ = ["INDEPENDENT", "NOMINAL", "NUMERIC", "TrialRows", "draw_rows", "drawn_column", "recoded"]

#: Kinds of rows. Every attribute of the last two tells something about the class by itself.
NOMINAL, INDEPENDENT, NUMERIC = "nominal", "independent", "numeric"

N_ATTRIBUTES, N_CLASSES, N_TEST = 6, 3, 200
# Equal classes, so that all of them are among few rows.
_SIZES: dict[str, Any] = {
    "n_attributes": N_ATTRIBUTES,
    "n_classes": N_CLASSES,
    "class_marginal": [1 / N_CLASSES] * N_CLASSES,
}
_TRUTHS: dict[str, Any] = {
    NOMINAL: partial(random_tan, **_SIZES, arity=(2, 4)),
    INDEPENDENT: partial(random_naive_bayes, **_SIZES, arity=(2, 4)),
    NUMERIC: partial(random_gaussian_naive_bayes, **_SIZES),
}


@dataclass(frozen=True, eq=False)
class TrialRows:
    """Rows to learn from, and rows to forecast."""

    X: pd.DataFrame  # categoricals with the declared states, or floats
    y: pd.Series
    X_test: pd.DataFrame
    y_test: pd.Series
    labels: tuple[Any, ...]  # what each class of the truth is called here, in the order of forecasts' columns
    weight: NDArray[np.float64] | None = None  # of the rows to learn from


def draw_rows(kind: str, n_rows: int, *place: object) -> TrialRows:
    """Draw a truth of a kind, and its rows."""
    rng = generator_for("invariances", kind, *place)
    truth = _TRUTHS[kind](random_state=rng)
    X, y = truth.sample(n_rows, rng)
    X_test, y_test = truth.sample(N_TEST, rng)
    return TrialRows(X, y, X_test, y_test, tuple(truth.classes))


def recoded(column: pd.Series, codes: NDArray[Any]) -> pd.Series:
    """Return a categorical column with other codes of the same states."""
    return pd.Series(Column.of(column.name, column).labels(codes), index=column.index, name=column.name)


def drawn_column(rows: TrialRows, rng: np.random.Generator, *, tells: float) -> tuple[pd.Series, pd.Series]:
    """Draw an attribute of the rows' kind that tells the class with a probability, else nothing."""
    numeric = not isinstance(rows.X.dtypes.iloc[0], pd.CategoricalDtype)
    return _drawn(rows.y, rng, tells, numeric), _drawn(rows.y_test, rng, tells, numeric)


def _drawn(y: pd.Series, rng: np.random.Generator, tells: float, numeric: bool) -> pd.Series:
    codes = np.where(rng.random(len(y)) < tells, declared_codes(y), rng.integers(N_CLASSES, size=len(y)))
    if numeric:
        return pd.Series(codes + 0.25 * rng.standard_normal(len(y)), index=y.index)
    return labels_of_codes(codes, range(N_CLASSES), index=y.index)
