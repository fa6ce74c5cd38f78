"""The summary of a run: a table per source, or per metric on data sets; then the legend."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from workbench.analyses import comparisons_of
from workbench.analyses._shared.data_sets_answer import untested
from workbench.base.names import learner_list, learner_name, metric_name, source_name
from workbench.base.score_key import ScoreKey, preference
from workbench.report.findings import Findings
from workbench.report.renderers.terminal import print_table
from workbench.report.size_tables import means_tables
from workbench.report.standing_tables import standing_note, standing_table
from workbench.report.table import PLAIN, Cell, Number, Table, whole
from workbench.report.words import beaten_rows, headline_keys, legend_of, score_head, score_notes
from workbench.store.failures import failures_of
from workbench.store.results import StudyResults

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["legend", "print_summary", "summary_keys", "summary_table"]

#: Learners shown for comparison only.
REFERENCES = {
    "truth": "the true probabilities",
    "optimal": "the Bayes-optimal forecasts, given the distribution of the truths",
    "optimal_mixture": "the same, given only the set of distributions of the study",
    "prior": "the class frequencies of the training rows",
}


def print_summary(results: StudyResults, console: "Console") -> None:
    """Print the tables of a study, a legend, and failures."""
    lines: list[str] = []
    if len(results.score_keys):
        has_sizes = results.design.blocks.has_sizes
        lines = _print_sizes(results, console) if has_sizes else _print_settings(results, console)
    for line in (*lines, *failures_of(results)):
        console.print(line, highlight=False, markup=False)


def _print_sizes(results: StudyResults, console: "Console") -> list[str]:
    cells = results.cells()
    for key in results.study.source_keys:
        if (cells["source"] == key).any():
            print_table(summary_table(results, key), console)
    tests = Findings(results).comparisons
    if not tests:
        return list(legend(results))
    words = tests[0].scores.score.words
    print_table(replace(standing_table(tests), title=f"{words}: winners"), console)
    return [standing_note(tests), *legend(results)]


def summary_keys(results: StudyResults) -> list[ScoreKey]:
    """Choose what to print: one score per metric, and the variants of the first that has some."""
    keys = results.score_keys
    chosen: list[ScoreKey] = []
    varied = False
    for metric in dict.fromkeys(key.metric for key in keys):
        first = min((key for key in keys if key.metric == metric), key=preference)
        variants = [ScoreKey(metric, "training", "test", "none")]
        variants += [first._replace(cutoff=cutoff) for cutoff in ("2001", "2002")]
        variants = [key for key in variants if key in keys and key != first and not varied]
        varied = varied or bool(variants)
        chosen += [first, *variants]
    return chosen


def summary_table(results: StudyResults, source: str) -> Table:
    """Return the scores of one source: sizes and learners down, scores across."""
    cells = results.cells()
    cells = cells[cells["source"] == source]
    done = (
        (cells["state"] == "done")
        .groupby([cells["n_train"], cells["learner"]], observed=True)
        .agg(["sum", "size"])
    )
    columns: dict[str, list[Cell]] = {
        "n": [whole(size) for size, _ in done.index],
        "learner": [learner_name(str(learner)) for _, learner in done.index],
    }
    if (done["sum"] < done["size"]).any():
        columns["cells"] = [
            Number(float(row.sum), words=f"{row.sum}/{row.size}") for row in done.itertuples(index=False)
        ]
    for key in summary_keys(results):
        table = results.table(key)
        columns[score_head(key)] = [
            _mean(*_statistics(table, source, learner, size)) for size, learner in done.index
        ]
    replicates = cells["replicate"].nunique()
    title = f"{source_name(source)}: {replicates} replicate{'s' * (replicates != 1)}"
    return Table(title, tuple(columns), tuple(zip(*columns.values(), strict=True)), grouped=True)


def _statistics(table: pd.DataFrame, source: str, learner: str, size: int) -> tuple[float, float, int]:
    try:
        row = table.loc[(source, learner)][size]
    except KeyError:
        return float("nan"), float("nan"), 0
    if np.isnan(row["mean"]):
        return float("nan"), float("nan"), 0
    return float(row["mean"]), float(row["half_width"]), int(row["n_infinite"])


def _mean(mean: float, half_width: float, n_infinite: int) -> Number:
    """Return a mean with the half width of its interval; an exact zero is shown unlike a rounded one."""
    if mean == 0.0 and not half_width > 0.0:
        return Number(0.0, words="0.0")
    return Number(mean, 4, spread=half_width, n_infinite=n_infinite)


def legend(results: StudyResults) -> Iterator[str]:
    """Explain the words and signs of the tables."""
    keys = summary_keys(results)
    if not keys:
        return
    for metric in dict.fromkeys(key.metric for key in keys):
        yield results.metric(metric).explained(metric_name(metric))
    yield from score_notes(keys)
    yield "n: training rows. Mean \u00b1 half width of the 95% t interval over replicates."
    learners = [
        f"{learner_name(key)}: {REFERENCES[key]}" for key in results.study.learner_keys if key in REFERENCES
    ]
    if learners:
        yield from learners
    means = [results.table(key).xs("mean", axis=1, level=1).to_numpy() for key in keys]
    yield from _infinite(means, "cells")
    yield "0.0: exactly zero in every cell. 0.0000: rounded."


def _infinite(values: Sequence[np.ndarray], places: str) -> Iterator[str]:
    """Explain the signs of infinite scores, of those that occur."""
    found = np.concatenate([one.ravel() for one in values])
    signs = [sign for sign, end in (("-inf (k)", -np.inf), ("inf (k)", np.inf)) if (found == end).any()]
    if signs:
        yield f"{' and '.join(signs)}: the score is infinite in k {places}"


def _print_settings(results: StudyResults, console: "Console") -> list[str]:
    """Print means and significant pairs for each metric; return the legend."""
    notes: dict[str, None] = {}
    keys, many = headline_keys(results), results.design.blocks.many
    found = {key: comparisons_of(results, score=key) for key in keys}
    compared = {key: tests for key, tests in found.items() if any(one.tested for one in tests)}
    for means in means_tables(found, digits=3):
        title = f"{means.title}: mean \u00b1 sd over {many}. {means.note}"
        print_table(replace(means, title=title), console, fold="cells")
    for key, tests in found.items():
        if key in compared:
            whom = "significantly worse learners" + ("" if len(tests) == 1 else ", by the column's")
            print_table(Table(f"{key.words}: {whom}", *beaten_rows(tests)), console, fold="cells")
        notes |= {f"{key.words}: {line}": None for line in untested(tests)}
    first = found[keys[0]]
    if keys[0] in compared:
        title = f"{keys[0].words}: winners"
        print_table(replace(standing_table(first), title=title), console, fold="cells")
        notes[standing_note(first)] = None
    alongside = first[0].scores.others
    shared = (
        "" if first[0].scores.by.independent else ", which share rows, so it does not give a standard error"
    )
    best = [f"{PLAIN.strong}: the best mean of the compared learners"] if any(first[0].best) else []
    lines = [*notes, f"sd: standard deviation over {many}{shared}", *best]
    if alongside:
        lines.append(f"grey or last, in no test: {learner_list(alongside)}")
    lines += [*(f"{word}: {line}" for word, line in legend_of(keys, metric=results.metric).items())]
    if compared:
        papers = f"a report also has the papers' form, by {first[0].scores.test.uncorrected}"
        lines.append(f"significantly worse: by {first[0].deciding} ({papers})")
    lines += _infinite([results.scores(key)["value"].to_numpy() for key in keys], many)
    return lines
