"""Correlations of metrics: data sets or sizes down, learners across."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from workbench.analyses import Correlations
from workbench.base.names import learner_name, source_name
from workbench.base.score_key import ScoreKey
from workbench.comparisons.metric_correlations import SMALLEST
from workbench.report.table import Cell, Number, Table, number

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["correlation_parts"]

COEFFICIENTS = {
    "pearson": "Pearson's correlation",
    "spearman": "Spearman's rank correlation",
    "kendall": "Kendall's tau-b",
}


def correlation_parts(
    results: "StudyResults",
    *,
    metrics: Sequence[str] | None = None,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
    source: str | None = None,
    method: str = "pearson",
    aligned: bool = False,
    level: float = 0.95,
) -> Iterator[Table | str]:
    """Return the correlation of each pair of metrics: data sets down and learners across."""
    found = Correlations.of(
        results, metrics, score=score, learners=learners, source=source,
        method=method, aligned=aligned, level=level,  # type: ignore[arg-type]
    )  # fmt: skip
    for one, other in combinations(found.scores, 2):
        yield f"{one.words}; {other.words}"
        yield _table(found, one.metric, other.metric)
        yield ""
    by = results.design.blocks
    over = f"{by.many} at each size" if by.has_sizes else f"{by.many} of each {by.source}"
    sense = (
        "aligned so that metrics that agree correlate positively" if aligned else "of the scores as measured"
    )
    yield f"{COEFFICIENTS[method]} over the {over}, {sense}"
    least = f"from {SMALLEST[method]} on"
    yield f"in brackets the single {level:.0%} intervals, {least}; n: {over.split()[0]}"
    yield from found.notes


def _table(found: Correlations, metric: str, other: str) -> Table:
    """Return one pair of metrics: place, number of splits or truths, coefficients of learners."""
    own = found.table[(found.table["metric"] == metric) & (found.table["other"] == other)]
    learners = list(dict.fromkeys(own["learner"]))
    several = own.groupby("source")["n_train"].nunique().max() > 1
    lines: list[tuple[Cell, ...]] = []
    for (source, size), rows in own.groupby(["source", "n_train"], sort=False):
        numbers = sorted(set(rows["n"]))
        n = Number(numbers[0], words=f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else "")
        by_learner = {
            row["learner"]: number(row["r"], 3, interval=(row["low"], row["high"]))
            for row in rows.to_dict("records")
        }
        place = f"{source_name(source)}, {size} rows" if several else str(source)
        lines.append((place, n, *[by_learner[learner] for learner in learners]))
    return Table("", ("", "n", *map(learner_name, learners)), tuple(lines))
