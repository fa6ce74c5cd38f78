"""Write the tables and the figures of this study: one learner against its rivals on real tables.

Run from the root of the repository, after the studies:

    python experiments/studies/real_tables/write_notes.py real_tables.db real_tables_large.db \
        real_tables_tuned.db real_tables_tuned_large.db \
        --curves real_tables_curves.db real_tables_development_curves.db \
        --ablations real_tables_development_ablations.db --truths real_tables_truths.db \
        --to experiments/studies/real_tables/notes.md --figures docs/figures

Two learners are compared on the halves that both have, so that the tuned ones, which have fewer, meet the
same training and test rows as the others. A group of related tables, as in `split.py`, counts once: its score
is the mean of its tables. Without --to the tables are printed.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray
from split import GROUPS  # beside this file

from workbench import load
from workbench.comparisons import bayesian_signed_rank, corrected_t, friedman, holm, paired_differences
from workbench.report import notes

CUTOFF, YARDSTICK = "2002", "forest"
CELL = ["source", "replicate", "fold"]
GROUP_OF = {name: group[0] for group in GROUPS for name in group}
DRAWS, LEVEL = 10_000, 0.95
#: Tables that judge of which log losses of naive Bayes, TAN and AODE were known from an earlier study.
KNOWN = ("balance-scale", "breast-cancer", "bupa", "echocardiogram", "iris")
#: Tables that judge and have a relative of other rows on the side of development.
RELATED = ("breast-cancer", "credit-a", "new-thyroid")
#: Learners that lose more are in the tables only.
FARTHEST_DRAWN = 0.3
FIGURES = ("real_tables_seconds.png", "real_tables_gains.png", "real_tables_curves.png")
#: What learners are called in figures.
TITLES = {
    "nb": "naive Bayes", "tan": "TAN", "aode": "AODE", "a2de": "A2DE", "kdb": "KDB", "mml_tree": "MML tree",
    "c50": "C5.0", "c50_boosted": "C5.0, boosted", "selective_kdb": "selective KDB",
    "bn_ensemble": "our ensemble", "forest": "random forest", "forest_leaf_2": "random forest, leaves of 2",
    "extra_trees": "extra trees", "boosting": "boosting", "boosting_stopped": "boosting, stopped early",
    "logistic": "logistic regression", "categorical_nb": "CategoricalNB", "gaussian_nb": "GaussianNB",
    "scikit_bayes_aode": "AODE of scikit-bayes", "forest_calibrated": "random forest, calibrated",
    "extra_trees_calibrated": "extra trees, calibrated", "forest_tuned": "random forest, tuned",
    "categorical_nb_calibrated": "CategoricalNB, calibrated",
    "gaussian_nb_calibrated": "GaussianNB, calibrated", "extra_trees_tuned": "extra trees, tuned",
    "boosting_tuned": "boosting, tuned", "logistic_tuned": "logistic regression, tuned",
}  # fmt: skip


@dataclass(frozen=True)
class Measure:
    """A metric of the stores, and how it is shown; `rope` is a difference that does not matter."""

    metric: str
    title: str
    higher: bool
    rope: float


MEASURES = (
    Measure("log_loss", "log loss, bits", False, 0.01),
    Measure("ir_b", "IR_B, bits", True, 0.01),
    Measure("quadratic_loss", "Brier score", False, 0.005),
    Measure("accuracy", "accuracy", True, 0.005),
    Measure("expected_calibration_error", "expected calibration error", False, 0.005),
)


def read(stores: Sequence[Path]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the scores after the cut-off, and the cells, of several stores; a cell is a half of a table."""
    scores, cells = [], []
    for store in stores:
        results = load(store)
        frame = results.frame()
        scores.append(frame[(frame["cutoff"] == CUTOFF) & (frame["rows"] == "test")])
        cells.append(results.cells())
    text = ["source", "learner"]
    frame = pd.concat([one.astype(dict.fromkeys(text, "str")) for one in scores], ignore_index=True)
    whole = pd.concat([one.astype(dict.fromkeys(text, "str")) for one in cells], ignore_index=True)
    done = whole[whole["state"] == "done"]
    if (done.groupby([*CELL, "n_train"])["test_digest"].nunique() > 1).any():
        raise ValueError("the stores have other test rows for the same half: they have not the same seed")
    return frame, whole


def wide(frame: pd.DataFrame, measure: Measure) -> pd.DataFrame:
    """Return a row for each half and a column for each learner."""
    own = frame[frame["metric"] == measure.metric]
    return own.pivot_table(index=CELL, columns="learner", values="value", sort=False)


def by_table(halves: pd.DataFrame) -> pd.DataFrame:
    """Return the means of tables."""
    return halves.groupby("source", sort=True).mean()


def by_group(tables: pd.DataFrame | pd.Series) -> pd.DataFrame | pd.Series:
    """Return the means of groups of related tables."""
    return tables.groupby([GROUP_OF[name] for name in tables.index]).mean()


def gains(halves: pd.DataFrame, measure: Measure, chosen: str, rival: str) -> pd.Series:
    """Return by how much the chosen learner is better on each half that both have."""
    sign = 1 if measure.higher else -1
    return (sign * (halves[chosen] - halves[rival])).dropna()


def group_gains(halves: pd.DataFrame, measure: Measure, chosen: str, rival: str) -> pd.Series:
    """Return the mean gain of each group of tables."""
    return by_group(by_table(gains(halves, measure, chosen, rival).to_frame())[0])


def bootstrap(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the 95% interval of a mean, by drawing groups again."""
    rng = np.random.default_rng(0)
    means = values[rng.integers(0, len(values), (DRAWS, len(values)))].mean(axis=1)
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def signed(value: float, digits: int = 3) -> str:
    """Write a number with its sign, a true minus and no negative zero."""
    return notes.number(value, digits, signed=True) if np.isfinite(value) else "?"


def plain(value: float, digits: int = 3) -> str:
    """Write a number without a plus."""
    return signed(value, digits).lstrip("+")


def table_means(halves: pd.DataFrame, measure: Measure) -> str:
    """Return the mean of each table and learner; the best in bold, and in the last row that of groups."""
    tables = by_table(halves)
    order = by_group(tables).mean().sort_values(ascending=not measure.higher).index
    rows = []
    for name, own in tables[order].iterrows():
        best = own.max() if measure.higher else own.min()
        rows.append([name, *[f"**{plain(v)}**" if v == best else plain(v) for v in own]])
    rows.append(["mean of groups", *[plain(v) for v in by_group(tables)[order].mean()]])
    return notes.table(["table", *order], rows, words=1)


def won(halves: pd.DataFrame, measure: Measure, chosen: str, rivals: Sequence[str]) -> dict[str, list[int]]:
    """Count the tables where the chosen one is significantly better and worse, corrected t with Holm's."""
    counts = {rival: [0, 0] for rival in rivals}
    for _, own in halves.groupby("source"):
        found = {}
        for rival in rivals:
            difference = gains(own, measure, chosen, rival)
            if len(difference) > 1:
                test = corrected_t(difference, test_share=1.0)
                if np.isfinite(test.p):
                    found[rival] = (test.p, test.mean)
        adjusted = holm([p for p, _ in found.values()]) if found else []
        for (rival, (_, mean)), p in zip(found.items(), adjusted, strict=True):
            if p <= 1 - LEVEL:
                counts[rival][0 if mean > 0 else 1] += 1
    return counts


def against(halves: pd.DataFrame, measure: Measure, chosen: str) -> str:
    """Return the chosen learner's mean gain over each rival, its interval, tests and ranks."""
    rivals = [key for key in halves if key != chosen]
    own = {rival: group_gains(halves, measure, chosen, rival) for rival in rivals}
    p_t = [
        paired_differences(
            np.stack([one, np.zeros(len(one))], axis=1)[:, :, None], learners=["a", "b"], settings=[0]
        ).rows[0].p
        for one in own.values()
    ]  # fmt: skip
    whole = by_group(by_table(halves.dropna())).dropna()
    ranks = friedman(whole, learners=list(whole), direction="higher" if measure.higher else "lower")
    rank = dict(zip(ranks.learners, ranks.ranks, strict=True))
    p_rank = {
        pair.other if pair.learner == chosen else pair.learner: pair.p
        for pair in ranks.pairs
        if chosen in (pair.learner, pair.other)
    }
    p_rank = dict(zip(p_rank, holm(list(p_rank.values())), strict=True))
    counts, rows = won(halves, measure, chosen, rivals), []
    for rival, p in zip(rivals, holm(p_t), strict=True):
        low, high = bootstrap(own[rival].to_numpy())
        belief = bayesian_signed_rank(own[rival], rope=measure.rope)
        better, worse = counts[rival]
        ahead = f"{(own[rival] > 0).sum()} of {len(own[rival])}"
        gain = f"{signed(own[rival].mean())} ({signed(low)} to {signed(high)})"
        rows.append(
            [
                rival, plain(rank[rival], 2), gain, signed(own[rival].median()), f"{p:.3f}",
                f"{p_rank[rival]:.3f}", f"{belief.p_better:.2f}", f"{belief.p_equal:.2f}", ahead,
                f"{better} / {worse}",
            ]
        )  # fmt: skip
    rows.sort(key=lambda row: float(row[1]))
    rows.insert(0, [f"**{chosen}**", plain(rank[chosen], 2), *[""] * 8])
    head = ["rival", "mean rank", "mean gain", "median", "p", "p of ranks", "P(better)"]
    return notes.table([*head, "P(equal)", "groups ahead", "tables better / worse"], rows, words=1)


def settings_of(tables: pd.DataFrame) -> dict[str, pd.Index]:
    """Return the tables of each setting that a headline should survive."""
    size = tables["rows"]
    return {
        "all tables": tables.index,
        "at most 500 rows": tables.index[size <= 500],
        "501 to 3,000 rows": tables.index[(size > 500) & (size <= 3000)],
        "more than 3,000 rows": tables.index[size > 3000],
        "without iris": tables.index.difference(["iris"]),
        "without tables on which older learners' losses were known": tables.index.difference(KNOWN),
        "without relatives of development tables": tables.index.difference(RELATED),
    }


def sensitivity(
    halves: pd.DataFrame, cells: pd.DataFrame, measure: Measure, chosen: str, rivals: Sequence[str]
) -> str:
    """Return the mean gain over some rivals in other settings, and with any one group left out."""
    rows_of = cells.assign(rows=cells["n_train"] + cells["n_test"]).groupby("source")[["rows"]].max()
    rows = []
    for name, there in settings_of(rows_of).items():
        own = halves[halves.index.get_level_values("source").isin(there)]
        if len(own):
            row = [name, f"{len({GROUP_OF[table] for table in there})}"]
            for rival in rivals:
                found = group_gains(own, measure, chosen, rival).to_numpy()
                low, high = bootstrap(found) if len(found) > 1 else (np.nan, np.nan)
                row.append(f"{signed(found.mean())} ({signed(low)} to {signed(high)})" if len(found) else "?")
            rows.append(row)
    least = ["any one group left out, least and most gain", ""]
    for rival in rivals:
        found = group_gains(halves, measure, chosen, rival)
        without = [found.drop(group).mean() for group in found.index]
        least.append(f"{signed(min(without))} to {signed(max(without))}")
    return notes.table(["tables", "groups", *rivals], [*rows, least], words=1)


def seconds(cells: pd.DataFrame) -> pd.DataFrame:
    """Return the seconds of fit and forecast, and their ratios to the forest's on the same halves."""
    done = cells[cells["state"] == "done"].set_index([*CELL, "learner"])
    took = done[["fit_seconds", "predict_seconds"]].clip(lower=1e-5)
    yardstick = took.xs(YARDSTICK, level="learner")
    found = {}
    for learner, own in took.groupby("learner"):
        here = own.droplevel("learner")
        ratio = np.log(here / yardstick).dropna().groupby("source").mean().mean()
        means = here.groupby("source").mean()
        found[learner] = {
            "fit": means["fit_seconds"].mean(), "forecast": means["predict_seconds"].mean(),
            "fit_ratio": np.exp(ratio["fit_seconds"]), "forecast_ratio": np.exp(ratio["predict_seconds"]),
            "most": means.sum(axis=1).max(),
        }  # fmt: skip
    return pd.DataFrame(found).T


def seconds_table(took: pd.DataFrame) -> str:
    """Return the seconds as Markdown, the quickest first."""
    rows = [
        [
            str(key), plain(row.fit, 2), plain(row.forecast, 2), f"{row.fit_ratio:.3g}",
            f"{row.forecast_ratio:.3g}", plain(row.most, 1),
        ]
        for key, row in took.sort_values("fit_ratio").iterrows()
    ]  # fmt: skip
    head = ["learner", "fit, s", "forecast, s", "fit / forest", "forecast / forest", "slowest table, s"]
    return notes.table(head, rows, words=1)


def held_back(halves: pd.DataFrame, measure: Measure, chosen: str) -> str:
    """Return the tables by how far the best rival is ahead on the halves that both have, with its error."""
    tables, rows = by_table(halves), []
    for name, own in tables.iterrows():
        here = halves.loc[[name]]
        gained = {str(key): gains(here, measure, chosen, str(key)) for key in own.drop(chosen).dropna().index}
        best = min(gained, key=lambda key: gained[key].mean())
        both = here[[chosen, best]].dropna().mean()
        difference = gained[best]
        error = np.sqrt(1 / len(difference) + 1) * difference.std() if len(difference) > 1 else np.nan
        ahead = sum(one.mean() < 0 for one in gained.values())
        rows.append((difference.mean(), str(name), best, both[chosen], both[best], error, ahead + 1))
    head = ["table", "place", chosen, "best rival", "its score", "gain over it", "standard error"]
    shown = [
        [name, place, plain(score), best, plain(other), signed(gain), plain(error)]
        for gain, name, best, score, other, error, place in sorted(rows)
    ]
    return notes.table(head, shown, words=1)


def failures(cells: pd.DataFrame) -> str:
    """Name what was not computed."""
    bad = cells[cells["state"] != "done"]
    if bad.empty:
        return f"All {len(cells)} cells were computed."
    counted = bad.groupby(["learner", "source", "state"]).size()
    said = [f"{learner} on {source}: {n} {state}" for (learner, source, state), n in counted.items()]
    return f"{len(bad)} of {len(cells)} cells are missing: {', '.join(said)}."


def best_rivals(halves: pd.DataFrame, measure: Measure, chosen: str, n: int = 4) -> list[str]:
    """Return the rivals with the best means."""
    means = by_group(by_table(halves)).mean().drop(chosen)
    return list(means.sort_values(ascending=not measure.higher).index[:n])


def draw_seconds(halves: pd.DataFrame, took: pd.DataFrame, measure: Measure, chosen: str) -> Figure:
    """Draw what each learner loses to the chosen one, with intervals, against the seconds of its fits."""
    figure = Figure(figsize=(8.6, 5.0), layout="constrained")
    ax = figure.subplots()
    lost = {str(key): _lost(halves, measure, chosen, str(key)) for key in halves if key != chosen}
    lost = {chosen: (0.0, 0.0, 0.0), **{key: own for key, own in lost.items() if own[0] <= FARTHEST_DRAWN}}
    seconds_of = took["fit_ratio"]
    for key, (y, low, high) in lost.items():
        color = notes.SERIES[1] if key == chosen else notes.SERIES[0] if "tuned" in key else notes.GREY
        error = [[y - low], [high - y]]
        ax.errorbar(seconds_of[key], y, error, marker="o", color=color, markersize=5, linewidth=0.7)
    ax.axhline(0.0, color=notes.SERIES[1], linewidth=0.8)
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter("{x:g}")
    ax.margins(x=0.1)
    ax.set_ylim(bottom=-0.03)
    ax.set_xlabel("seconds of fit, ratio to the random forest's; blue: tuned, seconds of the search included")
    n_groups = len({GROUP_OF[name] for name in halves.index.unique("source")})
    ax.set_ylabel(
        f"{measure.title}, more than {TITLES[chosen]}:\nmean of {n_groups} groups of tables, 95% interval"
    )
    points = [(float(seconds_of[key]), own[0]) for key, own in lost.items()]
    notes.write_names(ax, points, [TITLES.get(key, key) for key in lost], size=7)
    return figure


def _lost(halves: pd.DataFrame, measure: Measure, chosen: str, rival: str) -> tuple[float, float, float]:
    """Return what a rival loses to the chosen learner, and the interval."""
    lost = group_gains(halves, measure, chosen, rival).to_numpy()
    return float(lost.mean()), *bootstrap(lost)


def draw_gains(halves: pd.DataFrame, measure: Measure, chosen: str) -> Figure:
    """Draw by table the gain over the best rivals."""
    figure = Figure(figsize=(7.6, 5.6), layout="constrained")
    ax = figure.subplots()
    rivals = best_rivals(halves, measure, chosen)
    found = pd.DataFrame({one: by_table(gains(halves, measure, chosen, one).to_frame())[0] for one in rivals})
    found = found.loc[found.mean(axis=1).sort_values().index]
    drawn = notes.looks(rivals)
    artists = [
        ax.plot(
            found[one], np.arange(len(found)), label=TITLES.get(one, one), linestyle="", markersize=4.5,
            color=drawn[one].color, marker=drawn[one].marker,
        )[0]
        for one in rivals
    ]  # fmt: skip
    ax.axvline(0, color="#333333", linewidth=0.8)
    ax.set_yticks(np.arange(len(found)), found.index, fontsize=7)
    ax.set_xlabel(f"gain of {TITLES[chosen]} over the rival in {measure.title}")
    notes.legend_below_all(figure, artists)
    return figure


def curve_means(frame: pd.DataFrame, measure: Measure) -> pd.DataFrame:
    """Return the mean of each table and size, by learner."""
    own = frame[frame["metric"] == measure.metric]
    return own.pivot_table(index=["source", "n_train"], columns="learner", values="value", sort=True)


def curve_table(means: pd.DataFrame) -> str:
    """Return the curves as Markdown."""
    order = means.mean().sort_values().index
    rows = [[*place, *[plain(v) for v in own]] for place, own in means[order].iterrows()]
    return notes.table(["table", "rows", *order], rows, words=1)


def draw_curves(means: pd.DataFrame, measure: Measure, chosen: str) -> Figure:
    """Draw the curves of the chosen learner and of the best others."""
    sources = means.index.unique("source")
    figure = Figure(figsize=(3.2 * len(sources), 4.2), layout="constrained")
    shown = [chosen, *means.drop(columns=chosen).mean().sort_values().index[:5]]
    drawn = notes.looks(shown)
    axes = np.atleast_1d(figure.subplots(1, len(sources)))
    for ax, source in zip(axes, sources, strict=True):
        own = means.loc[source]
        artists = [
            ax.plot(
                own.index, own[key], color=drawn[key].color, marker=drawn[key].marker, markersize=4,
                linestyle=drawn[key].line, label=TITLES.get(key, key),
            )[0]
            for key in shown
        ]  # fmt: skip
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter("{x:g}")
        ax.set_title(source)
        ax.set_xlabel("training rows")
    axes[0].set_ylabel(measure.title)
    notes.legend_below_all(figure, artists)
    return figure


def sections(frame: pd.DataFrame, cells: pd.DataFrame, chosen: str) -> Iterator[str]:
    """Yield the tables."""
    halves = {measure: wide(frame, measure) for measure in MEASURES}
    first, n_groups = MEASURES[0], len({GROUP_OF[name] for name in frame["source"].unique()})
    yield failures(cells)
    yield f"### Means: {first.title}\n\n" + table_means(halves[first], first)
    yield "Tuned learners have fewer halves. Gains and ranks are on the same halves."
    for measure, own in halves.items():
        title = f"### {chosen} against each rival: {measure.title}, {n_groups} groups of tables"
        yield f"{title}\n\n{against(own, measure, chosen)}"
    rivals = best_rivals(halves[first], first, chosen)
    yield "### Gain over the best rivals in other settings: log loss, bits\n\n" + sensitivity(
        halves[first], cells, first, chosen, rivals
    )
    yield "### Seconds on one core\n\n" + seconds_table(seconds(cells))
    yield f"### Tables that hold {chosen} back: {first.title}\n\n" + held_back(halves[first], first, chosen)


def ablations(halves: pd.DataFrame, measure: Measure, chosen: str) -> str:
    """Return what each variant loses to the chosen learner, by groups of development tables."""
    groups, rows = by_group(by_table(halves.dropna())), []
    sign = -1 if measure.higher else 1
    for key in groups.mean().sort_values(ascending=not measure.higher).index:
        lost = (sign * (groups[key] - groups[chosen])).to_numpy()
        low, high = bootstrap(lost)
        worse = f"{(lost > 0).sum()} of {len(lost)}"
        own = [f"{signed(lost.mean())} ({signed(low)} to {signed(high)})", worse]
        if key == chosen:
            rows.append([f"**{key}**", plain(groups[key].mean()), "", ""])
        else:
            rows.append([str(key), plain(groups[key].mean()), *own])
    return notes.table(["variant", measure.title, "lost", "groups worse"], rows, words=1)


def lost_on_truths(store: Path) -> Iterator[str]:
    """Yield for each kind of truth what learners lose to the best possible forecasts, by training rows."""
    summary = load(store).regret(f"{MEASURES[0].metric}///{CUTOFF}")
    for kind, own in summary.groupby("source", sort=False, observed=True):
        cells = {
            (row.learner, row.n_train): f"{plain(row.regret)} ({plain(row.low)} to {plain(row.high)})"
            for row in own.itertuples()
        }
        sizes = sorted(own["n_train"].unique())
        order = own.groupby("learner", observed=True)["regret"].mean().sort_values().index
        rows = [[str(key), *[cells[key, size] for size in sizes]] for key in order]
        shown = notes.table(["learner", *[f"{size:,} rows" for size in sizes]], rows, words=1)
        yield f"### Bits lost to the best possible forecasts: {kind}, {own['n'].max():.0f} truths\n\n{shown}"


def main() -> None:
    """Read the stores; write tables and figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("stores", type=Path, nargs="+")
    parser.add_argument(
        "--curves", type=Path, nargs="+", help="stores of curves.toml, and of development_curves.toml"
    )
    parser.add_argument("--ablations", type=Path, nargs="+", help="stores of development_ablations.toml")
    parser.add_argument("--truths", type=Path, help="the store of truths.toml")
    parser.add_argument("--chosen", default="bn_ensemble")
    parser.add_argument("--to", type=Path)
    parser.add_argument("--figures", type=Path, help="folder of the figures")
    given = parser.parse_args()
    frame, cells = read(given.stores)
    if given.chosen not in set(frame["learner"]):
        parser.error(
            f"--chosen {given.chosen} is not in the stores: name one of {sorted(set(frame.learner))}"
        )
    found = list(sections(frame, cells, given.chosen))
    curves = curve_means(read(given.curves)[0], MEASURES[0]) if given.curves else None
    if curves is not None:
        found.append(f"### Learning curves: {MEASURES[0].title}\n\n{curve_table(curves)}")
    if given.ablations:
        own = wide(read(given.ablations)[0], MEASURES[0])
        title = f"### {given.chosen} without its parts, on development tables: {MEASURES[0].title}"
        found.append(f"{title}\n\n{ablations(own, MEASURES[0], given.chosen)}")
    if given.truths:
        found.extend(lost_on_truths(given.truths))
    text = "\n\n".join(found)
    if given.to:
        notes.write_section(given.to, text, stays=["Means:"])
    else:
        print(text)
    if given.figures:
        with notes.figure_style():
            halves = wide(frame, MEASURES[0])
            drawn: Mapping[str, Figure] = {
                FIGURES[0]: draw_seconds(halves, seconds(cells), MEASURES[0], given.chosen),
                FIGURES[1]: draw_gains(halves, MEASURES[0], given.chosen),
            }
            if curves is not None:
                drawn = {**drawn, FIGURES[2]: draw_curves(curves, MEASURES[0], given.chosen)}
            for name, figure in drawn.items():
                notes.save_figure(figure, given.figures / name)


if __name__ == "__main__":
    main()
