"""Correlations of metrics as lines of text, for the command line."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.analyses import Correlations
from workbench.base.score_key import ScoreKey
from workbench.comparisons.metric_correlations import SMALLEST
from workbench.report.renderers.text_table import aligned as set_in_columns
from workbench.report.terminal.summary import Column

if TYPE_CHECKING:
    from workbench.results import Results

__all__ = ["correlation_lines"]

COEFFICIENTS = {
    "pearson": "Pearson's correlation",
    "spearman": "Spearman's rank correlation",
    "kendall": "Kendall's tau-b",
}


def correlation_lines(
    results: "Results",
    *,
    metrics: Sequence[str] | None = None,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
    source: str | None = None,
    method: str = "pearson",
    aligned: bool = False,
    level: float = 0.95,
) -> Iterator[str]:
    """Print how metrics go together: for each pair of them, data sets down and learners across."""
    found = Correlations.of(
        results, metrics, score=score, learners=learners, source=source,
        method=method, aligned=aligned, level=level,  # type: ignore[arg-type]
    )  # fmt: skip
    for one, other in combinations(found.scores, 2):
        yield f"{Column(one).line}; {Column(other).line}"
        yield from set_in_columns(_correlations_of(found, one.metric, other.metric), words=(0,))
        yield ""
    over = "splits of each table" if results.on_datasets else "truths at each size"
    signs = (
        "aligned so that metrics that agree correlate positively" if aligned else "of the scores as measured"
    )
    yield f"{COEFFICIENTS[method]} over the {over}, {signs}"
    least = f"from {SMALLEST[method]} on"
    yield f"in brackets the {level:.0%} interval of each by itself, {least}; n: {over.split()[0]}"
    yield from found.notes


def _correlations_of(found: Correlations, metric: str, other: str) -> list[list[str]]:
    """Return lines of one pair of metrics: place, number of splits or truths, coefficients of learners."""
    own = found.table[(found.table["metric"] == metric) & (found.table["other"] == other)]
    learners = list(dict.fromkeys(own["learner"]))
    several = own.groupby("source")["n_train"].nunique().max() > 1
    lines = [["", "n", *learners]]
    for (source, size), rows in own.groupby(["source", "n_train"], sort=False):
        numbers = sorted(set(rows["n"]))
        n = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
        by_learner = {row["learner"]: _coefficient(row) for row in rows.to_dict("records")}
        lines.append(
            [f"{source}, {size} rows" if several else str(source), n, *map(by_learner.get, learners)]
        )
    return lines


def _coefficient(row: Mapping[Hashable, Any]) -> str:
    if np.isnan(row["r"]):
        return "-"
    interval = "" if np.isnan(row["low"]) else f" ({row['low']:.3f}, {row['high']:.3f})"
    return f"{row['r']:.3f}{interval}"
