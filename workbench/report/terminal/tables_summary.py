"""StudyResults on tables as people read them: tables down, learners across, and who beats whom."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from workbench.analyses import Resampled, resampled_of
from workbench.analyses._shared.tables_answer import DECIDING, PAPERS, counting_all, untested
from workbench.base.score_key import ScoreKey, preference
from workbench.report.terminal.summary import WORDS
from workbench.store.results import StudyResults
from workbench.study.metric_facts import MetricFacts, facts_of

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "beaten_frame",
    "headline_keys",
    "legend_of",
    "means_frame",
    "print_tables",
    "title_of",
]


def headline_keys(results: StudyResults) -> list[ScoreKey]:
    """Choose one score a metric: the reward first where there is one."""
    keys = results.score_keys
    metrics = sorted(dict.fromkeys(key.metric for key in keys), key=lambda metric: metric != "ir_b")
    chosen = []
    for metric in metrics:
        plain = min((key for key in keys if key.metric == metric), key=preference)
        chosen += list(dict.fromkeys((counting_all(results, plain), plain)))
    return chosen


def title_of(key: ScoreKey) -> str:
    """Name a score in words; nothing is said of test rows."""
    words = ["training rows"] * (key.rows == "training")
    words += [f"prior {key.prior}"] * (key.prior != "none")
    words += [f"cut-off {key.cutoff}"] * (key.cutoff != "none")
    return ", ".join([key.metric, *words])


def legend_of(keys: Iterable[ScoreKey], *, facts: Callable[[str], MetricFacts] = facts_of) -> dict[str, str]:
    """Explain the words of scores: metrics, priors and cut-offs."""
    keys = list(keys)
    told = {key.metric: _summary(facts(key.metric)) for key in keys}
    words = {("prior", key.prior) for key in keys} | {("cut-off", key.cutoff) for key in keys}
    told |= {f"{what} {word}": line for (what, word), line in WORDS.items() if (what, word) in words}
    return told | {"n": "number of training rows"} if any(key.cutoff != "none" for key in keys) else told


def means_frame(tests: Sequence[Resampled]) -> pd.DataFrame:
    """Return mean and standard deviation over parts of each learner on each table as text."""
    means = {one.source: pd.concat([one.means, one.beside]) for one in tests}
    rows = {source: {key: _mean(row) for key, row in own.iterrows()} for source, own in means.items()}
    return pd.DataFrame.from_dict(rows, orient="index").fillna("-")


def beaten_frame(tests: Sequence[Resampled], *, p: str = "p_holm") -> pd.DataFrame:
    """Return the papers' form: in each cell, the learners that are significantly worse than the column's."""
    rows = {one.source: {key: ", ".join(one.beaten_by(key, p=p)) for key in one.means.index} for one in tests}
    return pd.DataFrame.from_dict(rows, orient="index").fillna("")


def print_tables(results: StudyResults, console: "Console") -> None:
    """Print means and who beats whom for each metric, and what the words mean."""
    notes: dict[str, None] = {}
    keys = headline_keys(results)
    for key in keys:
        tests = resampled_of(results, score=key)
        title = title_of(key)
        beside = list(tests[0].beside.index)
        _print(
            console,
            f"{title}: mean \u00b1 sd over parts; {tests[0].metric.measure}",
            means_frame(tests),
            beside,
        )
        _print(console, f"{title}: the learners that the column's beats", beaten_frame(tests))
        notes |= {f"{title}: {line}": None for line in untested(tests)}
    test = tests[0].test
    lines = [*notes, "sd: standard deviation over parts; as these share rows, no standard error comes of it"]
    if beside:
        lines.append(f"grey or last, in no test: {', '.join(beside)}")
    lines += [*(f"{word}: {line}" for word, line in legend_of(keys, facts=results.metric).items())]
    lines.append(f"beats: by {DECIDING[test]}; a report has the papers' form too, by {PAPERS[test]}")
    if any(np.isinf(results.scores(key)["value"]).any() for key in keys):
        lines.append("-inf (k), inf (k): the score is infinite in k parts")
    for line in lines:
        console.print(line, highlight=False, markup=False)


def _summary(metric: MetricFacts) -> str:
    """Return the first line of a metric's documentation, as it stands behind a colon."""
    line = metric.summary.rstrip(".")
    own = f" ({metric.definition})" if metric.definition else ""
    return f"{line[:1].lower()}{line[1:]}{own}"


def _print(console: "Console", title: str, frame: pd.DataFrame, beside: Sequence[str] = ()) -> None:
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    lines = box.SIMPLE_HEAD if console.is_terminal else box.ASCII2
    # Above the table, as a title of its own would wrap at its width.
    console.print(title, style="italic", highlight=False, markup=False, soft_wrap=True)
    table = Table(box=lines)
    table.add_column("table", no_wrap=True)
    for name in frame:
        style = "dim" if name in beside else ""
        table.add_column(escape(str(name)), justify="right", overflow="fold", style=style, header_style=style)
    for source, row in frame.iterrows():
        table.add_row(*map(escape, map(str, (source, *row))))
    console.print(table)


def _mean(row: pd.Series) -> str:
    if not row["n"]:
        return "-"
    if np.isinf(row["mean"]):
        return f"{row['mean']:.0f} ({int(row['n_infinite'])})"
    spread = "" if np.isnan(row["sd"]) else " \u00b1" + f"{row['sd']:.3f}".removeprefix("0")
    return f"{row['mean']:.3f}{spread}"
