"""Tables of analyses, by training size or by data set, for reports and for the terminal."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from workbench.analyses import BestMap, BiasVariance, Resampled, SampleComplexity
from workbench.analyses._shared.deciding import DECIDING, TESTS
from workbench.analyses._shared.subjects import truths_of
from workbench.base.text import probability_words
from workbench.report.table import TYPESET, Cell, Number, Signs, Table, number, p_value, whole
from workbench.report.words import name_of

__all__ = ["best_table", "bias_table", "needed_table", "pairs_legend", "pairs_table"]

PARTS = ("loss", "bias", "variance")
#: A loss below this is only rounding and has no shares.
SMALLEST = 0.5e-4
#: What the statistics of `pairs_table` are.
STATISTICS = {
    "five_by_two": ("t, p: Dietterich's 5x2cv test", "F, p of F: Alpaydin's combined test"),
    "corrected": (f"t, p: {TESTS['corrected']}",),
}


def best_table(best: BestMap) -> Table:
    """Return the best learner and the second by source and size, with their probabilities."""
    experiments = {one.source: one for one in best.experiments}
    rows: list[tuple[Cell, ...]] = []
    for row in best.table.itertuples():
        one = experiments[row.source]
        p_best, p_second = (
            Number(float(p), name=name_of("p_best", one, learner, row.n_train), words=probability_words(p))
            for learner, p in ((row.best, row.p_best), (row.second, row.p_second))
        )
        second = row.second if row.p_second > 0 else "\u2013"  # none of the others can be the best
        rows.append((row.source, whole(row.n_train), row.best, p_best, second, p_second, whole(row.n)))
    columns = ("source", "rows", "best", "its probability", "second", "probability of the second", "truths")
    note = "Probability: that the learner has the best mean of all."
    return Table(f"The best learner by {best.experiments[0].score.words}", columns, tuple(rows), note)


def needed_table(found: SampleComplexity, *, one: bool = False) -> Table:
    """Return the rows that each learner needs for each share, with intervals; `one` names its only source."""
    experiments = {one.source: one for one in found.experiments}
    rows: list[tuple[Cell, ...]] = []
    for (source, learner), own in found.table.groupby(["source", "learner"], sort=False):
        cells: list[Cell] = []
        for row in own.itertuples():
            place = (row.source, row.learner, row.share)
            low, high = (found.label(place, end) for end in (row.low, row.high))
            name = name_of("rows_needed", experiments[source], learner, row.share)
            cells.append(Number(row.n_train, 0, name, row.low, row.high, words=row.label, ends=(low, high)))
        rows.append((source, learner, *cells))
    shares = dict.fromkeys(found.table["share"])
    columns = ("source", "learner", *[f"rows for {share:.0%}" for share in shares])
    first = found.experiments[0]
    whose = f"{first.kind}: rows" if one else "Rows"
    note = "Brackets: 95% intervals; > and <=: beyond the sizes of the study."
    return Table(f"{whose} needed by {first.score.words}", columns, tuple(rows), note)


def bias_table(found: BiasVariance, source: str | None = None) -> Table:
    """Return loss, bias and variance by learner and size, with intervals, of one source or of all."""
    rows: list[tuple[Cell, ...]] = []
    for row in found.table.to_dict("records"):
        if source is not None and row["source"] != source:
            continue
        place = "|".join(map(str, (*found.score, row["source"], row["learner"], row["n_train"])))
        parts = [
            Number(float(row[what]), 4, f"{what}|{place}", row[f"{what}_low"], row[f"{what}_high"], "zero")
            for what in PARTS
        ]
        nothing = np.isnan(row["variance_share"]) or abs(row["loss"]) < SMALLEST
        share = Number(np.nan if nothing else row["variance_share"], form="percent")
        rows.append((row["source"], row["learner"], whole(row["n_train"]), *parts, share, whole(row["n"])))
    unit = found.unit
    columns = ("source", "learner", "rows", f"loss [{unit}]", f"bias [{unit}]", f"variance [{unit}]")
    of = f"{truths_of(source)}: " if source is not None else ""
    title = f"{of}{found.name}, split into bias and variance"
    note = "Brackets: each its own 95% interval of the mean between truths."
    return Table(title, (*columns, "share of variance", "truths"), tuple(rows), note)


def pairs_table(tests: Sequence[Resampled], signs: Signs = TYPESET) -> Table:
    """Return every pair of learners on every data set: difference, tests, who is better."""
    first = tests[0]
    rows = tuple(
        _pair(one, row, winner, signs)
        for one in tests
        for row, winner in zip(one.table.to_dict("records"), one.winners(), strict=True)
    )
    statistics = ("t", "p", "F", "p of F") if first.test == "five_by_two" else ("t", "p")
    columns = ("data set", "pair", "difference", *statistics, "p (Holm)", "p (Bonferroni)", "better")
    return Table(f"{first.score.words}: {first.metric.measure}", columns, rows)


def pairs_legend(test: str) -> tuple[str, ...]:
    """Explain the columns of `pairs_table`."""
    return (
        "difference: mean over parts of the first minus the second",
        *STATISTICS[test],
        f"better: by {DECIDING[test]}",
        "p (Bonferroni): p of the same test times the number of pairs, a simpler bound",
    )


def _pair(one: Resampled, row: dict[Hashable, Any], winner: str | None, signs: Signs) -> tuple[Cell, ...]:
    place = "|".join([*one.score, one.source, row["learner"], row["other"]])
    statistics = [number(row["t"], 2), p_value(row["p"])]
    if one.test == "five_by_two":
        statistics += [number(row["F"], 2), p_value(row["p_F"])]
    return (
        one.source,
        f"{row['learner']} {signs.minus} {row['other']}",
        number(row["difference"], 4, f"difference|{place}"),
        *statistics,
        p_value(row["p_holm"], f"p_holm|{place}"),
        p_value(row["p_bonferroni"]),
        winner or signs.missing,
    )
