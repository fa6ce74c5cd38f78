"""Real data sets: half of the rows to fit, half to forecast, ours against common classifiers.

Ours read the DataFrame as it is, and cut numeric columns within the measured time. The peers get
arrays made beforehand: codes after the same cuts (CategoricalNB, OneHot + LogisticRegression, AnDE,
pgmpy), or numbers as they are with codes for the nominal columns (GaussianNB and the trees). A missing
value is to them a value of its own.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from benchmarks.report import RUNS, Line, rounds, say
from learners import AnDEClassifier, AODEClassifier, KDBClassifier, NaiveBayesClassifier, TANClassifier
from learners.tables.discretize import interval_codes, mdlp_cut_points
from workbench.base.errors import WorkbenchError
from workbench.datasets import load_dataset

SHARED = Path(__file__).parents[2] / "shared"  # used if WORKBENCH_DATA names no folder
#: Rows, numeric and nominal attributes, classes: for a made-up data set where the real one is absent.
SHAPES = {"adult": (48842, 6, 8, 2), "letter": (20000, 16, 0, 26), "mushroom": (8124, 0, 22, 2)}
PGMPY_FIT, PGMPY_FORECAST = 2000, 100  # rows; all of them would take minutes

OURS: dict[str, Callable[[], Any]] = {
    "ours, NB": NaiveBayesClassifier,
    "ours, Gaussian NB": lambda: NaiveBayesClassifier(numeric="gaussian"),
    "ours, NB after MDLP": lambda: NaiveBayesClassifier(numeric="mdlp"),
    "ours, TAN": TANClassifier,
    "ours, AODE": AODEClassifier,
    "ours, KDB k=2": lambda: KDBClassifier(k=2),
    "ours, AnDE n=2": lambda: AnDEClassifier(n=2),
}
OURS_SLOW: dict[str, Callable[[], Any]] = {"ours, TAN SuperParent": lambda: TANClassifier("superparent")}


@dataclass(frozen=True)
class Halves:
    """One data set cut in two, as a frame, as codes, and as numbers."""

    name: str
    X: tuple[pd.DataFrame, pd.DataFrame]
    codes: tuple[np.ndarray, np.ndarray]
    numbers: tuple[np.ndarray, np.ndarray]
    y: pd.Series
    arities: np.ndarray


@dataclass
class Trial:
    """Fit and forecast once per call, and keep the seconds of both."""

    make: Callable[[], Any]
    X: Any
    y: Any
    X_test: Any
    seconds: list[tuple[float, float]] = field(default_factory=list)

    def __call__(self) -> None:
        start = time.perf_counter()
        learner = self.make().fit(self.X, self.y)
        middle = time.perf_counter()
        learner.predict_proba(self.X_test)
        self.seconds.append((middle - start, time.perf_counter() - middle))

    def parts(self) -> tuple[float, float]:
        """Median seconds of fit and of predict_proba, without the warm-up."""
        fits, forecasts = zip(*self.seconds[-RUNS:], strict=True)
        return statistics.median(fits), statistics.median(forecasts)

    def note(self) -> str:
        return "fit {:.4f} + predict {:.4f}".format(*self.parts())


def lines() -> Iterator[Line]:
    for name in SHAPES:
        table = _halves(name, *load_or_make_up(name))
        yield from _measure(table)


def _measure(table: Halves) -> Iterator[Line]:
    trials = _trials(table)
    for who, trial in list(trials.items()):
        try:
            trial()
        except (ValueError, MemoryError) as error:
            say(f"{table.name}: {who} skipped: {error}")
            del trials[who]
    seconds, ratios = rounds(trials)
    for who, trial in trials.items():
        yield Line(table.name, who, seconds[who], ratios[who], note=trial.note())
    yardstick = seconds["scikit-learn CategoricalNB"]
    for who, trial in _slow(table).items():
        trial()
        trial.seconds.clear()  # that was the warm-up
        trial()
        total = sum(trial.parts())
        yield Line(table.name, who, total, total / yardstick, note=f"{trial.note()}, ONCE")
    yield from _pgmpy(table, yardstick)


def _trials(table: Halves) -> dict[str, Trial]:
    """Those that take five rounds, the yardstick first."""
    frames = {who: Trial(make, table.X[0], table.y, table.X[1]) for who, make in OURS.items()}
    coded: dict[str, Callable[[], Any]] = {
        "scikit-learn CategoricalNB": lambda: CategoricalNB(min_categories=table.arities),
        "ours, NB of codes": lambda: NaiveBayesClassifier(arities=table.arities),
        "ours, TAN of codes": lambda: TANClassifier(arities=table.arities),
        "ours, AODE of codes": lambda: AODEClassifier(arities=table.arities),
    }
    numeric: dict[str, Callable[[], Any]] = {
        "scikit-learn GaussianNB": GaussianNB,
        "scikit-learn DecisionTree": lambda: DecisionTreeClassifier(random_state=0),
    }
    return (
        {who: _of_codes(table, make) for who, make in coded.items()}
        | frames
        | {who: _of_numbers(table, make) for who, make in numeric.items()}
    )


def _slow(table: Halves) -> dict[str, Trial]:
    """Those that would make the rounds long."""
    from skbn import AnDE

    def regression() -> Any:
        return make_pipeline(OneHotEncoder(handle_unknown="ignore"), LogisticRegression())

    return {
        **{who: Trial(make, table.X[0], table.y, table.X[1]) for who, make in OURS_SLOW.items()},
        "scikit-bayes AnDE n=1": _of_codes(table, lambda: AnDE(n_dependence=1)),
        "OneHot + LogisticRegression": _of_codes(table, regression),
        "HistGradientBoosting": _of_numbers(table, lambda: HistGradientBoostingClassifier(random_state=0)),
    }


def _of_codes(table: Halves, make: Callable[[], Any]) -> Trial:
    return Trial(make, table.codes[0], table.y.cat.codes.to_numpy().astype(np.int64), table.codes[1])


def _of_numbers(table: Halves, make: Callable[[], Any]) -> Trial:
    return Trial(make, table.numbers[0], table.y.cat.codes.to_numpy(), table.numbers[1])


def _pgmpy(table: Halves, yardstick: float) -> Iterator[Line]:
    from benchmarks.pgmpy_network import Network

    codes, test = table.codes[0][:PGMPY_FIT], table.codes[1][:PGMPY_FORECAST]
    scales = len(table.codes[0]) / len(codes), len(table.codes[1]) / len(test)
    parts = f"{len(codes)} rows to fit x {scales[0]:.1f}, {len(test)} to forecast x {scales[1]:.1f}"
    note = f"SCALED, ONCE: {parts}"
    for who, tan in (("pgmpy NB", False), ("pgmpy TAN", True)):
        trial = Trial(lambda tan=tan: Network(table.arities, tan), codes, table.y.iloc[:PGMPY_FIT], test)
        try:
            trial()
        except Exception as error:  # a peer's failure is reported and does not stop the rest
            say(f"{table.name}: {who} failed: {type(error).__name__}: {error}")
            continue
        total = sum(part * scale for part, scale in zip(trial.parts(), scales, strict=True))
        yield Line(table.name, who, total, total / yardstick, note=note)


def load_or_make_up(name: str) -> tuple[pd.DataFrame, pd.Series, str]:
    """Return a data set of `SHAPES`, its classes, and a prefix of its name."""
    try:
        X, y = load_dataset(name, data=SHARED if SHARED.is_dir() else None)
    except WorkbenchError:
        say(f"{name} was found nowhere (set WORKBENCH_DATA): a made-up data set of its shape instead.")
        return *_made_up(*SHAPES[name]), "MADE UP like "
    return X, y, ""


def _made_up(n_rows: int, n_numeric: int, n_nominal: int, n_classes: int) -> tuple[pd.DataFrame, pd.Series]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, n_rows)
    numeric = {f"x{j}": (y * (j + 1) % 7 + 2 * rng.normal(size=n_rows)).round() for j in range(n_numeric)}
    nominal = {
        f"z{j}": pd.Categorical.from_codes((y * (j + 1) + rng.integers(0, 6, n_rows)) % 8, range(8))
        for j in range(n_nominal)
    }
    return pd.DataFrame(numeric | nominal), pd.Series(pd.Categorical.from_codes(y, range(n_classes)))


def _halves(name: str, X: pd.DataFrame, y: pd.Series, label: str) -> Halves:
    order = np.random.default_rng(0).permutation(len(X))
    half = len(X) // 2
    train, test = order[:half], order[half:]
    y_codes = y.cat.codes.to_numpy().astype(np.int64)[train]
    codes, numbers, arities = [], [], []
    for column in X:
        values = X[column]
        if isinstance(values.dtype, pd.CategoricalDtype):
            arity = len(values.cat.categories)
            coded = values.cat.codes.to_numpy().astype(np.int64)
            coded[coded < 0] = arity
            numbers.append(coded)
        else:
            cuts = mdlp_cut_points(values.to_numpy()[train], y_codes, len(y.cat.categories))
            arity = len(cuts) + 1
            coded = interval_codes(values, cuts).astype(np.int64)
            numbers.append(values.to_numpy())
        codes.append(coded)
        arities.append(arity + bool((coded == arity).any()))
    C, N = np.column_stack(codes), np.column_stack(numbers)
    return Halves(
        label + name,
        (X.iloc[train], X.iloc[test]),
        (C[train], C[test]),
        (N[train], N[test]),
        y.iloc[train],
        np.array(arities),
    )
