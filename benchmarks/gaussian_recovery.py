"""Recovery of random linear networks: `python -m benchmarks.gaussian_recovery [PAGE.md] [FIGURE.png]`.

Structural Hamming distance between the patterns of the learned and the true network, the log-density of rows
drawn later, and seconds, for ours, pgmpy's hill climbing with the Gaussian BIC, and the GES and PC of
causal-learn, on the same rows. Then the same rows in other units.
"""

import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from matplotlib.figure import Figure
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from benchmarks.report import hand_out
from generators import GaussianNetwork, random_gaussian_dag
from generators.networks.patterns import Pattern, completed_pattern
from learners import learn_network, learn_parameters
from workbench.report import notes

REPLICATES, HELD_OUT, JOBS = 10, 2000, 2
SIZES = (100, 500, 5000)
NODES = (8, 20, 50)
EFFECTS: dict[str, Any] = {"normal": "normal", "strong": (0.5, 2.0), "stronger": (2.0, 10.0)}
#: Truths of so many nodes on which pgmpy runs, as a fit with 50 takes minutes.
FEWER = {20: 5, 50: 3}
BIT = np.log(2)

Parents = tuple[tuple[int, ...], ...]


def ours(X: pd.DataFrame, prior: str = "unit") -> Pattern[int]:
    learned = learn_network(X, local_model="gaussian", coefficient_prior=prior, random_state=0)
    return completed_pattern(learned.network.parent_indices)


def pgmpy_hill_climb(X: pd.DataFrame) -> Pattern[int]:
    from pgmpy.causal_discovery import HillClimbSearch

    found = HillClimbSearch(scoring_method="bic-g", return_type="dag", show_progress=False).fit(X)
    place = {name: v for v, name in enumerate(X)}
    parents: list[list[int]] = [[] for _ in place]
    for u, v in found.causal_graph_.edges():
        parents[place[v]].append(place[u])
    return completed_pattern(parents)


def causal_learn_ges(X: pd.DataFrame) -> Pattern[int]:
    from causallearn.search.ScoreBased.GES import ges

    return pattern_of(ges(X.to_numpy(), score_func="local_score_BIC")["G"].graph)


def causal_learn_pc(X: pd.DataFrame) -> Pattern[int]:
    from causallearn.search.ConstraintBased.PC import pc

    return pattern_of(pc(X.to_numpy(), 0.05, "fisherz", show_progress=False).G.graph)


LEARNERS: dict[str, Callable[[pd.DataFrame], Pattern[int]]] = {
    "ours": ours,
    "ours, prior of the papers": lambda X: ours(X, "noise"),
    "pgmpy, hill climbing": pgmpy_hill_climb,
    "causal-learn, GES": causal_learn_ges,
    "causal-learn, PC": causal_learn_pc,
}


def pattern_of(ends: NDArray[np.int64]) -> Pattern[int]:
    """Read causal-learn's matrix: -1 at [u, v] and 1 at [v, u] is u -> v; PC may also point both ways."""
    n = len(ends)
    directed = {(u, v) for u in range(n) for v in range(n) if ends[u, v] == -1 and ends[v, u] == 1}
    both = {(u, v) for u in range(n) for v in range(u) if ends[u, v] == ends[v, u] == 1}
    undirected = {(v, u) for u in range(n) for v in range(u) if ends[u, v] == ends[v, u] == -1}
    return Pattern(frozenset(directed | both | {(v, u) for u, v in both}), frozenset(undirected))


def distance(one: Pattern[int], other: Pattern[int]) -> int:
    """Count the pairs that are joined in one only, or not in the same way."""

    def ways(pattern: Pattern[int]) -> dict[frozenset[int], frozenset[tuple[int, int]]]:
        found: dict[frozenset[int], frozenset[tuple[int, int]]] = {}
        for u, v in pattern.undirected:
            found[frozenset((u, v))] = frozenset(((u, v), (v, u)))
        for u, v in pattern.directed:
            pair = frozenset((u, v))
            found[pair] = found.get(pair, frozenset()) | {(u, v), (-1, -1)}
        return found

    a, b = ways(one), ways(other)
    return sum(a.get(pair) != b.get(pair) for pair in a.keys() | b.keys())


def extension(pattern: Pattern[int], n: int) -> Parents | None:
    """Return a graph with these arcs and no other colliders, or None if there is none.

    Dor and Tarsi (1992): again and again a node is taken that can be last.
    """
    into = {v: {u for u, w in pattern.directed if w == v} for v in range(n)}
    near: dict[int, set[int]] = {v: set() for v in range(n)}
    for u, v in pattern.undirected:
        near[u].add(v)
        near[v].add(u)
    parents: list[tuple[int, ...]] = [()] * n
    left = set(range(n))
    while left:
        for v in sorted(left):
            joined = (into[v] | near[v]) & left
            is_sink = not any(v in into[w] for w in left)
            fits = all(
                joined - {u} <= into[u] | near[u] | {w for w in left if u in into[w]} for u in near[v] & left
            )
            if is_sink and fits:
                parents[v] = tuple(sorted(joined))
                left.remove(v)
                break
        else:
            return None
    return tuple(parents)


def truth(n_nodes: int, effects: str, replicate: int) -> GaussianNetwork:
    return random_gaussian_dag(n_nodes=n_nodes, effects=EFFECTS[effects], random_state=replicate)


def settings() -> list[tuple[int, str]]:
    several = {8: tuple(EFFECTS), 20: ("normal", "strong"), 50: ("normal",)}
    return [(n, effects) for n in NODES for effects in several[n]]


def measure() -> pd.DataFrame:
    names = ["nodes", "effects", "rows", "replicate", "learner", "shd", "bits", "seconds"]
    kinds = [(n, effects, n_rows) for n, effects in settings() for n_rows in SIZES]
    keys = [(*kind, replicate) for kind in reversed(kinds) for replicate in range(REPLICATES)]
    found = Parallel(n_jobs=JOBS, verbose=1)(delayed(on_one_thread)(*key) for key in keys)
    rows = [(*key, *one) for key, own in zip(keys, found, strict=True) for one in own]
    frame = pd.DataFrame(rows, columns=names)
    order = {kind: place for place, kind in enumerate(kinds)}
    place = [order[kind] for kind in zip(frame["nodes"], frame["effects"], frame["rows"], strict=True)]
    return frame.iloc[np.argsort(place, kind="stable")].reset_index(drop=True)


def on_one_thread(*key: Any) -> list[tuple[str, float, float, float]]:
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return fits(*key)


def fits(n_nodes: int, effects: str, n_rows: int, replicate: int) -> list[tuple[str, float, float, float]]:
    true = truth(n_nodes, effects, replicate)
    X = true.sample_table(n_rows, random_state=1000 + replicate)
    later = true.sample_table(HELD_OUT, random_state=2000 + replicate)
    best, pattern = true.log_joint(later).mean(), completed_pattern(true.parent_indices)
    results = []
    for name, learn in LEARNERS.items():
        if name.startswith("pgmpy") and replicate >= FEWER.get(n_nodes, REPLICATES):
            continue
        start = time.process_time()
        found = learn(X)
        seconds = time.process_time() - start
        graph = extension(found, n_nodes)
        bits = np.nan
        if graph is not None:  # the same estimates for all, so that the graphs alone differ
            fitted = learn_parameters(X, graph, local_model="gaussian")
            bits = float(best - fitted.log_joint(later).mean()) / BIT
        results.append((name, distance(found, pattern), bits, seconds))
    return results


def same_in_other_units() -> dict[str, int]:
    """Count the truths of 8 variables, 500 rows, on which other units change nothing."""
    same = dict.fromkeys(LEARNERS, 0)
    for replicate in range(REPLICATES):
        X = truth(8, "normal", replicate).sample_table(500, random_state=1000 + replicate)
        factors = 10.0 ** np.random.default_rng(replicate).uniform(-3, 3, 8)
        for name, learn in LEARNERS.items():
            same[name] += learn(X) == learn(X * factors)
    return same


def interval(values: NDArray[np.float64]) -> str:
    return notes.interval(values, 2 if notes.half_width(values) >= 0.005 else 3)


def less_ours(frame: pd.DataFrame, own: pd.DataFrame, name: str) -> NDArray[np.float64]:
    """Return what a learner has more than ours on the same rows."""
    keys = ["nodes", "effects", "rows", "replicate"]
    ours_too = frame[frame["learner"] == "ours"].set_index(keys)[name]
    theirs = own.set_index(keys)[name].dropna()
    return (theirs - ours_too.reindex(theirs.index)).to_numpy(float)


def signed(values: NDArray[np.float64]) -> str:
    return f"{'+' if values.mean() > 0 else ''}{interval(values)}"


def page(frame: pd.DataFrame, same: dict[str, int]) -> str:
    question = (
        "**Question.** How well do searches recover random linear Gaussian networks, and how well do the "
        "learned networks predict rows, compared with other packages?"
    )
    design = (
        f"**Design.** There are {REPLICATES} networks of each kind from `random_gaussian_dag`, with at most "
        "3 parents. Variables are standardized, so variances do not reveal the order. Effects relative to "
        'the noise are normal, or have a random sign and size 0.5 to 2 ("strong") or 2 to 10 ("stronger"). '
        "All learners have the same rows:"
    )
    learners = [
        (
            '- Ours: `learn_network(local_model="gaussian")` with defaults, exact up to 16 variables and '
            'fast beyond. The "prior of the papers" is `coefficient_prior="noise"`'
        ),
        (
            f"- pgmpy: hill climbing with the Gaussian BIC. With 20 and 50 variables it runs on {FEWER[20]} "
            f"and {FEWER[50]} networks, because a fit takes minutes"
        ),
        "- causal-learn: GES with BIC, and PC with Fisher's z at 0.05, with defaults",
    ]
    measures = (
        "SHD is the structural Hamming distance between the patterns. *Excess bits* are the log loss per "
        f"row minus that of the truth, on {HELD_OUT:,} test rows. For this, all graphs have the same "
        "estimates of coefficients. Patterns without a consistent graph are left out. The table shows means "
        "and 95% intervals over the networks, and paired differences from ours. Seconds are the median "
        "processor time on one thread. `python -m benchmarks.gaussian_recovery "
        "docs/reference/gaussian_recovery.md docs/figures/gaussian_recovery.png` writes this page."
    )
    found = []
    for (n, effects, rows, learner), own in by_setting(frame):
        cells = [n, effects, f"{rows:,}", learner]
        for name in ("shd", "bits"):
            values, more = own[name].dropna().to_numpy(float), less_ours(frame, own, name)
            cells.append(interval(values) if len(values) > 1 else "")
            cells.append(signed(more) if learner != "ours" and len(more) > 1 else "")
        found.append([*cells, f"{own['seconds'].median():.2f}"])
    heads = ["variables", "effects", "rows", "learner", "SHD", "minus ours", "excess bits", "minus ours"]
    parts = ["# Recovery of random linear networks", question, design, "\n".join(learners), measures]
    parts += [answer(frame, same), notes.table([*heads, "seconds"], found)]
    parts += ["![Structural distance and excess bits by rows](../figures/gaussian_recovery.png)\n"]
    return "\n\n".join(parts)


def by_setting(frame: pd.DataFrame) -> Any:
    return frame.groupby(["nodes", "effects", "rows", "learner"], sort=False)


def answer(frame: pd.DataFrame, same: dict[str, int]) -> str:
    """Compare the others with ours over all settings, and report what other units change."""
    rows = []
    for learner in LEARNERS:
        own = frame[frame["learner"] == learner]
        more = [interval(less_ours(frame, own, name)) for name in ("shd", "bits")]
        rows.append([learner, *(("", "") if learner == "ours" else more), f"{same[learner]} of {REPLICATES}"])
    fewer = []
    for (n, effects, n_rows, learner), own in by_setting(frame):
        shd = less_ours(frame, own, "shd")
        if learner != "ours" and shd.mean() < -notes.half_width(shd):
            fewer.append(f"{learner} with {n} variables, {effects} effects, {n_rows:,} rows")
    others = " and ".join(fewer) or "none"
    lead = "**Answer.** Over all settings, the learners differ from ours as follows:"
    head = ["learner", "SHD minus ours", "excess bits minus ours", "unchanged in other units"]
    units = (
        "The last column counts the networks whose pattern does not change when every variable is "
        "multiplied by a random factor from 0.001 to 1000."
    )
    below = f"Settings where the SHD of another learner is below ours by more than the interval: {others}."
    return "\n\n".join([lead, notes.table(head, rows), f"{units} {below}"])


def draw(frame: pd.DataFrame, place: Path) -> None:
    colors = dict(zip(LEARNERS, ("#009E73", "#56B4E9", "#D55E00", "#0072B2", "#CC79A7"), strict=True))
    marks = dict(zip(LEARNERS, "oP^sD", strict=True))
    kinds = settings()
    with notes.figure_style({"text.parse_math": True}):
        figure = Figure(figsize=(14, 5.4), layout="constrained")
        grid = figure.subplots(2, len(kinds), sharex=True)
        for column, (n, effects) in zip(grid.T, kinds, strict=True):
            for ax, name in zip(column, ("shd", "bits"), strict=True):
                for i, learner in enumerate(LEARNERS):
                    own = frame[
                        (frame["nodes"] == n) & (frame["effects"] == effects) & (frame["learner"] == learner)
                    ]
                    by_rows = own.dropna().groupby("rows")[name]
                    at = np.arange(len(by_rows)) + 0.1 * (i - 2)
                    ax.errorbar(
                        at, by_rows.mean(), by_rows.apply(notes.half_width), fmt=marks[learner],
                        color=colors[learner], capsize=2, label=learner,
                    )  # fmt: skip
            column[0].set_title(f"{n} variables, {effects} effects", fontsize=9)
            column[1].set_yscale("log")
            column[1].set(xlabel="rows", xticks=range(len(SIZES)), xticklabels=[f"{s:,}" for s in SIZES])
        grid[0, 0].set_ylabel("structural distance")
        grid[1, 0].set_ylabel("bits a row beyond the truth")
        figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=5)
        notes.save_figure(figure, place)


def main() -> None:
    X = truth(8, "normal", 0).sample_table(100, random_state=0)
    for learn in LEARNERS.values():
        learn(X)  # compile, import
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = measure()
        same = same_in_other_units()
    hand_out(page(frame, same), lambda place: draw(frame, place))


if __name__ == "__main__":
    main()
