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
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy import stats

from workbench.base import catalogue
from workbench.base.errors import WorkbenchError
from workbench.base.seeds import generator_for
from workbench.comparisons import LEVEL, holm
from workbench.datasets import load_dataset
from workbench.figures._shared.style import GREY, SERIES, settings
from workbench.figures.prequential import label_rows
from workbench.metrics import ir_b
from workbench.prequential import HistogramMap, PlattMap, PrequentialResult, RecalibrationMap, prequential
from workbench.prequential.result import scores_against
from workbench.report.renderers.markdown import between_markers

KINDS = ("naive_bayes", "tan", "aode")
SIZES = {"n_attributes": (3, 7), "arity": (2, 5), "n_classes": (2, 5)}  # those of the 2004 simulation
LEARNERS = {"nb": "naive Bayes", "tan": "TAN", "aode": "AODE"}
NONE = "none"
#: The maps as they are by default, drawn and tabulated everywhere.
MAPS = ("histogram", "platt")
#: All settings: bins of equal width in log-odds, what the forecast itself counts for in a bin, steps.
BINS = {f"{n} bins": {"n_bins": n, "width": 20 / n} for n in (5, 10, 20, 40, 80)}  # from -10 to 10 bits
SETTINGS: dict[str, Callable[[int], RecalibrationMap]] = {
    "histogram": HistogramMap,
    "platt": PlattMap,
    **{name: partial(HistogramMap, **own) for name, own in BINS.items() if name != "20 bins"},
    "10 bins of 1 bit": partial(HistogramMap, n_bins=10),
    "strength 1": partial(HistogramMap, strength=1.0),
    "strength 100": partial(HistogramMap, strength=100.0),
    "rate 0.03": partial(PlattMap, rate=0.03),
    "rate 0.3": partial(PlattMap, rate=0.3),
}
#: Settings in tables: the defaults are "20 bins" with strength 10, and rate 0.1.
SHOWN = {"5 bins": "5 bins", "10 bins": "10 bins", "histogram": "20 bins, the default"} | {
    name: name
    for name in ("40 bins", "80 bins", "10 bins of 1 bit", "strength 1", "strength 100", "rate 0.03")
}
SHOWN |= {"platt": "Platt, rate 0.1, the default", "rate 0.3": "rate 0.3"}
CHECKED = (100, 1000, 10000)
CHECKED_ADULT = (2000, 10000, 48842)
START, START_LATE, BATCH = 50, 500, 10
START_ADULT, BATCH_ADULT, ORDERS = 1000, 100, 5
ON, STOPS, LATE = "learns on", "stops", "stops later"
ALL = "all"
KEYS = ["kind", "truth", "learner", "then", "map"]
N_POINTS = 60


def curves_of(plain: PrequentialResult, checked: tuple[int, ...]) -> Iterator[pd.DataFrame]:
    """Return the curve under each map: at the rows looked at, and of the default maps at some between."""
    n = plain.start + len(plain.reward)
    between = np.geomspace(1.2 * plain.start, n, N_POINTS).round().astype(int)
    looked_at = [row for row in checked if plain.start < row <= n]
    n_classes = len(plain.classes)
    slope = PlattMap(n_classes).update(plain.y_prob, plain.outcomes).slope
    for name in (NONE, *SETTINGS):
        result = plain.under(None if name == NONE else SETTINGS[name](n_classes))
        rows = looked_at if name in SETTINGS and name not in MAPS else np.union1d(between, looked_at)
        whole = result.frame().set_index("rows").loc[rows].reset_index()
        yield pd.DataFrame(
            {
                "learner": "", "map": name, "rows": whole["rows"], "windowed": whole["windowed_recalibrated"],
                "n_infinite": result.n_infinite_recalibrated, "slope": slope,
            }
        )  # fmt: skip


def on_truths(kind: str, n_truths: int, n_rows: int, seed: int) -> pd.DataFrame:
    """Follow every learner along rows of every truth; the truth itself is the last learner."""
    tables = []
    states = {ON: (False, START), STOPS: (True, START), LATE: (True, START_LATE)}
    for i in range(n_truths):
        truth = catalogue.find("generators", kind)(
            random_state=generator_for("truth", seed, kind, i), **SIZES
        )
        X, y = truth.sample(n_rows, generator_for("rows", seed, kind, i))
        place = {"kind": kind, "truth": i}
        for then, (frozen, start) in states.items():
            for learner in LEARNERS:
                made = catalogue.find("learners", learner)()
                plain = prequential(made, X, y, frozen=frozen, start=start, batch=BATCH)
                tables += [c.assign(learner=learner, then=then, **place) for c in curves_of(plain, CHECKED)]
            if then == STOPS:
                tables.append(ceiling(plain, truth, X).assign(**place))
        print(kind, i, flush=True)
    return pd.concat(tables, ignore_index=True)


def ceiling(plain: PrequentialResult, truth: object, X: pd.DataFrame) -> pd.DataFrame:
    """Score the truth's own posterior on the same rows, against the same prior."""
    y_prob = truth.posterior(X.iloc[START:])[:, np.argsort(np.asarray(truth.classes), kind="stable")]
    reward = scores_against(ir_b, plain.outcomes, y_prob, plain.prior)
    rows = START + len(reward)
    kept = {"then": "", "map": NONE, "rows": rows, "n_infinite": int(np.isinf(reward).sum())}
    return pd.DataFrame([{"learner": "truth", **kept, "windowed": reward[-(rows // 2) :].mean()}])


def on_adult(data: Path | None, seed: int) -> pd.DataFrame:
    """Follow every learner along adult in several orders."""
    X, y = load_dataset("adult", data=data)
    tables = []
    for order in range(ORDERS):
        for then in (ON, STOPS):
            for learner in LEARNERS:
                plain = prequential(
                    catalogue.find("learners", learner)(), X, y, frozen=then == STOPS, start=START_ADULT,
                    batch=BATCH_ADULT, random_state=generator_for("order", seed, order),
                )  # fmt: skip
                found = curves_of(plain, CHECKED_ADULT)
                tables += [c.assign(learner=learner, kind="adult", truth=order, then=then) for c in found]
        print("adult", order, flush=True)
    return pd.concat(tables, ignore_index=True)


def wide(curves: pd.DataFrame, column: str) -> pd.DataFrame:
    """One row per place (kind, truth, learner, ...) and number of rows, one column each of `column`."""
    index = [key for key in (*KEYS, "rows") if key != column]
    return curves[curves["learner"] != "truth"].pivot(index=index, columns=column, values="windowed")


def gains(curves: pd.DataFrame, over: str = NONE, maps: tuple[str, ...] = MAPS) -> pd.DataFrame:
    """Return one row per place and map: its reward less that of another map, or of none."""
    table = wide(curves, "map").dropna()
    return table[list(maps)].sub(table[over], axis=0).stack().rename("gain").reset_index()


def interval(values: pd.Series) -> tuple[float, float, float]:
    """Return mean, half width of the 95% t interval, and p."""
    half = stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return float(values.mean()), float(half), float(stats.ttest_1samp(values, 0.0).pvalue)


def difference_table(found: pd.DataFrame, by: list[str], across: list[str]) -> list[str]:
    """Return mean paired differences, a column each of `across`, starred by Holm's rule over each column."""
    found = found[found["rows"].isin(CHECKED)]
    cells = found.groupby([*by, *across], sort=False)["gain"].apply(interval).unstack(across)
    columns = {}
    for name, column in cells.items():
        there = column.dropna()
        significant = dict(zip(there.index, np.array(holm([p for _, _, p in there])) < LEVEL, strict=True))
        columns[" ".join(map(str, np.atleast_1d(name)))] = [
            ""
            if key not in significant
            else f"{cell[0]:+.4f} ± {cell[1]:.4f}" + (" *" if significant[key] else "")
            for key, cell in column.items()
        ]
    return markdown(pd.DataFrame(columns, index=cells.index))


def with_all(found: pd.DataFrame) -> pd.DataFrame:
    """Add the truths of all kinds together."""
    return pd.concat([found, found.assign(kind=ALL)])


def settings_table(curves: pd.DataFrame, over: str) -> list[str]:
    """Return how much each setting adds over all truths, a line for each number of rows seen."""
    shown = tuple(name for name in SHOWN if name != over)
    checked = curves[curves["rows"].isin(CHECKED) & (curves["then"] != LATE)]
    found = gains(checked, over, shown)
    found["setting"] = pd.Categorical(found["map"].map(SHOWN), categories=list(SHOWN.values()))
    ordered = found.sort_values(["setting", "rows"], kind="stable").astype({"setting": str})
    return difference_table(ordered, ["setting", "rows"], ["learner", "then"])


def bins_by_kind(curves: pd.DataFrame) -> list[str]:
    """Return how much each number of bins adds, by kind of truth, to learners that learn on."""
    bins = tuple(name for name, words in SHOWN.items() if "bins" in words and "of 1 bit" not in words)
    found = gains(curves[curves["rows"].isin(CHECKED[1:]) & (curves["then"] == ON)], NONE, bins)
    found["map"] = found["map"].map(SHOWN)
    return difference_table(found.sort_values("rows", kind="stable"), ["rows", "kind", "learner"], ["map"])


def mean_table(
    curves: pd.DataFrame, checked: tuple[int, ...], cell: Callable[[pd.Series], str], maps: tuple[str, ...]
) -> list[str]:
    """Return mean rewards, a column for each map and number of rows; the truth's own at the last."""
    shown = curves[curves["rows"].isin(checked) & curves["map"].isin(maps)].fillna({"then": ""})
    by = ["kind", "learner", "then", "map", "rows"]
    cells = shown.groupby(by, sort=False)["windowed"].apply(cell).unstack(["map", "rows"])
    ordered = cells[[(name, n) for name in maps for n in checked if (name, n) in cells]].fillna("")
    ordered.columns = [f"{SHOWN.get(name, name) if len(maps) > 3 else name} {n}" for name, n in ordered]
    return markdown(ordered.rename_axis(["rows of", "learner", "then"]))


def slope_table(curves: pd.DataFrame) -> list[str]:
    """Return the mean slope that the Platt map has learned at the end, by rows, learner and state."""
    ends = curves[curves["learner"] != "truth"].drop_duplicates(KEYS).query(f"map == {NONE!r}")
    by = ["kind", "learner", "then"]
    found = ends.groupby(by, sort=False)["slope"].apply(interval).unstack("then")
    return markdown(found.map(lambda cell: f"{cell[0]:.2f} ± {cell[1]:.2f}"))


def markdown(table: pd.DataFrame) -> list[str]:
    """Write a table with its index as Markdown."""
    head = [*map(str, table.index.names), *table.columns]
    lines = [f"| {' | '.join(head)} |", "|" + " --- |" * len(head)]
    for key, cells in zip(table.index, table.to_numpy(), strict=True):
        keys = key if isinstance(key, tuple) else (key,)
        lines.append(f"| {' | '.join([*map(str, keys), *cells])} |")
    return lines


def generated(curves: pd.DataFrame, adult: pd.DataFrame | None) -> str:
    """Return all tables as Markdown."""
    n = curves["truth"].nunique()
    learned = wide(curves[curves["map"] == NONE], "then")
    learned = (learned[ON] - learned[STOPS]).rename("gain").reset_index().dropna()
    infinite = curves.drop_duplicates(KEYS)["n_infinite"].sum()
    parts = [
        "IR_B in bits against the running prior, mean over the latest half of the rows seen; columns name "
        f"the map and the rows seen. Paired over {n} truths of a kind, {ALL}: {n * len(KINDS)}; ±: half "
        "width of the 95% t interval, each alone; *: differs significantly from zero by Holm's rule at 5% "
        f'over all rows of a column. "{STOPS}": at {START} rows, "{LATE}": at {START_LATE}. Infinite '
        f"rewards: {infinite}.",
        "### What the map adds: reward with it less reward without",
        "\n".join(difference_table(with_all(gains(curves)), ["kind", "learner", "then"], ["map", "rows"])),
        "### What the settings of the maps add, truths of all kinds",
        "Bins span -10 to 10 bits of log-odds and have strength 10 unless named otherwise.",
        "\n".join(settings_table(curves, NONE)),
        "### What other settings add to the histogram of 20 bins, truths of all kinds",
        "\n".join(settings_table(curves, "histogram")),
        "### What the number of bins adds by kind of truth, learners that learn on",
        "\n".join(bins_by_kind(curves)),
        "### What learning on adds, without a map: the learner that learns on less the one that stops",
        "\n".join(difference_table(with_all(learned), ["kind", "learner"], ["rows"])),
        "### Mean rewards",
        "\n".join(mean_table(curves, CHECKED, lambda values: f"{values.mean():.4f}", (NONE, *MAPS))),
        "### Slopes that the Platt map has learned at the end",
        "Mean and half width of the 95% interval over the truths of a kind; below 1 mends overconfidence, "
        "above 1 underconfidence.",
        "\n".join(slope_table(curves)),
    ]
    if adult is not None:
        infinite = adult.drop_duplicates(KEYS)["n_infinite"].sum()

        def with_sd(values: pd.Series) -> str:
            return f"{values.mean():.3f} ({values.std(ddof=1):.3f})"

        parts += [
            "### Adult",
            f"Mean over {ORDERS} random orders of the same 48842 rows, in brackets the standard deviation "
            "between orders; orders share their rows, so it is no standard error of anything beyond this "
            f'data set. "{STOPS}": at {START_ADULT} rows. Infinite rewards: {infinite}.',
            "\n".join(mean_table(adult, CHECKED_ADULT, with_sd, (NONE, *MAPS))),
            "### Adult, settings of the maps, at the end",
            "\n".join(mean_table(adult, CHECKED_ADULT[-1:], with_sd, tuple(SHOWN))),
        ]
    return "\n\n".join(parts)


def draw(curves: pd.DataFrame, adult: pd.DataFrame | None, place: Path) -> None:
    """Draw rewards and gains on truths, and rewards on adult, a column of panels for each learner."""
    n_lines = 2 + (adult is not None)
    curves = curves[curves["map"].isin((NONE, *MAPS)) & (curves["then"] != LATE)]
    with mpl.rc_context(settings()):
        figure = Figure(figsize=(11.0, 3.0 * n_lines + 0.6), layout="constrained")
        axes = figure.subplots(n_lines, len(LEARNERS), squeeze=False)
        for ax in axes[:2, 1:].flat:  # panels of adult have their own height
            ax.sharey(axes[ax.get_subplotspec().rowspan.start, 0])
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
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=4)
        figure.savefig(place, dpi=110, metadata={"Software": None})


def look(name: str, then: str) -> dict[str, object]:
    """Return color by map and line by state."""
    color = dict(zip((NONE, *MAPS), SERIES, strict=False))[name]
    return {"color": color, "linestyle": "-" if then == ON else (0, (4, 1.5))}


def draw_rewards(ax: Axes, curves: pd.DataFrame, learner: str) -> None:
    """Draw the mean reward of a learner under each map, and the truth's own."""
    ax.axhline(0.0, color=ax.xaxis.label.get_color(), linewidth=0.8)
    own = curves[curves["learner"] == learner]
    for (then, name), part in own.groupby(["then", "map"], sort=False):
        means = part.groupby("rows")["windowed"].mean()
        map_words = "no map" if name == NONE else f"{name.replace('platt', 'Platt')} map"
        ax.plot(means.index, means, label=f"learner {then}, {map_words}", **look(name, then))
    top = curves[curves["learner"] == "truth"]["windowed"]
    if len(top):
        ax.axhline(top.mean(), color=GREY, linestyle=":", label="the truth itself")


def draw_gains(ax: Axes, curves: pd.DataFrame, learner: str) -> None:
    """Draw the gain of each map, with 95% intervals over the truths."""
    ax.axhline(0.0, color=ax.xaxis.label.get_color(), linewidth=0.8)
    added = gains(curves[curves["learner"] == learner])
    for (then, name), part in added.groupby(["then", "map"], sort=False):
        found = np.array([interval(values)[:2] for _, values in part.groupby("rows")["gain"]])
        rows, style = np.unique(part["rows"]), look(name, then)
        ax.plot(rows, found[:, 0], **style)
        low, high = found[:, 0] - found[:, 1], found[:, 0] + found[:, 1]
        ax.fill_between(rows, low, high, color=style["color"], alpha=0.15, linewidth=0)


def kept(place: Path, compute: Callable[[], pd.DataFrame]) -> pd.DataFrame:
    """Read a table, or compute and write it."""
    if not place.exists():
        compute().to_csv(place, index=False)
    return pd.read_csv(place, keep_default_na=False, na_values=[""])


def main() -> None:
    """Compute or read the curves, and write what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--to", type=Path, required=True, help="folder of the curves as CSV")
    parser.add_argument("--notes", type=Path, help="notes in Markdown with the generated-section markers")
    parser.add_argument("--figure", type=Path)
    parser.add_argument("--data", type=Path, help="folder of data sets")
    parser.add_argument("--truths", type=int, default=40, help="of each kind")
    parser.add_argument("--rows", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=2001)
    asked = parser.parse_args()
    asked.to.mkdir(parents=True, exist_ok=True)
    tables = [
        kept(asked.to / f"{kind}.csv", partial(on_truths, kind, asked.truths, asked.rows, asked.seed))
        for kind in KINDS
    ]
    curves = pd.concat(tables, ignore_index=True)
    try:
        adult = kept(asked.to / "adult.csv", lambda: on_adult(asked.data, asked.seed))
    except WorkbenchError as error:
        print(f"without adult: {error}")
        adult = None
    if asked.notes:
        text = between_markers(asked.notes.read_text(encoding="utf-8"), generated(curves, adult))
        asked.notes.write_text(text, encoding="utf-8")
    if asked.figure:
        draw(curves, adult, asked.figure)


if __name__ == "__main__":
    main()
