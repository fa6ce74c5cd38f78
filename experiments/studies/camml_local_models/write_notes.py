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
from workbench.comparisons import holm
from workbench.report.renderers.markdown import between_markers

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


def half_width(values: pd.Series) -> float:
    """95%, Student's t."""
    return float(stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))


def starred(gaps: list[pd.Series]) -> list[str]:
    """Return means with intervals, marked where Holm's rule over all of them finds a difference."""
    p = [stats.ttest_1samp(gap, 0.0).pvalue if gap.std() > 0 else 1.0 for gap in gaps]
    stars = [" *" if one < 0.05 else "" for one in holm(np.nan_to_num(p, nan=1.0))]
    return [f"{gap.mean():+.4f} ± {half_width(gap):.4f}{star}" for gap, star in zip(gaps, stars, strict=True)]


def simulation(frame: pd.DataFrame, metric: str) -> list[str]:
    """Return what each local model has less tables, by kind of truth and size."""
    sizes = sorted(frame["n_train"].unique())
    own = frame[frame["metric"] == metric]
    wide = own.pivot_table(
        index=["source", "n_train", "replicate"], columns="learner", values="value", observed=True
    )
    keys = [(kind, model) for kind in KINDS for model in MODELS]
    columns = [starred([(wide[model] - wide[BASE]).loc[kind, n] for kind, model in keys]) for n in sizes]
    lines = [f"| truths | local model | {' | '.join(f'{n} rows' for n in sizes)} |", "|" + " --- |" * 5]
    for (kind, model), cells in zip(keys, zip(*columns, strict=True), strict=True):
        lines.append(f"| {KINDS[kind]} | {model} | {' | '.join(cells)} |")
    return lines


def means(frame: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return the mean of each learner on each data set that all of them have finished, over all folds."""
    own = frame[frame["metric"] == metric]
    folds = own.pivot_table(
        index=["source", "replicate", "fold"], columns="learner", values="value", observed=True
    )
    return folds.dropna().groupby("source", observed=True).mean()


def over_data_sets(frame: pd.DataFrame) -> list[str]:
    """Return mean differences to tables over data sets, and on how many each is ahead."""
    lines = ["| score | local model | less tables, mean over data sets | better, equal, worse | sign test |"]
    lines.append("|" + " --- |" * 5)
    for metric, what in REAL.items():
        found = means(frame, metric)
        gaps = [found[model] - found[BASE] for model in MODELS]
        for model, gap, cell in zip(MODELS, gaps, starred(gaps), strict=True):
            better = gap < 0 if metric == "log_loss" else gap > 0
            equal = gap.abs() < 5e-5
            ahead, behind = int((better & ~equal).sum()), int((~better & ~equal).sum())
            p = stats.binomtest(ahead, ahead + behind).pvalue if ahead + behind else 1.0
            lines.append(f"| {what} | {model} | {cell} | {ahead}, {int(equal.sum())}, {behind} | {p:.3f} |")
    return lines


def by_rows(frame: pd.DataFrame) -> list[str]:
    """Return mean differences of the log loss to tables over data sets of similar size."""
    loss = means(frame, "log_loss")
    rows = frame.groupby("source", observed=True)["n_train"].min().reindex(loss.index)
    group = pd.cut(rows, [0, *BOUNDS, np.inf], right=False).cat.codes
    names = [
        f"below {BOUNDS[0]}",
        *(f"{a} to {b - 1}" for a, b in pairwise(BOUNDS)),
        f"{BOUNDS[-1]} and more",
    ]
    lines = ["| training rows | data sets | trees less tables | auto less tables | auto better |"]
    lines.append("|" + " --- |" * 5)
    for code, name in enumerate(names):
        own = loss[group == code]
        gaps = [own[model] - own[BASE] for model in MODELS]
        cells = [f"{gap.mean():+.4f} ± {half_width(gap):.4f}" for gap in gaps]
        lines.append(f"| {name} | {len(own)} | {' | '.join(cells)} | {int((gaps[1] < -5e-5).sum())} |")
    return lines


def by_data_set(frame: pd.DataFrame, cells: pd.DataFrame) -> list[str]:
    """Return the log loss on each data set, differences to tables, and seconds."""
    loss = means(frame, "log_loss")
    seconds = cells.groupby(["source", "learner"], observed=True)["fit_seconds"].median().unstack()
    rows = frame.groupby("source", observed=True)["n_train"].min()
    head = ["data set", "rows", "naive Bayes", "AODE", "tables", "trees less", "auto less"]
    head += [f"{name}, s" for name in (BASE, *MODELS)]
    lines = [f"| {' | '.join(head)} |", "|" + " --- |" * len(head)]
    for source in loss.index:
        one, took = loss.loc[source], seconds.loc[source]
        shown = [f"{one[name]:.3f}" for name in ("nb", "aode", BASE)]
        shown += [f"{one[model] - one[BASE]:+.4f}" for model in MODELS]
        shown += [f"{took[name]:.3g}" for name in (BASE, *MODELS)]
        lines.append(f"| {source} | {rows[source]:,} | {' | '.join(shown)} |")
    return lines


def seconds(cells: pd.DataFrame) -> list[str]:
    """Return median and largest seconds of a fit on truths, by size."""
    sizes = sorted(cells["n_train"].unique())
    lines = [f"| local model | {' | '.join(f'{n} rows' for n in sizes)} |", "|" + " --- |" * (1 + len(sizes))]
    for model in (BASE, *MODELS):
        own = cells[cells["learner"] == model].groupby("n_train")["fit_seconds"]
        shown = [f"{own.median()[n]:.3f}, {own.max()[n]:.2f}" for n in sizes]
        lines.append(f"| {model} | {' | '.join(shown)} |")
    return lines


def generated(on_truths: Results, on_tables: list[Results]) -> str:
    """Return all tables as Markdown."""
    simulated = on_truths.frame()
    real = pd.concat([one.frame() for one in on_tables])
    cells = pd.concat([one.cells() for one in on_tables])
    n_truths, n_sets = simulated["replicate"].nunique(), len(means(real, "log_loss"))
    parts = [
        f"Less tables, with 95% intervals over {n_truths} truths of a kind, or over {n_sets} data sets; "
        "*: differs from zero by Holm's rule at 5% over a column, or over a score's rows. Exact scores on "
        "truths."
    ]
    for metric, what in SIMULATED.items():
        parts += [f"## Truths: {what}", "\n".join(simulation(simulated, metric))]
    parts += ["## Truths: seconds of a fit, median and largest", "\n".join(seconds(on_truths.cells()))]
    parts += ["## Data sets: all", "\n".join(over_data_sets(real))]
    parts += ["## Data sets: log loss by training rows, divided after the fact", "\n".join(by_rows(real))]
    parts += [
        "## Data sets: log loss, bits, and median seconds of a fit",
        "\n".join(by_data_set(real, cells)),
    ]
    return "\n\n".join(parts)


def main() -> None:
    """Rewrite the text between the markers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("simulation", type=Path)
    parser.add_argument("uci", type=Path)
    parser.add_argument("--large", type=Path, required=True, help="store of the larger data sets")
    parser.add_argument(
        "--to", type=Path, help="notes in Markdown with the generated-section markers", required=True
    )
    arguments = parser.parse_args()
    text = generated(load(arguments.simulation), [load(arguments.uci), load(arguments.large)])
    notes = arguments.to.read_text(encoding="utf-8")
    arguments.to.write_text(between_markers(notes, text), encoding="utf-8")


if __name__ == "__main__":
    main()
