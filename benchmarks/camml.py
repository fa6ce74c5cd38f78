"""Exact search for the shortest network: the simulation's 360 fits, and 16 nodes."""

from functools import cache

import numpy as np

from benchmarks.simulation import cases
from learners import CaMMLClassifier, learn_network

NODES, ROWS = 16, 5000


def fit_simulation() -> None:
    for case in cases():
        CaMMLClassifier().fit(case.X, case.y).predict_proba(case.X_test)


def fit_sixteen_nodes() -> None:
    learn_network(chain(NODES, ROWS))


@cache
def chain(n_nodes: int, n_rows: int) -> np.ndarray:
    """Codes in which each variable copies its neighbor three times out of four; arities 2, 3, 4."""
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 2, n_rows)]
    for j in range(1, n_nodes):
        arity = 2 + j % 3
        columns.append(
            np.where(rng.random(n_rows) < 0.75, columns[-1] % arity, rng.integers(0, arity, n_rows))
        )
    return np.column_stack(columns)
