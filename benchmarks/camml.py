"""CaMML against its budgets, and how its time grows, drawn to docs/figures/camml_growth.png."""

import statistics
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from benchmarks.hill_climb import HillClimb
from benchmarks.known_networks import problem
from benchmarks.network_search import repeated
from benchmarks.report import Line, once, rounds, say
from benchmarks.simulation import cases, categorical_nb
from generators import random_dag, random_tan
from learners import CaMMLClassifier, learn_network
from learners.networks.network_table import NetworkTable
from learners.networks.search import FoundNetwork, SearchProblem, anneal, fast_search
from workbench.report.notes import SERIES, figure_style, save_figure

NODES, ROWS = 16, 5000
YARDSTICK_SECONDS = 0.9  # CategoricalNB where the budgets (in seconds) were set
FIGURE = Path(__file__).parents[1] / "docs" / "figures" / "camml_growth.png"
EXACT_NODES, FAST_NODES, AT_ROWS = (4, 6, 8, 10, 12, 14, 16), (8, 16, 32, 64, 128), 2000
MANY_ROWS, AT_NODES = (100, 1000, 10_000, 100_000), (8, 30)
LEVEL = 1e-6  # nats that count as equal
SECONDS_EACH = 4.0  # that each other search gets


def fit_simulation() -> None:
    for case in cases():
        CaMMLClassifier().fit(case.X, case.y).predict_proba(case.X_test)


def fit_sixteen_nodes() -> None:
    learn_network(chain(NODES, ROWS))


def fit_twenty_nodes() -> None:
    learn_network(chain(20, ROWS), search="exact", max_parents=6)


def fit_hundred_nodes() -> FoundNetwork:
    return fast_search(random_problem(100, ROWS), random_state=0)


def find_alarm(n_rows: int) -> FoundNetwork:
    return fast_search(problem("alarm", n_rows), random_state=0)


def average(n_nodes: int) -> None:
    X, y, asked = averaging_case(n_nodes)
    CaMMLClassifier(averaging="exact").fit(X, y).predict_proba(asked)


@cache
def averaging_case(n_nodes: int) -> tuple[object, object, object]:
    truth = random_tan(n_attributes=n_nodes - 1, arity=4, n_classes=5, random_state=0)
    X, y = truth.sample(500, random_state=1)
    return X, y, truth.sample(1000, random_state=2)[0]


@cache
def random_problem(n_nodes: int, n_rows: int) -> SearchProblem:
    truth = random_dag(n_nodes=n_nodes, arity=(2, 4), max_parents=3, random_state=1)
    table = NetworkTable.read(truth.sample_table(n_rows, random_state=1))
    return SearchProblem.of(table.codes, table.arities)


def lines() -> Iterator[Line]:
    """Yield what the rounds time, then what takes long and is done once."""
    works = {
        "CategoricalNB": categorical_nb,
        "alarm, 500 rows": lambda: find_alarm(500),
        "alarm, 5000 rows": lambda: find_alarm(5000),
        "8 nodes": lambda: average(8),
        "12 nodes": lambda: average(12),
        "20 nodes": fit_twenty_nodes,
    }
    seconds, ratios = rounds(works)
    for key, what, budget, note in (
        ("20 nodes", "exact search, 20 nodes, 6 parents", 6.0, "5000 rows"),
        ("alarm, 500 rows", "fast search, alarm, 37 nodes, 500 rows", None, best_note(500)),
        ("alarm, 5000 rows", "fast search, alarm, 37 nodes, 5000 rows", 2.0, best_note(5000)),
        ("8 nodes", "exact average, 8 nodes, 1000 rows asked", 0.1, "500 rows, 5 classes, fit included"),
        ("12 nodes", "exact average, 12 nodes, 1000 rows asked", 2.0, "500 rows, 5 classes, fit included"),
    ):
        allowed = None if budget is None else budget / YARDSTICK_SECONDS
        yield Line(what, "ours", seconds[key], ratios[key], allowed, note)
    random_problem(100, ROWS)
    hundred = once(fit_hundred_nodes)
    ratio = hundred / seconds["CategoricalNB"]
    yield Line("fast search, 100 nodes, 5000 rows", "ours", hundred, ratio, 60 / YARDSTICK_SECONDS, "ONCE")


def best_note(n_rows: int) -> str:
    """Report the length found, and what other searches find in a few seconds at its arc probability."""
    task, found = problem("alarm", n_rows), find_alarm(n_rows)
    p = found.arc_probability
    lengths = {
        "other seeds": repeated(fast_search, task, p, SECONDS_EACH),
        "tenfold work": fast_search(
            task, arc_probability=p, search_factor=10, max_seconds=SECONDS_EACH, random_state=1
        ).length,
        "annealing": repeated(anneal, task, p, SECONDS_EACH),
        "hill climb with restarts": HillClimb(task, p).run(SECONDS_EACH, restarts=10**9).length,
    }
    shortest = min(lengths, key=lambda name: lengths[name])
    best = min(found.length, lengths[shortest])
    above = f"{found.length - best:.2f} above {shortest}"
    verdict = "none shorter" if found.length <= best + LEVEL else above
    others = ", ".join(f"{name} {length - best:+.2f}" for name, length in lengths.items())
    return f"{found.length:.4f} nats, {verdict}; in {SECONDS_EACH:g} s each: {others}"


def draw() -> None:
    """Draw seconds against nodes and against rows."""
    by_nodes = {
        "exact search": [(n, timed(n, AT_ROWS, "exact")) for n in EXACT_NODES],
        "fast search": [(n, timed(n, AT_ROWS, "fast")) for n in FAST_NODES],
        "exact average, 100 rows asked": [(n, timed_average(n)) for n in EXACT_NODES if n <= 12],
    }
    few, many = AT_NODES
    by_rows = {
        f"exact search, {few} nodes": [(n, timed(few, n, "exact")) for n in MANY_ROWS],
        f"fast search, {many} nodes": [(n, timed(many, n, "fast")) for n in MANY_ROWS],
    }
    _draw(by_nodes, by_rows)
    say(f"growth drawn to {FIGURE.parent.name}/{FIGURE.name}")


def timed(n_nodes: int, n_rows: int, search: str) -> float:
    truth = random_dag(n_nodes=n_nodes, arity=(2, 4), max_parents=3, random_state=1)
    rows = truth.sample_table(n_rows, random_state=1)
    return median(lambda: learn_network(rows, search=search, random_state=0))


def timed_average(n_nodes: int) -> float:
    truth = random_tan(n_attributes=n_nodes - 1, arity=3, n_classes=3, random_state=0)
    X, y = truth.sample(AT_ROWS, random_state=1)
    return median(lambda: CaMMLClassifier(averaging="exact").fit(X, y).predict_proba(X[:100]))


def median(work: object) -> float:
    once(work)  # type: ignore[arg-type]
    return statistics.median(once(work) for _ in range(3))  # type: ignore[arg-type]


def _draw(*panels: dict[str, list[tuple[int, float]]]) -> None:
    styles = {"exact search": "o-", "fast search": "s--", "exact average": "^:"}
    colors = dict(zip(styles, SERIES, strict=False))
    with figure_style({"text.parse_math": True}):
        figure = Figure(figsize=(8.0, 3.6), layout="constrained")
        axes = figure.subplots(1, 2, sharey=True)
        for ax, curves in zip(axes, panels, strict=True):
            for name, points in curves.items():
                kind = name.split(",")[0]
                ax.plot(*zip(*points, strict=True), styles[kind], color=colors[kind], label=name)
            ax.set(xscale="log", yscale="log")
            ax.legend(fontsize="small")
        axes[0].set(xlabel="variables, the class included", ylabel="seconds")
        axes[0].set_title(f"{AT_ROWS} rows")
        axes[0].set_xticks((4, 8, 16, 32, 64, 128), ["4", "8", "16", "32", "64", "128"])
        axes[0].minorticks_off()
        axes[1].set(xlabel="rows", title="more rows")
        save_figure(figure, FIGURE, dpi=110)


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
