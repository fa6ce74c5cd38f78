"""Write the tables of this study: how far each way of planning was from what more rows brought.

Run from the root of the repository, after `run_planning.py`:

    python experiments/studies/planning/write_notes.py tables.csv truths.csv \
        --notes experiments/studies/planning/notes.md
    python experiments/studies/planning/write_notes.py --judged judged.csv \
        --notes experiments/studies/planning/notes.md

Writes between the markers of the notes, and docs/figures/planning.png; of tables that judge, between theirs.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from workbench.base.seeds import generator_for
from workbench.comparisons import mean_intervals
from workbench.planning.findings import WIDENING
from workbench.report.notes import GREY, SERIES, figure_style, save_figure, write_section
from workbench.report.renderers.markdown import markdown_table
from workbench.report.table import Cell, Number, Table, number, whole

FIGURE = Path("docs") / "figures" / "planning.png"
#: The ways of planning, and the words for them.
WAYS = {
    "now": "no change",
    "law_all": "power law, all subsamples",
    "law": "power law, without the smallest",
    "mean_gain": "mean gain elsewhere",
    "mean_share": "mean share elsewhere",
    "relative": "twins, relative gain",
    "twins": "twins",
}
SHORT = {
    "law_all": "power law (all)",
    "law": "power law",
    "mean_gain": "mean gain",
    "mean_share": "mean share",
    "relative": "twins (rel.)",
}
#: The ways that are held against no change on the tables that judge; the first decides.
JUDGED = ("relative", "twins", "law", "law_all")
MINUS = "\N{MINUS SIGN}"
#: How many of the worst and of the best forecasts are shown.
WORST = 12
PLACE = ["kind", "n_rows", "times"]


def main() -> None:
    """Read episodes, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("episodes", type=Path, nargs="*", help="the files that run_planning.py wrote")
    parser.add_argument(
        "--alone", type=Path, nargs="*", default=[], help="those of learners run on their own"
    )
    parser.add_argument("--judged", type=Path, nargs="*", default=[], help="those of the tables that judge")
    parser.add_argument("--notes", type=Path, required=True, help="the page with markers")
    asked = parser.parse_args()
    if asked.judged:
        text = "\n\n".join(map(markdown_table, judgment(_read(asked.judged))))
        write_section(asked.notes, text, "judged", stays=["Mean", "Nearer"])
        return
    found = _read(asked.episodes)
    alone = _read(asked.alone) if asked.alone else found[:0]
    text = "\n\n".join(map(markdown_table, tables(found, alone)))
    write_section(asked.notes, text, stays=["Mean absolute error of the loss, in bits", "Of the learner"])
    draw(found)


def _read(places: Sequence[Path]) -> pd.DataFrame:
    return prepared(pd.concat([pd.read_csv(place) for place in places], ignore_index=True))


def prepared(found: pd.DataFrame) -> pd.DataFrame:
    """Add what came, whether the interval holds it, and forecasts by the gains on the other sources."""
    found = found.assign(
        gain=found["realized_now"] - found["realized"],
        less=found["now"] - found["realized"],
        share=found["realized"] / found["now"],
        share_of_now=found["realized"] / found["realized_now"],
        holds=found["realized"].between(found["low"], found["high"]).astype(float),
        above=(found["realized"] > found["high"]).astype(float),
        half=(found["high"] - found["low"]) / 2,
    )
    for what in ("less", "gain", "share", "share_of_now"):
        own = found.groupby([*PLACE, "learner", "source"])[what].mean()
        groups = own.groupby(level=[*PLACE, "learner"])
        n_others = groups.transform("count") - 1
        others = ((groups.transform("sum") - own) / n_others.where(n_others > 1)).rename(f"{what}_elsewhere")
        found = found.join(others, on=[*PLACE, "learner", "source"])
    plans = found.groupby(["source", "n_rows", "draw", "times"])
    return found.assign(
        mean_gain=(found["now"] - found["less_elsewhere"]).clip(lower=0.0),
        mean_share=found["now"] * found["share_elsewhere"],
        leads=plans["now"].rank(method="first") == 1,
    )


def tables(found: pd.DataFrame, alone: pd.DataFrame) -> Iterator[Table]:
    """Yield all tables; learners run on their own are in that of learners."""
    yield _episodes(found)
    yield _errors(found, "the loss")
    yield _leaders(found)
    yield _errors(found, "the gain", gain=True)
    yield _relative_errors(found)
    yield _pairs(found)
    yield _coverage(found)
    yield _by_learner(pd.concat([found, alone], ignore_index=True))
    yield _by_classes(found)
    yield _flags(found)
    yield _needed(found)
    yield _choices(found)
    yield _failures(found)


def judgment(found: pd.DataFrame) -> Iterator[Table]:
    """Yield the tables of those that judge: which way is nearer than no change, and by how much."""
    yield replace(_errors(found, "the loss"), title="Mean absolute error of the loss, in bits")
    yield _nearer(found)
    yield replace(_relative_errors(found), title="Errors as shares of the loss now")
    yield _signs(found)
    yield _held(found)
    yield replace(_by_learner(found), title="By learner")
    yield replace(_by_classes(found), title="By number of classes")
    yield replace(_flags(found), title="Where the two ways disagree")
    yield _each(found)


def _nearer(found: pd.DataFrame) -> Table:
    """Hold no change against each way, paired by table: all, parts, and without the largest differences."""
    parts = [("all", found)]
    parts += [(f"{n} rows", own) for n, own in found.groupby("n_rows")]
    parts += [(f"{few} classes", own) for few, own in found.groupby(_few_or_many(found), observed=True)]
    parts += [(str(learner), own) for learner, own in found.groupby("learner")]
    less = missed(found, "now") - missed(found, "relative")
    largest = by_source(found, less).abs().sort_values().index[::-1]
    parts += [(f"without the {k} largest", found[~found["source"].isin(largest[:k])]) for k in (1, 3, 5)]
    rows: list[tuple[Cell, ...]] = []
    for words, own in parts:
        cells: list[Cell] = []
        for way in JUDGED:
            each = by_source(own, missed(own, "now") - missed(own, way))
            cells += [mean_of(own, missed(own, "now") - missed(own, way), 4, signed=True)]
            cells += [_bootstrap(each), f"{int((each > 0).sum())} of {len(each)}"]
        rows.append((words, *cells))
    heads = [head for way in JUDGED for head in (WAYS[way], "bootstrap", "tables where nearer")]
    return Table(
        "Nearer than no change, in bits",
        ("", *heads),
        tuple(rows),
        note=(
            "Of the loss at four times the rows, over tables, with 95% t intervals and those of 10,000 "
            "bootstraps of tables. The interval of relative gains in the first line decides. Largest: by the "
            "difference of relative gains, to either side."
        ),
    )


def _bootstrap(each: pd.Series) -> str:
    """Return the 95% interval of a mean by bootstraps of tables."""
    rng = generator_for("bootstrap of the tables that judge plans")
    means = each.to_numpy()[rng.integers(len(each), size=(10_000, len(each)))].mean(axis=1)
    return " to ".join(f"{end:+.4f}".replace("-", MINUS) for end in np.quantile(means, (0.025, 0.975)))


def _signs(found: pd.DataFrame) -> Table:
    """Count how often more rows brought a gain, and how often a way said rightly whether."""
    rows: list[tuple[Cell, ...]] = []
    for place, own in _places(found):
        came = own["less"] > 0
        rights = [share_of(own, (own[way] < own["now"]) == came) for way in JUDGED]
        rows.append((place[-1], share_of(own, came), *rights))
    heads = (f"right: {WAYS[way]}" for way in JUDGED)
    return Table("The sign of the gain", ("rows", "gains", *heads), tuple(rows))


def _held(found: pd.DataFrame) -> Table:
    """Say how often intervals hold, around twins in bits and around relative gains."""
    half = WIDENING * np.hypot(found["error"], found["relative_spread"])
    below = found["realized"] < found["relative"] - half
    above = found["realized"] > found["relative"] + half
    rows: list[tuple[Cell, ...]] = []
    for words, part in (("all learners", found), ("of the lowest loss now", found[found["leads"]])):
        for place, own in _places(part):
            shares = [share_of(own, held) for held in (own["holds"], ~(below | above)[own.index])]
            cells = (share_of(own, above[own.index]), number(by_source(own, half).mean(), 3))
            rows.append((words, place[-1], *shares, *cells))
    return Table(
        "How often intervals hold, nominally 80%",
        ("", "rows", "twins", "relative gains", "loss above", "half width"),
        tuple(rows),
    )


def _each(found: pd.DataFrame) -> Table:
    """List the errors of each table."""
    errors = pd.DataFrame({way: by_source(found, missed(found, way)) for way in ("now", *JUDGED)})
    errors["less"] = errors["now"] - errors["relative"]
    rows = [
        (
            str(source),
            *(number(row[way], 4) for way in ("now", *JUDGED)),
            Number(row["less"], 4, form="signed"),
        )
        for source, row in errors.sort_values("less").iterrows()
    ]
    return Table(
        "Errors of each table",
        ("table", *(WAYS[way] for way in ("now", *JUDGED)), "nearer by relative gains"),
        tuple(rows),
    )


def _few_or_many(found: pd.DataFrame) -> pd.Series:
    return pd.cut(found["n_classes"], [1, 2, 5, 99], labels=["2", "3 to 5", "6 and more"])


def missed(found: pd.DataFrame, way: str, gain: bool = False) -> pd.Series:
    """Return how far a way was from the loss that came, or from the gain on the same test rows."""
    if not gain:
        return (found[way] - found["realized"]).abs()
    return (expected_gain(found, way) - found["gain"]).abs()


def expected_gain(found: pd.DataFrame, way: str) -> pd.Series:
    """Return the gain that a way expects over learners that have all present rows."""
    if way == "now":
        return found["now"] * 0
    if way == "mean_gain":
        return found["gain_elsewhere"]
    if way == "mean_share":
        return found["now"] * (1 - found["share_of_now_elsewhere"])
    return found[f"{way}_at_now"] - found[way]


def by_source(own: pd.DataFrame, values: pd.Series) -> pd.Series:
    """Average over rows, draws and learners, so that every source counts once."""
    return values.loc[own.index].groupby(own["source"]).mean().dropna()


def mean_of(own: pd.DataFrame, values: pd.Series, digits: int = 3, signed: bool = False) -> Number:
    """Return the mean over sources with its interval."""
    each = by_source(own, values)
    if len(each) < 2:
        return number(each.mean(), digits)
    ends = mean_intervals(each.to_numpy()[:, None], n_intervals=1)
    low, high = ends.low.item(), ends.high.item()
    return Number(each.mean(), digits, "", low, high, form="signed" if signed else "plain")


def share_of(own: pd.DataFrame, values: pd.Series) -> Number:
    """Return a share, sources counted alike, with its interval, which ends at 0 and 1."""
    cell = mean_of(own, values.astype(float))
    return replace(cell, low=max(cell.low, 0.0), high=min(cell.high, 1.0))


def _places(found: pd.DataFrame) -> Iterator[tuple[tuple[Cell, ...], pd.DataFrame]]:
    """Yield kinds and times, of all numbers of rows together and then of each."""
    for (kind, times), all_rows in found.groupby(["kind", "times"]):
        yield (f"{kind}s", whole(times), "all"), all_rows
        for n_rows, own in all_rows.groupby("n_rows"):
            yield (f"{kind}s", whole(times), whole(n_rows)), own


def _episodes(found: pd.DataFrame) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for place, own in _places(found):
        plans = own.drop_duplicates(["source", "n_rows", "draw"])
        tested = f"{plans['n_test'].min()} to {plans['n_test'].max()}"
        counts = (own["source"].nunique(), len(plans), len(own))
        rows.append((*place, *map(whole, counts), tested, number(plans["seconds"].median(), 1)))
    return Table(
        "Episodes",
        ("", "times", "rows", "sources", "plans", "forecasts", "test rows", "seconds a plan"),
        tuple(rows),
        note="A plan is of one draw of rows; it has a forecast for each learner and number of rows.",
    )


def _errors(found: pd.DataFrame, what: str, gain: bool = False) -> Table:
    """Mean absolute errors of all ways, sources counted alike."""
    rows: list[tuple[Cell, ...]] = [
        (*place, *(mean_of(own, missed(own, way, gain)) if place[-1] == "all" else
                   number(by_source(own, missed(own, way, gain)).mean(), 3) for way in WAYS))
        for place, own in _places(found)
    ]  # fmt: skip
    return Table(
        f"Mean absolute error of {what}, in bits",
        ("", "times", "rows", *WAYS.values()),
        tuple(rows),
        note="Means over sources of means over draws and learners; 95% intervals over sources, each alone.",
    )


def _leaders(found: pd.DataFrame) -> Table:
    """Judge the learner that the answer speaks of: the one with the lowest loss now."""
    rows: list[tuple[Cell, ...]] = []
    for place, all_learners in _places(found):
        if place[-1] != "all":
            continue
        leaders = all_learners[all_learners["leads"]]
        for words, own in (("all", leaders), ("where they agree", leaders[leaders["disagree"] == 0])):
            errors = [mean_of(own, missed(own, way)) for way in ("now", "law", "relative", "twins")]
            bias = mean_of(own, own["twins"] - own["realized"], signed=True)
            held = (share_of(own, own["holds"]), share_of(own, own["above"]))
            rows.append((*place[:2], words, whole(len(own)), *errors, bias, *held))
    return Table(
        "Of the learner with the lowest loss now alone, as the answer of a plan is",
        ("", "times", "plans", "forecasts", "no change", "power law", "twins, relative gain", "twins",
         "twins less what came", "hold", "loss above"),
        tuple(rows),
        note="Where the two ways disagree, the answer says that it cannot be said.",
    )  # fmt: skip


def _relative_errors(found: pd.DataFrame) -> Table:
    """Count errors as shares of the present loss, so that tables of many bits do not count for more."""
    rows: list[tuple[Cell, ...]] = [
        (*place[:2], *(mean_of(own, missed(own, way) / own["now"]) for way in WAYS))
        for place, own in _places(found)
        if place[-1] == "all"
    ]
    return Table(
        "Mean absolute error of the loss, as a share of the loss now",
        ("", "times", *WAYS.values()),
        tuple(rows),
        note="Means over sources, with 95% intervals, each alone.",
    )


def _pairs(found: pd.DataFrame) -> Table:
    """Twins against every other way, paired by source."""
    rows: list[tuple[Cell, ...]] = []
    for place, own in _places(found):
        if place[-1] != "all":
            continue
        for way, words in WAYS.items():
            if way == "twins":
                continue
            cells = []
            for gain in (False, True):
                less = missed(own, way, gain) - missed(own, "twins", gain)
                each = by_source(own, less)
                cells += [mean_of(own, less, signed=True), _without_one(each)]
                cells.append(f"{int((each > 0).sum())} of {len(each)}")
            rows.append((*place[:2], words, *cells))
    return Table(
        "By how many bits twins were nearer to the loss, and to the gain",
        ("", "times", "than", "loss: nearer by", "without one", "sources where nearer",
         "gain: nearer by", "without one", "sources where nearer"),
        tuple(rows),
        note=(
            "95% intervals over sources, each alone. Draws of one table share rows: tables are counted. "
            "\"Without one\": the range of the mean when any one source is left out."
        ),
    )  # fmt: skip


def _without_one(each: pd.Series) -> str:
    """Return the range of the mean when any one source is left out."""
    means = (each.sum() - each) / (len(each) - 1)
    return " to ".join(f"{value:+.3f}".replace("-", MINUS) for value in (means.min(), means.max()))


def _coverage(found: pd.DataFrame) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (*place, share_of(own, own["holds"]), share_of(own, own["above"]), number(each.mean(), 3))
        for place, own in _places(found)
        for each in [by_source(own, own["half"])]
    ]  # fmt: skip
    return Table(
        "How often intervals of the expected loss hold, nominally 80%",
        ("", "times", "rows", "hold", "loss above", "half width"),
        tuple(rows),
        note="Shares of forecasts, sources counted alike, with 95% intervals over sources.",
    )


def _by_learner(found: pd.DataFrame) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for (kind, learner, times), own in found.groupby(["kind", "learner", "times"]):
        errors = [number(by_source(own, missed(own, way)).mean(), 3) for way in WAYS]
        bias = mean_of(own, own["twins"] - own["realized"], signed=True)
        too_much = mean_of(own, expected_gain(own, "twins") - own["gain"], signed=True)
        held = number(by_source(own, own["holds"]).mean(), 3)
        rows.append((f"{kind}s", learner, whole(times), *errors, bias, too_much, held))
    return Table(
        "By learner: mean absolute error of the loss, mean errors of twins, and how often intervals hold",
        ("", "learner", "times", *WAYS.values(), "loss: twins less what came", "gain: the same", "hold"),
        tuple(rows),
        grouped=True,
    )


def _by_classes(found: pd.DataFrame) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for (kind, few, times), own in found.groupby(["kind", _few_or_many(found), "times"], observed=True):
        errors = [number(by_source(own, missed(own, way)).mean(), 3) for way in WAYS]
        bias = mean_of(own, own["twins"] - own["realized"], signed=True)
        held = number(by_source(own, own["holds"]).mean(), 3)
        rows.append((f"{kind}s", str(few), whole(times), whole(own["source"].nunique()), *errors, bias, held))
    return Table(
        "By number of classes: mean absolute error of the loss",
        ("", "classes", "times", "sources", *WAYS.values(), "twins less what came", "hold"),
        tuple(rows),
        grouped=True,
    )


def _flags(found: pd.DataFrame) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for (kind, times, flag), own in found.groupby(["kind", "times", "disagree"]):
        errors = [mean_of(own, missed(own, way)) for way in ("now", "law", "twins")]
        words = "disagree" if flag else "agree"
        rows.append((f"{kind}s", whole(times), words, whole(len(own)), *errors, share_of(own, own["holds"])))
    return Table(
        "Where the two ways disagree",
        ("", "times", "they", "forecasts", "error of no change", "of the power law", "of twins", "hold"),
        tuple(rows),
    )


def _needed(found: pd.DataFrame) -> Table:
    """Hold the rows that nine tenths of the present loss were said to take against what they took."""
    rows: list[tuple[Cell, ...]] = []
    # Learners that lost more than that on the test rows: by chance many already lose less than was measured.
    farthest = found.groupby(["source", "n_rows", "draw", "learner"])["times"].transform("max")
    asked = found[(found["times"] == farthest) & (found["came"] != found["n_rows"])]
    for (kind, times), own in asked.groupby(["kind", "times"]):
        low, high, came = own["needed_low"], own["needed_high"], own["came"].fillna(np.inf)
        outcomes = (high.isna(), (low <= came) & (came <= high), came > high, came < low)
        shares = [share_of(own, outcome) for outcome in outcomes]
        wide = number(np.log2(high / low).mean(), 1)
        rows.append((f"{kind}s", whole(times), share_of(own, own["came"].notna()), *shares, wide))
    return Table(
        "Rows that a loss of nine tenths of the present one was said to take, and took",
        ("", "up to times", "reached", "cannot say", "in the range", "took more", "took fewer", "doublings"),
        tuple(rows),
        note=(
            "Shares of forecasts, sources counted alike; doublings are the mean width of ranges. Learners "
            "that already lost less on the test rows are left out."
        ),
    )


def _choices(found: pd.DataFrame) -> Table:
    """Count what is lost by taking the learner that looks best, and not the one that turned out best."""
    rows: list[tuple[Cell, ...]] = []
    for (kind, times), own in found.groupby(["kind", "times"]):
        plans = own.groupby(["source", "n_rows", "draw"])
        best = plans["realized"].min()
        cells = []
        for way in ("now", "law", "twins"):
            taken = own.loc[plans[way].idxmin()].set_index(["source", "n_rows", "draw"])["realized"]
            lost = (taken - best).groupby(level="source").mean()
            ends = mean_intervals(lost.to_numpy()[:, None], n_intervals=1) if len(lost) > 1 else None
            cells.append(number(lost.mean(), 3, "", (ends.low.item(), ends.high.item()) if ends else ()))
        rows.append((f"{kind}s", whole(times), *cells))
    return Table(
        "Bits lost by the choice of a learner",
        ("", "times", "the best now", "by the power law", "by twins"),
        tuple(rows),
        note="To the learner that turned out best.",
    )


def _failures(found: pd.DataFrame) -> Table:
    each = found.assign(
        missed=missed(found, "twins"), by_law=missed(found, "law"), by_now=missed(found, "now")
    )
    each = each.assign(too_much=found["twins"] - found["realized"])
    own = each.groupby(["source", "n_classes", "n_rows", "times"])
    means = own[["missed", "too_much", "by_law", "by_now", "holds"]].mean()
    worst = means.sort_values("missed", ascending=False).head(WORST).reset_index()
    rows = [
        (row["source"], whole(row["n_classes"]), whole(row["n_rows"]), whole(row["times"]),
         number(row["missed"], 3), Number(row["too_much"], 3, form="signed"), number(row["by_law"], 3),
         number(row["by_now"], 3), number(row["holds"], 3))
        for row in worst.to_dict("records")
    ]  # fmt: skip
    return Table(
        "Where twins were farthest from what came",
        ("source", "classes", "rows", "times", "error of twins", "mean error", "error of the power law",
         "of no change", "intervals hold"),
        tuple(rows),
    )  # fmt: skip


def draw(found: pd.DataFrame) -> None:
    """Draw what was expected against what came, and the errors of all ways."""
    with figure_style():
        figure = Figure(figsize=(8.4, 7.0), layout="constrained")
        for line, kind in zip(figure.subplots(2, 2), ("table", "truth"), strict=True):
            own = found[found["kind"] == kind]
            _scatter(line[0], own, kind)
            _dots(line[1], own)
        save_figure(figure, FIGURE, dpi=120)


def _scatter(ax: Any, own: pd.DataFrame, kind: str) -> None:
    points = own.assign(expected=expected_gain(own, "twins"))
    means = (
        points.groupby(["source", "n_rows", "learner", "times"])[["expected", "gain"]].mean().reset_index()
    )
    for i, (times, part) in enumerate(means.groupby("times")):
        ax.plot(
            part["expected"], part["gain"], "os"[i], color=SERIES[i], markersize=3.2, alpha=0.55,
            markeredgewidth=0, label=f"{times} times the rows",
        )  # fmt: skip
    ends = _ends(means[["expected", "gain"]].to_numpy())
    ax.plot(ends, ends, color=GREY, linewidth=1)
    ax.axhline(0, color=GREY, linewidth=0.6)
    ax.set(
        xlim=ends, ylim=ends,
        xlabel="gain that twins expect [bits a row]", ylabel="gain that came [bits a row]",
        title=f"{kind}s: one point for a source, rows and learner",
    )  # fmt: skip
    ax.grid(visible=True, axis="both")
    ax.legend(loc="upper left")


def _ends(values: np.ndarray) -> tuple[float, float]:
    low, high = np.quantile(values, 0.002), np.quantile(values, 0.998)
    return float(low - 0.05 * (high - low)), float(high + 0.05 * (high - low))


def _dots(ax: Any, own: pd.DataFrame) -> None:
    """Draw the error of each way with its interval over sources."""
    ways: Sequence[str] = list(WAYS)
    for i, (times, part) in enumerate(own.groupby("times")):
        values = np.column_stack([by_source(part, missed(part, way)) for way in ways])
        ends = mean_intervals(values, n_intervals=1)
        at = np.arange(len(ways)) + (0.14 if i else -0.14)
        ax.errorbar(
            values.mean(axis=0), at, xerr=ends.half_width, fmt="os"[i], color=SERIES[i], elinewidth=1.1,
            markersize=4.5, label=f"{times} times the rows",
        )  # fmt: skip
    ax.set_yticks(np.arange(len(ways)), [SHORT.get(way, WAYS[way]) for way in ways])
    ax.invert_yaxis()
    ax.set(
        xlim=(0, None),
        xlabel="mean absolute error of the loss [bits a row]",
        title="errors, with 95% intervals",
    )
    ax.grid(visible=True, axis="x")
    ax.grid(visible=False, axis="y")


if __name__ == "__main__":
    main()
