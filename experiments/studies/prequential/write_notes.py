"""Measure whether feedback on calibration pays; run from the root of the repository.

    python experiments/studies/prequential/write_notes.py --to prequential \
        --notes experiments/studies/prequential/notes.md --figure docs/figures/prequential.png

Naive Bayes, TAN and AODE forecast row by row on generated truths, ten of each kind, and on adult where the
folder of data sets (`--data`, else WORKBENCH_DATA) has it; they go on learning, or stop after the first rows;
their forecasts go through no map, a histogram or a Platt map that learns from each outcome. Writes all
curves as CSV into the folder, or reads them where they are there already; then the tables between the markers
of the notes, and the figure.
"""

import argparse
from collections.abc import Callable, Iterator
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
from workbench.prequential import MAPS, PlattMap, PrequentialResult, prequential
from workbench.prequential.result import scores_against
from workbench.report.renderers.markdown import between_markers

KINDS = ("naive_bayes", "tan", "aode")
SIZES = {"n_attributes": (3, 7), "arity": (2, 5), "n_classes": (2, 5)}  # those of the 2004 simulation
LEARNERS = {"nb": "naive Bayes", "tan": "TAN", "aode": "AODE"}
NONE = "none"
CHECKED = (100, 1000, 10000)
CHECKED_ADULT = (2000, 10000, 48842)
START, BATCH = 50, 10
START_ADULT, BATCH_ADULT, ORDERS = 1000, 100, 5
STATES = {False: "learns on", True: "stops"}
ALL = "all"
KEYS = ["kind", "truth", "learner", "frozen", "map"]
N_POINTS = 60


def curves_of(plain: PrequentialResult, checked: tuple[int, ...]) -> Iterator[pd.DataFrame]:
    """Return the curve under each map, thinned to the rows looked at and some between."""
    n = plain.start + len(plain.reward)
    between = np.geomspace(1.2 * plain.start, n, N_POINTS).round().astype(int)
    rows = np.union1d(between, [row for row in checked if row <= n])
    slope = PlattMap(len(plain.classes)).update(plain.y_prob, plain.outcomes).slope
    for name in (NONE, *MAPS):
        result = plain.under(None if name == NONE else name)
        whole = result.frame().set_index("rows").loc[rows].reset_index()
        yield pd.DataFrame(
            {
                "learner": "", "frozen": plain.frozen, "map": name, "rows": whole["rows"],
                "windowed": whole["windowed_recalibrated"], "cumulative": whole["cumulative_recalibrated"],
                "n_infinite": result.n_infinite_recalibrated, "slope": slope,
            }
        )  # fmt: skip


def on_truths(n_truths: int, n_rows: int, seed: int) -> pd.DataFrame:
    """Follow every learner along rows of every truth; the truth itself is the last learner."""
    tables = []
    for kind in KINDS:
        for i in range(n_truths):
            truth = catalogue.find("generators", kind)(
                random_state=generator_for("truth", seed, kind, i), **SIZES
            )
            X, y = truth.sample(n_rows, generator_for("rows", seed, kind, i))
            place = {"kind": kind, "truth": i}
            for frozen in STATES:
                for learner in LEARNERS:
                    plain = prequential(
                        catalogue.find("learners", learner)(), X, y, frozen=frozen, start=START, batch=BATCH
                    )
                    tables += [c.assign(learner=learner, **place) for c in curves_of(plain, CHECKED)]
            tables.append(ceiling(plain, truth, X).assign(**place))
            print(kind, i, flush=True)
    return pd.concat(tables, ignore_index=True)


def ceiling(plain: PrequentialResult, truth: object, X: pd.DataFrame) -> pd.DataFrame:
    """Score the truth's own posterior on the same rows, against the same prior."""
    y_prob = truth.posterior(X.iloc[START:])[:, np.argsort(np.asarray(truth.classes), kind="stable")]
    reward = scores_against(ir_b, plain.outcomes, y_prob, plain.prior)
    rows = START + len(reward)
    kept = {"frozen": True, "map": NONE, "rows": rows, "n_infinite": int(np.isinf(reward).sum())}
    mean = {"windowed": reward[-(rows // 2) :].mean(), "cumulative": reward.mean()}
    return pd.DataFrame([{"learner": "truth", **kept, **mean}])


def on_adult(data: Path | None, seed: int) -> pd.DataFrame:
    """Follow every learner along adult in several orders."""
    X, y = load_dataset("adult", data=data)
    tables = []
    for order in range(ORDERS):
        for frozen in STATES:
            for learner in LEARNERS:
                plain = prequential(
                    catalogue.find("learners", learner)(), X, y, frozen=frozen, start=START_ADULT,
                    batch=BATCH_ADULT, random_state=generator_for("order", seed, order),
                )  # fmt: skip
                found = curves_of(plain, CHECKED_ADULT)
                tables += [c.assign(learner=learner, kind="adult", truth=order) for c in found]
        print("adult", order, flush=True)
    return pd.concat(tables, ignore_index=True)


def wide(curves: pd.DataFrame, column: str) -> pd.DataFrame:
    """One row per place (kind, truth, learner, ...) and number of rows, one column each of `column`."""
    index = [key for key in (*KEYS, "rows") if key != column]
    return curves[curves["learner"] != "truth"].pivot(index=index, columns=column, values="windowed")


def gains(curves: pd.DataFrame) -> pd.DataFrame:
    """Return one row per place and map: how much the map adds to the reward."""
    table = wide(curves, "map")
    return table[list(MAPS)].sub(table[NONE], axis=0).stack().rename("gain").reset_index()


def interval(values: pd.Series) -> tuple[float, float, float]:
    """Return mean, half width of the 95% t interval, and p."""
    half = stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return float(values.mean()), float(half), float(stats.ttest_1samp(values, 0.0).pvalue)


def difference_table(found: pd.DataFrame, by: list[str], across: list[str]) -> list[str]:
    """Return mean paired differences, a column each of `across`, starred by Holm's rule over each column."""
    shown = found[found["rows"].isin(CHECKED)]
    whole = pd.concat([shown, shown.assign(kind=ALL)])
    cells = whole.groupby([*by, *across], sort=False)["gain"].apply(interval).unstack(across)
    columns = {}
    for name, column in cells.items():
        adjusted = holm([p for _, _, p in column])
        columns[" ".join(map(str, np.atleast_1d(name)))] = [
            f"{mean:+.4f} ± {half:.4f}" + (" *" if p < LEVEL else "")
            for (mean, half, _), p in zip(column, adjusted, strict=True)
        ]
    return markdown(pd.DataFrame(columns, index=cells.index))


def mean_table(curves: pd.DataFrame, checked: tuple[int, ...], cell: Callable[[pd.Series], str]) -> list[str]:
    """Return mean rewards, a column for each map and number of rows; the truth's own at the last."""
    shown = curves[curves["rows"].isin(checked)].replace({"frozen": STATES})
    shown.loc[shown["learner"] == "truth", "frozen"] = ""
    by = ["kind", "learner", "frozen", "map", "rows"]
    cells = shown.groupby(by, sort=False)["windowed"].apply(cell).unstack(["map", "rows"])
    ordered = cells[[(name, n) for name in (NONE, *MAPS) for n in checked if (name, n) in cells]].fillna("")
    ordered.columns = [f"{name} {n}" for name, n in ordered]
    return markdown(ordered.rename_axis(["rows of", "learner", "then"]))


def slope_table(curves: pd.DataFrame) -> list[str]:
    """Return the mean slope that the Platt map has learned at the end, by rows, learner and state."""
    ends = curves[curves["learner"] != "truth"].drop_duplicates(KEYS).query(f"map == {NONE!r}")
    by = ["kind", "learner", "frozen"]
    found = (
        ends.replace({"frozen": STATES}).groupby(by, sort=False)["slope"].apply(interval).unstack("frozen")
    )
    return markdown(found.map(lambda cell: f"{cell[0]:.2f} ± {cell[1]:.2f}"))


def markdown(table: pd.DataFrame) -> list[str]:
    """Write a table with its index as Markdown."""
    head = [*map(str, table.index.names), *table.columns]
    lines = [f"| {' | '.join(head)} |", "|" + " --- |" * len(head)]
    rows = zip(table.index, table.to_numpy(), strict=True)
    return lines + [f"| {' | '.join([*map(str, key), *cells])} |" for key, cells in rows]


def generated(curves: pd.DataFrame, adult: pd.DataFrame | None) -> str:
    """Return all tables as Markdown."""
    n = curves["truth"].nunique()
    added = gains(curves).replace({"frozen": STATES}).rename(columns={"frozen": "then"})
    learned = wide(curves[curves["map"] == NONE], "frozen")
    learned = (learned[False] - learned[True]).rename("gain").reset_index()
    infinite = curves.drop_duplicates(KEYS)["n_infinite"].sum()
    parts = [
        "IR_B in bits against the running prior, mean over the latest half of the rows seen; columns name "
        f"the map and the rows seen. Paired over {n} truths of a kind, {ALL}: {n * len(KINDS)}; ±: half "
        "width of the 95% t interval, each alone; *: differs from zero by Holm's rule at 5% over all rows of "
        f"a column. Infinite rewards: {infinite}.",
        "## What the map adds: reward with it less reward without",
        "\n".join(difference_table(added, ["kind", "learner", "then"], ["map", "rows"])),
        "## What learning on adds, without a map: the learner that learns on less the one that stops",
        "\n".join(difference_table(learned, ["kind", "learner"], ["rows"])),
        "## Mean rewards",
        "\n".join(mean_table(curves, CHECKED, lambda values: f"{values.mean():.4f}")),
    ]
    parts += [
        "## Slopes that the Platt map has learned at the end",
        "Mean and half width of the 95% interval over the truths of a kind; below 1 mends overconfidence, "
        "above 1 underconfidence.",
        "\n".join(slope_table(curves)),
    ]
    if adult is not None:
        infinite = adult.drop_duplicates(KEYS)["n_infinite"].sum()
        parts += [
            "## Adult",
            f"Mean over {ORDERS} random orders of the same 48842 rows, in brackets the standard deviation "
            "between orders; orders share their rows, so it is no standard error of anything beyond this "
            f"data set. Infinite rewards: {infinite}.",
            "\n".join(mean_table(adult, CHECKED_ADULT, lambda v: f"{v.mean():.3f} ({v.std(ddof=1):.3f})")),
        ]
    return "\n\n".join(parts)


def draw(curves: pd.DataFrame, adult: pd.DataFrame | None, place: Path) -> None:
    """Draw rewards and gains on truths, and rewards on adult, a column of panels for each learner."""
    n_lines = 2 + (adult is not None)
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
                draw_rewards(axes[2, j], adult, learner)
                axes[2, j].set_title(f"{name}: reward on adult, {ORDERS} orders")
        for ax in axes.flat:
            label_rows(ax)
        reward = "mean ir_b, latest half [bits]"
        for ax, what in zip(axes[:, 0], (reward, f"difference in {reward}", reward), strict=False):
            ax.set_ylabel(what)
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=4)
        figure.savefig(place, dpi=110, metadata={"Software": None})


def look(name: str, frozen: bool) -> dict[str, object]:
    """Return color by map and line by state."""
    color = dict(zip((NONE, *MAPS), SERIES, strict=False))[name]
    return {"color": color, "linestyle": (0, (4, 1.5)) if frozen else "-"}


def draw_rewards(ax: Axes, curves: pd.DataFrame, learner: str) -> None:
    """Draw the mean reward of a learner under each map, and the truth's own."""
    ax.axhline(0.0, color=ax.xaxis.label.get_color(), linewidth=0.8)
    own = curves[curves["learner"] == learner]
    for (frozen, name), part in own.groupby(["frozen", "map"], sort=False):
        means = part.groupby("rows")["windowed"].mean()
        map_words = "no map" if name == NONE else f"{name.replace('platt', 'Platt')} map"
        ax.plot(means.index, means, label=f"learner {STATES[frozen]}, {map_words}", **look(name, frozen))
    top = curves[curves["learner"] == "truth"]["windowed"]
    if len(top):
        ax.axhline(top.mean(), color=GREY, linestyle=":", label="the truth itself")


def draw_gains(ax: Axes, curves: pd.DataFrame, learner: str) -> None:
    """Draw the gain of each map, with 95% intervals over the truths."""
    ax.axhline(0.0, color=ax.xaxis.label.get_color(), linewidth=0.8)
    added = gains(curves[curves["learner"] == learner])
    for (frozen, name), part in added.groupby(["frozen", "map"], sort=False):
        found = np.array([interval(values)[:2] for _, values in part.groupby("rows")["gain"]])
        rows, style = np.unique(part["rows"]), look(name, frozen)
        ax.plot(rows, found[:, 0], **style)
        ax.fill_between(
            rows,
            *(found[:, 0] + side * found[:, 1] for side in (-1, 1)),
            color=style["color"],
            alpha=0.15,
            linewidth=0,
        )


def kept(place: Path, compute: Callable[[], pd.DataFrame]) -> pd.DataFrame:
    """Read a table, or compute and write it."""
    if not place.exists():
        compute().to_csv(place, index=False)
    return pd.read_csv(place)


def main() -> None:
    """Compute or read the curves, and write what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--to", type=Path, required=True, help="folder of the curves as CSV")
    parser.add_argument("--notes", type=Path, help="notes in Markdown with the generated-section markers")
    parser.add_argument("--figure", type=Path)
    parser.add_argument("--data", type=Path, help="folder of data sets")
    parser.add_argument("--truths", type=int, default=10, help="of each kind")
    parser.add_argument("--rows", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=2001)
    asked = parser.parse_args()
    asked.to.mkdir(parents=True, exist_ok=True)
    curves = kept(asked.to / "truths.csv", lambda: on_truths(asked.truths, asked.rows, asked.seed))
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
