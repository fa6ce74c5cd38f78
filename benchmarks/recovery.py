"""How much of a random network comes back: `python -m benchmarks.recovery [PAGE.md] [FIGURE.png]`.

PYTHONHASHSEED=0 makes the page repeatable: pgmpy settles ties by the order of a set of strings.

Structural Hamming distance between the patterns of the learned and the true network, for ours and for pgmpy's
hill climbing with BDeu and BIC, on the same rows.
"""

import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from threadpoolctl import threadpool_limits

from benchmarks.report import hand_out
from generators import Network, random_dag
from generators.networks.patterns import structural_distance
from learners import learn_network
from workbench.report.notes import SERIES, figure_style, half_width, interval, save_figure, table

REPLICATES = 20
#: Numbers of rows by number of variables; the figure shows the first.
SETTINGS = {12: (100, 500, 2000, 5000), 24: (500, 5000)}

Parents = tuple[tuple[int, ...], ...]


def ours(X: pd.DataFrame) -> Parents:
    return learn_network(X, random_state=0).network.parent_indices


def pgmpy_hill_climb(X: pd.DataFrame, score: str) -> Parents:
    from pgmpy.causal_discovery import HillClimbSearch

    text = X.astype(str).astype("category")
    found = HillClimbSearch(scoring_method=score, return_type="dag", show_progress=False).fit(text)
    place = {name: v for v, name in enumerate(X)}
    parents: list[tuple[int, ...]] = [()] * len(place)
    for u, v in found.causal_graph_.edges():
        parents[place[v]] = (*parents[place[v]], place[u])
    return tuple(parents)


LEARNERS: dict[str, Callable[[pd.DataFrame], Parents]] = {
    "ours": ours,
    "pgmpy, BDeu": lambda X: pgmpy_hill_climb(X, "bdeu"),
    "pgmpy, BIC": lambda X: pgmpy_hill_climb(X, "bic-d"),
}


def truth(n_nodes: int, replicate: int) -> Network:
    return random_dag(n_nodes=n_nodes, arity=(2, 4), max_parents=3, random_state=replicate)


def measure() -> pd.DataFrame:
    names = ["nodes", "rows", "replicate", "learner", "shd", "found", "missed", "seconds"]
    rows = []
    for n_nodes, sizes in SETTINGS.items():
        for n_rows in sizes:
            for replicate in range(REPLICATES):
                rows += [(n_nodes, n_rows, replicate, *one) for one in fits(n_nodes, n_rows, replicate)]
            print(n_nodes, n_rows, flush=True, file=sys.stderr)
    return pd.DataFrame(rows, columns=names)


def fits(n_nodes: int, n_rows: int, replicate: int) -> list[tuple[str, int, int, int, float]]:
    true = truth(n_nodes, replicate)
    X = true.sample_table(n_rows, random_state=1000 + replicate)
    results = []
    for name, learn in LEARNERS.items():
        start = time.process_time()
        parents = learn(X)
        seconds = time.process_time() - start
        distance = structural_distance(parents, true.parent_indices)
        results.append((name, distance.shd, distance.found, distance.missed, seconds))
    return results


def page(frame: pd.DataFrame) -> str:
    arcs = {
        n: np.mean([sum(map(len, truth(n, r).parent_indices)) for r in range(REPLICATES)]) for n in SETTINGS
    }
    sizes = " and ".join(f"{n} variables ({mean:.1f} arcs on average)" for n, mean in arcs.items())
    question = "**Question.** How well do `learn_network` and hill climbing of pgmpy recover random networks?"
    design = (
        f"**Design.** {REPLICATES} random networks each of {sizes}, with 2 to 4 values and at most 3 "
        "parents. Rows of the probability tables are uniform over the simplex, as our score assumes. All "
        "learners have the same data and their defaults. Ours is `learn_network`, exact up to 16 variables "
        "and fast beyond. Results of pgmpy depend on Python's hash seed. SHD is the structural Hamming "
        "distance between the patterns, with 95% intervals over the networks and paired differences from "
        "ours. Seconds are the median processor time of a fit on one thread. `PYTHONHASHSEED=0 python -m "
        "benchmarks.recovery docs/reference/recovery.md docs/figures/recovery.png` writes this page."
    )
    leads = [
        frame[(frame["nodes"] == n_nodes) & (frame["rows"] == n_rows)].groupby("learner")["shd"].mean()
        for n_nodes, sizes in SETTINGS.items()
        for n_rows in sizes
    ]
    best = sum(shd["ours"] < shd.drop("ours").min() for shd in leads)
    answer = f"**Answer.** Ours has the smallest mean SHD in {best} of {len(leads)} settings."
    rows = []
    for (n_nodes, n_rows, name), own in frame.groupby(["nodes", "rows", "learner"], sort=False):
        same = (frame["nodes"] == n_nodes) & (frame["rows"] == n_rows) & (frame["learner"] == "ours")
        more = pd.Series(own["shd"].to_numpy() - frame[same]["shd"].to_numpy())
        cells = [interval(own["shd"], 2), "" if name == "ours" else interval(more, 2, signed=True)]
        cells += [f"{own[what].mean():.1f}" for what in ("found", "missed")]
        rows.append([n_nodes, n_rows, name, *cells, f"{own['seconds'].median():.3f}"])
    head = ["variables", "rows", "learner", "SHD", "SHD minus ours", "arcs found", "adjacencies missed"]
    figure = "![SHD against the number of rows](../figures/recovery.png)\n"
    shown = table([*head, "seconds"], rows)
    return "\n\n".join(["# Recovery of random networks", question, design, answer, shown, figure])


def draw(frame: pd.DataFrame, place: Path) -> None:
    n_nodes, sizes = next(iter(SETTINGS.items()))
    frame = frame[frame["nodes"] == n_nodes]
    with figure_style():
        figure = Figure(figsize=(5.2, 3.6), layout="constrained")
        ax = figure.subplots()
        for name, style, color, shift in zip(
            LEARNERS, ("o-", "s--", "^:"), SERIES, (1.0, 1.04, 0.96), strict=False
        ):
            own = frame[frame["learner"] == name].groupby("rows")["shd"]
            means, widths = own.mean(), own.apply(half_width)
            ax.errorbar(means.index * shift, means, widths, fmt=style, color=color, label=name, capsize=2)
        ax.set(xscale="log", xlabel="rows", ylabel=f"structural Hamming distance, {n_nodes} variables")
        ax.set_ylim(0, None)
        ax.set_xticks(sizes, [str(n) for n in sizes])
        ax.minorticks_off()
        ax.legend()
        save_figure(figure, place)


def main() -> None:
    ours(truth(12, 0).sample_table(50, random_state=0))  # compile
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = measure()
    hand_out(page(frame), lambda place: draw(frame, place))


if __name__ == "__main__":
    main()
