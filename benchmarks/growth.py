"""Growth of run time with rows and with attributes, drawn to docs/figures/growth.png."""

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from sklearn.naive_bayes import CategoricalNB

from benchmarks.million import VALUES, made_up
from benchmarks.report import say
from learners import AnDEClassifier, AODEClassifier, KDBClassifier, NaiveBayesClassifier, TANClassifier
from workbench.report.notes import figure_style, looks, save_figure

FIGURE = Path(__file__).parents[1] / "docs" / "figures" / "growth.png"
ROWS, AT_ATTRIBUTES = (1_000, 10_000, 100_000, 1_000_000), 20
ATTRIBUTES, AT_ROWS = (5, 10, 20, 40, 60), 20_000
PATIENCE = 0.4  # seconds: a learner that took longer is not tried on the next larger table
REPEATS = 3

Point = tuple[int, float, float]
LEARNERS: dict[str, Callable[[np.ndarray], Any]] = {
    "NB": lambda arities: NaiveBayesClassifier(arities=arities),
    "TAN": lambda arities: TANClassifier(arities=arities),
    "AODE": lambda arities: AODEClassifier(arities=arities),
    "KDB, k = 2": lambda arities: KDBClassifier(k=2, arities=arities),
    "AnDE, n = 2": lambda arities: AnDEClassifier(n=2, arities=arities),
}
PEERS: dict[str, Callable[[np.ndarray], Any]] = {
    "CategoricalNB (scikit-learn)": lambda arities: CategoricalNB(min_categories=arities)
}


def draw() -> None:
    X, y = made_up(max(ROWS), AT_ATTRIBUTES)
    wide, wide_y = made_up(AT_ROWS, max(ATTRIBUTES))
    by_rows = _curves({n: (X[:n], y[:n]) for n in ROWS})
    by_attributes = _curves({d: (np.ascontiguousarray(wide[:, :d]), wide_y) for d in ATTRIBUTES})
    _draw(by_rows, by_attributes)
    say(f"growth drawn to {FIGURE.parent.name}/{FIGURE.name}")


def _curves(tables: dict[int, tuple[np.ndarray, np.ndarray]]) -> dict[str, list[Point]]:
    curves: dict[str, list[Point]] = {}
    for who, make in (LEARNERS | PEERS).items():
        say(f"growth: {who}")
        curves[who] = []
        for size, (X, y) in tables.items():
            try:
                fit, forecast = _median(lambda make=make, X=X: make(np.full(X.shape[1], VALUES)), X, y)
            except ValueError as error:
                say(f"growth: {who} stops before {size}: {error}")
                break
            curves[who].append((size, fit, forecast))
            if who in LEARNERS and fit + forecast > PATIENCE and size != max(tables):
                say(f"growth: {who} stops at {size}")
                break
    return curves


def _median(make: Callable[[], Any], X: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    make().fit(X[:1000], y[:1000]).predict_proba(X[:1000])  # compile
    fits, forecasts = [], []
    for _ in range(REPEATS):
        start = time.perf_counter()
        learner = make().fit(X, y)
        middle = time.perf_counter()
        learner.predict_proba(X)
        fits.append(middle - start)
        forecasts.append(time.perf_counter() - middle)
    return statistics.median(fits), statistics.median(forecasts)


def _draw(by_rows: dict[str, list[Point]], by_attributes: dict[str, list[Point]]) -> None:
    look = looks(list(LEARNERS), list(PEERS))
    with figure_style({"text.parse_math": True}):
        figure = Figure(figsize=(8.0, 6.4), layout="constrained")
        axes = figure.subplots(2, 2, sharey="row")
        for column, curves in enumerate((by_rows, by_attributes)):
            for row, part in enumerate((1, 2)):
                for who, points in curves.items():
                    drawn = look[who]
                    style = {"color": drawn.color, "marker": drawn.marker, "linestyle": drawn.line}
                    values = [point[part] for point in points]
                    axes[row, column].plot([point[0] for point in points], values, label=who, **style)
                axes[row, column].set(xscale="log", yscale="log")
            axes[1, column].set_xlabel(("rows", "attributes")[column])
        axes[0, 0].set_title(f"more rows, {AT_ATTRIBUTES} attributes")
        axes[0, 1].set_title(f"more attributes, {AT_ROWS:,} rows")
        axes[0, 0].set_ylabel("seconds to fit")
        axes[1, 0].set_ylabel("seconds to forecast the same rows")
        for axis in axes[:, 1]:
            axis.set_xticks(ATTRIBUTES, [str(d) for d in ATTRIBUTES])
            axis.minorticks_off()
        handles, names = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=3)
        save_figure(figure, FIGURE, dpi=110)
