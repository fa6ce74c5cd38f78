r"""Write into the notes what tables, trees and the shortest local model are worth to CaMML's classifier.

Run from the root of the repository, after the studies of this folder:

    python experiments/studies/camml_local_models/write_notes.py SIMULATION_STORE UCI_STORE \
        --large UCI_LARGE_STORE --to NOTES.md

It fills the generated section of the notes: paired differences to tables by kind of truth and size, and by
data set, with seconds.
"""

import argparse
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

from workbench import Results, load
from workbench.report.notes import interval, starred, table, write_section

BOUNDS = (200, 1000)  # training rows that divide the data sets; set when the scores were known
BASE, MODELS = "tables", ("trees", "auto")
KINDS = {"naive_bayes": "naive Bayes", "tan": "TAN", "aode": "AODE"}
SIMULATED = {
    "kl_divergence": "KL to the truth, bits; smaller is better",
    "ir_b": "IR_B, bits; larger is better",
}
REAL = {
    "log_loss": "log loss, bits; smaller is better",
    "ir_b": "IR_B, bits; larger is better",
    "accuracy": "accuracy; larger is better",
}


def simulation(frame: pd.DataFrame, metric: str) -> str:
    """Return what each local model has less tables, by kind of truth and size."""
    sizes = sorted(frame["n_train"].unique())
    own = frame[frame["metric"] == metric]
    wide = own.pivot_table(
        index=["source", "n_train", "replicate"], columns="learner", values="value", observed=True
    )
    keys = [(kind, model) for kind in KINDS for model in MODELS]
    columns = [starred([(wide[model] - wide[BASE]).loc[kind, n] for kind, model in keys]) for n in sizes]
    rows = [
        [KINDS[kind], model, *cells]
        for (kind, model), cells in zip(keys, zip(*columns, strict=True), strict=True)
    ]
    return table(["truths", "local model", *(f"{n} rows" for n in sizes)], rows)


def means(frame: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return the mean of each learner on each data set that all of them have finished, over all folds."""
    own = frame[frame["metric"] == metric]
    folds = own.pivot_table(
        index=["source", "replicate", "fold"], columns="learner", values="value", observed=True
    )
    return folds.dropna().groupby("source", observed=True).mean()


def over_data_sets(frame: pd.DataFrame) -> str:
    """Return mean differences to tables over data sets, and on how many each is ahead."""
    rows = []
    for metric, what in REAL.items():
        found = means(frame, metric)
        gaps = [found[model] - found[BASE] for model in MODELS]
        for model, gap, cell in zip(MODELS, gaps, starred(gaps), strict=True):
            better = gap < 0 if metric == "log_loss" else gap > 0
            equal = gap.abs() < 5e-5
            ahead, behind = int((better & ~equal).sum()), int((~better & ~equal).sum())
            p = stats.binomtest(ahead, ahead + behind).pvalue if ahead + behind else 1.0
            rows.append([what, model, cell, f"{ahead}, {equal.sum()}, {behind}", f"{p:.3f}"])
    head = ["less tables, mean over data sets", "better, equal, worse", "sign test"]
    return table(["score", "local model", *head], rows)


def by_rows(frame: pd.DataFrame) -> str:
    """Return mean differences of the log loss to tables over data sets of similar size."""
    loss = means(frame, "log_loss")
    rows = frame.groupby("source", observed=True)["n_train"].min().reindex(loss.index)
    group = pd.cut(rows, [0, *BOUNDS, np.inf], right=False).cat.codes
    names = [f"below {BOUNDS[0]}", *(f"{a} to {b - 1}" for a, b in pairwise(BOUNDS))]
    found = []
    for code, name in enumerate([*names, f"{BOUNDS[-1]} and more"]):
        own = loss[group == code]
        gaps = [own[model] - own[BASE] for model in MODELS]
        cells = [interval(gap, 4, signed=True) for gap in gaps]
        found.append([name, len(own), *cells, (gaps[1] < -5e-5).sum()])
    head = ["training rows", "data sets", "trees less tables", "auto less tables", "auto better"]
    return table(head, found)


def by_data_set(frame: pd.DataFrame, cells: pd.DataFrame) -> str:
    """Return the log loss on each data set, differences to tables, and seconds."""
    loss = means(frame, "log_loss")
    seconds = cells.groupby(["source", "learner"], observed=True)["fit_seconds"].median().unstack()
    rows = frame.groupby("source", observed=True)["n_train"].min()
    head = ["data set", "rows", "naive Bayes", "AODE", "tables", "trees less", "auto less"]
    head += [f"{name}, s" for name in (BASE, *MODELS)]
    found = []
    for source in loss.index:
        one, took = loss.loc[source], seconds.loc[source]
        shown = [f"{one[name]:.3f}" for name in ("nb", "aode", BASE)]
        shown += [f"{one[model] - one[BASE]:+.4f}" for model in MODELS]
        shown += [f"{took[name]:.3g}" for name in (BASE, *MODELS)]
        found.append([source, f"{rows[source]:,}", *shown])
    return table(head, found)


def seconds(cells: pd.DataFrame) -> str:
    """Return median and largest seconds of a fit on truths, by size."""
    sizes = sorted(cells["n_train"].unique())
    rows = []
    for model in (BASE, *MODELS):
        own = cells[cells["learner"] == model].groupby("n_train")["fit_seconds"]
        rows.append([model, *(f"{own.median()[n]:.3f}, {own.max()[n]:.2f}" for n in sizes)])
    return table(["local model", *(f"{n} rows" for n in sizes)], rows)


def generated(on_truths: Results, on_tables: list[Results]) -> str:
    """Return all tables as Markdown."""
    simulated = on_truths.frame()
    real = pd.concat([one.frame() for one in on_tables])
    cells = pd.concat([one.cells() for one in on_tables])
    n_truths, n_sets = simulated["replicate"].nunique(), len(means(real, "log_loss"))
    parts = [
        f"Less tables, with 95% intervals over {n_truths} truths of a kind, or over {n_sets} data sets. "
        "*: differs from zero by Holm's rule at 5% over a column, or over a score's rows. Exact scores on "
        "truths."
    ]
    for metric, what in SIMULATED.items():
        parts += [f"## Truths: {what}", simulation(simulated, metric)]
    parts += ["## Truths: seconds of a fit, median and largest", seconds(on_truths.cells())]
    parts += ["## Data sets: all", over_data_sets(real)]
    parts += ["## Data sets: log loss by training rows, divided after the fact", by_rows(real)]
    parts += ["## Data sets: log loss, bits, and median seconds of a fit", by_data_set(real, cells)]
    return "\n\n".join(parts)


def main() -> None:
    """Rewrite the text between the markers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("simulation", type=Path)
    parser.add_argument("uci", type=Path)
    parser.add_argument("--large", type=Path, required=True, help="store of the larger data sets")
    parser.add_argument("--to", type=Path, help="notes with the generated-section markers", required=True)
    asked = parser.parse_args()
    write_section(asked.to, generated(load(asked.simulation), [load(asked.uci), load(asked.large)]))


if __name__ == "__main__":
    main()
