"""How much of a random network comes back: `python -m benchmarks.recovery [PAGE.md] [FIGURE.png]`.

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
from scipy import stats
from threadpoolctl import threadpool_limits

from generators import Network, random_dag
from generators.patterns import structural_distance
from learners import learn_network

ROWS, REPLICATES, NODES = (100, 500, 2000, 5000), 20, 12

Parents = tuple[tuple[int, ...], ...]


def ours(X: pd.DataFrame) -> Parents:
    return learn_network(X, random_state=0).parents


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


def truth(replicate: int) -> Network:
    return random_dag(n_nodes=NODES, arity=(2, 4), max_parents=3, random_state=replicate)


def measure() -> pd.DataFrame:
    rows = []
    for n_rows in ROWS:
        for replicate in range(REPLICATES):
            true = truth(replicate)
            X = true.sample_table(n_rows, random_state=1000 + replicate)
            for name, learn in LEARNERS.items():
                start = time.perf_counter()
                parents = learn(X)
                seconds = time.perf_counter() - start
                distance = structural_distance(parents, true.parents)
                rows.append((n_rows, replicate, name, distance.shd, distance.found, distance.missed, seconds))
        print(n_rows, flush=True, file=sys.stderr)
    return pd.DataFrame(rows, columns=["rows", "replicate", "learner", "shd", "found", "missed", "seconds"])


def half_width(values: pd.Series) -> float:
    """95%, Student's t over the truths."""
    return float(stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))


def page(frame: pd.DataFrame) -> str:
    arcs = np.mean([sum(map(len, truth(r).parents)) for r in range(REPLICATES)])
    lines = [
        "# Recovery of random networks",
        "",
        f"`python -m benchmarks.recovery docs/recovery.md docs/recovery.png`: {REPLICATES} random nets of "
        f"{NODES} variables, 2 to 4 values each, at most 3 parents, {arcs:.1f} arcs a net; the same rows "
        "for all. Structural Hamming distance of the patterns, mean and 95% interval over the networks; "
        "difference to ours paired; median seconds of a fit, one thread.",
        "",
        "| rows | learner | SHD | SHD less ours | arcs found | joined pairs missed | seconds |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for (n_rows, name), own in frame.groupby(["rows", "learner"], sort=False):
        mine = frame[(frame["rows"] == n_rows) & (frame["learner"] == "ours")]["shd"].to_numpy()
        more = pd.Series(own["shd"].to_numpy() - mine)
        paired = "" if name == "ours" else f"{more.mean():+.2f} ± {half_width(more):.2f}"
        lines.append(
            f"| {n_rows} | {name} | {own['shd'].mean():.2f} ± {half_width(own['shd']):.2f} | {paired} "
            f"| {own['found'].mean():.1f} | {own['missed'].mean():.1f} | {own['seconds'].median():.3f} |"
        )
    return "\n".join([*lines, "", "![SHD against the number of rows](recovery.png)", ""])


def draw(frame: pd.DataFrame, place: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots(figsize=(5.2, 3.6), layout="constrained")
    styles = zip(
        LEARNERS, ("o-", "s--", "^:"), ("#0072B2", "#D55E00", "#009E73"), (1.0, 1.04, 0.96), strict=True
    )
    for name, style, color, shift in styles:
        own = frame[frame["learner"] == name].groupby("rows")["shd"]
        means, widths = own.mean(), own.apply(half_width)
        ax.errorbar(means.index * shift, means, widths, fmt=style, color=color, label=name, capsize=2)
    ax.set(xscale="log", xlabel="rows", ylabel="structural Hamming distance", ylim=(0, None))
    ax.set_xticks(ROWS, [str(n) for n in ROWS])
    ax.minorticks_off()
    ax.grid(alpha=0.3)
    ax.legend(frameon=False)
    figure.savefig(place, dpi=130)


def main() -> None:
    ours(truth(0).sample_table(50, random_state=0))  # compile
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = measure()
    text = page(frame)
    print(text)
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(text)
    if len(sys.argv) > 2:
        draw(frame, Path(sys.argv[2]))


if __name__ == "__main__":
    main()
