"""Measure whether feedback on calibration pays; run from the root of the repository.

    python experiments/studies/prequential/write_notes.py --to prequential \
        --notes experiments/studies/prequential/notes.md --figure docs/figures/prequential.png

Naive Bayes, TAN and AODE forecast row by row on generated truths, forty of each kind, and on adult where the
folder of data sets (`--data`, else WORKBENCH_DATA) has it. They go on learning, or stop after the first rows.
Their forecasts go through no map, or a histogram or a Platt map that learns from each outcome; both maps in
several settings. Writes the curves of each kind as CSV into the folder, or reads them where they are there
already; then the tables between the markers of the notes, and the figure.
"""

import argparse
import sys
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from curves import (
    CHECKED,
    CHECKED_ADULT,
    KINDS,
    LATE,
    LEARNERS,
    MAPS,
    NONE,
    ON,
    ORDERS,
    START,
    START_ADULT,
    START_LATE,
    STOPS,
    drawn,
    on_adult,
    on_truths,
)  # fmt: skip
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from scipy import stats

from workbench.base.errors import WorkbenchError
from workbench.figures.prequential import label_rows
from workbench.report import notes

#: Settings in tables: the defaults are "20 bins" with strength 10, and rate 0.1.
SHOWN = {"5 bins": "5 bins", "10 bins": "10 bins", "histogram": "20 bins, the default"} | {
    name: name
    for name in ("40 bins", "80 bins", "10 bins of 1 bit", "strength 1", "strength 100", "rate 0.03")
}
SHOWN |= {"platt": "Platt, rate 0.1, the default", "rate 0.3": "rate 0.3"}
ALL = "all"
KEYS = ["kind", "truth", "learner", "then", "map"]
#: Of the figure: the rewards shown, in bits, and the line of the truth itself.
REWARDS, TRUTH_LINE = (-0.02, 0.36), (0, (6, 1.5, 1, 1.5))


def wide(curves: pd.DataFrame, column: str) -> pd.DataFrame:
    """One row per place (kind, truth, learner, ...) and number of rows, one column each of `column`."""
    index = [key for key in (*KEYS, "rows") if key != column]
    return curves[curves["learner"] != "truth"].pivot(index=index, columns=column, values="windowed")


def gains(curves: pd.DataFrame, over: str = NONE, maps: tuple[str, ...] = MAPS) -> pd.DataFrame:
    """Return one row per place and map: its reward less that of another map, or of none."""
    scores = wide(curves, "map").dropna()
    return scores[list(maps)].sub(scores[over], axis=0).stack().rename("gain").reset_index()


def difference_table(found: pd.DataFrame, by: list[str], across: list[str]) -> str:
    """Return mean paired differences, a column each of `across`, starred by Holm's rule over each column."""
    found = found[found["rows"].isin(CHECKED)]
    cells = found.groupby([*by, *across], sort=False)["gain"].apply(list).unstack(across)
    columns = {}
    for name, column in cells.items():
        there = column.dropna()
        shown = pd.Series(notes.starred(there.tolist()), there.index).reindex(cells.index, fill_value="")
        columns[" ".join(map(str, np.atleast_1d(name)))] = shown
    return markdown(pd.DataFrame(columns, index=cells.index))


def with_all(found: pd.DataFrame) -> pd.DataFrame:
    """Add the truths of all kinds together."""
    return pd.concat([found, found.assign(kind=ALL)])


def settings_table(curves: pd.DataFrame, over: str) -> str:
    """Return how much each setting adds over all truths, a line for each number of rows seen."""
    shown = tuple(name for name in SHOWN if name != over)
    checked = curves[curves["rows"].isin(CHECKED) & (curves["then"] != LATE)]
    found = gains(checked, over, shown)
    found["setting"] = pd.Categorical(found["map"].map(SHOWN), categories=list(SHOWN.values()))
    ordered = found.sort_values(["setting", "rows"], kind="stable").astype({"setting": str})
    return difference_table(ordered, ["setting", "rows"], ["learner", "then"])


def bins_by_kind(curves: pd.DataFrame) -> str:
    """Return how much each number of bins adds, by kind of truth, to learners that learn on."""
    bins = tuple(name for name, words in SHOWN.items() if "bins" in words and "of 1 bit" not in words)
    found = gains(curves[curves["rows"].isin(CHECKED[1:]) & (curves["then"] == ON)], NONE, bins)
    found["map"] = found["map"].map(SHOWN)
    return difference_table(found.sort_values("rows", kind="stable"), ["rows", "kind", "learner"], ["map"])


def learning_on(curves: pd.DataFrame, with_map: bool) -> str:
    """Return what learning on, without a map or with the same one, adds to stopping with each map."""
    found = []
    checked = curves[curves["rows"] == CHECKED[-1]]
    for then in (STOPS, LATE):
        pair = wide(checked[checked["then"].isin((ON, then))], "then").reset_index("map")
        plain = pair.loc[pair["map"] == NONE, ON]
        gain = (pair[ON] if with_map else plain.reindex(pair.index)) - pair[then]
        found.append(pair.assign(gain=gain, then=then).reset_index()[[*KEYS, "rows", "gain"]])
    gained = with_all(pd.concat(found).dropna())
    gained = gained[gained["kind"] == ALL] if with_map else gained
    names = {NONE: "no map", **SHOWN}
    gained["map"] = pd.Categorical(gained["map"].map(names), categories=list(names.values()))
    ordered = gained.sort_values("map", kind="stable").astype({"map": str})
    ordered = ordered.sort_values(["then", "learner", "kind"], kind="stable")
    return difference_table(ordered, ["then", "learner", "kind"], ["map"])


def effective_inputs(n_truths: int, seed: int) -> pd.DataFrame:
    """Return two to the entropy of the attributes of every truth: how many inputs it has in effect."""
    rows = []
    for kind, i in product(KINDS, range(n_truths)):
        cells = drawn(kind, i, seed).enumerate().joint.sum(axis=1)
        rows.append({"kind": kind, "truth": i, "inputs": 2.0 ** stats.entropy(cells, base=2)})
    return pd.DataFrame(rows)


def inputs_table(curves: pd.DataFrame, seed: int) -> str:
    """Return how the gain of 80 bins over 20 goes with the number of inputs, over the truths."""
    found = gains(curves[curves["rows"] == CHECKED[-1]], "histogram", ("80 bins",))
    found = with_all(found.merge(effective_inputs(found["truth"].nunique(), seed)))

    def correlation(own: pd.DataFrame) -> str:
        ranks = stats.pearsonr(stats.rankdata(own["gain"]), stats.rankdata(own["inputs"]))
        low, high = ranks.confidence_interval()
        return f"{ranks.statistic:.2f} ({low:.2f} to {high:.2f})"

    columns = ["gain", "inputs"]
    return markdown(found.groupby(["then", "learner", "kind"])[columns].apply(correlation).unstack("kind"))


def mean_table(
    curves: pd.DataFrame, checked: tuple[int, ...], cell: Callable[[pd.Series], str], maps: tuple[str, ...]
) -> str:
    """Return mean rewards, a column for each map and number of rows; the truth's own at the last."""
    shown = curves[curves["rows"].isin(checked) & curves["map"].isin(maps)].fillna({"then": ""})
    by = ["kind", "learner", "then", "map", "rows"]
    cells = shown.groupby(by, sort=False)["windowed"].apply(cell).unstack(["map", "rows"])
    ordered = cells[[(name, n) for name in maps for n in checked if (name, n) in cells]].fillna("")
    ordered.columns = [f"{SHOWN.get(name, name) if len(maps) > 3 else name} {n}" for name, n in ordered]
    return markdown(ordered.rename_axis(["rows of", "learner", "then"]))


def adult_gains(adult: pd.DataFrame, cell: Callable[[pd.Series], str]) -> str:
    """Return what each setting adds on adult at the end."""
    found = gains(adult[adult["rows"] == CHECKED_ADULT[-1]], NONE, tuple(SHOWN))
    cells = found.groupby(["learner", "then", "map"], sort=False)["gain"].apply(cell).unstack("map")
    return markdown(cells[list(SHOWN)].rename(columns=SHOWN))


def slope_table(curves: pd.DataFrame) -> str:
    """Return the mean slope that the Platt map has learned at the end, by rows, learner and state."""
    ends = curves[curves["learner"] != "truth"].drop_duplicates(KEYS).query(f"map == {NONE!r}")
    by = ["kind", "learner", "then"]
    return markdown(ends.groupby(by, sort=False)["slope"].apply(notes.interval, digits=2).unstack("then"))


def markdown(frame: pd.DataFrame) -> str:
    """Write a table with its index."""
    keys = [key if isinstance(key, tuple) else (key,) for key in frame.index]
    rows = [[*key, *cells] for key, cells in zip(keys, frame.to_numpy(), strict=True)]
    return notes.table([*frame.index.names, *frame.columns], rows)


def generated(curves: pd.DataFrame, adult: pd.DataFrame | None, seed: int) -> str:
    """Return all tables as Markdown."""
    n = curves["truth"].nunique()
    learned = wide(curves[curves["map"] == NONE], "then")
    learned = (learned[ON] - learned[STOPS]).rename("gain").reset_index().dropna()
    infinite = curves.drop_duplicates(KEYS)["n_infinite"].sum()
    parts = [
        "IR_B in bits against the running prior, mean over the latest half of the rows seen. Columns name "
        f"the map and the rows seen. Paired over {n} truths of a kind, {ALL}: {n * len(KINDS)}. ±: half "
        "width of the pointwise 95% t interval. *: differs significantly from zero by Holm's rule at 5% "
        f'over all rows of a column. "{STOPS}": at {START} rows, "{LATE}": at {START_LATE}. Infinite '
        f"rewards: {infinite}.",
        "### What the map adds: reward with it less reward without",
        difference_table(with_all(gains(curves)), ["kind", "learner", "then"], ["map", "rows"]),
        "### What the settings of the maps add, truths of all kinds",
        "Bins span -10 to 10 bits of log-odds and have strength 10 unless named otherwise.",
        settings_table(curves, NONE),
        "### What other settings add to the histogram of 20 bins, truths of all kinds",
        settings_table(curves, "histogram"),
        "### What the number of bins adds by kind of truth, learners that learn on",
        bins_by_kind(curves),
        "### What learning on adds, without a map: the learner that learns on less the one that stops",
        difference_table(with_all(learned), ["kind", "learner"], ["rows"]),
        "### What learning on without a map is worth against stopping with a map, at 10000 rows",
        "Below zero: the learner that stopped, with the map, is ahead of the one that learns on without.",
        learning_on(curves, with_map=False),
        "### What learning on adds where both have the map, at 10000 rows, truths of all kinds",
        learning_on(curves, with_map=True),
        "### Many bins and few inputs",
        "Rank correlation, over truths, of what 80 bins add to 20 bins at 10000 rows with the effective "
        "number of inputs of a truth (2 to the entropy of its attributes), in brackets the 95% interval by "
        "Fisher's z.",
        inputs_table(curves, seed),
        "### Mean rewards",
        mean_table(curves, CHECKED, lambda values: f"{values.mean():.4f}", (NONE, *MAPS)),
        "### Slopes that the Platt map has learned at the end",
        "Mean and half width of the 95% interval over the truths of a kind. Below 1 corrects overconfidence, "
        "above 1 underconfidence.",
        slope_table(curves),
    ]
    if adult is not None:
        infinite = adult.drop_duplicates(KEYS)["n_infinite"].sum()

        def with_sd(values: pd.Series) -> str:
            return f"{values.mean():.3f} ({values.std(ddof=1):.3f})"

        parts += [
            "### Adult, mean rewards",
            f"Mean over {ORDERS} random orders of the same 48842 rows, in brackets the standard deviation "
            "between orders. Orders share their rows, so it is no standard error beyond this "
            f'data set. "{STOPS}": at {START_ADULT} rows. Infinite rewards: {infinite}.',
            mean_table(adult, CHECKED_ADULT, with_sd, (NONE, *MAPS)),
            "### Adult, settings of the maps, at the end",
            mean_table(adult, CHECKED_ADULT[-1:], with_sd, tuple(SHOWN)),
            "### Adult, what the settings add, at the end",
            "Less the same learner without a map on the same order of the rows.",
            adult_gains(adult, with_sd),
        ]
    return "\n\n".join(parts)


def draw(curves: pd.DataFrame, adult: pd.DataFrame | None, place: Path) -> None:
    """Draw rewards and gains on truths, and rewards on adult, a column of panels for each learner."""
    n_lines = 2 + (adult is not None)
    curves = curves[curves["map"].isin((NONE, *MAPS))]
    with notes.figure_style():
        figure = Figure(figsize=(11.0, 3.0 * n_lines + 0.9), layout="constrained")
        axes = figure.subplots(n_lines, len(LEARNERS), sharey="row", squeeze=False)
        for j, (learner, name) in enumerate(LEARNERS.items()):
            draw_rewards(axes[0, j], curves, learner)
            axes[0, j].set_title(f"{name}: reward, {curves['truth'].nunique() * len(KINDS)} truths")
            draw_gains(axes[1, j], curves, learner)
            axes[1, j].set_title(f"{name}: what the map adds, 95% bands")
            if adult is not None:
                draw_rewards(axes[2, j], adult[adult["map"].isin((NONE, *MAPS))], learner)
                axes[2, j].set_title(f"{name}: reward on adult, {ORDERS} orders")
        for ax in axes.flat:
            label_rows(ax)
        reward = "mean IR_B, latest half [bits]"
        for ax, what in zip(axes[:, 0], (reward, f"difference in {reward}", reward), strict=False):
            ax.set_ylabel(what)
        for ax in (*axes[0], *axes[2:].flat):
            ax.set_ylim(*REWARDS)
        if adult is not None:
            name_hidden(axes[2, 0], adult)
        add_legend(figure)
        notes.save_figure(figure, place, dpi=110)


def name_hidden(ax: Axes, adult: pd.DataFrame) -> None:
    """Write into the panel of naive Bayes on adult what lies below it."""
    below = adult.query(f"learner == 'nb' and map == {NONE!r} and rows == {CHECKED_ADULT[-1]}")
    ends = below.groupby("then")["windowed"].mean()
    words = f"below the panel, without a map, at the end:\nlearns on {ends[ON]:.3f}, stops {ends[STOPS]:.3f}"
    ax.text(
        0.97, 0.12, words, transform=ax.transAxes, ha="right", fontsize="small", color=look(NONE, ON)["color"]
    )


def add_legend(figure: Figure) -> None:
    """Explain colors and lines below all panels."""
    words = {NONE: "no map", "histogram": "histogram map", "platt": "Platt map"}
    handles = [Line2D([], [], **look(name, ON), label=words[name]) for name in words]
    when = {
        ON: "learns on",
        STOPS: f"stops at {START} rows (on adult: {START_ADULT})",
        LATE: f"stops at {START_LATE} rows (truths only)",
    }
    handles += [Line2D([], [], **look(NONE, then) | {"color": "black"}, label=when[then]) for then in when]
    handles.append(Line2D([], [], color=notes.GREY, linestyle=TRUTH_LINE, label="the truth itself"))
    figure.legend(handles=handles, loc="outside lower center", ncols=4)


def look(name: str, then: str) -> dict[str, object]:
    """Return color by map and line by state."""
    color = dict(zip((NONE, *MAPS), notes.SERIES, strict=False))[name]
    return {"color": color, "linestyle": {ON: "-", STOPS: (0, (4, 1.5)), LATE: (0, (1, 1.2))}[then]}


def draw_rewards(ax: Axes, curves: pd.DataFrame, learner: str) -> None:
    """Draw the mean reward of a learner under each map, and the truth's own."""
    ax.axhline(0.0, color=ax.xaxis.label.get_color(), linewidth=0.8)
    own = curves[curves["learner"] == learner]
    for (then, name), part in own.groupby(["then", "map"], sort=False):
        means = part.groupby("rows")["windowed"].mean()
        ax.plot(means.index, means, **look(name, then))
    top = curves[curves["learner"] == "truth"]["windowed"]
    if len(top):
        ax.axhline(top.mean(), color=notes.GREY, linestyle=TRUTH_LINE)


def draw_gains(ax: Axes, curves: pd.DataFrame, learner: str) -> None:
    """Draw the gain of each map, with 95% intervals over the truths."""
    ax.axhline(0.0, color=ax.xaxis.label.get_color(), linewidth=0.8)
    added = gains(curves[curves["learner"] == learner])
    for (then, name), part in added.groupby(["then", "map"], sort=False):
        own, style = part.groupby("rows")["gain"], look(name, then)
        mean, half = own.mean(), own.apply(notes.half_width)
        ax.plot(mean.index, mean, **style)
        ax.fill_between(mean.index, mean - half, mean + half, color=style["color"], alpha=0.15, linewidth=0)


def kept(place: Path, compute: Callable[[], pd.DataFrame]) -> pd.DataFrame:
    """Read a table, or compute and write it."""
    if not place.exists():
        compute().to_csv(place, index=False)
    return pd.read_csv(place, keep_default_na=False, na_values=[""])


def main() -> None:
    """Compute or read the curves, and write what is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--to", type=Path, required=True, help="folder of the curves as CSV")
    parser.add_argument("--notes", type=Path, help="notes in Markdown with the generated-section markers")
    parser.add_argument("--figure", type=Path)
    parser.add_argument("--data", type=Path, help="folder of data sets")
    parser.add_argument("--truths", type=int, default=40, help="of each kind")
    parser.add_argument("--rows", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=2001)
    asked = parser.parse_args()
    asked.to.mkdir(parents=True, exist_ok=True)
    found = [
        kept(asked.to / f"{kind}.csv", partial(on_truths, kind, asked.truths, asked.rows, asked.seed))
        for kind in KINDS
    ]
    curves = pd.concat(found, ignore_index=True)
    there = curves["truth"].nunique(), curves["rows"].max()
    if there != (asked.truths, asked.rows):
        sys.exit(
            f"{asked.to} has {there[0]} truths of {there[1]} rows: ask for as many, or give another --to"
        )
    try:
        adult = kept(asked.to / "adult.csv", lambda: on_adult(asked.data, asked.seed))
    except WorkbenchError as error:
        print(f"without adult: {error}")
        adult = None
    if asked.notes:
        text = generated(curves, adult, asked.seed)
        notes.write_section(asked.notes, text, stays=["What the map adds"])
    if asked.figure:
        draw(curves, adult, asked.figure)


if __name__ == "__main__":
    main()
