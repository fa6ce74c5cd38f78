"""Tables, trees and logits as local models: `python -m benchmarks.local_models [PAGE.md] [FIGURE.png]`.

Networks are learned from rows of random networks with additive logits, or with independent
rows of a Dirichlet. Structural Hamming distance between the patterns of the learned and the true network, and
log loss per row minus that of the truth; each minus that of tables on the same rows. Then the shortest of the
three minus tables, on truths of weaker, fewer or coarser effects, and of skewed rows.
"""

import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from threadpoolctl import threadpool_limits

from benchmarks.report import hand_out
from generators import Network, random_dag
from generators.networks.patterns import structural_distance
from learners import learn_network
from workbench.report import notes

REPLICATES, HELD_OUT = 20, 2000
SIZES = (50, 500, 5000)
#: How the truths' probabilities are drawn; effects of logits have standard deviation 1.
TRUTHS = {"logit": "additive logits", "dirichlet": "independent rows"}
MODELS = ("table", "tree", "shorter", "logit", "auto")
#: Truths on which the gain should be smaller, or a loss: in what they differ from those of `logit`.
OTHERS: dict[str, dict[str, Any]] = {
    "logits, two values": {"arity": 2},
    "logits, effects of deviation 0.5": {"concentration": 4.0},  # precision
    "logits, at most two parents": {"max_parents": 2},
    "independent rows, Dirichlet of 0.3": {"rows": "dirichlet", "concentration": 0.3},
}
OTHER_SIZES = (50, 200, 500, 5000)
BIT = np.log(2)


def truth(kind: str, replicate: int) -> Network:
    differs = OTHERS.get(kind, {"rows": kind})
    law: dict[str, Any] = {"n_nodes": (6, 12), "arity": (2, 5), "max_parents": 4, "rows": "logit"}
    return random_dag(**(law | differs), random_state=replicate)


def measure(kinds: Sequence[str], sizes: Sequence[int], models: Sequence[str]) -> pd.DataFrame:
    names = ["truths", "rows", "replicate", "model", "shd", "bits", "seconds"]
    found = []
    for kind in kinds:
        for n_rows in sizes:
            for replicate in range(REPLICATES):
                found += [(kind, n_rows, replicate, *one) for one in fits(kind, n_rows, replicate, models)]
            print(kind, n_rows, flush=True, file=sys.stderr)
    return pd.DataFrame(found, columns=names)


def fits(
    kind: str, n_rows: int, replicate: int, models: Sequence[str]
) -> list[tuple[str, float, float, float]]:
    true = truth(kind, replicate)
    X = true.sample_table(n_rows, random_state=1000 + replicate)
    later = true.sample_table(HELD_OUT, random_state=2000 + replicate)
    best = true.log_joint(later).mean()
    results = []
    for model in models:
        start = time.process_time()
        learned = learn_network(X, local_model=model, random_state=0)
        seconds = time.process_time() - start
        lost = float(best - learned.network.log_joint(later).mean()) / BIT
        shd = structural_distance(learned.network.parent_indices, true.parent_indices).shd
        results.append((model, shd, lost, seconds))
    return results


def interval(values: np.ndarray) -> str:
    """Write the mean over the truths with its interval; with three decimals if that is narrow."""
    return notes.interval(values, 2 if notes.half_width(values) >= 0.005 else 3, signed=True)


def less_tables(frame: pd.DataFrame, rows: str, n_rows: int, model: str, name: str) -> np.ndarray:
    """Return the values of a model minus those of tables on the same rows, by truth."""
    same = frame[(frame["truths"] == rows) & (frame["rows"] == n_rows)]
    wide = same.pivot(index="replicate", columns="model", values=name).astype(float)
    return (wide[model] - wide["table"]).to_numpy()


def answer(frame: pd.DataFrame) -> str:
    """Compare `"auto"` and logits with tables."""
    rows = []
    for kind, model in (("logit", "auto"), ("dirichlet", "auto"), ("dirichlet", "logit")):
        for name, words in (("bits", "excess bits"), ("shd", "SHD")):
            cells = [interval(less_tables(frame, kind, n, model, name)) for n in SIZES]
            rows.append([TRUTHS[kind], f'`"{model}"`', words, *cells])
    head = ["networks", "model", "difference in", *(f"{n} rows" for n in SIZES)]
    gains = {n: less_tables(frame, "logit", n, "auto", "bits") for n in SIZES}
    better = [str(n) for n, bits in gains.items() if bits.mean() < -notes.half_width(bits)]
    lead = (
        '**Answer.** With additive logits, `"auto"` has fewer excess bits than tables at '
        f"{' and '.join(better)} rows, with intervals that exclude zero. Logits have the wrong form for "
        "independent rows. The differences from tables are:"
    )
    return f"{lead}\n\n{notes.table(head, rows)}"


def where_else(others: pd.DataFrame) -> str:
    """Return the table of `"auto"` minus tables on the other truths."""
    head = [f"{name}, {n} rows" for n in OTHER_SIZES for name in ("excess bits", "SHD")]
    rows = []
    for kind in OTHERS:
        less = [less_tables(others, kind, n, "auto", name) for n in OTHER_SIZES for name in ("bits", "shd")]
        rows.append([kind, *map(interval, less)])
    return notes.table(["networks", *head], rows)


def worse(others: pd.DataFrame) -> str:
    """Report where tables are better, beyond the interval."""
    found = []
    for kind in OTHERS:
        less = {n: less_tables(others, kind, n, "auto", "bits") for n in OTHER_SIZES}
        sizes = [str(n) for n, bits in less.items() if bits.mean() > notes.half_width(bits)]
        found += [f"{kind} ({', '.join(sizes)} rows)"] if sizes else []
    return (
        "Tables have fewer excess bits, with an interval that excludes zero, for: "
        f"{' and '.join(found) or 'none'}."
    )


def page(frame: pd.DataFrame, others: pd.DataFrame) -> str:
    question = (
        "**Question.** Which local model recovers the structure and predicts best: tables, trees, the "
        "shorter of both, logits, or the shortest of the three?"
    )
    design = (
        f"**Design.** There are {REPLICATES} random networks of each kind, with 6 to 12 variables of 2 to 5 "
        "values and at most 4 parents. All models have the same rows."
    )
    kinds = [
        (
            "- *Additive logits*: each state has a normal effect with standard deviation 1, and each parent "
            "value has one on each state"
        ),
        "- *Independent rows*: each row of a probability table is uniform over the simplex",
    ]
    measures = (
        "SHD is the structural Hamming distance between the patterns. *Excess bits* are the log loss per "
        f"row minus that of the truth, on {HELD_OUT} test rows. The table shows means and 95% intervals over "
        "the networks, and paired differences from tables. Seconds are the median and the largest processor "
        "time of a fit on one thread. Search is exact up to 16 variables with tables and up to 9 with the "
        "other models, and fast beyond. `python -m benchmarks.local_models docs/reference/local_models.md "
        "docs/figures/local_models.png` writes this page."
    )
    rows = []
    for (kind, n_rows, model), own in frame.groupby(["truths", "rows", "model"], sort=False):
        cells = []
        for name in ("shd", "bits"):
            less = less_tables(frame, kind, n_rows, model, name)
            cells.append(interval(own[name].to_numpy(float)).lstrip("+"))
            cells.append("" if model == "table" else interval(less))
        seconds = f"{own['seconds'].median():.3f}, {own['seconds'].max():.2f}"
        rows.append([TRUTHS[kind], n_rows, model, *cells, seconds])
    head = ["networks", "rows", "model", "SHD", "minus tables", "excess bits", "minus tables", "seconds"]
    parts = ["# Local models", question, design, "\n".join(kinds), measures, answer(frame)]
    parts += [notes.table(head, rows)]
    parts += ["![Excess bits and structural distance minus those of tables](../figures/local_models.png)"]
    other = (
        'The table shows `"auto"` minus tables on the same rows. The networks differ from those of the '
        "additive logits above only in what is named."
    )
    parts += ["## Weaker or fewer effects, and skewed rows", other, where_else(others), worse(others) + "\n"]
    return "\n\n".join(parts)


def draw(frame: pd.DataFrame, place: Path) -> None:
    colors = {"tree": "#0072B2", "shorter": "#56B4E9", "logit": "#D55E00", "auto": "#009E73"}
    marks = {"tree": "o", "shorter": "D", "logit": "s", "auto": "^"}
    with notes.figure_style():
        figure = Figure(figsize=(8.4, 5.6), layout="constrained")
        grid = figure.subplots(2, 2, sharex=True, sharey="row")
        wide = frame.pivot(index=["truths", "rows", "replicate"], columns="model", values=["bits", "shd"])
        for column, (rows, title) in zip(grid.T, TRUTHS.items(), strict=True):
            for ax, name in zip(column, ("bits", "shd"), strict=True):
                ax.axhline(0, color="0.6", linewidth=1)
                for i, model in enumerate(colors):
                    less = (wide[name][model] - wide[name]["table"]).loc[rows].astype(float).groupby("rows")
                    half = less.apply(notes.half_width)
                    ax.errorbar(
                        np.arange(len(SIZES)) + 0.12 * (i - 1.5), less.mean(), half, fmt=marks[model],
                        color=colors[model], capsize=2, label=model,
                    )  # fmt: skip
            column[0].set_title(f"truths: {title}")
            column[1].set(xlabel="rows", xticks=np.arange(len(SIZES)), xticklabels=[str(n) for n in SIZES])
        grid[0, 0].set_ylabel("bits a later row, less tables'")
        grid[1, 0].set_ylabel("structural distance, less tables'")
        grid[0, 0].legend(title="local model")
        notes.save_figure(figure, place)


def main() -> None:
    for model in MODELS:
        learn_network(truth("logit", 0).sample_table(50, random_state=0), local_model=model)  # compile
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = measure(tuple(TRUTHS), SIZES, MODELS)
        others = measure(tuple(OTHERS), OTHER_SIZES, ("table", "auto"))
    hand_out(page(frame, others), lambda place: draw(frame, place))


if __name__ == "__main__":
    main()
