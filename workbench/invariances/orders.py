"""The same rows in another order, under other names, or counted by weights."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from generators.tables.columns import declared_codes
from workbench.invariances.rows import TrialRows, recoded

__all__ = ["class_names", "column_order", "row_order", "value_names", "weights"]

MOST_COPIES = 3


def row_order(rows: TrialRows, rng: np.random.Generator) -> tuple[TrialRows, TrialRows]:
    """Change the order of the rows."""
    order = _other_order(len(rows.X), rng)
    X, y = (part.iloc[order].reset_index(drop=True) for part in (rows.X, rows.y))
    return rows, replace(rows, X=X, y=y)


def column_order(rows: TrialRows, rng: np.random.Generator) -> tuple[TrialRows, TrialRows]:
    """Change the order of the columns, which keep their names."""
    order = _other_order(rows.X.shape[1], rng)
    return rows, replace(rows, X=rows.X.iloc[:, order], X_test=rows.X_test.iloc[:, order])


def value_names(rows: TrialRows, rng: np.random.Generator) -> tuple[TrialRows, TrialRows]:
    """Exchange the states of every attribute, and with them their order."""
    X, X_test = rows.X.copy(), rows.X_test.copy()
    for name in X:
        other = _other_order(len(X[name].cat.categories), rng)
        for part in (X, X_test):
            part[name] = recoded(part[name], other[declared_codes(part[name])])
    return rows, replace(rows, X=X, X_test=X_test)


def class_names(rows: TrialRows, rng: np.random.Generator) -> tuple[TrialRows, TrialRows]:
    """Exchange the labels of the classes, and with them their order."""
    other = _other_order(len(rows.labels), rng)
    y, y_test = (recoded(part, other[declared_codes(part)]) for part in (rows.y, rows.y_test))
    return rows, replace(rows, y=y, y_test=y_test, labels=tuple(rows.labels[code] for code in other))


def weights(rows: TrialRows, rng: np.random.Generator) -> tuple[TrialRows, TrialRows]:
    """Repeat each row up to some times; or weigh it by this number."""
    times = rng.integers(1, MOST_COPIES, endpoint=True, size=len(rows.X))
    places = np.repeat(np.arange(len(rows.X)), times)
    X, y = (part.iloc[places].reset_index(drop=True) for part in (rows.X, rows.y))
    return replace(rows, X=X, y=y), replace(rows, weight=times.astype(np.float64))


def _other_order(n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw an order of n things in which none keeps its place."""
    order = rng.permutation(n)
    while n > 1 and (order == np.arange(n)).any():
        order = rng.permutation(n)
    return order
