"""The table that a paper prints: means with their spread, learners down, the best set in bold."""

import itertools
import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.base.errors import check_known
from workbench.base.names import learner_name, source_name
from workbench.base.score_key import ScoreKey
from workbench.base.text import and_of
from workbench.report.table import PLAIN, Cell, Number, Table, plain

if TYPE_CHECKING:
    import pandas as pd

    from workbench.store.results import StudyResults

__all__ = ["means_frame", "paper_table"]

#: Decimals at least and at most; the median spread has two significant digits, the smallest one.
FEWEST, MOST = 2, 5


def paper_table(
    results: "StudyResults",
    score: ScoreKey | str | None,
    learners: Sequence[str] | None,
    sources: Sequence[str] | None,
    *,
    named: bool = True,  # whether learners and sources stand under their names, else their keys
) -> Table:
    """Return means of learners by size, each source of truths below the other, or by data set."""
    key, by = results.choose(score), results.design.blocks
    shown = list(learners or results.study.learner_keys)
    kept = list(sources or results.study.source_keys)
    check_known("learner", shown, results.study.learner_keys)
    check_known("source", kept, results.study.source_keys)
    cells = _cells(results.table(key), by.has_sizes, shown, kept)
    cells["best"] = _are_best(cells, results.metric(key.metric).sign, results.study.compared_learners())
    columns = list(dict.fromkeys(cells["column"]))
    name_of_learner, name_of_source = (learner_name, source_name) if named else (str, str)
    of_sources = by.has_sizes and len(kept) > 1
    index = ["source", "learner"] if of_sources else ["learner"]
    planned = (
        results.cells()
        .groupby("source", observed=True)[list(by.key)]
        .apply(lambda own: len(own.drop_duplicates()))
    )
    digits, most = _digits(cells["spread"]), int(planned.loc[kept].max())
    found = {names: own.set_index("column").to_dict("index") for names, own in cells.groupby(index)}
    rows: list[tuple[Cell, ...]] = []
    for names in itertools.product(*([kept, shown] if of_sources else [shown])):
        numbers = [_number(found.get(names, {}).get(column), digits, most) for column in columns]
        rows.append((*map(name_of_source, names[:-1]), name_of_learner(names[-1]), *numbers))
    spread = "half widths of 95% intervals" if by.has_sizes else "standard deviations over parts"
    note = (
        f"{results.metric(key.metric).measure}; \u00b1: {spread}; bold (or {PLAIN.strong}): the best mean of "
        f"the compared learners with scores on all {by.many}; of {most} {by.many}, n where there are fewer"
    )
    without = [learner for learner in shown if learner not in set(cells["learner"])]
    if without:
        reasons = [_with_reason(results, learner, name_of_learner(learner)) for learner in without]
        note += f"; without scores: {and_of(reasons)}"
    return Table(key.words, (*index, *columns), tuple(rows), note)


def _with_reason(results: "StudyResults", learner: str, name: str) -> str:
    """Name a learner with what its first failure said."""
    cells = results.cells()
    said = cells["message"][(cells["learner"] == learner) & (cells["state"] != "done")]
    return f"{name} ({said.iloc[0]})" if len(said) and said.iloc[0] else name


def means_frame(table: Table) -> "pd.DataFrame":
    """Return a table as text in a frame, whose columns are named by the score."""
    import pandas as pd

    n_names = sum(not table.is_numeric(i) for i in range(len(table.columns)))
    texts = [[plain(cell) for cell in row] for row in table.rows]
    frame = pd.DataFrame(texts, columns=list(table.columns)).set_index(list(table.columns[:n_names]))
    return frame.rename_axis(columns=table.title)


def _cells(
    means: "pd.DataFrame", has_sizes: bool, learners: Sequence[str], sources: Sequence[str]
) -> "pd.DataFrame":
    """Return one row per cell, in the order asked for: source, learner, column, mean, spread, n."""
    import pandas as pd

    if has_sizes:
        sizes = dict.fromkeys(means.columns.get_level_values(0))
        long = pd.concat({f"{size} rows": means[size] for size in sizes}, names=["column"]).reset_index()
        long = long.rename(columns={"half_width": "spread"})
    else:
        long = means.rename(columns={"sd": "spread"}).reset_index()
        long["column"] = long["source"]
    long["is_whole"] = long["n"] == long.groupby(["source", "column"], observed=True)["n"].transform("max")
    kept = long[long["learner"].isin(learners) & long["source"].isin(sources)]
    kept = kept.astype({"source": "str", "learner": "str"})
    for name, order in (("learner", learners), ("source", sources)):
        kept = kept.sort_values(name, key=lambda own, order=order: own.map([*order].index), kind="stable")
    return kept.reset_index(drop=True)


def _are_best(cells: "pd.DataFrame", sign: float, compared: Sequence[str]) -> "pd.Series":
    """Return which cells have the best mean of a source and column among compared learners without holes."""
    place = [cells["source"], cells["column"]]
    takes_part = cells["learner"].isin(compared) & cells["is_whole"] & np.isfinite(cells["mean"])
    worth = (sign * cells["mean"]).where(takes_part)
    best = worth.groupby(place, observed=True).transform("max")
    several = worth.groupby(place, observed=True).transform("count") > 1
    return several & (worth >= best - 1e-12)


def _digits(spread: "pd.Series") -> int:
    known = spread[np.isfinite(spread) & (spread > 0)]
    if not len(known):
        return 3
    usual, least = (-math.floor(math.log10(float(x))) for x in (known.median(), known.min()))
    return min(MOST, max(FEWEST, usual + 1, least))


def _number(cell: dict[Hashable, Any] | None, digits: int, most: int) -> Number:
    """Write a mean with its spread; how many blocks it is of where others are of more."""
    if cell is None:
        return Number(math.nan)
    mean, spread, n, n_infinite = (cell[name] for name in ("mean", "spread", "n", "n_infinite"))
    return Number(
        float(mean), digits, spread=float(spread), spread_digits=digits, n_infinite=int(n_infinite),
        mark=f"(n = {n})" if n < most else "", strong=bool(cell["best"]),
    )  # fmt: skip
