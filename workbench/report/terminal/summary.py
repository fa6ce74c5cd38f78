"""The table at the end of a run: for each source, learners by size, the headline score first."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from workbench.base.score_key import ScoreKey, preference
from workbench.store.failures import failures_of
from workbench.store.results import StudyResults

if TYPE_CHECKING:
    from rich.console import Console

    from workbench.analyses import VersusBase

__all__ = ["Column", "columns_of", "legend", "print_summary", "summary_frame", "versus_lines"]

#: What the words of the titles mean, printed where they occur.
WORDS = {
    ("prior", "marginal"): "against the true class distribution",
    ("prior", "training"): "against the class frequencies of the training rows (counts from 0.5)",
    ("prior", "test"): "against the class frequencies of the test rows (counts from 0.5)",
    ("prior", "uniform"): "against equal probabilities of all classes",
    ("cut-off", "2001"): "probabilities kept within [0.5/(n + 1), (n + 0.5)/(n + 1)]",
    ("cut-off", "2002"): "probabilities kept within [0.5/(n + k/2), (n + 0.5)/(n + k/2)], k classes",
}
#: Learners that are yardsticks.
ROWS = {
    "truth": "the true distribution itself",
    "prior": "the class frequencies of the training rows",
}


@dataclass(frozen=True)
class Column:
    """One score of the printed table.

    Parameters
    ----------
    key : ScoreKey
    """

    key: ScoreKey

    @property
    def title(self) -> str:
        """Lines: the metric; rows; prior; cut-off."""
        metric, prior, rows, cutoff = self.key
        notes = [f"prior {prior}"] * (prior != "none") + [f"cut-off {cutoff}"] * (cutoff != "none")
        return "\n".join([metric, *[rows] * (rows != "none"), *notes])

    @property
    def line(self) -> str:
        """The same in one line."""
        return self.title.replace("\n", ", ")


def columns_of(results: StudyResults) -> list[Column]:
    """Choose what to print: the headline score, its variants, then one score a metric."""
    keys = results.score_keys
    metrics = list(dict.fromkeys(key[0] for key in keys))
    metrics.sort(key=lambda metric: metric != "ir_b")
    columns: list[Column] = []
    for metric in metrics:
        first = min((key for key in keys if key[0] == metric), key=preference)
        columns.append(Column(first))
        if len(columns) == 1:
            variants = [ScoreKey(metric, "training", "test", "none")]
            variants += [first._replace(cutoff=cutoff) for cutoff in ("2001", "2002")]
            columns += [Column(key) for key in variants if key in keys and key != first]
    return columns


def summary_frame(results: StudyResults, source: str) -> pd.DataFrame:
    """Return the printed table of one source as text."""
    cells = results.cells()
    cells = cells[cells["source"] == source]
    done = (
        (cells["state"] == "done")
        .groupby([cells["n_train"], cells["learner"]], observed=True)
        .agg(["sum", "size"])
    )
    content: dict[str, list[str]] = {
        "n": [str(size) for size, _ in done.index],
        "learner": [str(learner) for _, learner in done.index],
    }
    if (done["sum"] < done["size"]).any():
        content["cells"] = [f"{row.sum}/{row.size}" for row in done.itertuples(index=False)]
    for column in columns_of(results):
        table = results.table(column.key)
        picked = [_statistics(table, source, learner, size) for size, learner in done.index]
        content[column.title] = [_mean(*statistics) for statistics in picked]
    return pd.DataFrame(content)


def print_summary(results: StudyResults, console: "Console") -> None:
    """Print the tables of all sources, what the words mean, and what failed."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    if results.on_datasets:
        from workbench.report.terminal.tables_summary import print_tables

        if len(results.score_keys):
            print_tables(results, console)
        for line in failures_of(results):
            console.print(line, highlight=False, markup=False)
        return
    cells = results.cells()
    for key in results.study.source_keys:
        of_source = cells[cells["source"] == key]
        if of_source.empty:
            continue
        replicates = of_source["replicate"].nunique()
        table = Table(
            title=escape(f"{key}: {replicates} replicate{'s' * (replicates != 1)}"),
            title_justify="left",
            box=box.SIMPLE_HEAD if console.is_terminal else box.ASCII2,
        )
        if len(results.score_keys):
            _fill(table, summary_frame(results, key))
            console.print(table)
    for line in legend(results):
        console.print(line, highlight=False, markup=False)
    for line in failures_of(results):
        console.print(line, highlight=False, markup=False)


def versus_lines(compared: "VersusBase") -> Iterator[str]:
    """Print learners beside a base learner, in the form of Weka's tester."""
    table = compared.table
    learners = [compared.base, *[key for key in table["learner"].unique() if key != compared.base]]
    settings = list(dict.fromkeys(zip(table["source"], table["n_train"], strict=True)))
    cells = {(row.source, row.n_train, row.learner): row for row in table.itertuples(index=False)}
    lines = [["truths", "rows", *[f"{key}  " for key in learners]]]
    for source, size in settings:
        own = [cells.get((source, size, key)) for key in learners]
        words = [f"{cell.mean:.4f} {cell.mark or ' '}" if cell else "-  " for cell in own]
        lines.append([source, str(size), *words])
    counts = ["/".join(map(str, compared.counts.loc[key])) + "  " for key in learners[1:]]
    lines.append(["wins/ties/losses", "", "", *counts])
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for line in lines:
        rest = [word.rjust(width) for word, width in zip(line[1:], widths[1:], strict=True)]
        yield "  ".join([line[0].ljust(widths[0]), *rest]).rstrip()
    yield ""
    yield f"{Column(compared.score).line}: {compared.metric.measure}"
    yield f"v: better than {compared.base}, *: worse; paired t tests over truths at 5%,"
    yield "with Holm's correction within each kind of truth"
    yield from compared.notes


def _fill(table, frame: pd.DataFrame) -> None:  # type: ignore[no-untyped-def]
    from rich.markup import escape

    for name in frame:
        table.add_column(escape(name), justify="left" if name == "learner" else "right", no_wrap=True)
    sizes = frame["n"].tolist()
    for i, row in enumerate(frame.itertuples(index=False)):
        repeated = i > 0 and sizes[i - 1] == sizes[i]
        last = i + 1 < len(sizes) and sizes[i + 1] != sizes[i]
        table.add_row("" if repeated else row[0], *map(escape, row[1:]), end_section=last)


def legend(results: StudyResults) -> Iterator[str]:
    """Explain the words and signs of the tables."""
    columns = columns_of(results)
    if not columns:
        return
    for metric in dict.fromkeys(column.key[0] for column in columns):
        yield f"{metric}: {results.metric(metric).measure}"
    yield "exact: expected score over the whole attribute space; test: mean over the test rows"
    if any(column.key[2] == "training" for column in columns):
        yield "training: mean over the rows that were learned from"
    yield "n: training rows; mean \u00b1 half width of the 95% t interval over replicates"
    yield from _explained(results, columns)
    yield "0.0: zero in every cell, to the last bit; 0.0000: rounded"


def _explained(results: StudyResults, columns: list[Column]) -> Iterator[str]:
    """Explain the words that occur."""
    priors, cutoffs = {column.key[1] for column in columns}, {column.key[3] for column in columns}
    occurring = (("prior", priors), ("cut-off", cutoffs))
    for what, words in occurring:
        for word in WORDS:
            if word[0] == what and word[1] in words:
                yield f"{what} {word[1]}: {WORDS[word]}"
    learners = [f"{key}: {ROWS[key]}" for key in results.study.learner_keys if key in ROWS]
    if learners:
        yield "; ".join(learners)
    if any(np.isinf(_values(results, column)).any() for column in columns):
        yield "-inf (k): the score is infinite in k cells"


def _values(results: StudyResults, column: Column) -> np.ndarray:
    table = results.table(column.key)
    return table.xs("mean", axis=1, level=1).to_numpy()


def _statistics(table: pd.DataFrame, source: str, learner: str, size: int) -> tuple[float, float, int]:
    try:
        row = table.loc[(source, learner)]
        # On tables there is one size for each, and no interval that holds.
        row = row[size] if table.columns.nlevels > 1 else row
    except KeyError:
        return float("nan"), float("nan"), 0
    if np.isnan(row["mean"]):
        return float("nan"), float("nan"), 0
    return float(row["mean"]), float(row.get("half_width", np.nan)), int(row["n_infinite"])


def _mean(mean: float, half_width: float, n_infinite: int) -> str:
    if np.isnan(mean):
        return "-"
    if np.isinf(mean):
        return f"{mean:.0f} ({n_infinite})"
    if mean == 0.0 and not half_width > 0.0:
        return "0.0        "  # so that an exact zero is told from a rounded one
    if np.isnan(half_width):
        return f"{mean:.4f}"
    return f"{mean:.4f} \u00b1" + f"{half_width:.4f}".removeprefix("0")
