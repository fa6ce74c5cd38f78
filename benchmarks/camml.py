"""Exact search for the shortest network: the simulation's 360 fits, and 16 nodes."""

import numpy as np
from rich.console import Console
from threadpoolctl import threadpool_limits

from benchmarks.report import Line, median_seconds
from benchmarks.simulation import YARDSTICK_BUDGET, cases, categorical_nb
from learners import CaMMLClassifier, learn_network

NODES, ROWS = 16, 5000


def simulation() -> None:
    for case in cases():
        CaMMLClassifier().fit(case.X, case.y).predict_proba(case.X_test)


def chain(n_nodes: int, n_rows: int) -> np.ndarray:
    """Codes in which each variable copies its neighbor three times out of four; arities 2, 3, 4."""
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 2, n_rows)]
    for j in range(1, n_nodes):
        arity = 2 + j % 3
        columns.append(np.where(rng.random(n_rows) < 0.75, columns[-1] % arity, rng.integers(0, arity, n_rows)))
    return np.column_stack(columns)


def measure() -> list[Line]:
    """Time the learner on the simulation and on one large table."""
    say = Console(stderr=True).print
    table = chain(NODES, ROWS)
    with threadpool_limits(1):
        yardstick = median_seconds(categorical_nb)
        say("CaMML: 360 cells of the simulation")
        small = median_seconds(simulation)
        say(f"CaMML: {NODES} nodes")
        large = median_seconds(lambda: learn_network(table))
    return [
        Line("simulation, CaMML exact", "ours", small, yardstick, 0.8 / YARDSTICK_BUDGET, "360 cells, up to 8 nodes"),
        Line(f"CaMML exact, {NODES} nodes, {ROWS} rows", "ours", large, yardstick, 1.3 / YARDSTICK_BUDGET, "one fit"),
    ]
