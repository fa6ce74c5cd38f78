"""Write the tables of this study: how far each way of planning was from what more rows brought.

Run from the root of the repository, after `run_planning.py`:

    python experiments/studies/planning/write_notes.py planning.csv \
        --notes experiments/studies/planning/notes.md

Writes between the markers of the notes.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from workbench.comparisons import mean_intervals
from workbench.report.renderers.markdown import between_markers, markdown_table
from workbench.report.table import Cell, Number, Table, number, whole

#: The ways of planning, and the words for them.
WAYS = {
    "now": "no change",
    "law_all": "power law, all subsamples",
    "law": "power law, without the smallest",
    "mean_gain": "mean gain on the other tables",
    "relative": "twins, relative gain",
    "twins": "twins",
}
#: Learners and sources that a table of failures shows.
WORST = 10
PLACE = ["kind", "n_rows", "times"]


def main() -> None:
    """Read episodes, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("episodes", type=Path, help="the file that run_planning.py wrote")
    parser.add_argument("--notes", type=Path, required=True, help="the page with markers")
    asked = parser.parse_args()
    found = with_mean_gain(pd.read_csv(asked.episodes))
    parts = [markdown_table(table) for table in tables(found)]
    page = asked.notes.read_text(encoding="utf-8")
    asked.notes.write_text(between_markers(page, "\n\n".join(parts)), encoding="utf-8")


def with_mean_gain(found: pd.DataFrame) -> pd.DataFrame:
    """Add the forecast of no plan at all: what the learner gained on the other sources of its kind."""
    gains = found["realized_now"] - found["realized"]
    own = found.assign(gain=gains).groupby([*PLACE, "learner", "source"])["gain"].agg(["sum", "count"])
    total = own.groupby(level=[*PLACE, "learner"]).transform("sum")
    others = (total - own) if len(own) else own
    mean = (others["sum"] / others["count"].where(others["count"] > 0)).rename("others")
    joined = found.join(mean, on=[*PLACE, "learner", "source"])
    return joined.assign(mean_gain=(joined["now"] - joined["others"]).clip(lower=0.0))


def tables(found: pd.DataFrame) -> Iterator[Table]:
    """Yield all tables."""
    yield _errors(found, "the loss", found["realized"])
    yield _errors(found, "the gain", found["realized"], gain=True)
    yield _pairs(found)
    yield _coverage(found)
    yield _by_learner(found)
    yield _flags(found)
    yield _failures(found)


def _missed(found: pd.DataFrame, way: str, gain: bool = False) -> pd.Series:
    """Return how far a way was from the loss that came, or from the gain on the same test rows."""
    if gain:
        return ((found["now"] - found[way]) - (found["realized_now"] - found["realized"])).abs()
    return (found[way] - found["realized"]).abs()


def _errors(found: pd.DataFrame, what: str, realized: pd.Series, gain: bool = False) -> Table:
    """Mean absolute errors of all ways, sources counted alike."""
    rows: list[tuple[Cell, ...]] = []
    for place, own in found.groupby(PLACE):
        cells = [_by_source(own, _missed(own, way, gain)).mean() for way in WAYS]
        name = "gain" if gain else "loss"
        numbers = [number(value, 3, f"{name}|{way}|{place}") for way, value in zip(WAYS, cells, strict=True)]
        rows.append((*_place_cells(place), whole(own["source"].nunique()), *numbers))
    return Table(
        f"Mean absolute error of {what}, in bits",
        ("", "rows", "times", "sources", *WAYS.values()),
        tuple(rows),
        note="Means over sources of means over draws and learners.",
    )


def _pairs(found: pd.DataFrame) -> Table:
    """Twins against every other way, paired by source."""
    rows: list[tuple[Cell, ...]] = []
    for place, own in found.groupby(PLACE):
        if own["source"].nunique() < 2:
            continue
        for way, words in WAYS.items():
            if way == "twins" or own[way].isna().any():
                continue
            less = _by_source(own, _missed(own, way) - _missed(own, "twins"))
            ends = mean_intervals(less.to_numpy()[:, None], n_intervals=1)
            interval = (ends.low.item(), ends.high.item())
            share = f"{int((less > 0).sum())} of {len(less)}"
            rows.append((*_place_cells(place), words, number(less.mean(), 3, "", interval), share))
    return Table(
        "By how many bits twins were nearer, with 95% intervals over sources, each alone",
        ("", "rows", "times", "than", "nearer by", "sources where nearer"),
        tuple(rows),
        note="Draws of one table share rows, so tables are counted and not draws.",
    )


def _coverage(found: pd.DataFrame) -> Table:
    rows: list[tuple[Cell, ...]] = []
    inside = ((found["low"] <= found["realized"]) & (found["realized"] <= found["high"])).astype(float)
    above = (found["realized"] > found["high"]).astype(float)
    for place, own in found.groupby(PLACE):
        half = (own["high"] - own["low"]) / 2
        cells = (_by_source(own, one.loc[own.index]).mean() for one in (inside, above, half))
        rows.append((*_place_cells(place), *(number(value, 3) for value in cells)))
    return Table(
        "Intervals of the expected loss, nominally 80%",
        ("", "rows", "times", "hold", "loss above", "half width"),
        tuple(rows),
    )


def _by_learner(found: pd.DataFrame) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for (learner, times), own in found.groupby(["learner", "times"]):
        inside = own["realized"].between(own["low"], own["high"]).astype(float)
        bias = _by_source(own, own["twins"] - own["realized"]).mean()
        errors = [number(_by_source(own, _missed(own, way)).mean(), 3) for way in WAYS]
        held = number(_by_source(own, inside).mean(), 3)
        rows.append((learner, whole(times), *errors, Number(bias, 3, form="signed"), held))
    return Table(
        "By learner: mean absolute error of the loss, mean error of twins, and how often intervals hold",
        ("learner", "times", *WAYS.values(), "twins less what came", "hold"),
        tuple(rows),
        grouped=True,
    )


def _flags(found: pd.DataFrame) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for flag, own in found.groupby("disagree"):
        inside = own["realized"].between(own["low"], own["high"]).mean()
        missed = [number(_missed(own, way).mean(), 3) for way in ("law", "twins")]
        words = "disagree" if flag else "agree"
        rows.append((words, whole(len(own)), *missed, number(inside, 3)))
    return Table(
        "Where the two ways disagree",
        ("they", "forecasts", "error of the power law", "error of twins", "intervals hold"),
        tuple(rows),
    )


def _failures(found: pd.DataFrame) -> Table:
    missed = found.assign(missed=_missed(found, "twins"), by_law=_missed(found, "law"))
    own = missed.groupby(["source", "n_classes", "n_rows", "times"])[["missed", "by_law"]].mean()
    worst = own.sort_values("missed", ascending=False).head(WORST).reset_index()
    rows = [
        (row["source"], whole(row["n_classes"]), whole(row["n_rows"]), whole(row["times"]),
         number(row["missed"], 3), number(row["by_law"], 3))
        for row in worst.to_dict("records")
    ]  # fmt: skip
    return Table(
        "Where twins were farthest from what came",
        ("source", "classes", "rows", "times", "error of twins", "of the power law"),
        tuple(rows),
    )


def _by_source(own: pd.DataFrame, values: pd.Series) -> pd.Series:
    """Average over draws and learners, so that every source counts once."""
    return values.groupby(own["source"]).mean()


def _place_cells(place: object) -> tuple[Cell, ...]:
    kind, n_rows, times = np.asarray(place, dtype=object).tolist()
    return (f"{kind}s", whole(n_rows), whole(times))


if __name__ == "__main__":
    main()
