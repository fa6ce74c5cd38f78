"""Write the tables and the figure of this study: the pooled classifier against its rivals.

Run from the root of the repository, after `run_learners.py`:

    python -m experiments.studies.pooled.write_notes judging --to experiments/studies/pooled/protocol.md \
        --figures docs/figures

A table's score is the mean of its two halves. Without --to the tables are printed.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import ArrayLike
from scipy.stats import ttest_1samp

from experiments.studies.pooled.load_tables import CAP, HERE, listed
from workbench.comparisons import holm, mean_intervals
from workbench.report import notes

CHOSEN, BASE = "pooled", "forest_calibrated"  # the learner in question, and whose seconds are 1
FIRST = ["catboost_stopped", "forest_calibrated"]  # the rivals of the first question
DRAWS, EQUAL, SEED = 10_000, 0.002, 2026
TITLES = {
    "pooled": "pooled classifier",
    "bn_ensemble": "networks alone",
    "catboost_stopped": "CatBoost, stopped early",
    "catboost": "CatBoost, defaults",
    "lightgbm_stopped": "LightGBM, stopped early",
    "xgboost_stopped": "XGBoost, stopped early",
    "ebm": "EBM",
    "forest_calibrated": "random forest, calibrated",
    "forest": "random forest",
    "boosting_stopped": "histogram boosting, stopped early",
    "logistic_tuned": "logistic regression, tuned",
}
FIGURE = "pooled_seconds.png"


def read(which: str) -> pd.DataFrame:
    """Return the scores of a side, the mean of both halves, by table and learner."""
    scores = pd.read_csv(HERE / "tables" / f"{which}_scores.csv")
    return scores.drop(columns=["half", "failed"]).groupby(["table", "learner"]).mean()


def facts(which: str) -> pd.DataFrame:
    """Return the groups of each table."""
    found = listed(which).set_index("table")
    rows, classes = found["rows"].astype(int), found["classes"].astype(int)
    categories, columns = found["categories"].astype(int), found["columns"].astype(int)
    kinds = np.select([categories == 0, categories == columns], ["numbers", "categories"], "both")
    return pd.DataFrame(
        {
            "rows": pd.cut(rows, [0, 1_000, 5_000, np.inf], labels=["to 1,000", "to 5,000", "more"]),
            "classes": pd.cut(classes, [0, 2, 5, np.inf], labels=["2", "3 to 5", "more"]),
            "columns": kinds,
            "missing": np.where(found["missing"].astype(float) > 0, "some", "none"),
        },
        index=found.index,
    )


def with_interval(values: ArrayLike, digits: int = 3) -> str:
    """Return a mean with its 95% t interval over tables."""
    found = mean_intervals(np.asarray(values)[:, None])
    mean, half = float(np.asarray(found.mean)[0]), float(np.asarray(found.half_width)[0])
    low, high = (notes.number(end, digits) for end in (mean - half, mean + half))
    return f"{notes.number(mean, digits)} ({low} to {high})"


def by_draws(values: ArrayLike, digits: int = 3) -> str:
    """Return the 95% interval of a mean when tables are drawn again."""
    own = np.asarray(values)
    rng = np.random.default_rng(SEED)
    means = own[rng.integers(0, own.size, (DRAWS, own.size))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return f"{notes.number(low, digits)} to {notes.number(high, digits)}"


def means(scores: pd.DataFrame) -> str:
    """Compare all learners over all tables."""
    loss, accuracy = scores["log_loss"].unstack(), scores["accuracy"].unstack()
    ranks = loss.rank(axis=1).mean()
    error, seconds = scores["ece"].unstack().mean(), scores["fit_seconds"].unstack()
    forecast, memory = scores["forecast_seconds"].unstack(), scores["mebibytes"].unstack()
    rivals = [name for name in ranks.sort_values().index if name != CHOSEN]
    behind = loss[rivals].sub(loss[CHOSEN], axis=0)
    p = dict(zip(rivals, holm(ttest_1samp(behind, 0.0).pvalue), strict=True))
    rows = []
    for name in ranks.sort_values().index:
        own = loss[name] - loss[CHOSEN]
        compared = ["-"] * 5
        if name != CHOSEN:
            won = f"{(own > EQUAL).sum()} / {(own < -EQUAL).sum()}"
            lost = notes.number((accuracy[CHOSEN] - accuracy[name]).mean())
            compared = [with_interval(own), by_draws(own), f"{p[name]:.2g}", won, lost]
        costs = [
            notes.number(np.exp(np.log(part[name] / part[base]).mean()), 2)
            for part, base in ((seconds, BASE), (forecast, BASE))
        ]
        last = [notes.number(error[name]), *costs, f"{memory[name].median():.0f}"]
        rows.append([TITLES[name], notes.number(ranks[name], 2), *compared, *last])
    head = [
        "learner", "mean rank", "behind, bits", "by drawing tables", "p", "pooled better / worse",
        "accuracy lost", "calibration error", "fit", "forecast", "MiB",
    ]  # fmt: skip
    return notes.table(head, rows, words=1)


def groups(scores: pd.DataFrame, parts: pd.DataFrame) -> str:
    """Compare by size, classes, kinds of columns and missing values."""
    loss = scores["log_loss"].unstack()
    rivals = [*FIRST, "bn_ensemble"]
    rows = []
    for part in parts:
        for value, own in loss.groupby(parts[part].reindex(loss.index), observed=True):
            if len(own) > 1:
                gaps = [with_interval(own[name] - own[CHOSEN]) for name in rivals]
                rows.append([f"{part}: {value}", len(own), *gaps])
    return notes.table(["tables", "number", *[TITLES[name] for name in rivals]], rows, words=1)


def worst(scores: pd.DataFrame, number: int = 8) -> str:
    """List the tables on which the pool is farthest behind the best learner."""
    loss = scores["log_loss"].unstack()
    gap = (loss[CHOSEN] - loss.min(axis=1)).sort_values(ascending=False).head(number)
    rows = [
        [
            table,
            notes.number(loss.loc[table, CHOSEN]),
            TITLES[str(loss.loc[table].idxmin())],
            notes.number(lost),
        ]
        for table, lost in gap.items()
    ]
    return notes.table(["table", "pooled, bits", "best", "behind it, bits"], rows, words=1)


def failures(which: str) -> str:
    """List what failed."""
    scores = pd.read_csv(HERE / "tables" / f"{which}_scores.csv", keep_default_na=False)
    failed = scores[scores["failed"] != ""]
    if failed.empty:
        return "No learner failed, and none took an hour."
    rows = failed[["table", "half", "learner", "failed"]].to_numpy().tolist()
    return notes.table(["table", "half", "learner", "why"], rows)


def draw(scores: pd.DataFrame) -> Figure:
    """Draw what each rival loses to the pool, against the seconds of its fits."""
    loss, seconds = scores["log_loss"].unstack(), scores["fit_seconds"].unstack()
    ratio = np.exp(np.log(seconds.div(seconds[BASE], axis=0)).mean())
    figure = Figure(figsize=(7.6, 4.6), layout="constrained")
    ax = figure.subplots()
    for name in loss:
        gap = (loss[name] - loss[CHOSEN]).to_numpy()
        found = mean_intervals(gap[:, None])
        half = 0.0 if name == CHOSEN else float(np.asarray(found.half_width)[0])
        color = notes.SERIES[0] if name in (CHOSEN, "bn_ensemble") else notes.GREY
        ax.errorbar(ratio[name], gap.mean(), half, fmt="o", color=color, capsize=3)
        ax.annotate(TITLES[name], (ratio[name], gap.mean()), (5, 5), textcoords="offset points", color=color)
    ax.axhline(0.0, color=notes.GREY, lw=0.8)
    ax.set_xscale("log")
    ax.set_xlabel("seconds of a fit, calibrated forest = 1")
    ax.set_ylabel("log loss beyond the pooled classifier's, bits")
    ax.set_title(f"{len(loss)} tables, up to {CAP:,} training rows; means with 95% intervals")
    return figure


def sections(which: str) -> Iterator[str]:
    """Yield the tables with their captions."""
    scores = read(which)
    yield f"**All {scores.index.get_level_values(0).nunique()} tables.**\n\n{means(scores)}"
    yield f"**By kind of table**: bits behind the pooled classifier\n\n{groups(scores, facts(which))}"
    yield f"**Where it is farthest behind the best**\n\n{worst(scores)}"
    yield failures(which)


def main() -> None:
    """Write, or print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("which", choices=["development", "judging"])
    parser.add_argument("--to", type=Path)
    parser.add_argument("--figures", type=Path, help="folder of the figure")
    given = parser.parse_args()
    text = "\n\n".join(sections(given.which))
    if given.to:
        notes.write_section(given.to, text)
    else:
        print(text)
    if given.figures:
        with notes.figure_style():
            notes.save_figure(draw(read(given.which)), given.figures / FIGURE)


if __name__ == "__main__":
    main()
