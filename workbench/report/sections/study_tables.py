"""The tables beside figures of a whole study."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from workbench.base.text import probability_words
from workbench.figures import BestMapDisplay, BiasVarianceDisplay, SampleComplexityDisplay
from workbench.report.document import Cell, Number, Table
from workbench.report.sections.tables import number
from workbench.report.words import name_of, score_words

__all__ = ["STUDY_TABLES", "best_table", "bias_table", "needed_table"]


PARTS = ("loss", "bias", "variance")


def best_table(display: BestMapDisplay) -> Table:
    """Return the best learner and the second by source and size, with their probabilities."""
    experiments = {one.source: one for one in display.best.experiments}
    rows: list[tuple[Cell, ...]] = []
    for row in display.best.table.itertuples():
        one = experiments[row.source]
        p_best, p_second = (
            _probability(p, name_of("p_best", one, learner, row.n_train))
            for learner, p in ((row.best, row.p_best), (row.second, row.p_second))
        )
        size = Number(str(row.n_train), row.n_train)
        second = row.second if row.p_second > 0 else "\u2013"  # of all others none can be the best
        rows.append((row.source, size, row.best, p_best, second, p_second))
    columns = ("truths", "rows", "best", "its probability", "second", "its probability")
    title = f"The best learner by {score_words(display.best.experiments[0])}"
    return Table(title, columns, tuple(rows), "Probability: that the learner's mean is the best of all.")


def needed_table(display: SampleComplexityDisplay) -> Table:
    """Return the rows that each learner needs for each share, with intervals."""
    found = display.complexity
    experiments = {one.source: one for one in found.experiments}
    rows: list[tuple[Cell, ...]] = []
    for (source, learner), own in found.table.groupby(["source", "learner"], sort=False):
        cells: list[Cell] = []
        for row in own.itertuples():
            place = (row.source, row.learner, row.share)
            low, high = (found.label(place, end) for end in (row.low, row.high))
            name = name_of("rows_needed", experiments[source], learner, row.share)
            cells.append(Number(f"{row.label} [{low}, {high}]", row.n_train, name, row.low, row.high))
        rows.append((source, learner, *cells))
    shares = dict.fromkeys(found.table["share"])
    columns = ("truths", "learner", *[f"rows for {share:.0%}" for share in shares])
    first = found.experiments[0]
    whose = f"{first.kind}: rows" if display.source else "Rows"
    note = "Brackets: 95% intervals; > and <=: beyond the sizes of the study."
    return Table(f"{whose} needed by {score_words(first)}", columns, tuple(rows), note)


def bias_table(display: BiasVarianceDisplay) -> Table:
    """Return loss, bias and variance by learner and size, with intervals."""
    found = display.found
    rows: list[tuple[Cell, ...]] = []
    for row in found.table[found.table["source"] == display.source].to_dict("records"):
        place = "|".join(map(str, (*found.score, row["source"], row["learner"], row["n_train"])))
        parts = [
            number(row[what], 4, f"{what}|{place}", (row[f"{what}_low"], row[f"{what}_high"]))
            for what in PARTS
        ]
        size, n = (Number(str(row[name]), row[name]) for name in ("n_train", "n"))
        share = number(row["variance_share"], 2)
        rows.append((row["learner"], size, *parts, share, n))
    unit = found.unit
    columns = ("learner", "rows", f"loss [{unit}]", f"bias [{unit}]", f"variance [{unit}]")
    title = f"{display.kind}: {found.name}, split into bias and variance"
    note = "Brackets: each its own 95% interval of the mean between truths."
    return Table(title, (*columns, "share of variance", "truths"), tuple(rows), note)


def _probability(p: float, name: str) -> Number:
    """Return a probability from resamples."""
    return Number(probability_words(p), float(p), name)


#: By the key of the figure; one that has none here stands alone.
STUDY_TABLES: Mapping[str, Callable[[Any], Table]] = MappingProxyType(
    {"best_map": best_table, "sample_complexity": needed_table, "bias_variance": bias_table}
)
