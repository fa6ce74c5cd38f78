"""What becomes of the rivals of today: each of eight estimators on each kind of table, bare and wrapped.

    python -m benchmarks.rivals [KEY ...]

Prints a table of states: "ok", "refused" of rows of one class, or the number of a cause that stands below.
"""

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from workbench.base.text import error_line
from workbench.base.threads import one_inner_thread
from workbench.estimators.early_stopped import SEARCHES, early_stopped
from workbench.estimators.fair_fit import FairFit
from workbench.estimators.recalibrated import recalibrated
from workbench.estimators.rivals import RIVALS, package_of
from workbench.study.learner_spec import LearnerSpec

#: Parameters that make each quick.
QUICK: Mapping[str, dict[str, Any]] = {
    "catboost": {"iterations": 8},
    "lightgbm": {"n_estimators": 8},
    "xgboost": {"n_estimators": 8},
    "ebm": {"max_rounds": 8, "outer_bags": 1, "interactions": 0},
    "random_forest": {"n_estimators": 8},
    "extra_trees": {"n_estimators": 8},
    "boosting": {"max_iter": 8},
    "logistic": {},
}
#: A parameter of each to search, and a value.
SEARCHED: Mapping[str, tuple[str, Any]] = {
    "catboost": ("depth", 3), "lightgbm": ("num_leaves", 7), "xgboost": ("max_depth", 3),
    "ebm": ("max_leaves", 2), "random_forest": ("max_depth", 3), "extra_trees": ("max_depth", 3),
    "boosting": ("max_depth", 3), "logistic": ("logisticregression__C", 0.1),
}  # fmt: skip
Table = tuple[pd.DataFrame, "pd.Series[Any]"]


def _numbers(rng: np.random.Generator, n: int, width: int = 3) -> pd.DataFrame:
    return pd.DataFrame(rng.normal(size=(n, width)), columns=[f"x{i}" for i in range(width)])


def _nominal(rng: np.random.Generator, n: int, values: str = "uvw", **options: Any) -> pd.Categorical:
    return pd.Categorical(rng.choice(list(values), n), categories=list("uvw"), **options)


def _classes(rng: np.random.Generator, X: pd.DataFrame, k: int) -> "pd.Series[Any]":
    score = X.select_dtypes("number").sum(axis=1).to_numpy(dtype=float, na_value=0.0)
    score = np.nan_to_num(score) + rng.normal(size=len(X))
    ranks = score.argsort(kind="stable").argsort(kind="stable")
    return pd.Series(np.array([f"class {i:02d}" for i in range(k)])[ranks * k // len(X)], name="y")


def _few(X: pd.DataFrame) -> Table:
    return X, pd.Series(np.repeat(["class 00", "class 01", "class 02"], 3), name="y")


def _kinds(n: int) -> Iterator[tuple[str, Callable[[np.random.Generator], Table]]]:
    """Yield kinds of tables, and what draws one with n rows."""

    def of(make: Callable[[np.random.Generator], pd.DataFrame], k: int = 3) -> Callable[..., Table]:
        def table(rng: np.random.Generator) -> Table:
            X = make(rng)
            return X, _classes(rng, X, k)

        return table

    def missing(rng: np.random.Generator) -> pd.DataFrame:
        X = _numbers(rng, n).assign(a=_nominal(rng, n))
        return X.mask(rng.random(X.shape) < 0.2).astype({"a": X["a"].dtype})

    yield "numbers", of(lambda rng: _numbers(rng, n))
    yield (
        "text",
        of(lambda rng: _numbers(rng, n).assign(t=rng.choice(["red", "blue", "green"], n))),
    )
    yield "categories", of(lambda rng: _numbers(rng, n).assign(a=_nominal(rng, n), b=_nominal(rng, n)))
    yield "ordered", of(lambda rng: _numbers(rng, n).assign(a=_nominal(rng, n, ordered=True)))
    yield "unseen value", of(lambda rng: _numbers(rng, n).assign(a=_nominal(rng, n, "uv")))
    yield "bools", of(lambda rng: _numbers(rng, n).assign(b=rng.random(n) < 0.5))
    yield "missing", of(missing)
    yield "constant", of(lambda rng: _numbers(rng, n).assign(c=1.0, d=pd.Categorical(["u"] * n)))
    yield "integers", of(lambda rng: pd.DataFrame(rng.integers(0, 50, (n, 3)), columns=[0, 1, 2]))
    yield "odd names", of(lambda rng: _numbers(rng, n).set_axis(["a[0]", "b<1", 'c:"d",{e}'], axis=1))
    yield "two classes", of(lambda rng: _numbers(rng, n).assign(a=_nominal(rng, n)), 2)
    yield "ten classes", of(lambda rng: _numbers(rng, n).assign(a=_nominal(rng, n)), 10)
    yield "few rows", lambda rng: _few(_numbers(rng, 9))
    yield "wide", of(lambda rng: _numbers(rng, n, 300))

    def labels(values: list[Any]) -> Callable[..., Table]:
        def table(rng: np.random.Generator) -> Table:
            X = _numbers(rng, n).assign(a=_nominal(rng, n))
            codes = _classes(rng, X, len(values)).astype("category").cat.codes
            return X, pd.Series(np.array(values)[codes], name="y")

        return table

    yield "bool labels", labels([False, True])
    yield "labels with gaps", labels([0, 2, 3])


def tables(n: int = 90) -> dict[str, tuple[Table, Table, tuple[Any, ...]]]:
    """Return by kind training rows, test rows and the declared classes."""
    found = {}
    for i, (kind, draw) in enumerate(_kinds(n)):
        X, y = draw(np.random.default_rng(i))
        classes = tuple(np.unique(y).tolist())
        test = X.iloc[::3].copy(), y.iloc[::3]
        if kind == "unseen value":
            test[0]["a"] = pd.Categorical(["w"] * len(test[0]), categories=list("uvw"))
        found[kind] = (X, y), test, classes
    X, y = found["categories"][0]
    rare = y.eq("class 02")
    for kind, kept in (
        ("class absent", ~y.eq("class 01")),
        ("rare class", ~rare | (rare.cumsum() == 1)),
        ("one class", y.eq("class 00")),
    ):
        found[kind] = (X[kept], y[kept]), (X, y), tuple(np.unique(y).tolist())
    return found


def wrapped(key: str) -> dict[str, Any]:
    """Return an estimator bare and in what people put around it."""
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline

    bare = LearnerSpec(key, learner=key, parameters=QUICK[key]).build()
    name, value = SEARCHED[key]
    forms = {
        "bare": bare,
        "pipeline": make_pipeline("passthrough", bare),
        "grid": GridSearchCV(bare, {name: [value]}, cv=2, scoring="neg_log_loss"),
        "calibrated": CalibratedClassifierCV(bare, cv=2),
        "recalibrated": recalibrated(bare, method="sigmoid", folds=2, random_state=0),
    }
    if SEARCHES.get(package_of(bare), ("",))[0] == type(bare).__name__:
        forms["early_stopped"] = early_stopped(bare, patience=3, random_state=0)
    return forms


def state(estimator: Any, train: Table, test: Table, classes: tuple[Any, ...]) -> str:
    """Fit and forecast as a study does: "ok", "refused" of one class, or why it failed."""
    try:
        with one_inner_thread():
            fit = FairFit(LearnerSpec("rival", estimator=estimator).build(), classes).fit(*train)
            y_prob = fit.forecast(test[0])
    except Exception as error:
        return error_line(error)
    assert y_prob.shape == (len(test[0]), len(classes))
    return "refused" if fit.refused else "ok"


def states(keys: list[str]) -> pd.DataFrame:
    """Return the state of each estimator and wrapping, by kind of table."""
    drawn = tables()
    rows = {
        (key, form): {kind: state(estimator, *drawn[kind]) for kind in drawn}
        for key in keys
        for form, estimator in wrapped(key).items()
    }
    return pd.DataFrame(rows).T


def main(keys: list[str]) -> None:
    """Print the table, and the causes below it."""
    warnings.simplefilter("ignore")
    found = states(keys or list(RIVALS))
    causes = sorted(set(found.stack()) - {"ok", "refused"})
    number = {cause: str(i) for i, cause in enumerate(causes, start=1)}
    print(found.map(lambda cell: number.get(cell, cell)).to_string())
    for cause, i in number.items():
        print(f"{i}: {cause}")


if __name__ == "__main__":
    main(sys.argv[1:])
