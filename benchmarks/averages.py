"""Averages over structures: seconds by the number of columns, and what missing values cost."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.naive_bayes import CategoricalNB

from benchmarks.million import VALUES, made_up
from benchmarks.report import Line, once, rounds
from learners import AveragedAssumptionsClassifier, AveragedTANClassifier

ROWS, FORECAST = 500, 1000
COLUMNS = (7, 11, 13, 15, 30, 200)
SLOW = (13, 200)  # of these, measured once
HOLED_COLUMNS, HOLED_ROWS, SHARES = 30, 300, (0.0, 0.05, 0.15)
NETWORK_COLUMNS, NETWORK_ROWS = 13, 20
PEER = "scikit-learn CategoricalNB"


def lines() -> Iterator[Line]:
    for n_columns in COLUMNS:
        yield from by_columns(n_columns)
    yield from with_holes()


def by_columns(n_columns: int) -> Iterator[Line]:
    """Time the average over assumptions; networks are part of it up to 13 columns."""
    X, y = made_up(ROWS + FORECAST, n_columns)
    average = AveragedAssumptionsClassifier(arities=[VALUES] * n_columns)
    works = {
        PEER: categorical_nb(X, y),
        "fit": lambda: average.fit(X[:ROWS], y[:ROWS]),
        "predict": lambda: average.predict_proba(X[ROWS:]),
    }
    is_slow = n_columns in SLOW
    seconds, ratios = rounds(works, runs=1) if is_slow else rounds(works)
    work, without = f"{ROWS} x {n_columns}", "; ".join(average.left_out_)
    yield Line(work, PEER, seconds[PEER], 1.0, note=f"fit + predict {FORECAST} rows")
    what = f"without {without}" if without else "with networks"
    for part, more in (("fit", ""), ("predict", f", {FORECAST} rows")):
        who = f"ours, averaged assumptions, {part}"
        yield Line(work, who, seconds[part], ratios[part], note=what + more + ", ONCE" * is_slow)


def with_holes() -> Iterator[Line]:
    """Time forecasts of rows of which a share of the values is missing."""
    X, y = made_up(ROWS + FORECAST, HOLED_COLUMNS)
    tan = AveragedTANClassifier(arities=[VALUES] * HOLED_COLUMNS).fit(X[:ROWS], y[:ROWS])
    asked = {share: holed(X[ROWS:][:HOLED_ROWS], share) for share in SHARES}
    works = {PEER: categorical_nb(X, y)}
    works |= {f"{share}": lambda rows=rows: tan.predict_proba(rows) for share, rows in asked.items()}
    seconds, ratios = rounds(works)
    for share in SHARES:
        note = f"{HOLED_ROWS} rows, {share:.0%} of the values missing"
        who = "ours, averaged TAN, predict"
        yield Line(f"{ROWS} x {HOLED_COLUMNS}", who, seconds[f"{share}"], ratios[f"{share}"], note=note)
    X, y = made_up(ROWS + FORECAST, NETWORK_COLUMNS)
    average = AveragedAssumptionsClassifier(arities=[VALUES] * NETWORK_COLUMNS).fit(X[:ROWS], y[:ROWS])
    rows = holed(X[ROWS:][:NETWORK_ROWS], SHARES[-1])
    taken, peer = once(lambda: average.predict_proba(rows)), once(categorical_nb(X, y))
    note = f"{NETWORK_ROWS} rows, {SHARES[-1]:.0%} of the values missing, ONCE"
    who = "ours, averaged assumptions, predict"
    yield Line(f"{ROWS} x {NETWORK_COLUMNS}", who, taken, taken / peer, note=note)


def categorical_nb(X: np.ndarray, y: np.ndarray) -> Callable[[], Any]:
    peer = CategoricalNB(min_categories=np.full(X.shape[1], VALUES))
    return lambda: peer.fit(X[:ROWS], y[:ROWS]).predict_proba(X[ROWS:])


def holed(X: np.ndarray, share: float) -> np.ndarray:
    return np.where(np.random.default_rng(0).random(X.shape) < share, -1, X.astype(np.int64))
