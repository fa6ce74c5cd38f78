"""The tables of a reproduction's page: counts, orders, signs, every cell, ablations."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from workbench.base.names import learner_name
from workbench.report.table import Cell, Number, Table, number, whole
from workbench.reproduction.ablations import over_tables
from workbench.reproduction.counts import ALL
from workbench.reproduction.judging.finding import DIFFER, JUDGED, NEAR, UNKNOWN
from workbench.reproduction.page.sentences import nearness
from workbench.reproduction.reproduction import Reproduction

__all__ = [
    "before_and_after_tables",
    "cells_tables",
    "counts_table",
    "ranks_table",
    "sensitivity_tables",
    "signs_table",
    "sizes_tables",
]

CELLS = (
    "Each cell: ours, printed, ours minus printed (tail share). Bold: differs. Near: differs by less than "
    "the table's threshold. ?: not judged, see below. \u2013: no value."
)
CONTRASTS = (
    " Each learner minus the mean of the data set's learners, because levels are printed up to a constant "
    "per data set. The cells of a data set sum to zero, so one is not free."
)
OUTCOMES = (
    "Each cell: the printed outcome (share of our draws with the same outcome). > : the first learner of the "
    "pair wins. < : the second wins. = : neither wins. Bold: differs. ?: not judged, see below."
)


def counts_table(found: Reproduction) -> Table:
    """Return how many cells of each table agree."""
    rows: list[tuple[Cell, ...]] = []
    for name, row in [*found.counts.iterrows(), *found.totals.iterrows()]:
        counts = [whole(row[word], f"{word}|{name}") for word in ("cells", *JUDGED, UNKNOWN)]
        expected = number(float(row["expected_by_chance"]), 1, f"expected_by_chance|{name}")
        median = row.get("median_difference", math.nan)
        typical = number(median, 3, f"median_difference|{name}") if math.isfinite(median) else ""
        sets = [whole(row[word], f"{word}|{name}") for word in ("datasets", "datasets_differ")]
        rows.append((str(name), *counts, expected, typical, *sets))
    columns = ("table", "cells", *JUDGED, UNKNOWN, "expected by chance", "median distance", "data sets",
               "with a cell that differs")  # fmt: skip
    return Table("Printed cells", columns, tuple(rows), _counted(found))


def _counted(found: Reproduction) -> str:
    """Return what the columns of the counts are, and what the totals count."""
    words = nearness(found).replace("differ", "does not agree and differs", 1)
    near = f"Near: {words}. " if words else ""
    return (
        f"{near}Expected by chance: cells that would not agree even if everything were reproduced. Median "
        "distance: of ours from the published value, in the printed unit. The totals exclude facts of data "
        "sets and pairs not printed as significant, which hardly ever differ."
    )


def before_and_after_tables(found: Reproduction, before: Reproduction) -> Iterator[Table]:
    """Return the verdicts before and after: of each table, and of each learner in all tables and in each."""
    frame = found.compared_with(before)
    whole_tables = frame["learner"] == ALL
    note = (
        f"Cells of the totals that are judged both in the study before ({before.results.study.name}, seed "
        f"{before.results.study.seed}) and in this one, matched by printed names. Median: distance of ours "
        "from the published value, in the printed unit."
    )
    for title, rows, words in (
        ("Before and after", frame[whole_tables].drop(columns="learner"), note),
        ("Before and after, by learner", frame[~whole_tables], "A pair of learners counts for both."),
    ):
        columns = tuple(str(column).replace("_", " ") for column in rows.columns)
        cells = tuple(tuple(_blank(value) for value in row) for row in rows.itertuples(index=False))
        yield Table(title, columns, cells, words)


def ranks_table(found: Reproduction) -> Table:
    """Return rank correlations of learners with the published order, over the data sets of each table."""
    rows: list[tuple[Cell, ...]] = []
    for name, own in found.ranks.groupby("table", sort=False):
        known = own["spearman"].dropna()
        mean, low, high = (known.mean(), known.min(), known.max()) if len(known) else (math.nan,) * 3
        ends = [number(end, 2, f"spearman {word}|{name}") for word, end in (("least", low), ("most", high))]
        rows.append((str(name), whole(len(known)), number(mean, 2, f"spearman mean|{name}"), *ends))
    note = "Spearman's rank correlation of our and the printed values of the learners, for each data set."
    columns = ("table", "data sets", "mean", "lowest", "highest")
    return Table("Order of the learners", columns, tuple(rows), note)


def signs_table(found: Reproduction) -> Table:
    """Return how many published significant differences have our sign."""
    rows: list[tuple[Cell, ...]] = []
    for name, row in found.signs.iterrows():
        rows.append(
            (
                str(name),
                whole(row["printed"], f"printed|{name}"),
                whole(row["same_sign"], f"same_sign|{name}"),
                number(row["share"], 2, f"share|{name}"),
            )
        )
    note = "Same sign: our means differ in the direction of the difference printed as significant."
    columns = ("table", "printed as significant", "same sign", "share")
    return Table("Direction of significant differences", columns, tuple(rows), note)


def cells_tables(found: Reproduction, name: str) -> Iterator[Table]:
    """Return every cell of a table, learners or pairs across, and why some are not judged."""
    cells = found.cells[found.cells["table"] == name]
    if (cells["statistic"] == "significance").all():
        order = found.results.study.learner_keys
        places = {key: i for i, key in enumerate(found.results.study.source_keys)}
        # A file of outcomes is sorted by winner, not by data set.
        ordered = cells.sort_values("dataset", key=lambda own: own.map(places), kind="stable")
        yield _outcomes(name, ordered, order)
    else:
        columns = list(map(_who, cells["learner"], cells["other"]))
        words = CONTRASTS if (cells["statistic"] == "contrast").all() else ""
        yield _grid(name, cells.assign(column=columns), words)
    yield from _unknown(name, cells)


def sizes_tables(found: Reproduction, names: Sequence[str]) -> Iterator[Table]:
    """Return the facts of the data sets, data sets down and facts across."""
    cells = found.cells[found.cells["table"].isin(names)]
    yield _grid("Facts of the data sets", cells.assign(column=cells["table"]))
    yield from _unknown("Facts of the data sets", cells)


def sensitivity_tables(found: Reproduction) -> Iterator[Table]:
    """Return how many cells each ablation moves in and out, over all tables and in each."""
    frame = found.sensitivity.drop(columns="measured")
    whole = over_tables(found.sensitivity).drop(columns="measured")
    note = (
        "Each ablation changes one setting of a learner, or the score of some tables (\u201call\u201d). "
        "Moved in: cells that agree or are near only with the ablation. Moved out: only without it. Before, "
        "after: the mean distance of ours from the published value, in standard deviations of the draws "
        "before, on the same splits. Cells that move in without a smaller distance may only be noisier. A "
        "better fit is an inference, not a fact of the paper."
    )
    for title, rows, words in (
        ("What each ablation moves", whole, note),
        ("What each ablation moves, table by table", frame, ""),
    ):
        columns = tuple(str(column).replace("_", " ") for column in rows.columns)
        cells = tuple(tuple(_any(value) for value in row) for row in rows.itertuples(index=False))
        yield Table(title, columns, cells, words)


def _grid(title: str, cells: pd.DataFrame, words: str = "") -> Table:
    """Return cells as a table, with column names from `column`."""
    columns = list(dict.fromkeys(cells["column"]))
    digits = {table: _decimals(own) for table, own in cells.groupby("table", sort=False)}
    rows: list[tuple[Cell, ...]] = []
    for dataset, own in cells.groupby("dataset", sort=False):
        by_column = {row.column: _cell(row, digits[row.table]) for row in own.itertuples(index=False)}
        rows.append((str(dataset), *[by_column.get(column, "") for column in columns]))
    return Table(title, ("data set", *columns), tuple(rows), CELLS + words)


def _cell(row: Any, digits: int) -> Number:
    # adding 0 turns -0 into 0
    ours, printed, gap = (round(value, digits) + 0.0 for value in (row.ours, row.printed, row.difference))
    texts = [number(value, digits).text for value in (ours, printed, gap)]
    sign = "+" if gap > 0 else ""
    near = ", near" if row.verdict == NEAR else ""
    text = f"{texts[0]} {texts[1]}\n{sign}{texts[2]} ({_tail(row)}{near})"
    return Number(float(row.ours), name=_name(row), words=text, strong=_differs(row))


def _decimals(cells: pd.DataFrame) -> int:
    """Count the published decimals, by the width of the rounding interval."""
    widths = (cells["high"] - cells["low"]).to_numpy(dtype=float)
    known = widths[np.isfinite(widths) & (widths > 0)]
    return max(0, int(np.ceil(-np.log10(known.min()) - 1e-6))) if known.size else 0


def _outcomes(title: str, cells: pd.DataFrame, order: Sequence[str]) -> Table:
    """Return which learner beats which, one column per pair."""
    ranks = {key: i for i, key in enumerate(order)}
    pairs = [
        tuple(sorted(pair, key=ranks.__getitem__))
        for pair in zip(cells["learner"], cells["other"], strict=True)
    ]
    cells = cells.assign(pair=pairs)
    columns = sorted(set(pairs), key=lambda pair: [ranks[key] for key in pair])
    rows: list[tuple[Cell, ...]] = []
    for dataset, own in cells.groupby("dataset", sort=False):
        by_pair = {row.pair: _outcome(row) for row in own.itertuples(index=False)}
        rows.append((str(dataset), *[by_pair.get(pair, "") for pair in columns]))
    return Table(
        title,
        ("data set", *[f"{learner_name(a)}, {learner_name(b)}" for a, b in columns]),
        tuple(rows),
        OUTCOMES,
    )


def _outcome(row: Any) -> Number:
    sign = "=" if row.printed == 0 else ">" if row.learner == row.pair[0] else "<"
    words = f"{sign} ({_tail(row)})"
    return Number(float(row.tail), name=_name(row), words=words, strong=_differs(row))


def _unknown(title: str, cells: pd.DataFrame) -> Iterator[Table]:
    unknown = cells[cells["verdict"] == UNKNOWN]
    rows: list[tuple[Cell, ...]] = []
    for why, own in unknown.groupby("why", sort=False):
        who = map(_who, own["learner"], own["other"])
        places = [f"{dataset} {one}".rstrip() for dataset, one in zip(own["dataset"], who, strict=True)]
        rows.append((str(why), whole(len(own)), ", ".join(places)))
    if rows:
        yield Table(f"{title}: not judged", ("why", "cells", "which"), tuple(rows))


def _who(learner: object, other: object) -> str:
    first, second = (learner_name(str(one or "")) for one in (learner, other))
    return f"{first} \u2212 {second}" if other else first


def _name(row: Any) -> str:
    """Name a cell for programs that read the page."""
    return "|".join(map(str, ("ours", row.table, row.dataset, row.learner, row.other)))


def _differs(row: Any) -> bool:
    return bool(row.verdict == DIFFER)


def _tail(row: Any) -> str:
    if row.verdict == UNKNOWN:
        return "?"
    if row.tail < 0.1:  # near the level the third digit matters
        return "< 0.001" if row.tail < 0.001 else f"{row.tail:.3f}"
    return f"{row.tail:.2f}"


def _blank(value: object) -> Cell:
    """Return a value of a table, where a distance has three digits and one that is not there is blank."""
    if isinstance(value, float):
        return number(value, 3) if math.isfinite(value) else ""
    return _any(value)


def _any(value: object) -> Cell:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return whole(value) if float(value).is_integer() else number(float(value), 2)
