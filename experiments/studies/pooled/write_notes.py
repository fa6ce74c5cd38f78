"""Write the tables and figures of this study: the pooled classifier against its rivals.

Run from the root of the repository, after `run_learners.py`, `run_ablations.py` and `run_curves.py`:

    python -m experiments.studies.pooled.write_notes --to experiments/studies/pooled/notes.md \
        --figures docs/figures

A table's score is the mean of its two halves. Without --to the tables are printed.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator
from numpy.typing import ArrayLike
from scipy.stats import ttest_1samp

from experiments.studies.pooled.load_tables import CAP, HERE, listed
from workbench.comparisons import holm
from workbench.report import notes

CHOSEN, BASE = "pooled", "forest_calibrated"  # the learner in question, and whose seconds are 1
FIRST = ["catboost_stopped", "forest_calibrated"]  # the rivals of the first question
DRAWS, EQUAL, SEED = 10_000, 0.002, 2026
FIGURE, SHARES = "pooled_seconds.png", (0.05, 0.1, 0.2, 0.5, 1, 2)  # of a calibrated forest's seconds
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
PARTIAL = "ebm"  # the learner that was not run on every table
#: Tables whose kind of source, but not whose rows, another table has; and signs by four people.
RELATED = ["NMES1988", "recid", "flchain", "transplant", "movement_libras"]
ABLATIONS = {
    "as it comes": ("pooled", "pooled"),
    "without networks": ("without bn_ensemble", "pooled"),
    "without boosting": ("without boosting", "pooled"),
    "without the forest": ("without random_forest", "pooled"),
    "without logistic regression": ("without logistic", "pooled"),
    "without a race": ("racing off", "pooled"),
    "equal weights, without a race": ("equal weights", "racing off"),
    "weights of sum 1, without a race": ("without temperature", "racing off"),
    "logistic regression and networks alone": ("logistic and networks", "pooled"),
    "three forests alone": ("forests alone", "pooled"),
    "with CatBoost": ("with CatBoost", "pooled"),
    "CatBoost alone, five models": ("CatBoost alone", "pooled"),
    "the same, against one model": ("CatBoost alone", "catboost_stopped"),
}


def read(name: str, parts: tuple[str, ...] = ("table", "learner")) -> pd.DataFrame:
    """Return the scores of a file, the mean of both halves, by table and learner."""
    scores = pd.read_csv(HERE / "scores" / f"{name}.csv")
    return scores.drop(columns=["half", "failed"]).groupby(list(parts)).mean()


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
    mean, half = float(np.mean(np.asarray(values))), notes.half_width(values)
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
        "learner", "mean rank", "behind, bits", "by drawing tables", "p, Holm", "pooled better / worse",
        "accuracy lost", "calibration error", "fit", "forecast", "MiB",
    ]  # fmt: skip
    return notes.table(head, rows, words=1)


def groups(scores: pd.DataFrame, parts: pd.DataFrame) -> str:
    """Compare losses by size, classes, kinds of columns and missing values."""
    loss = scores["log_loss"].unstack()
    rivals = [*FIRST, "bn_ensemble"]
    rows = []
    for name, own in grouped(loss, parts):
        rows.append([name, len(own), *(with_interval(own[rival] - own[CHOSEN]) for rival in rivals)])
    return notes.table(["tables", "number", *[TITLES[name] for name in rivals]], rows, words=1)


def other_measures(scores: pd.DataFrame, parts: pd.DataFrame) -> str:
    """Compare accuracy, calibration and seconds by the same groups."""
    accuracy, error = scores["accuracy"].unstack(), scores["ece"].unstack()
    seconds = np.log(scores["fit_seconds"].unstack())
    rows = []
    for name, own in grouped(accuracy, parts):
        at, shown = own.index, [CHOSEN, *FIRST]
        rows.append(
            [
                name,
                *(notes.number((own[CHOSEN] - own[rival]).mean()) for rival in FIRST),
                *(notes.number(error.loc[at, learner].mean()) for learner in shown),
                *(
                    notes.number(np.exp((seconds.loc[at, learner] - seconds.loc[at, BASE]).mean()), 2)
                    for learner in (CHOSEN, FIRST[0])
                ),
            ]
        )
    head = [
        "tables", "accuracy lost: CatBoost", "forest", "calibration error: pooled", "CatBoost", "forest",
        "fit, forest = 1: pooled", "CatBoost",
    ]  # fmt: skip
    return notes.table(head, rows, words=1)


def grouped(values: pd.DataFrame, parts: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the name and the tables of each group of two tables or more."""
    for part in parts:
        for value, own in values.groupby(parts[part].reindex(values.index), observed=True):
            if len(own) > 1:
                yield f"{part}: {value}", own


def otherwise(scores: pd.DataFrame, development: pd.DataFrame) -> str:
    """Answer the first question in other ways."""
    loss = scores["log_loss"].unstack()
    gaps = {name: (loss[name] - loss[CHOSEN]).sort_values() for name in FIRST}
    earlier = development["log_loss"].unstack()
    rows = [
        ["as above", *(with_interval(gap) for gap in gaps.values())],
        ["median", *(notes.number(gap.median()) for gap in gaps.values())],
        ["mean without the three largest leads", *(with_interval(gap[:-3]) for gap in gaps.values())],
        [
            "mean without the tables of related sources",
            *(with_interval(gap.drop(RELATED)) for gap in gaps.values()),
        ],
        [
            "mean of the development tables",
            *(with_interval(earlier[name] - earlier[CHOSEN]) for name in FIRST),
        ],
    ]
    return notes.table(
        ["bits behind the pooled classifier", *(TITLES[name] for name in FIRST)], rows, words=1
    )


def by_table(scores: pd.DataFrame) -> str:
    """List losses and seconds of each table."""
    loss, seconds = scores["log_loss"].unstack(), scores["fit_seconds"].unstack()
    tables = listed("judging").set_index("table")[["rows", "columns", "classes"]]
    rows = [
        [
            table,
            *own,
            notes.number(loss.loc[table, CHOSEN]),
            *(notes.number(loss.loc[table, name] - loss.loc[table, CHOSEN]) for name in FIRST),
            *(notes.number(seconds.loc[table, name], 2) for name in (CHOSEN, *FIRST)),
        ]
        for table, *own in tables.sort_values("rows", key=lambda own: own.astype(int)).itertuples()
    ]
    head = [
        "table", "rows", "columns", "classes", "pooled, bits", "CatBoost behind", "forest behind",
        "seconds of fit: pooled", "CatBoost", "forest",
    ]  # fmt: skip
    return notes.table(head, rows, words=1)


def curves() -> str:
    """Compare by the number of rows to train on."""
    loss = read("curves", ("n", "table", "learner"))["log_loss"].unstack()
    rows = []
    for n, own in loss.groupby(level="n"):
        rivals = [name for name in TITLES if name in own and name != CHOSEN]
        gaps = (with_interval(own[name] - own[CHOSEN]) for name in rivals)
        rows.append([f"{n:,}", len(own), notes.number(own[CHOSEN].mean()), *gaps])
    head = ["rows to train on", "tables", "pooled, bits", *(TITLES[name] for name in rivals)]
    return notes.table(head, rows, words=1)


def partial(which: str) -> str:
    """Compare with the learner that has not all halves, on those that it has."""
    scores = pd.read_csv(HERE / "scores" / f"{which}_scores.csv").set_index(["table", "half", "learner"])
    done = scores.loc[(slice(None), slice(None), PARTIAL), "fit_seconds"].dropna().index.droplevel("learner")
    loss = scores["log_loss"].unstack().loc[done].groupby("table").mean()
    seconds = np.log(scores["fit_seconds"].unstack().loc[done])
    rows = []
    for name in (PARTIAL, CHOSEN, *FIRST):
        behind = with_interval(loss[name] - loss[CHOSEN]) if name != CHOSEN else "-"
        ratio = np.exp((seconds[name] - seconds[BASE]).mean())
        rows.append([TITLES[name], behind, notes.number(ratio, 1)])
    table = notes.table(["learner", "behind, bits", "fit, forest = 1"], rows, words=1)
    return f"**On the {len(loss)} tables that EBM finished**\n\n{table}"


def ablations(scores: pd.DataFrame) -> str:
    """Compare pools without a part."""
    both = pd.concat([scores, read("ablations")])
    loss, seconds = both["log_loss"].unstack(), both["fit_seconds"].unstack()
    rows = []
    for title, (name, base) in ABLATIONS.items():
        more = (loss[name] - loss[base]).dropna()
        compared = ["-"] * 3
        if name != base:
            worse = f"{(more > EQUAL).sum()} / {(more < -EQUAL).sum()}"
            compared = [TITLES.get(base, "the one without a race"), with_interval(more, 4), worse]
        ratio = np.exp(np.log(seconds[name] / seconds[CHOSEN]).mean())
        rows.append([title, len(more), *compared, notes.number(ratio, 2)])
    head = ["pool", "tables", "compared with", "more loss, bits", "tables worse / better", "fit, pooled = 1"]
    return notes.table(head, rows)


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
    scores = pd.read_csv(HERE / "scores" / f"{which}_scores.csv", keep_default_na=False)
    failed = scores[scores["failed"] != ""]
    rows = failed[["table", "half", "learner", "failed"]].to_numpy().tolist()
    return notes.table(["table", "half", "learner", "why"], rows)


def draw(scores: pd.DataFrame) -> Figure:
    """Draw what each rival loses to the pool, against the seconds of its fits."""
    loss, seconds = scores["log_loss"].unstack(), scores["fit_seconds"].unstack()
    ratio = np.exp(np.log(seconds.div(seconds[BASE], axis=0)).mean())
    figure = Figure(figsize=(7.6, 4.6), layout="constrained")
    ax = figure.subplots()
    places = []
    for name in loss:
        gap = (loss[name] - loss[CHOSEN]).to_numpy()
        half = 0.0 if name == CHOSEN else notes.half_width(gap)
        color = notes.SERIES[0] if name in (CHOSEN, "bn_ensemble") else notes.GREY
        ax.errorbar(ratio[name], gap.mean(), half, fmt="o", color=color, capsize=3)
        places.append((ratio[name], gap.mean()))
    ax.axhline(0.0, color=notes.GREY, lw=0.8, zorder=0)
    ax.set_xscale("log")
    ax.set_xticks(SHARES, [f"{share:g}" for share in SHARES])
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_xlim(SHARES[0] * 0.6, SHARES[-1] * 1.1)
    ax.set_xlabel("seconds of a fit, calibrated forest = 1")
    ax.set_ylabel("log loss beyond the pooled classifier's, bits")
    ax.set_title(f"{len(loss)} tables, up to {CAP:,} training rows; means with 95% intervals")
    notes.write_names(ax, places, [TITLES[name] for name in loss], size=8)
    return figure


def sections() -> Iterator[str]:
    """Yield the tables with their captions."""
    every, earlier, parts = read("judging_scores"), read("development_scores"), facts("judging")
    scores = every.drop(PARTIAL, level="learner")
    yield f"## On the {len(parts)} judging tables\n\n{means(scores)}"
    yield f"**The first question in other ways**\n\n{otherwise(scores, earlier)}"
    yield f"**By kind of table**, bits behind the pooled classifier\n\n{groups(scores, parts)}"
    yield f"**Other measures by kind of table**\n\n{other_measures(scores, parts)}"
    yield f"**Table by table**\n\n{by_table(scores)}"
    yield f"**By rows to train on**, tables of more than {CAP:,} rows; bits behind\n\n{curves()}"
    yield f"**Where it is farthest behind the best**\n\n{worst(scores)}"
    yield partial("judging")
    yield f"**What failed**\n\n{failures('judging')}"
    yield f"## On the development tables\n\n{means(earlier)}"
    yield f"**Pools without a part**\n\n{ablations(earlier)}"


def main() -> None:
    """Write, or print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--to", type=Path)
    parser.add_argument("--figures", type=Path, help="folder of the figure")
    given = parser.parse_args()
    text = "\n\n".join(sections())
    if given.to:
        notes.write_section(given.to, text)
    else:
        print(text)
    if given.figures:
        with notes.figure_style():
            notes.save_figure(
                draw(read("judging_scores").drop(PARTIAL, level="learner")), given.figures / FIGURE
            )


if __name__ == "__main__":
    main()
